"""Write the programs of linear algebra as StableHLO text.

    python tests/programs/linalg/export_linalg.py OUT [NAME ...]

For each row of ``PROGRAMS`` it writes ``OUT/NAME.mlir`` and ``OUT/NAME.json``; what the latter
holds is said in ``tests/programs/program.py``. A program takes two batches of square matrices of
f32 and calls its function on them in several element types: complex matrices have one as real and
the other as imaginary part. Matrices that must be symmetric, or far from singular, are made so by
operations that do not round.

The text depends on the version of jax, which is the one that ``pyproject.toml`` pins.
"""

import json
import pathlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
from jax import Array, lax
from jax._src.lax.linalg import geqp3

SEED: Final = 0
SIZE: Final = 4
BATCH: Final = 2
REAL: Final = ("float32", "float64")
ALL: Final = (*REAL, "complex64", "complex128")
FEW: Final = ("float32", "complex128")

Function = Callable[[Array], Any]


def symmetric(a: Array) -> Array:
    """A Hermitian matrix."""
    return a + jnp.swapaxes(a, -1, -2).conj()


def positive(a: Array) -> Array:
    """A positive-definite matrix."""
    return symmetric(a) + shifted(a)


def regular(a: Array) -> Array:
    """A matrix that is far from singular."""
    return a + shifted(a)


def shifted(a: Array) -> Array:
    """A multiple of the unit matrix."""
    return 8 * jnp.eye(a.shape[-1], dtype=a.dtype)


def diagonals(a: Array) -> tuple[Array, Array, Array]:
    """Three diagonals of a tridiagonal matrix."""
    below, above = a[..., 1, :].at[..., 0].set(0), a[..., 2, :].at[..., -1].set(0)
    return below, a[..., 0, :], above


def both(function: Callable[..., Any], **options: Sequence[Any]) -> Function:
    """A function with each value of an option."""
    ((name, values),) = options.items()
    return lambda a: [function(a, **{name: value}) for value in values]


def solved(**options: bool) -> Function:
    """A triangular system from both sides, by one triangle and the other."""

    def solve(a: Array) -> list[Array]:
        return [
            lax.linalg.triangular_solve(regular(a), a, left_side=left, lower=lower, **options)
            for left in (True, False)
            for lower in (True, False)
        ]

    return solve


def hard(function: Function) -> Function:
    """A function of matrices that are singular, not definite, or not finite."""

    def run(a: Array) -> list[Any]:
        zero = jnp.zeros_like(a)
        points = (zero, -positive(a), zero + jnp.nan, a.at[..., 0, 1].set(jnp.inf))
        return [function(point) for point in points]

    return run


def rectangles(function: Function) -> Function:
    """A function of matrices with more rows than columns, and with fewer."""
    return lambda a: [function(a[..., :3]), function(a[..., :3, :])]


