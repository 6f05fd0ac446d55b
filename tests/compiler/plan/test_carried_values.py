"""Large values that loops carry are written in place where nothing else reads them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.plan.carried_values import write_in_place
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    PlanBuffer,
    Step,
    SwapSlots,
)

STATE: Final = "tensor<64x48xf32>"
SUM: Final = f"%u = stablehlo.add %x, %y : {STATE}"
# The body of a loop that carries two matrices, what it returns, and how often it exchanges memory.
LOOPS: Final = {
    "both element by element": (
        f"{SUM}\n%v = stablehlo.multiply %y, %h : {STATE}", "%u, %v", 0,
    ),
    "the old value of one for the other": (
        f"{SUM}\n%v = stablehlo.subtract %x, %y : {STATE}", "%u, %v", None,
    ),
    "the new value of one for the other": (
        f"{SUM}\n%v = stablehlo.subtract %u, %y : {STATE}", "%u, %v", None,
    ),
    "elements of other places": (
        f"%t = stablehlo.reverse %x, dims = [0] : {STATE}\n"
        f"%u = stablehlo.subtract %t, %x : {STATE}", "%u, %y", 1,
    ),
    "one that does not depend on itself": (
        f"%v = stablehlo.multiply %y, %h : {STATE}", "%v, %y", 0,
    ),
    "places that change": ("", "%y, %x", None),
    "a sum after a change of places": (SUM, "%y, %u", None),
}  # fmt: skip


def program(name: str) -> str:
    """A loop, whose results are used outside."""
    body, ends, _ = LOOPS[name]
    return f"""func.func @main(%n: tensor<i32>, %a: {STATE}, %b: {STATE}) -> ({STATE}, {STATE}) {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %h = stablehlo.constant dense<0.5> : {STATE}
  %r:3 = stablehlo.while(%i = %c, %x = %a, %y = %b) : tensor<i32>, {STATE}, {STATE} cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, {ends} : tensor<i32>, {STATE}, {STATE}
  }}
  %s = stablehlo.add %r#1, %a : {STATE}
  return %s, %r#2 : {STATE}, {STATE}
}}"""


@pytest.mark.parametrize("name", LOOPS)
def test_loops_have_the_values_of_the_interpreter(name: str) -> None:
    module = sm.load(program(name))
    run: Any = sm.compile(module, backend="cpu")
    interpreted: Any = sm.compile(module, backend="interpreter")
    random = np.random.default_rng(0)
    for iterations in (3, 0, 1, 4):
        states = [random.integers(-4, 5, (64, 48)).astype(np.float32) for _ in range(2)]
        expected = interpreted(np.int32(iterations), *states)
        actual = run(np.int32(iterations), *states)
        for item, other in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(item, other)
    exchanges = [step for step in run.plan.steps if isinstance(step, SwapSlots)]
    expected_exchanges = LOOPS[name][2]
    if expected_exchanges is not None:
        assert len(exchanges) == expected_exchanges


def test_copies_of_copies_stay() -> None:
    x, y, one, other, flag = (
        PlanBuffer(0, 8192, "argument"),
        PlanBuffer(1, 8192, "result"),
        PlanBuffer(2, 8192, "local"),
        PlanBuffer(3, 8192, "local"),
        PlanBuffer(4, 1, "local"),
    )
    moved: list[Step] = [CopySlot(x, other), CopySlot(other, one)]
    loop: list[Step] = [*moved, BranchStep(flag, [4, 3]), JumpStep(0, loops=True)]
    assert write_in_place([*loop, CopySlot(one, y), EndStep()])[:2] == moved


def test_what_another_path_computes_stays_in_its_slot() -> None:
    module = sm.load(
        f"""func.func @main(%n: tensor<i32>, %a: {STATE}, %p: tensor<i1>) -> {STATE} {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c, %x = %a) : tensor<i32>, {STATE} cond {{
    %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = "stablehlo.if"(%p) ({{
      %v = stablehlo.add %x, %a : {STATE}
      stablehlo.return %v : {STATE}
    }}, {{
      %v = stablehlo.multiply %x, %a : {STATE}
      stablehlo.return %v : {STATE}
    }}) : (tensor<i1>) -> {STATE}
    %w = stablehlo.subtract %u, %x : {STATE}
    stablehlo.return %j, %w : tensor<i32>, {STATE}
  }}
  return %r#1 : {STATE}
}}"""
    )
    run: Any = sm.compile(module, backend="cpu")
    state = np.random.default_rng(1).integers(-3, 4, (64, 48)).astype(np.float32)
    for path in (True, False):
        expected = state
        for _ in range(3):
            expected = (expected + state if path else expected * state) - expected
        np.testing.assert_array_equal(run(np.int32(3), state, np.bool_(path)), expected)


def test_small_values_are_written_in_place_in_programs_of_several_devices() -> None:
    state = "tensor<8x8xf32>"
    module = sm.load(
        f"""func.func @main(%n: tensor<i32>, %a: {state}) -> {state} {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %h = stablehlo.constant dense<0.5> : {state}
  %r:2 = stablehlo.while(%i = %c, %x = %a) : tensor<i32>, {state} cond {{
    %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  }} do {{
    %id = stablehlo.partition_id : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.multiply %x, %h : {state}
    stablehlo.return %j, %u : tensor<i32>, {state}
  }}
  return %r#1 : {state}
}}"""
    )
    run: Any = sm.compile(module, backend="cpu")
    assert not [step for step in run.plan.steps if isinstance(step, SwapSlots)]
    np.testing.assert_array_equal(run(np.int32(3), np.full((8, 8), 8, np.float32)), np.ones((8, 8)))
