"""Code actions for HLO text: operands that do not fit are converted, calls are inlined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from stablemate.lsp.actions.conversions import conversion
from stablemate.lsp.actions.splicing import free_name
from stablemate.lsp.documents import Snapshot
from stablemate.lsp.tokens import tokens_of
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.verifier import HloVerifier

TYPED = r"(?:[a-z][a-z0-9]*\[[^\]]*\](?:\{[^}]*\})?\s+)?%?"  # what may stand before an operand
ORDERED = "control-predecessors"
OPENING = frozenset("{([")
CLOSING = frozenset("})]")

Edit = tuple[int, int, str]


class InstructionPlace(NamedTuple):
    """An instruction in a text.

    Attributes:
        computation: The computation that holds it.
        instruction: The instruction.
        start: The offset of its line.
        end: The offset after its text.
    """

    computation: HloComputation
    instruction: HloInstruction
    start: int
    end: int


def place_at(snapshot: Snapshot, module: HloModule, offset: int) -> InstructionPlace | None:
    """The instruction at an offset; None if there is none, or another one on its line."""
    for computation in module.computations:
        for place in places_of(snapshot.text, computation) or ():
            if place.start <= offset <= place.end:
                return place
    return None


def places_of(text: str, computation: HloComputation) -> list[InstructionPlace] | None:
    """The instructions of a computation in the text, in order; None if two share a line."""
    found = sorted(
        (text.rfind("\n", 0, one.span.start) + 1, one.span.start, position)
        for position, one in enumerate(computation.instructions)
        if one.span is not None
    )
    if not found or len({start for start, _, _ in found}) < len(computation.instructions):
        return None
    starts = [start for start, _, _ in found]
    ends = [*starts[1:], closing_bracket(text, starts[-1])]
    return [
        InstructionPlace(
            computation, computation.instructions[position], start, last_character(text, end)
        )
        for (start, _, position), end in zip(found, ends, strict=True)
    ]


def closing_bracket(text: str, start: int) -> int:
    """The offset of the bracket that closes what holds an offset."""
    depth = 0
    for token in tokens_of(text[start:], "hlo"):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth < 0:
            return start + token.start
    return len(text)


def last_character(text: str, end: int) -> int:
    """The offset after the last character before another that is no space."""
    return len(text[:end].rstrip())


# ---- operands that do not fit


def conversions(
    snapshot: Snapshot, module: HloModule, place: InstructionPlace
) -> Iterator[tuple[str, Edit]]:
    """Titles and edits that make the operands of an instruction fit."""
    instruction, by_name = place.instruction, place.computation.by_name
    verifier = HloVerifier(module)
    verifier.defined.update(module.by_name)
    checks = verifier.checks
    operands = [by_name[name] for name in instruction.operands if name in by_name]
    if len(operands) < len(instruction.operands):
        return
    if not any(checks.findings(instruction, operands)):
        return
    for name, wanted, operation in candidates(module, instruction, operands):
        converted = HloInstruction(operation, operation, wanted, (name,))
        if any(checks.findings(converted, [by_name[name]])):
            continue
        others = [converted if one.name == name else one for one in operands]
        renamed = replace(instruction, operands=tuple(one.name for one in others))
        if is_called(module, instruction) or not any(checks.findings(renamed, others)):
            edit = converted_operand(snapshot, place, name, wanted, operation)
            if edit is not None:
                yield f"insert a {operation} of {name} to {wanted}", edit


def candidates(
    module: HloModule, instruction: HloInstruction, operands: list[HloInstruction]
) -> Iterator[tuple[str, Shape, str]]:
    """Operands, shapes that they may have to have, and the operations that lead to these."""
    if is_called(module, instruction):
        parameters = module.by_name[instruction.attributes["to_apply"]].parameters
        wanted = [[parameter.shape] for parameter in parameters]
    else:
        wanted = [[instruction.shape, *(one.shape for one in operands)]] * len(operands)
    found: dict[tuple[str, str], tuple[str, Shape, str]] = {}
    for operand, shapes in zip(operands, wanted, strict=False):
        for shape in shapes:
            if operation := conversion(operand.shape, shape):
                found.setdefault((operand.name, str(shape)), (operand.name, shape, operation))
    yield from found.values()


def is_called(module: HloModule, instruction: HloInstruction) -> bool:
    """Whether an instruction calls a computation that is there."""
    is_call = instruction.opcode == "call"
    return is_call and instruction.attributes.get("to_apply") in module.by_name


def converted_operand(
    snapshot: Snapshot, place: InstructionPlace, name: str, wanted: Shape, operation: str
) -> Edit | None:
    """The instruction with a new one before it, whose result is the operand."""
    text = snapshot.text[place.start : place.end]
    opening = text.find(f"{place.instruction.opcode}(")
    if opening < 0:
        return None
    opening += len(place.instruction.opcode) + 1
    end = closing_bracket(text, opening)
    mark = "%" if f"%{place.instruction.name} " in text else ""
    new = free(operation, in_use(snapshot, place.computation))
    operand = re.compile(rf"(?<![\w.%-]){TYPED}{re.escape(name)}(?![\w.-])")
    list_text = operand.sub(f"{mark}{new}", text[opening:end])
    indent = text[: len(text) - len(text.lstrip())]
    line = f"{indent}{mark}{new} = {wanted} {operation}({mark}{name})\n"
    return place.start, place.end, f"{line}{text[:opening]}{list_text}{text[end:]}"


def in_use(snapshot: Snapshot, computation: HloComputation) -> set[str]:
    """The names of a computation."""
    return {f"%{one.name}" for one in snapshot.names.symbols if one.container == computation.name}


def free(name: str, used: set[str]) -> str:
    """A name that is not in use, which becomes used."""
    return free_name(f"%{name}", used)[1:]


# ---- calls


def inline_call(snapshot: Snapshot, module: HloModule, place: InstructionPlace) -> Edit | None:
    """The instructions of the computation that is called; None if that cannot be inlined."""
    call = place.instruction
    if not is_called(module, call):
        return None
    callee = module.by_name[call.attributes["to_apply"]]
    places = places_of(snapshot.text, callee)
    has_order = any(ORDERED in one.attributes for one in (call, *callee.instructions))
    if places is None or has_order or callee.result.opcode == "parameter":
        return None
    names = new_names(snapshot, place, callee)
    mark = "ROOT " if place.computation.root == call.name else ""
    lines: list[str] = []
    for one in places:
        if one.instruction.opcode == "parameter":
            continue
        line = rename_in_text(snapshot, callee, one, names).strip().removeprefix("ROOT ")
        lines.append(mark + line if one.instruction.name == callee.root else line)
    text = snapshot.text[place.start : place.end]
    indent = text[: len(text) - len(text.lstrip())]
    return place.start, place.end, "\n".join(indent + line for line in lines)


def new_names(
    snapshot: Snapshot, place: InstructionPlace, callee: HloComputation
) -> dict[str, str]:
    """The names of a computation's instructions in that which calls it."""
    call, used = place.instruction, in_use(snapshot, place.computation)
    parameters = [parameter.name for parameter in callee.parameters]
    names = dict(zip(parameters, call.operands, strict=False))
    names[callee.root] = call.name
    for instruction in callee.instructions:
        if instruction.name not in names:
            names[instruction.name] = free(instruction.name, used)
    return names


def rename_in_text(
    snapshot: Snapshot, callee: HloComputation, place: InstructionPlace, names: dict[str, str]
) -> str:
    """The text of an instruction with other names."""
    places = sorted(
        (start, end, names.get(symbol.name, symbol.name))
        for symbol in snapshot.names.symbols
        if symbol.container == callee.name and symbol.kind == "value"
        for start, end in (*symbol.definitions, *symbol.uses)
        if place.start <= start and end <= place.end
    )
    parts: list[str] = []
    position = place.start
    for start, end, name in places:
        parts += [snapshot.text[position:start], name]
        position = end
    return "".join([*parts, snapshot.text[position : place.end]])
