"""stablehlo.collective_permute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from stablemate.dialects.stablehlo.attributes import CHANNEL_HANDLE
from stablemate.dialects.stablehlo.collectives import Collective, zeros
from stablemate.dialects.stablehlo.source_target_pairs import WithSourceTargetPairs
from stablemate.ir.definition import RegionFunction, define, op
from stablemate.ir.exchange import WHOLE, CollectiveExchange, OperandPiece, Shape
from stablemate.ir.grid import Grid, IdGroups, ProcessGroup, ProcessId, Strategy
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_MATRIX, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.collective_permute",
    effects=True,
    family=Family.EXTERNAL,
    work=NO_WORK,
    traits=Trait.ASYNCHRONOUS | Trait.SHARDED_ALIKE,
)
class CollectivePermute(WithSourceTargetPairs, Collective):
    """Sends ``operand`` of the source of each pair to its target.

    result@process = operand@groups[i, 0] if groups[i, 1] = process, else zeros

    Source: StableHLO specification, collective_permute.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = "C4"
    covers_grid: ClassVar[bool] = False
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    source_target_pairs = define.attribute("I2", SI64_MATRIX)
    channel_handle = define.optional_attribute("I3", CHANNEL_HANDLE)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C5", shape="C5")

    @property
    def strategy(self) -> Strategy:
        """Across replicas, or across partitions if there is a channel."""
        return Strategy.CROSS_PARTITION if self.channel_id > 0 else Strategy.CROSS_REPLICA

    @property
    def id_groups(self) -> IdGroups:
        """The pairs of source and target, which meet like groups."""
        return self.source_target_pairs

    def process_groups(self, grid: Grid) -> list[ProcessGroup]:
        """Pairs of processes; none if there are no pairs."""
        return super().process_groups(grid) if self.source_target_pairs else []

    def group_of(self, process: ProcessId, grid: Grid) -> ProcessGroup | None:
        """The pair of which a process is the target."""
        return next((pair for pair in self.process_groups(grid) if pair[1] == process), None)

    def infer(self) -> TensorType:
        """C5: the type of the operand."""
        return self.operand.type

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """The target, which is the second of a pair, has the source's operand."""
        return operands[0][0]

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """The source, which is the first of a pair, sends its operand to the target."""

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [OperandPiece(0, target=WHOLE)] if (sender, receiver) == (0, size - 1) else []

        return CollectiveExchange(size, shapes, shapes, pieces)

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """Returns zeros, the result of a process that is no target."""
        return zeros(np.shape(operands[0]), self.result.type)
