"""Quantized operations against the specification's formulas in exact arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stablemate as sm
from tests.properties.quantized.draws import (
    dtype_of,
    limits_of,
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
from tests.properties.quantized.programs import BINARY, ROWS, UNARY
from tests.properties.quantized.running import (
    DOT,
    FEW,
    GRANULARITIES,
    SEEDS,
    SHAPES,
    SMALL,
    Array,
    computed,
    in_format,
    per_tensor,
    program,
    same,
    siblings,
    tensor,
)

NARROW: Final = ("i2", "i4", "i8", "u4", "u8", "ui8")


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
    result = data.draw(quantized_types(shape, granularity=target, expressed=(operand.expressed,)))
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
    count = (
        2 if name in ("subtract", "multiply", "divide", "remainder", "maximum", "minimum") else 1
    )
    base = data.draw(quantized_types(storage=NARROW))
    *operands, result = siblings(data.draw, base, count + 1)
    stored = [stored_values(operand, shape, seed + i) for i, operand in enumerate(operands)]
    text = program(name, [tensor(shape, operand) for operand in operands], tensor(shape, result))
    numbers = [numbers_of(x, operand) for x, operand in zip(stored, operands, strict=True)]
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
    stored = [stored_values(pair, s, seed + i) for i, (pair, s) in enumerate(pairs)]
    operands = [tensor(x.shape, element) for x, element in zip(stored, elements, strict=False)]
    text = program("clamp", operands, tensor(shape, elements[3]))
    numbers = [numbers_of(x, element) for x, element in zip(stored, elements, strict=False)]
    floats = applied(lambda low, x, high: min(max(low, x), high), *numbers)
    same(computed(text, *stored), stored_of(floats, elements[3]))


# ---- contractions; sums are exact in 32 bits, since scales are powers of two


@FEW
@given(st.data(), st.sampled_from(GRANULARITIES), st.booleans(), SEEDS)
def test_dot_general(data: st.DataObject, granularity: str, hybrid: bool, seed: int) -> None:
    m, k, n = (data.draw(st.integers(1, 4)) for _ in range(3))
    lhs = data.draw(quantized_types(storage=("i8",), expressed=("f32",), scales=SMALL))
    rhs = data.draw(
        quantized_types(
            (k, n),
            granularity=granularity,
            storage=("i8",),
            expressed=("f32",),
            scales=SMALL,
            axis=1,
        )
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
            shapes[1],
            granularity=granularity,
            storage=("i8",),
            expressed=("f32",),
            scales=SMALL,
            axis=2,
        )
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


# ---- everything else that is dequantized, computed in floats and quantized

DEFINED_BY_FLOATS: Final = (
    *UNARY,
    *BINARY,
    "add",
    "clamp",
    "reduce_precision",
    "dot_general",
    "convolution",
    "dynamic_conv",
    "batch_norm_inference",
    "batch_norm_training",
    "batch_norm_grad",
    "cholesky",
    "triangular_solve",
    "dot",
    "einsum",
    "unary_einsum",
)
PER_TENSOR: Final = re.compile(r"!quant\.uniform<[iu]+\d+:\w+, 0\.5(?::(-?\d+))?>")
TYPES: Final = (
    ("i8", "f32"),
    ("i2", "f32"),
    ("u4", "f32"),
    ("i4", "bf16"),
    ("u8", "f16"),
    ("ui16", "f64"),
    ("i32", "f64"),
    ("i4", "f8E4M3FN"),
    ("i8", "f8E5M2"),
)


@pytest.mark.parametrize("types", TYPES, ids=":".join)
@pytest.mark.parametrize("name", DEFINED_BY_FLOATS)
def test_floats_decide(name: str, types: tuple[str, str]) -> None:
    (row,) = (row for row in ROWS if row.name == name)
    storage, expressed = types
    low, high = limits_of(storage)
    rng = np.random.default_rng(len(name))
    operands, results = row.types("t")
    stored: list[Array] = []
    floats: list[Array] = []
    for operand in operands:
        shape = [int(size) for size in re.findall(r"(\d+)x", operand.partition("!")[0])]
        match = PER_TENSOR.search(operand)
        if match is None:
            stored.append(np.zeros(shape, np.int64))  # sizes of padding
            floats.append(stored[-1])
        else:
            integers = rng.integers(max(low, -20), min(high, 20), shape, endpoint=True)
            stored.append(integers.astype(dtype_of(storage)))
            floats.append(((integers - int(match[1] or 0)) / 2).astype(dtype_of(expressed)))
    text = row.program("t").replace("i8:f32", f"{storage}:{expressed}")
    expected = results_of(PER_TENSOR.sub(expressed, text), *floats)
    for result, operand, spelling in zip(results_of(text, *stored), expected, results, strict=True):
        match = PER_TENSOR.search(spelling)
        assert match is not None
        wide = operand.astype(np.promote_types(np.float32, dtype_of(expressed)))
        shifted = (wide * 2 + int(match[1] or 0)).astype(dtype_of(expressed)).astype(np.float64)
        limited = np.clip(np.rint(shifted), low, high)
        assert result.astype(np.int64).tolist() == np.nan_to_num(limited, nan=0).tolist()


def results_of(text: str, *arrays: Array) -> list[Array]:
    """What the program gives, also if it gives one array."""
    loaded = sm.load(text).run(*arrays, backend="interpreter")
    return list(loaded) if isinstance(loaded, tuple) else [loaded]
