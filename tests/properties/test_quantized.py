"""Quantized operations: the specification's formulas in exact arithmetic, and upstream's results.

Upstream computes in 32-bit floats with merged scales, and dots in integers, which it truncates
and does not clamp. It is asked where that agrees: scales are powers of two, results are in range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from tests.oracle.client import Oracle, OracleRejected
from tests.properties.quantized.draws import (
    EXPRESSED,
    POWERS_OF_TWO,
    SCALES,
    dtype_of,
    quantized_types,
    stored_values,
)
from tests.properties.quantized.formulas import (
    Number,
    Quantized,
    applied,
    numbers_of,
    rounded,
    stored_of,
)
from tests.properties.quantized.programs import BINARY, ROWS, UNARY, Row

Array = npt.NDArray[Any]

SEEDS: Final = st.integers(0, 2**32 - 1)
SHAPES: Final = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
GRANULARITIES: Final = ("tensor", "axis", "blocks")
NARROW: Final = ("i2", "i4", "i8", "u4", "u8", "ui8")
FEW: Final = settings(max_examples=40, deadline=None)


def tensor(shape: Sequence[int], element: object) -> str:
    """The text of a tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(operation: str, operands: Sequence[str], result: str, attributes: str = "") -> str:
    """A program of one operation."""
    arguments = ", ".join(f"%a{i}: {each}" for i, each in enumerate(operands))
    values = ", ".join(f"%a{i}" for i in range(len(operands)))
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f'  %0 = "stablehlo.{operation}"({values}) {attributes} : '
        f"({', '.join(operands)}) -> {result}\n"
        f"  return %0 : {result}\n}}\n"
    )


def computed(text: str, *arrays: Array) -> Array:
    """What the program gives."""
    return np.asarray(sm.load(text).run(*arrays))


def in_format(numbers: Array, name: str) -> Array:
    """Numbers that are exact in a format as floats of it."""
    return numbers.astype(np.float64).astype(dtype_of(name))


def same(actual: Array, expected: Array) -> None:
    """Arrays of one shape with equal elements."""
    assert actual.shape == expected.shape
    assert actual.astype(np.int64).tolist() == expected.astype(np.int64).tolist()


def siblings(draw: st.DrawFn, element: Quantized, number: int) -> list[Quantized]:
    """Types with the same baseline: other scales and zero points."""
    count = len(element.scales)
    scales = st.tuples(*[st.sampled_from(SCALES)] * count)
    zero_points = st.tuples(*[st.integers(element.low, element.high)] * count)
    return [
        replace(element, scales=draw(scales), zero_points=draw(zero_points)) for _ in range(number)
    ]


# ---- quantize, dequantize


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES), SEEDS)
def test_uniform_dequantize(
    data: st.DataObject, shape: tuple[int, ...], granularity: str, seed: int
) -> None:
    element = data.draw(quantized_types(shape, granularity=granularity))
    stored = stored_values(element, shape, seed)
    text = program("uniform_dequantize", [tensor(shape, element)], tensor(shape, element.expressed))
    expected = numbers_of(stored, element)
    assert computed(text, stored).astype(np.float64).tolist() == expected.astype(float).tolist()


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES), SEEDS)
def test_uniform_quantize(
    data: st.DataObject, shape: tuple[int, ...], granularity: str, seed: int
) -> None:
    element = data.draw(quantized_types(shape, granularity=granularity))
    rng = np.random.default_rng(seed)
    halves = rng.integers(-600, 600, shape) / 2  # many ties
    wide = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape)
    floats = np.where(rng.random(shape) < 0.5, halves, wide).astype(dtype_of(element.expressed))
    numbers = np.vectorize(Fraction, otypes=[object])(floats.astype(np.float64))
    text = program("uniform_quantize", [tensor(shape, element.expressed)], tensor(shape, element))
    actual = computed(text, floats)
    assert actual.dtype == dtype_of(element.storage)
    same(actual, stored_of(numbers, element))


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES), st.sampled_from(GRANULARITIES), SEEDS)
def test_requantize(
    data: st.DataObject, shape: tuple[int, ...], source: str, target: str, seed: int
) -> None:
    operand = data.draw(quantized_types(shape, granularity=source))
    result = data.draw(
        quantized_types(shape, granularity=target, expressed=(operand.expressed,))
    )
    stored = stored_values(operand, shape, seed)
    text = program("uniform_quantize", [tensor(shape, operand)], tensor(shape, result))
    same(computed(text, stored), stored_of(numbers_of(stored, operand), result))


