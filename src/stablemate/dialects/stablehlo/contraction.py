"""Matrix products of dots and convolutions, and the rules for their element types."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.definition import Check, holds
from stablemate.numerics.elements import (
    Array,
    DType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.rounding import round_float

EXACT_BITS: Final = 53  # integers of this size are exact in 64-bit floats
# Windows side by side make one product of matrices, for as many copies of the image as a window
# has points.
GATHERED_ELEMENTS: Final = 1 << 24  # most elements of windows that are copied side by side


def sum_dtype(element: ElementType, *operands: ElementType) -> DType:
    """The accumulation type for sums of products of the operands and a result element type.

    Integers wrap in their own type; 32 bits suffice for narrower floats, and for booleans, where
    only a nonzero sum matters.
    """
    if isinstance(element, IntegerType):
        if element.is_boolean:
            return np.dtype(np.float32)
        return element.dtype if element.bits >= 8 else np.dtype(np.int32)
    return np.result_type(*(wide_dtype(operand_type) for operand_type in (element, *operands)))


def wide_dtype(element: ElementType) -> DType:
    """The type to compute in: 32-bit floats for all narrower ones."""
    dtype = element.dtype
    # NumPy reports one of the 8-bit formats, f8E5M2, as a native float kind.
    is_narrow = dtype.kind not in "iufc" or (dtype.kind == "f" and dtype.itemsize < 4)
    return np.dtype(np.float32) if is_narrow else dtype


def to_element(sums: Array, element: ElementType) -> Array:
    """Sums in ``sum_dtype`` as elements, rounded once; unchanged if they have the type."""
    if sums.dtype == element.dtype:
        return sums
    if isinstance(element, FloatType):
        return np.asarray(round_float(sums, element))
    if isinstance(element, IntegerType) and element.is_boolean:
        return np.asarray(np.greater(sums, 0))
    return sums.astype(element.dtype, copy=False)


def matrix_products(lhs: Array, rhs: Array, sums: DType) -> Array:
    """Products of matrices ``(..., m, k)`` and ``(..., k, n)``, formed in the type ``sums``.

    Leading dimensions broadcast. Short integers are multiplied as floats while that is exact:
    NumPy has no fast product of integers.
    """
    if sums.kind in "fc":
        return np.asarray(np.matmul(for_blas(lhs, sums), for_blas(rhs, sums)))
    bits = 8 * (lhs.dtype.itemsize + rhs.dtype.itemsize) + lhs.shape[-1].bit_length()
    if bits <= EXACT_BITS:
        exact = np.asarray(np.matmul(for_blas(lhs, np.float64), for_blas(rhs, np.float64)))
        return exact.astype(np.int64).astype(sums, copy=False)
    return np.asarray(np.matmul(lhs.astype(sums, copy=False), rhs.astype(sums, copy=False)))


def for_blas(matrices: Array, dtype: Any) -> Array:
    """The matrices in a type and a layout that NumPy passes to BLAS; copied if necessary."""
    if matrices.dtype != dtype:
        return matrices.astype(dtype, "C")
    if matrices.flags.c_contiguous:
        return matrices
    (rows, columns), (outer, inner) = matrices.shape[-2:], matrices.strides[-2:]
    size = matrices.itemsize
    by_rows = inner == size and outer >= columns * size
    by_columns = outer == size and inner >= rows * size
    return matrices if by_rows or by_columns else np.ascontiguousarray(matrices)


def window_products(
    padded: Array,
    kernel: Array,
    windows: WindowDimensions,
    counts: Sequence[int],
    sums: DType,
) -> Array:
    """The products of every window with the kernel of its group, accumulated in type ``sums``.

    The windows are copied side by side for one product of matrices. If the copy would be too large,
    or has one feature per group, the positions of the kernel are added up one by one.

    Args:
        padded: ``(batch, *spatial, groups, in)``.
        kernel: ``(*sizes, in, groups, out)``.
        windows: On the spatial dimensions.
        counts: Number of windows along each of them.
        sums: See ``sum_dtype``.

    Returns:
        ``(batch, *counts, groups, out)``.
    """
    batch, (groups, features), n = padded.shape[0], padded.shape[-2:], len(counts)
    size = math.prod(windows.sizes)
    if features == 1 < groups:
        scaled = (
            windows.at(padded, counts, position, 1).astype(sums, copy=False)
            * kernel[position][0].astype(sums, copy=False)
            for position in windows.positions()
        )
        return sum_up(scaled)
    if size > 1 and batch * math.prod(counts) * groups * size * features > GATHERED_ELEMENTS:
        products = (
            group_products(windows.at(padded, counts, position, 1), kernel[position], sums)
            for position in windows.positions()
        )
        return sum_up(products)
    rows = np.moveaxis(windows.view(padded, counts, 1), -2, 1 + n)  # groups before sizes
    rows = rows.reshape(batch, *counts, groups, size * features)
    return group_products(rows, kernel.reshape(size * features, *kernel.shape[-2:]), sums)


def group_products(rows: Array, kernel: Array, sums: DType) -> Array:
    """Rows ``(..., groups, in)`` times matrices ``(in, groups, out)``, group by group.

    Returns:
        ``(..., groups, out)``.
    """
    *leading, groups, features = rows.shape
    lhs = np.moveaxis(rows.reshape(math.prod(leading), groups, features), 1, 0)
    products = matrix_products(lhs, np.moveaxis(kernel, 1, 0), sums)
    return np.moveaxis(products, 0, 1).reshape(*leading, groups, kernel.shape[-1])


def sum_up(parts: Iterator[Array]) -> Array:
    """The sum of at least one array, adding in place."""
    total = next(parts)
    for part in parts:
        total += part
    return total


def same_kind(*elements: ElementType) -> bool:
    """Whether all are booleans, all integers, all floats or all complex numbers."""
    kinds = {
        "boolean"
        if isinstance(element_type, IntegerType) and element_type.is_boolean
        else type(element_type).__name__
        for element_type in elements
    }
    return len(kinds) == 1


def any_quantized(*elements: ElementType) -> bool:
    """Whether one of the element types is quantized."""
    return any(isinstance(element_type, QuantizedType) for element_type in elements)


# The rules below hold as well where no element type is quantized.


def quantized_like(lhs: ElementType, rhs: ElementType, result: ElementType) -> Check:
    """``is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)``."""
    sides = [isinstance(element_type, QuantizedType) for element_type in (lhs, rhs, result)]
    fits = not any(sides) or (sides[0] == sides[2] and sides[1])
    return holds(fits, lhs=lhs, rhs=rhs, result=result)


def same_storage(lhs: ElementType, rhs: ElementType) -> Check:
    """``storage_type(lhs) = storage_type(rhs)``."""
    if isinstance(lhs, QuantizedType) and isinstance(rhs, QuantizedType):
        types = lhs.declared_storage, rhs.declared_storage
        return holds(types[0] == types[1], lhs=types[0], rhs=types[1])
    return None


def same_expressed(lhs: ElementType, rhs: ElementType, result: ElementType) -> Check:
    """``expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)``."""
    types = [
        element_type.expressed
        for element_type in (lhs, rhs, result)
        if isinstance(element_type, QuantizedType)
    ]
    if len(types) < 3:
        return None
    return holds(len(set(types)) == 1, lhs=types[0], rhs=types[1], result=types[2])


def per_tensor_like(rhs: ElementType, result: ElementType) -> Check:
    """If ``is_per_tensor_quantized(rhs)``, then ``is_per_tensor_quantized(result)``."""
    if isinstance(rhs, QuantizedType) and isinstance(result, QuantizedType):
        return holds(result.is_per_tensor or not rhs.is_per_tensor, rhs=rhs, result=result)
    return None


def hybrid(lhs: ElementType, rhs: ElementType, result: ElementType) -> Check:
    """If lhs is not quantized, its type and the result's are the expressed type of rhs."""
    if isinstance(lhs, QuantizedType) or not isinstance(rhs, QuantizedType):
        return None
    return holds(lhs == rhs.expressed == result, lhs=lhs, rhs=rhs, result=result)
