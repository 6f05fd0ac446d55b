"""digamma, in 64 bits.

Fractions of polynomials for small arguments, an asymptotic series for large ones, reflection for
negative ones. The coefficients were made for this module: minimax approximations in relative error
(Remez), in 50 digits; the bounds stated are before rounding. Near the zeros on the negative axis
the error is small in absolute terms only.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    choice,
    equal,
    fast_two_sum,
    greater,
    less,
    multiply_add,
    pick,
    polynomial,
    quotient_of,
    rarely,
    residue,
    round_to_integer,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.circular import cosine_near, sine_near
from stablemate.numerics.functions.elementary import Elementary
from stablemate.numerics.functions.formats import F64
from stablemate.numerics.functions.logarithm import precise_logarithm
from stablemate.numerics.functions.number import N, Pair

# fmt: off
# 3/4 <= x < 2: digamma(x) / (x - root) - 1, a fraction in x - 1, within 2^-60 of the quotient
TOP: Final = (
    0.2503801375034054, -0.30654518409471065, -0.6961665431405867, -0.3624074807373363,
    -0.07426667510151011, -0.005939859910326265, -0.00013407386657515488,
)
BOTTOM: Final = (
    1.0, 2.189263820895623, 1.687491831851053, 0.5873857739351935, 0.09560904221430518,
    0.006586647937329149, 0.00013536933312812563,
)
# 2 <= x: x^2 (log(x) - 1 / (2x) - digamma(x)) in x^-2, within 2^-55 of digamma(x)
FAR: Final = (
    0.08333333333330645, -0.008333333320823774, 0.0039682519734803, -0.004166505383141899,
    0.007567880114902235, -0.020835149513432724, 0.07726605010130369, -0.33386632434835356,
    1.443728344869895, -5.528723614161186, 17.170897974636212, -40.27075001178625,
    65.93050782383747, -66.6167613904418, 31.12519175685543,
)
# fmt: on
ROOT: Final = 1.4616321449683622  # of digamma
ROOT_REST: Final = 9.549995429965697e-17
SLOPE: Final = 0.9676722454476212  # of digamma at its root
PI_REST: Final = 1.2246467991473532e-16
TINY: Final = 2.0**-200  # pi / tan(pi x) is 1 / x of smaller numbers
LEAST: Final = 2.0**-900  # digamma(x) is -1 / x of smaller numbers


def digamma(of: Elementary[N], x: N) -> N:
    """The derivative of lgamma; NaN at its poles.

    ``digamma(x) = digamma(1 - x) - pi / tan(pi x)`` below zero.
    """
    is_negative = less(x, 0.0)
    beyond, rest = two_sum(x.lift(1.0), pick(is_negative, -x, 0.0))
    a = pick(is_negative, beyond, x)
    is_near = less(a, 2.0)
    if x.is_widened:
        direct = pick(is_near, digamma_near(a), of.log(a) - digamma_tail(a))
        turn = math.pi * (x - round_to_integer(x))
        result = pick(is_negative, direct - math.pi / of.tan(turn), direct)
    else:
        far, far_rest = digamma_far(at_least(a, 2.0), pick(is_negative, rest, 0.0))
        value, value_rest = pick(is_near, digamma_near(a), far), pick(is_near, 0.0, far_rest)
        direct = pick(less(a, math.inf), value + value_rest, a)
        result = rarely(is_negative, reflect_digamma(x, value, value_rest), direct)
    is_pole = (is_negative | equal(x, 0.0)) & equal(x, round_to_integer(x))
    return pick(is_pole, math.nan, result)


def digamma_near(x: N) -> N:
    """Digamma for 0 < x < 2; ``digamma(x) = digamma(x + 1) - 1 / x`` below 3/4.

    With the distance d from the root, it is ``d + d v`` from there on, v a fraction.
    """
    is_small = less(x, 0.75)
    t = pick(is_small, x, x - 1.0)
    v = polynomial(t, TOP) / polynomial(t, BOTTOM)
    distance = x - choice(is_small, ROOT - 1.0, ROOT, x)
    inverse = pick(is_small, 1.0 / x, 0.0)
    value = distance - inverse
    if x.is_widened:
        return value + distance * v
    lost = (distance - (value + inverse)) - ROOT_REST * SLOPE
    error = residue(inverse, x, x.lift(1.0))
    result = value + multiply_add(distance, v, multiply_add(error, inverse, lost))
    return pick(less(x, LEAST), value, result)


def digamma_tail(x: N) -> N:
    """``log(x) - digamma(x)`` for 2 <= x."""
    inverse = 1.0 / x
    square = inverse * inverse
    return multiply_add(square, polynomial(square, FAR), inverse * 0.5)


def digamma_far(x: N, rest: N) -> Pair[N]:
    """Digamma for 2 <= x, in twice the precision; ``rest`` is what x lacks."""
    high, low = precise_logarithm(x)
    value, lost = fast_two_sum(high, -digamma_tail(x))
    return value, multiply_add(rest, 1.0 / x, lost + low)


def reflect_digamma(x: N, direct: N, direct_rest: N) -> N:
    """``direct - pi / tan(pi x)``, whose terms may cancel."""
    fraction = x - round_to_integer(x)
    distance = absolute(fraction)
    is_tiny, is_steep = less(distance, TINY), greater(distance, 0.25)
    inside = pick(is_tiny, 0.25, pick(is_steep, with_sign(0.5 - distance, fraction), fraction))
    turn, lost = two_product(inside, x.lift(math.pi))
    rest = multiply_add(inside, PI_REST, lost)
    sine, cosine = (
        fast_two_sum(*sine_near(turn, rest, F64)),
        fast_two_sum(*cosine_near(turn, rest, F64)),
    )
    above = [pick(is_steep, s, c) for s, c in zip(sine, cosine, strict=True)]
    below = [pick(is_steep, c, s) for s, c in zip(sine, cosine, strict=True)]
    ratio, rest = quotient_of(above[0], below[0], above[1], below[1])
    product, lost = two_product(ratio, x.lift(math.pi))
    lost = multiply_add(rest, math.pi, multiply_add(ratio, PI_REST, lost))
    total, more = two_sum(direct, -product)
    return pick(is_tiny, direct - 1.0 / fraction, total + ((more - lost) + direct_rest))
