"""A compiled program as an Executable."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.arena import assign
from stablemate.compiler.graph import GraphBuilder
from stablemate.compiler.llvm.emitter import Emitter
from stablemate.compiler.llvm.expansions import expansions
from stablemate.compiler.llvm.objects import Loaded
from stablemate.compiler.llvm.target import Target, host
from stablemate.compiler.llvm.walk import BRANCH, CHOOSE, COPY, JUMP, LAUNCH, LEAVE, RECORD, REPEAT
from stablemate.compiler.plan import (
    Branch,
    Copy,
    Done,
    Jump,
    Launch,
    Plan,
    Request,
    Slot,
)
from stablemate.compiler.planner import Planner
from stablemate.ir.core import Operation
from stablemate.numerics.elements import Array

ALIGNMENT: Final = 64
NEVER: Final = (1 << 63) - 1
WALK_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p
)


def planned(functions: Mapping[str, Operation], entry: str, target: Target) -> Plan:
    """The plan of a function."""
    graph = GraphBuilder(functions).function(entry)
    plan = Planner(target.vector_bytes).plan(graph)
    assign(plan)
    return plan


def emitted(plan: Plan, target: Target | None = None) -> str:
    """The LLVM text of all kernels of a plan; for this machine if there is no other."""
    known = expansions(target or host())
    launches = [step for step in plan.steps if isinstance(step, Launch)]
    return "\n".join(Emitter(step.kernel, known).text() for step in launches)


class Instance:
    """A plan with memory of its own: what one call at a time uses.

    Attributes:
        plan: The program.
        table: The records of its steps.
        arena: The memory of local slots.
    """

    def __init__(
        self, plan: Plan, code: Loaded, answer: Callable[[Request, Sequence[Any]], Sequence[Any]]
    ) -> None:
        self.plan = plan
        self.code = code
        self.answer = answer
        self.arena = aligned(plan.arena)
        self.table = np.zeros((len(plan.steps), RECORD), np.int64)
        self.state = np.array([NEVER, -1], np.int64)
        self.patches: dict[Slot, list[tuple[Array, int]]] = {}
        self.kept: list[Any] = []
        for number, step in enumerate(plan.steps):
            self.record(self.table[number], step)
        self.walk = WALK_TYPE(code.addresses["walk"])

    def record(self, row: Array, step: Any) -> None:
        """Fills in the record of a step."""
        match step:
            case Launch(kernel, slots):
                pointers = np.zeros(len(slots), np.int64)
                self.kept.append(pointers)
                for i, slot in enumerate(slots):
                    self.point(pointers, i, slot)
                row[:4] = (
                    LAUNCH,
                    self.code.addresses[kernel.name],
                    pointers.ctypes.data,
                    kernel.steps,
                )
            case Copy(source, target):
                row[0], row[3] = COPY, source.bytes
                self.point(row, 1, target)
                self.point(row, 2, source)
            case Jump(target, loops):
                row[0], row[4] = REPEAT if loops else JUMP, target
            case Branch(slot, targets, by_index):
                self.point(row, 1, slot)
                if by_index:
                    table = np.array(targets, np.int64)
                    self.kept.append(table)
                    row[0], row[2], row[3] = CHOOSE, table.ctypes.data, len(targets) - 1
                else:
                    row[0], row[4], row[5] = BRANCH, targets[0], targets[1]
            case _:
                row[0] = LEAVE

    def point(self, words: Array, place: int, slot: Slot) -> None:
        """Writes the address of a slot, now or at each call."""
        match slot.origin:
            case "local":
                words[place] = self.arena.ctypes.data + slot.offset
            case "constant":
                assert slot.data is not None
                words[place] = slot.data.ctypes.data
            case _:
                self.patches.setdefault(slot, []).append((words, place))

    def run(self, arguments: Sequence[Array], results: Sequence[Array]) -> None:
        """Runs the program on arrays that are contiguous and fit."""
        for slot, patches in self.patches.items():
            array = (arguments if slot.origin == "argument" else results)[slot.position]
            for words, place in patches:
                words[place] = array.ctypes.data
        step, table, state = 0, self.table.ctypes.data, self.state.ctypes.data
        while True:
            step = int(self.walk(table, step, state))
            reached = self.plan.steps[step]
            if isinstance(reached, Done):
                return
            assert isinstance(reached, Request), "the program left at a step that does not leave"
            self.satisfy(reached, arguments, results)
            step += 1

    def satisfy(
        self, request: Request, arguments: Sequence[Array], results: Sequence[Array]
    ) -> None:
        """Answers a request: reads its operands, writes its results."""
        values = [
            self.view(each, i, request, arguments, results)
            for i, each in enumerate(request.operands)
        ]
        answers = self.answer(request, values)
        for i, (slot, value) in enumerate(zip(request.results, answers, strict=True)):
            self.view(slot, i, request, arguments, results, result=True)[...] = value

    def view(
        self, slot: Slot, position: int, request: Request, arguments: Sequence[Array],
        results: Sequence[Array], *, result: bool = False,
    ) -> Array:  # fmt: skip
        """The memory of a slot as an array of what stands there."""
        tensors = request.node.results if result else request.node.operands
        value_type: Any = tensors[position].type
        match slot.origin:
            case "argument":
                return arguments[slot.position]
            case "result":
                return results[slot.position]
            case "constant":
                assert slot.data is not None
                return slot.data
            case _:
                raw: Any = self.arena[slot.offset : slot.offset + slot.bytes]
                array: Array = raw.view(value_type.element_type.dtype).reshape(value_type.shape)
                return array


def aligned(size: int) -> Array:
    """Memory that begins at a multiple of 64."""
    raw = np.zeros(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size]
