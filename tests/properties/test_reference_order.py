"""Sums and folds have the bits of the reference interpreter.

``python -m tests.properties.reference_order.campaign`` compares more programs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.dialects.stablehlo.ordered_sums import CACHED
from tests.oracle.client import Oracle
from tests.properties.reference_order.campaign import (
    compared,
    compared_with_native,
    outcomes,
)
from tests.properties.reference_order.programs import STEPS, Case, Draw, case

SEED = 22


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_interpreter_equals_reference(step: Callable[[Draw], Case], oracle: Oracle) -> None:
    first = STEPS.index(step)
    chosen = [case(SEED, number) for number in range(first, first + 12 * len(STEPS), len(STEPS))]
    found = [compared(each, oracle) for each in chosen]
    assert [outcome for outcome in found if outcome.verdict != "equal"] == []


@pytest.mark.parametrize("step", STEPS[2:], ids=lambda step: step.__name__)
def test_native_code_equals_the_interpreter_unless_a_monoid(
    step: Callable[[Draw], Case],
) -> None:
    first = STEPS.index(step)
    chosen = [case(SEED, number) for number in range(first, first + 9 * len(STEPS), len(STEPS))]
    found = [compared_with_native(each) for each in chosen]
    assert [outcome for outcome in found if outcome.verdict == "differs"] == []


@pytest.mark.standard
def test_many_programs_equal_reference(oracle: Oracle) -> None:
    assert [o for o in outcomes(SEED, 0, 700, oracle) if o.verdict != "equal"] == []


def test_a_draw_depends_on_its_number_alone() -> None:
    first, again = (STEPS[0](Draw(SEED, 5)) for _ in range(2))
    assert first.text == again.text
    assert case(SEED, 0).text != case(SEED, len(STEPS)).text


@pytest.mark.parametrize("shape", [(3, 70, 5), (1, 40_000, 1), (2, 3, CACHED), (300, 2, 300)])
def test_blocks_keep_the_order(shape: tuple[int, int, int]) -> None:
    rows, depth, columns = shape
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, depth)).astype(np.float32)
    y = random.normal(size=(depth, columns)).astype(np.float32)
    text = f"""
func.func @main(%x: tensor<{rows}x{depth}xf32>, %y: tensor<{depth}x{columns}xf32>)
    -> tensor<{rows}x{columns}xf32> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<{rows}x{depth}xf32>, tensor<{depth}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
  return %0 : tensor<{rows}x{columns}xf32>
}}"""
    expected = np.zeros((rows, columns), np.float32)
    for k in range(depth):
        expected += x[:, k, np.newaxis] * y[k]
    assert (sm.run(text, x, y, backend="interpreter") == expected).all()
    fast = sm.run(text, x, y, backend="interpreter", order="fast")
    np.testing.assert_allclose(fast, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("size", [5, 9000, 2 * CACHED + 7])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_reduction_of_any_size_is_sequential(size: int, columns: int) -> None:
    text = f"""
func.func @main(%x: tensor<{columns}x{size}xf32>, %i: tensor<f32>) -> tensor<{columns}xf32> {{
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1]
    : (tensor<{columns}x{size}xf32>, tensor<f32>) -> tensor<{columns}xf32>
  return %0 : tensor<{columns}xf32>
}}"""
    x = np.random.default_rng(1).normal(size=(columns, size)).astype(np.float32)
    expected = [0.5] * columns
    for c in range(columns):
        total = np.float32(0.5)
        for number in x[c]:
            total = total + number
        expected[c] = float(total)
    result = sm.run(text, x, np.float32(0.5), backend="interpreter")
    assert result.tolist() == expected


def test_an_unknown_order_is_refused() -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    with pytest.raises(ArgumentValueError, match="one of reference, fast, not 'quick'"):
        sm.run(text, np.float32(1), order="quick")
