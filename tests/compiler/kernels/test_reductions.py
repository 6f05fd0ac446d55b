"""Reductions: compiled, fused or not, by any number of threads, they give the same bits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep, Request
from stablemate.compiler.schedule.reduction_order import BLOCK, reduction_order
from stablemate.interpreter.executable import InterpretedExecutable
from tests.compiler.dynamic.test_data_indices import results
from tests.compiler.kernels.test_windows_and_sort import ARGMAX

few = settings(max_examples=25, deadline=None, derandomize=True)
DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
    "ui16": np.uint16,
    "i64": np.int64,
    "i1": np.bool_,
}
INITS = {"add": "0", "maximum": "-100", "minimum": "100", "multiply": "1", "and": "-1", "or": "0"}
FLOATS = ("f32", "f64", "bf16")


def interpreted(text: str) -> InterpretedExecutable:
    """A program for the interpreter."""
    executable = sm.load(text).executable(backend="interpreter")
    assert isinstance(executable, InterpretedExecutable)
    return executable


def bits(value: Any) -> bytes:
    """The bits of a result."""
    return np.asarray(value).tobytes()


def same_bits(text: str, *arguments: Any) -> list[Any]:
    """Compiles a program in all ways, compares every bit, and returns the results."""
    executable = interpreted(text)
    collected: list[list[Any]] = []
    for fuse in (True, False):
        for threads in (1, 2):
            options = CompileOptions(fuse=fuse)
            compiled = CompiledExecutable(executable, threads=threads, options=options)
            assert not [step for step in compiled.plan.steps if isinstance(step, Request)]
            collected.append(results(compiled(*arguments)))
    for other in collected[1:]:
        assert list(map(bits, other)) == list(map(bits, collected[0]))
    return collected[0]


def agrees(text: str, *arguments: Any) -> None:
    """Compiled in all ways it has the same bits, and is what the interpreter says."""
    expected = results(interpreted(text)(*arguments))
    for one, other in zip(same_bits(text, *arguments), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def tensor(shape: tuple[int, ...], element: str) -> str:
    """The text of a type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def reduction(
    shape: tuple[int, ...], dimensions: tuple[int, ...], element: str, op: str = "add"
) -> str:
    """A program that reduces its argument."""
    rest = tuple(size for d, size in enumerate(shape) if d not in dimensions)
    init = {"i1": "false" if op in ("add", "or", "maximum") else "true"}.get(element, INITS[op])
    if element in FLOATS:
        init += ".0"
    if element.startswith("ui"):
        init = init.replace("-100", "0").replace("-1", "65535")
    return f"""
func.func @main(%x: {tensor(shape, element)}) -> {tensor(rest, element)} {{
  %init = stablehlo.constant dense<{init}> : tensor<{element}>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.{op}
    across dimensions = {list(dimensions)}
    : ({tensor(shape, element)}, tensor<{element}>) -> {tensor(rest, element)}
  return %0 : {tensor(rest, element)}
}}"""


def numbers(shape: tuple[int, ...], element: str) -> Any:
    """Numbers between -1 and 1, or all integers."""
    random = np.random.default_rng(len(shape) + sum(shape))
    dtype = DTYPES[element]
    if element in FLOATS:
        return random.uniform(-1, 1, shape).astype(dtype)
    return random.integers(0, 1 << 16, shape).astype(dtype)


def whole(shape: tuple[int, ...], element: str) -> Any:
    """Small integers, whose sums are exact in whatever order."""
    random = np.random.default_rng(sum(shape))
    return random.integers(-9 if element in FLOATS else 0, 10, shape).astype(DTYPES[element])


def summed(values: Any, dimensions: tuple[int, ...]) -> Any:
    """The exact sum of small integers, rounded once; of truth values, whether there is a true."""
    if values.dtype == np.bool_:
        return np.any(values, axis=dimensions)
    return np.sum(values.astype(np.float64), axis=dimensions).astype(values.dtype)


shapes = st.lists(st.integers(1, 20), min_size=1, max_size=4).map(tuple)


@pytest.mark.standard
@few
@given(shapes, st.integers(0, 15), st.sampled_from(sorted(DTYPES)))
def test_sums(shape: tuple[int, ...], which: int, element: str) -> None:
    dimensions = tuple(d for d in range(len(shape)) if which >> d & 1)
    text, values = reduction(shape, dimensions, element), whole(shape, element)
    np.testing.assert_array_equal(same_bits(text, values)[0], summed(values, dimensions))
    same_bits(text, numbers(shape, element))


@few
@given(
    shapes,
    st.integers(0, 15),
    st.sampled_from(["i8", "i32", "ui16", "i64", "i1"]),
    st.sampled_from(["maximum", "minimum", "multiply", "and", "or"]),
)
def test_integers_are_exact(shape: tuple[int, ...], which: int, element: str, op: str) -> None:
    dimensions = tuple(d for d in range(len(shape)) if which >> d & 1)
    agrees(reduction(shape, dimensions, element, op), numbers(shape, element))


