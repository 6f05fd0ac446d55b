"""Polynomials through samples of functions of sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stablemate.analysis.planning.polynomials import fit_polynomials

FUNCTIONS: dict[str, Callable[[int], int]] = {
    "12": lambda n: 12,
    "8*N + 3": lambda n: 8 * n + 3,
    "N^2/2 + N/2": lambda n: n * (n + 1) // 2,
}


@pytest.mark.parametrize("is_costly", [False, True])
@pytest.mark.parametrize("formula", FUNCTIONS)
def test_the_formula_of_a_polynomial(formula: str, is_costly: bool) -> None:
    function = FUNCTIONS[formula]
    polynomials = fit_polynomials(lambda sizes: [function(*sizes)], ["N"], is_costly=is_costly)
    assert polynomials is not None
    assert list(map(str, polynomials)) == [formula]


@pytest.mark.parametrize("is_costly", [False, True])
@pytest.mark.parametrize(
    "function", [lambda n: n // 2, lambda n: -(-n // 64), lambda n: min(n, 128)]
)
def test_what_is_no_polynomial_has_no_formula(
    function: Callable[[int], int], is_costly: bool
) -> None:
    assert fit_polynomials(lambda sizes: [function(*sizes)], ["N"], is_costly=is_costly) is None


def test_a_costly_linear_function_is_sampled_three_times() -> None:
    samples: list[int] = []

    def sample(sizes: tuple[int, ...]) -> list[int]:
        samples.append(*sizes)
        return [5 * sizes[0]]

    assert fit_polynomials(sample, ["N"], is_costly=True) is not None
    assert len(samples) == 3
    assert max(samples) > 1000  # for large sizes too