@pytest.mark.parametrize("value", [math.inf, -math.inf])
@pytest.mark.parametrize("storage", NARROW)
def test_infinities_become_the_ends_of_the_range(storage: str, value: float) -> None:
    element = Quantized(storage, "f32", (0.5,), (1,), 0, 1)
    text = program("uniform_quantize", ["tensor<f32>"], tensor((), element))
    assert int(computed(text, np.float32(value))) == (1 if value > 0 else 0)


# ---- elementwise


def half_away(x: Number) -> Number:
    return x if isinstance(x, float) else Fraction(math.floor(abs(x) + Fraction(1, 2))) * sign(x)


def sign(x: Number) -> Fraction:
    return Fraction((x > 0) - (x < 0))


def ratio(x: Number, y: Number) -> Number:
    if y == 0:
        return math.nan if x == 0 else math.copysign(math.inf, x)
    return Fraction(x) / Fraction(y)


def remainder(x: Number, y: Number) -> Number:
    if y == 0:
        return math.nan
    quotient = Fraction(x) / Fraction(y)
    return x - math.trunc(quotient) * Fraction(y)


def integer_of(function: Callable[[Any], int]) -> Callable[[Number], Number]:
    return lambda x: x if isinstance(x, float) else Fraction(function(x))


EXACT: Final[dict[str, Callable[..., Number]]] = {
    "abs": abs,
    "negate": lambda x: -x,
    "sign": sign,
    "ceil": integer_of(math.ceil),
    "floor": integer_of(math.floor),
    "round_nearest_afz": half_away,
    "round_nearest_even": integer_of(round),
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": ratio,
    "remainder": remainder,
    "maximum": max,
    "minimum": min,
}


@pytest.mark.parametrize("name", EXACT)
@FEW
@given(st.data(), SHAPES, SEEDS)
def test_elementwise(name: str, data: st.DataObject, shape: tuple[int, ...], seed: int) -> None:
    function = EXACT[name]
    count = 2 if name in ("subtract", "multiply", "divide", "remainder", "maximum", "minimum") else 1
    base = data.draw(quantized_types(storage=NARROW))
    *operands, result = siblings(data.draw, base, count + 1)
    stored = [stored_values(each, shape, seed + i) for i, each in enumerate(operands)]
    text = program(name, [tensor(shape, each) for each in operands], tensor(shape, result))
    numbers = [numbers_of(x, each) for x, each in zip(stored, operands, strict=True)]
    floats = applied(lambda *x: rounded(function(*x), base.expressed), *numbers)
    same(computed(text, *stored), stored_of(floats, result))


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES), st.booleans(), SEEDS)
def test_add_in_all_granularities(
    data: st.DataObject, shape: tuple[int, ...], granularity: str, mixed: bool, seed: int
) -> None:
    base = data.draw(quantized_types(shape, granularity=granularity, storage=NARROW))
    lhs, rhs, result = siblings(data.draw, base, 3)
    if mixed:
        (rhs,) = siblings(data.draw, per_tensor(rhs), 1)
    stored = [stored_values(lhs, shape, seed), stored_values(rhs, shape, seed + 1)]
    text = program("add", [tensor(shape, lhs), tensor(shape, rhs)], tensor(shape, result))
    numbers = numbers_of(stored[0], lhs), numbers_of(stored[1], rhs)
    floats = applied(lambda x, y: rounded(x + y, base.expressed), *numbers)
    same(computed(text, *stored), stored_of(floats, result))


def per_tensor(element: Quantized) -> Quantized:
    """The type with the first scale for the whole tensor."""
    return replace(
        element,
        scales=element.scales[:1],
        zero_points=element.zero_points[:1],
        axis=None,
        blocks=(),
        grid=(),
    )


@pytest.mark.parametrize("direction", ["EQ", "NE", "GE", "GT", "LE", "LT"])
@FEW
@given(st.data(), SHAPES, SEEDS)
def test_compare(direction: str, data: st.DataObject, shape: tuple[int, ...], seed: int) -> None:
    base = data.draw(quantized_types(storage=NARROW))
    lhs, rhs = siblings(data.draw, base, 2)
    stored = [stored_values(lhs, shape, seed), stored_values(rhs, shape, seed + 1)]
    attributes = f"{{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
    operands = [tensor(shape, lhs), tensor(shape, rhs)]
    text = program("compare", operands, tensor(shape, "i1"), attributes)
    compare = getattr(Fraction, f"__{direction.lower()}__")
    expected = applied(compare, numbers_of(stored[0], lhs), numbers_of(stored[1], rhs))
    same(computed(text, *stored), expected)


