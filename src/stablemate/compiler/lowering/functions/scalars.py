"""Functions of one ``f32`` at a time, as in a loop that carries numbers: in ``f64``, rounded once.

Where a number waits for the one before, the length of the chain of instructions counts, and not
their number: polynomials are summed in pairs (Estrin), angles are not reduced, exponents are
clamped on the rare way alone. Numbers outside of the usual range take the way of vectors. The
comment of each polynomial says what it stands for, on which interval, and its relative error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stablemate.compiler.loops.expressions import Expression, Operand
from stablemate.compiler.lowering.functions import angles, exponential, logarithm
from stablemate.compiler.lowering.functions.arithmetic import in_double, in_single, shift_bits
from stablemate.compiler.lowering.functions.singles import EXP, LOG
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    float_of,
    greater,
    multiply_add,
    rarely,
)
from stablemate.numerics.functions.formats import F64

# sin(x) / (x (pi^2 - z) (4 pi^2 - z)) of z = x^2, abs(x) <= 6.4; 2^-28.4
SIN: Final = (0.0025664955564971594, -0.00010269878191103888, 1.7936004997124704e-06,
              -1.8484716977871386e-08, 1.2786836154777968e-10, -6.35315193554399e-13,
              2.27626078584139e-15, -4.806205777921736e-18)  # fmt: skip
# cos(x) / ((pi^2 / 4 - z) (9 pi^2 / 4 - z) (25 pi^2 / 4 - z)) of z = x^2, abs(x) <= 6.4; 2^-30.0
COS: Final = (
    0.00029586815213568824,
    -9.903368760060343e-06,
    1.4794820261545135e-07,
    -1.327978082561962e-09,
    8.12119561770309e-12,
    -3.616968808246265e-14,
    1.18225973288245e-16,
    -2.338697023596916e-19,
)
# The squares of the zeros of sine and cosine, in two parts.
ZEROS_OF_SINE: Final = ((9.869604401089358, 6.265295508739711e-16),
                        (39.47841760435743, 2.5061182034958845e-15))  # fmt: skip
ZEROS_OF_COSINE: Final = ((2.4674011002723395, 1.5663238771849278e-16),
                          (22.206609902451056, 5.215130697663099e-16),
                          (61.68502750680849, 0.0))  # fmt: skip
FULL_TURN: Final = 6.4  # a little more than 2 pi: the polynomials of ZEROS hold up to there
LARGEST_EXPONENT: Final = 87.0  # whose exponential, and that of its negative, are normal numbers
# Numerator over x, and denominator, of Lambert's continued fraction of tanh(x), of x^2, after 14
# steps; for abs(x) <= 9.1 2^-31.6
TANH_ABOVE: Final = (
    1.0,
    0.14942528735632185,
    0.00561941251596424,
    8.0277321656632e-05,
    4.935803703086729e-07,
    1.2820269358666827e-09,
    1.1534205450892331e-12,
    1.6154349370997664e-16,
)
TANH_BELOW: Final = (
    1.0,
    0.4827586206896552,
    0.033205619412515965,
    0.0007492550021285653,
    6.9806366657940875e-06,
    2.8204592589067017e-08,
    4.4983401258480094e-11,
    1.9385219245197195e-14,
)
LARGEST_TANGENT: Final = 9.1  # from about 9.01 on tanh(x) is 1 when it is rounded

Function = Callable[[Expression], Expression]


def in_pairs(x: Expression, coefficients: Sequence[Operand]) -> Expression:
    """``c0 + c1 x + c2 x^2 + ...``, by a tree.

    Source: G. Estrin, "Organization of computer systems", 1960.
    """
    terms: list[Operand] = list(coefficients)
    power = x
    while len(terms) > 1:
        last = terms[len(terms) & ~1 :]
        pairs = zip(terms[::2], terms[1::2], strict=False)
        terms = [*(multiply_add(power, above, below) for below, above in pairs), *last]
        power = power * power
    (result,) = terms
    assert isinstance(result, Expression)
    return result


def usually(
    usual: Function, otherwise: Function, is_rare: Callable[[Expression], Expression]
) -> Function:
    """A function of an ``f32``: one in ``f64``, but for some numbers the one of vectors."""

    def function(x: Expression) -> Expression:
        return rarely(is_rare(x), otherwise(x), in_single(usual(in_double(x))))

    return function


def beyond(bound: float) -> Function:
    """Whether a number is larger than a bound, or smaller than its negative."""
    return lambda x: greater(absolute(x), bound)


def from_zeros(z: Expression, zeros: Sequence[tuple[float, float]]) -> Expression:
    """The product of the distances of ``z`` from zeros in two parts; ``z`` is exact."""
    first, *rest = [(high - z) + low if low else high - z for high, low in zeros]
    for factor in rest:
        first = first * factor
    return first


def sine_within_turn(x: Expression) -> Expression:
    """``sin(x)`` by its zeros and a polynomial."""
    z = x * x
    return (x * from_zeros(z, ZEROS_OF_SINE)) * in_pairs(z, SIN)


def cosine_within_turn(x: Expression) -> Expression:
    """``cos(x)`` by its zeros and a polynomial."""
    z = x * x
    return from_zeros(z, ZEROS_OF_COSINE) * in_pairs(z, COS)


def factors_of_exponential(x: Expression) -> tuple[Expression, Expression]:
    """``exp(x)`` of a number of moderate size: a number near 1 and a power of two."""
    shift = F64.rounder + F64.bias
    sum_with_n = multiply_add(x, F64.log2e, shift)
    r = multiply_add(sum_with_n - shift, -0.6931471805599453, x)
    scale = float_of(shift_bits("shl", bits_of(sum_with_n), F64.mantissa))
    return in_pairs(r, (1.0, 1.0, *EXP)), scale


def exponential_of(x: Expression) -> Expression:
    """``exp(x)`` of a number of moderate size."""
    near, scale = factors_of_exponential(x)
    return near * scale


def logarithm_of(x: Expression) -> Expression:
    """``log(x)`` of a positive number."""
    n, f = logarithm.split(x)
    linear = multiply_add(n, 0.6931471805599453, f)
    pairs = zip(LOG[::2], LOG[1::2], strict=True)
    return in_pairs(f * f, [linear, *(multiply_add(f, above, below) for below, above in pairs)])


def is_not_positive(x: Expression) -> Expression:
    """Whether a number is not positive, infinite or NaN."""
    table = x.table
    inside = table.apply("flt", table.like(x, 0.0), x) & table.apply(
        "flt", x, table.like(x, float("inf"))
    )
    return inside ^ table.bits(1, "i1")


def logistic_of(x: Expression) -> Expression:
    """``1 / (1 + exp(-x))`` of a number of moderate size."""
    near, scale = factors_of_exponential(-x)
    return 1.0 / multiply_add(near, scale, 1.0)


def tangent_of(x: Expression) -> Expression:
    """``tanh(x)`` by a continued fraction."""
    z = x * x
    return (x * in_pairs(z, TANH_ABOVE)) / in_pairs(z, TANH_BELOW)


FUNCTIONS: Final[Mapping[str, Function]] = {
    "cosine": usually(cosine_within_turn, angles.cosine, beyond(FULL_TURN)),
    "exponential": usually(exponential_of, exponential.exponential, beyond(LARGEST_EXPONENT)),
    "log": usually(logarithm_of, logarithm.logarithm, is_not_positive),
    "logistic": usually(logistic_of, exponential.logistic, beyond(LARGEST_EXPONENT)),
    "sine": usually(sine_within_turn, angles.sine, beyond(FULL_TURN)),
    "tanh": usually(tangent_of, exponential.tanh, beyond(LARGEST_TANGENT)),
}
