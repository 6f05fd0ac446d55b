"""A loop whose body is one short launch is run by one record of the step table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.native.step_loop import (
    BACK_EDGE,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)

LOOP = """
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<f32>
  cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, %d : tensor<i32>, tensor<f32>
  }}
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}}
"""
SHORT = "%d = stablehlo.multiply %c, %half : tensor<f32>"
NESTED = """%s:2 = stablehlo.while(%k = %zero, %e = %c) : tensor<i32>, tensor<f32>
    cond {
      %q = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %f = stablehlo.add %e, %half : tensor<f32>
      stablehlo.return %l, %f : tensor<i32>, tensor<f32>
    }
    %d = stablehlo.add %s#1, %half : tensor<f32>"""


def kinds(text: str) -> list[int]:
    """The kinds of the records of a program."""
    run: Any = sm.compile(sm.load(text))
    assert isinstance(run, CompiledExecutable)
    image = run.program.image
    return [int(word) for word in image.words[: RECORD_WORDS * image.steps : RECORD_WORDS]]


def test_the_back_edge_of_a_short_loop_launches_its_body() -> None:
    assert kinds(LOOP.format(body=SHORT)).count(REPEATED_LAUNCH) == 1
    nested = kinds(LOOP.format(body=NESTED))
    assert nested.count(REPEATED_LAUNCH) == nested.count(BACK_EDGE) == 1


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 255, 256, 257, 100_000])
def test_number_of_iterations(count: int) -> None:
    run = sm.compile(sm.load(LOOP.format(body=SHORT.replace("multiply", "add"))))
    total, value = run(np.int32(count), np.float32(0))
    assert total == max(count, 0)
    assert value == max(count, 0) / 2


@pytest.mark.parametrize("count", [0, 1, 7, 600])
def test_a_loop_in_a_loop(count: int) -> None:
    run = sm.compile(sm.load(LOOP.format(body=NESTED)))
    total, value = run(np.int32(count), np.float32(0))
    assert (total, value) == (count, (count * (count - 1) // 2 + count) / 2)


def test_the_profile_counts_each_iteration() -> None:
    run = sm.compile(sm.load(LOOP.format(body=SHORT)))
    profile = sm.profile(run, np.int32(300), np.float32(1))
    assert 300 in {row.executions for row in profile.rows if row.kind == "kernel"}
