"""Which dots are followed in the search for gradients of attention: its time is linear."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.rewrites.attention import gradient, wide_sums
from stablemate.compiler.rewrites.attention.clusters import cluster_of
from tests.compiler.kernels.test_dot import values
from tests.properties.attention.small_tiles import small_tiles

LAYERS: Final = 5
WIDTH: Final = 128
SCORES: Final = 64


def network() -> str:
    """Layers of a dot that add to one value; the exponential of another dot's result."""
    wide, narrow = f"tensor<{WIDTH}x{WIDTH}xf32>", f"tensor<{WIDTH}x{SCORES}xf32>"
    lines = [f"func.func @main(%x0: {wide}, %w: {wide}, %k: {narrow}) -> {narrow} {{"]
    for n in range(LAYERS):
        dims = "contracting_dims = [1] x [0]"
        lines.append(
            f"%d{n} = stablehlo.dot_general %x{n}, %w, {dims} : ({wide}, {wide}) -> {wide}"
        )
        lines.append(f"%x{n + 1} = stablehlo.add %x{n}, %d{n} : {wide}")
    lines.append(
        f"%s = stablehlo.dot_general %x{LAYERS}, %k, contracting_dims = [1] x [0]"
        f" : ({wide}, {narrow}) -> {narrow}"
    )
    lines += [f"%e = stablehlo.exponential %s : {narrow}", f"return %e : {narrow}", "}"]
    return "\n".join(lines)


def test_only_dots_as_large_as_an_exponential_are_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[tuple[int, ...]] = []

    def recorded(scores: Any, *arguments: Any) -> Any:
        followed.append(scores.results[0].shape)
        return cluster_of(scores, *arguments)

    monkeypatch.setattr(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1)
    for module in (gradient, wide_sums):
        monkeypatch.setattr(module, "cluster_of", recorded)
    executable: Any = sm.compile(sm.load(network()), backend="cpu")
    assert executable.inspected.graph.nodes
    assert set(followed) == {(WIDTH, SCORES)}


def test_no_dot_is_followed_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_called(*_: Any) -> None:
        raise AssertionError("a small dot is followed")

    for module in (gradient, wide_sums):
        monkeypatch.setattr(module, "cluster_of", not_called)
    executable: Any = sm.compile(sm.load(network()), backend="cpu")
    assert executable.inspected.graph.nodes


def guarded_gradient() -> str:
    """The gradient of attention whose rows without a visible key are zero, as PyTorch writes it."""
    rows, scores, sums = "tensor<2x64x8xf32>", "tensor<2x64x64xf32>", "tensor<2x64xf32>"
    reduce = f"across dimensions = [2] : ({scores}, tensor<f32>) -> {sums}"
    over = f": ({rows}, {rows}) -> {scores}"
    back = f": ({scores}, {rows}) -> {rows}"
    spread = f"dims = [0, 1] : ({sums}) -> {scores}"
    batch = "batching_dims = [0] x [0], contracting_dims ="
    return f"""
func.func @main(%q: {rows}, %k: {rows}, %v: {rows}, %g: {rows}, %bias: {scores})
    -> ({rows}, {rows}, {rows}) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : {scores}
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %lows = stablehlo.constant dense<0xFF800000> : {sums}
  %products = stablehlo.dot_general %q, %k, {batch} [2] x [2] {over}
  %factor = stablehlo.constant dense<0.5> : {scores}
  %scaled = stablehlo.multiply %products, %factor : {scores}
  %logits = stablehlo.add %scaled, %bias : {scores}
  %top = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum {reduce}
  %tops = stablehlo.broadcast_in_dim %top, {spread}
  %shifted = stablehlo.subtract %logits, %tops : {scores}
  %powers = stablehlo.exponential %shifted : {scores}
  %total = stablehlo.reduce(%powers init: %zero) applies stablehlo.add {reduce}
  %totals = stablehlo.broadcast_in_dim %total, {spread}
  %quotients = stablehlo.divide %powers, %totals : {scores}
  %again = stablehlo.reduce(%logits init: %low) applies stablehlo.maximum {reduce}
  %hidden = stablehlo.compare EQ, %again, %lows : ({sums}, {sums}) -> tensor<2x64xi1>
  %mask = stablehlo.broadcast_in_dim %hidden, dims = [0, 1]
    : (tensor<2x64xi1>) -> tensor<2x64x64xi1>
  %weights = stablehlo.select %mask, %zeros, %quotients : tensor<2x64x64xi1>, {scores}
  %of_values = stablehlo.dot_general %weights, %g, {batch} [1] x [1] {back}
  %of_weights = stablehlo.dot_general %g, %v, {batch} [2] x [2] {over}
  %terms = stablehlo.multiply %of_weights, %weights : {scores}
  %sum = stablehlo.reduce(%terms init: %zero) applies stablehlo.add {reduce}
  %spread = stablehlo.broadcast_in_dim %sum, {spread}
  %centered = stablehlo.subtract %of_weights, %spread : {scores}
  %of_logits = stablehlo.multiply %weights, %centered : {scores}
  %of_products = stablehlo.multiply %of_logits, %factor : {scores}
  %of_keys = stablehlo.dot_general %of_products, %q, {batch} [1] x [1] {back}
  %of_queries = stablehlo.dot_general %of_products, %k, {batch} [2] x [1] {back}
  return %of_queries, %of_keys, %of_values : {rows}, {rows}, {rows}
}}"""


def test_weights_of_a_gradient_are_none_of_attention() -> None:
    inputs = [values([2, 64, 8], "f32", seed) for seed in range(4)]
    inputs.append(values([2, 64, 64], "f32", 4))
    module = sm.load(guarded_gradient())
    with small_tiles():
        found = sm.compile(module, backend="cpu")(*inputs)
    expected = sm.compile(module, backend="interpreter")(*inputs)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)
