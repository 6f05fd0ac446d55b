"""Quantized elements and the floats that they represent.

Source: StableHLO specification, "Quantization computations".
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.numerics.elements import (
    F32,
    F64,
    I64,
    MOST_DIMENSIONS,
    Array,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
    storage_range,
)
from stablemate.numerics.rounding import Conversion, converter, native_dtype, round_float

CACHED_PARAMETERS: Final = 1024  # types and ranks whose parameters are computed once
F32_DIGITS: Final = 24  # bits of the significand of f32
F64_DIGITS: Final = 53  # bits of the significand of f64
WIDE_BITS: Final = 32  # bits; wider integers take the conversion that is exact


def baseline(element: ElementType) -> ElementType:
    """The element type with default scales and zero points, to compare types without these."""
    if not isinstance(element, QuantizedType):
        return element
    count = len(element.scales)
    return replace(element, scales=(1.0,) * count, zero_points=(0,) * count)


def dequantize(stored: Array, element: QuantizedType) -> Array:
    """The floats that stored values represent: ``(stored - zero_point) * scale``.

    The difference is formed exactly; it is rounded to the expressed type, and the product again.

    Args:
        stored: Values in the storage type. For per-axis and sub-channel quantization the shape
            must be the one that the type describes.
        element: Their type.
    """
    with_parameters = parameters(element, np.ndim(stored))
    exact = with_parameters.exact(stored) - with_parameters.zero_points
    numbers = np.asarray(with_parameters.rounded(exact))  # not shared, so changed in place
    numbers *= with_parameters.scales
    values: Array = with_parameters.expressed(numbers)
    return values


def quantize(values: Array, element: QuantizedType) -> Array:
    """The stored values that represent floats.

    ``round_nearest_even(clamp(storage_min, values / scale + zero_point, storage_max))``, every step
    rounded to the expressed type; NaN becomes zero.

    Args:
        values: Floats of the expressed type; shapes as for ``dequantize``.
        element: The quantized type.
    """
    with_parameters = parameters(element, np.ndim(values))
    rounded = with_parameters.rounded
    scaled = np.asarray(rounded(with_parameters.wide(values) / with_parameters.scales))
    scaled += (
        with_parameters.shift
    )  # in place from here on: memory traffic costs more than arithmetic
    numbers = np.asarray(rounded(scaled))
    np.clip(numbers, with_parameters.low, with_parameters.high, out=numbers)
    np.rint(numbers, out=numbers)
    np.copyto(numbers, 0, where=np.isnan(numbers))
    stored: Array = with_parameters.stored(numbers)
    return stored


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the formulas for tensors of one rank.

    Arrays broadcast against a tensor. Formats narrower than 32 bits are computed in f32, which has
    more than twice their precision: rounding a quotient, sum or product then to the narrow format
    gives the same result as rounding once.

    Attributes:
        scales: Rounded to the expressed type, in the computing type.
        zero_points: In a type in which they and the stored values are exact.
        shift: Zero points as ``scales``.
        low: The smallest stored value, as ``scales``.
        high: The largest stored value, as ``scales``.
        exact: Converts stored values to the type of ``zero_points``.
        wide: Converts floats of the expressed type to the computing type.
        rounded: Rounds exact or wide numbers to the expressed type, keeping them wide.
        expressed: Rounds wide numbers to the expressed type.
        stored: Converts wide integers to the storage type.
    """

    scales: Array
    zero_points: Array
    shift: Array
    low: Any
    high: Any
    exact: Conversion
    wide: Conversion
    rounded: Conversion
    expressed: Conversion
    stored: Conversion


@lru_cache(CACHED_PARAMETERS)
def parameters(element: QuantizedType, rank: int) -> Parameters:
    """The parameters of a type, for tensors of a rank."""
    storage, expressed = element.storage, element.expressed
    exact = exact_type(storage)
    wide = expressed if expressed in (F32, F64) else F32
    widen = converter(expressed, wide)
    zero_points = np.array(element.zero_points, exact.dtype)

    def round_numbers(numbers: Array) -> Any:
        if numbers.dtype == wide.dtype:
            return numbers if wide == expressed else widen(round_float(numbers, expressed))
        return widen(converter(exact, expressed)(numbers))

    low, high = (
        round_numbers(np.asarray(end, exact.dtype))
        for end in (element.storage_min, element.storage_max)
    )
    scales = widen(round_float(np.array(element.scales, np.float64), expressed))
    return Parameters(
        scales=broadcastable(scales, element, rank),
        zero_points=broadcastable(zero_points, element, rank),
        shift=broadcastable(round_numbers(zero_points), element, rank),
        low=low,
        high=high,
        exact=converter(storage, exact),
        wide=widen,
        rounded=round_numbers,
        expressed=converter(wide, expressed),
        stored=storage_converter(wide, element, low, high),
    )


def exact_type(storage: ElementType) -> IntegerType | FloatType:
    """A type in which differences of stored values are exact."""
    if not isinstance(storage, IntegerType):
        return F64
    return F32 if storage.width < F32_DIGITS else F64 if storage.width < F64_DIGITS else I64


def storage_converter(wide: FloatType, element: QuantizedType, low: Any, high: Any) -> Conversion:
    """The conversion of integers within a range to the storage type."""
    storage = element.storage
    if not isinstance(storage, IntegerType):
        return converter(wide, storage)
    native, dtype = native_dtype(storage), storage.dtype
    smallest, largest = storage_range(storage)
    if smallest <= float(low) and float(high) <= largest:
        return lambda x: x.astype(native).astype(dtype, copy=False)
    if storage.width > WIDE_BITS or not np.isfinite([low, high]).all():
        return converter(wide, storage)
    return lambda x: np.clip(x.astype(np.int64), smallest, largest).astype(native)  # rounded ends


def broadcastable(values: Array, element: QuantizedType, rank: int) -> Array:
    """One value per tensor, slice or block, shaped to broadcast against a tensor of a rank.

    Raises:
        UnsupportedError: No array has so many dimensions.
    """
    if element.is_per_tensor:
        return values.reshape(())
    if rank > MOST_DIMENSIONS:
        message = f"quantized slices of {rank} dimensions: an array has at most {MOST_DIMENSIONS}"
        raise UnsupportedError(message)
    if element.is_per_axis:
        d = element.quantization_dimension
        return values.reshape([-1 if i == d else 1 for i in range(rank)])
    blocks = values.reshape(element.block_shape)
    for dimension, size in element.blocks:
        blocks = np.repeat(blocks, size, dimension)
    return blocks
