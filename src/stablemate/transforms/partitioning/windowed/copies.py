"""Reshapes of what consists of copies, as tiles do: devices make the copies that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.transforms.partitioning.division import FactorAxes

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.reshape import Reshape
    from stablemate.ir.builder import Builder
    from stablemate.transforms.partitioning.partitioner import Partitioner


def reshape(self: Partitioner, operation: Reshape, builder: Builder) -> bool:
    """The operand is divided as propagation divides the result.

    The rows of one copy would be no range of a dimension that is merged from copies.
    """
    operand = self.partitioned[operation.operand]
    target = self.propagated_result(operation)
    if operand.materialize is None or operand.is_windowed or target is None:
        return False
    axes = FactorAxes(operation, self.rule(operation))
    try:
        axes.follow_result(target)
        before, after = (axes.placement(m) for m in (*axes.rule.operands, *axes.rule.results))
    except UnsupportedError:
        return False
    if after == target:
        self.emit(operation, builder, [self.shard(builder, operand, before)], [before], [after])
    return after == target
