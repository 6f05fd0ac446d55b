"""Evaluates plans in Python: defines the meaning of the steps of a program, without LLVM.

Uninitialized memory is filled with a byte that is not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.evaluator import evaluate
from stablemate.compiler.loops.operators import DTYPES
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    SwapSlots,
)
from stablemate.numerics.elements import Array

UNINITIALIZED: Final = 0xA5  # the byte that fills uninitialized memory

Answer = Callable[[Node, Sequence[Array]], Sequence[Array]]


def evaluate_plan(
    plan: Plan, arguments: Sequence[Array], answer: Answer, *, fuses: bool = True
) -> list[Array]:
    """The results of a plan, as bytes.

    Args:
        plan: The plan.
        arguments: The elements of each argument, in order.
        answer: Computes the results of an operation that is a request.
        fuses: Whether the machine adds products without rounding them first.

    Raises:
        EvaluationError: A kernel accesses memory outside its buffers.
    """
    return PlanEvaluator(plan, arguments, answer, fuses=fuses).run()


class PlanEvaluator:
    """Runs one plan."""

    def __init__(
        self, plan: Plan, arguments: Sequence[Array], answer: Answer, *, fuses: bool = True
    ) -> None:
        self.plan = plan
        self.fuses = fuses
        self.answer = answer
        self.arena = np.full(plan.arena, UNINITIALIZED, np.uint8)
        self.memory: dict[PlanBuffer, Array] = {}
        self.arguments = [np.ascontiguousarray(argument).reshape(-1) for argument in arguments]
        for step in plan.steps:
            if isinstance(step, LaunchStep):
                for slot in step.slots:
                    self.memory_of(slot)
        for slot in plan.slots:
            self.memory_of(slot)
        for preparation in plan.preparations:
            prepared = PlanEvaluator(preparation.plan, (), answer, fuses=fuses).run()
            self.memory |= zip(preparation.constants, prepared, strict=True)

    def memory_of(self, slot: PlanBuffer) -> Array:
        """The memory of a slot."""
        if slot not in self.memory:
            self.memory[slot] = self.initial_memory(slot)
        return self.memory[slot]

    def initial_memory(self, slot: PlanBuffer) -> Array:
        """The memory of a slot before the first step."""
        match slot.origin:
            case "local" if slot.host is not None:
                return self.memory_of(slot.host)[: slot.bytes]
            case "local":
                return self.arena[slot.offset : slot.offset + slot.bytes]
            case "argument":
                return self.arguments[slot.position].view(np.uint8).copy()
            case "constant":
                assert slot.data is not None
                return np.ascontiguousarray(slot.data).reshape(-1).view(np.uint8)
            case "result":
                return np.full(slot.bytes, UNINITIALIZED, np.uint8)

    def run(self) -> list[Array]:
        """Runs the steps and returns the bytes of the results."""
        number = 0
        with np.errstate(all="ignore"):
            while not isinstance(self.plan.steps[number], EndStep):
                number = self.step(number)
        results = [slot for slot in self.plan.slots if slot.origin == "result"]
        return [
            self.memory_of(result) for result in sorted(results, key=lambda slot: slot.position)
        ]

    def step(self, number: int) -> int:
        """Runs a step and returns the number of the next one."""
        match self.plan.steps[number]:
            case LaunchStep() as launch:
                self.launch(launch)
            case CopySlot(source, target):
                self.memory_of(target)[: source.bytes] = self.memory_of(source)[
                    : source.bytes
                ].copy()
            case SwapSlots(first, second):
                one, other = self.memory_of(first), self.memory_of(second)
                self.memory[first], self.memory[second] = other, one
            case JumpStep(target):
                return target
            case BranchStep(slot, targets, by_index):
                return targets[self.branch_target(slot, targets, by_index)]
            case Request() as request:
                self.request(request)
            case EndStep():
                pass
        return number + 1

    def branch_target(self, slot: PlanBuffer, targets: Sequence[int], by_index: bool) -> int:
        """The index of the target of a branch."""
        if not by_index:
            return int(self.memory_of(slot)[0] != 0)
        index, last = int(self.memory_of(slot)[:4].view(np.int32)[0]), len(targets) - 1
        return index if 0 <= index < last else last

    def launch(self, launch: LaunchStep) -> None:
        """Runs a kernel on the memory of its slots."""
        memory: dict[Buffer, Array] = {}
        for buffer, slot in zip(launch.kernel.arguments, launch.slots, strict=True):
            dtype = DTYPES[buffer.type]
            size = extent_of(buffer) * dtype.itemsize
            memory[buffer] = self.memory_of(slot)[:size].view(dtype)
        evaluate(launch.kernel, memory, fuses=self.fuses)

    def request(self, request: Request) -> None:
        """Lets the caller compute the results of an operation."""
        node = request.node
        operands = zip(request.operands, node.operands, strict=True)
        values = [self.array(slot, tensor.type) for slot, tensor in operands]
        results_ = self.answer(node, values)
        for slot, value in zip(request.results, results_, strict=True):
            self.memory_of(slot)[:] = np.ascontiguousarray(value).reshape(-1).view(np.uint8)

    def array(self, slot: PlanBuffer, value_type: Any) -> Array:
        """A slot as the array of a tensor type."""
        array: Array = self.memory_of(slot).view(value_type.element_type.dtype)
        return array.reshape(value_type.shape)
