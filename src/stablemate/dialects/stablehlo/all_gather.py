"""stablehlo.all_gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.collectives import (
    Collective,
    global_ids_have_channel,
    global_ids_have_groups,
    group_size,
    ids_are_consecutive,
    ids_are_unique,
    known_group_size,
    mesh_is_defined,
    scale_dimension,
)
from stablemate.ir.definition import (
    Check,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.exchange import CollectiveExchange, OperandPiece, Shape, slice_along
from stablemate.ir.grid import Strategy
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64, TENSOR, UNIT_KIND
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.all_gather",
    effects=True,
    family=Family.EXTERNAL,
    work=NO_WORK,
    traits=Trait.ASYNCHRONOUS,
)
class AllGather(Collective):
    """Concatenates ``operands`` of all processes of a group along ``all_gather_dim``.

    results...@process = concatenate([operands...@sender for sender in group], all_gather_dim)

    Source: StableHLO specification, all_gather.
    """

    __slots__ = ()
    summary_attributes = ("all_gather_dim",)
    size_rule: ClassVar[str] = "C3"
    uniform_results: ClassVar[bool] = True
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    all_gather_dim = define.attribute("I2", SI64)
    replica_groups = define.attribute("I3", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I4", CHANNEL_HANDLE)
    use_global_device_ids = define.default_attribute("I5", UNIT_KIND, False)
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C6", shape="C6"
    ).with_name("results")

    @constraint
    def c1(self) -> Check:
        """0 <= all_gather_dim < rank(operands...)"""
        ranks = [value.type.rank for value in self.inputs]
        fits = self.all_gather_dim >= 0 and all(self.all_gather_dim < rank for rank in ranks)
        return holds(fits, all_gather_dim=self.all_gather_dim, ranks=ranks)

    @constraint
    def i3(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c2(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c3(self) -> Check:
        """0 < size(replica_groups) if use_global_device_ids"""
        return global_ids_have_groups(self)

    @constraint
    def c4(self) -> Check:
        """0 <= replica_groups < size(replica_groups)"""
        return ids_are_consecutive(self)

    @constraint
    def c5(self) -> Check:
        """If use_global_device_ids = true, then channel_id > 0"""
        return global_ids_have_channel(self)

    @constraint
    def c6(self) -> Check:
        """type(results...) = type(operands...) except
        dim(results..., all_gather_dim) = dim(operands..., all_gather_dim) * dim(process_groups, 1)
        """
        operands = [value.type for value in self.inputs]
        results = [value.type for value in self.results]
        fits = len(operands) == len(results) and all(map(self.fits, operands, results))
        operand_texts, result_texts = list(map(str, operands)), list(map(str, results))
        return holds(fits, operands=operand_texts, results=result_texts, group=group_size(self))

    def fits(self, operand: TensorType, result: TensorType) -> bool:
        """Whether a result fits what groups of this size gather; empty operands are rejected."""
        d, size = self.all_gather_dim, group_size(self)
        if operand.element_type != result.element_type or operand.rank != result.rank:
            return False
        before, after = operand.shape[d], result.shape[d]
        expected = (*operand.shape[:d], after, *operand.shape[d + 1 :])
        if before == 0 or not same_shape(result.shape, expected):
            return False
        if size is None or DYNAMIC in (before, after):
            return DYNAMIC in (before, after) or after % before == 0
        times, rest = divmod(after, before * size)
        with_partitions = self.strategy is Strategy.CROSS_REPLICA_AND_PARTITION
        return rest == 0 and (with_partitions or times == 1)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the operand, as often along a dimension as a group has processes."""
        group = known_group_size(self)
        if group is None:
            return None
        return scale_dimension(self, self.all_gather_dim, lambda size: size * group)

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """Every member has all operands, in the order of the group."""
        columns = zip(*operands, strict=True)
        return pack_results([np.concatenate(column, self.all_gather_dim) for column in columns])

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """Operands are placed side by side in the result."""
        d = self.all_gather_dim
        results = [(*shape[:d], shape[d] * size, *shape[d + 1 :]) for shape in shapes]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [
                OperandPiece(k, target=slice_along(d, sender, shape[d]))
                for k, shape in enumerate(shapes)
            ]

        return CollectiveExchange(size, shapes, results, pieces)
