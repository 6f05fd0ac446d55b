"""Tiny steps of loops are one launch; what it computes is what they computed one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import BranchStep, CopySlot, JumpStep, LaunchStep, PlanBuffer
from stablemate.compiler.plan.step_fusion import fuse_steps

STATES = {
    "fibonacci": ("tensor<i64>, tensor<i64>", """
      %a = stablehlo.add %s0, %s1 : tensor<i64>""", "%s1, %a"),
    "flags": ("tensor<7xi1>, tensor<i1>", """
      %f = stablehlo.broadcast_in_dim %s1, dims = [] : (tensor<i1>) -> tensor<7xi1>
      %a = stablehlo.xor %s0, %f : tensor<7xi1>
      %b = stablehlo.not %s1 : tensor<i1>""", "%a, %b"),
    "complex": ("tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>", """
      %a = stablehlo.multiply %s0, %s1 : tensor<3xcomplex<f32>>""", "%a, %s0"),
    "reduced": ("tensor<11xf32>, tensor<f32>", """
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %a = stablehlo.reduce(%s0 init: %z) applies stablehlo.maximum across dimensions = [0]
        : (tensor<11xf32>, tensor<f32>) -> tensor<f32>
      %f = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<11xf32>
      %t = stablehlo.constant dense<0.5> : tensor<11xf32>
      %p = stablehlo.multiply %f, %t : tensor<11xf32>
      %b = stablehlo.subtract %s0, %p : tensor<11xf32>
      %d = stablehlo.add %a, %s1 : tensor<f32>""", "%b, %d"),
    "updated": ("tensor<9xi32>, tensor<i32>", """
      %u = stablehlo.reshape %s1 : (tensor<i32>) -> tensor<1xi32>
      %a = stablehlo.dynamic_update_slice %s0, %u, %i
        : (tensor<9xi32>, tensor<1xi32>, tensor<i32>) -> tensor<9xi32>
      %m = stablehlo.multiply %s1, %s1 : tensor<i32>
      %b = stablehlo.add %m, %one : tensor<i32>""", "%a, %b"),
    "crossed": ("tensor<2xi32>, tensor<2xi32>", """
      %a = stablehlo.dynamic_update_slice %s0, %s1, %i
        : (tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>""", "%s1, %a"),
    "outer product of shifted rows": ("tensor<2x2xf32>, tensor<2x2x3xf32>", """
      %z = stablehlo.constant dense<0.0> : tensor<2x1x3xf32>
      %f = stablehlo.slice %s1 [0:2, 0:1, 0:3] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
      %h = stablehlo.concatenate %z, %f, dim = 1
        : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
      %p = stablehlo.constant dense<2.0> : tensor<2x2xf32>
      %d = stablehlo.dot_general %p, %h, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x []
        : (tensor<2x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
      %b = stablehlo.subtract %s1, %d : tensor<2x2x3xf32>""", "%s0, %b"),
    "swapped": ("tensor<5xf64>, tensor<5xf64>", "", "%s1, %s0"),
    "same": ("tensor<f32>, tensor<f32>", """
      %a = stablehlo.negate %s0 : tensor<f32>""", "%a, %a"),
}  # fmt: skip


def program(name: str) -> str:
    """A loop that carries two small values, and a counter."""
    types, body, ends = STATES[name]
    first, second = types.split(", ")
    return f"""
func.func @main(%n: tensor<i32>, %x: {first}, %y: {second}) -> ({types}) {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c, %s0 = %x, %s1 = %y) : tensor<i32>, {types} cond {{
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    {body}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, {ends} : tensor<i32>, {types}
  }}
  return %r#1, %r#2 : {types}
}}"""


def arrays(name: str, seed: int) -> list[Any]:
    """Values of the states."""
    rng = np.random.default_rng(seed)
    module = sm.load(program(name))
    collected: list[Any] = []
    for argument in sm.compile(module, backend="interpreter").signature.arguments[1:]:
        value_type: Any = argument.type
        shape: tuple[int, ...] = value_type.shape
        numbers = rng.integers(0, 2, shape) if seed else np.ones(shape, np.int64)
        collected.append(np.asarray(numbers).astype(value_type.element_type.dtype))
    return collected


@pytest.mark.parametrize("name", STATES)
def test_small_states(name: str) -> None:
    module = sm.load(program(name))
    run: Any = sm.compile(module, backend="cpu")
    assert isinstance(run, CompiledExecutable)
    interpreted = sm.compile(module, backend="interpreter")
    for iterations in (0, 1, 2, 7):
        states = arrays(name, iterations)
        expected: Any = interpreted(np.int32(iterations), *states)
        for one, other in zip(run(np.int32(iterations), *states), expected, strict=True):
            np.testing.assert_array_equal(one, other)
    steps = run.plan.steps
    branch = next(i for i, step in enumerate(steps) if isinstance(step, BranchStep))
    end = next(i for i, step in enumerate(steps) if isinstance(step, JumpStep))
    inside = steps[branch + 1 : end]
    assert len(inside) == 1
    assert isinstance(inside[0], LaunchStep)


def test_without_fusion_nothing_is_merged() -> None:
    text = program("reduced")
    interpreted: Any = sm.load(text).executable(backend="interpreter")
    steps = CompiledExecutable(interpreted, options=CompileOptions(fuse=False)).plan.steps
    assert sum(isinstance(step, LaunchStep) for step in steps) > 4


def test_steps_that_others_go_on_at_begin_a_launch() -> None:
    slots = [PlanBuffer(i, 8, "local") for i in range(4)]
    copies = [CopySlot(slots[i], slots[i + 1]) for i in range(3)]
    branch = BranchStep(slots[0], [6, 3])
    steps = [copies[0], copies[1], branch, copies[2], copies[0], JumpStep(1, loops=True), copies[1]]
    merged = fuse_steps(steps, 64)
    kinds = [type(item) for item in merged]
    assert kinds == [CopySlot, CopySlot, BranchStep, LaunchStep, JumpStep, CopySlot]
    jump = merged[4]
    assert isinstance(jump, JumpStep)
    assert jump.target == 1
    assert branch.targets == [5, 3]


def test_nested_loops() -> None:
    text = """
func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<4xi32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %v = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r:3 = stablehlo.while(%i = %z, %s = %z, %w = %v) : tensor<i32>, tensor<i32>, tensor<4xi32> cond {
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %q:2 = stablehlo.while(%k = %z, %t = %s) : tensor<i32>, tensor<i32> cond {
      %b = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %b : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %u = stablehlo.add %t, %l : tensor<i32>
      stablehlo.return %l, %u : tensor<i32>, tensor<i32>
    }
    %p = stablehlo.broadcast_in_dim %q#1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %o = stablehlo.multiply %w, %p : tensor<4xi32>
    %h = stablehlo.reverse %o, dims = [0] : tensor<4xi32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q#1, %h : tensor<i32>, tensor<i32>, tensor<4xi32>
  }
  return %r#1, %r#2 : tensor<i32>, tensor<4xi32>
}"""
    module = sm.load(text)
    for iterations in (0, 1, 2, 5):
        expected: Any = sm.compile(module, backend="interpreter")(np.int32(iterations))
        actual: Any = sm.compile(module, backend="cpu")(np.int32(iterations))
        for one, other in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(one, other)
