"""Conversions between element types; each result is the exact value, rounded once.

Source: StableHLO specification, convert. Where that leaves results open, this follows XLA: numbers
are rounded to the nearest, ties to even; integers wrap; floats outside the range of an integer type
become its nearest end, and NaN zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
)
from stablemate.numerics.large_arrays import by_table, in_blocks

Conversion: TypeAlias = Callable[[Array], Any]  # of an array or a NumPy scalar

NATIVE_FLOATS: Final = frozenset({"f16", "f32", "f64"})
FLOATS_WITHOUT_NAN: Final = frozenset({"f4E2M1FN", "f6E2M3FN", "f6E3M2FN"})
SMALLEST_SCALE: Final = 2.0**-127  # of f8E8M0FNU, which has neither zero nor negative numbers

# Of a 64-bit integer, the bits that no format narrower than f32 can distinguish once the
# number is at least EXACT, and the bit that stands for them.
EXACT: Final = 1 << 53
LOST_BITS: Final = 0xFFF
STICKY_BIT: Final = 0x800


def converter(source: ElementType, target: ElementType) -> Conversion:
    """The function that converts elements of one type to another; both are not quantized."""
    conversion = conversion_by_formula(source, target)
    if source == target or not is_costly(source, target):
        return conversion
    if source.dtype.itemsize == 1:
        return by_table(conversion, source)
    return in_blocks(conversion, target.dtype)


def is_costly(source: ElementType, target: ElementType) -> bool:
    """Whether a conversion is more than a single NumPy conversion."""
    pair = (source, target)
    if any(isinstance(x, FloatType) and x.name not in NATIVE_FLOATS for x in pair):
        return True
    truncates = isinstance(target, IntegerType | IndexType) and not target.is_boolean
    return truncates and isinstance(source, FloatType | ComplexType)


def conversion_by_formula(source: ElementType, target: ElementType) -> Conversion:
    """The function that converts elements, by the formulas."""
    match source, target:
        case _ if source == target:
            return lambda values: values
        case (ComplexType(), ComplexType()):
            return lambda values: values.astype(target.dtype)
        case (ComplexType(), _):
            from_part = converter(source.element, target)
            return lambda values: from_part(np.real(values))
        case (_, ComplexType()):
            to_part = converter(source, target.element)
            return lambda values: to_part(values).astype(target.dtype)
        case (FloatType(), FloatType()):
            return lambda values: round_float(values, target)
        case (IntegerType() | IndexType() | FloatType(), IntegerType(is_boolean=True)):
            return on_native(source, lambda values: values != 0)
        case (FloatType(), IntegerType() | IndexType()):
            return lambda values: float_to_integer(values, target)
        case (IntegerType() | IndexType(), FloatType()):
            return on_native(source, lambda values: integer_to_float(values, target))
        case (IntegerType() | IndexType(), IntegerType() | IndexType()):
            return on_native(source, lambda values: values.astype(target.dtype))  # wraps
        case _:
            raise TypeError(f"no conversion from {source} to {target}")


def native_dtype(element: IntegerType | IndexType | FloatType) -> DType:
    """The narrowest native NumPy type that holds the elements and computes with them."""
    if isinstance(element, FloatType):
        return element.dtype if element.name in NATIVE_FLOATS else np.dtype(np.float32)
    if element.bits in (2, 4):
        return np.dtype(np.uint8 if element.is_unsigned else np.int8)
    return element.dtype


def on_native(source: IntegerType | IndexType | FloatType, conversion: Conversion) -> Conversion:
    """The conversion, for elements in their native type."""
    dtype = native_dtype(source)
    if dtype == source.dtype:
        return conversion
    return lambda values: conversion(values.astype(dtype))


def round_float(values: Array, target: FloatType) -> Array:
    """Floats in another format.

    Overflow gives infinity; NaN in formats without infinities; the largest number in formats that
    lack both. The latter represent NaN by -0.0, as XLA does.
    """
    if values.dtype.type is target.dtype.type:
        return values
    if target.name in NATIVE_FLOATS:
        return values.astype(target.dtype)
    singles = to_odd(values) if values.dtype == np.float64 else values.astype(np.float32)
    if target.name in FLOATS_WITHOUT_NAN:
        singles = np.where(np.isnan(singles), np.float32(-0.0), singles)
    if target.name == "f8E8M0FNU":  # ml_dtypes rounds up between its two smallest numbers
        is_smallest = (singles > 0) & (singles < 1.5 * SMALLEST_SCALE)
        singles = np.where(is_smallest, np.float32(SMALLEST_SCALE), singles)
    return singles.astype(target.dtype)


def to_odd(values: Array) -> Any:
    """64-bit floats as 32-bit ones that round to narrower formats as they themselves would.

    If bits are lost, the last remaining bit is set to odd: such a number lies on the same side
    of every tie as the original.

    Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms
    using rounding to odd", 2008.
    """
    nearest = values.astype(np.float32)
    widened = nearest.astype(np.float64)
    rounded_up = np.abs(widened) > np.abs(values)
    truncated = nearest.view(np.int32) - rounded_up
    return (truncated | (widened != values)).view(np.float32)


def integer_to_float(integers: Array, target: FloatType) -> Array:
    """Integers or booleans in a native type as floats."""
    if target.name in NATIVE_FLOATS:
        return integers.astype(target.dtype)
    if integers.dtype.itemsize == 8:
        is_exact = np.abs(integers.astype(np.float64)) < EXACT
        lost = integers & LOST_BITS
        odd = (integers - lost) | (lost != 0) * integers.dtype.type(STICKY_BIT)
        integers = np.where(is_exact, integers, odd)
    return round_float(integers.astype(np.float64), target)


def float_to_integer(values: Array, target: IntegerType | IndexType) -> Array:
    """Floats truncated to integers; those out of range become the nearest integer, NaN zero."""
    dtype = native_dtype(target)
    numbers = values.astype(np.float64)
    if target.bits <= 32:  # the ends of the range are numbers of 64 bits
        inside = np.clip(numbers, target.minimum, target.maximum)
        return np.where(np.isnan(numbers), 0, inside).astype(dtype).astype(target.dtype)
    is_small, is_large = numbers < target.minimum, float(target.maximum + 1) <= numbers
    is_inside = (numbers == numbers) & ~(is_small | is_large)
    integers = np.where(is_inside, numbers, 0).astype(dtype)
    integers = np.where(is_small, dtype.type(target.minimum), integers)
    return np.where(is_large, dtype.type(target.maximum), integers).astype(target.dtype)
