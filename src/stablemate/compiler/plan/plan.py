"""The executable plan: a list of steps, each of which reads and writes buffers.

plan = slot* step* step = launch(kernel, slots) | copy(slot, slot) | exchange(slot, slot) |
jump(step) | branch(slot, step*) | request(operation, slots) | done
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.library_calls.calls import CallSequence
from stablemate.compiler.library_calls.names import PREFIX
from stablemate.compiler.loops.statements import Kernel
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array
from stablemate.numerics.symbolic_sizes import has_symbolic

Origin = Literal["argument", "result", "constant", "local"]


@dataclass(eq=False, slots=True)
class PlanBuffer:
    """A buffer of a plan.

    Attributes:
        number: Its number.
        bytes: Its size, which may be symbolic.
        origin: Its owner: the caller (argument, result), the program (constant) or the arena
            (local).
        position: The number of the argument or result.
        data: The contents of a constant.
        offset: The offset of a local slot in the arena; -1: it has none yet.
        host: The result at whose beginning a local slot lies, instead of in the arena.
    """

    number: int
    bytes: int
    origin: Origin
    position: int = 0
    data: Array | None = None
    offset: int = -1
    host: PlanBuffer | None = None

    def __repr__(self) -> str:
        return f"s{self.number}"


@dataclass(eq=False, slots=True)
class LaunchStep:
    """Runs a kernel.

    Attributes:
        kernel: The kernel.
        slots: Its buffers.
        nodes: The operations that it computes, alone or together with neighboring launches; the
            results of the last one are stored.
    """

    kernel: Kernel
    slots: Sequence[PlanBuffer]
    nodes: Sequence[Node] = ()


@dataclass(eq=False, slots=True)
class CopySlot:
    """Copies all bytes of a slot."""

    source: PlanBuffer
    target: PlanBuffer


@dataclass(eq=False, slots=True)
class SwapSlots:
    """Exchanges the memory of two local slots, which no request uses."""

    first: PlanBuffer
    second: PlanBuffer


@dataclass(eq=False, slots=True)
class JumpStep:
    """Continues at another step.

    Attributes:
        target: The step; set when it is known.
        loops: Whether this ends an iteration of a loop.
        node: The loop.
    """

    target: int = -1
    loops: bool = False
    node: Node | None = None


@dataclass(eq=False, slots=True)
class BranchStep:
    """Continues at one of several steps.

    Attributes:
        slot: Contains a boolean of one byte, or an index of four bytes.
        targets: For a boolean: the step if it is false, and the step if it is true. For an index:
            the step for each value; the last one also for values out of range.
        by_index: Whether the slot contains an index.
    """

    slot: PlanBuffer
    targets: list[int]
    by_index: bool = False


@dataclass(eq=False, slots=True)
class Request:
    """Executes an operation outside of native code, or by calls of native libraries.

    Attributes:
        node: The operation.
        operands: The slots of its operands.
        results: The slots of its results.
        calls: The calls of native libraries; None if native code is left.
        scratch: The slots of the scratch memory of these calls, and of their parameters.
    """

    node: Node
    operands: Sequence[PlanBuffer]
    results: Sequence[PlanBuffer]
    calls: CallSequence | None = None
    scratch: Sequence[PlanBuffer] = ()


@dataclass(eq=False, slots=True)
class EndStep:
    """Ends the program."""


Step = LaunchStep | CopySlot | SwapSlots | JumpStep | BranchStep | Request | EndStep


@dataclass(eq=False, slots=True)
class Plan:
    """The executable plan of a program.

    Attributes:
        slots: All slots.
        steps: The steps, in order.
        arena: The bytes of all local slots together that no result hosts.
        preparations: What computes some of its constants, once; none reads what another writes.
    """

    slots: list[PlanBuffer]
    steps: list[Step]
    arena: int = 0
    preparations: Sequence[Preparation] = ()

    @property
    def has_symbolic_sizes(self) -> bool:
        """Whether the size of a slot is symbolic: then local slots have no offsets yet."""
        return has_symbolic([slot.bytes for slot in self.slots])

    def __str__(self) -> str:
        lines = [*self.slot_lines(), *self.step_lines()]
        for preparation in self.preparations:
            lines += ["", "preparation:", str(preparation.plan)]
        return "\n".join(lines)

    def slot_lines(self) -> list[str]:
        """A line for each slot."""
        return [f"{slot!r} : {slot.origin} {slot.bytes} bytes" for slot in self.slots]

    def step_lines(self) -> list[str]:
        """A line for each step."""
        return [f"{i:4}  {step_text(step)}" for i, step in enumerate(self.steps)]

    @property
    def parts(self) -> Sequence[Plan]:
        """The plan, and behind it those of its preparations."""
        return (self, *[preparation.plan for preparation in self.preparations])


@dataclass(eq=False, slots=True)
class Preparation:
    """A preparation of a plan: it computes constants when the program is compiled.

    Attributes:
        plan: A plan without arguments.
        constants: The slots of the plan of the program that are its results, in order.
    """

    plan: Plan
    constants: Sequence[PlanBuffer]


def slots_used(step: Step) -> Iterator[PlanBuffer]:
    """The slots that a step reads or writes."""
    match step:
        case LaunchStep(_, slots):
            yield from slots
        case CopySlot(one, other) | SwapSlots(one, other):
            yield one
            yield other
        case BranchStep(slot):
            yield slot
        case Request(_, operands, results, _, scratch):
            yield from operands
            yield from results
            yield from scratch
        case _:
            return


def exchanged_slots(steps: Sequence[Step]) -> set[PlanBuffer]:
    """The slots that exchange their memory with others."""
    return {
        slot for step in steps if isinstance(step, SwapSlots) for slot in (step.first, step.second)
    }


def jump_targets(steps: Sequence[Step]) -> set[int]:
    """The steps that are targets of jumps and branches."""
    jumps = {step.target for step in steps if isinstance(step, JumpStep)}
    return jumps.union(*[step.targets for step in steps if isinstance(step, BranchStep)])


def redirect_jumps(steps: Sequence[Step], new_indices: Mapping[int, int]) -> None:
    """Lets jumps and branches among steps continue at the new numbers of steps."""
    for step in steps:
        if isinstance(step, JumpStep):
            step.target = new_indices[step.target]
        elif isinstance(step, BranchStep):
            step.targets = [new_indices[target] for target in step.targets]


def step_text(step: Step) -> str:
    """The text of a step."""
    match step:
        case LaunchStep(kernel, slots):
            return f"launch {kernel.name}({', '.join(map(repr, slots))})"
        case CopySlot(source, target):
            return f"copy {target!r} = {source!r}"
        case SwapSlots(first, second):
            return f"exchange {first!r}, {second!r}"
        case JumpStep(target):
            return f"jump {target}"
        case BranchStep(slot, targets):
            return f"branch {slot!r} {targets}"
        case Request(node, operands, results, calls):
            operands_, results_ = ", ".join(map(repr, operands)), ", ".join(map(repr, results))
            operation = f"{results_} = {node.operation.name}({operands_})"
            if calls is None:
                return f"request {operation}"
            functions = [call.function.removeprefix(PREFIX) for call in calls.calls]
            return f"call {operation} by {', '.join(functions)}"
        case EndStep():
            return "done"
