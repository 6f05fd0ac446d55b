"""Sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.sort import Sort
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.movement import iota
from stablemate.frontends.tensor_functions.reductions import return_from
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit,
    emit_several,
    region,
)
from stablemate.numerics.elements import BOOLEAN, ElementType

Precedes = Callable[..., Tensor]  # two elements of each tensor, to whether the first ones precede


def sort(
    tensors: Sequence[Tensor], dimension: int, precedes: Precedes, *, stable: bool = True
) -> list[Tensor]:
    """Tensors of one shape, ordered together along a dimension.

    Args:
        tensors: The tensors.
        dimension: The dimension.
        precedes: Takes two elements of each tensor, those of the first tensor first.
        stable: Whether elements of which none precedes the other keep their order.
    """
    first = tensors[0]
    types: list[TypeLike] = [((), x.element) for x in tensors for _ in range(2)]

    def comparator(inner: TensorGraph, *arguments: Tensor) -> None:
        return_from(inner, [precedes(*arguments)])

    return emit_several(
        first.graph, Sort, [(x.shape, x.element) for x in tensors],
        inputs=[x.value for x in tensors], dimension=first.dimension(dimension), is_stable=stable,
        regions=[region(first.graph, types, comparator, captures=False)],
    )  # fmt: skip


def total_order(direction: ComparisonDirection, x: Tensor, y: Tensor) -> Tensor:
    """A comparison of floats in which NaN has a place: -NaN < -inf < -0 < 0 < inf < NaN."""
    kind = ComparisonType.TOTALORDER if x.is_float else None
    return emit(
        x.graph, Compare, x.shape, BOOLEAN, lhs=x.value, rhs=y.value,
        comparison_direction=direction, compare_type=kind,
    )  # fmt: skip


def sort_with_indices(
    x: Tensor, dimension: int, index: ElementType, *, descending: bool = False, stable: bool = True
) -> tuple[Tensor, Tensor]:
    """Elements in order along a dimension, and the index that each had; NaN is the largest.

    Zeros of both signs are equal, as are all NaN.
    """
    places = iota(x.graph, x.shape, x.dimension(dimension), index)

    def precedes(one: Tensor, other: Tensor, *_: Tensor) -> Tensor:
        before, after = (other, one) if descending else (one, other)
        is_less = before < after
        if x.is_float:
            is_less = is_less | (after.differs(after) & before.equals(before))
        return is_less

    values, indices = sort([x, places], dimension, precedes, stable=stable)
    return values, indices
