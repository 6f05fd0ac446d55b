"""How often operations run, and that their costs add up."""

import pytest

import stablemate as sm
from stablemate.analysis.cost import Cost, costs_of
from stablemate.analysis.planning.visits import ExecutionCount, Visiting
from tests.programs import program

NESTED = """
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %i, %y = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %a, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %a, %one : tensor<i32>
    %1 = func.call @square(%b) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = func.call @square(%1) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0, %2 : tensor<i32>, tensor<4xf32>
  }
  %last = func.call @square(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %last : tensor<4xf32>
}
"""
BRANCHES = """
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<4xf32>
    %2 = stablehlo.multiply %1, %x : tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def executions(text: str) -> dict[str, ExecutionCount]:
    module = sm.load(text)
    module.verify()
    return {entry.name: n for entry, n in Visiting(module.ir).visited_by("main").items()}


def test_turns_multiply_through_loops_and_calls() -> None:
    assert executions(NESTED.replace("LIMIT", "%three")) == {
        "stablehlo.compare": ExecutionCount(4),
        "stablehlo.add": ExecutionCount(3),
        "stablehlo.multiply": ExecutionCount(2 * 3 + 1),
    }


def test_an_open_loop_is_said() -> None:
    assert executions(NESTED.replace("LIMIT", "%n")) == {
        "stablehlo.compare": ExecutionCount(1, open=1),
        "stablehlo.add": ExecutionCount(1, open=1),
        "stablehlo.multiply": ExecutionCount(2 + 1, open=1),
    }


def test_of_branches_the_costliest_is_taken() -> None:
    assert executions(BRANCHES) == {
        "stablehlo.add": ExecutionCount(1),
        "stablehlo.multiply": ExecutionCount(1),
    }


@pytest.mark.parametrize("name", ["convtrain", "gpt2_b1", "lstm", "nbody", "resnet50", "threefry"])
def test_the_whole_is_the_sum_of_its_operations(name: str) -> None:
    module = sm.load(program.DIRECTORY / f"{name}.mlir")
    module.verify()
    visiting = Visiting(module.ir)
    costs = costs_of(module.ir)
    for function in visiting.functions:
        visited = visiting.visited_by(function)
        parts = [visiting.counting.operation(item).times(n.number) for item, n in visited.items()]
        whole, total = costs[function], sum(parts, Cost())
        assert (total.flops, total.bytes) == (whole.flops, whole.bytes)
        assert total.transcendentals == whole.transcendentals
