"""Images that are stored with the padding of the convolution that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.compile import native_or_interpreted
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import host, machine_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.kernels.test_convolution import arranged
from tests.compiler.kernels.test_dot import compiled as compiled_for
from tests.compiler.kernels.test_dot import values
from tests.compiler.lowering.test_quantized import random_tensor
from tests.compiler.plan_evaluation import difference
from tests.compiler.variants import RUNNABLE

# Points of the image, the window, padding, strides, and groups: 6 stands for depthwise.
CASES: list[Any] = [
    ([9], [3], [(1, 1)], [1], 1),
    ([9], [4], [(3, 0)], [2], 6),
    ([7, 5], [3, 3], [(1, 1), (1, 1)], [1, 1], 6),
    ([7, 5], [3, 3], [(1, 1), (1, 1)], [1, 1], 2),
    ([7, 6], [3, 3], [(0, 1), (0, 1)], [2, 2], 6),
    ([7, 6], [3, 1], [(1, 1), (0, 0)], [1, 1], 1),
    ([7, 6], [1, 5], [(0, 0), (2, 2)], [1, 1], 1),
    ([8, 11], [5, 3], [(4, 0), (0, 3)], [1, 2], 1),
    ([4, 3, 5], [3, 2, 3], [(1, 1), (0, 1), (1, 1)], [1, 1, 2], 6),
]


def network(
    case: Any, element: str, batch: int = 2, *, features: int = 6, outputs: int = 12,
    twice: bool = False,
) -> str:  # fmt: skip
    """A convolution of single points with a bias and a minimum, and one of a padded image.

    Args:
        case: What the second convolution is.
        element: The element type.
        batch: How many images there are.
        features: The features of the images.
        outputs: The features of the result.
        twice: Whether the image between them is a result, too.
    """
    points, window, padding, strides, groups = case
    rank = len(points)
    sizes = {str(d): size for d, size in enumerate(points)}
    image, shape = arranged("[b, {}, f]", rank, {"b": batch, "f": features, **sizes})
    single, one = arranged(
        "[{}, i, o]", rank, {"i": features, "o": features} | dict.fromkeys(sizes, 1)
    )
    kernel = {"i": features // groups, "o": outputs} | {
        str(d): size for d, size in enumerate(window)
    }
    form, several = arranged("[{}, i, o]", rank, kernel)
    reached = [
        (size + low + high - extent) // stride + 1
        for size, extent, (low, high), stride in zip(points, window, padding, strides, strict=True)
    ]
    x, k1, k2, y = (
        f"tensor<{'x'.join(map(str, sizes_))}x{element}>"
        for sizes_ in (shape, one, several, [batch, *reached, outputs])
    )
    bias = f"tensor<{features}x{element}>"
    pads = [list(pair) for pair in padding]
    results, types = ("%5, %3", f"{y}, {x}") if twice else ("%5", y)
    return f"""func.func @main(%x: {x}, %a: {k1}, %c: {bias}, %b: {k2}) -> ({types}) {{
  %0 = stablehlo.convolution(%x, %a) dim_numbers = {image}x{single}->{image}, window = {{}}
    {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}} : ({x}, {k1}) -> {x}
  %1 = stablehlo.broadcast_in_dim %c, dims = [{rank + 1}] : ({bias}) -> {x}
  %2 = stablehlo.add %0, %1 : {x}
  %3 = stablehlo.maximum %2, %1 : {x}
  %5 = stablehlo.convolution(%3, %b) dim_numbers = {image}x{form}->{image},
    window = {{stride = {strides}, pad = {pads}}}
    {{feature_group_count = {groups} : i64, batch_group_count = 1 : i64}} : ({x}, {k2}) -> {y}
  return {results} : {types}
}}"""


def arguments_of(text: str, element: str) -> list[Any]:
    """Arguments of a program."""
    types: list[Any] = [argument.type for argument in compiled(text).signature.arguments]
    return [values([*expected.shape], element, seed) for seed, expected in enumerate(types)]


def compiled(text: str) -> CompiledExecutable:
    """A program as native code."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def launches(executable: CompiledExecutable, kind: str) -> int:
    """How many launches of a kind there are: ``margins``, or ``lhs`` for copies of images."""
    steps = executable.plan.steps
    names = [step.kernel.name for step in steps if isinstance(step, LaunchStep)]
    return sum(name.endswith(f"_{kind}") for name in names)


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("case", CASES)
def test_an_image_is_stored_with_its_padding(case: Any, element: str) -> None:
    text = network(case, element)
    executable, arguments = compiled(text), arguments_of(text, element)
    assert (launches(executable, "margins"), launches(executable, "lhs")) == (1, 0)
    expected = np.asarray(sm.load(text).run(*arguments)).astype(np.float64)
    bound = 200 * np.finfo(element.replace("f", "float")).eps * np.abs(expected).max()
    np.testing.assert_allclose(np.asarray(executable(*arguments)), expected, rtol=0, atol=bound)
    if element == "f32":
        assert not difference(executable, arguments)


