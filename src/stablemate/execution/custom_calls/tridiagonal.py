"""Solutions for tridiagonal matrices that may be singular, as inverse iteration needs them.

Gaussian elimination with row exchanges; a pivot of the upper factor that is too small to divide by
is perturbed by about the rounding error of its largest element.

Source: LAPACK Users' Guide, xLAGTF and xLAGTS with JOB = -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stablemate.numerics.elements import Array


def perturbed_solution(dl: Array, d: Array, du: Array, b: Array) -> tuple[Array]:
    """The solutions x of A x = b.

    Args:
        dl: The diagonal below the main one; its first element does not count. ``(n,)``
        d: The main diagonal. ``(n,)``
        du: The diagonal above it; its last element does not count. ``(n,)``
        b: The right-hand sides. ``(n, k)``
    """
    n = d.size
    upper, rows = eliminate_lower_diagonal(dl, d, du, b)
    x = np.zeros((n + 2, *b.shape[1:]), b.dtype)  # two rows of zeros behind the last
    perturbation = np.finfo(d.dtype).eps * largest_element(upper, d, du)
    for k in reversed(range(n)):
        row = rows[k] - upper[k, 1] * x[k + 1] - upper[k, 2] * x[k + 2]
        pivot, row = safe_division(upper[k, 0], row, perturbation)
        x[k] = row / pivot if n == 1 else row * (1 / pivot)
    return (x[:n],)


def eliminate_lower_diagonal(dl: Array, d: Array, du: Array, b: Array) -> tuple[Array, Array]:
    """The upper factor (its three diagonals as columns), and the right-hand sides."""
    n = d.size
    above = du.copy()
    above[n - 1] = 0
    upper, rows = np.zeros((n, 3), d.dtype), b.copy()
    upper[0, :2] = d[0], above[0]
    scale = np.abs(upper[0]).sum()
    for k in range(n - 1):
        below, diagonal = dl[k + 1], d[k + 1]
        next_scale = np.abs(below) + np.abs(diagonal) + np.abs(above[k + 1])
        pivot, beside = upper[k, :2]
        upper[k + 1, :2] = diagonal, above[k + 1]
        if below == 0:
            scale = next_scale
        elif np.abs(below) / next_scale <= (np.abs(pivot) / scale if pivot != 0 else 0):
            factor = below / pivot
            upper[k + 1, 0] = diagonal - factor * beside
            rows[k + 1] = rows[k + 1] - factor * rows[k]
            scale = next_scale
        else:
            factor = pivot / below
            upper[k] = below, diagonal, above[k + 1]
            upper[k + 1, :2] = beside - factor * diagonal, -factor * above[k + 1]
            rows[[k, k + 1]] = rows[k + 1], rows[k] - factor * rows[k + 1]
            scale = np.abs(upper[k + 1]).sum()
    return upper, rows


def largest_element(upper: Array, d: Array, du: Array) -> object:
    """The largest absolute value in the upper factor (its last row but one does not count)."""
    n = d.size
    elements = [upper[: max(n - 2, 0)].reshape(-1), upper[n - 1 :, 0], d[:1], du[: n > 1]]
    return np.abs(np.concatenate(elements)).max()


def safe_division(pivot: Array, row: Array, perturbation: Array) -> tuple[Array, Array]:
    """A pivot and a row whose quotient does not overflow, about the quotient of those given."""
    smallest = np.finfo(row.dtype).tiny
    largest = 1 / smallest
    sign: Any = np.real(pivot)
    step: Any = np.copysign(np.maximum(perturbation, smallest), sign)
    factor = np.abs(row).max()
    while np.abs(pivot) < 1:
        magnitude = np.abs(pivot)
        if magnitude < smallest and magnitude != 0 and factor * smallest <= magnitude:
            return pivot * largest, row * largest
        if magnitude >= smallest and not factor > magnitude * largest:
            return pivot, row
        pivot, step = pivot + step, step * 2
    return pivot, row
