"""Large values that loops carry: their memory is exchanged; calls leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ml_dtypes import bfloat16

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.buffer_assignment import lifetimes
from stablemate.compiler.plan.plan import BranchStep, CopySlot, JumpStep, Request, SwapSlots

STATE = "tensor<32x32xf32>"
COND = """cond {
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {"""
NEXT = """%one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>"""

# One new value, which reads its old one elsewhere; two that change places; a new one and the old
# one of another; one value for two; an inner loop; a value that stays, in an inner loop too; a
# request about the state.
LOOPS = {
    "one": (1, f"%t = stablehlo.transpose %x, dims = [1, 0] : ({STATE}) -> {STATE}\n"
               f"%u = stablehlo.add %t, %x : {STATE}", "%u"),
    "rotated": (2, "", "%y, %x"),
    "shifted": (2, f"%t = stablehlo.transpose %y, dims = [1, 0] : ({STATE}) -> {STATE}\n"
                   f"%u = stablehlo.subtract %t, %x : {STATE}", "%u, %x"),
    "doubled": (2, f"%t = stablehlo.transpose %y, dims = [1, 0] : ({STATE}) -> {STATE}\n"
                   f"%u = stablehlo.subtract %t, %x : {STATE}", "%u, %u"),
    "both": (2, f"%t = stablehlo.transpose %y, dims = [1, 0] : ({STATE}) -> {STATE}\n"
                f"%u = stablehlo.subtract %t, %x : {STATE}\n"
                f"%v = stablehlo.transpose %u, dims = [1, 0] : ({STATE}) -> {STATE}", "%v, %u"),
    "nested": (1, f"""%z = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%k = %z, %s = %x) : tensor<i32>, {STATE} cond {{
      %b = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %b : tensor<i1>
    }} do {{
      %o = stablehlo.constant dense<1> : tensor<i32>
      %l = stablehlo.add %k, %o : tensor<i32>
      %t = stablehlo.reverse %s, dims = [0] : {STATE}
      %u = stablehlo.subtract %t, %s : {STATE}
      stablehlo.return %l, %u : tensor<i32>, {STATE}
    }}
    %v = stablehlo.transpose %w#1, dims = [1, 0] : ({STATE}) -> {STATE}""", "%v"),
    "kept": (2, f"%t = stablehlo.transpose %y, dims = [1, 0] : ({STATE}) -> {STATE}\n"
                f"%u = stablehlo.subtract %t, %x : {STATE}", "%x, %u"),
    "kept inside": (2, f"""%z = stablehlo.constant dense<0> : tensor<i32>
    %w:3 = stablehlo.while(%k = %z, %s = %x, %v = %y) : tensor<i32>, {STATE}, {STATE} cond {{
      %b = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %b : tensor<i1>
    }} do {{
      %o = stablehlo.constant dense<1> : tensor<i32>
      %l = stablehlo.add %k, %o : tensor<i32>
      %t = stablehlo.reverse %v, dims = [0] : {STATE}
      %u = stablehlo.subtract %t, %s : {STATE}
      stablehlo.return %l, %s, %u : tensor<i32>, {STATE}, {STATE}
    }}""", "%w#1, %w#2"),
    "asked": (1, f'%t = "stablehlo.cholesky"(%x) {{lower = true}} : ({STATE}) -> {STATE}', "%t"),
}  # fmt: skip


def program(name: str) -> str:
    """A loop that carries matrices; what it ends with is used twice more, in other memory."""
    count, body, ends = LOOPS[name]
    states = ["%x", "%y"][:count]
    assignments = "".join(f", {state} = %a{i}" for i, state in enumerate(states))
    arguments = "".join(f", %a{i}: {STATE}" for i in range(count))
    types = f", {STATE}" * count
    results = ", ".join(f"%r#{i + 1}" for i in range(count))
    value = ", ".join([STATE] * (count + 1))
    return f"""func.func @main(%n: tensor<i32>{arguments}) -> ({value}) {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:{count + 1} = stablehlo.while(%i = %c{assignments}) : tensor<i32>{types} {COND}
    {NEXT}
    {body}
    stablehlo.return %j, {ends} : tensor<i32>{types}
  }}
  %t = stablehlo.transpose %r#1, dims = [1, 0] : ({STATE}) -> {STATE}
  %s = stablehlo.add %t, %r#1 : {STATE}
  return {results}, %s : {value}
}}""".replace("xf32>", "xbf16>" if name == "asked" else "xf32>")


