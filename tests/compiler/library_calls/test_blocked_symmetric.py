"""Tridiagonal forms and eigenvalues of symmetric matrices by blocks, against NumPy in f64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from scipy.linalg import lapack as scipy_lapack

import stablemate as sm

TYPES: Final = {"s": ("f32", np.float32), "d": ("f64", np.float64)}
# Panels have 16 rows, tiles 2, 4 or 8: whole ones, one more or less, several panels, a batch.
ORDERS: Final = ((17, 1), (18, 1), (31, 3), (33, 2), (48, 1), (65, 1), (100, 1))
LAPACK: Any = scipy_lapack
ROUNDINGS: Final = 64  # that errors may have, relative to the norm of the matrix


def tensor(shape: Sequence[int], kind: str) -> str:
    """The type of an array."""
    return f"tensor<{'x'.join([*map(str, shape), kind])}>"


def call(letter: str, routine: str, config: str, a: Any, results: Sequence[Any]) -> list[Any]:
    """The results of a custom call for matrices; its status is checked."""
    kind, dtype = TYPES[letter]
    given = [tensor(shape, kind) for shape in results] + [tensor(a.shape[:-2], "i32")]
    outcomes = ", ".join(f"%r#{number}" for number in range(len(given)))
    executable: Any = sm.compile(
        sm.load(f"""func.func @main(%a: {tensor(a.shape, kind)}) -> ({", ".join(given)}) {{
      %r:{len(given)} = stablehlo.custom_call @lapack_{letter}{routine}_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{{config}}}}}
        : ({tensor(a.shape, kind)}) -> ({", ".join(given)})
      return {outcomes} : {", ".join(given)}
    }}""")
    )
    assert "blocked_" in executable.emit("plan")
    *outputs, infos = (np.asarray(result) for result in executable(a.astype(dtype)))
    assert not infos.any()
    return outputs


def eigh(a: Any, letter: str, uplo: str = "L", mode: str = "V") -> list[Any]:
    """Vectors and values."""
    config = f"uplo = {ord(uplo)} : ui8, mode = {ord(mode)} : ui8"
    return call(letter, "syevd", config, a, [a.shape, a.shape[:-1]])


def symmetric(n: int, count: int = 1) -> Any:
    """Symmetric matrices of normal numbers that f32 represents."""
    shape = (n, n) if count == 1 else (count, n, n)
    a = np.random.default_rng(n).standard_normal(shape).astype(np.float32).astype(np.float64)
    return np.tril(a) + np.tril(a, -1).swapaxes(-1, -2)


def triangle(a: Any, uplo: str) -> Any:
    """The triangle of matrices that is read; the rest is not a number."""
    keeps = np.tril if uplo == "L" else np.triu
    return np.where(keeps(np.ones(a.shape[-2:])) == 1, a, np.nan)


def limit(a: Any, letter: str) -> float:
    """How large errors may be."""
    eps = float(np.finfo(TYPES[letter][1]).eps)
    return ROUNDINGS * eps * float(np.linalg.norm(a, axis=(-1, -2)).max())


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("n", "count"), ORDERS)
def test_eigenvectors(n: int, count: int, letter: str) -> None:
    a = symmetric(n, count)
    expected = np.linalg.eigvalsh(a)
    for uplo in "LU":
        vectors, values = eigh(triangle(a, uplo), letter, uplo)
        np.testing.assert_allclose(values, expected, 0, limit(a, letter))
        product = vectors.astype(np.float64) * values[..., None, :]
        np.testing.assert_allclose(product, a @ vectors, 0, limit(a, letter))
        gram = vectors.swapaxes(-1, -2).astype(np.float64) @ vectors
        identity = np.broadcast_to(np.eye(n), gram.shape)
        np.testing.assert_allclose(gram, identity, 0, limit(np.eye(n), letter))
        no_vectors, same_values = eigh(triangle(a, uplo), letter, uplo, "N")
        np.testing.assert_allclose(same_values, expected, 0, limit(a, letter))
        assert not no_vectors.any()


@pytest.mark.parametrize("letter", TYPES)
@pytest.mark.parametrize(("n", "count"), ORDERS)
def test_tridiagonal_forms(n: int, count: int, letter: str) -> None:
    a = symmetric(n, count)
    batch = a.shape[:-2]
    shapes = [a.shape, a.shape[:-1], (*batch, n - 1), (*batch, n - 1)]
    form, diagonal, beside, taus = call(
        letter, "sytrd", f"uplo = {ord('L')} : ui8", triangle(a, "L"), shapes
    )
    q = np.broadcast_to(np.eye(n), a.shape)
    for number in range(n - 1):  # as LAPACK defines Q
        v = form[..., :, number].astype(np.float64).copy()
        v[..., : number + 1], v[..., number + 1] = 0, 1
        q = q @ (np.eye(n) - taus[..., number, None, None] * v[..., :, None] * v[..., None, :])
    t = q.swapaxes(-1, -2) @ a @ q
    tolerance = limit(a, letter)
    tridiagonal = np.triu(np.tril(t, 1), -1)
    np.testing.assert_allclose(t, tridiagonal, 0, tolerance)
    for offset, numbers in ((0, diagonal), (-1, beside)):
        np.testing.assert_allclose(np.diagonal(t, offset, -2, -1), numbers, 0, tolerance)
        kept = np.diagonal(form, offset, -2, -1)
        np.testing.assert_array_equal(kept, numbers)
    assert np.isnan(form[..., np.triu(np.ones((n, n)), 1) == 1]).all()  # is as it was
    if n == ORDERS[0][0]:  # signs are LAPACK's
        expected = LAPACK.ssytrd(a.astype(np.float32), lower=1)[2]
        np.testing.assert_allclose(beside, expected, 0, 1e-3)


@pytest.mark.parametrize("scale", [1e-36, 1e-20, 1e18, 1e36])
def test_squares_neither_overflow_nor_vanish(scale: float) -> None:
    a = symmetric(40)
    vectors, values = eigh(a * scale, "s")
    tolerance = 4 * limit(a, "s")
    np.testing.assert_allclose(values / scale, np.linalg.eigvalsh(a), 0, tolerance)
    product = vectors.astype(np.float64) * (values / scale)
    np.testing.assert_allclose(product, a @ vectors, 0, tolerance)


@pytest.mark.parametrize("uplo", "LU")
def test_eigenvectors_of_matrices_whose_eigenvalues_overflow(uplo: str) -> None:
    a = np.full((2, 40, 40), 3e38)
    a[1] *= np.eye(40)
    vectors, values = eigh(triangle(a, uplo), "s", uplo)
    assert values[0, -1] == np.inf  # 40 times 3e38
    np.testing.assert_allclose(values[1], 3e38, 1e-6)
    assert np.abs(np.abs(vectors[0, :, -1]) - 40**-0.5).max() < 1e-6
    gram = vectors.swapaxes(1, 2).astype(np.float64) @ vectors
    assert np.abs(gram - np.eye(40)).max() < 1e-5


@pytest.mark.parametrize("scale", [1e-44, 1e-41])
def test_eigenvalues_of_tiny_matrices_have_the_digits_of_their_elements(scale: float) -> None:
    a = (symmetric(40) * scale).astype(np.float32)
    _, values = eigh(a, "s")
    expected = np.linalg.eigvalsh(a.astype(np.float64))
    step = float(np.finfo(np.float32).smallest_subnormal)
    assert np.abs(values - expected).max() <= 4 * step


def test_matrices_that_are_diagonal_or_have_equal_eigenvalues() -> None:
    for a in (np.zeros((20, 20)), np.eye(20), np.diag(np.arange(40.0)), np.ones((35, 35))):
        vectors, values = eigh(a, "d")
        np.testing.assert_allclose(values, np.linalg.eigvalsh(a), 0, limit(a + 1, "d"))
        product = vectors * values @ vectors.T
        np.testing.assert_allclose(product, a, 0, limit(a + 1, "d"))


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("place", [(0, 0), (39, 0), (20, 3), (39, 38), (39, 39)])
def test_of_a_matrix_that_is_not_finite_nothing_is_a_number(
    value: float, place: tuple[int, int]
) -> None:
    a = symmetric(40, 2)
    plain = eigh(a, "s")
    a[0][place] = value
    for mode in "VN":
        vectors, values = eigh(a, "s", mode=mode)
        assert np.isnan(values[0]).all()
        assert np.isnan(vectors[0]).all() == (mode == "V")
        if mode == "V":
            np.testing.assert_array_equal(vectors[1], plain[0][1])
            np.testing.assert_array_equal(values[1], plain[1][1])
    diagonal = np.eye(40)
    diagonal[place], diagonal[place[::-1]] = value, value
    assert np.isnan(eigh(diagonal, "s")[1]).all()
