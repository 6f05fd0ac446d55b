"""The algorithms of dot_general.

Source: StableHLO specification, dot_general, I8 to I14; "Leveraging the bfloat16 Artificial
Intelligence Datatype For Higher-Precision Computations", arXiv:1904.06376.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.contraction import sum_dtype
from stablemate.dialects.stablehlo.ordered_sums import MatrixProducts
from stablemate.numerics.elements import BF16, F16, F32, F64, Array, FloatType
from stablemate.numerics.rounding import round_float

TF32: Final = FloatType("tf32")

# lhs, rhs, accumulation, component counts, primitive operations, imprecise accumulation
SUPPORTED: Final = frozenset(
    {
        (F16, F16, F16, 1, 1, 1, False),
        (F16, F16, F32, 1, 1, 1, False),
        (BF16, BF16, BF16, 1, 1, 1, False),
        (BF16, BF16, F32, 1, 1, 1, False),
        (BF16, BF16, F32, 1, 1, 3, False),
        (BF16, BF16, F32, 1, 1, 6, False),
        (BF16, BF16, F32, 3, 3, 6, False),  # as the specification writes the one above
        (BF16, BF16, F32, 1, 1, 9, False),
        (TF32, TF32, F32, 1, 1, 1, False),
        (TF32, TF32, F32, 1, 1, 3, False),
        (F32, F32, F32, 1, 1, 1, False),
        (F64, F64, F64, 1, 1, 1, False),
    }
)
FLOATS_OF_8_BITS: Final = frozenset(
    FloatType(f"f8{name}")
    for name in ("E5M2", "E4M3", "E4M3FN", "E5M2FNUZ", "E4M3FNUZ", "E4M3B11FNUZ", "E3M4")
)
# For a number of primitive operations: which components of lhs and rhs are multiplied besides the
# first two, those with the smallest products first.
SMALL_PRODUCTS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: (),
    3: ((1, 0), (0, 1)),
    6: ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1)),
    9: ((2, 2), (2, 1), (1, 2), (2, 0), (1, 1), (0, 2), (1, 0), (0, 1)),
}
TF32_LOST_BITS: Final = 13  # of the significand of an f32


def is_known(algorithm: DotAlgorithm) -> bool:
    """Whether some hardware is known to support an algorithm."""
    types = (
        algorithm.lhs_precision_type,
        algorithm.rhs_precision_type,
        algorithm.accumulation_type,
    )
    counts = (
        algorithm.lhs_component_count,
        algorithm.rhs_component_count,
        algorithm.num_primitive_operations,
    )
    if {*types[:2]} <= FLOATS_OF_8_BITS:
        return types[2] == F32 and counts == (1, 1, 1)
    return (*types, *counts, algorithm.allow_imprecise_accumulation) in SUPPORTED


def algorithm_products(
    algorithm: DotAlgorithm, element: FloatType, products: MatrixProducts
) -> Callable[[Array, Array], Array]:
    """The product of matrices ``(..., m, k)`` and ``(..., k, n)`` by a known algorithm.

    The operands are rounded to its precision types, or divided into components of these types
    that add up to them. Sums are formed in 32 bits at least and rounded once to the accumulation
    type, then to the element type of the result. ``products`` multiplies the matrices.
    """
    pairs = SMALL_PRODUCTS[algorithm.num_primitive_operations]
    depth = 1 + max((i for i, _ in pairs), default=0)
    lhs_type, rhs_type, accumulation = (
        float_type(name)
        for name in (
            algorithm.lhs_precision_type,
            algorithm.rhs_precision_type,
            algorithm.accumulation_type,
        )
    )
    sums = sum_dtype(accumulation)

    def product(lhs: Array, rhs: Array) -> Array:
        left, right = components(lhs, lhs_type, depth), components(rhs, rhs_type, depth)
        total = products(left[0], right[0], sums)
        if pairs:
            small = sum(products(left[i], right[j], sums) for i, j in pairs)
            total = total + np.where(
                np.isnan(small), 0, small
            )  # infinity has no smaller components
        return np.asarray(round_float(round_float(total, accumulation), element))

    return product


def float_type(precision: object) -> FloatType:
    """A type of an algorithm; in all known ones it is a floating-point type."""
    assert isinstance(precision, FloatType)
    return precision


def components(x: Array, precision: FloatType, count: int) -> list[Array]:
    """Numbers of a precision whose sum is, nearly, x; the largest first."""
    rest = x.astype(np.float64 if precision == F64 else np.float32)
    parts: list[Array] = []
    for _ in range(count):
        part = round_to_precision(rest, precision)
        parts.append(part)
        rest = np.where(np.isfinite(part), rest - part, 0).astype(rest.dtype)
    return parts


def round_to_precision(x: Array, precision: FloatType) -> Array:
    """Floats of 32 or 64 bits, rounded to a precision but kept in their type."""
    if precision != TF32:
        return np.asarray(round_float(x, precision)).astype(x.dtype)
    bits = x.view(np.uint32)
    odd = (bits >> TF32_LOST_BITS) & 1
    half = np.uint32((1 << (TF32_LOST_BITS - 1)) - 1)
    nearest = (bits + half + odd) & ~np.uint32((1 << TF32_LOST_BITS) - 1)
    return np.where(np.isfinite(x), nearest, bits).view(np.float32)