PROGRAMS: Final[Mapping[str, tuple[Function, Sequence[str]]]] = {
    "cholesky": (lambda a: both(jnp.linalg.cholesky, upper=(False, True))(positive(a)), ALL),
    "cholesky_hard": (hard(jnp.linalg.cholesky), FEW),
    "eig": (lax.linalg.eig, ALL),
    "eig_hard": (hard(jnp.linalg.eigvals), FEW),
    "eigh": (lambda a: both(jnp.linalg.eigh, UPLO=("L", "U"))(symmetric(a)), ALL),
    "eigh_hard": (hard(jnp.linalg.eigvalsh), FEW),
    "hessenberg": (lax.linalg.hessenberg, ALL),
    "lu": (lambda a: [lax.linalg.lu(a), rectangles(lax.linalg.lu)(a)], ALL),
    "lu_hard": (hard(lax.linalg.lu), FEW),
    "qr": (rectangles(both(lax.linalg.qr, full_matrices=(False, True))), ALL),
    "qr_multiply": (lambda a: [jsl.qr_multiply(a[0], a[1]), jsl.qr_multiply(a[0], a[1], "left")],
                    ALL),
    "qr_pivoted": (rectangles(lambda a: lax.linalg.qr(a, pivoting=True)), ALL),
    "qr_some_fixed": (lambda a: [geqp3(a, jnp.array([pivots] * BATCH, jnp.int32))
                                 for pivots in ([0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1])], FEW),
    "schur": (both(lax.linalg.schur, compute_schur_vectors=(True, False)), ALL),
    "svd": (rectangles(both(lax.linalg.svd, full_matrices=(False, True))), ALL),
    "svd_by_qr": (lambda a: lax.linalg.svd(a, algorithm=lax.linalg.SvdAlgorithm.QR), ALL),
    "svd_hard": (hard(lambda a: jnp.linalg.svd(a, compute_uv=False)), FEW),
    "triangular_solve": (solved(), ALL),
    "triangular_solve_adjoint": (solved(transpose_a=True, conjugate_a=True), FEW),
    "triangular_solve_conjugate": (solved(conjugate_a=True), FEW),
    "triangular_solve_transposed": (solved(transpose_a=True), FEW),
    "triangular_solve_unit": (solved(unit_diagonal=True), FEW),
    "tridiagonal": (lambda a: both(lax.linalg.tridiagonal, lower=(True, False))(symmetric(a)),
                    ALL),
    "tridiagonal_solve": (lambda a: lax.linalg.tridiagonal_solve(*diagonals(a), a), ALL),
    "tridiagonal_solve_singular": (
        lambda a: [
            lax.linalg.tridiagonal_solve(*parts, a, perturb_singular=True)
            for parts in (diagonals(a), diagonals(jnp.zeros_like(a)))
        ],
        FEW,
    ),
    # what is built from them
    "cholesky_solve": (lambda a: jsl.cho_solve(jsl.cho_factor(positive(a[0])), a[1]), FEW),
    "condition": (jnp.linalg.cond, FEW),
    "determinant": (lambda a: [jnp.linalg.det(a), jnp.linalg.slogdet(a)], ALL),
    "empty": (lambda a: [jnp.linalg.cholesky(a[..., :0, :0]), jnp.linalg.qr(a[..., :0]),
                         jnp.linalg.eigh(a[:0]), lax.linalg.lu(a[..., :0, :])], FEW),
    "expm": (jsl.expm, ("complex64",)),
    "gradients": (jax.grad(lambda a: jnp.abs(jnp.linalg.eigh(positive(a))[0]).sum()
                           + jnp.abs(jnp.linalg.qr(regular(a))[1]).sum()), ("float64",)),
    "inverse": (lambda a: jnp.linalg.inv(regular(a)), FEW),
    "least_squares": (lambda a: jnp.linalg.lstsq(a[0, :, :3], a[1]), ("float64",)),
    "pseudoinverse": (lambda a: [jnp.linalg.pinv(a[..., :3]), jnp.linalg.matrix_rank(a[..., :3])],
                      FEW),
    "solve": (lambda a: jnp.linalg.solve(regular(a), a[..., :2]), FEW),
    "sqrtm": (lambda a: jsl.sqrtm(positive(a[0])), ("complex128",)),
    "sylvester": (lambda a: jsl.solve_sylvester(regular(a[0]), regular(a[1]), a[0]),
                  ("complex64",)),
}  # fmt: skip


def in_element_types(function: Function, names: Sequence[str]) -> Callable[..., list[Any]]:
    """The function on matrices of several element types."""

    def main(x: Array, y: Array) -> list[Any]:
        matrices = {
            "float32": x,
            "float64": x.astype(jnp.float64),
            "complex64": lax.complex(x, y),
            "complex128": lax.complex(x.astype(jnp.float64), y.astype(jnp.float64)),
        }
        return [function(matrices[name]) for name in names]

    return main


def text_of(name: str) -> str:
    """One program."""
    function, element_types = PROGRAMS[name]
    shape = jax.ShapeDtypeStruct((BATCH, SIZE, SIZE), jnp.float32)
    with jax.enable_x64(True):
        main = jax.jit(in_element_types(function, element_types), keep_unused=True)
        return str(main.lower(shape, shape).as_text())


def write(directory: pathlib.Path, name: str) -> None:
    """One program and its arguments."""
    record = {"shape": [BATCH, SIZE, SIZE], "dtype": "float32", "fill": "normal", "scale": 1.0}
    lines = ",\n".join(f"  {json.dumps(record)}" for _ in range(2))
    (directory / f"{name}.mlir").write_text(text_of(name))
    (directory / f"{name}.json").write_text(f'{{"seed": {SEED}, "args": [\n{lines}\n]}}\n')


def main() -> None:
    """Write the programs that the command line names, or all."""
    out, *names = sys.argv[1:]
    directory = pathlib.Path(out)
    directory.mkdir(parents=True, exist_ok=True)
    for name in names or PROGRAMS:
        write(directory, name)


if __name__ == "__main__":
    main()
