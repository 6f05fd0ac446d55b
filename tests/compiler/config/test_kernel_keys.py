"""Forms: layers that compute the same share kernels, and no others do."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep

T = "tensor<8x8xi32>"
FUNCTION_TYPE = f"({T}, {T}) -> {T}"
LAYER = f"""
  %c_N = stablehlo.constant dense<2> : {T}
  %s_N = stablehlo.multiply X, %c_N : {T}
  %d_N = stablehlo.dot_general %s_N, %w, contracting_dims = [1] x [0] : {FUNCTION_TYPE}
  %e_N = stablehlo.subtract %d_N, X : {T}
  %z_N = stablehlo.constant dense<0> : tensor<i32>
  %m_N = stablehlo.reduce(%e_N init: %z_N) applies stablehlo.add across dimensions = [1]
    : ({T}, tensor<i32>) -> tensor<8xi32>
  %b_N = stablehlo.broadcast_in_dim %m_N, dims = [0] : (tensor<8xi32>) -> {T}
  %r_N = stablehlo.dot_general %b_N, %e_N, contracting_dims = [1] x [0] : {FUNCTION_TYPE}
"""


def compiled(first: str, second: str) -> CompiledExecutable:
    """A program of two layers, one after the other."""
    layers = first.replace("_N", "1").replace("X", "%x") + second.replace("_N", "2").replace(
        "X", "%r1"
    )
    head = f"func.func public @main(%x: {T}, %w: {T}, %v: {T}) -> {T}"
    text = f"{head} {{{layers}  return %r2 : {T}\n}}"
    return CompiledExecutable(cast(Any, sm.load(text).executable("main", backend="interpreter")))


def kernels_of(executable: CompiledExecutable) -> list[Any]:
    """The kernel of each launch."""
    return [step.kernel for step in executable.plan.steps if isinstance(step, LaunchStep)]


def assert_right(executable: CompiledExecutable) -> None:
    """The program gives what the interpreter gives."""
    values = np.random.default_rng(0).integers(-2, 3, (3, 8, 8)).astype(np.int32)
    expected = executable.interpreted(*values)
    np.testing.assert_array_equal(executable(*values), expected)


def test_equal_layers_share_all_kernels() -> None:
    executable = compiled(LAYER, LAYER)
    kernels = kernels_of(executable)
    half = len(kernels) // 2
    assert half >= 3
    assert kernels[:half] == kernels[half:]
    assert_right(executable)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dense<2>", "dense<-2>"),
        ("dense<0>", "dense<7>"),
        ("stablehlo.multiply", "stablehlo.add"),
        ("multiply X, %c_N", "multiply X, X"),
        ("%s_N, %w, contracting_dims = [1] x [0]", "%s_N, %w, contracting_dims = [1] x [1]"),
        ("dot_general %s_N, %w", "dot_general %s_N, %s_N"),
        ("subtract %d_N, X", "subtract %d_N, %d_N"),
        ("applies stablehlo.add", "applies stablehlo.maximum"),
        ("dimensions = [1]", "dimensions = [0]"),
    ],
)
def test_layers_that_differ_share_only_what_is_equal(old: str, new: str) -> None:
    assert old in LAYER
    executable = compiled(LAYER, LAYER.replace(old, new))
    fewest = set(kernels_of(compiled(LAYER, LAYER)))
    assert len(set(kernels_of(executable))) > len(fewest)
    assert_right(executable)


def test_operands_that_change_places_are_handed_in_that_order() -> None:
    layer = LAYER.replace("reduce(%e_N", "reduce(%d_N")  # so that %d is kept in memory
    executable = compiled(layer, layer.replace("subtract %d_N, X", "subtract X, %d_N"))
    kernels = kernels_of(executable)
    assert kernels[: len(kernels) // 2] == kernels[len(kernels) // 2 :]
    assert_right(executable)


def test_a_value_that_is_kept_in_one_layer_only_is_told_apart() -> None:
    scatter = f"""%q_N = "stablehlo.select_and_scatter"(%s_N, %s_N, %z_N) ({{
    ^select(%i: tensor<i32>, %j: tensor<i32>):
      %g = stablehlo.compare GE, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    }}, {{
    ^scatter(%i: tensor<i32>, %j: tensor<i32>):
      %t = stablehlo.add %i, %j : tensor<i32>
      stablehlo.return %t : tensor<i32>
  }}) {{window_dimensions = array<i64: 1, 1>}} : ({T}, {T}, tensor<i32>) -> {T}
  %m_N"""
    scattered_too = LAYER.replace("%m_N", scatter, 1).replace("reduce(%e_N", "reduce(%q_N")
    executable = compiled(LAYER, scattered_too)
    dots = [
        step.kernel
        for step in executable.plan.steps
        if isinstance(step, LaunchStep)
        if any(node.operation.name == "stablehlo.dot_general" for node in step.nodes)
    ]
    computed, other, read, same = dots
    assert computed != read  # in the first layer, %s is computed where the product reads it
    assert other == same
    assert_right(executable)


def test_large_constants_share_kernels_and_keep_their_values() -> None:
    def layer(scale: int) -> str:
        rows = [[scale * (i + j) % 5 for j in range(8)] for i in range(8)]
        return LAYER.replace("dense<2>", f"dense<{rows}>")

    executable = compiled(layer(1), layer(2))
    kernels = kernels_of(executable)
    assert kernels[: len(kernels) // 2] == kernels[len(kernels) // 2 :]
    assert_right(executable)
