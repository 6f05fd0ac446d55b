"""Checks instructions that come in pairs, such as copy-start and copy-done: each end has its start.

Source: XLA, ``HloVerifier``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.module import HloInstruction

STARTS: Final = {
    "all-gather-done": ("all-gather-start",),
    "all-reduce-done": ("all-reduce-start",),
    "collective-permute-done": ("collective-permute-start",),
    "copy-done": ("copy-start",),
    "async-update": ("async-start", "async-update"),
    "async-done": ("async-start", "async-update"),
    "send-done": ("send",),
    "recv-done": ("recv",),
}
SAME: Final = ("channel_id", "is_host_transfer")


def pair_findings(
    instruction: HloInstruction, operands: Sequence[HloInstruction]
) -> Iterator[Diagnostic]:
    """Whether the operand of an end is its start, with the same channel."""
    starts = STARTS.get(instruction.opcode)
    if starts is None or not operands:
        return
    start = operands[0]
    if start.opcode not in starts:
        if start.opcode in CARRIERS:
            return  # handed through a loop or a tuple, as pipelines do
        values: dict[str, object] = {"operand": start.opcode}
        message = f"the operand is {' or '.join(starts)}"
        yield Diagnostic(message, instruction.opcode, instruction.span, values)
        return
    if instruction.opcode not in ("send-done", "recv-done"):
        return
    for name in SAME:
        ours, theirs = instruction.attributes.get(name), start.attributes.get(name)
        if ours != theirs:
            values = {"start": theirs, "end": ours}
            message = f"start and end have the same {name}"
            yield Diagnostic(message, instruction.opcode, instruction.span, values)


# What may stand between a start and its end.
CARRIERS: Final = frozenset(
    {"get-tuple-element", "tuple", "while", "parameter", "opt-barrier", "call", "conditional"}
    | {"fusion", "copy", "custom-call", "add-dependency", "bitcast"}
)
