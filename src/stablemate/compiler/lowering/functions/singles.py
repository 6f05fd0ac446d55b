"""Functions of CHLO for ``f32``: in ``f64`` as accurately as ``f32`` needs, then rounded once.

Where a square root or a quotient is needed, it is computed in ``f32`` and improved by a step of
Newton's iteration, which takes a third of the time of the instruction for ``f64``. ``erf`` is
computed in ``f32``. The polynomials are the best ones (Remez); the comment of each says what it
stands for, on which interval, and its relative error in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import (
    fused_multiply_add,
    fused_polynomial,
    in_double,
    in_single,
    shift_bits,
)
from stablemate.compiler.lowering.functions.exponential import log_of_two, of_rest, reduce_exponent
from stablemate.compiler.lowering.functions.logarithm import split
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    equal,
    float_of,
    greater,
    less,
    multiply_add,
    pick,
    polynomial,
    rarely,
    root,
    with_sign,
)
from stablemate.numerics.functions.formats import F32, F64

# (exp(r) - 1 - r) / r^2 for abs(r) <= log(2) / 2; 2^-34.2
EXP: Final = (0.5000000067677283, 0.16666665868975755, 0.041666294963885984, 0.008333497071151132,
              0.001394465847279637, 0.0001979034109669852)  # fmt: skip
# (cosh(r) - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-34.3
COSH: Final = (0.50000000795646, 0.041666265636003626, 0.0013946333308010484)
# (sinh(r) / r - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-37.5
SINH: Final = (0.1666666675502473, 0.008333288794938134, 0.0001990507523615732)
# (log(1 + f) - f) / f^2 for sqrt(1/2) <= 1 + f <= sqrt(2); 2^-30.4
LOG: Final = (-0.4999999975328533, 0.3333331081425653, -0.25000025738277953, 0.20002219858533013,
              -0.16667687646281829, 0.14217682548306432, -0.12407357586261905,
              0.11900959497585971, -0.1167595301130793, 0.06724946214633618)  # fmt: skip
# erf(x) / x - 1 of x^2 - 0.625, which is small where it cancels, abs(x) <= 1.1; 2^-27.9
ERF_NEAR: Final = (-0.06845938414335251, -0.26205021142959595, 0.07286931574344635,
                   -0.01662861928343773, 0.0031457841396331787, -0.0005047752056270838,
                   7.339210424106568e-05, -9.485615009907633e-06)  # fmt: skip
# -log(1 - erf(x)) for 1.1 <= x <= 4; 2^-30.5
ERF_FAR: Final = (0.00059963, 1.1261088848114014, 0.6396690607070923,
                  0.10186593979597092, -0.02128070779144764, 0.002816765569150448,
                  -0.00017383051454089582)  # fmt: skip
ERF_CENTER: Final = 0.625
ERF_BOUNDS: Final = (1.1, 4.0)
# exp(x^2) erfc(x) of 1 / (x + 3), 0 <= x <= 10.1; 2^-29.4
ERFC: Final = (1.9211621143148255e-06, 0.5639797587140079, 1.701866009036946, 4.567057016770371,
               16.21514683896366, -5.073829760104847, 316.1711797024742, -1035.080304578665,
               3658.2285783357916, -5919.5007759042155, 3377.822843516384)  # fmt: skip
# erf_inv(x) / x of w = -log(1 - x^2), w <= 5; 2^-31.2
ERF_INV_NEAR: Final = (0.8862269258213243, 0.23201364438172986, 0.01154955894033409,
                       -0.002335918212541895, -0.00012649119037751421, 4.49268455257408e-05,
                       3.118312292889141e-06, -1.4365496177199128e-06, 4.48837292258393e-08,
                       2.371929080437067e-08, -3.216453115819713e-09,
                       1.328549164145812e-10)  # fmt: skip
# erf_inv(x) / x of sqrt(w) - 3.125, 5 <= w <= 16.7; 2^-26.6
ERF_INV_FAR: Final = (2.958320121953898, 1.0037185921689966, 0.0070495850680841925,
                      -0.005298752722516508, 0.0037778177300020815, -0.002533045362216537,
                      0.001319189463806166, -0.0003003474916035686, -0.00017954317398355047,
                      0.00011518374959005763)  # fmt: skip
# I1(x) / x of x^2, x <= 8; 2^-34.0
I1_NEAR: Final = (0.5000000000300364, 0.062499999822784216, 0.0026041668269827295,
                  5.4253418969212e-05, 6.781770406395955e-07, 5.650618480172171e-09,
                  3.368225902446653e-11, 1.487116493898423e-13, 5.525341331657684e-16,
                  1.0528271094662878e-18, 5.967348388287942e-21)  # fmt: skip
# sqrt(x) exp(-x) I1(x) of 1 / x, 8 <= x; 2^-33.1
I1_FAR: Final = (0.39894228044424157, -0.1496034009805603, -0.04674301359454034,
                 -0.04143895854511086, -0.040569412748746966, -0.39369943626708565,
                 2.1535254570554487, -9.624500537458271)  # fmt: skip
LARGEST_EXPONENT: Final = 100.0  # of e: results of f32 are zero or infinite behind it
ROOT_IS_EQUAL: Final = 2.0**60  # from here on sqrt(x^2 + 1) is x

Function = Callable[[Expression], Expression]


def in_doubles(function: Function) -> Function:
    """The function of an ``f32``, from one of an ``f64``."""

    @wraps(function)
    def of_single(x: Expression) -> Expression:
        return in_single(function(in_double(x)))

    return of_single


def exponential_of(x: Expression) -> Expression:
    """``exp(x)`` of an ``f64`` of at most 700."""
    sum_with_n = multiply_add(x, F64.log2e, F64.rounder + F64.bias)
    r = reduce_exponent(x, sum_with_n - (F64.rounder + F64.bias))
    power = multiply_add(r * r, polynomial(r, EXP), r) + 1.0
    return power * float_of(shift_bits("shl", bits_of(sum_with_n), F64.mantissa))


def logarithm_of(x: Expression) -> Expression:
    """``log(x)`` of a positive normal ``f64``."""
    n, f = split(x)
    return multiply_add(n, 0.6931471805599453, multiply_add(f * f, polynomial(f, LOG), f))


def reciprocal_of(x: Expression) -> Expression:
    """``1 / x`` of an ``f64`` that is in the range of ``f32``."""
    y = in_double(1.0 / in_single(x))
    return multiply_add(multiply_add(x, -y, 1.0), y, y)


def root_of(x: Expression) -> Expression:
    """``sqrt(x)`` of a positive ``f64`` that is in the range of ``f32``."""
    single = root(in_single(x))
    s, half = in_double(single), in_double(0.5 / single)
    return multiply_add(multiply_add(s, -s, x), half, s)


def powers(x: Expression) -> tuple[Expression, Expression, Expression, Expression]:
    """``(cosh(n log(2)), sinh(n log(2)), cosh(r), sinh(r))`` with ``x = n log(2) + r``."""
    offset = F64.rounder + F64.bias - 1  # the last bits are the exponent of 2^n / 2
    sum_with_n = multiply_add(x, F64.log2e, offset)
    r = reduce_exponent(x, sum_with_n - offset)
    bits = bits_of(sum_with_n)
    up = float_of(shift_bits("shl", bits, F64.mantissa))
    down = float_of(shift_bits("shl", (2 * F64.bias - 2) - bits, F64.mantissa))
    z = r * r
    cosh_of_rest = multiply_add(z, polynomial(z, COSH), 1.0)
    sinh_of_rest = multiply_add(r * z, polynomial(z, SINH), r)
    return up + down, up - down, cosh_of_rest, sinh_of_rest


@in_doubles
def sinh(x: Expression) -> Expression:
    """``sinh(x)`` by its values at n log(2) and at the rest, without cancellation."""
    a, b, c, s = powers(at_most(absolute(x), LARGEST_EXPONENT))
    return with_sign(multiply_add(a, s, b * c), x)


@in_doubles
def cosh(x: Expression) -> Expression:
    """``cosh(x)`` by its values at n log(2) and at the rest."""
    a, b, c, s = powers(at_most(absolute(x), LARGEST_EXPONENT))
    return multiply_add(b, s, a * c)


@in_doubles
def asinh(x: Expression) -> Expression:
    """``log(a + sqrt(a^2 + 1))`` with the sign of x, where a is its magnitude; near 0 a series."""
    a = absolute(x)
    near = at_most(a, ROOT_IS_EQUAL)
    s = root_of(multiply_add(near, near, 1.0))
    value = logarithm_of(a + pick(less(a, ROOT_IS_EQUAL), s, a))
    series = multiply_add(a * a * a, -1.0 / 6.0, a)
    value = pick(less(a, 2.0**-12), series, value)
    return with_sign(pick(less(a, float("inf")), value, a), x)


@in_doubles
def acosh(x: Expression) -> Expression:
    """``log(x + sqrt(x^2 - 1))``; NaN below 1."""
    near = at_most(x, ROOT_IS_EQUAL)
    square = multiply_add(near, near, -1.0)
    is_inside = greater(square, 0.0)
    s = pick(is_inside, root_of(pick(is_inside, square, 1.0)), 0.0)
    value = logarithm_of(x + pick(less(x, ROOT_IS_EQUAL), s, x))
    return pick(less(x, 1.0), float("nan"), pick(less(x, float("inf")), value, x))


def erf(x: Expression) -> Expression:
    """``x + x p(x^2 - 5/8)`` near zero, elsewhere ``1 - exp(-q(a))``, where a is the magnitude."""
    bound, end = ERF_BOUNDS
    a = absolute(x)
    near = fused_multiply_add(
        x, fused_polynomial(fused_multiply_add(x, x, -ERF_CENTER), ERF_NEAR), x
    )
    power, scale = factors_of_exponential(-fused_polynomial(at_most(a, end), ERF_FAR))
    far = multiply_add(power, -scale, 1.0)
    return pick(less(a, bound), near, with_sign(far, x))


def factors_of_exponential(x: Expression) -> tuple[Expression, Expression]:
    """``exp(x)`` of an ``f32`` between -80 and 0, to 2^-24 of 1: a number and a power of two."""
    shift = F32.rounder + F32.bias
    sum_with_n = multiply_add(x, F32.log2e, shift)
    r = multiply_add(sum_with_n - shift, -log_of_two(F32), x)
    return of_rest(r), float_of(shift_bits("shl", bits_of(sum_with_n), F32.mantissa))


@in_doubles
def erfc(x: Expression) -> Expression:
    """``exp(-a^2) p(1 / (a + 3))`` where a is the magnitude; of negative numbers 2 less that."""
    a = at_most(absolute(x), 12.0)
    value = exponential_of(-(a * a)) * polynomial(reciprocal_of(a + 3.0), ERFC)
    return pick(less(x, 0.0), 2.0 - value, value)


@in_doubles
def erf_inv(x: Expression) -> Expression:
    """``x p(w)`` with ``w = -log(1 - x^2)``, in the tails ``x q(sqrt(w))``.

    Source: M. Giles, "Approximating the erfinv function", GPU Computing Gems, 2011, for the
    variables; polynomials of its own.
    """
    a = absolute(x)
    w = -logarithm_of(multiply_add(a, -a, 1.0))
    near = polynomial(w, ERF_INV_NEAR)
    ratio = rarely(greater(w, 5.0), polynomial(root_of(w) - 3.125, ERF_INV_FAR), near)
    end = pick(equal(a, 1.0), float("inf"), x.table.like(x, float("nan")))
    return x * pick(less(a, 1.0), ratio, end)


@in_doubles
def bessel_i1e(x: Expression) -> Expression:
    """``exp(-a) I1(a)`` with the sign of x, where a is its magnitude."""
    a = absolute(x)
    b = at_most(at_least(x, -8.0), 8.0)
    near = exponential_of(-absolute(b)) * (b * polynomial(b * b, I1_NEAR))
    inverse = reciprocal_of(a)
    far = polynomial(inverse, I1_FAR) * root_of(inverse)
    far = pick(less(a, float("inf")), far, 0.0)
    return rarely(greater(a, 8.0), pick(less(x, 0.0), -far, far), near)


SINGLES: Final[Mapping[str, Function]] = {
    "acosh": acosh,
    "asinh": asinh,
    "bessel_i1e": bessel_i1e,
    "cosh": cosh,
    "erf": erf,
    "erf_inv": erf_inv,
    "erfc": erfc,
    "sinh": sinh,
}
