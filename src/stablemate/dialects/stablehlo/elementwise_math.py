"""Functions of booleans, integers and floats, and how each element type computes them.

A function takes arrays or NumPy scalars, which broadcast. Integers of less than a byte are computed
in 8 bits and wrap. Floats that NumPy lacks are computed in 32 bits, transcendental functions in
64 bits. Both are rounded once.

Source: StableHLO specification, the operations of the same names.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.numerics.correct_rounding import ziv_rounding
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    FloatType,
    IndexType,
    IntegerType,
)
from stablemate.numerics.large_arrays import by_table, in_blocks
from stablemate.numerics.rounding import native_dtype

Function: TypeAlias = Callable[..., Any]
Integer: TypeAlias = IntegerType | IndexType
OfInteger: TypeAlias = Callable[[Integer], Function]  # the function for an element type
OfFloat: TypeAlias = Callable[[FloatType], Function]
OfComplex: TypeAlias = Callable[[ComplexType], Function]

# Elements from which on NumPy finds the first zero faster than it counts: nanoseconds to count
# and to find in 1,024 doubles are 800 and 910, in 2,048 1,320 and 1,090 (NumPy 2, a Xeon).
FEW: Final = 1024
UNITS: Final = 16  # NumPy's functions of 64-bit floats are off by fewer units in the last place
NATIVE: Final = frozenset({"f16", "f32", "f64"})

# On NumPy scalars these are ten times as fast as ufuncs.
untyped: Any = operator  # the stubs do not type some of them
conjunction: Final[Function] = untyped.and_
disjunction: Final[Function] = untyped.or_
exclusive_disjunction: Final[Function] = untyped.xor
shifted_left: Final[Function] = untyped.lshift
shifted_right: Final[Function] = untyped.rshift
ratio: Final[Function] = untyped.truediv


def wrapping_function(function: Function) -> OfInteger:
    """A function of integers that is the same for every width; results wrap."""

    def of(element: Integer) -> Function:
        if native_dtype(element) == element.dtype:
            return function
        return in_bytes(function, element, native_dtype(element))

    return of


def block_by_block(function: Function) -> OfInteger:
    """The same for a function with large intermediate results."""
    return lambda element: in_blocks(wrapping_function(function)(element), element.dtype)


def in_bytes(function: Function, element: Integer, dtype: DType) -> Function:
    """The function of narrow integers, computed in a wider type."""
    return lambda *operands: function(*[x.astype(dtype) for x in operands]).astype(element.dtype)


def exact(function: Function) -> OfFloat:
    """A function of floats that NumPy rounds correctly, or that needs no rounding."""

    def of(element: FloatType) -> Function:
        if element.name in NATIVE:
            return function
        return rounded_from(np.float32, function, element)

    return of


def approximate(function: Function) -> OfFloat:
    """A function of floats that has errors of several units in the last place in its own type."""

    def of(element: FloatType) -> Function:
        if element.name == "f64":
            return function
        return rounded_from(np.float64, function, element)

    return of


def correctly_rounded(
    function: Function, exact: Function, accurate: Function, units: int = UNITS
) -> OfFloat:
    """A function computed in 64 bits, of which narrower results are correctly rounded.

    Args:
        function: The function of 64-bit floats.
        exact: The same, rounded to odd, for operands of results that are nearly half way between
            two numbers of the narrower type.
        accurate: The function for operands of 64 bits.
        units: The largest error of ``function``, in units in the last place.
    """

    def of(element: FloatType) -> Function:
        if element.name == "f64":
            return accurate
        return computed_from(
            np.float64, ziv_rounding.correctly_rounded(function, exact, element, units), element
        )

    return of


def rounded_from(dtype: object, function: Function, element: FloatType) -> Function:
    """The function, computed in a wider type and rounded once."""

    def round_result(*operands: Array) -> Array:
        return ziv_rounding.narrow_float64(function(*operands), element)

    return computed_from(dtype, round_result, element)


def computed_from(dtype: Any, function: Function, element: FloatType) -> Function:
    """The function of operands in a wider type, with results of an element type."""

    def widen_operand(x: Array) -> Array:
        return x.astype(dtype)

    def result(*operands: Array) -> Any:
        return function(*map(widen, operands))

    widen = by_table(widen_operand, element) if element.bits <= 8 else widen_operand
    return in_blocks(result, element.dtype)


def in_parts(function: Function) -> OfComplex:
    """A function of complex numbers that is computed in their own type."""
    return lambda element: function


def compute_in_complex128(function: Function) -> OfComplex:
    """A function of complex numbers that is computed in 128 bits."""

    def of(element: ComplexType) -> Function:
        if element.bits == 128:
            return function
        return from_double_complex(function, element.dtype)

    return of


def by_width(function: Function, accurate: Function) -> OfComplex:
    """A function computed in 128 bits; for 128-bit operands by a more accurate one."""

    def of(element: ComplexType) -> Function:
        return accurate if element.bits == 128 else compute_in_complex128(function)(element)

    return of


def to_real(function: Function) -> OfComplex:
    """A function from complex numbers to floats that is computed in 64 bits."""

    def of(element: ComplexType) -> Function:
        return from_double_complex(function, element.element.dtype)

    return of


def from_double_complex(function: Function, dtype: DType) -> Function:
    """The function, computed in 128 bits."""
    return in_blocks(
        lambda *operands: function(*[x.astype(np.complex128) for x in operands]).astype(dtype),
        dtype,
    )


# ---- integers


def quotient(lhs: Array, rhs: Array) -> object:
    """The quotient, rounded towards zero; all bits are ones if rhs is zero, as in XLA."""
    down = lhs // rhs
    rest = lhs - down * rhs
    is_fraction_lost = (rest != 0) & ((rest < 0) != (lhs < 0))
    return down + is_fraction_lost - (rhs == 0)


def remainder(lhs: Array, rhs: Array) -> object:
    """``lhs - quotient * rhs``: with the sign of lhs, and lhs itself if rhs is zero."""
    return lhs - quotient(lhs, rhs) * rhs


def integer_power(lhs: Array, rhs: Array) -> object:
    """``lhs ** rhs`` modulo 2^width; with a negative exponent zero, unless lhs is 1 or -1."""
    is_unit = (lhs == 1) | (lhs + 1 == 0)
    is_fraction = (rhs < 0) & ~is_unit
    power = np.power(lhs, np.where(rhs < 0, rhs & 1, rhs))
    return np.where(is_fraction, 0, power).astype(lhs.dtype)


def unsigned_type(element: Integer) -> IntegerType:
    """The type of unsigned integers of the same width."""
    return IntegerType(element.bits, "unsigned")


def signed_type(element: Integer) -> IntegerType:
    """The type of signed integers of the same width."""
    return IntegerType(element.bits)


def compute_on_bits(function: Function, element: Integer, as_type: IntegerType) -> Function:
    """The function, computed on the same bits as another type of the same width."""
    inner = wrapping_function(function)(as_type)
    if as_type == element:
        return inner
    return lambda *operands: inner(*[x.view(as_type.dtype) for x in operands]).view(element.dtype)


def shift_right_arithmetic(element: Integer) -> Function:
    """``lhs >> rhs``, with copies of the sign bit; of it alone if rhs is negative or too large."""
    return compute_on_bits(shifted_right, element, signed_type(element))


def shift_right_logical(element: Integer) -> Function:
    """``lhs >> rhs``, with zeros; zero if rhs is negative or too large."""
    return compute_on_bits(shifted_right, element, unsigned_type(element))


def population_count(element: Integer) -> Function:
    """The number of bits that are set."""

    def function(operand: Array) -> Array:
        return np.bitwise_count(operand).astype(operand.dtype)

    return compute_on_bits(function, element, unsigned_type(element))


def count_leading_zeros(element: Integer) -> Function:
    """The number of zero bits above the highest one."""

    def function(operand: Array) -> Array:
        smeared, shift = operand, 1
        while shift < element.bits:
            smeared = smeared | smeared >> shift
            shift *= 2
        return (element.bits - np.bitwise_count(smeared)).astype(operand.dtype)

    return compute_on_bits(function, element, unsigned_type(element))


# ---- floats


def maximum(lhs: Array, rhs: Array) -> Array:
    """The larger number, +0 before -0; NaN if one is NaN."""
    if not (lhs.ndim or rhs.ndim) and lhs != rhs:
        return lhs if lhs > rhs or lhs != lhs else rhs
    larger = np.maximum(lhs, rhs)
    if not has_zero(larger):
        return larger
    both_signs = (bits_of(lhs) & bits_of(rhs)).view(lhs.dtype)
    return np.copysign(larger, both_signs)  # NumPy does not distinguish zeros


def minimum(lhs: Array, rhs: Array) -> Array:
    """The smaller number, -0 before +0; NaN if one is NaN."""
    if not (lhs.ndim or rhs.ndim) and lhs != rhs:
        return lhs if lhs < rhs or lhs != lhs else rhs
    smaller = np.minimum(lhs, rhs)
    if not has_zero(smaller):
        return smaller
    any_sign = (bits_of(lhs) | bits_of(rhs)).view(lhs.dtype)
    return np.copysign(smaller, any_sign)


def has_zero(values: Any) -> bool:
    """Whether one of the numbers is zero; NumPy counts a few faster than it looks for the first."""
    if values.size < FEW:
        return bool(np.count_nonzero(values) < values.size)
    return not values.all()


def bits_of(values: Array) -> Array:
    """Floats as the unsigned integers of their bits."""
    return values.view(f"u{values.dtype.itemsize}")


def sign(operand: Array) -> object:
    """-1 or 1; zeros and NaNs are themselves."""
    is_sign = (operand == 0) | np.isnan(operand)
    return np.where(is_sign, operand, np.copysign(np.ones_like(operand), operand))


def round_half_away(operand: Array) -> object:
    """The nearest integer, ties away from zero."""
    truncated = np.trunc(operand)
    is_farther = np.abs(operand - truncated) >= 0.5
    return np.where(is_farther, truncated + np.copysign(np.ones_like(operand), operand), truncated)


def rsqrt(operand: Array) -> object:
    """``1 / sqrt(operand)``."""
    return 1 / np.sqrt(operand)


def logistic(operand: Array) -> object:
    """``1 / (1 + exp(-x))``, for negative x as ``exp(x) / (1 + exp(x))``."""
    small = np.exp(-np.abs(operand))
    return np.where(operand < 0, small, 1) / (1 + small)
