"""Regions with control flow in native code: the bits that the interpreter gives."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.result_comparison import same_bits

BRANCHES: Final = {
    "if": """
      %p = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %r:2 = "stablehlo.if"(%p) ({
        %d = stablehlo.subtract %x, %y : tensor<f32>
        stablehlo.return %d, %x : tensor<f32>, tensor<f32>
      }, {
        %q = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %n = "stablehlo.if"(%q) ({
          stablehlo.return %y : tensor<f32>
        }, {
          %e = stablehlo.negate %x : tensor<f32>
          stablehlo.return %e : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        stablehlo.return %n, %y : tensor<f32>, tensor<f32>
      }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
      %s = stablehlo.add %r#0, %r#1 : tensor<f32>
      stablehlo.return %s : tensor<f32>""",
    "case": """
      %c = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
      %s = "stablehlo.case"(%c) ({
        stablehlo.return %x : tensor<f32>
      }, {
        %m = stablehlo.maximum %x, %y : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }, {
        stablehlo.return %y : tensor<f32>
      }) : (tensor<i32>) -> tensor<f32>
      stablehlo.return %s : tensor<f32>""",
    "one case": """
      %c = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
      %s = "stablehlo.case"(%c) ({
        %t = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<i32>) -> tensor<f32>
      stablehlo.return %s : tensor<f32>""",
}
OPERATIONS: Final = {
    "map": """(%a: tensor<40xf32>, %b: tensor<40xf32>) -> tensor<40xf32> {
      %0 = "stablehlo.map"(%a, %b) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):BODY
      }) {dimensions = array<i64: 0>} : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
      return %0 : tensor<40xf32>""",
    "reduce_window": """(%a: tensor<40xf32>, %b: tensor<f32>) -> tensor<38xf32> {
      %0 = "stablehlo.reduce_window"(%a, %b) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):BODY
      }) {window_dimensions = array<i64: 3>} : (tensor<40xf32>, tensor<f32>) -> tensor<38xf32>
      return %0 : tensor<38xf32>""",
    "reduce": """(%a: tensor<5x8xf32>, %b: tensor<f32>) -> tensor<5xf32> {
      %0 = "stablehlo.reduce"(%a, %b) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):BODY
      }) {dimensions = array<i64: 1>} : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
      return %0 : tensor<5xf32>""",
}


@pytest.mark.parametrize("branches", BRANCHES)
def test_branches_become_choices(branches: str) -> None:
    text = f"func.func @main{OPERATIONS['map'].replace('BODY', BRANCHES[branches])}\n}}"
    numbers = np.random.default_rng(1).integers(-3, 4, 40).astype("f")
    same_bits(text, numbers, numbers[::-1].copy())


LARGEST: Final = """
      %p = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %r = "stablehlo.if"(%p) ({
        stablehlo.return %x : tensor<f32>
      }, {
        stablehlo.return %y : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      stablehlo.return %r : tensor<f32>"""


@pytest.mark.parametrize("operation", ["reduce", "reduce_window"])
def test_branches_fold(operation: str) -> None:
    text = f"func.func @main{OPERATIONS[operation].replace('BODY', LARGEST)}\n}}"
    numbers = np.random.default_rng(2).standard_normal(40).astype("f")
    outcome = same_bits(
        text, numbers.reshape(5, 8) if operation == "reduce" else numbers, np.float32(0.5)
    )
    assert len(outcome.kernel_functions.functions) == 1


COLLATZ: Final = """
func.func @main(%a: tensor<4x5xi32>) -> tensor<4x5xi64> {
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i32>):
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = stablehlo.while(%n = %x, %steps = %zero) : tensor<i32>, tensor<i64>
    cond {
      %go = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %bit = stablehlo.and %n, %one : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %half = stablehlo.divide %n, %two : tensor<i32>
      %triple = stablehlo.multiply %n, %three : tensor<i32>
      %more = stablehlo.add %triple, %one : tensor<i32>
      %odd = stablehlo.convert %bit : (tensor<i32>) -> tensor<i1>
      %next = stablehlo.select %odd, %more, %half : tensor<i1>, tensor<i32>
      %count = stablehlo.constant dense<1> : tensor<i64>
      %k = stablehlo.add %steps, %count : tensor<i64>
      stablehlo.return %next, %k : tensor<i32>, tensor<i64>
    }
    stablehlo.return %r#1 : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x5xi32>) -> tensor<4x5xi64>
  return %0 : tensor<4x5xi64>
}"""


def steps_of(number: int) -> int:
    """How often a number is halved, or tripled and increased, until it is 1."""
    count = 0
    while number > 1:
        number, count = number // 2 if number % 2 == 0 else 3 * number + 1, count + 1
    return count


def test_maps_by_loops_are_loops_over_elements() -> None:
    numbers = np.arange(1, 21, dtype=np.int32).reshape(4, 5)
    outcome = same_bits(COLLATZ, numbers)(numbers)
    assert outcome.reshape(-1).tolist() == [steps_of(item) for item in range(1, 21)]


@pytest.mark.parametrize("fuse", [False, True])
def test_maps_by_loops_of_nothing_are_nothing(fuse: bool) -> None:
    module = sm.load(COLLATZ.replace("4x5x", "4x0x"))
    interpreted = module.executable("main", backend="interpreter")
    compiled = CompiledExecutable(interpreted, options=CompileOptions(fuse=fuse))  # type: ignore[arg-type]
    (array,) = compiled.run([np.zeros((4, 0), np.int32)])
    assert array.shape == (4, 0)
    assert array.dtype == np.int64


def test_limits_count_the_loops_of_the_program() -> None:
    numbers = np.full((4, 5), 27, np.int32)
    executable = sm.compile(sm.load(COLLATZ), backend="cpu", limits=sm.Limits(iterations=50))
    with pytest.raises(sm.LimitError, match="50 iterations"):
        executable(numbers)
    small = np.full((4, 5), 8, np.int32)
    assert (executable(small) == 3).all()  # 20 elements, 3 iterations each
