"""The executable plan: which kernel runs when, on which buffers; a list of steps.

plan = slot* step*
step = launch(kernel, slots) | copy(slot, slot) | exchange(slot, slot) | jump(step)
| branch(slot, step*) | request(operation, slots) | done
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.statements import Kernel
from stablemate.numerics.elements import Array

Origin = Literal["argument", "result", "constant", "local"]


@dataclass(eq=False, slots=True)
class Slot:
    """Memory of a plan.

    Attributes:
        number: Its number.
        bytes: How much it holds.
        origin: Who owns it: the caller, the program, or the arena.
        position: Which argument or result it is.
        data: What a constant holds.
        offset: Where in the arena a local one is.
    """

    number: int
    bytes: int
    origin: Origin
    position: int = 0
    data: Array | None = None
    offset: int = -1

    def __repr__(self) -> str:
        return f"s{self.number}"


@dataclass(eq=False, slots=True)
class Launch:
    """Runs a kernel.

    Attributes:
        kernel: The kernel.
        slots: Its buffers.
        nodes: The operations that it computes, alone or with the launches beside it; the last one
            is the one whose results are stored.
    """

    kernel: Kernel
    slots: Sequence[Slot]
    nodes: Sequence[Node] = ()


@dataclass(eq=False, slots=True)
class Copy:
    """Copies all bytes of a slot."""

    source: Slot
    target: Slot


@dataclass(eq=False, slots=True)
class Exchange:
    """Gives each of two local slots the memory of the other; no request knows them."""

    first: Slot
    second: Slot


@dataclass(eq=False, slots=True)
class Jump:
    """Goes on elsewhere.

    Attributes:
        target: The step; known when it is placed.
        loops: Whether this ends an iteration of a loop.
        node: The loop.
    """

    target: int = -1
    loops: bool = False
    node: Node | None = None


@dataclass(eq=False, slots=True)
class Branch:
    """Goes on at one of several steps.

    Attributes:
        slot: Holds a byte (of a truth value) or four (of an index).
        targets: For a truth value: where it is false, and where it is true. For an index: one for
            each value, the last one for all others.
        by_index: Whether the slot holds an index.
    """

    slot: Slot
    targets: list[int]
    by_index: bool = False


@dataclass(eq=False, slots=True)
class Request:
    """Leaves native code: an operation is answered outside.

    Attributes:
        node: The operation.
        operands: Where its operands are.
        results: Where its results go.
    """

    node: Node
    operands: Sequence[Slot]
    results: Sequence[Slot]


@dataclass(eq=False, slots=True)
class Done:
    """Ends the program."""


Step = Launch | Copy | Exchange | Jump | Branch | Request | Done


@dataclass(eq=False, slots=True)
class Plan:
    """A program as a table.

    Attributes:
        slots: All memory.
        steps: What is done, in order.
        arena: Bytes of all local slots.
    """

    slots: list[Slot]
    steps: list[Step]
    arena: int = 0

    def __str__(self) -> str:
        lines = [f"{slot!r} : {slot.origin} {slot.bytes} bytes" for slot in self.slots]
        lines += [f"{i:4}  {step_text(step)}" for i, step in enumerate(self.steps)]
        return "\n".join(lines)


def step_text(step: Step) -> str:
    """The text of a step."""
    match step:
        case Launch(kernel, slots):
            return f"launch {kernel.name}({', '.join(map(repr, slots))})"
        case Copy(source, target):
            return f"copy {target!r} = {source!r}"
        case Exchange(first, second):
            return f"exchange {first!r}, {second!r}"
        case Jump(target):
            return f"jump {target}"
        case Branch(slot, targets):
            return f"branch {slot!r} {targets}"
        case Request(node, operands, results):
            operands_, results_ = ", ".join(map(repr, operands)), ", ".join(map(repr, results))
            return f"request {results_} = {node.operation.name}({operands_})"
        case Done():
            return "done"
