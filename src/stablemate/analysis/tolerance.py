"""Distances between two arrays: in units in the last place (ulp), absolute and relative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from stablemate.analysis.errors import INFINITELY_MANY, ElementDistances
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
)
from stablemate.numerics.number_text import element_texts, storage_type

LISTED: Final = 10  # mismatches that a comparison names
LARGEST_DISTANCE: Final = 0xFFFFFFFFFFFFFFFE


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """The tolerance of a comparison: any of the three suffices, by default equality alone.

    Attributes:
        ulp: Distance in representable numbers; in integers the difference.
        absolute: ``|got - expected| <= absolute + relative * |expected|``
        relative: The factor of ``|expected|`` in that sum.
    """

    ulp: int = 0
    absolute: float = 0.0
    relative: float = 0.0

    @classmethod
    def from_options(
        cls, ulp: int | None, absolute: float | None, relative: float | None
    ) -> Tolerance | None:
        """Returns the tolerance of the options; None, the default, if all are absent."""
        if ulp is absolute is relative is None:
            return None
        return cls(ulp=ulp or 0, absolute=absolute or 0.0, relative=relative or 0.0)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One element that differs by more than the tolerance."""

    index: tuple[int, ...]
    got: str
    expected: str
    errors: ElementDistances


@dataclass(frozen=True, slots=True)
class ToleranceCheck:
    """A result against what was expected of it.

    Attributes:
        elements: How many were compared.
        mismatches: How many differ by more than the tolerance.
        largest: The largest errors of all elements.
        first: The first mismatches, in row-major order.
        shapes: Both shapes, if they differ; then no element was compared.
    """

    elements: int
    mismatches: int
    largest: ElementDistances
    first: tuple[Mismatch, ...] = ()
    shapes: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def matches(self) -> bool:
        """Whether everything is within the tolerance."""
        return not self.mismatches and self.shapes is None


def compare(
    got: Array, expected: Array, element: ElementType, tolerance: Tolerance, *, listed: int = LISTED
) -> ToleranceCheck:
    """Compares two arrays of one element type; NaNs equal each other, and so do the two zeros."""
    if got.shape != expected.shape:
        return ToleranceCheck(
            0, 0, ElementDistances(0, 0.0, 0.0), shapes=(got.shape, expected.shape)
        )
    with np.errstate(all="ignore"):  # NaNs and infinities are what this is about
        errors = errors_between(got, expected, element)
        within = errors.ulp <= np.uint64(min(tolerance.ulp, LARGEST_DISTANCE))
        within |= is_close(expected, element, errors, tolerance)
    places = np.flatnonzero(~within)
    return ToleranceCheck(
        elements=got.size,
        mismatches=len(places),
        largest=ElementDistances(
            int(errors.ulp.max(initial=0)),
            float(errors.absolute.max(initial=0)),
            float(errors.relative.max(initial=0)),
        ),
        first=tuple(mismatches_at(places[:listed], got, expected, element, errors)),
    )


def mismatches_at(
    places: Array, got: Array, expected: Array, element: ElementType, errors: ElementDistances
) -> Iterator[Mismatch]:
    """The mismatches at places of the flattened arrays."""
    got_texts = element_texts(got.reshape(-1)[places], element)
    expected_texts = element_texts(expected.reshape(-1)[places], element)
    ulp, absolute, relative = (
        distances.reshape(-1)[places].tolist()
        for distances in (errors.ulp, errors.absolute, errors.relative)
    )
    for k, place in enumerate(places):
        index = tuple(int(coordinate) for coordinate in np.unravel_index(int(place), got.shape))
        apart = ElementDistances(ulp[k], absolute[k], relative[k])
        yield Mismatch(index, got_texts[k], expected_texts[k], apart)


