"""The verifiers refuse what would touch other memory; all plans of the other tests pass them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

import pytest

import stablemate as sm
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import Fold, Kernel, Loop, Statement, StoreElement
from stablemate.compiler.loops.verifier import verify
from stablemate.compiler.plan.buffer_assignment import Placements, assign_buffers
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

X, Y = Buffer("x", "f32", (8,)), Buffer("y", "f32", (8,))
COLUMNS = Buffer("z", "f32", (2, 3), strides=(10, 1))


def copying(
    shift: int = 0, extent: int = 8, source: Buffer = X, target: Buffer = Y
) -> Sequence[Statement]:
    """``for i < extent { store target[i] = source[i + shift] }``."""
    table = Expressions()
    i = table.loop_index("i", extent)
    store = StoreElement(target, i, table.load_at(source, i + shift))
    return [Loop(i, extent, "serial", [store], parallel=True)]


def kernel(body: Sequence[Statement], *own: Buffer) -> Kernel:
    """A kernel of two arguments."""
    return Kernel("k", (X, Y), body, own)


def test_what_stays_inside_is_accepted() -> None:
    verify(kernel(copying()))
    verify(kernel(copying(shift=1, extent=7)))
    verify(Kernel("k", (COLUMNS, Y), copying(extent=8, source=COLUMNS)))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (copying(shift=1), "1 ... 8 is not inside argument x"),
        (copying(shift=-1), "-1 ... 6 is not inside argument x"),
        (copying(extent=9), "0 ... 8 is not inside argument y"),
        (copying(source=Buffer("x", "f32", (8,))), "is not its own"),
        (copying(target=Buffer("y", "f64", (8,))), "is not its own"),
    ],
)
def test_accesses_beyond_a_buffer_are_refused(body: Sequence[Statement], message: str) -> None:
    with pytest.raises(sm.CompileError, match=message):
        verify(kernel(body))


def test_types_have_to_fit() -> None:
    table = Expressions()
    zero = table.sum(0, ())
    wrong = [
        StoreElement(Y, zero, table.constant(1, "i32")),
        Fold(Y, zero, "add", table.load_at(X, zero)),
        StoreElement(
            Y, zero, table.apply("fadd", table.load_at(X, zero), table.constant(1.0, "f64"))
        ),
    ]
    for statement in wrong:
        with pytest.raises(sm.CompileError, match=r"expected|does not fold|several types"):
            verify(kernel([statement]))


def test_indices_stand_in_their_loops() -> None:
    table = Expressions()
    i = table.loop_index("i", 8)
    with pytest.raises(sm.CompileError, match="outside its loop"):
        verify(kernel([StoreElement(Y, i, table.load_at(X, i))]))
    longer = Loop(i, 9, "serial", [StoreElement(Y, i, table.load_at(X, i))])
    with pytest.raises(sm.CompileError, match=r"a loop of 9 has an index of 0 \.\.\. 7"):
        verify(kernel([longer]))


def test_iterations_write_other_places() -> None:
    table = Expressions()
    i, zero = table.loop_index("i", 8), table.sum(0, ())
    loop = Loop(i, 8, "serial", [StoreElement(Y, zero, table.load_at(X, i))], parallel=True)
    with pytest.raises(sm.CompileError, match="all iterations write the same places"):
        verify(kernel([loop]))


def test_registers_have_constant_places() -> None:
    table, own = Expressions(), Buffer("r", "f32", (8,), "register")
    i = table.loop_index("i", 8)
    store = StoreElement(own, i, table.load_at(X, i))
    verify(kernel([Loop(i, 8, "unroll", [store])], own))
    with pytest.raises(sm.CompileError, match="not constant"):
        verify(kernel([Loop(i, 8, "serial", [store])], own))


# ---- plans


def slots() -> list[PlanBuffer]:
    """An argument, three local slots and a result, of 32 bytes."""
    origins = ("argument", "local", "local", "local", "result")
    return [PlanBuffer(i, 32, origin) for i, origin in enumerate(origins)]


def plan(make: Callable[[list[PlanBuffer]], list[Step]]) -> Plan:
    """A plan of these slots."""
    memory = slots()
    plan = Plan(memory, make(memory))
    assign_buffers(plan)
    return plan


def chain(s: list[PlanBuffer]) -> list[Step]:
    """Copies the argument to the result through two slots, with a loop on the way."""
    launch = LaunchStep(kernel(copying()), [s[0], s[1]])
    copy = CopySlot(s[1], s[2])
    return [
        launch,
        copy,
        BranchStep(s[2], [4, 3]),
        JumpStep(1, loops=True),
        CopySlot(s[2], s[4]),
        EndStep(),
    ]


def test_a_sound_plan_is_accepted() -> None:
    verify_plan(plan(chain))


UNSOUND: Final[Sequence[tuple[Callable[[list[PlanBuffer]], list[Step]], str]]] = [
    (lambda s: [CopySlot(s[1], s[4]), EndStep()], "s1 is read, but was not written"),
    (lambda s: [CopySlot(s[0], s[1]), EndStep()], "s4 is read, but was not written"),
    (lambda s: [CopySlot(s[0], s[0]), EndStep()], "the argument s0 is written"),
    (lambda s: chain(s)[:-1], "there is no step 5|the last step is not the end"),
    (lambda s: [JumpStep(7), EndStep()], "there is no step 7"),
    (lambda s: [LaunchStep(kernel(copying()), [s[0]]), EndStep()], "takes other slots"),
    (
        lambda s: [LaunchStep(kernel(copying()), [s[0], PlanBuffer(9, 31, "local")]), EndStep()],
        "s9 is too small",
    ),
    (
        lambda s: [CopySlot(s[0], s[1]), SwapSlots(s[0], s[1]), CopySlot(s[1], s[4]), EndStep()],
        "cannot be exchanged",
    ),
    (
        lambda s: [
            CopySlot(s[0], s[1]), BranchStep(s[1], [3, 2]), CopySlot(s[0], s[2]),
            CopySlot(s[2], s[4]), EndStep()
        ],
        "s2 is read, but was not written",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), UNSOUND)
def test_unsound_plans_are_refused(
    change: Callable[[list[PlanBuffer]], list[Step]], message: str
) -> None:
    memory = slots()
    plan = Plan(memory, change(memory))
    plan.arena = 1 << 20
    for i, item in enumerate(memory):
        item.offset = 64 * i
    with pytest.raises(sm.CompileError, match=message):
        verify_plan(plan)


def test_slots_that_are_needed_are_not_written_over() -> None:
    def steps(s: list[PlanBuffer]) -> list[Step]:
        return [CopySlot(s[0], s[1]), CopySlot(s[0], s[2]), CopySlot(s[1], s[4]), EndStep()]

    item = plan(steps)
    verify_plan(item)
    item.slots[2].offset = item.slots[1].offset + 16
    with pytest.raises(sm.CompileError, match="s2 is written over s1"):
        verify_plan(item)


def test_slots_that_exchange_their_memory_keep_off_both_places() -> None:
    def steps(s: list[PlanBuffer]) -> list[Step]:
        start: list[Step] = [CopySlot(s[0], s[1]), CopySlot(s[0], s[2]), SwapSlots(s[1], s[2])]
        return [*start, CopySlot(s[0], s[3]), CopySlot(s[1], s[4]), EndStep()]

    item = plan(steps)
    verify_plan(item)
    item.slots[3].offset = item.slots[2].offset
    with pytest.raises(sm.CompileError, match="s3 is written over s1"):
        verify_plan(item)


@pytest.mark.parametrize("seed", range(4))
def test_buffers_are_in_the_first_gap_that_is_large_enough(seed: int) -> None:
    rng = random.Random(seed)
    placements, placed = Placements(), list[tuple[int, int, int, int]]()
    for _ in range(1_000):
        size, first = 64 * rng.randrange(1, 40), rng.randrange(3_000)
        last = rng.choice((first, first + rng.randrange(2_000), 3_000))
        expected = first_fit(placed, size, first, last)
        assert placements.place(size, first, last) == expected
        placed.append((expected, expected + size, first, last))


def first_fit(placed: Sequence[tuple[int, int, int, int]], size: int, first: int, last: int) -> int:
    """The lowest offset at which a buffer overlaps none that is live at the same time."""
    offset = 0
    for start, end in sorted(item[:2] for item in placed if item[2] <= last and first <= item[3]):
        if offset + size <= start:
            break
        offset = max(offset, end)
    return offset
