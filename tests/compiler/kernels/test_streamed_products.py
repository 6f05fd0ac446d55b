"""Products of few rows with a large matrix: read once, its elements computed in registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.target import Target
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.narrow_weights import FORMS, WeightProgram
from tests.compiler.plan_evaluation import difference
from tests.compiler.variants import RUNNABLE

UNIT = 2.0**-24  # of f32, in which sums are added up
ORIENTATIONS = pytest.mark.parametrize("is_transposed", [False, True], ids=["kn", "nk"])


def compiled(text: str, target: Target | None = None) -> CompiledExecutable:
    """Native code of a program."""
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    return CompiledExecutable(interpreted, target)


def stored_bytes(executable: CompiledExecutable) -> int:
    """Bytes of the values that a program keeps in memory besides arguments and results."""
    return sum(slot.bytes for slot in executable.plan.slots if slot.origin == "local")


def check(
    program: WeightProgram, form: str, target: Target | None = None, *, weights_first: bool = False
) -> None:
    """Compares a product with the exact sums of the weights that the interpreter computes."""
    text, alone = program.texts(form, weights_first=weights_first)
    executable = compiled(text, target)
    assert stored_bytes(executable) < program.elements // 2
    assert sum(isinstance(step, LaunchStep) for step in executable.plan.steps) <= 3
    *rest, x = program.arguments
    weights = np.asarray(sm.load(alone).run(*rest, backend="interpreter"), np.float64)
    weights = weights.T if program.is_transposed else weights
    actual = np.asarray(executable(*program.arguments), np.float64)
    assert_sums(actual.T if weights_first else actual, np.asarray(x, np.float64), weights)


def assert_sums(actual: Any, rows: Any, weights: Any) -> None:
    """Asserts that results are sums of products, as near as any order of additions allows."""
    bound = 2 * (weights.shape[0] + 1) * UNIT * (np.abs(rows) @ np.abs(weights))
    difference_ = np.abs(actual - rows @ weights)
    assert np.all(difference_ <= bound), np.max(difference_ - bound)


@ORIENTATIONS
@pytest.mark.parametrize("form", FORMS)
def test_narrow_weights_are_computed_in_registers(form: str, is_transposed: bool) -> None:
    check(WeightProgram(1, 256, 192, 64, is_transposed), form)


@ORIENTATIONS
@pytest.mark.parametrize("rows", range(2, 17))
def test_few_rows_share_what_is_computed_of_weights(rows: int, is_transposed: bool) -> None:
    form = FORMS[rows % len(FORMS)]
    check(WeightProgram(rows, 256, 160, 32, is_transposed), form)


@ORIENTATIONS
@pytest.mark.parametrize("form", FORMS[5:])
@pytest.mark.parametrize("group", [32, 128])
def test_groups_of_any_length_have_their_scales(form: str, is_transposed: bool, group: int) -> None:
    check(WeightProgram(3, 384, 100, group, is_transposed), form)


@ORIENTATIONS
@pytest.mark.parametrize("form", ["i8 channels", "i4 groups", "nibbles", "table"])
def test_weights_may_be_the_left_operand(form: str, is_transposed: bool) -> None:
    check(WeightProgram(2, 256, 192, 64, is_transposed), form, weights_first=True)


@ORIENTATIONS
@pytest.mark.parametrize("form", ["f32", "bf16", "f16", "i8 channels", "uniform"])
@pytest.mark.parametrize("sizes", [(257, 131), (1000, 33), (131, 1001)])
def test_sizes_need_not_be_whole_vectors(
    form: str, is_transposed: bool, sizes: Sequence[int]
) -> None:
    inputs, outputs = sizes
    check(WeightProgram(3, inputs, outputs, 32, is_transposed), form)


@ORIENTATIONS
@pytest.mark.parametrize("form", ["bf16", "i8 groups", "nibbles", "table"])
def test_weights_are_rounded_as_the_program_says(form: str, is_transposed: bool) -> None:
    check(WeightProgram(2, 256, 192, 64, is_transposed, "bf16"), form)


@ORIENTATIONS
@pytest.mark.parametrize("machine", [name for name in RUNNABLE if name != "host"])
@pytest.mark.parametrize("form", ["f32", "i8 channels", "nibbles", "table"])
def test_older_machines_have_narrower_vectors(form: str, is_transposed: bool, machine: str) -> None:
    check(WeightProgram(5, 256, 192, 64, is_transposed), form, RUNNABLE[machine])


@ORIENTATIONS
@pytest.mark.parametrize("form", ["i8 zero points", "halves", "words"])
def test_plans_evaluated_in_python_have_the_same_bits(form: str, is_transposed: bool) -> None:
    program = WeightProgram(2, 128, 256, 32, is_transposed)
    text, _ = program.texts(form)
    assert not difference(compiled(text), program.arguments)


@ORIENTATIONS
@pytest.mark.parametrize("form", ["f32", "i8 groups", "nibbles"])
def test_numbers_that_are_not_finite_spread_to_their_row(form: str, is_transposed: bool) -> None:
    program = WeightProgram(3, 256, 192, 64, is_transposed)
    text, _ = program.texts(form)
    x = program.arguments[-1]
    x[0, 5], x[1, 7] = np.nan, np.inf
    expected = np.asarray(sm.load(text).run(*program.arguments, backend="interpreter"))
    actual = np.asarray(compiled(text)(*program.arguments))
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_array_equal(actual[1], expected[1])
    assert np.isnan(actual[0]).all()
    assert np.isfinite(actual[2]).all()


def test_groups_that_do_not_divide_are_computed_apart() -> None:
    """A scale for every 48 of 144 weights, in bytes that straddle the groups of 9 pairs."""
    text = """func.func public @main(%w: tensor<300x144xi8>, %s: tensor<300x145xf32>,
      %x: tensor<2x144xf32>) -> tensor<2x300xf32> {
      %0 = stablehlo.convert %w : (tensor<300x144xi8>) -> tensor<300x144xf32>
      %1 = stablehlo.slice %s [0:300, 1:145] : (tensor<300x145xf32>) -> tensor<300x144xf32>
      %2 = stablehlo.reshape %1 : (tensor<300x144xf32>) -> tensor<144x300xf32>
      %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<144x300xf32>) -> tensor<300x144xf32>
      %4 = stablehlo.multiply %0, %3 : tensor<300x144xf32>
      %5 = stablehlo.dot_general %x, %4, contracting_dims = [1] x [1]
        : (tensor<2x144xf32>, tensor<300x144xf32>) -> tensor<2x300xf32>
      return %5 : tensor<2x300xf32>
    }"""
    random = np.random.default_rng(0)
    weights = random.integers(-128, 128, (300, 144)).astype(np.int8)
    scales = random.standard_normal((300, 145)).astype(np.float32)
    rows = random.standard_normal((2, 144)).astype(np.float32)
    reordered = scales[:, 1:].reshape(144, 300).T.astype(np.float64)
    exact = (weights * reordered).astype(np.float32).astype(np.float64).T
    assert_sums(np.asarray(compiled(text)(weights, scales, rows)), rows.astype(np.float64), exact)


@pytest.mark.parametrize(
    ("rows", "depth", "is_transposed", "is_streamed"),
    [
        (4, 128, False, True),
        (5, 128, False, False),
        (16, 128, False, False),
        (16, 1 << 14, False, True),
        (16, 128, True, True),
    ],
    ids=["few rows", "five rows", "many rows", "not cached", "depth innermost"],
)
def test_cached_columns_are_passed_over_by_tiles(
    rows: int, depth: int, is_transposed: bool, is_streamed: bool
) -> None:
    left, result = f"tensor<{rows}x{depth}xf32>", f"tensor<{rows}x512xf32>"
    right = f"tensor<512x{depth}xf32>" if is_transposed else f"tensor<{depth}x512xf32>"
    text = f"""
func.func @main(%x: {left}, %w: {right}) -> {result} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [{int(is_transposed)}]
    : ({left}, {right}) -> {result}
  return %0 : {result}
}}"""
    # Partial sums of a stream are a buffer of their own.
    assert ("register part" in compiled(text).emit("nest")) == is_streamed
