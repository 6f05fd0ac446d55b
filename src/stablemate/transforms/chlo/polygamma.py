"""polygamma, in 64 bits."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.ir.types import tensor
from stablemate.numerics.elements import F64, I32
from stablemate.numerics.functions.arithmetic import polynomial, two_product, two_sum
from stablemate.numerics.functions.digamma import digamma
from stablemate.numerics.functions.zeta import TERMS, tail_series, total_of, zeta
from stablemate.transforms.chlo.arithmetic import (
    ELEMENTARY,
    convert,
    floor,
    is_finite,
    log,
    minimum,
    nearest_integer,
    sqrt,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression, literal
from stablemate.transforms.chlo.gamma_functions import stirling
from stablemate.transforms.chlo.hyperbolic_functions import exponential
from stablemate.transforms.chlo.pairs import (
    Pair,
    logarithm,
    negative,
    pair,
    product_of,
    quotient_of,
    select_pair,
    sum_of,
)

E_REST: Final = 1.4456468917292502e-16  # e beyond 64 bits
# n! / sqrt(2 pi n) (e / n)^n, in 1 / n
STIRLING: Final = (
    1.0,
    1 / 12,
    1 / 288,
    -139 / 51840,
    -571 / 2488320,
    163879 / 209018880,
    5246819 / 75246796800,
)
LARGEST_FACTORIAL: Final = 170
EXACT_FACTORIAL: Final = 22.0  # the largest number whose factorial 64 bits hold
LARGE: Final = 600.0  # exponentials of larger numbers are computed times 2^-SHIFT
SHIFT: Final = 512
FACTORIALS: Final = (*(float(math.factorial(n)) for n in range(LARGEST_FACTORIAL + 1)), math.inf)


def polygamma(n: TensorExpression, x: TensorExpression) -> TensorExpression:
    """``(-1)^(n + 1) n! zeta(n + 1, x)``, and digamma for n = 0; NaN unless n is 0, 1, 2, ..."""
    is_natural = (n >= 0.0) & n.equals(floor(n))
    is_positive = x > 0.0
    above = polygamma_of_positive(n, where(is_positive, x, 1.0))
    magnitude = where(is_positive, above, factorial(n) * zeta(ELEMENTARY, n + 1.0, x))
    result = where((n % 2.0).equals(0.0), -magnitude, magnitude)
    result = where(n.equals(0.0), digamma(ELEMENTARY, x), result)
    return where(is_natural, result, math.nan)


def polygamma_of_positive(n: TensorExpression, x: TensorExpression) -> TensorExpression:
    """``n! / x^s`` times the sum of ``(x / (x + k))^s`` over k = 0, 1, ..., with ``s = n + 1``.

    So nothing overflows or underflows but the result. The power of two in x is split off, and its
    power is multiplied in two halves.
    """
    if not x.formula.is_widened:
        return exact_polygamma(n, x)
    s = n + 1.0
    doublings = nearest_integer(log(x) * (1.0 / math.log(2.0)))
    mantissa = x / x.constant(2.0) ** doublings
    halvings = doublings * s
    half = floor(0.5 * halvings)
    two = x.constant(2.0)
    few = (factorial(n) * two**-half) * (mantissa**-s * two ** (half - halvings))
    leading = where(n <= float(LARGEST_FACTORIAL), few, large_factorial_over_power(n, x))
    return where(x.equals(math.inf), 0.0, leading * sum_of_ratios(s, x))


def exact_polygamma(n: TensorExpression, x: TensorExpression) -> TensorExpression:
    """The same for 64 bits, with the rests of logarithms, terms and sums.

    ``n! / x^s`` is ``exp(log(n!) - s log(x))``, which is kept from underflow and overflow by a
    power of two.
    """
    s = n + 1.0
    inside = where((x < 2.0**-900) | x.equals(math.inf), 1.0, x)
    few = logarithm(factorial(minimum(n, EXACT_FACTORIAL)))
    many = stirling(where(n < 4.0, 5.0, n + 1.0))
    of_factorial = select_pair(n <= EXACT_FACTORIAL, few, many)
    exponent = sum_of(of_factorial, negative(product_of(pair(s), logarithm(inside))))
    is_large = exponent.value > LARGE
    shift = negative(logarithm(x.constant(2.0**SHIFT)))
    exponent = select_pair(is_large, sum_of(exponent, shift), exponent)
    largest = pair(x.constant(LARGE))  # with which the result is infinite
    exponent = select_pair(exponent.value > LARGE, largest, exponent)
    leading, scale = exponential(exponent)
    result = finite_product(Pair(*two_sum(*leading)), pair_of_ratios(s, x))
    result = result * where(is_large, 2.0**SHIFT, scale)
    result = where(x < 2.0**-900, math.inf, result)
    return where(x.equals(math.inf), 0.0, result)


def finite_product(a: Pair, b: Pair) -> TensorExpression:
    """The product of two pairs, rounded; that of the numbers alone where a rest is no number."""
    product = product_of(a, b)
    return where(is_finite(product.rest), product.total, a.value * b.value)


def pair_of_ratios(s: TensorExpression, q: TensorExpression) -> Pair:
    """The sum of ``(q / (q + k))^s``, as ``sum_of_ratios`` has it, in twice the precision.

    All but the powers of the first terms, which are rounded; that of the tail has a factor of
    ``q / s``.
    """
    terms, power = [ratio_power_pair(s, q, k) for k in range(TERMS)], tail_power(s, q)
    a = Pair(*two_sum(q, q.constant(float(TERMS))))
    edge = power.value * (0.5 + s * (1.0 / a.value) * tail_series(s, 1.0 / a.value))
    integral = quotient_of(product_of(a, power), Pair(*two_sum(s, s.constant(-1.0))))
    lost = where(is_finite(integral.rest), integral.rest, 0.0)
    total_of_terms = sum_of(Pair(integral.value, lost), pair(edge))
    for term in reversed(terms):
        total_of_terms = sum_of(term, total_of_terms)
    return total_of_terms


def ratio_power_pair(s: TensorExpression, q: TensorExpression, k: int) -> Pair:
    """``(q / (q + k))^s``, and the error of the ratio, which the power magnifies, as the rest."""
    if k == 0:
        return pair(q / q)
    ratio = quotient_of(pair(q), Pair(*two_sum(q, q.constant(float(k)))))
    power, correction = ratio.value**s, s * (ratio.rest / ratio.value)
    return Pair(power, where(is_finite(correction), power * correction, 0.0))


def tail_power(s: TensorExpression, q: TensorExpression) -> Pair:
    """``(q / (q + TERMS))^s`` in twice the precision, where it is far from underflow."""
    ratio = quotient_of(pair(q), Pair(*two_sum(q, q.constant(float(TERMS)))))
    inside = where(is_finite(ratio.rest), ratio.value, 1.0)
    logarithm_of_ratio = sum_of(logarithm(inside), pair(ratio.rest / inside))
    power, scale = exponential(product_of(pair(s), logarithm_of_ratio))
    return Pair(*two_sum(power.value * scale, power.rest * scale))


def large_factorial_over_power(n: TensorExpression, x: TensorExpression) -> TensorExpression:
    """``n! / x^(n + 1)`` for large n, by Stirling's series.

    It is ``(n / ex)^n sqrt(2 pi n) / x`` times ``1 + 1 / 12n + ...``; the power magnifies the error
    of its base n times, which is made good.
    """
    x = minimum(x, 1e290)  # far beyond which the result is zero
    product, rest = two_product(x, x.constant(math.e))
    rest = rest + x * E_REST
    base = n / product
    again, rest_of_again = two_product(base, product)
    error = ((n - again) - rest_of_again - base * rest) / n
    power = base ** (0.5 * n)
    series = polynomial(1.0 / n, STIRLING)
    factor = sqrt(2.0 * math.pi * n) * series * (1.0 + n * error)
    return ((power / x) * factor) * power


def sum_of_ratios(s: TensorExpression, q: TensorExpression) -> TensorExpression:
    """The sum of ``(q / (q + k))^s``, by Euler-Maclaurin summation as that of zeta."""
    *terms, power = [ratio_power(s, q, k) for k in range(TERMS + 1)]
    a = q + float(TERMS)
    tail = power * (0.5 + s * (1.0 / a) * tail_series(s, 1.0 / a)) + (a * power) / (s - 1.0)
    return tail + total_of(terms[::-1])


def ratio_power(s: TensorExpression, q: TensorExpression, k: int) -> TensorExpression:
    """``(q / (q + k))^s``, without the error of the ratio, which the power magnifies."""
    if k == 0:
        return q / q
    a, rest = two_sum(q, q.constant(float(k)))
    ratio = q / a
    product, rest_of_product = two_product(ratio, a)
    error = ((q - product) - rest_of_product - ratio * rest) / q
    correction = s * error
    return ratio**s * (1.0 + where(is_finite(correction), correction, 0.0))


def factorial(n: TensorExpression) -> TensorExpression:
    """The factorial of natural numbers, from a table; infinite where it overflows."""
    formula = n.formula
    index = convert(minimum(n, float(LARGEST_FACTORIAL + 1)), I32)
    data = np.array(FACTORIALS, np.float64)
    numbers = GatherDimensionNumbers(
        collapsed_slice_dims=(0,),
        start_index_map=(0,),
        index_vector_dim=index.value.type.rank,
    )
    return formula.create(
        Gather,
        operand=literal(formula.builder, tensor(F64, len(FACTORIALS)), data),
        start_indices=index.value,
        dimension_numbers=numbers,
        slice_sizes=(1,),
    )
