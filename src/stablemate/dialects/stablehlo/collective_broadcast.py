"""stablehlo.collective_broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE, REPLICA_GROUPS
from stablemate.dialects.stablehlo.collectives import (
    Collective,
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
from stablemate.dialects.stablehlo.source_target_pairs import within_grid
from stablemate.ir.definition import (
    Check,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.exchange import WHOLE, CollectiveExchange, OperandPiece, Shape
from stablemate.ir.grid import Strategy
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR, UNIT_KIND
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.collective_broadcast",
    effects=True,
    family=Family.EXTERNAL,
    work=NO_WORK,
    traits=Trait.ASYNCHRONOUS | Trait.SHARDED_ALIKE,
)
class CollectiveBroadcast(Collective):
    """Sends ``operands`` of one process of a group, its root, to all of them.

    results[j]@process = operands[j]@group[root(j)] if the process is in a group, else zeros;
    root(j) = has_dynamic_root ? operands[-1][j] : 0

    Source: StableHLO specification, collective_broadcast.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C2"
    covers_grid: ClassVar[bool] = False
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    replica_groups = define.attribute("I2", REPLICA_GROUPS)
    channel_handle = define.optional_attribute("I3", CHANNEL_HANDLE)
    has_dynamic_root = define.default_attribute("I4", UNIT_KIND, False)
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C3", shape="C3"
    ).with_name("results")

    @constraint
    def i2(self) -> Check:
        """replica_groups name axes of a mesh that is defined"""
        return mesh_is_defined(self)

    @constraint
    def c2(self) -> Check:
        """0 <= replica_groups < N"""
        groups = self.replica_groups
        return within_grid(groups, "replica_groups") if isinstance(groups, tuple) else None

    @constraint
    def c1(self) -> Check:
        """is_unique(replica_groups)"""
        return ids_are_unique(self)

    @constraint
    def c3(self) -> Check:
        """size(operands) >= 1 if has_dynamic_root = false"""
        return None if self.has_dynamic_root else enough_operands(self)

    @constraint
    def c4(self) -> Check:
        """size(operands) >= 2 and type(operands[-1]) = tensor<[size(operands)-1]xi32>
        if has_dynamic_root = true
        """
        return roots_fit(self) if self.has_dynamic_root else None

    @constraint
    def c5(self) -> Check:
        """size(results) = size(operands) - (has_dynamic_root ? 1 : 0)"""
        results, operands = len(self.results), len(data_operands(self))
        return holds(results == operands, results=results, operands=len(self.operands))

    @property
    def strategy(self) -> Strategy:
        """Across replicas, or across partitions if there is a channel."""
        return Strategy.CROSS_PARTITION if self.channel_id > 0 else Strategy.CROSS_REPLICA

    def infer(self) -> Sequence[TensorType]:
        """C3, C4: the types of the operands, the roots aside."""
        return [value.type for value in data_operands(self)]

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """Every member has the operands of the root.

        Raises:
            EvaluationError: C6: a root is not a member of the group.
        """
        count, own = len(data_operands(self)), operands[position]
        roots = [root_of(self, own, j, len(operands), "C6") for j in range(count)]
        return pack_results([operands[root][j] for j, root in enumerate(roots)])

    @property
    def routing_operand(self) -> int | None:
        """The operand that holds the roots."""
        return roots_operand(self)

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """A member needs operands of their roots."""
        roots, data = roots_of(self, routing, size, "C6"), shapes[: len(data_operands(self))]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            seen = enumerate(roots[receiver])
            return [OperandPiece(j, target=WHOLE) for j, root in seen if root == sender]

        return CollectiveExchange(size, shapes, data, pieces)

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """Returns zeros, the result of a process in no group."""
        data = operands[: len(data_operands(self))]
        pairs = zip(data, self.results, strict=True)
        return pack_results([zeros(np.shape(operand), result.type) for operand, result in pairs])
