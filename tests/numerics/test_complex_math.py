"""Functions of complex numbers: exact quotients, cancellation, overflow, special values of C11."""

from __future__ import annotations

import cmath
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from stablemate.numerics import complex_math

INF, NAN = float("inf"), float("nan")


def numbers(count: int, seed: int) -> list[complex]:
    """Random numbers of many magnitudes."""
    rng = np.random.default_rng(seed)
    parts = rng.normal(size=(count, 2)) * 10.0 ** rng.integers(-9, 9, (count, 2))
    return [complex(*row) for row in parts.tolist()]


def exact_quotient(x: complex, y: complex) -> tuple[Fraction, Fraction]:
    """The parts of x / y."""
    a, b, c, d = (Fraction(part) for part in (x.real, x.imag, y.real, y.imag))
    square = c * c + d * d
    return (a * c + b * d) / square, (b * c - a * d) / square


def test_quotients_are_near_the_exact_ones() -> None:
    xs, ys = numbers(300, 0), numbers(300, 1)
    quotients = complex_math.divide(np.array(xs), np.array(ys)).tolist()
    for x, y, quotient in zip(xs, ys, quotients, strict=True):
        real, imag = exact_quotient(x, y)
        size = max(abs(real), abs(imag))
        assert abs(Fraction(quotient.real) - real) <= size * Fraction(1, 1 << 50)
        assert abs(Fraction(quotient.imag) - imag) <= size * Fraction(1, 1 << 50)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (complex(1, 1), complex(INF, NAN), complex(0, 0)),
        (complex(INF, 1), complex(1, 1), complex(INF, -INF)),
        (complex(1, 0), complex(0, 0), complex(INF, NAN)),
        (complex(1, 1), complex(0, 0), complex(INF, INF)),
        (complex(1e300, 1e300), complex(1e300, 1e300), complex(1, 0)),
        (complex(1e-310, 0), complex(1e-310, 0), complex(1, 0)),
    ],
)
def test_quotients_of_special_numbers(x: complex, y: complex, expected: complex) -> None:
    with np.errstate(all="ignore"):
        quotient = complex(complex_math.divide(np.complex128(x), np.complex128(y)))
    assert repr(abs(quotient.real)) == repr(abs(expected.real))
    assert repr(abs(quotient.imag)) == repr(abs(expected.imag))


@pytest.mark.parametrize(
    ("function", "reference", "argument"),
    [
        (complex_math.rsqrt, lambda z: 1 / cmath.sqrt(z), complex(-2, -0.0)),
        (complex_math.rsqrt, lambda z: 1 / cmath.sqrt(z), complex(3, -4)),
        (complex_math.logistic, lambda z: 1 / (1 + cmath.exp(-z)), complex(-30, 2)),
        (complex_math.logistic, lambda z: 1 / (1 + cmath.exp(-z)), complex(3, -2)),
        (complex_math.cbrt, lambda z: cmath.exp(cmath.log(z) / 3), complex(-5, 7)),
        (complex_math.cbrt, lambda z: cmath.exp(cmath.log(z) / 3), complex(-5, -0.0)),
        (complex_math.log_plus_one, lambda z: cmath.log(1 + z), complex(3, -4)),
        (complex_math.exponential_minus_one, lambda z: cmath.exp(z) - 1, complex(2, 3)),
        (complex_math.sign, lambda z: z / abs(z), complex(-5, 12)),
    ],
)
def test_functions_agree_with_their_definition(
    function: object, reference: object, argument: complex
) -> None:
    value = complex(function(np.complex128(argument)))  # type: ignore[operator]
    assert cmath.isclose(value, reference(argument), rel_tol=1e-14)  # type: ignore[operator]


def test_logarithms_keep_their_digits_where_the_modulus_is_nearly_one() -> None:
    # log|1 + z| = log1p(2a + a^2 + b^2) / 2, with the sum computed exactly.
    for angle in (0.1, 1.0, 2.0, 3.0):
        z = cmath.exp(1j * angle) - 1
        a, b = Fraction(z.real), Fraction(z.imag)
        expected = float((2 * a + a * a + b * b) / 2)  # the sum is tiny
        value = complex(complex_math.log_plus_one(np.complex128(z))).real
        assert abs(value - expected) <= 1e-10 * abs(expected)


def test_differences_keep_their_digits_near_zero() -> None:
    value = complex(complex_math.exponential_minus_one(np.complex128(1e-9j)))
    assert value.real == pytest.approx(-5e-19, rel=1e-12)
    assert value.imag == pytest.approx(1e-9, rel=1e-12)


UNDEFINED = {  # where XLA:CPU has NaN in both parts
    complex_math.exponential_minus_one: [
        complex(a, b) for a in (-np.inf, np.inf) for b in (-np.inf, np.inf, np.nan)
    ],
    complex_math.tanh: [complex(a, b) for a in (-0.0, 0.0) for b in (-np.inf, np.inf, np.nan)],
    complex_math.tan: [complex(a, b) for b in (-0.0, 0.0) for a in (-np.inf, np.inf, np.nan)],
}


@pytest.mark.parametrize("function", UNDEFINED, ids=lambda function: function.__name__)
def test_both_parts_are_nan_where_xla_has_nan(function: Any) -> None:
    with np.errstate(all="ignore"):
        results = function(np.array(UNDEFINED[function]))
    assert np.isnan(results.real).all()
    assert np.isnan(results.imag).all()


@pytest.mark.parametrize("function", [complex_math.tanh, complex_math.tan])
def test_zeros_keep_their_signs(function: Any) -> None:
    zeros = np.array([complex(a, b) for a in (-0.0, 0.0) for b in (-0.0, 0.0)])
    results = function(zeros)
    assert np.array_equal(np.signbit(results.real), np.signbit(zeros.real))
    assert np.array_equal(np.signbit(results.imag), np.signbit(zeros.imag))
