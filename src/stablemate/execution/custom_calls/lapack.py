"""LAPACK: the custom calls by which JAX factors, solves and decomposes on a CPU.

The letter behind ``lapack_`` is the element type: s, d, c, z for f32, f64, complex<f32>,
complex<f64>. Dimensions before those of the matrices are batches. There are two generations:
``lapack_spotrf_ffi`` takes matrices, and options in ``backend_config``; the older ``lapack_spotrf``
takes options and sizes as scalar operands before the matrices, and gives workspaces too.

What LAPACK leaves undefined (workspaces, vectors that were not asked for) is zero.

Source: JAX, ``jax/_src/lax/linalg.py`` and, for the older generation, ``jaxlib/lapack.py`` of 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.custom_calls import lapack_routines as routines
from stablemate.execution.custom_calls.batched_matrices import (
    Results,
    Routine,
    complete_results,
    factors_of,
    options_of,
    solve_batch,
    target,
)
from stablemate.execution.custom_calls.call import Target, TargetCall, tensors_in
from stablemate.execution.custom_calls.tridiagonal import perturbed_solution
from stablemate.numerics.elements import Array, DType

PREFIXES: Final[Mapping[str, DType]] = {
    "s": np.dtype(np.float32),
    "d": np.dtype(np.float64),
    "c": np.dtype(np.complex64),
    "z": np.dtype(np.complex128),
}
COMPLEX_NAMES: Final = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}

ROUTINES: Final[Mapping[str, Routine]] = {
    "geev": Routine(routines.geev, ("n n",), {"compute_left": "VN", "compute_right": "VN"}),
    "gees": Routine(routines.gees, ("n n",), {"mode": "VN", "sort": "N"}),
    "gehrd": Routine(
        routines.gehrd,
        ("n n",),
        {"low": int, "high": int},
        ("1 <= low <= high <= n", lambda s, o: 1 <= o["low"] <= o["high"] <= s["n"]),
    ),
    "geqp3": Routine(routines.geqp3, ("m n", "i32 n")),
    "geqrf": Routine(routines.geqrf, ("m n",)),
    "gesdd": Routine(routines.gesdd, ("m n",), {"mode": "ASN"}),
    "gesvd": Routine(routines.gesvd, ("m n",), {"mode": "ASN"}),
    "getrf": Routine(routines.getrf, ("m n",)),
    "gtsv": Routine(routines.gtsv, ("n", "n", "n", "n k")),
    "orgqr": Routine(
        routines.orgqr,
        ("m n", "k"),
        condition=("k <= n <= m", lambda s, o: s["k"] <= s["n"] <= s["m"]),
        may_be_zero="k",
    ),
    "ormqr": Routine(
        routines.ormqr,
        ("r q", "k", "m n"),
        {"left": bool, "transpose": bool},
        (
            "r = (left ? m : n), k <= min(r, q)",
            lambda s, o: s["r"] == s["m" if o["left"] else "n"] and s["k"] <= min(s["r"], s["q"]),
        ),
        may_be_zero="kq",
    ),
    "potrf": Routine(routines.potrf, ("n n",), {"uplo": "LU"}),
    "syevd": Routine(routines.syevd, ("n n",), {"mode": "VN", "uplo": "LU"}),
    "sytrd": Routine(routines.sytrd, ("n n",), {"uplo": "LU"}),
    "trsm": Routine(
        routines.trsm,
        ("r r", "m n"),
        {"side": "LR", "uplo": "LU", "trans_x": "NTC", "diag": "NU"},
        ("r = (side = L ? m : n)", lambda s, o: s["r"] == s["m" if o["side"] == "L" else "n"]),
        factors=("alpha",),
    ),
}


@dataclass(frozen=True, slots=True)
class Older:
    """The differences of the older generation of a routine.

    Attributes:
        scalars: How many scalar operands stand before the matrices.
        config: The entries of ``backend_config`` that they stand for.
        order: The results in their order for an element type, workspaces as None; workspaces that
            stand at the end need not be there.
    """

    scalars: int
    config: Callable[[Sequence[Any]], dict[str, object]] = lambda scalars: {}
    order: Callable[[Results, bool], Results] = lambda results, is_complex: results


def letter(name: str, condition: object, on_true: str, on_false: str) -> dict[str, object]:
    """An entry that is one of two letters."""
    return {name: ord(on_true if condition else on_false)}


def geev_order(results: Results, is_complex: bool) -> Results:
    """Puts the results of ``geev`` behind its workspaces, as the target's signature has them."""
    return [*[None] * (2 if is_complex else 3), *results]


