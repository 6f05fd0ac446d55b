"""Convolutions whose tiles pass over a kernel block by block of the depth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.kernels.contraction import depth_blocks
from stablemate.compiler.loops.printer import kernel_text
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler import sized_programs
from tests.compiler.kernels.test_convolution import program
from tests.compiler.kernels.test_dot import values
from tests.compiler.plan_evaluation import difference

FORMS = ("[b, {}, f]", "[o, {}, i]", "[b, {}, f]")
PLANES = ("[b, f, {}]", "[o, {}, i]", "[b, f, {}]")
# lines, points of a line, features in and out, window, padding, stride, batch, forms
CASES: list[Any] = [
    (7, 7, 32, 32, 3, 1, 1, 1, FORMS),
    (7, 7, 64, 50, 2, 1, 1, 1, FORMS),  # tiles of columns overlap
    (9, 11, 33, 40, 3, 1, 1, 2, PLANES),  # tiles of points and lines overlap
    (40, 30, 40, 32, 1, 0, 1, 1, FORMS),  # several chunks of lines, the last one shorter
    (15, 15, 35, 24, 5, 2, 2, 1, FORMS),
    (1, 60, 128, 64, 1, 0, 1, 3, FORMS),
]


def convolution(case: Any, element: str) -> tuple[str, list[list[int]]]:
    """A program with the convolution of a case, and the shapes of its arguments."""
    lines, points, inputs, outputs, window, padding, stride, batch, forms = case
    sizes: dict[str, dict[str, int]] = {
        "lhs": {"b": batch, "f": inputs},
        "rhs": {"i": inputs, "o": outputs},
        "result": {"b": batch, "f": outputs},
    }
    for i, extent in enumerate((lines, points)):
        sizes["lhs"][str(i)], sizes["rhs"][str(i)] = extent, window
        sizes["result"][str(i)] = (extent + 2 * padding - window) // stride + 1
    pads = [[padding] * 2] * 2
    return program(
        sizes, forms, f"stride = {[stride] * 2}, pad = {pads}", (1, 1), (element, element)
    )


def compiled(text: str, cache: Path, patch: pytest.MonkeyPatch) -> CompiledExecutable:
    """A program, compiled without what another test compiled with other constants."""
    patch.setenv("STABLEMATE_CACHE_DIR", str(cache))
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def fetches(executable: CompiledExecutable) -> bool:
    """Whether a kernel of a program fetches the next block of factors."""
    steps = executable.plan.steps
    return any("fetch " in kernel_text(s.kernel) for s in steps if isinstance(s, LaunchStep))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("case", CASES)
def test_blocks_have_the_bits_of_the_whole_depth(
    case: Any, element: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, shapes = convolution(case, element)
    arguments = [values(shape, element, seed) for seed, shape in enumerate(shapes)]
    whole = compiled(text, tmp_path / "whole", monkeypatch)
    assert not fetches(whole)
    monkeypatch.setattr(depth_blocks, "FAR", 1 << 10)
    monkeypatch.setattr(depth_blocks, "SHELF_BYTES", 1 << 13)
    blocked = compiled(text, tmp_path / "blocked", monkeypatch)
    assert fetches(blocked)
    expected, value = whole(*arguments), blocked(*arguments)
    np.testing.assert_array_equal(np.asarray(value), np.asarray(expected))


def test_plans_with_blocks_are_evaluated_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, shapes = convolution(CASES[0], "f32")
    monkeypatch.setattr(depth_blocks, "FAR", 1 << 10)
    executable = compiled(text, tmp_path, monkeypatch)
    assert fetches(executable)
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    assert not difference(executable, arguments)


def test_a_panel_that_no_near_cache_holds_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, shapes = convolution((7, 7, 2048, 32, 3, 1, 1, 1, FORMS), "f32")
    executable = compiled(text, tmp_path, monkeypatch)
    assert fetches(executable)
    image, kernel = (values(shape, "f32", seed) for seed, shape in enumerate(shapes))
    padded = np.pad(image.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    expected = np.einsum("blpfyx,oyxf->blpo", windows, kernel.astype(np.float64))
    bound = 18432 * np.finfo(np.float32).eps * np.abs(expected).max()
    assert np.abs(np.asarray(executable(image, kernel)) - expected).max() <= bound


def test_a_depth_whose_size_is_not_known_is_not_cut() -> None:
    """As of the gradient of a kernel, which is summed up over images whose sizes vary."""
    text = """
func.func @main(%x: tensor<?x8x?x?xf32>, %g: tensor<?x8x?x?xf32>) -> tensor<8x8x3x3xf32> {
  %r = "stablehlo.convolution"(%x, %g) <{
      dimension_numbers = #stablehlo.conv<[f, b, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]>,
      padding = dense<1> : tensor<2x2xi64>,
      batch_group_count = 1 : i64, feature_group_count = 1 : i64}>
    : (tensor<?x8x?x?xf32>, tensor<?x8x?x?xf32>) -> tensor<8x8x3x3xf32>
  return %r : tensor<8x8x3x3xf32>
}"""
    executable, versions = sized_programs.compiled(text)
    x, gradient = (values([2, 8, 16, 12], "f32", seed) for seed in range(2))
    result = executable(x, gradient)
    assert not versions.failures
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (16, 12), (2, 3))
    expected = np.einsum("biyxlp,bolp->ioyx", windows, gradient.astype(np.float64))
    np.testing.assert_allclose(result, expected, 1e-4, 1e-4)
