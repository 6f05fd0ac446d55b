"""QR, eigenvalues and singular values of batches of small matrices, against NumPy and LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest
from scipy.linalg import lapack as scipy_lapack

from tests.compiler.lapack_calls import results_of

TYPES: Final = {"s": np.float32, "d": np.float64}
SHAPES: Final = ((17, 1, 1), (9, 2, 2), (33, 3, 3), (8, 8, 8), (21, 16, 16), (9, 5, 3), (9, 3, 7))
LAPACK: Any = scipy_lapack
ROUNDINGS: Final = 64  # that errors may have


def transpose(a: Any) -> Any:
    """The transposed matrices."""
    return np.swapaxes(a, -1, -2)


def call(target: str, config: str, operands: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """The results of a custom call, which is computed by a compact routine."""
    return results_of(target, config, operands, results, "compact_")


def letter(name: str, value: str) -> str:
    """An option that is a letter."""
    return f"{name} = {ord(value)} : ui8"


def geqrf(a: Any) -> list[Any]:
    """Reflectors, their factors, statuses."""
    batch, rows, columns = a.shape
    results = [(a.shape, a.dtype), ((batch, min(rows, columns)), a.dtype), ((batch,), np.int32)]
    return call(f"lapack_{letter_of(a)}geqrf_ffi", "", [a], results)


def orgqr(a: Any, taus: Any) -> Any:
    """The orthogonal matrices."""
    results = [(a.shape, a.dtype), (a.shape[:1], np.int32)]
    return call(f"lapack_{letter_of(a)}orgqr_ffi", "", [a, taus], results)[0]


def eigh(a: Any, uplo: str = "L", mode: str = "V") -> list[Any]:
    """Vectors, values, statuses."""
    results = [(a.shape, a.dtype), (a.shape[:2], a.dtype), (a.shape[:1], np.int32)]
    config = f"{letter('mode', mode)}, {letter('uplo', uplo)}"
    return call(f"lapack_{letter_of(a)}syevd_ffi", config, [a], results)


def svd(a: Any, mode: str = "S") -> list[Any]:
    """Values, left and right vectors, statuses."""
    batch, rows, columns = a.shape
    least = min(rows, columns)
    left, right = {"A": (rows, columns), "S": (least, least), "N": (rows, columns)}[mode]
    results = [
        (a.shape, a.dtype), ((batch, least), a.dtype), ((batch, rows, left), a.dtype),
        ((batch, right, columns), a.dtype), ((batch,), np.int32),
    ]  # fmt: skip
    return call(f"lapack_{letter_of(a)}gesdd_ffi", letter("mode", mode), [a], results)[1:]


def letter_of(a: Any) -> str:
    """LAPACK's letter for the elements of an array."""
    return {np.dtype(kind): name for name, kind in TYPES.items()}[a.dtype]


def matrices(shape: Sequence[int], dtype: Any) -> Any:
    """Matrices of normal numbers."""
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def symmetric(shape: Sequence[int], dtype: Any) -> Any:
    """Symmetric matrices."""
    a = matrices(shape, dtype)
    return a + transpose(a)


def assert_close(dtype: Any, one: Any, other: Any, scale: Any = 1) -> None:
    """Asserts that matrices differ by roundings of a scale for each of them."""
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    scales = np.broadcast_to(np.asarray(scale, np.float64), one.shape[:1])
    bound = ROUNDINGS * np.finfo(dtype).eps * scales.reshape(-1, *[1] * (one.ndim - 1))
    assert np.all(np.abs(one - other) <= bound)


def norms(a: Any) -> Any:
    """A norm of each matrix, which neither overflows nor vanishes."""
    return np.abs(a).max(axis=(1, 2)).astype(np.float64) * max(a.shape[1:])


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return TYPES[request.param]


