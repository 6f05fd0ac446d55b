"""Asynchronous forms: ``X-start``, ``X-update``, ``X-done`` of operations without such opcodes.

``X-start(operands)`` is an ``async-start`` that calls a computation around one ``X``. That
computation is printed only if it contains more than parameters and ``X``.

Source: XLA, HLO text; ``AsyncWrapper``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from stablemate.formats.hlo.text.body import ComputationReader
from stablemate.formats.hlo.text.completion import CompletionError, complete
from stablemate.xla.kinds import COMMON
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.shape import Shape

Stage: TypeAlias = Literal["", "start", "update", "done"]

PARTS: Final[dict[str, Stage]] = {"start": "start", "update": "update", "done": "done"}
OF_START: Final = frozenset((*COMMON, "async_execution_thread", "output_to_operand_aliasing"))
# Attributes that the operation inside has too: those of the last stage that has them.
SHARED: Final = ("frontend_attributes", "metadata", "backend_config", "statistics")
STAGES: Final = frozenset({"async-start", "async-update", "async-done"})
NEVER: Final = frozenset({"parameter", "constant", "async-start", "async-update", "async-done"})


def split_async_opcode(written: str) -> tuple[Stage, str]:
    """Splits an asynchronous opcode into stage and operation: ``("start", "negate")``."""
    base, _, suffix = written.rpartition("-")
    stage = PARTS.get(suffix, "")
    if stage and base in OPCODES and f"{base}-done" not in OPCODES and base not in NEVER:
        return stage, base
    return "", written


def async_start(
    instruction: HloInstruction, operands: Sequence[Shape], name: str
) -> tuple[HloInstruction, HloComputation]:
    """Returns the ``async-start`` that ``X-start`` stands for, and the computation around ``X``.

    Args:
        instruction: ``X-start`` with the opcode ``X``, the shape of the start and all attributes.
        operands: The shapes of its operands.
        name: What to call the computation.

    Raises:
        CompletionError: The shape is not ``((operands), result, ...)``.
    """
    parts = instruction.shape.elements
    if len(parts) < 2 or not parts[0].is_tuple:
        raise CompletionError(
            f"the result of '{instruction.opcode}-start' has the form ((operands), result, state)"
        )
    body = ComputationReader(name)
    for number, shape in enumerate(operands):
        parameter = body.free_name("async_param")
        values = {"parameter_number": number}
        body.add(HloInstruction(parameter, "parameter", shape, (), values))
    attributes = instruction.attributes
    inside = {key: value for key, value in attributes.items() if key not in OF_START}
    inside |= shared_attributes(instruction)
    complete(instruction.opcode, parts[1], operands, inside)
    opcode = instruction.opcode
    body.add(HloInstruction(opcode, opcode, parts[1], tuple(body.instructions), inside))
    computation = body.to_computation(attributes.get("async_execution_thread", "main"))
    outside = {key: value for key, value in attributes.items() if key in OF_START}
    outside["calls"] = name
    return replace(instruction, opcode="async-start", attributes=outside), computation


def shared_attributes(instruction: HloInstruction) -> dict[str, object]:
    """Returns the attributes of a start, update or done that the operation inside has too."""
    attributes = instruction.attributes
    return {key: attributes[key] for key in SHARED if key in attributes}


def shared_by_start(instructions: Mapping[str, HloInstruction]) -> dict[str, dict[str, object]]:
    """Returns what the stages of each asynchronous start give the operation inside."""
    collected: dict[str, dict[str, object]] = {}
    for instruction in instructions.values():
        if instruction.opcode in STAGES:
            start = start_of_chain(instruction, instructions)
            collected.setdefault(start.name, {}).update(shared_attributes(instruction))
    return collected


def with_shared(computation: HloComputation, instruction: HloInstruction) -> HloComputation:
    """Returns a computation whose root has the attributes that a stage gives it."""
    shared = shared_attributes(instruction)
    if not shared:
        return computation
    root = computation.result
    changed = replace(root, attributes={**root.attributes, **shared})
    instructions = tuple(changed if one is root else one for one in computation.instructions)
    return replace(computation, instructions=instructions)


def wrapped_operation(
    start: HloInstruction, computations: Mapping[str, HloComputation], shared: Mapping[str, object]
) -> HloInstruction | None:
    """Returns the operation ``X`` if ``X-start`` expresses all of an asynchronous start, else None.

    In that case the computation consists of its parameters in order and ``X`` of them, and the
    common attributes of ``X`` are ``shared``: what the start, its updates and its done give it.
    """
    computation = computations[start.attributes["calls"]]
    *parameters, root = computation.instructions
    names = tuple(parameter.name for parameter in parameters)
    numbers = [parameter.attributes.get("parameter_number") for parameter in parameters]
    if root.name != computation.root or root.operands != names:
        return None
    if root.opcode in NEVER or f"{root.opcode}-done" in OPCODES:
        return None
    if numbers != list(range(len(parameters))) or any(
        len(parameter.attributes) > 1 for parameter in parameters
    ):
        return None
    common = {key: value for key, value in root.attributes.items() if key in COMMON}
    thread = start.attributes.get("async_execution_thread", "main")
    return root if common == shared and computation.execution_thread == thread else None


def start_of_chain(
    instruction: HloInstruction, by_name: Mapping[str, HloInstruction]
) -> HloInstruction:
    """Returns the start that an update or done belongs to.

    Returns the last instruction of the chain if there is no start.
    """
    while instruction.opcode in ("async-update", "async-done"):
        before = by_name[instruction.operands[0]]
        if before.opcode not in ("async-start", "async-update"):
            break
        instruction = before
    return instruction
