"""A launch in a loop and the one that reads its result share a launch, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.loops.statements import Fetch, walk_statements
from stablemate.compiler.plan.plan import CopySlot, JumpStep, LaunchStep, Plan
from tests.compiler.plans import planned
from tests.machines import MACHINES

UNITS = 192
ROWS = 16
STEPS = 5

# What is made of a product of the state with gates: each unit from its own columns, or from others.
ENDS = {
    "gates": """
      %f = stablehlo.logistic %g0 : tensor<16x192xf32>
      %c = stablehlo.tanh %g1 : tensor<16x192xf32>
      %a = stablehlo.multiply %f, %m : tensor<16x192xf32>
      %b = stablehlo.add %a, %c : tensor<16x192xf32>
      %o = stablehlo.tanh %b : tensor<16x192xf32>""",
    "other units": """
      %r = stablehlo.reverse %g1, dims = [1] : tensor<16x192xf32>
      %b = stablehlo.add %g0, %r : tensor<16x192xf32>
      %o = stablehlo.tanh %b : tensor<16x192xf32>""",
    "all units": """
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%g1 init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<16x192xf32>, tensor<f32>) -> tensor<16xf32>
      %r = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<16xf32>) -> tensor<16x192xf32>
      %b = stablehlo.add %g0, %r : tensor<16x192xf32>
      %o = stablehlo.tanh %b : tensor<16x192xf32>""",
}  # fmt: skip


def program(name: str) -> str:
    """A loop over steps of a recurrent layer."""
    return f"""
func.func @main(%x: tensor<5x16x384xf32>, %w: tensor<384x192xf32>, %h: tensor<16x192xf32>)
    -> (tensor<5x16x192xf32>, tensor<16x192xf32>, tensor<16x192xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<{STEPS}> : tensor<i32>
  %y = stablehlo.constant dense<0.0> : tensor<5x16x192xf32>
  %all:4 = stablehlo.while(%i = %zero, %l = %h, %m = %h, %ys = %y)
      : tensor<i32>, tensor<16x192xf32>, tensor<16x192xf32>, tensor<5x16x192xf32> cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %xi = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 16, 384]
      : (tensor<5x16x384xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x384xf32>
    %xs = stablehlo.reshape %xi : (tensor<1x16x384xf32>) -> tensor<16x384xf32>
    %d = stablehlo.dot_general %l, %w, contracting_dims = [1] x [1]
      : (tensor<16x192xf32>, tensor<384x192xf32>) -> tensor<16x384xf32>
    %g = stablehlo.add %xs, %d : tensor<16x384xf32>
    %g0 = stablehlo.slice %g [0:16, 0:192] : (tensor<16x384xf32>) -> tensor<16x192xf32>
    %g1 = stablehlo.slice %g [0:16, 192:384] : (tensor<16x384xf32>) -> tensor<16x192xf32>
{ENDS[name]}
    %u = stablehlo.reshape %o : (tensor<16x192xf32>) -> tensor<1x16x192xf32>
    %v = stablehlo.dynamic_update_slice %ys, %u, %i, %zero, %zero
      : (tensor<5x16x192xf32>, tensor<1x16x192xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> tensor<5x16x192xf32>
    stablehlo.return %j, %o, %b, %v
      : tensor<i32>, tensor<16x192xf32>, tensor<16x192xf32>, tensor<5x16x192xf32>
  }}
  return %all#3, %all#1, %all#2 : tensor<5x16x192xf32>, tensor<16x192xf32>, tensor<16x192xf32>
}}"""


def with_constant_weights(name: str) -> str:
    """The program, whose weights are a constant."""
    argument = "%w: tensor<384x192xf32>, "
    weights = arrays()[1].tobytes().hex().upper()
    constant = f'\n  %w = stablehlo.constant dense<"0x{weights}"> : tensor<384x192xf32>'
    head, _, body = program(name).replace(argument, "").partition("{")
    return f"{head}{{{constant}{body}"


def arrays() -> list[Any]:
    """Inputs, weights and a state."""
    rng = np.random.default_rng(0)
    shapes = (STEPS, ROWS, 2 * UNITS), (2 * UNITS, UNITS), (ROWS, UNITS)
    return [rng.normal(0, 0.1, shape).astype(np.float32) for shape in shapes]


def plan_of(text: str, machine: str = "avx512") -> Plan:
    """The plan of the main function of a program."""
    functions = {f.symbol: f for f in function_operations(sm.load(text).ir)}
    return planned(functions, "main", MACHINES[machine])


def launches_in_loop(plan: Plan) -> list[LaunchStep]:
    """The launches of the loop's body that are cut into chunks."""
    (end,) = (i for i, step in enumerate(plan.steps) if isinstance(step, JumpStep) and step.loops)
    jump = plan.steps[end]
    assert isinstance(jump, JumpStep)
    steps = plan.steps[jump.target : end]
    return [step for step in steps if isinstance(step, LaunchStep) and step.kernel.steps > 1]


@pytest.mark.parametrize("machine", ["avx512", "avx2"])
def test_a_step_of_a_recurrent_layer_is_one_launch(machine: str) -> None:
    """The product, the gates and the copy to the sequence of outputs."""
    (launch,) = launches_in_loop(plan_of(program("gates"), machine))
    assert launch.kernel.steps < UNITS
    statements = list(walk_statements(launch.kernel.body))
    assert sum(isinstance(statement, Fetch) for statement in statements) == 1


def test_weights_are_packed_before_the_loop() -> None:
    """A launch that depends on constants alone shares none."""
    plan = plan_of(with_constant_weights("gates"))
    assert len(launches_in_loop(plan)) == 1
    assert plan.preparations


@pytest.mark.parametrize("name", ["other units", "all units"])
def test_what_reads_other_units_has_a_launch_of_its_own(name: str) -> None:
    """Threads wait for one another before it."""
    assert len(launches_in_loop(plan_of(program(name)))) > 1


@pytest.mark.parametrize("name", ENDS)
def test_values_are_those_of_the_interpreter(name: str) -> None:
    """Of all steps and of the last one, by several threads."""
    values = arrays()
    expected = sm.run(program(name), *values)
    executable = sm.compile(program(name))
    for _ in range(3):
        for value, wanted in zip(executable(*values), expected, strict=True):
            np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


def test_equal_elements_are_filled_in() -> None:
    """Where a loop writes its outputs, no constant of their size is copied."""
    plan = plan_of(program("gates"))
    sizes = [step.source.bytes for step in plan.steps if isinstance(step, CopySlot)]
    assert STEPS * ROWS * UNITS * 4 not in sizes
