"""stablehlo.reduce_scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.collectives import (
    ReducingCollective,
    global_ids_have_channel,
    global_ids_have_groups,
    group_size,
    ids_are_consecutive,
    ids_are_unique,
    known_group_size,
    mesh_is_defined,
    scale_dimension,
)
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import Check, RegionFunction, constraint, define, holds, op
from stablemate.ir.exchange import CollectiveExchange, OperandPiece, Shape, slice_along
from stablemate.ir.grid import Strategy
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64, TENSOR, UNIT_KIND
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC
from stablemate.numerics.elements import Array


@op(
    "stablehlo.reduce_scatter",
    effects=True,
    family=Family.EXTERNAL,
    traits=Trait.IMPLICIT_TERMINATOR | Trait.ASYNCHRONOUS | Trait.PROMOTING,
)
class ReduceScatter(ReducingCollective):
    """Combines ``operand`` of all processes of a group; each of them receives one part.

    result@process = split(all_reduce(operand), size(group), scatter_dimension)[i],
    i = group.index(process)

    Source: StableHLO specification, reduce_scatter.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C4"
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    scatter_dimension = define.attribute("I2", SI64)
    replica_groups = define.attribute("I3", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I4", CHANNEL_HANDLE)
    use_global_device_ids = define.default_attribute("I5", UNIT_KIND, False)
    computation = define.region("I6")
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED)

    @constraint
    def c2(self) -> Check:
        """0 <= scatter_dimension < rank(operand)"""
        rank = self.operand.type.rank
        fits = 0 <= self.scatter_dimension < rank
        return holds(fits, scatter_dimension=self.scatter_dimension, rank=rank)

    @constraint
    def i3(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c3(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c4(self) -> Check:
        """0 < size(replica_groups) if use_global_device_ids"""
        return global_ids_have_groups(self)

    @constraint
    def c5(self) -> Check:
        """0 <= replica_groups < size(replica_groups)"""
        return ids_are_consecutive(self)

    @constraint
    def c6(self) -> Check:
        """If use_global_device_ids = true, then channel_id > 0"""
        return global_ids_have_channel(self)

    @constraint
    def c1(self) -> Check:
        """dim(operand, scatter_dimension) % dim(process_groups, 1) = 0"""
        operand_size, size = self.operand.type.shape[self.scatter_dimension], group_size(self)
        fits = operand_size == DYNAMIC or size is None or operand_size % size == 0
        return holds(fits, size=operand_size, group=size)

    @constraint
    def c7(self) -> Check:
        """computation has type (tensor<E>, tensor<E>) -> (tensor<E>) where
        is_promotable(element_type(operand), E)
        """
        return self.combines([self.operand])

    @constraint
    def c8(self) -> Check:
        """shape(result) = shape(operand) except dim(result, scatter_dimension) =
        dim(operand, scatter_dimension) / dim(process_groups, 1)
        """
        operand, result = self.operand.type.shape, self.result.type.shape
        fits = len(operand) == len(result) and self.fits(operand, result)
        return holds(fits, operand=operand, result=result, group=group_size(self))

    def fits(self, operand: tuple[int, ...], result: tuple[int, ...]) -> bool:
        """Whether groups of this size scatter so; empty operands cannot be scattered."""
        d, size = self.scatter_dimension, group_size(self)
        operand_size, slice_along = operand[d], result[d]
        if not same_shape(result, (*operand[:d], slice_along, *operand[d + 1 :])) or 0 in (
            operand_size,
            slice_along,
        ):
            return False
        if size is None or DYNAMIC in (operand_size, slice_along):
            return DYNAMIC in (operand_size, slice_along) or operand_size % slice_along == 0
        times, rest = divmod(operand_size, slice_along * size)
        with_partitions = self.strategy is Strategy.CROSS_REPLICA_AND_PARTITION
        return rest == 0 and (with_partitions or times == 1)

    @constraint
    def c9(self) -> Check:
        """element_type(result) = E"""
        element = self.result.type.element_type
        return holds(element == self.element, result=element, computation=self.element)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the operand, divided along a dimension by the processes in a group."""
        group = known_group_size(self)
        if group is None:
            return None
        return scale_dimension(self, self.scatter_dimension, lambda size: size // group)

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """A member has its own part: only that part is combined."""
        d, count = self.scatter_dimension, len(operands)
        own = slice_along(d, position, self.part_size(operands[position][0].shape[d], count))
        return self.reduce_operand(0, [[values[0][own]] for values in operands], regions)

    def part_size(self, operand_size: int, count: int) -> int:
        """The size of the part of each of ``count`` members."""
        formula = "dim(operand, scatter_dimension) % dim(process_groups, 1) = 0"
        require(self, operand_size % count == 0, "C1", formula, size=operand_size, group=count)
        return operand_size // count

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """A member needs its part of all operands, combined."""
        d, (shape,) = self.scatter_dimension, shapes
        cut = self.part_size(shape[d], size)
        result = (*shape[:d], cut, *shape[d + 1 :])

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [OperandPiece(0, slice_along(d, receiver, cut))]

        return CollectiveExchange(size, shapes, [result], pieces, is_elementwise=True)
