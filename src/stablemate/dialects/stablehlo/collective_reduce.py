"""stablehlo.collective_reduce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.collectives import (
    ReducingCollective,
    global_ids_have_channel,
    ids_are_unique,
    mesh_is_defined,
    zeros,
)
from stablemate.dialects.stablehlo.roots import (
    data_operands,
    enough_operands,
    root_of,
    roots_fit,
    roots_of,
    roots_operand,
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
from stablemate.ir.exchange import CollectiveExchange, OperandPiece, Shape
from stablemate.ir.grid import PADDING_ID, Strategy
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR, UNIT_KIND
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.collective_reduce", effects=True, family=Family.EXTERNAL, traits=Trait.ASYNCHRONOUS)
class CollectiveReduce(ReducingCollective):
    """Combines ``operands`` of all processes of a group, for one of them, the root.

    results[j]@group[root(j)] = the in-order fold of operands[j]@sender for sender in group, and
    zeros elsewhere; root(j) = has_dynamic_root ? operands[-1][j] : 0

    The specification's formula gives the operand of the first process; this follows its examples.

    Source: StableHLO specification, collective_reduce.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C2"
    covers_grid: ClassVar[bool] = False
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    replica_groups = define.attribute("I2", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I3", CHANNEL_HANDLE)
    has_dynamic_root = define.default_attribute("I4", UNIT_KIND, False)
    use_global_device_ids = define.default_attribute("", UNIT_KIND, False)
    computation = define.region("I5")
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C4", shape="C3"
    ).with_name("results")

    @constraint
    def i2(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c1(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c2(self) -> Check:
        """0 <= replica_groups < N"""
        groups = self.replica_groups
        fits = not isinstance(groups, tuple) or all(i >= PADDING_ID for row in groups for i in row)
        return holds(fits, replica_groups=groups)

    @constraint("use_global_device_ids")
    def global_ids(self) -> Check:
        """If use_global_device_ids = true, then channel_id > 0"""
        return global_ids_have_channel(self)

    @constraint
    def c3(self) -> Check:
        """size(operands) >= 1; if has_dynamic_root = true also
        type(operands[-1]) = tensor<[size(operands)-1]xi32>
        """
        return roots_fit(self) if self.has_dynamic_root else enough_operands(self)

    @constraint
    def c4(self) -> Check:
        """computation has type (tensor<E>, tensor<E>) -> (tensor<E>) where
        is_promotable(element_type(operand), E)
        """
        return self.combines(data_operands(self))

    @property
    def strategy(self) -> Strategy:
        """Across replicas; with a channel across partitions, or between processes by their ids."""
        if self.channel_id <= 0:
            return Strategy.CROSS_REPLICA
        flat = self.use_global_device_ids
        return Strategy.FLATTENED_IDS if flat else Strategy.CROSS_PARTITION

    def infer(self) -> Sequence[TensorType]:
        """C3, C4: the shapes of the operands, the roots aside; the elements of the computation."""
        return self.reduced_types(data_operands(self))

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """The root has the combined operands, all others zeros.

        Raises:
            EvaluationError: A root is not a member of the group.
        """
        own = operands[position]
        results = list(self.zeros(own))
        for j in range(len(results)):
            if root_of(self, own, j, len(operands), "C3") == position:
                results[j] = self.reduce_operand(j, operands, regions)
        return pack_results(results)

    @property
    def routing_operand(self) -> int | None:
        """The operand that holds the roots."""
        return roots_operand(self)

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """A root needs what it combines."""
        roots, data = roots_of(self, routing, size, "C3"), shapes[: len(data_operands(self))]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [OperandPiece(j) for j, root in enumerate(roots[receiver]) if root == receiver]

        return CollectiveExchange(size, shapes, data, pieces, is_elementwise=True)

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """Returns zeros, the result of a process in no group."""
        return pack_results(self.zeros(operands))

    def zeros(self, operands: Sequence[Array]) -> list[Array]:
        """The results of a process that receives nothing."""
        pairs = zip(operands, self.results, strict=False)
        return [zeros(np.shape(operand), result.type) for operand, result in pairs]
