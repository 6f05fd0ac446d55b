"""Folds in the order of the reference interpreter: one term at a time, rounded at every step.

What is independent is computed at once, so that Python loops over the reduced dimension alone.

Source: the specification leaves the order of sums open; its reference interpreter does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.contraction import (
    GATHERED_ELEMENTS,
    matrix_products,
    sum_dtype,
    to_element,
)
from stablemate.dialects.stablehlo.regions import ArrayFunction
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.numerics import complex_math
from stablemate.numerics.elements import Array, ComplexType, DType, ElementType, FloatType
from stablemate.numerics.rounding import converter

# Half and double of it have 0.78 to 0.98 and 1.01 to 1.11 of the speed (sums of 2^20 floats, of a
# matrix by rows and by columns, and of a row; an Intel Xeon).
CACHED: Final = 1 << 15  # elements of an array that stays in the cache

# Of matrices (..., m, k) and (..., k, n), formed in a type.
MatrixProducts: TypeAlias = Callable[[Array, Array, DType], Array]


def fold(
    body: ArrayFunction, starts: Sequence[Array], terms: Iterator[Sequence[Array]]
) -> Sequence[Array]:
    """``body(...body(body(starts, terms[0]), terms[1])...)``, for any body."""
    total = starts
    for term in terms:
        total = body(*total, *term)
    return total


def slices(windows: Sequence[Array]) -> Iterator[Sequence[Array]]:
    """The slices of several arrays along their first dimension, together."""
    return ([window[k] for window in windows] for k in range(len(windows[0])))


def fold_by(combine: np.ufunc, start: object, terms: Array) -> Array:
    """``start``, then the slices of ``terms`` along its first dimension, combined in order.

    Args:
        combine: Rounds each result to the type of the terms.
        start: Of the shape of a slice, or a scalar.
        terms: ``(k, ...)``.
    """
    shape, width = terms.shape[1:], math.prod(terms.shape[1:])
    total = np.full(shape, start, terms.dtype).reshape(-1)
    rows = terms.reshape(len(terms), width)
    step = max(1, CACHED // max(1, width))
    for first in range(0, len(rows) if width else 0, step):
        part = rows[first : first + step]
        if len(part) == 1:
            total = combine(total, part[0])
        else:
            total = combine_in_order(combine, np.concatenate([total[np.newaxis], part]))
    return total.reshape(shape)


def combine_in_order(combine: np.ufunc, rows: Array) -> Array:
    """The rows of a matrix combined in order.

    NumPy adds up in pairs along the innermost dimension, and in order along all others.
    """
    if rows.shape[1] == 1:
        return np.asarray(combine.accumulate(rows[:, 0], dtype=rows.dtype)[-1:])
    return np.asarray(combine.reduce(np.ascontiguousarray(rows), axis=0, dtype=rows.dtype))


def ordered_products(lhs: Array, rhs: Array, sums: DType) -> Array:
    """Products of matrices ``(..., m, k)`` and ``(..., k, n)``: 0 plus one product after another.

    Products and sums are rounded to the type ``sums``, of floats or complex numbers.
    """
    batch = lhs.shape[:-2]
    total = np.zeros((math.prod(batch), lhs.shape[-2], rhs.shape[-1]), sums)
    add_products(
        total,
        lhs.astype(sums, copy=False).reshape(len(total), *lhs.shape[-2:]),
        rhs.astype(sums, copy=False).reshape(len(total), *rhs.shape[-2:]),
    )
    return total.reshape(*batch, *total.shape[1:])


def product_of(
    left: ElementType, right: ElementType, element: ElementType, products: MatrixProducts
) -> Callable[[Array, Array], Array]:
    """The product of matrices of two element types with results of a third.

    In the order of the reference interpreter, operands are converted to the type of the results,
    in which they are multiplied and added up.
    """
    if not has_order(element):
        products = matrix_products
    if products is ordered_products:
        convert_left, convert_right = converter(left, element), converter(right, element)

        def in_order(lhs: Array, rhs: Array) -> Array:
            return products(convert_left(lhs), convert_right(rhs), element.dtype)

        return in_order
    sums = sum_dtype(element, left, right)

    def product(lhs: Array, rhs: Array) -> Array:
        return to_element(products(lhs, rhs, sums), element)

    return product


def has_order(element: ElementType) -> bool:
    """Whether the order of a sum shows: not in one of integers."""
    return isinstance(element, FloatType | ComplexType)


def add_products(total: Array, lhs: Array, rhs: Array) -> None:
    """Adds to ``total`` the products of matrices of its type, in the order of the inner dimension.

    Args:
        total: ``(b, m, n)``; changed in place.
        lhs: ``(b, m, k)``.
        rhs: ``(b, k, n)``.
    """
    if not total.size:
        return
    left = np.ascontiguousarray(np.moveaxis(lhs, -1, 0))[..., np.newaxis]
    right = np.ascontiguousarray(np.moveaxis(rhs, -2, 0))[:, :, np.newaxis]
    for matrices, rows in cached_blocks(total.shape):
        part = total[matrices, rows]
        step = max(1, CACHED // part.size)
        for first in range(0, len(left), step):
            inner = slice(first, first + step)
            products = multiply_elements(left[inner, matrices, rows], right[inner, matrices])
            if len(products) == 1:
                np.add(part, products[0], out=part)
            else:
                part[...] = fold_by(np.add, part, products)


def cached_blocks(shape: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """Blocks of matrices of a shape ``(b, m, n)``: which matrices, and which of their rows."""
    batch, rows, columns = shape
    row_count = min(rows, max(1, CACHED // columns))
    matrix_count = max(1, CACHED // (rows * columns))
    for first in range(0, batch, matrix_count):
        for row in range(0, rows, row_count):
            yield slice(first, first + matrix_count), slice(row, row + row_count)


def multiply_elements(x: Array, y: Array) -> Array:
    """The products of elements; complex ones are not fused, as NumPy's are."""
    if x.dtype.kind == "c":
        return complex_math.multiply(x, y)
    return np.asarray(np.multiply(x, y))


