"""Short loops are written out, deep programs are no limit, small constants are part of the code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import JumpStep, LaunchStep
from stablemate.diagnostics.limits import Limits


def compiled(text: str) -> CompiledExecutable:
    """The compiled program."""
    executable: Any = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def loop(first: int, bound: int, step: int, element: str = "i32", body: str = "") -> str:
    """A loop that rotates bits by constants out of a table."""
    return f"""
func.func @main(%x: tensor<50xui32>) -> (tensor<50xui32>, tensor<{element}>) {{
  %c = stablehlo.constant dense<{first}> : tensor<{element}>
  %n = stablehlo.constant dense<{bound}> : tensor<{element}>
  %t = stablehlo.constant dense<[3, 15, 26, 6]> : tensor<4xui32>
  %r:3 = stablehlo.while(%i = %c, %s = %x, %w = %t)
    : tensor<{element}>, tensor<50xui32>, tensor<4xui32> cond {{
    %b = stablehlo.compare LT, %i, %n : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  }} do {{
    {body}
    %one = stablehlo.constant dense<{step}> : tensor<{element}>
    %j = stablehlo.add %i, %one : tensor<{element}>
    %a = stablehlo.slice %w [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %k = stablehlo.reshape %a : (tensor<1xui32>) -> tensor<ui32>
    %q = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %u = stablehlo.shift_left %s, %q : tensor<50xui32>
    %v = stablehlo.xor %u, %s : tensor<50xui32>
    %z = stablehlo.reverse %w, dims = [0] : tensor<4xui32>
    stablehlo.return %j, %v, %z : tensor<{element}>, tensor<50xui32>, tensor<4xui32>
  }}
  return %r#1, %r#0 : tensor<50xui32>, tensor<{element}>
}}"""


X = np.random.default_rng(2).integers(0, 1 << 32, 50, np.uint32)


def jumps(executable: CompiledExecutable) -> int:
    """How many loops a plan has."""
    return sum(isinstance(step, JumpStep) for step in executable.plan.steps)


@pytest.mark.parametrize(
    ("first", "bound", "step", "iterations"),
    [(0, 5, 1, 5), (3, 3, 1, 0), (4, 3, 1, 0), (-3, 4, 3, 3), (0, 8, 1, 8)],
)
def test_short_loop_is_written_out(first: int, bound: int, step: int, iterations: int) -> None:
    text = loop(first, bound, step)
    compiled_value = compiled(text)
    assert jumps(compiled_value) == 0
    expected: Any = sm.compile(sm.load(text), backend="interpreter")(X)
    actual: Any = compiled_value(X)
    np.testing.assert_array_equal(actual[0], expected[0])
    assert actual[1] == expected[1] == first + iterations * step


@pytest.mark.parametrize(
    "text",
    [
        loop(0, 9, 1),  # long
        loop(0, 127, 64, "i8"),  # the counter would wrap around
        loop(0, 5, 0),  # for ever; not run
        loop(0, 5, 1, body="%d = stablehlo.custom_call @unknown(%s) {has_side_effect = true}"
                           " : (tensor<50xui32>) -> tensor<50xui32>"),  # not by elements; not run
    ],
)  # fmt: skip
def test_other_loops_stay(text: str) -> None:
    assert jumps(compiled(text)) == 1


def test_loops_that_are_counted_stay() -> None:
    limits = Limits(iterations=3)
    executable: Any = sm.compile(sm.load(loop(0, 5, 1)), backend="cpu", limits=limits)
    with pytest.raises(sm.LimitError):
        executable(X)


def test_constants_of_equal_operations_are_told_apart() -> None:
    text = """
func.func @main(%x: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = stablehlo.slice %c [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %1 = stablehlo.slice %d [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1xf32>) -> tensor<40xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<40xf32>
  %4 = stablehlo.multiply %x, %2 : tensor<40xf32>
  %5 = stablehlo.multiply %x, %3 : tensor<40xf32>
  return %4, %5 : tensor<40xf32>, tensor<40xf32>
}"""
    x = np.arange(40, dtype=np.float32)
    one, other = compiled(text)(x)
    np.testing.assert_array_equal(one, 2 * x)
    np.testing.assert_array_equal(other, 3 * x)


@pytest.mark.parametrize("moves", [False, True])
def test_deep_programs(moves: bool) -> None:
    """1,500 operations in one kernel, each on the one before, some of them moving elements."""
    lines: list[str] = []
    last = "%x"
    for i in range(1500):
        if moves and i % 3 == 0:
            lines.append(f"%v{i} = stablehlo.reverse {last}, dims = [0] : tensor<33xi32>")
        else:
            lines.append(f"%v{i} = stablehlo.add {last}, %x : tensor<33xi32>")
        last = f"%v{i}"
    text = f"""func.func @main(%x: tensor<33xi32>) -> tensor<33xi32> {{
{chr(10).join(lines)}
return {last} : tensor<33xi32> }}"""
    compiled_value = compiled(text)
    assert sum(isinstance(step, LaunchStep) for step in compiled_value.plan.steps) == 1
    x = np.arange(33, dtype=np.int32)
    expected = sm.compile(sm.load(text), backend="interpreter")(x)
    np.testing.assert_array_equal(compiled_value(x), expected)
    assert compiled_value.emit("nest").count("\n") < 3000
