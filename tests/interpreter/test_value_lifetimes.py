"""Every value is dropped after the last operation that reads it."""

from __future__ import annotations

import tracemalloc

import numpy as np

import stablemate as sm

SIZE = 1 << 18
BYTES = SIZE * 4
T = f"tensor<{SIZE}xf32>"


def peak(text: str) -> float:
    """Most memory that a run takes at once, in values of ``SIZE`` elements."""
    executable = sm.compile(sm.load(text), backend="interpreter")
    x = np.ones(SIZE, np.float32)
    executable(x)
    tracemalloc.start()
    try:
        executable(x)
        return tracemalloc.get_traced_memory()[1] / BYTES
    finally:
        tracemalloc.stop()


def test_a_chain_holds_two_values() -> None:
    lines = "\n".join(f"  %{i + 1} = stablehlo.negate %{i} : {T}" for i in range(20))
    text = f"func.func @main(%0: {T}) -> {T} {{\n{lines}\n  return %20 : {T}\n}}"
    assert peak(text) < 2.5


def test_a_chain_in_a_loop_holds_its_state_and_two_values() -> None:
    lines = "\n".join(f"    %{i + 1} = stablehlo.negate %{i} : {T}" for i in range(20))
    text = f"""
func.func @main(%x: {T}) -> {T} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %0 = %x) : tensor<i32>, {T}
  cond {{
    %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
{lines}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %20 : tensor<i32>, {T}
  }}
  return %r#1 : {T}
}}"""
    assert peak(text) < 3.5


def test_values_that_regions_use_are_dropped_too() -> None:
    lines = "\n".join(
        f"""  %{i + 1} = "stablehlo.if"(%p) ({{
    %t = stablehlo.negate %{i} : {T}
    stablehlo.return %t : {T}
  }}, {{
    stablehlo.return %{i} : {T}
  }}) : (tensor<i1>) -> {T}"""
        for i in range(20)
    )
    text = f"""
func.func @main(%0: {T}) -> {T} {{
  %p = stablehlo.constant dense<true> : tensor<i1>
{lines}
  return %20 : {T}
}}"""
    assert peak(text) < 2.5


def test_what_nobody_reads_is_dropped_at_once() -> None:
    lines = "\n".join(f"  %{i} = stablehlo.negate %x : {T}" for i in range(20))
    text = f"func.func @main(%x: {T}) -> {T} {{\n{lines}\n  return %19 : {T}\n}}"
    assert peak(text) < 2.5
