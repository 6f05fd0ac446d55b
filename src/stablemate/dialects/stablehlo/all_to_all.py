"""stablehlo.all_to_all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.collectives import (
    Collective,
    group_size,
    ids_are_consecutive,
    ids_are_unique,
    mesh_is_defined,
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
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64, TENSOR
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.all_to_all",
    effects=True,
    family=Family.EXTERNAL,
    work=NO_WORK,
    traits=Trait.ASYNCHRONOUS,
)
class AllToAll(Collective):
    """Splits ``operands`` of each process of a group and sends one part to every process.

    results...@process = concatenate([split(operands...@sender, split_count, split_dimension)[i]
    for sender in group], concat_dimension), i = group.index(process)

    Source: StableHLO specification, all_to_all.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C6"
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    split_dimension = define.attribute("I2", SI64)
    concat_dimension = define.attribute("I3", SI64)
    split_count = define.attribute("I4", SI64)
    replica_groups = define.attribute("I5", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I6", CHANNEL_HANDLE)
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C9", shape="C9"
    ).with_name("results")

    @constraint
    def c1(self) -> Check:
        """0 <= split_dimension < rank(operands...)"""
        ranks = [value.type.rank for value in self.inputs]
        fits = self.split_dimension >= 0 and all(self.split_dimension < rank for rank in ranks)
        return holds(fits, split_dimension=self.split_dimension, ranks=ranks)

    @constraint
    def c3(self) -> Check:
        """0 <= concat_dimension < rank(operands...)"""
        ranks = [value.type.rank for value in self.inputs]
        fits = self.concat_dimension >= 0 and all(self.concat_dimension < rank for rank in ranks)
        return holds(fits, concat_dimension=self.concat_dimension, ranks=ranks)

    @constraint
    def c4(self) -> Check:
        """0 < split_count"""
        return holds(self.split_count > 0, split_count=self.split_count)

    @constraint
    def c2(self) -> Check:
        """dim(operands..., split_dimension) % split_count = 0"""
        sizes = [value.type.shape[self.split_dimension] for value in self.inputs]
        fits = all(size == DYNAMIC or size % self.split_count == 0 for size in sizes)
        return holds(fits, sizes=sizes, split_count=self.split_count)

    @constraint
    def i5(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c5(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c7(self) -> Check:
        """0 <= replica_groups < size(replica_groups)"""
        return ids_are_consecutive(self)

    @constraint
    def c8(self) -> Check:
        """dim(replica_groups, 1) = split_count"""
        size = group_size(self)
        is_known = size is not None or isinstance(self.replica_groups, tuple)
        fits = not is_known or size == self.split_count
        return holds(fits, size=size or 0, split_count=self.split_count)

    @property
    def strategy(self) -> Strategy:
        """Across replicas, or across partitions if there is a channel."""
        return Strategy.CROSS_PARTITION if self.channel_id > 0 else Strategy.CROSS_REPLICA

    def infer(self) -> Sequence[TensorType]:
        """C9: one dimension becomes shorter, the other longer."""
        return [self.exchanged_type(value.type) for value in self.inputs]

    def exchanged_type(self, operand: TensorType) -> TensorType:
        """The type of the result for an operand."""
        bounds = operand.bounds or (DYNAMIC,) * operand.rank
        shape = operand.with_shape(self.exchanged_sizes(operand.shape))
        return bound_dimensions(shape, self.exchanged_sizes(bounds))

    def exchanged_sizes(self, sizes: Sequence[int]) -> list[int]:
        """The sizes (or bounds) of the result for those of an operand."""
        result = list(sizes)
        for d, numerator, denominator in (
            (self.split_dimension, 1, self.split_count),
            (self.concat_dimension, self.split_count, 1),
        ):
            if result[d] != DYNAMIC:
                result[d] = result[d] * numerator // denominator
        return result

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """A member has its own part of every operand of all members."""
        results: list[Array] = []
        for column in zip(*operands, strict=True):
            parts = [np.split(x, self.split_count, self.split_dimension)[position] for x in column]
            results.append(np.concatenate(parts, self.concat_dimension))
        return pack_results(results)

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """The receiver's part is placed according to the sender's number."""
        s, c, count = self.split_dimension, self.concat_dimension, self.split_count
        results = [tuple(self.exchanged_sizes(shape)) for shape in shapes]
        splits = [shape[s] // count for shape in shapes]
        joined = [result[c] // count for result in results]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [
                OperandPiece(
                    k, slice_along(s, receiver, splits[k]), slice_along(c, sender, joined[k])
                )
                for k in range(len(shapes))
            ]

        return CollectiveExchange(size, shapes, results, pieces)