@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("shape", [(3, 100), (5, 7), (100, 20), (2 * BLOCK + 77,)])
def test_extrema_keep_nan(op: str, shape: tuple[int, ...]) -> None:
    values = numbers(shape, "f32")
    values.reshape(-1)[::83] = np.nan
    values.reshape(-1)[3] = np.inf
    for dimensions in {(0,), (len(shape) - 1,)}:
        agrees(reduction(shape, dimensions, "f32", op), values)


LONG = [
    ((BLOCK + 1,), (0,)),
    ((3 * BLOCK,), (0,)),
    ((2, 2 * BLOCK + 31), (1,)),
    ((3, 5, BLOCK // 8, 11), (2, 3)),
    ((2, 3, BLOCK + 9), (0, 2)),
    ((700, 300), (0, 1)),
    ((5000, 64), (0,)),
    ((2, 3000, 70), (1,)),
    ((20000, 17), (0,)),
    ((600, 20, 30), (0, 1)),
    ((300, 1, 1000, 1), (0,)),
]


@pytest.mark.parametrize(("shape", "dimensions"), LONG)
@pytest.mark.parametrize("element", ["f32", "i32", "i1", "bf16"])
def test_long_folds(shape: tuple[int, ...], dimensions: tuple[int, ...], element: str) -> None:
    text = reduction(shape, dimensions, element)
    values = whole(shape, element)
    np.testing.assert_array_equal(same_bits(text, values)[0], summed(values, dimensions))
    same_bits(text, numbers(shape, element))


@pytest.mark.parametrize(("shape", "dimensions"), LONG)
def test_long_folds_work_on_several_blocks_at_a_time(
    shape: tuple[int, ...], dimensions: tuple[int, ...]
) -> None:
    compiled = CompiledExecutable(interpreted(reduction(shape, dimensions, "f32")))
    launches = [step for step in compiled.plan.steps if isinstance(step, LaunchStep)]
    order = reduction_order(shape, dimensions)
    assert order.is_blocked
    assert len(launches) == 2 + (order.extent % order.block > 0)
    assert launches[0].kernel.steps > 1 or order.extent < 2 * order.block


def test_orders_are_matters_of_shape() -> None:
    rows = reduction_order((4, 6, 100), (1, 2))
    assert (rows.form, rows.reduced, rows.extent, rows.block) == ("rows", (1, 2), 600, 600)
    assert reduction_order((4, 100, 1), (1,)).form == "rows"
    assert reduction_order((4, 7), (1,)).form == "columns"
    assert reduction_order((100, 4), (0,)).form == "columns"
    assert reduction_order((3 * BLOCK,), (0,)).block == BLOCK
    assert reduction_order((5, 9, 100), (0, 2)).outer == (0,)


BROADCAST_OPERAND = """
func.func @main(%x: tensor<{0}x{1}xf32>, %y: tensor<{1}xf32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<{1}xf32>) -> tensor<{0}x{1}xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<{0}x{1}xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}}"""


@pytest.mark.parametrize("shape", [(3, 5), (64, 32), (100, 30), (700, 300), (9, 16)])
def test_operands_of_other_strides_do_not_change_the_order(shape: tuple[int, int]) -> None:
    text = BROADCAST_OPERAND.format(*shape)
    same_bits(text, numbers(shape, "f32"), numbers(shape[1:], "f32"))
    agrees(text, whole(shape, "f32"), whole(shape[1:], "f32"))


TRANSPOSED_OPERAND = """
func.func @main(%x: tensor<{1}x{0}xf32>) -> tensor<{0}xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{1}x{0}xf32>) -> tensor<{0}x{1}xf32>
  %1 = stablehlo.negate %0 : tensor<{0}x{1}xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  return %2 : tensor<{0}xf32>
}}"""


@pytest.mark.parametrize("shape", [(3, 5), (64, 32), (100, 33), (8, 300)])
def test_transposed_operands_do_not_change_the_order(shape: tuple[int, int]) -> None:
    text = TRANSPOSED_OPERAND.format(*shape)
    same_bits(text, numbers(shape[::-1], "f32"))
    agrees(text, whole(shape[::-1], "f32"))


@pytest.mark.parametrize(
    "shape", [(3, 127), (5, 128), (4, 1000), (2, 40000), (1, 16640), (70, 150)]
)
@pytest.mark.parametrize("nans", [0, 3])
def test_pieces_stay_in_order(shape: tuple[int, int], nans: int) -> None:
    values = whole(shape, "f32")  # many of them equal: the first counts
    values.reshape(-1)[np.random.default_rng(1).integers(0, values.size, nans)] = np.nan
    text = ARGMAX.format(*shape, shape[0], 1)
    agrees(text, values)
    index = same_bits(text, values)[1]
    np.testing.assert_array_equal(index, np.argmax(values, axis=1))


LAST = """
func.func @main(%x: tensor<{0}x{1}xi32>) -> tensor<{0}xi32> {{
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %none) across dimensions = [1]
    : (tensor<{0}x{1}xi32>, tensor<i32>) -> tensor<{0}xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {{
    %none2 = stablehlo.constant dense<-1> : tensor<i32>
    %is = stablehlo.compare EQ, %b, %none2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c = stablehlo.select %is, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %c : tensor<i32>
  }}
  return %0 : tensor<{0}xi32>
}}"""


@pytest.mark.parametrize("shape", [(3, 128), (2, 1003), (1, 20001)])
def test_the_last_element_is_the_last_whatever_the_pieces(shape: tuple[int, int]) -> None:
    values = np.arange(shape[0] * shape[1], dtype=np.int32).reshape(shape)
    (value,) = same_bits(LAST.format(*shape), values)
    np.testing.assert_array_equal(value, values[:, -1])
    values[:, shape[1] // 3 :] = -1  # the monoid's identity: what comes before counts
    (value,) = same_bits(LAST.format(*shape), values)
    np.testing.assert_array_equal(value, values[:, shape[1] // 3 - 1])


SUMS = """
func.func @main(%x: tensor<{0}x{1}xi32>, %i: tensor<i32>) -> tensor<{2}xi32> {{
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = {3}
    : (tensor<{0}x{1}xi32>, tensor<i32>) -> tensor<{2}xi32>
  return %0 : tensor<{2}xi32>
}}"""
TWO_SUMS = """
func.func @main(%x: tensor<{0}x{1}xi32>, %i: tensor<i32>) -> tensor<{2}xi32> {{
  %0:2 = stablehlo.reduce(%x init: %i), (%x init: %i) across dimensions = {3}
    : (tensor<{0}x{1}xi32>, tensor<{0}x{1}xi32>, tensor<i32>, tensor<i32>)
    -> (tensor<{2}xi32>, tensor<{2}xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%c: tensor<i32>, %d: tensor<i32>) {{
    %s = stablehlo.add %a, %b : tensor<i32>
    %t = stablehlo.add %c, %d : tensor<i32>
    stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }}
  return %0#0 : tensor<{2}xi32>
}}"""


@pytest.mark.parametrize("text", [SUMS, TWO_SUMS], ids=["one", "two"])
@pytest.mark.parametrize("shape", [(3, 5), (2, 1000), (1, 40000), (300, 7), (64, 5000)])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("fuse", [False, True])
def test_initial_values_take_part_once(
    text: str, shape: tuple[int, int], axes: tuple[int, ...], fuse: bool
) -> None:
    x = np.random.default_rng(0).integers(-9, 9, shape, np.int32)
    expected = x.sum(axes, np.int32) + np.int32(1000)
    size = "x".join(map(str, expected.shape))
    program = text.format(*shape, size, list(axes)).replace("tensor<xi32>", "tensor<i32>")
    compiled = CompiledExecutable(interpreted(program), options=CompileOptions(fuse=fuse))
    (value,) = compiled.run([x, np.array(1000, np.int32)])
    np.testing.assert_array_equal(value, expected)


BOOLEAN_FOLDS = {"or": np.any, "and": np.all, "xor": lambda x: np.logical_xor.reduce(x)}


@pytest.mark.parametrize("operation", BOOLEAN_FOLDS)
def test_booleans_beyond_the_last_whole_vector_count_once(operation: str) -> None:
    """A byte vector of 8 whose mask register has 16 bits: those above it are no elements."""
    initial = str(operation == "and").lower()
    for size in (*range(1, 34), 63, 65, 100):
        m = sm.load(f"""func.func @main(%x: tensor<{size}xi1>) -> (tensor<i1>, tensor<i1>) {{
          %initial = stablehlo.constant dense<{initial}> : tensor<i1>
          %not = stablehlo.not %x : tensor<{size}xi1>
          %0 = stablehlo.reduce(%x init: %initial) applies stablehlo.{operation}
              across dimensions = [0] : (tensor<{size}xi1>, tensor<i1>) -> tensor<i1>
          %1 = stablehlo.reduce(%not init: %initial) applies stablehlo.{operation}
              across dimensions = [0] : (tensor<{size}xi1>, tensor<i1>) -> tensor<i1>
          return %0, %1 : tensor<i1>, tensor<i1>
        }}""")
        for x in (np.ones(size, bool), np.zeros(size, bool), np.arange(size) % 3 == 0):
            expected = [BOOLEAN_FOLDS[operation](a) for a in (x, ~x)]
            assert list(map(bool, results(m.run(x)))) == expected, (size, x)
