"""How far arrays are apart."""

from typing import Any

import numpy as np
import pytest

from stablemate.analysis.tolerance import INFINITELY_MANY, Tolerance, compare, ulp_distance
from stablemate.numerics.elements import (
    BF16,
    BOOLEAN,
    COMPLEX64,
    F32,
    F64,
    FLOAT_STORAGE,
    I4,
    I8,
    I64,
    UI64,
    ElementType,
    FloatType,
    QuantizedType,
)

EXACT = Tolerance()


def distance(got: list[Any], expected: list[Any], element: ElementType) -> list[int]:
    arrays = (np.array(item).astype(element.dtype) for item in (got, expected))
    return [int(array) for array in ulp_distance(*arrays, element)]


@pytest.mark.parametrize("name", FLOAT_STORAGE)
def test_neighbors_are_one_ulp_apart(name: str) -> None:
    element = FloatType(name)
    width = element.dtype.itemsize
    bits = np.array([1, 2, 3, 4], f"u{width}")
    assert (
        ulp_distance(
            bits.view(element.dtype), (bits + bits.dtype.type(1)).view(element.dtype), element
        ).tolist()
        == [1] * 4
    )


@pytest.mark.parametrize("name", sorted(set(FLOAT_STORAGE) - {"f8E8M0FNU"}))
def test_the_smallest_numbers_of_either_sign_are_two_ulp_apart(name: str) -> None:
    element = FloatType(name)
    sign = 1 << (element.bits - 1)
    smallest = np.array([1, 1 | sign], f"u{element.dtype.itemsize}").view(element.dtype)
    assert ulp_distance(smallest[:1], smallest[1:], element).tolist() == [2]


def test_special_numbers() -> None:
    largest = float(np.finfo(np.float32).max)
    got = [0.0, np.nan, np.nan, np.inf, np.inf, np.inf]
    expected = [-0.0, np.nan, 1.0, np.inf, largest, -np.inf]
    assert distance(got, expected, F32) == [0, 0, int(INFINITELY_MANY), 0, 1, 0xFF000000]


def test_distances_of_f64_do_not_overflow() -> None:
    assert distance([np.inf], [-np.inf], F64) == [0xFFE0000000000000]


def test_distances_of_integers_are_exact() -> None:
    assert distance([-(1 << 63)], [(1 << 63) - 1], I64) == [(1 << 64) - 1]
    assert distance([0], [3], UI64) == [3]
    assert distance([-8, 7], [7, 7], I4) == [15, 0]


def test_of_a_complex_number_the_worse_part_counts() -> None:
    next_one = float(np.nextafter(np.float32(1), np.float32(2)))
    assert distance([1 + 1j, 1j], [1 + next_one * 1j, 1j], COMPLEX64) == [1, 0]


def test_exact_by_default() -> None:
    got = np.array([1, 2, 3], np.float32)
    expected = np.array([1, np.nextafter(np.float32(2), np.float32(3)), 4], np.float32)
    comparison = compare(got, expected, F32, EXACT)
    assert not comparison.matches
    assert comparison.mismatches == 2
    assert comparison.first[0].index == (1,)
    assert comparison.first[0].errors.ulp == 1
    assert (comparison.first[1].got, comparison.first[1].expected) == ("3", "4")
    assert comparison.largest.absolute == 1.0
    assert comparison.largest.relative == 0.25


@pytest.mark.parametrize(
    ("tolerance", "matches"),
    [
        (Tolerance(ulp=1), False),
        (Tolerance(ulp=2), True),
        (Tolerance(ulp=1 << 70), True),
        (Tolerance(absolute=0.031), False),
        (Tolerance(absolute=0.032), True),
        (Tolerance(relative=0.0156), False),
        (Tolerance(relative=0.0157), True),
        (Tolerance(absolute=0.0156, relative=0.0078), False),
        (Tolerance(absolute=0.0156, relative=0.0079), True),
    ],
)
def test_any_tolerance_is_enough(tolerance: Tolerance, matches: bool) -> None:
    two = np.array([2], BF16.dtype)
    two_steps_above = np.array([2.03125], BF16.dtype)
    assert compare(two_steps_above, two, BF16, tolerance).matches == matches


def test_numbers_are_never_close_to_infinity_or_nan() -> None:
    loose = Tolerance(absolute=1e30, relative=1.0)
    for got, expected in ((1.0, np.inf), (np.inf, 1.0), (np.nan, 1.0), (1.0, np.nan)):
        arrays = np.array([got], np.float32), np.array([expected], np.float32)
        assert not compare(*arrays, F32, loose).matches


def test_nan_matches_nan_and_zero_matches_zero() -> None:
    got, expected = np.array([np.nan, 0.0], np.float32), np.array([np.nan, -0.0], np.float32)
    assert compare(got, expected, F32, EXACT).matches


def test_booleans_take_no_tolerance_in_value() -> None:
    got, expected = np.array([True]), np.array([False])
    assert not compare(got, expected, BOOLEAN, Tolerance(absolute=2)).matches


def test_quantized_elements_are_compared_as_stored() -> None:
    quantized = QuantizedType(I8, F32, (0.5,), (0,), -128, 127)
    got, expected = np.array([3], np.int8), np.array([4], np.int8)
    assert not compare(got, expected, quantized, EXACT).matches
    assert compare(got, expected, quantized, Tolerance(ulp=1)).matches
    assert compare(got, expected, quantized, Tolerance(absolute=1)).matches


def test_other_shapes_do_not_match() -> None:
    comparison = compare(np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32), F32, EXACT)
    assert not comparison.matches
    assert comparison.shapes == ((2, 3), (3, 2))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3)])
def test_scalars_and_empty_arrays(shape: tuple[int, ...]) -> None:
    zeros, ones = np.zeros(shape, np.float32), np.ones(shape, np.float32)
    assert compare(zeros, zeros, F32, EXACT).matches
    comparison = compare(zeros, ones, F32, EXACT)
    assert comparison.mismatches == zeros.size
    assert [item.index for item in comparison.first] == [()] * zeros.size


def test_the_first_mismatches_are_listed() -> None:
    comparison = compare(np.zeros((20, 20), np.int64), np.ones((20, 20), np.int64), I64, EXACT)
    assert comparison.mismatches == 400
    assert [item.index for item in comparison.first] == [(0, i) for i in range(10)]