@FEW
@given(st.data(), SHAPES, st.booleans(), SEEDS)
def test_select(data: st.DataObject, shape: tuple[int, ...], scalar: bool, seed: int) -> None:
    base = data.draw(quantized_types(storage=NARROW))
    on_true, on_false, result = siblings(data.draw, base, 3)
    stored = [stored_values(on_true, shape, seed), stored_values(on_false, shape, seed + 1)]
    pred = np.asarray(np.random.default_rng(seed).random(() if scalar else shape) < 0.5)
    operands = [tensor(pred.shape, "i1"), tensor(shape, on_true), tensor(shape, on_false)]
    text = program("select", operands, tensor(shape, result))
    numbers = numbers_of(stored[0], on_true), numbers_of(stored[1], on_false)
    floats = np.where(pred, *numbers)
    same(computed(text, pred, *stored), stored_of(floats, result))


@FEW
@given(st.data(), SHAPES, st.booleans(), SEEDS)
def test_clamp(data: st.DataObject, shape: tuple[int, ...], scalar: bool, seed: int) -> None:
    base = data.draw(quantized_types(storage=NARROW))
    elements = siblings(data.draw, base, 4)
    shapes = [() if scalar else shape, shape, () if scalar else shape]
    pairs = zip(elements, shapes, strict=False)
    stored = [stored_values(each, s, seed + i) for i, (each, s) in enumerate(pairs)]
    operands = [tensor(x.shape, each) for x, each in zip(stored, elements, strict=False)]
    text = program("clamp", operands, tensor(shape, elements[3]))
    numbers = [numbers_of(x, each) for x, each in zip(stored, elements, strict=False)]
    floats = applied(lambda low, x, high: min(max(low, x), high), *numbers)
    same(computed(text, *stored), stored_of(floats, elements[3]))


# ---- contractions; sums are exact in 32 bits, since scales are powers of two

DOT: Final = (
    "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>}"
)
SMALL: Final = tuple(2.0**exponent for exponent in range(-1, 2))


@FEW
@given(st.data(), st.sampled_from(GRANULARITIES), st.booleans(), SEEDS)
def test_dot_general(data: st.DataObject, granularity: str, hybrid: bool, seed: int) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    lhs = data.draw(quantized_types(storage=("i8",), expressed=("f32",), scales=SMALL))
    rhs = data.draw(
        quantized_types(
            (k, n), granularity=granularity, storage=("i8",), expressed=("f32",),
            scales=SMALL, axis=1,
        )  # fmt: skip
    )
    rhs = replace(rhs, zero_points=(0,) * len(rhs.scales))  # C15
    finest = granularity if data.draw(st.booleans()) else "tensor"
    result = data.draw(quantized_types((m, n), granularity=finest, expressed=("f32",)))
    a, b = stored_values(lhs, (m, k), seed), stored_values(rhs, (k, n), seed + 1)
    x, y = numbers_of(a, lhs), numbers_of(b, rhs)
    if hybrid:
        operands = [tensor((m, k), "f32"), tensor((k, n), rhs)]
        text = program("dot_general", operands, tensor((m, n), "f32"), DOT)
        expected = in_format(x.dot(y), "f32")
        assert computed(text, in_format(x, "f32"), b).tolist() == expected.tolist()
    else:
        operands = [tensor((m, k), lhs), tensor((k, n), rhs)]
        text = program("dot_general", operands, tensor((m, n), result), DOT)
        same(computed(text, a, b), stored_of(x.dot(y), result))


