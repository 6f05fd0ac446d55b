"""Annotations: custom calls that specify where or how a value is kept, and return it unchanged.

A process holds whole values, so sharding, placement and layout change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.custom_calls.call import Target, TargetCall


def identity(operands: Sequence[Any], call: TargetCall) -> tuple[Any, ...]:
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


def sink(operands: Sequence[Any], call: TargetCall) -> tuple[Any, ...]:
    """Nothing, or the operands if there are results for them."""
    return identity(operands, call) if call.result_types else ()


def boundary(operands: Sequence[Any], call: TargetCall) -> tuple[Any, ...]:
    """The operands, where what one device holds is the whole.

    Raises:
        UnsupportedError: It is a part.
    """
    if call.operand_types != call.result_types:
        values = {"operands": text(call.operand_types), "results": text(call.result_types)}
        raise UnsupportedError(
            Diagnostic(
                "a process holds whole values: there are no parts to cut or to join",
                call.rule,
                values=values,
            )
        )
    return identity(operands, call)


def text(types: Sequence[object]) -> str:
    """Types in a row."""
    return ", ".join(map(str, types))


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
SINKS: Final = ("InspectSharding", "dce_sink", "xla.sdy.ShardingGroup")

TARGETS: Final[Mapping[str, Target]] = {
    **dict.fromkeys(IDENTITIES, identity),
    **dict.fromkeys(BOUNDARIES, boundary),
    **dict.fromkeys(SINKS, sink),
}