def assert_orthogonal(dtype: Any, q: Any) -> None:
    """Asserts that columns are orthogonal and of length one."""
    q = np.asarray(q, np.float64)
    assert_close(
        dtype, transpose(q) @ q, np.broadcast_to(np.eye(q.shape[-1]), (len(q), *[q.shape[-1]] * 2))
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_qr(shape: Sequence[int], dtype: Any) -> None:
    a, steps = matrices(shape, dtype), min(shape[1:])
    reflectors, taus, infos = geqrf(a)
    assert not infos.any()
    routine = LAPACK.get_lapack_funcs("geqrf", (a,))
    for number in range(len(a)):
        expected, expected_taus, *_ = routine(a[number])
        assert_close(dtype, reflectors[number : number + 1], expected[None], norms(a).max())
        assert_close(dtype, taus[number], expected_taus)
    if shape[1] < shape[2]:
        return
    q = orgqr(reflectors, taus)
    assert_orthogonal(dtype, q)
    assert_close(dtype, q.astype(np.float64) @ np.triu(reflectors)[:, :steps], a, norms(a))


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("transposed", [True, False])
def test_products_with_q(left: bool, transposed: bool, dtype: Any) -> None:
    a, c = matrices((19, 6, 4), dtype), matrices((19, 6, 3) if left else (19, 3, 6), dtype)
    reflectors, taus, _ = geqrf(a)
    config = f"left = {str(left).lower()}, transpose = {str(transposed).lower()}"
    results = [(c.shape, dtype), (c.shape[:1], np.int32)]
    target = f"lapack_{letter_of(a)}ormqr_ffi"
    product, _ = call(target, config, [reflectors, taus, c], results)
    whole = np.zeros((19, 6, 6), dtype)
    whole[:, :, :4] = reflectors
    q = orgqr(whole, taus).astype(np.float64)
    q = transpose(q) if transposed else q
    assert_close(dtype, product, q @ c if left else c @ q, norms(c))


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16])
def test_hessenberg_form(n: int, dtype: Any) -> None:
    a = matrices((11, n, n), dtype)
    results = [(a.shape, dtype), ((11, n - 1), dtype), ((11,), np.int32)]
    config = f"low = 1 : i32, high = {n} : i32"
    form, taus, _ = call(f"lapack_{letter_of(a)}gehrd_ffi", config, [a], results)
    routine = LAPACK.get_lapack_funcs("gehrd", (a,))
    for number in range(len(a)):
        expected, expected_taus, _ = routine(a[number])
        assert_close(dtype, form[number : number + 1], expected[None], 8 * norms(a).max())
        assert_close(dtype, taus[number], expected_taus, 8)


@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_tridiagonal_form(n: int, uplo: str, dtype: Any) -> None:
    a = symmetric((11, n, n), dtype)
    beside = ((11, n - 1), dtype)
    results = [(a.shape, dtype), ((11, n), dtype), beside, beside, ((11,), np.int32)]
    target = f"lapack_{letter_of(a)}sytrd_ffi"
    found = call(target, letter("uplo", uplo), [a], results)
    routine = LAPACK.get_lapack_funcs("sytrd", (a,))
    for number in range(len(a)):
        expected = routine(a[number], lower=uplo == "L")
        for one, other in zip(found[:4], expected[:4], strict=True):
            if other.size:
                assert_close(dtype, one[number], other, 64 * norms(a).max())


@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[1] == shape[2]])
def test_eigenvalues(shape: Sequence[int], uplo: str, dtype: Any) -> None:
    a = symmetric(shape, dtype)
    stored = (np.tril if uplo == "L" else np.triu)(a) + (np.triu if uplo == "L" else np.tril)(
        np.full_like(a, 7), 1 if uplo == "L" else -1
    )
    vectors, values, infos = eigh(stored, uplo)
    assert not infos.any()
    assert_close(dtype, values, np.linalg.eigvalsh(a.astype(np.float64)), norms(a))
    assert_orthogonal(dtype, vectors)
    assert_close(
        dtype, (vectors * values[:, None]).astype(np.float64) @ transpose(vectors), a, norms(a)
    )
    np.testing.assert_array_equal(eigh(stored, uplo, "N")[1], values)


def test_eigenvectors_have_the_signs_of_lapack() -> None:
    a = symmetric((40, 3, 3), np.float64)
    expected = np.stack([LAPACK.dsyevd(matrix, lower=1)[1] for matrix in a])
    np.testing.assert_allclose(eigh(a)[0], expected, atol=1e-12)


