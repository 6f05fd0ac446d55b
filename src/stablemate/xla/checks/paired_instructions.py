"""Checks instructions that come in pairs, such as copy-start and copy-done: each end has its start.

Source: XLA, ``HloVerifier``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.module import HloComputation, HloInstruction

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
ENDED: Final = frozenset(
    {"all-gather-start", "all-reduce-start", "collective-permute-start", "copy-start"}
    | {"async-start", "async-update"}
)
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


def user_findings(computation: HloComputation) -> Iterator[Diagnostic]:
    """Whether each start has one end; it may be the result, or be handed on before its end."""
    starts = {
        instruction.name: instruction
        for instruction in computation.instructions
        if instruction.opcode in ENDED and instruction.name != computation.root
    }
    if not starts:
        return
    users: dict[str, list[str]] = {name: [] for name in starts}
    for instruction in computation.instructions:
        for operand in instruction.operands:
            if operand in users:
                users[operand].append(instruction.opcode)
    for name, opcodes in users.items():
        if len(opcodes) != 1 and CARRIERS.isdisjoint(opcodes):
            start = starts[name]
            message = f"{start.opcode} has one user, which ends it"
            values: dict[str, object] = {"users": len(opcodes)}
            yield Diagnostic(message, start.opcode, start.span, values)


# What may stand between a start and its end.
CARRIERS: Final = frozenset(
    {"get-tuple-element", "tuple", "while", "parameter", "opt-barrier", "call", "conditional"}
    | {"fusion", "copy", "custom-call", "add-dependency", "bitcast"}
)
