"""Convolutions as kernels: equal to the interpreter, exactly for integers, else within a bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablemate.compiler.config.target import host, machine_of
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.kernels.test_dot import TYPES, check, compiled, tensor, values
from tests.compiler.variants import RUNNABLE

NARROWING = [("i16", "i8")]  # a result holds what the operands hold
LETTERS = ("[b, {}, f]", "[b, f, {}]", "[{}, b, f]", "[f, {}, b]")
KERNELS = ("[{}, i, o]", "[o, i, {}]", "[i, o, {}]", "[o, {}, i]")


def arranged(form: str, spatial: int, sizes: dict[str, int]) -> tuple[str, list[int]]:
    """The dimension numbers of a form, and the shape of a tensor with these sizes."""
    middle = ", ".join(map(str, range(spatial)))
    text = form.format(middle).replace(", ,", ",").replace("[, ", "[").replace(", ]", "]")
    return text, [sizes[part.strip()] for part in text.strip("[]").split(",")]


def program(
    sizes: dict[str, dict[str, int]],
    forms: tuple[str, str, str],
    window: str,
    groups: tuple[int, int],
    types: tuple[str, str],
) -> tuple[str, list[list[int]]]:
    """A function that convolves, and the shapes of its arguments."""
    spatial = len(sizes["rhs"]) - 2
    pairs = [
        arranged(form, spatial, sizes[name])
        for form, name in zip(forms, ("lhs", "rhs", "result"), strict=True)
    ]
    (lhs, lhs_shape), (rhs, rhs_shape), (result, result_shape) = pairs
    a, b = tensor(lhs_shape, types[0]), tensor(rhs_shape, types[0])
    c = tensor(result_shape, types[1])
    text = f"""func.func public @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = {lhs}x{rhs}->{result}, window = {{{window}}}
    {{feature_group_count = {groups[0]} : i64, batch_group_count = {groups[1]} : i64}}
    : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""
    return text, [lhs_shape, rhs_shape]


@pytest.mark.standard
@given(st.data())
@settings(max_examples=120, deadline=None)
def test_convolution_of_any_kind_equals_the_interpreter(data: st.DataObject) -> None:
    draw = data.draw
    types = draw(st.sampled_from([item for item in TYPES if item not in NARROWING]))
    spatial = draw(st.integers(0, 3))
    kind, groups = draw(st.sampled_from(["feature", "batch"])), draw(st.sampled_from([1, 1, 2, 19]))
    by_feature, by_batch = (groups, 1) if kind == "feature" else (1, groups)
    inputs, outputs = draw(st.sampled_from([1, 3, 8])), draw(st.sampled_from([1, 2, 17, 36]))
    batch = draw(st.integers(1, 2))
    lhs = {"b": batch * by_batch, "f": inputs * by_feature}
    rhs, result = {"i": inputs, "o": outputs * groups}, {"b": batch, "f": outputs * groups}
    windows: dict[str, list[Any]] = {
        name: [] for name in ("stride", "pad", "lhs_dilate", "rhs_dilate", "reverse")
    }
    for i in range(spatial):
        size, kernel = draw(st.integers(1, 20 if spatial < 3 else 5)), draw(st.integers(1, 3))
        stride, dilate, spread = (draw(st.integers(1, 3)) for _ in range(3))
        needed = (kernel - 1) * spread + 1 - ((size - 1) * dilate + 1)
        low = draw(st.integers(-1, 3))
        high = max(needed - low, draw(st.integers(-1, 3)))
        reach = (size - 1) * dilate + 1 + low + high - ((kernel - 1) * spread + 1)
        lhs[str(i)], rhs[str(i)], result[str(i)] = size, kernel, reach // stride + 1
        row = (stride, [low, high], dilate, spread, draw(st.booleans()))
        for item, value in zip(windows, row, strict=True):
            windows[item].append(value)
    window = ", ".join(f"{window} = {value}" for window, value in windows.items() if value).lower()
    forms = (
        draw(st.sampled_from(LETTERS)),
        draw(st.sampled_from(KERNELS)),
        draw(st.sampled_from(LETTERS)),
    )
    sizes = {"lhs": lhs, "rhs": rhs, "result": result}
    text, shapes = program(sizes, forms, window, (by_feature, by_batch), types)
    arguments = [values(shape, types[0], seed) for seed, shape in enumerate(shapes)]
    depth = inputs * int(np.prod([rhs[str(i)] for i in range(spatial)]))
    check(text, arguments, types[1], depth)


