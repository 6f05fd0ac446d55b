"""Large values that loops carry: their memory is exchanged; calls leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.arena import lifetimes
from stablemate.compiler.compiled import CompiledExecutable
from stablemate.compiler.plan import Branch, Copy, Exchange, Jump, Request

STATE = "tensor<32x32xf32>"
COND = """cond {
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {"""
NEXT = """%one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>"""

# One new value, which reads its old one elsewhere; two that change places; a new one and the old
# one of another; one value for two; an inner loop; a request that knows the state.
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
    "asked": (1, f'%t = "stablehlo.cholesky"(%x) {{lower = true}} : ({STATE}) -> {STATE}', "%t"),
}  # fmt: skip


def program(name: str) -> str:
    """A loop that carries matrices; what it ends with is used twice more, in other memory."""
    count, body, ends = LOOPS[name]
    states = ["%x", "%y"][:count]
    carried = "".join(f", {each} = %a{i}" for i, each in enumerate(states))
    arguments = "".join(f", %a{i}: {STATE}" for i in range(count))
    types = f", {STATE}" * count
    results = ", ".join(f"%r#{i + 1}" for i in range(count))
    made = ", ".join([STATE] * (count + 1))
    return f"""func.func @main(%n: tensor<i32>{arguments}) -> ({made}) {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:{count + 1} = stablehlo.while(%i = %c{carried}) : tensor<i32>{types} {COND}
    {NEXT}
    {body}
    stablehlo.return %j, {ends} : tensor<i32>{types}
  }}
  %t = stablehlo.transpose %r#1, dims = [1, 0] : ({STATE}) -> {STATE}
  %s = stablehlo.add %t, %r#1 : {STATE}
  return {results}, %s : {made}
}}"""


@pytest.mark.parametrize("name", LOOPS)
def test_loop_carries_large_values(name: str) -> None:
    module = sm.load(program(name))
    run, interpreted = sm.compile(module, backend="cpu"), sm.compile(module, backend="interpreter")
    rng = np.random.default_rng(3)
    for turns in (3, 0, 1, 4, 3, 2):  # an odd number leaves memory exchanged
        states = [rng.integers(-4, 5, (32, 32)).astype(np.float32) for _ in range(LOOPS[name][0])]
        if name == "asked":
            states = [np.diag(np.arange(1, 33)).astype(np.float32)]
        expected: Any = interpreted(np.int32(turns), *states)
        actual: Any = run(np.int32(turns), *states)
        for each, other in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(each, other)


def steps_of(name: str) -> CompiledExecutable:
    """The compiled program."""
    made: Any = sm.compile(sm.load(program(name)), backend="cpu")
    assert isinstance(made, CompiledExecutable)
    return made


def test_large_state_is_not_copied_in_the_loop() -> None:
    steps = steps_of("one").plan.steps
    (exchange,) = [i for i, each in enumerate(steps) if isinstance(each, Exchange)]
    copies = [i for i, each in enumerate(steps) if isinstance(each, Copy) if each.source.bytes > 4]
    first = min(i for i, each in enumerate(steps) if isinstance(each, Branch))
    last = min(i for i, each in enumerate(steps) if isinstance(each, Jump))
    assert first < exchange < last
    assert not [i for i in copies if first < i < last]


def test_exchanged_slots_live_as_long_as_each_other() -> None:
    plan = steps_of("both").plan
    lives = lifetimes(plan)
    pairs = [each for each in plan.steps if isinstance(each, Exchange)]
    assert pairs
    for each in pairs:
        assert lives[each.first] == lives[each.second]


def test_memory_that_a_request_knows_is_not_exchanged() -> None:
    steps = steps_of("asked").plan.steps
    assert any(isinstance(each, Request) for each in steps)
    assert not any(isinstance(each, Exchange) for each in steps)