def ordered_window_products(
    padded: Array,
    kernel: Array,
    windows: WindowDimensions,
    counts: Sequence[int],
    reversal: Sequence[int],
) -> Array:
    """The products of every window with the kernel of its group, in the order of the kernel.

    Args:
        padded: ``(batch, *spatial, groups, in)``.
        kernel: ``(*sizes, in, groups, out)``, of the same type.
        windows: On the spatial dimensions.
        counts: Number of windows along each of them.
        reversal: The spatial dimensions in which the windows are reversed.

    Returns:
        ``(batch, *counts, groups, out)``.
    """
    batch, (groups, features), n = padded.shape[0], padded.shape[-2:], len(counts)
    size, rows, columns = math.prod(windows.sizes), batch * math.prod(counts), kernel.shape[-1]
    total = np.zeros((groups, rows, columns), padded.dtype)
    if rows * groups * size * features <= GATHERED_ELEMENTS:
        view = np.flip(windows.view(padded, counts, 1), tuple(1 + n + d for d in reversal))
        left = np.moveaxis(view, -2, 0).reshape(groups, rows, size * features)
        right = kernel.reshape(size * features, groups, columns)
        add_products(total, left, np.moveaxis(right, 1, 0))
    else:
        for position in windows.positions():
            reversed_position = [
                windows.sizes[d] - 1 - i if d in reversal else i for d, i in enumerate(position)
            ]
            part = windows.at(padded, counts, reversed_position, 1)
            left = np.moveaxis(part, -2, 0).reshape(groups, rows, features)
            add_products(total, left, np.moveaxis(kernel[position], 1, 0))
    return np.moveaxis(total, 0, 1).reshape(batch, *counts, groups, columns)
