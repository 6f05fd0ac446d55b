"""In vector lanes, a matrix has the same bits whatever the other matrices are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest

from tests.compiler import complex_eigenvalue_checks as complex_checks
from tests.compiler.eigenvalue_checks import KINDS, eig, eig_of_both_sides, schur
from tests.compiler.library_calls.test_small_complex_matrices import heevd
from tests.compiler.library_calls.test_small_complex_matrices import svd as complex_svd
from tests.compiler.library_calls.test_small_decompositions import eigh, svd

BATCH: Final = 16  # the lanes of f32, and twice those of f64
FUNCTIONS: Final[dict[str, Callable[[Any], Sequence[Any]]]] = {
    "eigh": eigh,
    "svd": svd,
    "eig": eig,
    "eig of both sides": eig_of_both_sides,
    "schur": schur,
    "complex eig": lambda a: complex_checks.eig(a + 1j * np.swapaxes(a, 1, 2)),
    "complex schur": lambda a: complex_checks.schur(a + 1j * np.swapaxes(a, 1, 2)),
    "complex svd": lambda a: complex_svd(a + 1j * np.swapaxes(a, 1, 2)),
    "complex eigh": lambda a: heevd(a + 1j * (np.swapaxes(a, 1, 2) - a), "L"),
}


def ones(order: int) -> Any:
    """A matrix whose zeros on the way have signs that count."""
    return np.ones((order, order))


def assert_independent(function: str, matrices: Any) -> None:
    """Asserts that matrices have the bits that they have among others like themselves."""
    run = FUNCTIONS[function]
    together = run(matrices)
    for number, matrix in enumerate(matrices):
        alone = run(np.broadcast_to(matrix, matrices.shape).copy())
        for one, other in zip(together, alone, strict=True):
            assert one[number].tobytes() == other[number].tobytes()


def symmetrical(function: str, matrices: Any) -> Any:
    """Matrices that a function takes."""
    return matrices + np.swapaxes(matrices, 1, 2) if function.endswith("eigh") else matrices


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_matrix_whose_zeros_have_signs(function: str, dtype: Any) -> None:
    order = 26
    matrices = np.stack([ones(order), *KINDS["orthogonal"]((BATCH - 1, order))])
    assert_independent(function, symmetrical(function, matrices.astype(dtype))[:8].repeat(2, 0))


@pytest.mark.standard
@pytest.mark.parametrize("order", [2, 7, 23, 28])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_kinds_of_matrices(function: str, dtype: Any, order: int) -> None:
    kinds = [ones(order)[None], *(make((1, order)) for make in KINDS.values())]
    with np.errstate(over="ignore"):
        matrices = symmetrical(function, np.concatenate(kinds).astype(dtype))
    matrices[~np.isfinite(matrices)] = 1
    assert_independent(function, matrices[:BATCH])
    last = np.concatenate([matrices[:1], matrices[BATCH:], matrices[1:BATCH]])
    last[-1] = np.nan
    assert_independent(function, last[:BATCH])