@pytest.mark.parametrize("groups", [1, 64])
@pytest.mark.parametrize("machine", RUNNABLE)
@pytest.mark.parametrize("case", [CASES[0], *CASES[2:5], CASES[7]])
def test_an_image_of_bfloat16_is_stored_with_its_padding(
    case: Any, machine: str, groups: int
) -> None:
    """Tile registers take pairs of features, depthwise convolutions widen what they read."""
    sizes: Any = {"features": 64, "outputs": 64}
    text, wide = (network((*case[:-1], groups), kind, **sizes) for kind in ("bf16", "f32"))
    arguments = arguments_of(text, "bf16")
    _, executable = compiled_for(text, RUNNABLE[machine])
    if groups == 64 or "tile_of_bfloat16" in machine_of(RUNNABLE[machine]).instructions:
        assert launches(executable, "margins") == 1
    expected = sm.load(wide).run(*[argument.astype(np.float32) for argument in arguments])
    found = np.asarray(executable(*arguments)).astype(np.float64)
    bound = 2**-6 * float(np.abs(np.asarray(expected)).max())
    np.testing.assert_allclose(found, np.asarray(expected), rtol=0, atol=bound)


@pytest.mark.parametrize("case", CASES[2:5])
def test_no_access_leaves_the_image(case: Any) -> None:
    text = network(case, "f32", batch=1)
    arguments: list[Any] = arguments_of(text, "f32")
    interpreted: Any = sm.compile(sm.load(text), backend="interpreter")
    checked = native_or_interpreted(interpreted, options=CompileOptions(check=True))
    assert checked.fallback is None
    np.testing.assert_array_equal(
        np.asarray(checked(*arguments)), np.asarray(compiled(text)(*arguments))
    )


def test_an_image_that_is_a_result_is_copied() -> None:
    text = network(CASES[2], "f32", twice=True)
    executable, arguments = compiled(text), arguments_of(text, "f32")
    assert (launches(executable, "margins"), launches(executable, "lhs")) == (0, 1)
    for value, expected in zip(executable(*arguments), sm.load(text).run(*arguments), strict=True):
        np.testing.assert_allclose(np.asarray(value), np.asarray(expected), rtol=1e-4, atol=1e-4)


