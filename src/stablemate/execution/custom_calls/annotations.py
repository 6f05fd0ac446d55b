"""Annotations: custom calls that specify where or how a value is kept, and return it unchanged.

A process holds whole values, so sharding, placement and layout change nothing. Boundaries, at which
whole values become shards, are rewritten as manual computations before a program runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.execution.custom_calls.call import Target, TargetCall


def identity(operands: Sequence[object], call: TargetCall) -> tuple[object, ...]:
    """The operands.

    Raises:
        EvaluationError: The results are not of their number.
    """
    if len(operands) != len(call.result_types):
        raise call.error(
            "size(operands) = size(results)",
            operands=len(operands),
            results=len(call.result_types),
        )
    return tuple(operands)


def sink(operands: Sequence[object], call: TargetCall) -> tuple[object, ...]:
    """Nothing, or the operands if there are results for them."""
    return identity(operands, call) if call.result_types else ()


IDENTITIES: Final = (
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "PinToDevice",
    "PinToDeviceSram",
    "Sharding",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.Sharding",
)
BOUNDARIES: Final = (
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
)
SINKS: Final = ("InspectSharding", "control_dep", "dce_sink", "xla.sdy.ShardingGroup")

TARGETS: Final[Mapping[str, Target]] = {
    **dict.fromkeys(IDENTITIES, identity),
    **dict.fromkeys(BOUNDARIES, identity),
    **dict.fromkeys(SINKS, sink),
}
