"""The memory of a compiled program: what its plan holds when it holds most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stablemate.analysis.contents import line_of
from stablemate.analysis.cost import bytes_of
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.planning.buffers import Peak, PlannedBuffer, largest_first
from stablemate.compiler.fallback import reason_of
from stablemate.compiler.graph.region_outlining import body_of
from stablemate.compiler.loops.statements import stored_buffers
from stablemate.compiler.plan.buffer_assignment import lifetimes
from stablemate.compiler.plan.plan import (
    CopySlot,
    EndStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    Step,
)
from stablemate.compiler.plan_only import plan_function
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.sdy.computations import ManualComputation
from stablemate.execution.signature import Signature
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.core import Operation


def compiled_peak(interpreted: InterpretedExecutable) -> Peak | Diagnostic:
    """The most memory of a call of the compiled function, or why that is not known.

    A process runs the bodies of manual computations on its own pieces; whole values around them are
    nowhere if nothing else is done with them.
    """
    try:
        plan, signature = plan_function(interpreted)
        peak = plan_peak(plan, signature)
        steps = [step for step in plan.steps if not isinstance(step, EndStep)]
        bodies = [compiled_peak(body_of(x, interpreted)) for x in manual_computations(steps)]
    except Exception as error:
        return reason_of(error)
    peaks = [body for body in bodies if isinstance(body, Peak)]
    if len(peaks) < len(bodies):
        return next(body for body in bodies if isinstance(body, Diagnostic))
    if not peaks:
        return peak
    largest = max(peaks, key=lambda peak: peak.bytes)
    return largest if len(peaks) == len(steps) else combined_peak(peak, largest)


def combined_peak(around: Peak, inside: Peak) -> Peak:
    """Returns the peak memory of a computation while other values are live."""
    return replace(
        inside,
        bytes=around.bytes + inside.bytes,
        buffers=largest_first([*around.buffers, *inside.buffers]),
        arena=(around.arena or 0) + (inside.arena or 0),
    )


def manual_computations(steps: Sequence[Step]) -> list[ManualComputation]:
    """The manual computations among some steps."""
    asked = [step.node.operation for step in steps if isinstance(step, Request)]
    return [body for body in asked if isinstance(body, ManualComputation)]


def plan_peak(plan: Plan, signature: Signature) -> Peak:
    """The most memory of a call, with arguments, results and constants.

    Args:
        plan: The plan, with offsets in its arena.
        signature: What the program takes and gives.
    """
    lives = {slot: steps for slot, steps in lifetimes(plan).items() if slot.host is None}
    changes = [0] * (len(plan.steps) + 1)
    for slot, (first, last) in lives.items():
        changes[first] += slot.bytes
        changes[last + 1] -= slot.bytes
    sizes: list[int] = []
    for change in changes[:-1]:
        sizes.append((sizes[-1] if sizes else 0) + change)
    at = max(range(len(sizes)), key=sizes.__getitem__, default=0)
    local = [slot for slot, (first, last) in lives.items() if first <= at <= last]
    operation_of_slot = makers(plan)
    others = [slot for slot in plan.slots if slot.origin != "local"]
    buffers = [buffer(slot, operation_of_slot, signature) for slot in (*local, *others)]
    operation = next(iter(operations_of(plan.steps[at])), None) if plan.steps else None
    return Peak(
        "plan",
        plan.arena + sum(other.bytes for other in others),
        largest_first(buffers),
        operation.name if operation else "",
        line_of(operation) if operation else None,
        arena=plan.arena,
    )


def buffer(
    slot: PlanBuffer, operation_of_slot: dict[PlanBuffer, Operation], signature: Signature
) -> PlannedBuffer:
    """The buffer of a slot."""
    name = repr(slot)
    if slot.origin == "local":
        operation = operation_of_slot.get(slot)
        if operation is None:
            return PlannedBuffer(name, "", slot.bytes, "")
        line = line_of(operation)
        file = "" if line is not None else producer_place(operation)
        text = type_in(slot, operation)
        return PlannedBuffer(name, text, slot.bytes, operation.name, line, file)
    if slot.origin == "constant":
        data = slot.data
        text = "" if data is None else f"{'x'.join(map(str, data.shape))} {data.dtype}".strip()
        return PlannedBuffer(name, text, slot.bytes, slot.origin)
    values = signature.arguments if slot.origin == "argument" else signature.results
    value = values[slot.position]
    return PlannedBuffer(value.name or name, str(value.type), slot.bytes, slot.origin)


def makers(plan: Plan) -> dict[PlanBuffer, Operation]:
    """The operation whose results each slot holds first."""
    operation_of_slot: dict[PlanBuffer, Operation] = {}
    for step in plan.steps:
        operations = operations_of(step)
        for slot in written_slots(step):
            fitting = (operation for operation in operations if type_in(slot, operation))
            operation = next(fitting, operations[0] if operations else None)
            if operation is not None:
                operation_of_slot.setdefault(slot, operation)
        if isinstance(step, CopySlot) and step.source in operation_of_slot:
            operation_of_slot.setdefault(step.target, operation_of_slot[step.source])
    return operation_of_slot


def operations_of(step: Step) -> Sequence[Operation]:
    """The operations that a step computes, the last one first."""
    match step:
        case LaunchStep(nodes=nodes):
            return [node.operation for node in reversed(nodes)]
        case Request(node=node):
            return [node.operation]
        case _:
            return ()


def type_in(slot: PlanBuffer, operation: Operation) -> str:
    """The type of the result of an operation that fits into a slot; empty if none does."""
    types = (result.type for result in operation.results)
    return next((str(t) for t in types if bytes_of(t) == slot.bytes), "")


def written_slots(step: Step) -> Iterator[PlanBuffer]:
    """The slots that a step writes."""
    match step:
        case LaunchStep(kernel, slots):
            targets = stored_buffers(kernel.body)
            for slot, argument in zip(slots, kernel.arguments, strict=True):
                if argument in targets:
                    yield slot
        case Request(_, _, results):
            yield from results
        case CopySlot(_, target):
            yield target
        case _:
            return
