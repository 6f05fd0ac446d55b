"""Routines for batches of small complex matrices, against NumPy and LAPACK."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from scipy.linalg import lapack as scipy_lapack

from tests.compiler.lapack_calls import results_of

LETTERS: Final = {np.dtype(np.complex64): "c", np.dtype(np.complex128): "z"}
SHAPES: Final = ((9, 1), (17, 2), (33, 3), (8, 8), (21, 16))
SCALES: Final = (1, 1e-15, 1e15)
LAPACK: Any = scipy_lapack
ROUNDINGS: Final = 64  # that errors may have


@pytest.fixture(params=LETTERS)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return request.param


def adjoint(a: Any) -> Any:
    """The conjugate transposes."""
    return np.conj(np.swapaxes(a, -1, -2))


def normal(shape: Sequence[int], dtype: Any) -> Any:
    """Matrices of normal numbers."""
    generator = np.random.default_rng(0)
    parts = generator.standard_normal((2, *shape))
    return (parts[0] + 1j * parts[1]).astype(dtype)


def call(routine: str, config: str, operands: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """The results of a routine, which a compact one computes."""
    letter = LETTERS[operands[0].dtype]
    plain = routine if routine != "ungqr" else "orgqr"
    plain = plain if plain != "heevd" else "syevd"
    prefix = f"compact_{letter}{plain}"
    return results_of(f"lapack_{letter}{routine}_ffi", config, operands, results, prefix)


def assert_close(dtype: Any, one: Any, other: Any, scale: Any = 1) -> None:
    """Asserts that matrices differ by roundings of a scale for each of them."""
    one, other = np.asarray(one, np.complex128), np.asarray(other, np.complex128)
    scales = np.broadcast_to(np.asarray(scale, np.float64), one.shape[:1])
    bound = ROUNDINGS * np.finfo(dtype).eps * scales.reshape(-1, *[1] * (one.ndim - 1))
    assert np.all(np.abs(one - other) <= bound)


def norms(a: Any) -> Any:
    """A norm of each matrix."""
    return np.abs(a).max(axis=(1, 2)).astype(np.float64) * max(a.shape[1:])


def status(a: Any) -> Any:
    """Shape and type of the statuses."""
    return a.shape[:1], np.int32


def cholesky(a: Any, uplo: str) -> list[Any]:
    """The factors and the statuses."""
    return call("potrf", f"uplo = {ord(uplo)} : ui8", [a], [(a.shape, a.dtype), status(a)])


@pytest.mark.standard
@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("shape", SHAPES)
def test_cholesky(shape: tuple[int, int], uplo: str, dtype: Any) -> None:
    a = normal((*shape, shape[1]), np.complex128)
    a = (a @ adjoint(a) + np.eye(shape[1])).astype(dtype)
    factors, infos = cholesky(a, uplo)
    assert not infos.any()
    others, triangle = (np.triu, np.tril) if uplo == "L" else (np.tril, np.triu)
    offset = 1 if uplo == "L" else -1
    np.testing.assert_array_equal(others(factors, offset), others(a, offset))  # as it was
    factor = triangle(factors).astype(np.complex128)
    assert not np.imag(np.diagonal(factors, 0, 1, 2)).any()
    product = factor @ adjoint(factor) if uplo == "L" else adjoint(factor) @ factor
    assert_close(dtype, product, a, norms(a))


def test_the_status_of_cholesky() -> None:
    a = np.zeros((12, 3, 3), np.complex64) + 4 * np.eye(3, dtype=np.complex64)
    a[3, 1, 1] = -1
    a[7] = np.nan
    a[10, 0, 0] = 0
    assert cholesky(a, "L")[1].tolist() == [0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0]


@pytest.mark.standard
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("batch", "rows", "columns"),
    [(9, 1, 1), (33, 3, 3), (17, 8, 8), (21, 16, 16), (9, 5, 3), (9, 3, 7)],
)  # fmt: skip
def test_lu(batch: int, rows: int, columns: int, scale: float, dtype: Any) -> None:
    a = normal((batch, rows, columns), np.complex128) * scale
    a[1, :, 0] = 0  # a singular one
    a = a.astype(dtype)
    pivots = ((batch, min(rows, columns)), np.int32)
    factors, swaps, infos = call("getrf", "", [a], [(a.shape, a.dtype), pivots, status(a)])
    routine = LAPACK.cgetrf if LETTERS[dtype] == "c" else LAPACK.zgetrf
    for number in range(batch):
        expected, swapped, info = routine(a[number])
        np.testing.assert_array_equal(swaps[number], swapped + 1)
        assert infos[number] == info
        bound = 1e3 * np.finfo(dtype).eps * np.abs(expected).max()
        largest = max(1, np.abs(np.tril(expected, -1)).max())
        assert np.abs(factors[number] - expected).max() <= bound * largest


@pytest.mark.standard
@pytest.mark.parametrize(("batch", "n"), [(9, 1), (21, 3), (8, 16)])
@pytest.mark.parametrize(
    ("left", "lower", "transposed", "unit"),
    list(itertools.product((True, False), (True, False), "NTC", (True, False))),
)
def test_triangular_solve(
    batch: int, n: int, left: bool, lower: bool, transposed: str, unit: bool, dtype: Any
) -> None:
    a = (normal((batch, n, n), np.complex128) / (4 * n) + np.eye(n)).astype(dtype)
    b = normal((batch, n, 3) if left else (batch, 3, n), dtype)
    letters = {"side": "RL"[left], "uplo": "UL"[lower], "trans_x": transposed, "diag": "NU"[unit]}
    config = ", ".join(f"{name} = {ord(value)} : ui8" for name, value in letters.items())
    target = f"blas_{LETTERS[dtype]}trsm_ffi"
    alpha = np.asarray(2 - 1j, dtype)
    prefix = f"compact_{LETTERS[dtype]}trsm"
    solutions = results_of(target, config, [a, b, alpha], [(b.shape, dtype)], prefix)[0]
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = triangle * (1 - np.eye(n)) + np.eye(n)
    matrix = {"N": triangle, "T": np.swapaxes(triangle, 1, 2), "C": adjoint(triangle)}[transposed]
    product = matrix @ solutions if left else solutions @ matrix
    assert_close(dtype, product, b * alpha, max(1, np.abs(solutions).max()) * 4)


@pytest.mark.standard
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("batch", "rows", "columns"),
    [(9, 1, 1), (33, 3, 3), (17, 8, 8), (21, 16, 16), (9, 5, 3), (9, 3, 7)],
)  # fmt: skip
def test_qr(batch: int, rows: int, columns: int, scale: float, dtype: Any) -> None:
    a = normal((batch, rows, columns), np.complex128) * scale
    a[1, :, 0] = 0
    a[2] = a[2].real
    a, least = a.astype(dtype), min(rows, columns)
    shapes = [(a.shape, dtype), ((batch, least), dtype), status(a)]
    factors, taus, _ = call("geqrf", "", [a], shapes)
    routine = LAPACK.cgeqrf if LETTERS[dtype] == "c" else LAPACK.zgeqrf
    expected = np.stack([routine(matrix)[0] for matrix in a])
    upper = np.triu(factors)
    assert_close(dtype, upper, np.triu(expected), 4 * norms(a))
    reflectors = np.ascontiguousarray(factors[:, :, :least])
    q = call("ungqr", "", [reflectors, taus], [(reflectors.shape, dtype), status(a)])[0]
    q = q.astype(np.complex128)
    assert_close(dtype, adjoint(q) @ q, np.broadcast_to(np.eye(least), (batch, least, least)), 4)
    assert_close(dtype, q @ upper[:, :least], a, 4 * norms(a))


def heevd(a: Any, uplo: str, mode: str = "V") -> list[Any]:
    """Vectors, values, statuses."""
    values = (a.shape[:2], np.finfo(a.dtype).dtype)
    config = f"mode = {ord(mode)} : ui8, uplo = {ord(uplo)} : ui8"
    return call("heevd", config, [a], [(a.shape, a.dtype), values, status(a)])


@pytest.mark.standard
@pytest.mark.parametrize("scale", [*SCALES, 0])
@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("shape", SHAPES)
def test_eigenvalues(shape: tuple[int, int], uplo: str, scale: float, dtype: Any) -> None:
    a = normal((*shape, shape[1]), np.complex128) * scale
    a = (a + adjoint(a)).astype(dtype)
    other = (
        np.triu(np.ones(shape[1:] * 2), 1) if uplo == "L" else np.tril(np.ones(shape[1:] * 2), -1)
    )
    vectors, values, infos = heevd(np.where(other, np.nan, a).astype(dtype), uplo)
    assert not infos.any()
    assert np.all(np.diff(values) >= 0)
    v = vectors.astype(np.complex128)
    assert_close(dtype, adjoint(v) @ v, np.broadcast_to(np.eye(shape[1]), a.shape), 4)
    assert_close(dtype, (v * values[:, None, :]) @ adjoint(v), a, norms(a))
    only = heevd(a, uplo, "N")[1]
    assert_close(dtype, only, values, norms(a))


@pytest.mark.standard
def test_eigenvectors_have_the_phases_of_lapack() -> None:
    a = normal((24, 5, 5), np.complex128)
    a += adjoint(a)
    vectors, _, _ = heevd(a, "L")
    expected = np.stack([LAPACK.zheevd(matrix, lower=1)[1] for matrix in a])
    same = np.abs(vectors - expected).max(axis=(1, 2)) < 1e-8
    assert same.sum() >= 20


def svd(a: Any, mode: str = "S") -> list[Any]:
    """Values, left and right vectors, statuses."""
    batch, rows, columns = a.shape
    least = min(rows, columns)
    left, right = {"A": (rows, columns), "S": (least, least), "N": (rows, columns)}[mode]
    real = np.finfo(a.dtype).dtype
    results = [
        (a.shape, a.dtype), ((batch, least), real), ((batch, rows, left), a.dtype),
        ((batch, right, columns), a.dtype), status(a),
    ]  # fmt: skip
    return call("gesdd", f"mode = {ord(mode)} : ui8", [a], results)[1:]


def assert_decomposed(a: Any, mode: str) -> None:
    """Asserts that singular values and vectors are those of matrices."""
    dtype = a.dtype
    values, left, right, infos = svd(a, mode)
    least = values.shape[1]
    assert not infos.any()
    assert np.all(np.diff(values) <= 0)
    assert np.all(values >= 0)
    for q in (left, adjoint(right)):
        gram = adjoint(q).astype(np.complex128) @ q
        assert_close(dtype, gram, np.broadcast_to(np.eye(q.shape[2]), gram.shape))
    product = (left[:, :, :least] * values[:, None]).astype(np.complex128) @ right[:, :least]
    assert_close(dtype, product, a, norms(a))
    expected = np.linalg.svd(a.astype(np.complex128), compute_uv=False)
    assert_close(dtype, values, expected, norms(a))
    assert_close(dtype, svd(a, "N")[0], values, norms(a))


@pytest.mark.standard
@pytest.mark.parametrize("mode", "AS")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "shape", [(17, 1, 1), (9, 2, 2), (33, 3, 3), (21, 16, 16), (9, 5, 3), (9, 3, 7)]
)
def test_singular_values(shape: Sequence[int], scale: float, mode: str, dtype: Any) -> None:
    assert_decomposed(normal(shape, dtype) * np.asarray(scale, dtype), mode)


def test_singular_values_of_special_matrices(dtype: Any) -> None:
    a = normal((12, 5, 5), dtype)
    a[1] = 0
    a[2] = 1
    a[3] = np.eye(5)
    a[4] = 1j * np.eye(5)
    a[5, :, 4] = 1j * a[5, :, 0]
    a[6] = np.diag([1, 1e-9, 1e-20, 0, 1e-30])
    a[7] *= np.finfo(dtype).tiny * 4
    a[8] /= np.abs(a[8]).max() * 64 / np.finfo(dtype).max
    assert_decomposed(a, "A")
    assert_decomposed(a[:, :, :3], "S")
    assert_decomposed(a[:, :3], "S")


@pytest.mark.parametrize("number", [np.nan, 1j * np.inf])
def test_singular_values_of_a_matrix_that_is_not_finite(number: complex, dtype: Any) -> None:
    a = normal((12, 4, 4), dtype)
    expected = svd(a)
    a[5, 2, 1] = number
    found = svd(a)
    others = np.arange(12) != 5
    assert found[3].tolist() == [-4 * (place == 5) for place in range(12)]  # gesdd's status for it
    for one, other in zip(found[:3], expected[:3], strict=True):
        assert np.isnan(one[5]).all()
        assert one[others].tobytes() == other[others].tobytes()


def test_numbers_that_are_not_finite() -> None:
    a = normal((12, 3, 3), np.complex64)
    a += adjoint(a)
    a[5, 2, 1] = a[5, 1, 2] = np.inf
    others = np.arange(12) != 5
    vectors, values, infos = heevd(a, "L")
    assert infos[5] > 0
    assert not infos[others].any()
    assert np.isnan(values[5]).all()
    assert np.isnan(vectors[5]).all()
    assert np.isfinite(vectors[others]).all()