def test_an_argument_is_copied() -> None:
    text = network(CASES[2], "f32").replace("convolution(%3, %b)", "convolution(%x, %b)")
    executable, arguments = compiled(text), arguments_of(text, "f32")
    assert (launches(executable, "margins"), launches(executable, "lhs")) == (0, 1)
    np.testing.assert_allclose(
        np.asarray(executable(*arguments)), np.asarray(sm.load(text).run(*arguments)),
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


# Points of the image, the window, padding, strides, dilations, and groups of 16 features.
BYTES: list[Any] = [
    ([80], [3], [(1, 1)], [1], [1], 1),
    ([601], [4], [(3, 0)], [2], [1], 16),
    ([11, 13], [3, 3], [(1, 1), (1, 1)], [1, 1], [1, 1], 16),
    ([9, 11], [3, 3], [(1, 1), (1, 1)], [2, 2], [1, 1], 1),
    ([12, 11], [3, 3], [(2, 2), (2, 2)], [1, 1], [2, 2], 16),
    ([12, 11], [3, 2], [(4, 0), (0, 3)], [1, 2], [2, 1], 1),
    ([12, 11], [5, 5], [(0, 1), (2, 4)], [2, 1], [1, 1], 16),
    ([12, 11], [3, 3], [(1, 1), (1, 1)], [1, 1], [1, 1], 2),
    ([5, 6, 7], [3, 1, 2], [(1, 1), (0, 0), (1, 0)], [1, 1, 1], [1, 1, 1], 1),
]
SCALE: Final = 0.25  # powers of two, with which the floats of the interpreter are exact


def network_of_bytes(
    case: Any, zero_point: int, batch: int = 2, storage: str = "u8", features: int = 16
) -> str:
    """As ``network``, of quantized numbers: the image between has a zero point."""
    points, window, padding, strides, dilations, groups = case
    rank = len(points)
    sizes = {str(d): size for d, size in enumerate(points)}
    image, shape = arranged("[b, {}, f]", rank, {"b": batch, "f": features, **sizes})
    single, one = arranged(
        "[{}, i, o]", rank, {"i": features, "o": features} | dict.fromkeys(sizes, 1)
    )
    kernel = {"i": features // groups, "o": features} | {
        str(d): size for d, size in enumerate(window)
    }
    form, several = arranged("[{}, i, o]", rank, kernel)
    reached = [
        (size + low + high - (extent - 1) * dilation - 1) // stride + 1
        for size, extent, (low, high), stride, dilation in zip(
            points, window, padding, strides, dilations, strict=True
        )
    ]

    def typed(sizes: Sequence[int], element: str) -> str:
        return f"tensor<{'x'.join(map(str, sizes))}x{element}>"

    stored, weight = f"!quant.uniform<{storage}:f32, {SCALE}:{zero_point}>", "i8:f32, 0.5"
    x, floats = typed(shape, stored), typed(shape, "f32")
    a, b = (typed(sizes_, f"!quant.uniform<{weight}>") for sizes_ in (one, several))
    sums, y = (
        typed(sizes_, "!quant.uniform<i32:f32, 0.125>")
        for sizes_ in (shape, [batch, *reached, features])
    )
    result, pads = y.replace("!quant.uniform<i32:f32, 0.125>", "f32"), [*map(list, padding)]
    bias = f"tensor<{features}xf32>"
    return f"""func.func @main(%x: {x}, %a: {a}, %c: {bias}, %b: {b}) -> {result} {{
  %0 = stablehlo.convolution(%x, %a) dim_numbers = {image}x{single}->{image}, window = {{}}
    {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}} : ({x}, {a}) -> {sums}
  %1 = stablehlo.uniform_dequantize %0 : ({sums}) -> {floats}
  %2 = stablehlo.broadcast_in_dim %c, dims = [{rank + 1}] : ({bias}) -> {floats}
  %3 = stablehlo.add %1, %2 : {floats}
  %4 = stablehlo.uniform_quantize %3 : ({floats}) -> {x}
  %5 = stablehlo.convolution(%4, %b) dim_numbers = {image}x{form}->{image},
    window = {{stride = {strides}, pad = {pads}, rhs_dilate = {dilations}}}
    {{feature_group_count = {groups} : i64, batch_group_count = 1 : i64}} : ({x}, {b}) -> {y}
  %6 = stablehlo.uniform_dequantize %5 : ({y}) -> {result}
  return %6 : {result}
}}"""


def stored_arguments(text: str) -> list[Any]:
    """Arguments of a network of bytes, with which all numbers on the way are exact."""
    random = np.random.default_rng(0)
    image, first, bias, second = (
        random_tensor(argument.type, random) for argument in compiled(text).signature.arguments
    )
    return [image, first, random.integers(-200, 200, bias.shape).astype(np.float32) / 8, second]


@pytest.mark.parametrize("zero_point", [0, 117])
@pytest.mark.parametrize("case", BYTES)
def test_the_padding_of_stored_numbers_is_their_zero_point(case: Any, zero_point: int) -> None:
    text = network_of_bytes(case, zero_point)
    executable, arguments = compiled(text), stored_arguments(text)
    if case[-1] == 16 or "quad_of_i8" in machine_of(host()).instructions:
        assert (launches(executable, "margins"), launches(executable, "lhs")) == (1, 0)
    np.testing.assert_array_equal(
        np.asarray(executable(*arguments)), np.asarray(sm.load(text).run(*arguments))
    )
    assert not difference(executable, arguments)


@pytest.mark.parametrize("machine", RUNNABLE)
@pytest.mark.parametrize("storage", ["u8", "i8"])
@pytest.mark.parametrize("case", BYTES[2:4])
def test_all_machines_have_the_same_integers(case: Any, storage: str, machine: str) -> None:
    text = network_of_bytes(case, -9 if storage == "i8" else 200, storage=storage)
    arguments = stored_arguments(text)
    _, executable = compiled_for(text, RUNNABLE[machine])
    np.testing.assert_array_equal(
        np.asarray(executable(*arguments)), np.asarray(sm.load(text).run(*arguments))
    )


@pytest.mark.parametrize("case", BYTES[1:5])
def test_no_access_leaves_the_stored_numbers(case: Any) -> None:
    text = network_of_bytes(case, 3, batch=3)
    arguments = stored_arguments(text)
    interpreted: Any = sm.compile(sm.load(text), backend="interpreter")
    checked = native_or_interpreted(interpreted, options=CompileOptions(check=True))
    assert checked.fallback is None
    np.testing.assert_array_equal(
        np.asarray(checked(*arguments)), np.asarray(compiled(text)(*arguments))
    )


def test_an_image_whose_kernel_copies_it_anyway_is_not_padded_before() -> None:
    """Features that do not fill words are copied with others."""
    text = network_of_bytes(BYTES[3], 3, features=18)
    executable, arguments = compiled(text), stored_arguments(text)
    assert launches(executable, "margins") == 0
    np.testing.assert_array_equal(
        np.asarray(executable(*arguments)), np.asarray(sm.load(text).run(*arguments))
    )