@pytest.mark.parametrize("name", LOOPS)
def test_loop_carries_large_values(name: str) -> None:
    module = sm.load(program(name))
    run, interpreted = sm.compile(module, backend="cpu"), sm.compile(module, backend="interpreter")
    rng = np.random.default_rng(3)
    for iterations in (3, 0, 1, 4, 3, 2):  # an odd number leaves memory exchanged
        states = [rng.integers(-4, 5, (32, 32)).astype(np.float32) for _ in range(LOOPS[name][0])]
        if name == "asked":
            states = [np.diag(np.arange(1, 33)).astype(bfloat16)]
        expected: Any = interpreted(np.int32(iterations), *states)
        actual: Any = run(np.int32(iterations), *states)
        for item, other in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(item.astype(np.float32), other.astype(np.float32))


def steps_of(name: str) -> CompiledExecutable:
    """The compiled program."""
    executable: Any = sm.compile(sm.load(program(name)), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def test_large_state_is_not_copied_in_the_loop() -> None:
    steps = steps_of("one").plan.steps
    (exchange,) = [i for i, step in enumerate(steps) if isinstance(step, SwapSlots)]
    copies = [
        i for i, step in enumerate(steps) if isinstance(step, CopySlot) if step.source.bytes > 4
    ]
    first = min(i for i, step in enumerate(steps) if isinstance(step, BranchStep))
    last = min(i for i, step in enumerate(steps) if isinstance(step, JumpStep))
    assert first < exchange < last
    assert not [i for i in copies if first < i < last]


@pytest.mark.parametrize("name", ["kept", "kept inside"])
def test_what_a_loop_never_changes_is_not_copied_into_its_state(name: str) -> None:
    plan = steps_of(name).plan
    arguments = [slot for slot in plan.slots if slot.origin == "argument"]
    copied = [step.source for step in plan.steps if isinstance(step, CopySlot)]
    end = max(i for i, step in enumerate(plan.steps) if isinstance(step, JumpStep))
    late = [step.source for step in plan.steps[end:] if isinstance(step, CopySlot)]
    assert arguments[1] not in copied[: len(copied) - len(late)]
    assert arguments[1] in late  # it is a result


def test_a_result_of_a_loop_is_made_where_it_is_handed_out() -> None:
    text = f"""func.func @main(%n: tensor<i32>, %a: {STATE}) -> {STATE} {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c, %x = %a) : tensor<i32>, {STATE} {COND}
    {NEXT}
    %row = stablehlo.constant dense<2.0> : tensor<1x32xf32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.dynamic_update_slice %x, %row, %i, %z
      : ({STATE}, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> {STATE}
    stablehlo.return %j, %u : tensor<i32>, {STATE}
  }}
  return %r#1 : {STATE}
}}"""
    run: Any = sm.compile(sm.load(text), backend="cpu")
    (into,) = [e for e in run.plan.steps if isinstance(e, CopySlot) and e.source.bytes > 4]
    assert into.target.origin == "result"
    ones = np.ones((32, 32), np.float32)
    for iterations in (0, 1, 5):
        expected = np.where(np.arange(32) < iterations, 2.0, 1.0)[:, None] * ones
        np.testing.assert_array_equal(run(np.int32(iterations), ones), expected)


def test_exchanged_slots_live_as_long_as_each_other() -> None:
    plan = steps_of("both").plan
    lives = lifetimes(plan)
    pairs = [step for step in plan.steps if isinstance(step, SwapSlots)]
    assert pairs
    for pair in pairs:
        assert lives[pair.first] == lives[pair.second]


def test_memory_that_a_request_knows_is_exchanged() -> None:
    steps = steps_of("asked").plan.steps
    (asked,) = [step for step in steps if isinstance(step, Request)]
    (exchanged,) = [step for step in steps if isinstance(step, SwapSlots)]
    assert {exchanged.first, exchanged.second} == {*asked.operands, *asked.results}
