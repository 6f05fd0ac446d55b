"""Blocks that issue requests: every form of control flow around a request, and none elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.interpreter.block import PreparedBlock, ProcessBlock
from stablemate.interpreter.executable import InterpretedExecutable

PAIR = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
SUM = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    })"""


def total(operand: str) -> str:
    """The sum over two replicas."""
    return f'"stablehlo.all_reduce"({operand}) <{{{PAIR}}}> {SUM} : (tensor<f32>) -> tensor<f32>'


def on_two(text: str) -> list[float]:
    """The results of two replicas for 1 and 2."""
    return [float(value) for value in sm.run_grid(text, [np.float32(1), np.float32(2)], 2)]


def test_while_whose_condition_issues_requests() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %limit = stablehlo.constant dense<10.0> : tensor<f32>
  %0 = stablehlo.while(%s = %x) : tensor<f32>
  cond {{
    %1 = {total("%s")}
    %2 = stablehlo.compare LT, %1, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }} do {{
    %3 = stablehlo.add %s, %x : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }}
  return %0 : tensor<f32>
}}"""
    assert on_two(text) == [4, 8]


def test_if_in_a_while() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>
  cond {{
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.and %i, %one : tensor<i32>
    %4 = stablehlo.compare EQ, %3, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = "stablehlo.if"(%4) ({{
      %6 = {total("%s")}
      stablehlo.return %6 : tensor<f32>
    }}, {{
      %7 = stablehlo.add %s, %x : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }}) : (tensor<i1>) -> tensor<f32>
    stablehlo.return %2, %5 : tensor<i32>, tensor<f32>
  }}
  return %0#1 : tensor<f32>
}}"""
    # (1, 2), sum: (3, 3), own: (4, 5), sum: (9, 9), own: (10, 11)
    assert on_two(text) == [10, 11]


@pytest.mark.parametrize(("index", "expected"), [(0, [-1, -2]), (1, [3, 3]), (7, [1, 2])])
def test_case(index: int, expected: list[float]) -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %k = stablehlo.constant dense<{index}> : tensor<i32>
  %0 = "stablehlo.case"(%k) ({{
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }}, {{
    %2 = {total("%x")}
    stablehlo.return %2 : tensor<f32>
  }}, {{
    stablehlo.return %x : tensor<f32>
  }}) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""
    assert on_two(text) == expected


def test_calls_and_composites() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0:2 = func.call @twice(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %1 = stablehlo.composite "my.sum" %0#1 {{decomposition = @sum}} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.add %0#0, %1 : tensor<f32>
  return %2 : tensor<f32>
}}
func.func private @twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  %0 = func.call @sum(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @sum(%0) : (tensor<f32>) -> tensor<f32>
  func.call @nothing(%1) : (tensor<f32>) -> ()
  return %0, %1 : tensor<f32>, tensor<f32>
}}
func.func private @sum(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {total("%x")}
  return %0 : tensor<f32>
}}
func.func private @nothing(%x: tensor<f32>) {{
  %0 = stablehlo.replica_id : tensor<ui32>
  return
}}"""
    assert on_two(text) == [15, 15]  # 3 + 12


def test_only_functions_with_requests_are_processes() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = func.call @plain(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @asks(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}}
func.func private @plain(%x: tensor<f32>) -> tensor<f32> {{
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}}
func.func private @asks(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {total("%x")}
  return %0 : tensor<f32>
}}"""
    executable = sm.compile(sm.load(text), backend="interpreter")
    assert isinstance(executable, InterpretedExecutable)
    (program,) = executable.idle
    kinds = {name: type(block) for name, block in program.prepared.items()}
    assert kinds == {"main": ProcessBlock, "plain": PreparedBlock, "asks": ProcessBlock}


def test_programs_are_used_again() -> None:
    text = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {total("%x")}
  return %0 : tensor<f32>
}}"""
    module = sm.load(text)
    for _ in range(3):
        sm.run_grid(module, [np.float32(1), np.float32(2)], 2, backend="interpreter")
    executable = module.executable(backend="interpreter")
    assert isinstance(executable, InterpretedExecutable)
    assert len(executable.idle) == 2


@pytest.mark.parametrize("within", ["directly", "by a call"])
def test_the_region_of_a_reduction_cannot_issue_requests(within: str) -> None:
    asked = (
        total("%p")
        if within == "directly"
        else ("func.call @sum(%p) : (tensor<f32>) -> tensor<f32>")
    )
    text = f"""
func.func @main(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<f32> {{
  %0 = "stablehlo.reduce"(%x, %y) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %1 = {asked}
    stablehlo.return %1 : tensor<f32>
  }}) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}
func.func private @sum(%x: tensor<f32>) -> tensor<f32> {{
  %0 = {total("%x")}
  return %0 : tensor<f32>
}}"""
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.run_grid(text, (np.float32([1, 2]), np.float32(0)), 2)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.rule == "stablehlo.reduce"
    assert diagnostic.message == "its regions must be pure: they cannot communicate or perform I/O"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 3


def test_deep_nesting_is_a_limit() -> None:
    opening = '"stablehlo.if"(%p) ({\n'
    closing = """
    stablehlo.return %{0} : tensor<f32>
  }}, {{
    stablehlo.return %x : tensor<f32>
  }}) : (tensor<i1>) -> tensor<f32>"""
    functions = [
        f"""
func.func {"private " if i else ""}@f{i}(%x: tensor<f32>) -> tensor<f32> {{
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0 = {opening}%1 = {opening}%2 = {opening}
    %3 = func.call @f{i + 1}(%x) : (tensor<f32>) -> tensor<f32>
  {"".join(closing.format(number) for number in (3, 2, 1))}
  return %0 : tensor<f32>
}}"""
        for i in range(190)
    ]
    for last in ("return %x : tensor<f32>", f"%0 = {total('%x')}\n  return %0 : tensor<f32>"):
        end = f"\nfunc.func private @f190(%x: tensor<f32>) -> tensor<f32> {{\n  {last}\n}}"
        with pytest.raises(sm.LimitError, match="calls and regions are nested too deeply"):
            sm.run("".join(functions) + end, np.float32(1), entry="f0")
