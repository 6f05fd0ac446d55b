"""Symbolic sizes follow the rules of integers, and never give their values away."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from stablemate.numerics.size_functions import (
    condition_text,
    evaluation_text,
    fulfilled_by,
    function_of,
    holds,
)
from stablemate.numerics.symbolic_sizes import (
    Assumptions,
    SizeValueError,
    SymbolicSize,
    common_divisor,
    divides,
    lower_bound,
    proven_nonnegative,
    surely_at_most,
    typical_of,
    upper_bound,
)

OPERATIONS: Final = ("add", "sub", "mul", "floordiv", "mod")
COMPARISONS: Final = (operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt)


def expressions(generator: random.Random, numbers: list[int]) -> tuple[Assumptions, list[Any]]:
    """Variables with these values, and expressions of them with theirs."""
    assumptions = Assumptions()
    pairs: list[Any] = [(assumptions.variable(number), number) for number in numbers]
    pairs += [(number, number) for number in (1, 2, 3, 8, 16, -1)]
    for _ in range(8):
        (one, first), (other, second) = generator.choice(pairs), generator.choice(pairs)
        name = generator.choice(OPERATIONS)
        function: Any = getattr(operator, name)
        is_division = name in ("floordiv", "mod")
        if max(abs(first), abs(second)) < 10**5 and (second > 0 or not is_division):
            pairs.append((function(one, other), function(first, second)))
    return assumptions, pairs


@pytest.mark.parametrize("seed", range(200))
def test_expressions_have_the_values_of_integers(seed: int) -> None:
    generator = random.Random(seed)
    numbers = [generator.randint(2, 50) for _ in range(3)]
    assumptions, pairs = expressions(generator, numbers)
    assert [typical_of(size) for size, _ in pairs] == [number for _, number in pairs]
    for size, number in pairs:
        if isinstance(size, SymbolicSize):
            assert size.low <= number <= size.high
    for _ in range(5):
        (one, first), (other, second) = generator.choice(pairs), generator.choice(pairs)
        for compare in COMPARISONS:
            assert compare(one, other) == compare(first, second)
        assert bool(one) == bool(first)
    assert holds(assumptions)(*numbers)
    evaluate = function_of(evaluation_text(assumptions, [size for size, _ in pairs]))
    assert list(evaluate(*numbers)) == [number for _, number in pairs]


@pytest.mark.parametrize("seed", range(100))
def test_what_is_decided_is_so_for_all_sizes_that_fulfill_the_assumptions(seed: int) -> None:
    generator = random.Random(seed)
    assumptions, pairs = expressions(generator, [generator.randint(2, 40) for _ in range(2)])
    sizes = [size for size, _ in pairs]
    decisions = [
        (generator.choice(sizes), generator.choice(sizes), generator.choice(COMPARISONS))
        for _ in range(6)
    ]
    outcomes = [compare(one, other) for one, other, compare in decisions]
    proofs = [surely_at_most(one, other) for one, other, _ in decisions]
    bounds = [(lower_bound(a, b), upper_bound(a, b)) for a, b, _ in decisions]
    evaluate, fulfilled = function_of(evaluation_text(assumptions, sizes)), holds(assumptions)
    flat = function_of(evaluation_text(assumptions, [bound for pair in bounds for bound in pair]))
    found = 0
    for _ in range(200):
        numbers = [generator.randint(2, 40) for _ in range(2)]
        if not fulfilled(*numbers):
            continue
        found += 1
        values = dict(zip(map(id, sizes), evaluate(*numbers), strict=True))
        limits = flat(*numbers)
        for i, (one, other, compare) in enumerate(decisions):
            first, second = values[id(one)], values[id(other)]
            assert compare(first, second) == outcomes[i]
            assert first <= second or not proofs[i]
            assert limits[2 * i] <= min(first, second)
            assert limits[2 * i + 1] >= max(first, second)
    assert found or assumptions.nonnegative or assumptions.zero


def test_a_quotient_is_at_most_what_is_not_rounded() -> None:
    size = Assumptions().variable(7)
    half = size // 2
    assert surely_at_most(half, size)
    assert surely_at_most(18 * half, 18 * size + 8)
    assert surely_at_most(size - 1, 2 * half)
    assert surely_at_most(half // 3, half)
    assert not surely_at_most(size, 2 * half)
    assert not surely_at_most(2 * half, size - 1)


@pytest.mark.parametrize("seed", range(50))
def test_what_is_proven_of_quotients_holds(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    size = Assumptions().variable(20)
    first, second = (int(divisor) for divisor in numbers.integers(2, 7, 2))
    a, b, c, d, e = (int(factor) for factor in numbers.integers(-6, 7, 5))

    def polynomial(n: Any) -> Any:
        quotient = (a * n + d) // first
        return b * quotient + c * (quotient // second) + e * n + 9

    if proven_nonnegative(polynomial(size)):
        assert all(polynomial(n) >= 0 for n in range(2, 200))


def test_a_size_has_no_value() -> None:
    size = Assumptions().variable(5)
    uses: list[Callable[[Any], Any]] = [int, float, range, np.zeros, [0].__mul__]
    for use in uses:
        with pytest.raises(SizeValueError):
            use(size)
    with pytest.raises(SizeValueError):
        np.array([size], np.int64)


def test_bounds_decide_without_assumptions() -> None:
    assumptions = Assumptions()
    n, m = assumptions.variable(3), assumptions.variable(4)
    assert n * m - 1 < n * m
    assert (n - 1) * m + m - 1 < n * m
    assert n > 1
    assert n != 1
    assert -1 not in (n, m)
    assert (n * m) // m == n
    assert ((n + m) * 8) // (n + m) == 8
    assert (n * m) % n == 0
    assert -(-n // 8) == (n + 7) // 8
    assert divides(8, n * 16)
    assert not divides(8, n)
    assert common_divisor(n * 8, n * m * 8) == n * 8
    assert not assumptions.nonnegative
    assert not assumptions.zero


def test_sizes_of_other_programs_are_never_equal() -> None:
    one, other = Assumptions().variable(3), Assumptions().variable(3)
    assert one != other
    assert len({one: 0, other: 1}) == 2


def test_a_divisor_that_may_be_zero_is_an_assumption() -> None:
    assumptions = Assumptions()
    n, m = assumptions.variable(9), assumptions.variable(4)
    assert typical_of(n // (m - 2)) == 4
    assert holds(assumptions)(9, 5)
    assert not holds(assumptions)(9, 2)


def test_results_of_functions_are_computed_when_sizes_are_known() -> None:
    assumptions = Assumptions()
    n = assumptions.variable(10)
    result = assumptions.result_of("asked", ("s", n, n // 3), 7)
    assert assumptions.result_of("asked", ("s", n, n // 3), 7).key == result.key
    text = evaluation_text(assumptions, [result + 1, (result * 8 + 63) // 64])
    calls: list[tuple[Any, ...]] = []

    def asked(*arguments: Any) -> int:
        calls.append(arguments)
        return 100

    assert function_of(text, {"asked": asked})(20) == (101, (100 * 8 + 63) // 64)
    assert calls == [("s", 20, 6)]


def test_functions_are_called_where_all_other_assumptions_hold() -> None:
    assumptions = Assumptions()
    n = assumptions.variable(10)
    assert n >= 4
    result = assumptions.result_of("asked", (n,), 7)
    assert result // 2 < 50
    calls: list[int] = []

    def asked(size: int) -> int:
        calls.append(size)
        return size * 8

    fulfilled = fulfilled_by(condition_text(assumptions), {"asked": asked})
    assert [fulfilled(size) for size in (3, 4, 12, 13)] == [False, True, True, False]
    assert calls == [4, 12, 13]


def test_functions_of_which_nothing_is_assumed_are_not_called_by_conditions() -> None:
    assumptions = Assumptions()
    n = assumptions.variable(10)
    assert n >= 4
    assumptions.result_of("asked", (n,), 7)
    assert [holds(assumptions)(size) for size in (3, 4)] == [False, True]


def test_bounds_are_computed_when_they_are_asked_for() -> None:
    """Sums of many terms are compared or divided, most of them never asked for their bounds."""
    assumptions = Assumptions()
    rows, columns = assumptions.variable(5), assumptions.symbol(7, low=-3, high=4)
    size: Any = 2 * rows - 3 * columns * rows + 1
    assert not assumptions.ranges
    assert (size.low, size.typical) == (2 * 2 - 3 * 4 * ((1 << 31) - 1) + 1, 10 - 105 + 1)
    assert size.high == 2 * ((1 << 31) - 1) + 3 * 3 * ((1 << 31) - 1) + 1
    assert len(assumptions.ranges) == 3
