"""Closeness: how far a value is from what was expected, and whether that is near enough."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from stablemate.analysis.tolerance import Tolerance, ToleranceCheck, compare
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    element_of_dtype,
    float_info,
)
from stablemate.numerics.number_text import storage_type

EXACT: Final = Tolerance()


@dataclass(frozen=True, slots=True)
class Closeness:
    """A value beside what was expected.

    Attributes:
        comparison: Its elements beside the others; None if they cannot be compared.
        cosine: Of the angle between both as vectors: 1 if they have one direction; NaN if one of
            them is zero or not finite.
        difference: Why they cannot be compared: other types, other shapes; empty if they can.
    """

    comparison: ToleranceCheck | None
    cosine: float = math.nan
    difference: str = ""

    @property
    def matches(self) -> bool:
        """Whether the value is near enough."""
        return self.comparison is not None and self.comparison.matches


def closeness(
    got: object,
    expected: object,
    tolerance: Tolerance | None = None,
    element: ElementType | None = None,
) -> Closeness:
    """How far a value is from what was expected.

    Args:
        got: An array.
        expected: Another one; of another type or shape it is a difference.
        tolerance: What is near enough; by default ``half_of_the_digits``.
        element: The element type; by default that of the array.
    """
    a, b = np.asarray(got), np.asarray(expected)
    if a.dtype != b.dtype:
        return Closeness(None, difference=f"elements of {a.dtype}, not of {b.dtype}")
    if a.shape != b.shape:
        return Closeness(None, difference=f"shape {list(a.shape)}, not {list(b.shape)}")
    element_type = element or element_of_dtype(a.dtype)
    if element_type is None:
        return Closeness(None, difference=f"no tensor has elements of {a.dtype}")
    within = half_of_the_digits(b, element_type) if tolerance is None else tolerance
    return Closeness(compare(a, b, element_type, within), cosine(a, b, element_type))


def half_of_the_digits(expected: Array, element: ElementType) -> Tolerance:
    """The default tolerance.

    Integers and booleans have to be equal. Floats may differ by the square root of the distance
    between 1 and the next number, times the largest magnitude in the array.
    """
    element_type = storage_type(element)
    part = element_type.element if isinstance(element_type, ComplexType) else element_type
    if not isinstance(part, FloatType):
        return EXACT
    with np.errstate(all="ignore"):
        magnitudes = np.abs(wide(expected, element))
        largest = np.max(magnitudes, where=np.isfinite(magnitudes), initial=0.0)
    return Tolerance(absolute=math.sqrt(float(float_info(part.dtype).eps)) * float(largest))


def cosine(a: Array, b: Array, element: ElementType) -> float:
    """The cosine of the angle between two arrays as vectors; of complex ones its real part."""
    element_type = storage_type(element)
    if isinstance(element_type, IntegerType) and element_type.is_boolean:
        return math.nan
    with np.errstate(all="ignore"):
        x, y = (in_reals(operand, element) for operand in (a, b))
        x, y = (operand / np.max(np.abs(operand), initial=0.0) for operand in (x, y))
        squares = float(np.dot(x, x)) * float(np.dot(y, y))
        return float(np.dot(x, y)) / math.sqrt(squares) if squares > 0 else math.nan


def in_reals(array: Array, element: ElementType) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The elements as a vector of f64; a complex number is two of them."""
    return np.ascontiguousarray(wide(array, element)).reshape(-1).view(np.float64)


def wide(array: Array, element: ElementType) -> Array:
    """The elements as f64 or complex<f64>."""
    is_complex = isinstance(storage_type(element), ComplexType)
    return array.astype(np.complex128 if is_complex else np.float64)
