"""Cholesky, LU and triangular solves of batches of small matrices, against NumPy and SciPy."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pytest
import scipy.linalg

import stablemate as sm
from stablemate.compiler.library_calls.compact.planning import LARGEST_SIZE

SIZES: Final = ((8, 1), (9, 2), (100, 3), (13, 7), (17, 16), (8, LARGEST_SIZE))
TYPES: Final = {"s": ("f32", np.float32, 1e-3), "d": ("f64", np.float64, 1e-10)}


def matrices(count: int, rows: int, columns: int, letter: str) -> Any:
    """Matrices of normal numbers."""
    values = np.random.default_rng(0).standard_normal((count, rows, columns))
    return values.astype(TYPES[letter][1])


def definite(count: int, n: int, letter: str) -> Any:
    """Symmetric positive definite matrices."""
    a = matrices(count, n, n, letter)
    return a @ a.swapaxes(1, 2) + n * np.eye(n, dtype=a.dtype)


def compiled(text: str) -> Any:
    """A program, of which every matrix is computed by a compact routine."""
    executable: Any = sm.compile(sm.load(text))
    assert "compact_" in executable.emit("plan")
    return executable


def cholesky(count: int, n: int, letter: str, uplo: str) -> Any:
    """The program of LAPACK's potrf."""
    a = f"tensor<{count}x{n}x{n}x{TYPES[letter][0]}>"
    info = f"tensor<{count}xi32>"
    return compiled(f"""func.func @main(%a: {a}) -> ({a}, {info}) {{
      %0:2 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{uplo = {ord(uplo)} : ui8}}}}
        : ({a}) -> ({a}, {info})
      return %0#0, %0#1 : {a}, {info}
    }}""")


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("count", "n"), SIZES)
def test_cholesky(count: int, n: int, letter: str) -> None:
    a, tolerance = definite(count, n, letter), TYPES[letter][2]
    lower = np.linalg.cholesky(a)
    factors, info = cholesky(count, n, letter, "L")(a)
    np.testing.assert_allclose(np.tril(factors), lower, tolerance, tolerance)
    np.testing.assert_array_equal(np.triu(factors, 1), np.triu(a, 1))  # as it was
    assert not np.any(info)
    factors, info = cholesky(count, n, letter, "U")(a)
    np.testing.assert_allclose(np.triu(factors), lower.swapaxes(1, 2), tolerance, tolerance)
    np.testing.assert_array_equal(np.tril(factors, -1), np.tril(a, -1))


def test_the_status_of_cholesky_is_the_first_minor_that_is_not_positive() -> None:
    a = definite(11, 4, "s")
    a[3, 2, 2] = -1
    a[7] = np.nan
    a[10, 0, 0] = 0
    _, info = cholesky(11, 4, "s", "L")(a)
    assert np.asarray(info).tolist() == [0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 1]


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("count", "n"), SIZES)
@pytest.mark.parametrize("shape", ["square", "tall", "wide"])
def test_lu(count: int, n: int, letter: str, shape: str) -> None:
    half = max(1, n // 2)
    rows, columns = {"square": (n, n), "tall": (n, half), "wide": (half, n)}[shape]
    a, steps = matrices(count, rows, columns, letter), min(rows, columns)
    a[1, :, 0] = 0  # a singular one
    kind = TYPES[letter][0]
    matrix, info = f"tensor<{count}x{rows}x{columns}x{kind}>", f"tensor<{count}xi32>"
    pivot = f"tensor<{count}x{steps}xi32>"
    run = compiled(f"""func.func @main(%a: {matrix}) -> ({matrix}, {pivot}, {info}) {{
      %0:3 = stablehlo.custom_call @lapack_{letter}getrf_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{}}}}
        : ({matrix}) -> ({matrix}, {pivot}, {info})
      return %0#0, %0#1, %0#2 : {matrix}, {pivot}, {info}
    }}""")
    factors, pivots, infos = run(a)
    routine = scipy.linalg.get_lapack_funcs("getrf", (a,))
    for number in range(count):
        expected, rows_swapped, status = routine(a[number])
        np.testing.assert_array_equal(np.asarray(pivots)[number], rows_swapped + 1)
        assert np.asarray(infos)[number] == status
        tolerance = TYPES[letter][2] * max(1, np.abs(expected).max())
        np.testing.assert_allclose(np.asarray(factors)[number], expected, 0, tolerance)


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("count", "n"), [(9, 1), (21, 3), (8, 16)])
@pytest.mark.parametrize(
    ("left", "lower", "transposed", "unit"), list(itertools.product((True, False), repeat=4))
)
def test_triangular_solve(
    count: int, n: int, letter: str, left: bool, lower: bool, transposed: bool, unit: bool
) -> None:
    kind, tolerance = TYPES[letter][0], TYPES[letter][2]
    a = definite(count, n, letter) / (4 * n)
    b = matrices(count, n, 3, letter) if left else matrices(count, 3, n, letter)
    a_type, b_type = (f"tensor<{'x'.join(map(str, m.shape))}x{kind}>" for m in (a, b))
    flags = {"left_side": left, "lower": lower, "unit_diagonal": unit}
    attributes = ", ".join(f"{name} = {str(value).lower()}" for name, value in flags.items())
    transpose = "TRANSPOSE" if transposed else "NO_TRANSPOSE"
    run = compiled(f"""func.func @main(%a: {a_type}, %b: {b_type}) -> {b_type} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) {{{attributes},
        transpose_a = #stablehlo<transpose {transpose}>}} : ({a_type}, {b_type}) -> {b_type}
      return %0 : {b_type}
    }}""")
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle * (1 - np.eye(n, dtype=a.dtype)) + np.eye(n, dtype=a.dtype)
    matrix = triangle.swapaxes(1, 2) if transposed else triangle
    solutions = np.asarray(run(a, b))
    product = matrix @ solutions if left else solutions @ matrix
    scale = max(1, np.abs(solutions).max())
    np.testing.assert_allclose(product, b, 0, tolerance * scale)
