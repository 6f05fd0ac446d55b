"""Runs linear algebra on both clients of one process, and compares the results.

XLA's client calls the same routines of LAPACK with the same matrices, so that all bits are equal.
Cholesky and triangular solves are exceptions: stablemate calls their routines with transposes, and
has routines of its own for batches of small matrices, as for LU, QR, eigenvalues and singular
values, for QR of single ones, so that a batch has the bits of its members, and for symmetric
eigenvalues of single real matrices.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import stablemate.pjrt

stablemate.pjrt.initialize()
os.environ["JAX_ENABLE_X64"] = "1"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax._src.lax import linalg as lax_linalg  # noqa: E402

DTYPES: Final = (np.float32, np.float64, np.complex64, np.complex128)
SQUARE: Final = ((1, 1), (3, 3), (2, 5, 5), (3, 1, 17, 17), (0, 4, 4))
OBLONG: Final = ((4, 2), (2, 4), (3, 5, 4), (2, 20, 33), (1, 1))


def solved(a: Any, **options: Any) -> Any:
    """The solutions for a triangular matrix, from the side that the options say."""
    b = a[..., :, : max(1, a.shape[-1] - 1)]
    b = b if options.get("left_side") else jnp.swapaxes(b, -1, -2)
    return lax.linalg.triangular_solve(a, b, **options)


def of_diagonals(a: Any) -> Any:
    """The solutions for the tridiagonal part of a matrix."""
    n = a.shape[-1]
    zero = jnp.zeros((*a.shape[:-2], 1), a.dtype)
    below = jnp.concatenate([zero, jnp.diagonal(a, -1, -2, -1)], -1)
    above = jnp.concatenate([jnp.diagonal(a, 1, -2, -1), zero], -1)
    diagonal = jnp.diagonal(a, 0, -2, -1)
    return lax.linalg.tridiagonal_solve(below, diagonal, above, a[..., : max(1, n - 1)])


def hermitian(a: Any) -> Any:
    """A Hermitian matrix, made on the host: both clients take the same bits."""
    return a + np.swapaxes(a.conj(), -1, -2)


def definite(a: Any) -> Any:
    """A positive definite matrix."""
    return a @ np.swapaxes(a.conj(), -1, -2) + np.eye(a.shape[-1], dtype=a.dtype)


def not_finite(a: Any) -> Any:
    """A matrix of infinities."""
    return np.full_like(a, np.inf)


PREPARED: Final[dict[str, Callable[[Any], Any]]] = {
    "cholesky": definite, "lu singular": np.zeros_like, "eigh": hermitian, "eigh upper": hermitian,
    "eigvalsh": hermitian, "tridiagonal": hermitian, "tridiagonal upper": hermitian,
    "eig not finite": not_finite, "svd not finite": not_finite,
}  # fmt: skip
OWN_ORDER: Final = (
    "lanes", "cholesky", "inverse", "lu", "solve", "triangular solve", "qr (", "qr full (",
    "qr multiply (", "qr pivoted (",
)  # fmt: skip
OWN_ORDER_OF_REALS: Final = (
    "eigh (", "eigh upper (", "eigvalsh (", "hessenberg (", "tridiagonal (",
)  # fmt: skip
OWN_SIGNS: Final = ("eigh (", "eigh upper (")  # of eigenvectors
ROUNDINGS: Final = 256  # that an error of these may have, relative to the largest element
SOLVE_OPTIONS: Final = ("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal")
ON_SQUARE: Final[dict[str, Callable[[Any], Any]]] = {
    "cholesky": lambda a: lax.linalg.cholesky(a, symmetrize_input=False),
    "cholesky indefinite": lambda a: lax.linalg.cholesky(a, symmetrize_input=False),
    "lu": lax.linalg.lu,
    "lu singular": lambda a: lax.linalg.lu(a),
    "solve": lambda a: jnp.linalg.solve(a, a[..., :1]),
    "inverse": jnp.linalg.inv,
    "eigh": lambda a: lax.linalg.eigh(a, symmetrize_input=False),
    "eigh upper": lambda a: lax.linalg.eigh(a, lower=False, symmetrize_input=False),
    "eigvalsh": lambda a: jnp.linalg.eigvalsh(a, symmetrize_input=False),
    "eig": lax.linalg.eig,
    "eig right": lambda a: lax.linalg.eig(a, compute_left_eigenvectors=False),
    "eigvals": jnp.linalg.eigvals,
    "eig not finite": lambda a: jnp.linalg.eigvals(a),
    "schur": lax.linalg.schur,
    "schur values": lambda a: lax.linalg.schur(a, compute_schur_vectors=False),
    "hessenberg": lax.linalg.hessenberg,
    "tridiagonal": lambda a: lax.linalg.tridiagonal(a, lower=True),
    "tridiagonal upper": lambda a: lax.linalg.tridiagonal(a, lower=False),
    "tridiagonal solve": of_diagonals,
    **{
        f"triangular solve {options}": partial(
            solved, **dict(zip(SOLVE_OPTIONS, options, strict=True))
        )
        for options in (
            (True, True, False, False, False), (True, False, True, False, True),
            (False, True, True, True, False), (False, False, False, False, True),
        )
    },
}  # fmt: skip
ON_OBLONG: Final[dict[str, Callable[[Any], Any]]] = {
    "qr": lambda a: lax.linalg.qr(a, full_matrices=False),
    "qr full": lax.linalg.qr,
    "qr pivoted": lambda a: lax.linalg.qr(a, pivoting=True),
    "lu oblong": lax.linalg.lu,
    "svd": lambda a: lax.linalg.svd(a, full_matrices=False),
    "svd full": lax.linalg.svd,
    "svd values": lambda a: lax.linalg.svd(a, compute_uv=False),
    "svd by qr": lambda a: lax.linalg.svd(a, algorithm=lax.linalg.SvdAlgorithm.QR),
    "svd not finite": lambda a: lax.linalg.svd(a, full_matrices=False),
}
if hasattr(lax_linalg, "ormqr"):  # newer than some versions of JAX
    ON_OBLONG["qr multiply"] = lambda a: lax_linalg.ormqr(
        *lax_linalg.geqrf(a), a, left=True, transpose=True
    )


def of_values_and_vectors(a: Any) -> Any:
    """A number that does not depend on the signs of singular vectors."""
    left, values, right = jnp.linalg.svd(a, full_matrices=False)
    return (values**3).sum() + (left[..., :1, :] ** 2).sum() + (right[..., :1] ** 2).sum()


def of_eigenvectors(a: Any) -> Any:
    """A number that does not depend on the signs of eigenvectors."""
    values, vectors = jnp.linalg.eigh(a + jnp.swapaxes(a, -1, -2))
    return (values**3).sum() + (vectors[..., :1, :] ** 2).sum()


LANES_SHAPE: Final = (19, 5, 5)
ON_LANES: Final[dict[str, Callable[[Any], Any]]] = {
    "lanes qr": lambda a: lax.linalg.qr(a, full_matrices=False),
    "lanes hessenberg": lax.linalg.hessenberg,
    "lanes eigenvalues": lambda a: jnp.linalg.eigvalsh(a + jnp.swapaxes(a, -1, -2)),
    "lanes singular values": lambda a: lax.linalg.svd(a, compute_uv=False),
    "lanes gradient of qr": jax.grad(lambda a: jnp.sin(jnp.linalg.qr(a)[1]).sum()),
    "lanes gradient of eigh": jax.grad(of_eigenvectors),
    "lanes gradient of svd": jax.grad(of_values_and_vectors),
}


def matrix(shape: tuple[int, ...], dtype: Any) -> Any:
    """A matrix of normal numbers."""
    random = np.random.default_rng(0)
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def cases() -> Iterator[tuple[str, Callable[[Any], Any], Any]]:
    """The name, the function and the argument of each comparison."""
    for functions, shapes in ((ON_SQUARE, SQUARE), (ON_OBLONG, OBLONG)):
        for name, function in functions.items():
            for number, dtype in enumerate(DTYPES):
                if QUICK and number != len(name) % len(DTYPES):
                    continue
                for shape in [shapes[len(name) % len(shapes)]] if QUICK else shapes:
                    prepare = PREPARED.get(name, np.asarray)
                    argument = prepare(matrix(shape, dtype))
                    yield f"{name} {shape} {np.dtype(dtype)}", function, argument
    for name, function in ON_LANES.items():
        for dtype in DTYPES[:1] if QUICK else DTYPES[:2]:
            yield f"{name} {np.dtype(dtype)}", function, matrix(LANES_SHAPE, dtype)


def results(function: Callable[[Any], Any], argument: Any, platform: str) -> list[Any]:
    """The results of a function on a client."""
    placed = jax.device_put(argument, jax.devices(platform)[0])
    return [np.asarray(leaf) for leaf in jax.tree.leaves(jax.jit(function)(placed))]


def are_equal(name: str, one: Any, other: Any) -> bool:
    """Whether results have equal bits; of routines with an own order, whether they are close.

    Singular vectors of a matrix that is not finite are NaN; some of LAPACK's are numbers.
    """
    if name.startswith("svd not finite"):
        return one.dtype == other.dtype and one.shape == other.shape and bool(np.isnan(one).all())
    is_real_and_own = name.startswith(OWN_ORDER_OF_REALS) and "complex" not in name
    is_own = name.startswith(OWN_ORDER) or is_real_and_own
    if one.dtype != other.dtype or one.dtype.kind == "i" or not is_own:
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    if name.startswith(OWN_SIGNS):
        one, other = np.abs(one), np.abs(other)
    largest = np.max(np.abs(other), initial=0, where=np.isfinite(other))
    error = ROUNDINGS * np.finfo(one.dtype).eps * largest
    return np.allclose(one, other, rtol=0, atol=error, equal_nan=True)


QUICK: Final = "all" not in sys.argv

if __name__ == "__main__":
    assert "stablemate" in jax.devices("stablemate")[0].client.platform_version
    assert "stablemate" not in jax.devices("cpu")[0].client.platform_version
    failures, count = 0, 0
    for name, function, argument in cases():
        ours, theirs = (results(function, argument, p) for p in ("stablemate", "cpu"))
        count += 1
        for one, other in zip(ours, theirs, strict=True):
            if not are_equal(name, one, other):
                failures += 1
                print(f"{name}: {one} is not {other}"[:400])
    print(f"{count} compared, {failures} differ")
    sys.exit(failures != 0)
