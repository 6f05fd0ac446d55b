"""Conversions between element types against exact rational arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from stablemate.numerics.elements import (
    COMPLEX64,
    COMPLEX128,
    F32,
    F64,
    FLOAT_STORAGE,
    I4,
    I8,
    I64,
    SIMPLE_ELEMENTS,
    UI8,
    UI64,
    Array,
    ElementType,
    FloatType,
    StorageError,
)
from stablemate.numerics.rounding import converter, round_float

NARROW = [FloatType(name) for name in FLOAT_STORAGE if name not in ("f32", "f64")]
WITHOUT_INFINITY = {"f4E2M1FN": "largest", "f6E2M3FN": "largest", "f6E3M2FN": "largest"}


def numbers(element: FloatType) -> list[float]:
    """The finite numbers of a format that are not negative, by code, and so in order."""
    codes = np.arange(1 << element.bits - (element.name != "f8E8M0FNU"), dtype=np.uint32)
    stored = codes.astype(f"u{element.dtype.itemsize}").view(element.dtype)
    with np.errstate(invalid="ignore"):
        values = stored.astype(np.float64)
    return [value for value in values.tolist() if np.isfinite(value)]


def nearest(value: Fraction, candidates: Sequence[float], element: FloatType) -> float:
    """The candidate next to a value within their range; of two the one with an even significand.

    The significand of f8E8M0FNU is always 1, which is odd, so that ties go up.
    """
    code = int(np.searchsorted(candidates, float(value)))
    around = range(max(code - 2, 0), min(code + 3, len(candidates)))

    def preference(i: int) -> tuple[Fraction, int]:
        return abs(Fraction(candidates[i]) - value), -i if element.precision == 1 else i % 2

    return candidates[min(around, key=preference)]


@pytest.mark.parametrize("element", NARROW, ids=str)
def test_floats_round_once(element: FloatType) -> None:
    representable = numbers(element)
    places = range(0, len(representable) - 1, max(1, len(representable) // 300))
    middles = np.array([(representable[i] + representable[i + 1]) / 2 for i in places])
    values = np.concatenate([middles, np.nextafter(middles, np.inf), np.nextafter(middles, 0)])
    values = values[values > 0]
    with np.errstate(over="ignore"):
        rounded = round_float(values, element).astype(np.float64)
    assert rounded.tolist() == [
        nearest(Fraction(value), representable, element) for value in values.tolist()
    ]


@pytest.mark.parametrize("element", [FloatType("bf16"), FloatType("f8E8M0FNU")], ids=str)
def test_large_integers_round_once(element: FloatType) -> None:
    representable = [value for value in numbers(element) if value < 2.0**63]
    large = [value for value in representable if value >= 2.0**30]
    middles = [(int(a) + int(b)) // 2 for a, b in pairwise(large)]
    values = [m + d for m in middles[:: max(1, len(middles) // 200)] for d in (-1, 0, 1)]
    rounded = converter(I64, element)(np.array(values, np.int64)).astype(np.float64)
    assert rounded.tolist() == [
        nearest(Fraction(value), representable, element) for value in values
    ]


@pytest.mark.parametrize("element", NARROW, ids=str)
def test_too_large_floats_become_infinity_or_nan_or_the_largest(element: FloatType) -> None:
    largest = numbers(element)[-1]
    with np.errstate(over="ignore", invalid="ignore"):
        values = round_float(np.array([4 * largest, np.inf], np.float64), element)
        values = values.astype(np.float64)
    if element.name in WITHOUT_INFINITY:
        assert values.tolist() == [largest, largest]
    elif element.name.endswith(("FN", "UZ", "NU")):
        assert np.isnan(values).all()
    else:
        assert np.isinf(values).all()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (I8, [127, -128, 127, -128, 0, 2, -2, 0]),
        (UI8, [255, 0, 255, 0, 0, 2, 0, 0]),
        (I4, [7, -8, 7, -8, 0, 2, -2, 0]),
        (I64, [10**10, -(10**10), (1 << 63) - 1, -(1 << 63), 0, 2, -2, 0]),
        (UI64, [10**10, 0, (1 << 64) - 1, 0, 0, 2, 0, 0]),
    ],
    ids=str,
)
def test_floats_become_the_nearest_integer_towards_zero(
    target: ElementType, expected: list[int]
) -> None:
    values = np.array([1e10, -1e10, np.inf, -np.inf, np.nan, 2.9, -2.9, -0.5])
    converted = converter(F64, target)(values)
    assert [int(value) for value in converted] == expected


def stored_types() -> list[ElementType]:
    """Every element type that arrays hold."""
    elements: list[ElementType] = [COMPLEX64, COMPLEX128]
    for element in SIMPLE_ELEMENTS.values():
        try:
            _ = element.dtype
        except StorageError:
            continue
        elements.append(element)
    return elements


@pytest.mark.parametrize("rank", [0, 1])
def test_every_type_converts_to_every_other(rank: int) -> None:
    for source, target in product(stored_types(), repeat=2):
        array: Array = np.ones((1,) * rank).astype(source.dtype)
        value = array if rank else array[()]
        converted = converter(source, target)(value)
        assert converted.dtype == target.dtype
        assert complex(np.asarray(converted).astype(np.complex128).reshape(())) == 1


def test_a_conversion_leaves_its_operand_alone() -> None:
    values = np.array([1.5, np.nan, 1e30], np.float32)
    before = values.copy()
    with np.errstate(over="ignore"):
        for target in (I8, FloatType("f4E2M1FN"), FloatType("bf16"), F64, F32):
            converter(F32, target)(values)
    assert values.tobytes() == before.tobytes()
