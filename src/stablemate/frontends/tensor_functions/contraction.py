"""Dots and convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
)
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike
from stablemate.frontends.tensor_functions.movement import reshape, swap_dimensions, transpose
from stablemate.frontends.tensor_functions.tensor import Tensor, broadcast_shape, emit
from stablemate.numerics.elements import ElementType


def dot_general(
    lhs: Tensor,
    rhs: Tensor,
    contracting: tuple[Sequence[int], Sequence[int]],
    batching: tuple[Sequence[int], Sequence[int]] = ((), ()),
    element: ElementType | None = None,
) -> Tensor:
    """Sums of products over pairs of dimensions; other pairs are batches.

    The result has the batches, then the other dimensions of ``lhs``, then those of ``rhs``.

    Args:
        lhs: The left operand.
        rhs: The right operand.
        contracting: The dimensions of both over which products are summed.
        batching: The dimensions of both that are batches.
        element: The element type of sums and results; by default that of ``lhs``.
    """
    sides = [(lhs, contracting[0], batching[0]), (rhs, contracting[1], batching[1])]
    shape: list[SizeLike] = [lhs.shape[dimension] for dimension in batching[0]]
    for side, summed, batches in sides:
        shape += [n for i, n in enumerate(side.shape) if i not in {*summed, *batches}]
    numbers = DotDimensionNumbers(
        tuple(batching[0]), tuple(batching[1]), tuple(contracting[0]), tuple(contracting[1])
    )
    return emit(
        lhs.graph, DotGeneral, shape, element or lhs.element, lhs=lhs.value, rhs=rhs.value,
        dot_dimension_numbers=numbers,
    )  # fmt: skip


def matmul(lhs: Tensor, rhs: Tensor, element: ElementType | None = None) -> Tensor:
    """The product of matrices of ``(..., n, k)`` and ``(..., k, m)``, whose batches are broadcast.

    A tensor of rank 1 is a row on the left, a column on the right.
    """
    if rhs.rank <= 1 or lhs.rank <= 1:
        return dot_general(lhs, rhs, ([lhs.rank - 1], [max(rhs.rank - 2, 0)]), element=element)
    if rhs.rank == 2:
        return dot_general(lhs, rhs, ([lhs.rank - 1], [0]), element=element)
    batches = broadcast_shape(lhs.shape[:-2], rhs.shape[:-2])
    x = lhs.broadcast_to((*batches, *lhs.shape[-2:]))
    y = rhs.broadcast_to((*batches, *rhs.shape[-2:]))
    count = len(batches)
    numbers = list(range(count))
    return dot_general(x, y, ([count + 1], [count]), (numbers, numbers), element)


def einsum(lhs: Tensor, lhs_labels: str, rhs: Tensor, rhs_labels: str, labels: str) -> Tensor:
    """Sums of products by labels of dimensions: ``einsum(x, "bik", y, "bkj", "bij")``.

    A label of both operands that the result has is a batch, one that it lacks is summed over; a
    label of a single operand is in the result.
    """
    shared = [label for label in lhs_labels if label in rhs_labels]
    batches = [label for label in labels if label in shared]
    summed = [label for label in shared if label not in labels]
    product = dot_general(
        lhs, rhs,
        ([lhs_labels.index(n) for n in summed], [rhs_labels.index(n) for n in summed]),
        ([lhs_labels.index(n) for n in batches], [rhs_labels.index(n) for n in batches]),
    )  # fmt: skip
    order = batches + [n for n in lhs_labels + rhs_labels if n not in shared]
    return transpose(product, [order.index(label) for label in labels])


@dataclass(frozen=True)
class ConvolutionWindows:
    """The windows of a convolution: a number for each spatial dimension.

    Attributes:
        strides: The distance of two windows.
        padding: How many elements are added before and after.
        lhs_dilation: The distance of two elements of the input.
        rhs_dilation: The distance of two elements of the kernel.
        reversal: Whether the kernel is reversed.
    """

    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    lhs_dilation: tuple[int, ...]
    rhs_dilation: tuple[int, ...]
    reversal: tuple[bool, ...] | None = None


def convolution(
    lhs: Tensor,
    rhs: Tensor,
    numbers: ConvDimensionNumbers,
    window: ConvolutionWindows,
    shape: Shape,
    *,
    feature_groups: int = 1,
    batch_groups: int = 1,
    element: ElementType | None = None,
) -> Tensor:
    """A convolution with a result of a known shape and element type, by default that of ``lhs``."""
    return emit(
        lhs.graph, Convolution, shape, element or lhs.element, lhs=lhs.value, rhs=rhs.value,
        window_strides=window.strides, padding=window.padding,
        lhs_dilation=window.lhs_dilation, rhs_dilation=window.rhs_dilation,
        window_reversal=window.reversal, dimension_numbers=numbers,
        feature_group_count=feature_groups, batch_group_count=batch_groups,
    )  # fmt: skip


def channels_first(spatial: int, *, transposed: bool = False) -> ConvDimensionNumbers:
    """The dimensions of ``(n, c, *spatial)`` inputs with kernels ``(o, i, *spatial)``.

    Args:
        spatial: The number of spatial dimensions.
        transposed: Whether kernels are ``(i, o, *spatial)``.
    """
    places = tuple(range(2, 2 + spatial))
    return ConvDimensionNumbers(
        0, 1, places, int(not transposed), int(transposed), places, 0, 1, places
    )


def group_outputs(weight: Tensor, groups: int) -> Tensor:
    """A kernel (c, o / groups, ...) as (o, c / groups, ...)."""
    if groups == 1:
        return swap_dimensions(weight, 0, 1)
    inputs, outputs = weight.shape[0] // groups, weight.shape[1]
    rest = weight.shape[2:]
    grouped = swap_dimensions(reshape(weight, (groups, inputs, outputs, *rest)), 1, 2)
    return reshape(grouped, (groups * outputs, inputs, *rest))


def times(x: Tensor, weight: Tensor) -> Tensor:
    """Rows (batch, in) times a weight (out, in), transposed."""
    return dot_general(x, weight.within(x.graph), ([1], [1]))


def times_transposed(x: Tensor, weight: Tensor) -> Tensor:
    """Rows (batch, out) times a weight (out, in)."""
    return dot_general(x, weight.within(x.graph), ([1], [0]))