@FEW
@given(st.data(), st.sampled_from(GRANULARITIES), st.booleans(), SEEDS)
def test_convolution(data: st.DataObject, granularity: str, hybrid: bool, seed: int) -> None:
    width, features, outputs = (data.draw(st.integers(2, 4)) for _ in range(3))
    shapes = (1, width, features), (2, features, outputs), (1, width - 1, outputs)
    lhs = data.draw(quantized_types(storage=("i8",), expressed=("f32",), scales=SMALL))
    rhs = data.draw(
        quantized_types(
            shapes[1], granularity=granularity, storage=("i8",), expressed=("f32",),
            scales=SMALL, axis=2,
        )  # fmt: skip
    )
    finest = granularity if data.draw(st.booleans()) else "tensor"
    result = data.draw(quantized_types(shapes[2], granularity=finest, expressed=("f32",), axis=2))
    a, b = stored_values(lhs, shapes[0], seed), stored_values(rhs, shapes[1], seed + 1)
    x, y = numbers_of(a, lhs), numbers_of(b, rhs)
    sums = np.stack([x[:, i].dot(y[0]) + x[:, i + 1].dot(y[1]) for i in range(width - 1)], 1)
    attributes = (
        "{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    )
    if hybrid:
        operands = [tensor(shapes[0], "f32"), tensor(shapes[1], rhs)]
        text = program("convolution", operands, tensor(shapes[2], "f32"), attributes)
        expected = in_format(sums, "f32")
        assert computed(text, in_format(x, "f32"), b).tolist() == expected.tolist()
    else:
        operands = [tensor(shapes[0], lhs), tensor(shapes[1], rhs)]
        text = program("convolution", operands, tensor(shapes[2], result), attributes)
        same(computed(text, a, b), stored_of(sums, result))

# ---- every operation in every granularity

# What the specification allows and upstream refuses: it has no per-axis dynamic_conv and no
# quantized triangular_solve. It has no sub-channel types at all.
REFUSED_UPSTREAM: Final = {
    ("dynamic_conv", "a"),
    ("dynamic_conv.hybrid", "a"),
    ("triangular_solve", "t"),
}


def accepts(text: str) -> bool:
    """Whether the program is valid."""
    return not sm.load(text).diagnostics()


@pytest.mark.parametrize("granularity", ["t", "a", "s"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_granularities_are_those_of_the_specification(row: Row, granularity: str) -> None:
    text = row.program(granularity)
    assert accepts(text) == (granularity in row.granularities)
    if accepts(text):
        module = sm.load(text)
        for generic in (False, True):
            assert module.difference(sm.load(module.to_text(generic=generic))) == ""


@pytest.mark.parametrize("granularity", ["t", "a"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_upstream_accepts_and_prints_the_same(row: Row, granularity: str, oracle: Oracle) -> None:
    text = row.program(granularity)
    allowed = granularity in row.granularities and (row.name, granularity) not in REFUSED_UPSTREAM
    if not allowed:
        with pytest.raises(OracleRejected):
            oracle.print(text)
        return
    for generic in (False, True):
        assert sm.load(text).to_text(generic=generic) == oracle.print(text, generic=generic)


# ---- moving slices and blocks: each element keeps its scale and zero point


def keeps_meaning(
    operation: str,
    operand: Quantized,
    result: Quantized,
    shape: Sequence[int],
    moved: Callable[[Array], Array],
    attributes: str = "",
) -> None:
    """The operation moves stored values, and so what they stand for."""
    stored = stored_values(operand, shape, 0)
    expected = moved(stored)
    text = program(operation, [tensor(shape, operand)], tensor(expected.shape, result), attributes)
    assert accepts(text)
    same(computed(text, stored), expected)
    assert numbers_of(expected, result).tolist() == moved(numbers_of(stored, operand)).tolist()


def is_refused(text: str, rule: str) -> bool:
    """Whether the program breaks this rule."""
    return [each.rule for each in sm.load(text).diagnostics()] == [rule]


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES))
def test_transpose(data: st.DataObject, shape: tuple[int, ...], granularity: str) -> None:
    operand = data.draw(quantized_types(shape, granularity=granularity))
    order = data.draw(st.permutations(range(len(shape))))
    attributes = f"{{permutation = array<i64: {', '.join(map(str, order))}>}}"
    result = operand
    if granularity == "axis":
        result = replace(operand, axis=order.index(operand.axis))
    if granularity == "blocks":
        result = with_grids(
            operand, [operand.blocks[d] for d in order], lambda grid: grid.transpose(order)
        )
    keeps_meaning("transpose", operand, result, shape, lambda x: x.transpose(order), attributes)


def with_grids(
    element: Quantized, blocks: Sequence[int], moved: Callable[[Array], Array]
) -> Quantized:
    """The type with other blocks, and scales and zero points moved by a function."""
    scales, zero_points = (
        moved(np.array(each).reshape(element.grid)) for each in (element.scales, element.zero_points)
    )
    return replace(
        element,
        scales=tuple(scales.reshape(-1).tolist()),
        zero_points=tuple(zero_points.reshape(-1).tolist()),
        blocks=tuple(blocks),
        grid=scales.shape,
    )


@FEW
@given(st.data(), st.lists(st.integers(1, 3), min_size=1, max_size=2), st.booleans())
def test_broadcast_in_dim(data: st.DataObject, sizes: list[int], in_blocks: bool) -> None:
    shape, rank = tuple(sizes), len(sizes) + 1
    granularity = "blocks" if in_blocks else "axis"
    operand = data.draw(quantized_types(shape, granularity=granularity))
    dimensions = data.draw(st.permutations(range(rank)))[: len(shape)]
    target = [2] * rank
    for d, size in zip(dimensions, shape, strict=True):
        target[d] = 3 if size == 1 else size
    order = np.argsort(dimensions)
    aligned = [1] * rank
    for d, size in zip(dimensions, shape, strict=True):
        aligned[d] = size

    def broadcast(x: Array) -> Array:
        return np.broadcast_to(x.transpose(order).reshape(aligned), target)

    if in_blocks:
        blocks, grid = [0] * rank, [1] * rank
        for d, r in enumerate(dimensions):
            repeated = shape[d] == 1 != target[r]
            blocks[r] = 0 if repeated else operand.blocks[d]
            grid[r] = 1 if repeated else operand.grid[d]
        if not any(blocks):
            blocks[0] = target[0]
        result = with_grids(operand, blocks, lambda x: x.transpose(order).reshape(grid))
    else:
        assert operand.axis is not None
        axis = dimensions[operand.axis]
        count = target[axis] // len(operand.scales)  # the one scale is repeated
        result = replace(
            operand,
            axis=axis,
            scales=operand.scales * count,
            zero_points=operand.zero_points * count,
        )
    attributes = f"{{broadcast_dimensions = array<i64: {', '.join(map(str, dimensions))}>}}"
    keeps_meaning("broadcast_in_dim", operand, result, shape, broadcast, attributes)


@FEW
@given(
    st.data(),
    st.lists(st.tuples(st.booleans(), st.integers(2, 3)), min_size=1, max_size=5),
)
def test_reshape_in_blocks(data: st.DataObject, factors: list[tuple[bool, int]]) -> None:
    """Both shapes group the same factors, along some of which the scale changes."""
    count = math.prod(size for changes, size in factors if changes)
    base = data.draw(quantized_types((count,), granularity="axis", axis=0))
    (shape, operand), (other, result) = (grouped(data.draw, base, factors) for _ in range(2))
    keeps_meaning("reshape", operand, result, shape, lambda x: x.reshape(other))


def grouped(
    draw: st.DrawFn, base: Quantized, factors: Sequence[tuple[bool, int]]
) -> tuple[tuple[int, ...], Quantized]:
    """A shape whose dimensions are products of factors, and the type with the scales of another."""
    groups: list[list[tuple[bool, int]]] = []
    for changes, size in factors:
        apart = changes and bool(groups) and not groups[-1][-1][0]  # a block is innermost
        if apart or not groups or draw(st.booleans()):
            groups.append([])
        groups[-1].append((changes, size))
    shape = tuple(math.prod(size for _, size in group) for group in groups)
    grid = tuple(math.prod(size for changes, size in group if changes) for group in groups)
    blocks = tuple(size // count if count > 1 else 0 for size, count in zip(shape, grid, strict=True))
    if not any(blocks):
        blocks = (shape[0], *blocks[1:])
    return shape, replace(base, axis=None, blocks=blocks, grid=grid)


def test_scales_that_would_change_are_refused() -> None:
    wide, tall = (
        Quantized("i8", "f32", (0.5, 0.25), (0, 1), -128, 127, None, blocks, grid)
        for blocks, grid in (((0, 1), (1, 2)), ((1, 0), (2, 1)))
    )
    slices = [tensor((2, 2), each) for each in (wide, tall)]
    for operation, attributes, rule in (
        ("transpose", "{permutation = array<i64: 0, 1>}", "stablehlo.transpose C1"),
        ("reshape", "", "stablehlo.reshape C3"),
        (
            "broadcast_in_dim",
            "{broadcast_dimensions = array<i64: 0, 1>}",
            "stablehlo.broadcast_in_dim C6",
        ),
    ):
        assert is_refused(program(operation, slices[:1], slices[1], attributes), rule)
    assert is_refused(program("add", slices[:1] * 2, slices[1]), "stablehlo.add C6")
    assert is_refused(program("add", slices[:1] * 2, tensor((2, 2), per_tensor(wide))), "stablehlo.add C5")


# ---- what the reference interpreter computes

INEXACT: Final = {
    "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic",
    "rsqrt", "sine", "sqrt", "tan", "tanh", "atan2", "power",
}  # fmt: skip
# It reads `u8` as if it were signed, and 32 bits as signed or, where types agree, without floats.
SOUND_STORAGE: Final = ("i2", "i4", "i8", "i16", "ui2", "ui4", "ui8", "ui16")


def reference(oracle: Oracle, text: str, *arrays: Array) -> Array:
    """What the upstream interpreter gives."""
    (result,) = oracle.reference(text, *arrays)
    return result


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@settings(max_examples=15, deadline=None)
@given(data=st.data(), shape=SHAPES, seed=SEEDS)
def test_elementwise_upstream(
    name: str, data: st.DataObject, shape: tuple[int, ...], seed: int, oracle: Oracle
) -> None:
    base = data.draw(quantized_types(storage=SOUND_STORAGE, expressed=("f32",)))
    *operands, result = siblings(data.draw, base, 3 if name in BINARY else 2)
    stored = [stored_values(each, shape, seed + i) for i, each in enumerate(operands)]
    text = program(name, [tensor(shape, each) for each in operands], tensor(shape, result))
    actual = computed(text, *stored).astype(np.int64)
    expected = reference(oracle, text, *stored).astype(np.int64)
    # Functions that are not exact differ in the last bit before the result is rounded.
    tolerance = (1 + np.abs(expected) * 2.0**-22) if name in INEXACT else 0
    assert np.all(np.abs(actual - expected) <= tolerance)


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    shape=SHAPES,
    source=st.sampled_from(["tensor", "axis"]),
    target=st.sampled_from(["tensor", "axis"]),
    seed=SEEDS,
)
def test_requantize_upstream(
    data: st.DataObject, shape: tuple[int, ...], source: str, target: str, seed: int, oracle: Oracle
) -> None:
    last = len(shape) - 1  # upstream broadcasts parameters along the last dimension only
    operand, result = (
        data.draw(
            quantized_types(
                shape, granularity=granularity, storage=("i4", "i8", "ui8"), expressed=("f32",),
                scales=POWERS_OF_TWO, axis=last,
            )  # fmt: skip
        )
        for granularity in (source, target)
    )
    stored = stored_values(operand, shape, seed)
    text = program("uniform_quantize", [tensor(shape, operand)], tensor(shape, result))
    same(computed(text, stored), reference(oracle, text, stored))
    text = program("uniform_dequantize", [tensor(shape, operand)], tensor(shape, "f32"))
    floats = computed(text, stored)
    assert floats.tolist() == reference(oracle, text, stored).tolist()
    text = program("uniform_quantize", [tensor(shape, "f32")], tensor(shape, result))
    same(computed(text, floats), reference(oracle, text, floats))


@FEW
@given(data=st.data(), seed=SEEDS)
def test_dot_general_upstream(data: st.DataObject, seed: int, oracle: Oracle) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    small = quantized_types(storage=("i8",), expressed=("f32",), scales=SMALL)
    large = quantized_types(storage=("i8",), expressed=("f32",), scales=(1024.0, 2048.0))
    lhs, rhs, result = data.draw(small), data.draw(small), data.draw(large)
    rhs = replace(rhs, zero_points=(0,))  # C15
    result = replace(result, zero_points=(result.zero_points[0] // 2,))
    a, b = stored_values(lhs, (m, k), seed), stored_values(rhs, (k, n), seed + 1)
    operands = [tensor((m, k), lhs), tensor((k, n), rhs)]
    text = program("dot_general", operands, tensor((m, n), result), DOT)
    actual = computed(text, a, b).astype(np.int64)
    assert np.all(np.abs(actual - reference(oracle, text, a, b)) <= 2)  # it truncates two parts


@FEW
@given(data=st.data(), seed=SEEDS, granularity=st.sampled_from(["tensor", "axis"]))
def test_hybrid_dot_general_upstream(
    data: st.DataObject, seed: int, granularity: str, oracle: Oracle
) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    rhs = data.draw(
        quantized_types(
            (k, n), granularity=granularity, storage=("i8",), expressed=("f32",), scales=SMALL,
            axis=1,
        )  # fmt: skip
    )
    rhs = replace(rhs, zero_points=(0,) * len(rhs.scales))  # C15
    floats = np.random.default_rng(seed).integers(-9, 9, (m, k)).astype(np.float32)
    stored = stored_values(rhs, (k, n), seed)
    operands = [tensor((m, k), "f32"), tensor((k, n), rhs)]
    text = program("dot_general", operands, tensor((m, n), "f32"), DOT)
    assert computed(text, floats, stored).tolist() == reference(oracle, text, floats, stored).tolist()