def is_close(
    expected: Array, element: ElementType, errors: ElementDistances, tolerance: Tolerance
) -> object:
    """Whether elements agree up to the absolute and relative tolerance; only numbers can."""
    if isinstance(element, IntegerType) and element.is_boolean:
        return np.zeros(expected.shape, np.bool_)
    numbers = np.abs(comparable(expected, element))
    allowed = tolerance.absolute + tolerance.relative * numbers
    return np.isfinite(numbers) & np.isfinite(errors.absolute) & (errors.absolute <= allowed)


def comparable(array: Array, element: ElementType) -> Array:
    """The elements as f64 or complex<f64>."""
    return array.astype(np.complex128 if isinstance(element, ComplexType) else np.float64)


def errors_between(got: Array, expected: Array, element: ElementType) -> ElementDistances:
    """The errors of every element."""
    ulp = ulp_distance(got, expected, element)
    match storage_type(element):
        case IntegerType() | IndexType():
            absolute = ulp.astype(np.float64)
        case _:
            apart = comparable(got, element) - comparable(expected, element)
            absolute = np.where(ulp == 0, 0.0, np.abs(apart))
    absolute = np.where(np.isnan(absolute), np.inf, absolute)
    relative = absolute / np.abs(comparable(expected, element))
    relative = np.where(absolute == 0, 0.0, np.where(np.isnan(relative), np.inf, relative))
    return ElementDistances(ulp, absolute, relative)


def ulp_distance(got: Array, expected: Array, element: ElementType) -> Array:
    """How many steps from number to number lie between elements, as u64.

    Both zeros are one number, infinity is one step above the largest number, and a NaN is
    ``INFINITELY_MANY`` steps away from every number. Of a complex number the part that is further
    away counts.
    """
    match storage_type(element):
        case IntegerType() | IndexType() as integer:
            return integer_distance(got, expected, integer)
        case ComplexType(element=FloatType() as part):
            a, b = (np.asarray(x, order="C").reshape(-1).view(part.dtype) for x in (got, expected))
            distances = float_distance(a, b, part).reshape(-1, 2)
            return np.asarray(np.max(distances, axis=1, initial=0)).reshape(got.shape)
        case FloatType() as floating:
            return float_distance(got, expected, floating)
        case other:
            raise TypeError(f"no distance between elements of type {other}")


def integer_distance(got: Array, expected: Array, element: IntegerType | IndexType) -> Array:
    """The difference of integers, exact even between the ends of 64 bits."""
    wide = np.int64 if element.minimum < 0 else np.uint64
    a, b = got.astype(wide), expected.astype(wide)
    with np.errstate(over="ignore"):
        return np.where(
            a > b, a.view(np.uint64) - b.view(np.uint64), b.view(np.uint64) - a.view(np.uint64)
        )


def float_distance(got: Array, expected: Array, element: FloatType) -> Array:
    """Steps between floating-point numbers, from their bits: sign and magnitude."""
    a, b = got, expected
    (a_magnitude, a_negative), (b_magnitude, b_negative) = (
        sign_magnitude(operand, element) for operand in (a, b)
    )
    apart = np.where(
        a_magnitude > b_magnitude, a_magnitude - b_magnitude, b_magnitude - a_magnitude
    )
    steps = np.where(a_negative == b_negative, apart, a_magnitude + b_magnitude)
    a_nan, b_nan = np.isnan(a), np.isnan(b)
    return np.where(a_nan | b_nan, np.where(a_nan & b_nan, np.uint64(0), INFINITELY_MANY), steps)


def sign_magnitude(array: Array, element: FloatType) -> tuple[Array, Array]:
    """The bits without the sign as u64, and whether the sign is set."""
    contiguous = np.asarray(array, order="C")
    bits = contiguous.view(f"u{contiguous.dtype.itemsize}").astype(np.uint64)
    if element.name == "f8E8M0FNU":  # has no sign
        return bits, np.zeros(bits.shape, np.bool_)
    sign = np.uint64(1 << (element.bits - 1))
    return bits & (sign - np.uint64(1)), (bits & sign) != 0
