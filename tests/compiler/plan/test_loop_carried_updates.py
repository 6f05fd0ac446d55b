"""State of loops: what a branch does not touch stays where it is, what it updates is not copied."""

from __future__ import annotations

import numpy as np

from stablemate.compiler.plan.plan import CopySlot, SwapSlots
from tests.compiler.result_comparison import same_bits

ROWS = 6
CHOICE = f"""
func.func @main(%x: tensor<4xf32>, %state: tensor<{ROWS}x4xf32>) -> tensor<{ROWS}x4xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{ROWS}> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %o = %state) : tensor<i32>, tensor<{ROWS}x4xf32>
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %k = stablehlo.and %i, %one : tensor<i32>
    %p = stablehlo.compare EQ, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %new = "stablehlo.if"(%p) ({{
      %u = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<1x4xf32>
      %v = stablehlo.dynamic_update_slice %o, %u, %i, %zero
        : (tensor<{ROWS}x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<{ROWS}x4xf32>
      stablehlo.return %v : tensor<{ROWS}x4xf32>
    }}, {{
      stablehlo.return %o : tensor<{ROWS}x4xf32>
    }}) : (tensor<i1>) -> tensor<{ROWS}x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, RETURNED : tensor<i32>, tensor<{ROWS}x4xf32>
  }}
  return %r#1 : tensor<{ROWS}x4xf32>
}}"""
SIZE = ROWS * 4 * 4


def moves(text: str) -> int:
    """How often a loop's state is moved as a whole; the bits are the interpreter's."""
    x = np.arange(4, dtype=np.float32)
    executable = same_bits(text, x, np.ones((ROWS, 4), np.float32))
    steps = executable.plan.steps
    copies = [step for step in steps if isinstance(step, CopySlot) and step.source.bytes == SIZE]
    return len(copies) + sum(isinstance(step, SwapSlots) for step in steps)


def test_a_choice_in_a_loop_moves_nothing() -> None:
    assert moves(CHOICE.replace("RETURNED", "%new")) == 1  # into the loop


def test_what_is_read_behind_a_choice_is_not_overwritten() -> None:
    body = CHOICE.replace(
        "    stablehlo.return %next",
        f"    %sum = stablehlo.add %new, %o : tensor<{ROWS}x4xf32>\n    stablehlo.return %next",
    )
    assert moves(body.replace("RETURNED", "%sum")) > 2
