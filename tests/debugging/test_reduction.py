"""Programs are reduced to what shows a fault, and the values around it come along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.debugging.reduction import Candidate, reduce
from tests.programs.program import load_program

BRANCHES = """
func.func private @scale(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<4x6xf32>
  %1 = stablehlo.tanh %0 : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
func.func @main(%x: tensor<4x6xf32>, %n: tensor<i32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s = func.call @scale(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %w:2 = stablehlo.while(%i = %zero, %v = %s) : tensor<i32>, tensor<4x6xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.compare EQ, %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %b = "stablehlo.if"(%p) ({
        %e = stablehlo.exponential %v : tensor<4x6xf32>
        stablehlo.return %e : tensor<4x6xf32>
      }, {
        %k = stablehlo.cosine %v : tensor<4x6xf32>
        %m = stablehlo.subtract %k, %x : tensor<4x6xf32>
        stablehlo.return %m : tensor<4x6xf32>
      }) : (tensor<i1>) -> tensor<4x6xf32>
      stablehlo.return %j, %b : tensor<i32>, tensor<4x6xf32>
    }
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%w#1 init: %init) applies stablehlo.add across dimensions = [1]
    : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return %w#1, %r : tensor<4x6xf32>, tensor<4xf32>
}
"""
X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(4, 6)


def holding(text: str) -> Callable[[Candidate], bool]:
    """A check for an operation in the text; what is checked is valid and can be run."""

    def check(candidate: Candidate) -> bool:
        assert candidate.arguments is not None
        candidate.module.verify()
        candidate.module.run(*candidate.arguments, backend="interpreter")
        return text in candidate.module.to_text()

    return check


@pytest.mark.parametrize(
    "name",
    [
        "tanh",
        "multiply",
        "exponential",
        "cosine",
        "subtract",
        "compare LT",
        "compare EQ",
        "add",
    ],
)
def test_one_operation_is_left_wherever_it_stands(name: str) -> None:
    reduction = reduce(BRANCHES, holding(f"stablehlo.{name}"), X, np.int32(3))
    assert reduction.operations == 1
    assert f"stablehlo.{name}" in reduction.module.to_text()
    assert all(np.asarray(argument).size == 1 for argument in reduction.arguments or ())
    assert reduction.before == 13


def test_values_come_from_the_program() -> None:
    """What is cut off becomes an argument, with the value that it had."""
    seen: list[Any] = []

    def check(candidate: Candidate) -> bool:
        text = candidate.module.to_text()
        if "cosine" in text and "6xf32" in text:
            seen.append((text, candidate.arguments))
            return True
        return False

    reduce(BRANCHES, check, X, np.int32(3))
    text, arguments = seen[-1]
    assert "while" not in text
    expected = np.exp(np.tanh(X * X))
    column = arguments[0].shape[0]
    np.testing.assert_allclose(arguments[0], expected[:column], rtol=1e-6)


def test_two_operations_that_are_needed_stay_joined() -> None:
    def check(candidate: Candidate) -> bool:
        lines = candidate.module.to_text().splitlines()
        return any("tanh %0" in line for line in lines) and any("multiply" in e for e in lines)

    reduction = reduce(BRANCHES, check, X, np.int32(1))
    assert reduction.operations == 2
    assert "%1 = stablehlo.tanh %0" in reduction.module.to_text()


def test_sizes_that_are_needed_stay() -> None:
    def check(candidate: Candidate) -> bool:
        return "tensor<6x" in candidate.module.to_text() or "x6xf32" in candidate.module.to_text()

    reduction = reduce(BRANCHES, check, X, np.int32(1))
    (argument, *_) = reduction.arguments or ()
    assert argument.shape == (1, 6)
    assert reduction.operations == 1


def test_regions_of_computations_are_pruned() -> None:
    text = """
    func.func @main(%x: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
      %r = stablehlo.reduce(%x init: %z) across dimensions = [0]
          : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %0 = stablehlo.add %a, %b : tensor<f32>
        %1 = stablehlo.tanh %0 : tensor<f32>
        %2 = stablehlo.multiply %1, %1 : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }
      return %r : tensor<f32>
    }"""
    reduction = reduce(text, holding("stablehlo.tanh"), np.ones(8, np.float32), np.float32(0))
    assert "add" not in reduction.module.to_text()
    assert "multiply" not in reduction.module.to_text()
    assert reduction.operations == 2


def test_a_program_that_is_not_valid() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
      %0 = stablehlo.tanh %x : tensor<2xf32>
      %1 = "stablehlo.add"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
      %2 = stablehlo.cosine %1 : tensor<3xf32>
      return %2 : tensor<3xf32>
    }"""

    def check(candidate: Candidate) -> bool:
        try:
            candidate.module.verify()
        except sm.VerifyError as error:
            return "stablehlo.add" in str(error)
        return False

    reduction = reduce(text, check)
    assert reduction.operations == 1
    assert reduction.arguments is None


def test_a_run_that_fails_is_recorded_up_to_there() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.tanh %x : tensor<2xf32>
      %1 = stablehlo.custom_call @nobody_knows(%0) : (tensor<2xf32>) -> tensor<2xf32>
      %2 = stablehlo.cosine %1 : tensor<2xf32>
      return %2 : tensor<2xf32>
    }"""

    def check(candidate: Candidate) -> bool:
        try:
            candidate.module.run(*candidate.arguments or (), backend="interpreter")
        except sm.UnsupportedError as error:
            return "nobody_knows" in str(error)
        return False

    reduction = reduce(text, check, np.ones(2, np.float32))
    assert reduction.operations == 1


@pytest.mark.parametrize(
    ("name", "operation"),
    [("gpt_128", "tanh"), ("gnn", "scatter"), ("threefry", "xor"), ("mobilenet", "convolution")],
)
def test_real_programs(name: str, operation: str) -> None:
    source, arrays = load_program(name)
    reduction = reduce(source, holding(f"stablehlo.{operation}"), *arrays)
    assert reduction.operations <= 2
    assert reduction.tried < 60


def test_a_check_that_never_holds() -> None:
    with pytest.raises(sm.ArgumentError, match="the check fails for the original program"):
        reduce(BRANCHES, lambda candidate: False, X, np.int32(1))


def test_an_argument_that_does_not_fit() -> None:
    with pytest.raises(sm.ArgumentError, match="argument 0"):
        reduce(BRANCHES, lambda candidate: True, np.ones(3), np.int32(1))