def gees_order(results: Results, is_complex: bool) -> Results:
    """The matrix, a workspace if it is complex, eigenvalues, vectors, number, info."""
    t, vectors, *values, count, info = results
    return [t, *[None] * is_complex, *values, vectors, count, info]


OLDER: Final[Mapping[str, Older]] = {
    # batch, n, jobvl, jobvr
    "geev": Older(4, lambda s: {"compute_left": s[2], "compute_right": s[3]}, geev_order),
    "gees": Older(4, lambda s: {"mode": s[2], "sort": s[3]}, gees_order),  # batch, n, jobvs, sort
    "gehrd": Older(6, lambda s: {"low": s[1], "high": s[2]}),  # n, low, high, lda, batch, lwork
    "geqp3": Older(4),  # batch, m, n, lwork
    "geqrf": Older(4),  # batch, m, n, lwork
    # full_matrices, compute_uv, batch, m, n, lwork
    "gesdd": Older(6, lambda s: {"mode": ord("N" if not s[1] else "A" if s[0] else "S")}),
    "getrf": Older(3),  # batch, m, n
    "orgqr": Older(5),  # batch, m, n, k, lwork
    "potrf": Older(3, lambda s: letter("uplo", s[0], "L", "U")),  # lower, batch, n
    # lower, batch, n
    "syevd": Older(3, lambda s: {"mode": ord("V")} | letter("uplo", s[0], "L", "U")),
    "sytrd": Older(5, lambda s: letter("uplo", s[1], "L", "U")),  # n, lower, lda, batch, lwork
}
# left_side, lower, trans_a, diag, m, n, batch, alpha
OLDER_TRSM: Final = Older(
    8,
    lambda s: {
        **letter("side", s[0], "L", "R"),
        **letter("uplo", s[1], "L", "U"),
        "trans_x": {0: ord("N"), 1: ord("T"), 2: ord("C")}.get(s[2]),
        **letter("diag", s[3], "U", "N"),
    },
)


def older_target(routine: Routine, older: Older, dtype: DType) -> Target:
    """The custom call of the older generation."""

    def run(operands: Sequence[object], call: TargetCall) -> tuple[Array, ...]:
        scalars, matrices = operands[: older.scalars], operands[older.scalars :]
        numbers = [tensor for tensor in tensors_in(scalars) if tensor.shape == ()]
        if len(numbers) < older.scalars:
            raise call.error(f"the first {older.scalars} operands are scalars")
        values = [number.item() for number in numbers]
        options = options_of(routine, older.config(values), call)
        options |= factors_of(routine, scalars[-1:], call)
        results, batch = solve_batch(routine, matrices, options, dtype, call)
        ordered = older.order(results, dtype.kind == "c") if results else ()
        return complete_results(ordered, batch, call)

    return run


def targets() -> dict[str, Target]:
    """The custom calls of LAPACK's routines by target, for each element type."""
    table: dict[str, Target] = {}
    for prefix, dtype in PREFIXES.items():
        for real_name, routine in ROUTINES.items():
            is_complex = dtype.kind == "c"
            name = COMPLEX_NAMES.get(real_name, real_name) if is_complex else real_name
            table[f"lapack_{prefix}{name}_ffi"] = target(routine, dtype)
            if real_name in OLDER:
                older = OLDER[real_name]
                table[f"lapack_{prefix}{name}"] = older_target(routine, older, dtype)
        trsm = ROUTINES["trsm"]
        table[f"blas_{prefix}trsm_ffi"] = target(trsm, dtype)
        table[f"blas_{prefix}trsm"] = older_target(trsm, OLDER_TRSM, dtype)
    return table


TRIDIAGONAL: Final = Routine(perturbed_solution, ("n", "n", "n", "n k"))


def tridiagonal_solve_perturbed(operands: Sequence[object], call: TargetCall) -> tuple[Array, ...]:
    """Solutions for tridiagonal matrices, even for singular ones; of any element type."""
    dtypes = {tensor.dtype for tensor in tensors_in(operands)}
    supported = [dtype for dtype in PREFIXES.values() if dtype in dtypes]
    solve = target(TRIDIAGONAL, supported[0] if supported else PREFIXES["s"])
    return cast("tuple[Array, ...]", solve(operands, call))


TARGETS: Final[Mapping[str, Target]] = {
    **targets(),
    "tridiagonal_solve_perturbed_ffi": tridiagonal_solve_perturbed,
}