@pytest.mark.parametrize("mode", "AS")
@pytest.mark.parametrize("shape", SHAPES)
def test_singular_values(shape: Sequence[int], mode: str, dtype: Any) -> None:
    a = matrices(shape, dtype)
    assert_decomposed(a, mode)


def assert_decomposed(a: Any, mode: str) -> None:
    """Asserts that singular values and vectors are those of matrices."""
    dtype = a.dtype
    values, left, right, infos = svd(a, mode)
    least = values.shape[1]
    assert not infos.any()
    assert np.all(np.diff(values) <= 0)
    assert np.all(values >= 0)
    assert_orthogonal(dtype, left)
    assert_orthogonal(dtype, transpose(right))
    product = (left[:, :, :least] * values[:, None]).astype(np.float64) @ right[:, :least]
    assert_close(dtype, product, a, norms(a))
    expected = np.linalg.svd(a.astype(np.float64), compute_uv=False)
    assert_close(dtype, values, expected, norms(a))
    assert_close(dtype, svd(a, "N")[0], values, norms(a))


def ranks(a: Any) -> Any:
    """Matrices of half the rank."""
    half = max(1, min(a.shape[1:]) // 2)
    return a[:, :, :half] @ matrices((len(a), half, a.shape[2]), a.dtype)


def graded(a: Any) -> Any:
    """Matrices whose columns have different scales."""
    scales = np.asarray([10.0**-column for column in range(a.shape[2])], a.dtype)
    return a * scales


def of_many_scales(a: Any) -> Any:
    """Matrices each of which has a scale of its own."""
    scales = np.asarray([10.0 ** (60 * number / len(a) - 30) for number in range(len(a))], a.dtype)
    return a * scales[:, None, None]


def huge(a: Any) -> Any:
    """Matrices of the largest numbers whose sums do not overflow."""
    largest: Any = np.abs(a).max()
    return a / largest * np.finfo(a.dtype).max / 64


SPECIAL: Final[dict[str, Callable[[Any], Any]]] = {
    "zero": np.zeros_like,
    "ones": np.ones_like,
    "identity": lambda a: np.broadcast_to(np.eye(*a.shape[1:], dtype=a.dtype), a.shape).copy(),
    "low rank": ranks,
    "graded": graded,
    "columns of zeros": lambda a: a * np.resize(np.array([0, 1], a.dtype), a.shape[2]),
    "signs": np.sign,
    "tiny": lambda a: a * np.finfo(a.dtype).tiny * 4,
    "huge": huge,
    "of many scales": of_many_scales,
}


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("shape", [(9, 5, 5), (17, 6, 3)])
def test_special_matrices(shape: Sequence[int], kind: str, dtype: Any) -> None:
    a = SPECIAL[kind](matrices(shape, dtype))
    assert_decomposed(a, "A")
    reflectors, taus, _ = geqrf(a)
    q = orgqr(reflectors, taus)
    assert_orthogonal(dtype, q)
    assert_close(dtype, q.astype(np.float64) @ np.triu(reflectors)[:, : shape[2]], a, norms(a))
    if shape[1] == shape[2]:
        a = np.tril(a) + transpose(np.tril(a, -1))
        vectors, values, _ = eigh(a)
        assert_orthogonal(dtype, vectors)
        assert np.all(np.diff(values) >= 0)
        product = (vectors * values[:, None].astype(np.float64)) @ transpose(vectors)
        assert_close(dtype, product, a, norms(a))


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_not_finite(number: float, dtype: Any) -> None:
    a = symmetric((12, 4, 4), dtype)
    a[5, 2, 1] = a[5, 1, 2] = number
    others = np.arange(12) != 5
    vectors, values, infos = eigh(a)
    assert infos[5] > 0
    assert not infos[others].any()
    assert np.isnan(vectors[5]).all()
    assert np.isnan(values[5]).all()
    assert np.isfinite(vectors[others]).all()
    values, left, right, infos = svd(a)
    assert infos.tolist() == [-4 * (place == 5) for place in range(12)]
    assert all(np.isnan(result[5]).all() for result in (values, left, right))
    assert np.isfinite(left[others]).all()
    reflectors, taus, _ = geqrf(a)
    assert np.isfinite(reflectors[others]).all()
    assert np.isnan(taus[5]).any()
