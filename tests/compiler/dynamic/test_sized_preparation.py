"""What depends on constants alone is computed once, for all sizes of a program."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler import size_versions
from stablemate.compiler.config.disk_cache import Cache
from stablemate.compiler.size_versions import SizedExecutable
from tests.compiler.plan.test_preparation import CONVOLUTION, NORMALIZED, TRANSPOSED
from tests.compiler.sized_programs import compiled

ROWS = re.compile(r"tensor<40x(300|320)xf32>")
IMAGES = re.compile(r"tensor<1x(24|40)x([79])x[79]xf32>")
SPREAD = """
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2048xf32>) -> tensor<i32>
  %one = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<2048> : tensor<1xi32>
  %shape = stablehlo.concatenate %one, %columns, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
"""
PROGRAMS: dict[str, tuple[str, list[tuple[int, ...]]]] = {
    "weights": (ROWS.sub(r"tensor<?x\1xf32>", TRANSPOSED), [(40, 300), (72, 300), (41, 300)]),
    "convolution": (
        IMAGES.sub(r"tensor<?x\1x\2x\2xf32>", CONVOLUTION),
        [(12, 24, 9, 9), (17, 24, 9, 9), (12, 24, 9, 9)],
    ),
    "scales": (
        NORMALIZED.replace("{\n", "{\n" + SPREAD, 1)
        .replace("64x2048", "?x2048")
        .replace("broadcast_in_dim %scale,", "dynamic_broadcast_in_dim %scale, %shape,")
        .replace("broadcast_in_dim %b,", "dynamic_broadcast_in_dim %b, %shape,")
        .replace("(tensor<2048xf32>) ->", "(tensor<2048xf32>, tensor<2xi32>) ->"),
        [(64, 2048), (99, 2048)],
    ),
}  # fmt: skip
# The quotients are of constant shape, and are those of another size in each call.
AVERAGES = """func.func @main(%x: tensor<?xf32>) -> tensor<4096xf32> {
  %c = stablehlo.constant dense<"0xNUMBERS"> : tensor<4096xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4096xf32>
  %q = stablehlo.divide %c, %b : tensor<4096xf32>
  %r = stablehlo.reverse %q, dims = [0] : tensor<4096xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4096xf32>
  %y = stablehlo.multiply %r, %t : tensor<4096xf32>
  return %y : tensor<4096xf32>
}"""


def numbers(*shape: int) -> Any:
    """An array of a shape."""
    return np.random.default_rng(shape).standard_normal(shape, np.float32)


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_sizes_share_what_is_prepared(name: str) -> None:
    text, shapes = PROGRAMS[name]
    executable, versions = compiled(text)
    for shape in shapes:
        x = numbers(*shape)
        result: Any = executable(x)
        assert result.tobytes() == executable.specialize([x]).run([x])[0].tobytes()
        sized = executable.specializations[(shape,)]
        assert isinstance(sized, SizedExecutable)
        assert sized.plan.preparations
    (version,) = versions.versions
    assert version.preparations == ()
    images = [e.program.image for e in executable.specializations.values()
              if isinstance(e, SizedExecutable)]  # fmt: skip
    assert all(a is b for image in images
               for a, b in zip(image.constants, images[0].constants, strict=True))  # fmt: skip


def test_a_version_is_kept_on_disk_with_what_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_cache = Cache(tmp_path)
    monkeypatch.setattr(size_versions, "cache", lambda: disk_cache)
    monkeypatch.setattr("stablemate.compiler.executable.cache", lambda: disk_cache)
    text, shapes = PROGRAMS["weights"]
    x = numbers(*shapes[0])
    results: list[Any] = []
    for is_stored in (False, True):
        executable, versions = compiled(text)
        results.append(executable(x))
        (version,) = versions.versions
        assert version.has_all_constants
        assert (version.key is None) == is_stored
        assert version.sized.image.constants[0].nbytes == 300 * 320 * 4
    assert results[0].tobytes() == results[1].tobytes()


def test_large_constants_are_read_from_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else holds them, so that processes share them."""
    disk_cache = Cache(tmp_path)
    monkeypatch.setattr(size_versions, "cache", lambda: disk_cache)
    monkeypatch.setattr("stablemate.compiler.executable.cache", lambda: disk_cache)
    monkeypatch.setattr("stablemate.compiler.executable.MOST_CONSTANT_BYTES", 1 << 10)
    monkeypatch.setattr(size_versions, "LEAST_SHARED", 1 << 10)
    text, shapes = PROGRAMS["weights"]
    executable, versions = compiled(text)
    executable(numbers(*shapes[0]))
    (version,) = versions.versions
    (constant,) = version.sized.image.constants
    assert not constant.flags.writeable  # as what is mapped


@pytest.mark.parametrize("is_stored", [False, True])
def test_versions_share_large_constants(
    is_stored: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few rows and many have versions of their own; some of them read the same panels."""
    disk_cache = Cache(tmp_path)
    monkeypatch.setattr(size_versions, "cache", lambda: disk_cache)
    monkeypatch.setattr("stablemate.compiler.executable.cache", lambda: disk_cache)
    monkeypatch.setattr(size_versions, "LEAST_SHARED", 1 << 10)
    text, _ = PROGRAMS["weights"]
    for _ in range(1 + is_stored):
        executable, versions = compiled(text)
        for rows in (64, 3, 100, 5):
            executable(numbers(rows, 300))
    constants = [version.sized.image.constants[0] for version in versions.versions]
    equal = [(a, b) for a, b in combinations(constants, 2) if np.array_equal(a, b)]
    assert equal
    assert all(a is b for a, b in equal)


def test_what_depends_on_a_size_is_computed_in_each_call() -> None:
    constants = numbers(4096)
    executable, versions = compiled(AVERAGES.replace("NUMBERS", constants.tobytes().hex().upper()))
    for size in (128, 4000, 300):
        x = np.ones(size, np.float32)
        result: Any = executable(x)
        np.testing.assert_array_equal(result, (constants / np.float32(size))[::-1] * size)
    assert versions.versions


def test_nothing_is_prepared_if_accesses_are_checked() -> None:
    text, shapes = PROGRAMS["weights"]
    executable, _ = compiled(text, check=True)
    x = numbers(*shapes[0])
    result: Any = executable(x)
    assert result.shape == (40, 320)
    sized = executable.latest
    assert isinstance(sized, SizedExecutable)
    assert sized.plan.preparations == ()


def test_results_are_those_of_the_interpreter() -> None:
    for text, shapes in PROGRAMS.values():
        x = numbers(*shapes[0])
        expected: Any = sm.run(text, x, backend="interpreter")
        np.testing.assert_allclose(sm.run(text, x), expected, rtol=1e-4, atol=1e-3)
