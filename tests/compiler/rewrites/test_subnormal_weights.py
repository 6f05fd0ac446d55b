"""Weights of attention that would be subnormal are zero, where only products read them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.kernels.test_dot import values

SCORES, MAXIMA, VALUES = "tensor<3x9x9xf32>", "tensor<3x9xf32>", "tensor<3x9x8xf32>"


def program(result: str, types: str) -> str:
    """The softmax of scores, and its product with values."""
    return f"""func.func @main(%s: {SCORES}, %v: {VALUES}) -> {types} {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2]
    : ({SCORES}, tensor<f32>) -> {MAXIMA}
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : ({MAXIMA}) -> {SCORES}
  %d = stablehlo.subtract %s, %mb : {SCORES}
  %e = stablehlo.exponential %d : {SCORES}
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
    : ({SCORES}, tensor<f32>) -> {MAXIMA}
  %tb = stablehlo.broadcast_in_dim %t, dims = [0, 1] : ({MAXIMA}) -> {SCORES}
  %w = stablehlo.divide %e, %tb : {SCORES}
  %p = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : ({SCORES}, {VALUES}) -> {VALUES}
  return {result}
}}"""


PRODUCT = program(f"%p : {VALUES}", VALUES)
WEIGHTS_TOO = program(f"%p, %w : {VALUES}, {SCORES}", f"({VALUES}, {SCORES})")


def masked_scores(mask: float) -> Any:
    """Scores, half of which a mask is added to."""
    scores = values((3, 9, 9), "f32", 1)
    return scores + np.where(np.arange(9) % 2, np.float32(mask), np.float32(0))


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("mask", [0.0, -80.0, -87.0, -100.0, -1000.0, -np.inf])
def test_products_differ_by_less_than_the_least_normal_number(mask: float, check: bool) -> None:
    scores, factors = masked_scores(mask), values((3, 9, 8), "f32", 2)
    scores[0, 0] = np.nan
    result = np.asarray(sm.compile(sm.load(PRODUCT), check=check)(scores, factors))
    wide = scores.astype(np.float64)
    weights = np.exp(wide - wide.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) @ factors.astype(np.float64)
    assert np.isnan(result[0, 0]).all()
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=2e-6)


def test_no_weight_is_subnormal() -> None:
    # A value of 2^100 shows what its weight was.
    scores = np.zeros((3, 9, 9), np.float32)
    scores[:, :, 1] = -100.0
    factors = np.zeros((3, 9, 8), np.float32)
    factors[:, 1] = np.float32(2.0**100)
    results = [
        np.asarray(sm.compile(sm.load(PRODUCT), attention=attention)(scores, factors))
        for attention in (True, False)
    ]
    assert not results[0].any()
    assert (results[1] > 0).all()


def test_weights_that_are_results_stay_as_they_are() -> None:
    scores, factors = masked_scores(-100.0), values((3, 9, 8), "f32", 2)
    _, weights = sm.compile(sm.load(WEIGHTS_TOO))(scores, factors)
    _, expected = sm.compile(sm.load(WEIGHTS_TOO), attention=False)(scores, factors)
    assert np.asarray(weights).tobytes() == np.asarray(expected).tobytes()
    assert np.any((np.asarray(weights) > 0) & (np.asarray(weights) < np.finfo(np.float32).tiny))
