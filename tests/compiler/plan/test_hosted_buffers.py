"""Local buffers in the memory of results: which results host them, and that this is verified."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import stablemate as sm
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import Kernel, Loop, StoreElement
from stablemate.compiler.plan.argument_reuse import reusable_arguments
from stablemate.compiler.plan.buffer_assignment import lifetimes
from stablemate.compiler.plan.hosted_buffers import host_in_results
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Step,
    SwapSlots,
)
from stablemate.compiler.plan.verifier import verify_plan

X, Y, Z = (Buffer(name, "f32", (8,)) for name in "xyz")


def launch(source: PlanBuffer, target: PlanBuffer, *, reverses: bool = False) -> LaunchStep:
    """A launch that copies eight numbers one by one, or the other way round."""
    table = Expressions()
    i = table.loop_index("i", 8)
    place = table.weighted_sum(7, [(i, -1)]) if reverses else i
    body = [Loop(i, 8, "serial", [StoreElement(Y, i, table.load_at(X, place))])]
    return LaunchStep(Kernel("k", [X, Y], body), [source, target])


def slots(count: int, size: int = 32) -> list[PlanBuffer]:
    """An argument, a result, and local slots."""
    local = [PlanBuffer(2 + i, size, "local") for i in range(count)]
    return [PlanBuffer(0, 32, "argument"), PlanBuffer(1, 32, "result"), *local]


def hosted(memory: list[PlanBuffer], steps: Sequence[Step]) -> list[PlanBuffer]:
    """The slots of a plan that the result hosts; the plan is verified."""
    plan = Plan(memory, [*steps, EndStep()])
    host_in_results(plan, lifetimes(plan))
    place = 0
    for slot in memory:
        if slot.origin == "local" and slot.host is None:
            slot.offset, place = place, place + slot.bytes
    plan.arena = place
    verify_plan(plan)
    return [slot for slot in memory if slot.host is not None]


def test_what_dies_before_a_result_is_written_lies_in_it() -> None:
    x, y, a, b = memory = slots(2)
    steps = [launch(x, a), launch(a, b, reverses=True), launch(b, y, reverses=True)]
    assert hosted(memory, steps) == [a]


def test_a_result_is_computed_in_the_place_of_what_it_is_computed_from() -> None:
    x, y, a = memory = slots(1)
    assert hosted(memory, [launch(x, a, reverses=True), launch(a, y)]) == [a]


def test_what_a_launch_stores_beside_a_result_does_not_lie_in_it() -> None:
    x, y, a = memory = slots(1)
    table = Expressions()
    i = table.loop_index("i", 8)
    stores = [StoreElement(buffer, i, table.load_at(X, i)) for buffer in (Y, Z)]
    both = LaunchStep(Kernel("k", [X, Y, Z], [Loop(i, 8, "serial", stores)]), [x, y, a])
    assert hosted(memory, [both]) == []


def test_several_slots_lie_in_a_result_one_after_the_other() -> None:
    x, y, a, b, c, d = memory = slots(4)
    pairs = [(x, a), (a, b), (b, c), (c, d), (d, y)]
    assert hosted(memory, [launch(*pair, reverses=True) for pair in pairs]) == [a, c]


def test_larger_slots_lie_in_no_result() -> None:
    x, y, a = memory = slots(1, 64)
    assert hosted(memory, [CopySlot(x, a), CopySlot(x, y)]) == []


def test_what_a_later_iteration_needs_lies_in_no_result() -> None:
    x, y, a, b, done = memory = slots(3)
    loop: list[Step] = [launch(x, done, reverses=True), launch(x, a, reverses=True)]
    loop += [launch(a, b, reverses=True), launch(b, y, reverses=True)]
    steps = [*loop, BranchStep(done, [6, 5]), JumpStep(0, loops=True)]
    assert hosted(memory, steps) == []


def test_slots_that_exchange_their_memory_lie_in_no_result() -> None:
    x, y, a, b = memory = slots(2)
    steps: list[Step] = [CopySlot(x, a), CopySlot(x, b), SwapSlots(a, b), CopySlot(x, y)]
    assert hosted(memory, steps) == []


@pytest.mark.parametrize("donated", [(), (0,)])
def test_results_that_may_take_over_a_donated_argument_host_nothing(
    donated: tuple[int, ...],
) -> None:
    x, y, a = memory = slots(1)
    x.bytes = y.bytes = 8192
    plan = Plan(memory, [launch(x, a), CopySlot(x, y), EndStep()])
    host_in_results(plan, lifetimes(plan), donated)
    assert (a.host, reusable_arguments(plan)) == ((None, [(0, 0)]) if donated else (y, []))


def test_a_host_that_is_overwritten_is_refused() -> None:
    x, y, a = memory = slots(1)
    a.host = y
    reversed_in_place: list[Step] = [launch(x, a), launch(a, y, reverses=True), EndStep()]
    with pytest.raises(sm.CompileError, match="s1 is written over s2"):
        verify_plan(Plan(memory, reversed_in_place))
    written_too_early: list[Step] = [launch(x, y), launch(x, a), EndStep()]
    with pytest.raises(sm.CompileError, match="s2 is written over s1"):
        verify_plan(Plan(memory, written_too_early))


def test_a_host_that_is_too_small_is_refused() -> None:
    x, y, a = memory = slots(1, 64)
    a.host = y
    with pytest.raises(sm.CompileError, match="s2 is too large for s1"):
        verify_plan(Plan(memory, [CopySlot(x, a), CopySlot(x, y), EndStep()]))