@pytest.mark.parametrize(
    ("size", "inputs", "outputs", "kernel", "stride", "groups"),
    [
        (14, 512, 33, 3, 1, 1),  # points at multiples of 2048 bytes are copied, the kernel as well
        (15, 64, 128, 1, 1, 1),  # nothing is copied
        (30, 3, 64, 7, 2, 1),
        (12, 48, 48, 3, 1, 48),  # depthwise
        (12, 48, 96, 3, 2, 48),
        (9, 32, 64, 3, 1, 4),
    ],
)
@pytest.mark.parametrize("forms", [(LETTERS[0], KERNELS[0]), (LETTERS[1], KERNELS[1])])
def test_convolution_of_images_equals_the_interpreter(
    size: int,
    inputs: int,
    outputs: int,
    kernel: int,
    stride: int,
    groups: int,
    forms: tuple[str, str],
) -> None:
    pad = kernel // 2
    count = (size + 2 * pad - kernel) // stride + 1
    sizes = {
        "lhs": {"b": 2, "f": inputs, "0": size, "1": size},
        "rhs": {"i": inputs // groups, "o": outputs, "0": kernel, "1": kernel},
        "result": {"b": 2, "f": outputs, "0": count, "1": count},
    }
    window = f"stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]"
    text, shapes = program(
        sizes, (forms[0], forms[1], forms[0]), window, (groups, 1), ("f32", "f32")
    )
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    check(text, arguments, "f32", inputs // groups * kernel * kernel)


@pytest.mark.parametrize(
    ("group", "groups", "stride", "kernel", "element"),
    [
        (2, 11, 1, 3, "f32"),  # a vector that overlaps the one before
        (4, 8, 1, 3, "f32"),
        (4, 3, 2, 5, "f32"),  # 12 features: vectors of 8
        (8, 5, 1, 1, "f32"),
        (2, 16, 1, 3, "f64"),
        (4, 6, 1, 2, "i32"),
        (4, 8, 1, 3, "i1"),
        (4, 8, 1, 3, "bf16"),
    ],
)
@pytest.mark.parametrize(
    ("target", "forms"),
    [
        ("host", (LETTERS[1], KERNELS[1])),
        *[(target, (LETTERS[0], KERNELS[0])) for target in RUNNABLE],
    ],
)
def test_groups_of_a_few_features_equal_the_interpreter(
    group: int,
    groups: int,
    stride: int,
    kernel: int,
    element: str,
    target: str,
    forms: tuple[str, str],
) -> None:
    features = group * groups
    count = (9 + 2 - kernel) // stride + 1
    sizes = {
        "lhs": {"b": 2, "f": features, "0": 9, "1": 9},
        "rhs": {"i": group, "o": features, "0": kernel, "1": kernel},
        "result": {"b": 2, "f": features, "0": count, "1": count},
    }
    window = f"stride = [{stride}, {stride}], pad = [[1, 1], [0, 2]]"
    text, shapes = program(
        sizes, (forms[0], forms[1], forms[0]), window, (groups, 1), (element, element)
    )
    arguments = [values(shape, element, seed) for seed, shape in enumerate(shapes)]
    check(text, arguments, element, group * kernel * kernel, RUNNABLE[target])


def test_groups_of_a_few_features_read_a_kernel_that_was_rearranged() -> None:
    """As the gradient of the image does: inputs and outputs of each group change places."""
    text = """
func.func @main(%x: tensor<2x48x5x5xf32>, %k: tensor<48x4x1x1xf32>) -> tensor<2x48x5x5xf32> {
  %0 = stablehlo.reshape %k : (tensor<48x4x1x1xf32>) -> tensor<12x4x4x1x1xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3, 4]
    : (tensor<12x4x4x1x1xf32>) -> tensor<12x4x4x1x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<12x4x4x1x1xf32>) -> tensor<48x4x1x1xf32>
  %3 = stablehlo.convolution(%x, %2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {} {feature_group_count = 12 : i64, batch_group_count = 1 : i64}
    : (tensor<2x48x5x5xf32>, tensor<48x4x1x1xf32>) -> tensor<2x48x5x5xf32>
  return %3 : tensor<2x48x5x5xf32>
}"""
    shapes = [2, 48, 5, 5], [48, 4, 1, 1]
    check(text, [values(shape, "f32", seed) for seed, shape in enumerate(shapes)], "f32", 4)


def test_window_that_sees_only_padding_gives_zero() -> None:
    sizes = {
        "lhs": {"b": 1, "f": 2, "0": 2},
        "rhs": {"i": 2, "o": 3, "0": 2},
        "result": {"b": 1, "f": 3, "0": 3},
    }
    forms = (LETTERS[0], KERNELS[0], LETTERS[0])
    text, shapes = program(sizes, forms, "pad = [[-2, 4]]", (1, 1), ("f32", "f32"))
    check(text, [values(shape, "f32", 3) for shape in shapes], "f32", 4)


def test_an_image_is_copied_and_padded_by_one_launch() -> None:
    text, shapes = program(
        {
            "lhs": {"b": 2, "0": 9, "1": 7, "f": 3},
            "rhs": {"0": 3, "1": 3, "i": 3, "o": 16},
            "result": {"b": 2, "0": 10, "1": 6, "f": 16},
        },
        ("[b, f, {}]", "[{}, i, o]", "[b, {}, f]"),
        "pad = [[2, 1], [-1, 2]]",
        (1, 1),
        ("f32", "f32"),
    )
    _, executable = compiled(text)
    names = [step.kernel.name for step in executable.plan.steps if isinstance(step, LaunchStep)]
    assert names == ["k1_lhs", "k1"]
    check(text, [values(shape, "f32", seed) for seed, shape in enumerate(shapes)], "f32", 27)


@pytest.mark.parametrize(("features", "is_far"), [(16, False), (128, True)])
def test_packed_kernels_that_caches_do_not_hold_are_fetched_ahead(
    features: int, is_far: bool
) -> None:
    shape = {"0": 7, "1": 7, "f": features}
    text, shapes = program(
        {
            "lhs": {"b": 1, **shape},
            "rhs": {"o": features, "i": features, "0": 3, "1": 3},
            "result": {"b": 1, **shape},
        },
        ("[b, {}, f]", "[o, i, {}]", "[b, {}, f]"),
        "pad = [[1, 1], [1, 1]]",
        (1, 1),
        ("f32", "f32"),
    )
    _, executable = compiled(text)
    assert ("llvm.prefetch" in executable.emit("llvm")) == is_far
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    check(text, arguments, "f32", 9 * features)


@pytest.mark.skipif(
    "pair_of_bfloat16" not in machine_of(host()).instructions,
    reason="this processor does not add pairs of bfloat16 fast",
)
@pytest.mark.parametrize("inputs", [3, 8])
def test_pairs_of_bfloat16_are_packed(inputs: int) -> None:
    sizes = {
        "lhs": {"b": 2, "f": inputs, "0": 9, "1": 9},
        "rhs": {"i": inputs, "o": 20, "0": 3, "1": 3},
        "result": {"b": 2, "f": 20, "0": 7, "1": 7},
    }
    text, shapes = program(sizes, (LETTERS[1], KERNELS[1], LETTERS[1]), "", (1, 1), ("bf16",) * 2)
    _, executable = compiled(text)
    assert "vdpbf16ps" in executable.emit("asm")
    check(text, [values(shape, "bf16", i) for i, shape in enumerate(shapes)], "bf16", inputs * 9)
