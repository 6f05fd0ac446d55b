"""Eigenvectors and Schur forms of many kinds of matrices, and assertions about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.linalg import lapack as scipy_lapack

from tests.compiler.lapack_calls import results_of

TYPES: Final = {"s": np.float32, "d": np.float64}
LAPACK: Any = scipy_lapack
LARGEST_COMPACT: Final = 32  # matrices that are computed in vector lanes
ROUNDINGS: Final = 64  # that errors may have


def transpose(a: Any) -> Any:
    """The transposed matrices."""
    return np.swapaxes(a, -1, -2)


def call(routine: str, config: str, a: Any, results: list[Any]) -> list[Any]:
    """The results of a routine, which is computed in vector lanes or by LAPACK."""
    letter = {np.dtype(kind): name for name, kind in TYPES.items()}[a.dtype]
    prefix = "compact_" if a.shape[-1] <= LARGEST_COMPACT else letter + routine
    return results_of(f"lapack_{letter}{routine}_ffi", config, [a], results, prefix)


def eig(a: Any, right: str = "V") -> tuple[Any, Any, Any]:
    """Eigenvalues, vectors, statuses."""
    of_complex = np.result_type(a.dtype, np.complex64)
    values, vectors = (a.shape[:2], a.dtype), (a.shape, of_complex)
    config = f"compute_left = {ord('N')} : ui8, compute_right = {ord(right)} : ui8"
    results = [values, values, vectors, vectors, (a.shape[:1], np.int32)]
    real, imaginary, _, vectors, infos = call("geev", config, a, results)
    return real + 1j * imaginary, vectors, infos


def eig_of_both_sides(a: Any) -> list[Any]:
    """Eigenvalues, left and right vectors, statuses."""
    values, vectors = (a.shape[:2], a.dtype), (a.shape, np.result_type(a.dtype, np.complex64))
    config = f"compute_left = {ord('V')} : ui8, compute_right = {ord('V')} : ui8"
    results = [values, values, vectors, vectors, (a.shape[:1], np.int32)]
    real, imaginary, left, right, infos = call("geev", config, a, results)
    return [real + 1j * imaginary, left, right, infos]


def schur(a: Any, mode: str = "V") -> list[Any]:
    """The form, its vectors, real and imaginary parts, the number of chosen ones, statuses."""
    matrix, values, number = (a.shape, a.dtype), (a.shape[:2], a.dtype), (a.shape[:1], np.int32)
    config = f"mode = {ord(mode)} : ui8, sort = {ord('N')} : ui8"
    return call("gees", config, a, [matrix, matrix, values, values, number, number])


def normal(shape: tuple[int, int], seed: int = 0) -> Any:
    """Matrices of normal numbers."""
    return np.random.default_rng(seed).standard_normal((shape[0], shape[1], shape[1]))


def orthogonal(shape: tuple[int, int]) -> Any:
    """Orthogonal matrices."""
    return np.linalg.qr(normal(shape, 1))[0]


def jordan(shape: tuple[int, int]) -> Any:
    """Jordan blocks."""
    batch, n = shape
    values = np.arange(batch) % 3 - 1
    return values[:, None, None] * np.eye(n) + np.eye(n, k=1)


def scales(shape: tuple[int, int]) -> Any:
    """Powers of ten from row to row."""
    return 10.0 ** np.random.default_rng(2).integers(-5, 5, shape)


def permuted(shape: tuple[int, int]) -> Any:
    """Triangular matrices whose rows and columns have another order."""
    order = np.argsort(np.random.default_rng(3).random(shape), axis=1)
    rows = np.take_along_axis(np.triu(normal(shape)), order[:, :, None], 1)
    return np.take_along_axis(rows, order[:, None, :], 2)


def repeated(shape: tuple[int, int]) -> Any:
    """Symmetric matrices of which most eigenvalues are equal."""
    q = orthogonal(shape)
    values = np.random.default_rng(4).integers(0, 2, shape)
    return (q * values[:, None, :]) @ transpose(q)


def sparse(shape: tuple[int, int]) -> Any:
    """Small integers, most of them zeros."""
    generator = np.random.default_rng(5)
    size = (shape[0], shape[1], shape[1])
    integers: Any = generator.integers(-1, 2, size)
    return integers * (generator.random(size) < 0.3)


def companion(shape: tuple[int, int]) -> Any:
    """Companion matrices of polynomials."""
    batch, n = shape
    a = np.zeros((batch, n, n)) + np.eye(n, k=-1)
    a[:, 0] = normal(shape)[:, 0]
    return a


Make = Callable[[tuple[int, int]], Any]
KINDS: Final[dict[str, Make]] = {
    "normal": normal,
    "symmetric": lambda s: normal(s) + transpose(normal(s)),
    "skew": lambda s: normal(s) - transpose(normal(s)),
    "orthogonal": orthogonal,
    "jordan": jordan,
    "transposed jordan": lambda s: transpose(jordan(s)),
    "defective": lambda s: orthogonal(s) @ jordan(s) @ transpose(orthogonal(s)),
    "nearly defective": lambda s: jordan(s) + 1e-7 * normal(s),
    "graded": lambda s: normal(s) * scales(s)[:, :, None],
    "badly balanced": lambda s: normal(s) * scales(s)[:, :, None] / scales(s)[:, None, :],
    "upper": lambda s: np.triu(normal(s)),
    "lower": lambda s: np.tril(normal(s)),
    "permuted": permuted,
    "repeated": repeated,
    "sparse": sparse,
    "companion": companion,
    "low rank": lambda s: normal(s)[:, :, :1] * normal(s)[:, :1],
    "cyclic": lambda s: np.broadcast_to(np.roll(np.eye(s[1]), 1, 0), (s[0], s[1], s[1])).copy(),
    "zero": lambda s: np.zeros((s[0], s[1], s[1])),
    "tiny": lambda s: normal(s) * 1e-36,
    "huge": lambda s: normal(s) * 1e36,
}


def assert_small(errors: Any, dtype: Any, n: int) -> None:
    """Asserts that errors are a few roundings."""
    assert np.all(np.asarray(errors) <= ROUNDINGS * max(n, 4) * np.finfo(dtype).eps)


def scaled(a: Any) -> tuple[Any, Any]:
    """Matrices of norm one, and the numbers by which they were divided."""
    a = np.asarray(a, np.result_type(a, np.float64))
    sizes = np.abs(a).max(axis=(1, 2), initial=0, keepdims=True)
    sizes[sizes == 0] = 1
    norms = np.linalg.norm(a / sizes, axis=(1, 2), keepdims=True)
    norms[norms == 0] = 1
    return a / sizes / norms, sizes * norms


def eig_by_lapack(a: Any, *, left: bool = False) -> tuple[Any, Any]:
    """Eigenvalues and vectors of a side of LAPACK."""
    routine = LAPACK.sgeev if a.dtype == np.float32 else LAPACK.dgeev
    outcomes = [routine(matrix, compute_vl=left) for matrix in a]
    values: Any = np.stack([real + 1j * imaginary for real, imaginary, *_ in outcomes])
    vectors = np.stack([outcome[2 if left else 3] for outcome in outcomes]).astype(complex)
    for number, column in zip(*np.nonzero(values.imag > 0), strict=True):
        one, other = vectors[number][:, column].copy(), vectors[number][:, column + 1].copy()
        vectors[number][:, column] = one + 1j * other
        vectors[number][:, column + 1] = one - 1j * other
    return values, vectors


def residuals(a: Any, values: Any, vectors: Any) -> Any:
    """The norm of A v - v L for every vector, relative to the norm of the matrix."""
    one, sizes = scaled(a)
    values = values[:, None, :].astype(np.complex128) / sizes
    vectors = vectors.astype(np.complex128)
    return np.linalg.norm(one @ vectors - vectors * values, axis=1)


def assert_eigenvectors(a: Any) -> None:
    """Asserts that vectors are eigenvectors of length one, as good as LAPACK's.

    Balancing makes residuals large beside the norm of a matrix with bad scales.
    """
    values, vectors, infos = eig(a)
    assert not infos.any()
    n = a.shape[1]
    found, expected = (residuals(a, *pair) for pair in ((values, vectors), eig_by_lapack(a)))
    assert_small(np.maximum(found - 16 * expected.max(), 0), a.dtype, n)
    assert_small(np.abs(np.linalg.norm(vectors.astype(complex), axis=1) - 1), a.dtype, n)
    one, sizes = scaled(a)
    sums = (values[:, None, :].astype(complex) / sizes).sum((1, 2))
    assert_small(np.abs(sums - np.trace(one, axis1=1, axis2=2)), a.dtype, n)


def assert_left_eigenvectors(a: Any) -> None:
    """Asserts that left vectors are those of the transposed matrices, as good as LAPACK's.

    Eigenvalues and right vectors have the bits that they have without them.
    """
    values, left, right, infos = eig_of_both_sides(a)
    assert not infos.any()
    for one, other in zip((values, right), eig(a), strict=False):
        np.testing.assert_array_equal(one, other)
    of_lapack, vectors = eig_by_lapack(a, left=True)
    found = residuals(transpose(a), values.conj(), left)
    expected = residuals(transpose(a), of_lapack.conj(), vectors)
    assert_small(np.maximum(found - 16 * expected.max(), 0), a.dtype, a.shape[1])
    lengths = np.linalg.norm(left.astype(complex), axis=1)
    assert_small(np.abs(lengths - 1), a.dtype, a.shape[1])


def assert_schur_form(a: Any) -> None:
    """Asserts that a form has blocks of at most two rows, and is that of the matrix."""
    form, vectors, real, imaginary, chosen, infos = schur(a)
    assert not infos.any()
    assert not chosen.any()
    assert not np.tril(form, -2).any()
    below = np.diagonal(form, -1, 1, 2) != 0
    assert not (below[:, 1:] & below[:, :-1]).any()
    np.testing.assert_array_equal(np.diagonal(form, 0, 1, 2), real)
    pairs = np.concatenate([below, np.zeros((len(a), 1), bool)], 1)
    np.testing.assert_array_equal(imaginary > 0, pairs)
    assert np.all(imaginary[:, 1:][below] == -imaginary[:, :-1][below])
    one, sizes = scaled(a)
    n, z = a.shape[1], vectors.astype(np.float64)
    assert_small(np.abs(z @ (form / sizes) @ transpose(z) - one), a.dtype, n)
    assert_small(np.abs(z @ transpose(z) - np.eye(n)), a.dtype, n)
