"""chlo.ragged_dot."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from stablemate.dialects.chlo.attributes import (
    PRECISION_CONFIG,
    RAGGED_DOT_DIMENSION_NUMBERS,
    RaggedDotDimensionNumbers,
)
from stablemate.dialects.stablehlo.dimensions import is_unique, is_within
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, INTEGER_TENSOR
from stablemate.ir.shapes import remaining_dimensions, same_shape, same_size
from stablemate.ir.traits import Family
from stablemate.ir.types import DYNAMIC, TensorType


class RaggedMode(Enum):
    """The kind of the dimension of lhs that is divided into groups."""

    FREE = "non-contracting"
    CONTRACTING = "contracting"
    BATCHING = "batching"


@op("chlo.ragged_dot", family=Family.CONTRACTION)
class RaggedDot(Op):
    """A dot in which one dimension of ``lhs`` is divided into groups of ``group_sizes``.

    With b, m, n, k the batching, free and contracting dimensions of a dot and g the groups:

    * m is ragged: rhs has a dimension g; result[b, m, n] multiplies row m by the matrix of its
      group, and is zero after the last group.
    * k is ragged: result[g, b, m, n] is the dot over the k of one group.
    * b is ragged: groups of batches, which does not change the result.

    Sizes are the same for all (``[g]``), or depend on the dimensions before the ragged one
    (``prefix_dimensions``).

    Source: CHLO dialect, ragged_dot.
    """

    __slots__ = ()
    lhs = define.operand("", ANY_TENSOR)
    rhs = define.operand("", ANY_TENSOR)
    group_sizes = define.operand("", INTEGER_TENSOR)
    ragged_dot_dimension_numbers = define.attribute("", RAGGED_DOT_DIMENSION_NUMBERS)
    precision_config = define.optional_attribute("", PRECISION_CONFIG)
    result = define.result(ANY_TENSOR)

    @property
    def numbers(self) -> RaggedDotDimensionNumbers:
        """The dimension numbers: batching, contracting, ragged and group dimensions."""
        return self.ragged_dot_dimension_numbers

    @constraint("precision_config")
    def precisions(self) -> Check:
        """size(precision_config) <= 2"""
        size = len(self.precision_config or ())
        return holds(size <= 2, size=size)

    @constraint("dimensions")
    def pairs(self) -> Check:
        """As many batching, and as many contracting dimensions of lhs as of rhs"""
        numbers = self.numbers
        batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        contracting = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
        fits = all(len(lhs) == len(rhs) for lhs, rhs in (batching, contracting))
        return holds(fits, batching=batching, contracting=contracting)

    @constraint("lhs dimensions")
    def lhs_dimensions(self) -> Check:
        """Batching and contracting dimensions of lhs are different dimensions of it"""
        numbers, rank = self.numbers, self.lhs.type.rank
        dimensions = numbers.lhs_batching_dimensions + numbers.lhs_contracting_dimensions
        fits = is_unique(dimensions) and is_within(dimensions, rank)
        return holds(fits, dimensions=dimensions, rank=rank)

    @constraint("rhs dimensions")
    def rhs_dimensions(self) -> Check:
        """Batching, contracting and group dimensions of rhs are different dimensions of it"""
        numbers, rank = self.numbers, self.rhs.type.rank
        dimensions = (
            numbers.rhs_batching_dimensions
            + numbers.rhs_contracting_dimensions
            + numbers.rhs_group_dimensions
        )
        fits = is_unique(dimensions) and is_within(dimensions, rank)
        return holds(fits, dimensions=dimensions, rank=rank)

    @constraint("lhs_ragged_dimensions")
    def one_ragged_dimension(self) -> Check:
        """size(lhs_ragged_dimensions) = 1, and 0 <= lhs_ragged_dimensions[0] < rank(lhs)"""
        dimensions, rank = self.numbers.lhs_ragged_dimensions, self.lhs.type.rank
        fits = len(dimensions) == 1 and is_within(dimensions, rank)
        return holds(fits, lhs_ragged_dimensions=dimensions, rank=rank)

    @constraint("rhs_group_dimensions")
    def group_dimensions(self) -> Check:
        """size(rhs_group_dimensions) is 1 if the ragged dimension is non-contracting, else 0"""
        dimensions, mode = self.numbers.rhs_group_dimensions, self.mode
        fits = len(dimensions) == (mode is RaggedMode.FREE)
        return holds(fits, rhs_group_dimensions=dimensions, mode=mode.value)

    @constraint("sizes")
    def matching_sizes(self) -> Check:
        """dim(lhs, batching and contracting...) = dim(rhs, batching and contracting...)"""
        numbers = self.numbers
        lhs = numbers.lhs_batching_dimensions + numbers.lhs_contracting_dimensions
        rhs = numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions
        lhs_sizes, rhs_sizes = sizes(self.lhs.type, lhs), sizes(self.rhs.type, rhs)
        return holds(same_shape(lhs_sizes, rhs_sizes), lhs=lhs_sizes, rhs=rhs_sizes)

    @constraint("group_sizes")
    def fitting_groups(self) -> Check:
        """shape(group_sizes) is [g], or the sizes of the dimensions before the ragged one and g;
        g = dim(rhs, rhs_group_dimensions[0]) if there is one
        """
        shape, prefix = self.group_sizes.type.shape, sizes(self.lhs.type, self.prefix_dimensions)
        groups = sizes(self.rhs.type, self.numbers.rhs_group_dimensions)
        fits = (
            len(shape) > 0
            and (len(shape) == 1 or same_shape(shape[:-1], prefix))
            and all(same_size(shape[-1], size) for size in groups)
        )
        return holds(fits, group_sizes=shape, prefix=prefix, groups=groups)

    @property
    def ragged(self) -> int:
        """The dimension of lhs that is divided into groups."""
        return self.numbers.lhs_ragged_dimensions[0]

    @property
    def mode(self) -> RaggedMode:
        """The kind of the ragged dimension."""
        if self.ragged in self.numbers.lhs_batching_dimensions:
            return RaggedMode.BATCHING
        if self.ragged in self.numbers.lhs_contracting_dimensions:
            return RaggedMode.CONTRACTING
        return RaggedMode.FREE

    @property
    def lhs_free(self) -> tuple[int, ...]:
        """The dimensions of lhs that are neither batching nor contracting."""
        numbers = self.numbers
        used = numbers.lhs_batching_dimensions + numbers.lhs_contracting_dimensions
        return remaining_dimensions(self.lhs.type.rank, used)

    @property
    def prefix_dimensions(self) -> tuple[int, ...]:
        """The dimensions of lhs on which group sizes may depend, in order."""
        batching, ragged = self.numbers.lhs_batching_dimensions, self.ragged
        match self.mode:
            case RaggedMode.BATCHING:
                return batching[: batching.index(ragged)]
            case RaggedMode.CONTRACTING:
                contracting = self.numbers.lhs_contracting_dimensions
                return batching + contracting[: contracting.index(ragged)]
            case RaggedMode.FREE:
                return batching + self.lhs_free[: self.lhs_free.index(ragged)]

    def infer(self) -> TensorType:
        """The dimensions of a dot, after those of the groups if they contract.

        The element type is free: by default that of lhs.
        """
        numbers, lhs, rhs = self.numbers, self.lhs.type, self.rhs.type
        used = (
            numbers.rhs_batching_dimensions
            + numbers.rhs_contracting_dimensions
            + numbers.rhs_group_dimensions
        )
        batching = [
            a if a != DYNAMIC else b
            for a, b in zip(
                sizes(lhs, numbers.lhs_batching_dimensions),
                sizes(rhs, numbers.rhs_batching_dimensions),
                strict=True,
            )
        ]
        groups = self.group_sizes.type.shape[-1:] if self.mode is RaggedMode.CONTRACTING else ()
        free = sizes(lhs, self.lhs_free) + sizes(rhs, remaining_dimensions(rhs.rank, used))
        element = (self.results[0] if self.results else self.lhs).type.element_type
        return TensorType((*groups, *batching, *free), element)


def sizes(tensor_type: TensorType, dimensions: Sequence[int]) -> tuple[int, ...]:
    """The sizes of some dimensions."""
    return tuple(tensor_type.shape[d] for d in dimensions)


OPERATIONS: Final[tuple[type[Op], ...]] = (RaggedDot,)
