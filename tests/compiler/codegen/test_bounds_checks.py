"""Checked code: what would leave its memory is an error that says where, and never a fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Kernel,
    Loop,
    Statement,
    StoreElement,
    When,
)
from stablemate.compiler.pipeline import Compilation
from stablemate.compiler.plan.plan import LaunchStep, Plan

N: Final = 40
TEXT: Final = f"""func.func @main(%a: tensor<{N}xi32>) -> tensor<{N}xi32> {{
  %0 = stablehlo.add %a, %a : tensor<{N}xi32>
  %1 = stablehlo.multiply %0, %a : tensor<{N}xi32>
  return %1 : tensor<{N}xi32>
}}"""
VALUES: Final = np.arange(-3, N - 3, dtype=np.int32)
X, Y = Buffer("x", "i32", (N,)), Buffer("y", "i32", (N,))
STACK: Final = Buffer("own", "i32", (6,), "stack")

Change = Callable[[Plan], object]


class Changed(CompiledExecutable):
    """A program whose plan was changed before there was code."""

    def __init__(self, change: Change, text: str = TEXT, **options: Any) -> None:
        self.change = change
        interpreted: Any = sm.load(text).executable("main", backend="interpreter")
        super().__init__(interpreted, options=CompileOptions(fuse=False, check=True), **options)

    def compilation(self) -> Compilation:
        super_result = super().compilation()
        self.change(super_result.plan)
        return super_result


def nothing(_: Plan) -> None:
    """Changes nothing."""


def launching(body: Sequence[Statement], *own: Buffer, x: Buffer = X) -> Change:
    """Lets the first launch run another kernel, on the argument and the result."""

    def change(plan: Plan) -> None:
        launch = plan.steps[0]
        assert isinstance(launch, LaunchStep)
        slots = [slot for slot in plan.slots if slot.origin in ("argument", "result")]
        launch.kernel, launch.slots = Kernel("k", (x, Y), body, own), slots

    return change


TABLE: Final = Expressions()
STEP: Final = TABLE.loop_index("i", N + 1)
LANE: Final = TABLE.loop_index("lane", 8)
ZERO, ONE = TABLE.sum(0, ()), TABLE.constant(1, "i32")


def loop(extent: int, *body: Statement, parallel: bool = True) -> list[Statement]:
    """``for i < extent { body }``."""
    return [Loop(STEP, extent, "serial", body, parallel=parallel)]


def lanes(*body: Statement) -> Loop:
    """``for lane < 8 : vector { body }``."""
    return Loop(LANE, 8, "vector", body)


def copied(target: Expression, source: Expression) -> StoreElement:
    """``store y[target] = x[source]``."""
    return StoreElement(Y, target, TABLE.load_at(X, source))


def unless(place: Expression, last: int, *body: Statement) -> When:
    """The statements where a place is not beyond the last one: guards are not checks."""
    return When(TABLE.apply("sle", place, TABLE.constant(last, "index")), body)


CLAMPED: Final = TABLE.position(TABLE.load_at(X, STEP), N + 3)  # beyond the last element
SCATTERED: Final = TABLE.position(TABLE.load_at(X, LANE + 32), N + 3)
BACKWARDS: Final = LANE * -1 + 5
PARTIALS: Final = Buffer("partial", "i32", (8,), "register")

WRONG: Final = {
    "load behind": (
        launching(loop(N, copied(STEP, STEP + 1))),
        "index 40 is not inside argument x",
    ),
    "load before": (
        launching(loop(N, copied(STEP, STEP - 1))),
        "index -1 is not inside argument x",
    ),
    "store behind": (
        launching(loop(N + 1, unless(STEP, N - 1, copied(STEP, STEP)), StoreElement(Y, STEP, ONE))),
        "index 40 is not inside argument y",
    ),
    "store before": (
        launching(loop(N, StoreElement(Y, STEP - 2, ONE))),
        "index -2 is not inside argument y",
    ),
    "vector": (
        launching(loop(5, lanes(copied(STEP * 8 + LANE, STEP * 8 + LANE + 1)))),
        "index 40 is not inside argument x",
    ),
    "stored vector": (
        launching(loop(5, lanes(copied(STEP * 8 + LANE - 1, STEP * 8 + LANE)))),
        "index -1 is not inside argument y",
    ),
    "backwards": (launching([lanes(copied(LANE, BACKWARDS))]), "index -2 is not inside argument x"),
    "every third": (
        launching([lanes(copied(LANE, LANE * 3 + 20))]),
        "index 40 is not inside argument x",
    ),
    "every ninth": (
        launching([lanes(copied(LANE, LANE * 9))]),
        "index 45 is not inside argument x",
    ),
    "neighbors": (
        launching(
            [lanes(StoreElement(Y, LANE * 2 + 30, ONE), StoreElement(Y, LANE * 2 + 31, ONE))]
        ),
        "index 40 is not inside argument y",
    ),
    "from data": (launching(loop(N, copied(STEP, CLAMPED + 7))), "is not inside argument x"),
    "gather": (launching([lanes(copied(LANE, SCATTERED + 6))]), "is not inside argument x"),
    "scatter": (launching([lanes(copied(SCATTERED + 6, LANE))]), "is not inside argument y"),
    "fold": (
        launching(loop(N, Fold(Y, STEP + 1, "add", ONE))),
        "index 40 is not inside argument y",
    ),
    "combine": (
        launching(
            [
                lanes(StoreElement(PARTIALS, LANE, ONE)),
                CombinePartials(Y, ZERO + 77, "add", PARTIALS, 8),
            ],
            PARTIALS,
        ),
        "index 77 is not inside argument y",
    ),
    "stack": (
        launching(
            loop(
                7, StoreElement(STACK, STEP, ONE), StoreElement(Y, STEP, TABLE.load_at(STACK, STEP))
            ),
            STACK,
        ),
        "index 6 is not inside stack own",
    ),
    "apart": (
        launching(loop(2, Loop(LANE, 8, "serial", [copied(LANE, LANE + 33)], apart=True))),
        "index 40 is not inside argument x",
    ),
}


def test_right_programs_give_the_same() -> None:
    executable = Changed(nothing)
    for _ in range(2):
        np.testing.assert_array_equal(executable(VALUES), 2 * VALUES * VALUES)
    assert "_place(" in executable.emit("llvm")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", WRONG)
def test_accesses_beyond_a_buffer_end_the_run(case: str, threads: int) -> None:
    change, message = WRONG[case]
    executable = Changed(change, threads=threads)
    for _ in range(2):
        with pytest.raises(sm.CompileError, match=message) as caught:
            executable(VALUES)
        assert "step 0 of the plan, launch k(s" in str(caught.value)
        assert "of which there are " in str(caught.value)


def test_a_slot_that_is_smaller_than_its_buffer_is_seen() -> None:
    def change(plan: Plan) -> None:
        for slot in plan.slots:
            slot.bytes = 24 if slot.origin == "argument" else slot.bytes

    with pytest.raises(sm.CompileError, match=r"step 0 .* index 6 .* there are 6 elements"):
        Changed(change)(VALUES)


def test_memory_outside_the_arena_is_seen() -> None:
    def change(plan: Plan) -> None:
        for slot in plan.slots:
            slot.offset += 1 << 40 if slot.origin == "local" else 0

    with pytest.raises(sm.CompileError, match=r"index 0 .* there are 0 elements"):
        Changed(change)(VALUES)


def test_memory_that_is_not_aligned_is_seen() -> None:
    def change(plan: Plan) -> None:
        plan.arena += 64
        for slot in plan.slots:
            slot.offset += 2 if slot.origin == "local" else 0

    with pytest.raises(sm.CompileError, match=r"step 0 .*the address 0x.* is not a multiple of 4"):
        Changed(change)(VALUES)


LOOP: Final = """func.func @main(%a: tensor<40xi32>) -> tensor<40xi32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%x = %a) : tensor<40xi32> cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.add %x, %x : tensor<40xi32>
    stablehlo.return %1 : tensor<40xi32>
  }
  return %0 : tensor<40xi32>
}"""


def test_an_endless_loop_that_goes_wrong_ends() -> None:
    def change(plan: Plan) -> None:
        launch = next(step for step in plan.steps if isinstance(step, LaunchStep))
        launch.kernel = Kernel("k", (X, Y), loop(N, copied(STEP, STEP + 1)))
        launch.slots = [launch.slots[0], launch.slots[-1]]

    with pytest.raises(sm.CompileError, match="index 40 is not inside argument x"):
        Changed(change, LOOP)(VALUES)


def test_steps_that_leave_their_memory_are_refused() -> None:
    def change(plan: Plan) -> None:
        plan.arena = 100

    with pytest.raises(sm.CompileError, match=r"step \d+ of .* bytes are not inside s\d+"):
        Changed(change, LOOP.replace("40", "43"))  # no multiple of a vector, so not in place


def test_checked_code_has_its_own_name_in_the_cache() -> None:
    keys = {Changed(nothing).key(b"a")}
    interpreted: Any = sm.load(TEXT).executable("main", backend="interpreter")
    keys.add(CompiledExecutable(interpreted, options=CompileOptions(fuse=False)).key(b"a"))
    assert len(keys) == 2


def test_users_ask_for_checked_code() -> None:
    module = sm.load(TEXT)
    expected = 2 * VALUES * VALUES
    for check in (False, True):
        executable = sm.compile(module, check=check)
        np.testing.assert_array_equal(executable(VALUES), expected)
        assert ("_place(" in executable.emit("llvm")) == check
        np.testing.assert_array_equal(module.run(VALUES, check=check), expected)
    again = sm.compile(sm.load(TEXT), check=True)
    assert isinstance(again, CompiledExecutable)
    assert again.is_from_cache
    np.testing.assert_array_equal(again(VALUES), expected)
