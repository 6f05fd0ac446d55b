"""The shapes that upstream infers for operations of CHLO that broadcast two operands.

They are less specific than the operands determine: upstream merges bounds only if no size is
unknown without one, ignores them beside ``broadcast_dimensions``, and lets shapes that cannot be
broadcast pass with a result of any rank.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.types import DYNAMIC, BoundsAttribute, TensorType, UnrankedTensorType


@dataclass(frozen=True)
class DimensionExtent:
    """A dimension: its size, or the bound of its size."""

    size: int
    is_bound: bool = False


def broadcast_result(
    lhs: TensorType | UnrankedTensorType,
    rhs: TensorType | UnrankedTensorType,
    dimensions: Sequence[int] | None,
) -> TensorType | UnrankedTensorType:
    """The result of two operands, with the elements of the first one."""
    unknown = UnrankedTensorType(lhs.element_type)
    if not isinstance(lhs, TensorType) or not isinstance(rhs, TensorType):
        return unknown
    if dimensions is not None:
        shape = shape_along(lhs.shape, rhs.shape, dimensions)
    elif all(x.is_static or isinstance(x.encoding, BoundsAttribute) for x in (lhs, rhs)):
        extents = merged_extents(extents_of(lhs), extents_of(rhs))
        return unknown if extents is None else type_of(extents, lhs)
    else:
        shape = merged_sizes(lhs.shape, rhs.shape)
    return unknown if shape is None else TensorType(tuple(shape), lhs.element_type)


def shape_along(
    lhs: Sequence[int], rhs: Sequence[int], dimensions: Sequence[int]
) -> list[int] | None:
    """The shape of the larger operand, along some dimensions merged with that of the other one."""
    small, large = (rhs, lhs) if len(lhs) > len(rhs) else (lhs, rhs)
    if len(dimensions) != len(small) or not all(0 <= d < len(large) for d in dimensions):
        return None
    merged = merged_sizes(small, [large[d] for d in dimensions])
    if merged is None:
        return None
    shape = list(large)
    for d, size in zip(dimensions, merged, strict=True):
        shape[d] = size
    return shape


def merged_sizes(a: Sequence[int], b: Sequence[int]) -> list[int] | None:
    """MLIR's broadcast of shapes; None if they have no common one."""
    rank = max(len(a), len(b))
    pairs = zip((*(1,) * (rank - len(a)), *a), (*(1,) * (rank - len(b)), *b), strict=True)
    sizes = [merged_size(x, y) for x, y in pairs]
    return None if None in sizes else [size for size in sizes if size is not None]


def merged_size(a: int, b: int) -> int | None:
    """The size to which two sizes broadcast: beside an unknown size, one above 1 determines it."""
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if DYNAMIC not in (a, b):
        return None
    return max(a, b) if max(a, b) > 1 else DYNAMIC


def merged_extents(
    a: Sequence[DimensionExtent], b: Sequence[DimensionExtent]
) -> list[DimensionExtent] | None:
    """The dimensions to which operands with sizes or bounds broadcast."""
    rank, one = max(len(a), len(b)), (DimensionExtent(1),)
    merged: list[DimensionExtent] = []
    for x, y in zip((*one * (rank - len(a)), *a), (*one * (rank - len(b)), *b), strict=True):
        if 1 not in (x.size, y.size) and x != y:
            return None
        merged.append(y if x.size == 1 else x)
    return merged


def extents_of(operand: TensorType) -> list[DimensionExtent]:
    """The dimensions of an operand."""
    bounds = operand.bounds or operand.shape
    return [
        DimensionExtent(bound, is_bound=True) if size == DYNAMIC else DimensionExtent(size)
        for size, bound in zip(operand.shape, bounds, strict=True)
    ]


def type_of(extents: Sequence[DimensionExtent], operand: TensorType) -> TensorType:
    """The type with these dimensions and the elements of an operand."""
    shape = tuple(DYNAMIC if extent.is_bound else extent.size for extent in extents)
    return bound_dimensions(
        TensorType(shape, operand.element_type), [extent.size for extent in extents]
    )
