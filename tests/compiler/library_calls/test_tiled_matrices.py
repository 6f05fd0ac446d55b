"""Cholesky and triangular solves by tiles, against NumPy in f64."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

TYPES: Final = {"s": ("f32", np.float32, 2e-4), "d": ("f64", np.float64, 1e-11)}
# Whole tiles and strips, one more or less, rests of all powers of two.
ORDERS: Final = ((33, 1), (40, 3), (47, 1), (64, 2), (129, 1))
COLUMNS: Final = (1, 3, 16, 17, 48, 49, 100)


def definite(count: int, n: int, letter: str) -> Any:
    """Symmetric positive definite matrices; one without the dimension of the batch."""
    shape = (n, n) if count == 1 else (count, n, n)
    a = np.random.default_rng(0).standard_normal(shape)
    return (a @ a.swapaxes(-1, -2) / n + np.eye(n)).astype(TYPES[letter][1])


def type_of(shape: Any, kind: str) -> str:
    """The text of a type of tensors."""
    return f"tensor<{'x'.join([*map(str, shape), kind])}>"


def compiled(text: str) -> Any:
    """A program, of which every matrix is computed by tiles."""
    executable: Any = sm.compile(sm.load(text))
    assert "blocked_" in executable.emit("plan")
    return executable


def cholesky(a: Any, letter: str, uplo: str) -> tuple[Any, Any]:
    """The factors and statuses of LAPACK's potrf."""
    matrix, info = type_of(a.shape, TYPES[letter][0]), type_of(a.shape[:-2], "i32")
    run = compiled(f"""func.func @main(%a: {matrix}) -> ({matrix}, {info}) {{
      %0:2 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{uplo = {ord(uplo)} : ui8}}}}
        : ({matrix}) -> ({matrix}, {info})
      return %0#0, %0#1 : {matrix}, {info}
    }}""")
    factors, infos = run(a)
    return np.asarray(factors), np.asarray(infos)


def factor_of(a: Any) -> Any:
    """The lower Cholesky factors, by NumPy in f64."""
    factor: Any = np.linalg.cholesky
    return factor(a.astype(np.float64))


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("n", "count"), ORDERS)
def test_cholesky(n: int, count: int, letter: str) -> None:
    a, tolerance = definite(count, n, letter), TYPES[letter][2]
    expected = factor_of(a)
    lower = np.tril(a) + np.triu(np.full_like(a, np.nan), 1)  # the other triangle is not read
    factors, infos = cholesky(lower, letter, "L")
    np.testing.assert_allclose(np.tril(factors), expected, 0, tolerance)
    assert np.isnan(factors[np.triu(np.ones_like(a), 1) == 1]).all()  # but is as it was
    assert not infos.any()
    factors, infos = cholesky(lower.swapaxes(-1, -2).copy(), letter, "U")
    np.testing.assert_allclose(np.triu(factors), expected.swapaxes(-1, -2), 0, tolerance)
    assert np.isnan(factors[np.tril(np.ones_like(a), -1) == 1]).all()
    assert not infos.any()


@pytest.mark.parametrize("row", [0, 7, 8, 36])
@pytest.mark.parametrize("value", [-1, 0, np.nan])
def test_the_status_of_cholesky_is_the_first_minor_that_is_not_positive(
    row: int, value: float
) -> None:
    a = np.eye(37, dtype=np.float32)
    a[row, row] = value
    a[row + 1 :, :] = np.nan
    for uplo, matrix in (("L", a), ("U", a.T.copy())):
        assert cholesky(matrix, "s", uplo)[1] == row + 1


def solve(
    a: Any, b: Any, letter: str, *, left: bool, lower: bool, transposed: bool, unit: bool
) -> Any:
    """The solutions of a triangular solve."""
    kind = TYPES[letter][0]
    a_type, b_type = type_of(a.shape, kind), type_of(b.shape, kind)
    flags = {"left_side": left, "lower": lower, "unit_diagonal": unit}
    attributes = ", ".join(f"{name} = {str(value).lower()}" for name, value in flags.items())
    transpose = "TRANSPOSE" if transposed else "NO_TRANSPOSE"
    run = compiled(f"""func.func @main(%a: {a_type}, %b: {b_type}) -> {b_type} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) {{{attributes},
        transpose_a = #stablehlo<transpose {transpose}>}} : ({a_type}, {b_type}) -> {b_type}
      return %0 : {b_type}
    }}""")
    return np.asarray(run(a, b))


@pytest.mark.standard
@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("n", "count"), ORDERS)
@pytest.mark.parametrize(("left", "lower"), list(itertools.product((True, False), repeat=2)))
def test_triangular_solve(n: int, count: int, letter: str, left: bool, lower: bool) -> None:
    a, tolerance = definite(count, n, letter), TYPES[letter][2]
    keeps = np.tril if lower else np.triu
    a[keeps(np.ones_like(a)) == 0] = np.nan  # the other triangle is not read
    random = np.random.default_rng(1)
    options = itertools.product((True, False), repeat=2)
    for columns, (transposed, unit) in zip(itertools.cycle(COLUMNS), [*options] * 4):
        shape = (*a.shape[:-2], *((n, columns) if left else (columns, n)))
        b = random.standard_normal(shape).astype(a.dtype)
        x = solve(a, b, letter, left=left, lower=lower, transposed=transposed, unit=unit)
        matrix = keeps(np.nan_to_num(a)).astype(np.float64)
        if unit:
            matrix = matrix * (1 - np.eye(n)) + np.eye(n)
        matrix = matrix.swapaxes(-1, -2) if transposed else matrix
        product = matrix @ x if left else x @ matrix
        np.testing.assert_allclose(product, b, 0, tolerance * (1 + np.abs(x).max()))


def test_a_zero_on_the_diagonal_divides_as_ieee_754_has_it() -> None:
    a, b = np.eye(40, dtype=np.float32), np.ones((40, 2), np.float32)
    a[3, 3], b[3, 1] = 0, -1
    x = solve(a, b, "s", left=True, lower=True, transposed=False, unit=False)
    expected = b.copy()
    expected[3] = np.inf, -np.inf
    expected[4:] = np.nan  # which a zero times an infinity is
    np.testing.assert_array_equal(x, expected)
