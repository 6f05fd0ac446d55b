"""Functions of complex numbers whose parts are any ``f64``, in double-double arithmetic.

Modulus and angle, and sums whose terms cancel, have an error of about 2^-98. Infinities, NaN and
the signs of zeros are those of ``complex_functions`` and ``complex_powers``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions import complex_functions as plain
from stablemate.compiler.lowering.functions import complex_powers
from stablemate.compiler.lowering.functions.angles import Angle, is_odd
from stablemate.compiler.lowering.functions.arithmetic import Pair
from stablemate.compiler.lowering.functions.complex_doubles import logarithm_of
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.functions.pairs import arithmetic as pairs
from stablemate.compiler.lowering.functions.pairs import functions as series
from stablemate.compiler.lowering.functions.pairs.arithmetic import Scaled, exact
from stablemate.compiler.lowering.functions.pairs.refined_powers import (
    Logarithm,
    Polar,
    refine_logarithm,
)
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    equal,
    greater,
    less,
    pick,
    rarely,
    round_to_integer,
    two_product,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

FAR: Final = 3000.0  # exponentials of what is beyond are zero or infinite, whatever multiplies them
SMALL: Final = 2.0**-16  # of one part to the other, below which the usual method is inaccurate
LARGE: Final = 2.0**20  # of an angle, above which the usual method is inaccurate
TINY: Final = -200  # the sine of an angle with a smaller exponent is the angle


def power(x: Complex, y: Complex) -> Complex:
    """``exp(y log(x))``."""
    usual = power_of_finite(x, y, refines=True)
    return complex_powers.with_ends_of_power(x, y, usual, logarithm_of)


def power_of_singles(x: Complex, y: Complex) -> Complex:
    """The same of parts that came from ``f32``: in plain arithmetic where that is accurate.

    It is not where an angle is large, or a part of the result is small beside the other.
    """
    usual = complex_powers.by_quarters(x, y)
    real, imag = (absolute(part) for part in usual)
    smaller = pick(less(real, imag), real, imag)
    larger = pick(less(real, imag), imag, real)
    angle = absolute(y[0]) + absolute(y[1]) * absolute(plain.log_of_modulus(x))
    is_small = less(smaller, larger * SMALL) & greater(smaller, 0.0)
    is_hard = is_small | greater(angle, LARGE)
    hard = power_of_finite(x, y)
    values = (rarely(is_hard, *both) for both in zip(hard, usual, strict=True))
    return complex_powers.with_ends_of_power(x, y, (next(values), next(values)), plain.logarithm)


def power_of_finite(x: Complex, y: Complex, *, refines: bool = False) -> Complex:
    """A power of finite numbers, the base not zero.

    With ``x = r exp(i t)`` and ``y = c + id`` it has the modulus ``exp(c log(r) - d t)`` and the
    angle ``c t + d log(r)``. Of t, eighths of a turn are counted exactly.

    Args:
        x: The base.
        y: The exponent.
        refines: Whether what is not accurate in twice the precision is computed in more.
    """
    (a, b), (c, d) = x, y
    base = Polar(series.log_of_modulus(a, b), series.direction(b, a))
    real, imag = pairs.normalize(c), pairs.normalize(d)
    across = pairs.product(imag, series.angle_of(base.direction))
    height = pairs.sum_of_scaled(pairs.product(real, base.log), pairs.opposite(across))
    quarters, fraction = turns_of(c, base.direction.eighths)
    terms = pairs.product(real, base.direction.rest), pairs.product(imag, base.log)
    angle = pairs.sum_of_scaled(fraction, pairs.sum_of_scaled(*terms))
    is_zero = equal(angle.pair[0], 0.0)
    sign = sign_of_zero(x, y, base.direction, base.log)
    angle = angle._replace(pair=(pick(is_zero, sign, angle.pair[0]), angle.pair[1]))
    logarithm = Logarithm(height, angle, turned_by(angle, quarters))
    if refines:
        is_exact = equal(fraction.pair[0], 0.0)
        for term in terms:
            is_exact = is_exact & equal(term.pair[0], 0.0)
        logarithm = refine_logarithm(x, y, base, logarithm, is_exact)
    count = logarithm.turned.quarters
    return complex_powers.zeros_of_diagonals(x, y, is_zero, count, exponential(logarithm))


def turns_of(c: Expression, eighths: Expression) -> tuple[Expression, Scaled]:
    """``c eighths`` as quarter turns, modulo 4, and an angle of at most an eighth turn."""
    within = c - round_to_integer(c * 0.125) * 8.0
    turns, rest = two_product(within, eighths)
    quarters = round_to_integer(turns * 0.5)
    high, low = pairs.constant(series.half_turn() / 4)
    eighth = c.table.like(c, high), c.table.like(c, low)
    fraction = pairs.normalize(*pairs.add(exact(turns - quarters * 2.0), exact(rest)))
    return quarters, Scaled(pairs.multiply(fraction.pair, eighth), fraction.exponent)


def sign_of_zero(x: Complex, y: Complex, direction: series.PointAngle, log: Scaled) -> Expression:
    """A number with the sign that an angle has if it is zero."""
    (a, b), (c, d) = x, y
    size = pairs.pair_of(log, 1000)[0]
    rest = direction.rest.pair[0]
    angle = pick(equal(direction.eighths, 0.0), rest, with_sign(direction.eighths, b))
    whole = c * angle + d * size
    part = pick(equal(d, 0.0), c * rest, c * rest + d * size)
    return with_sign(a * 0.0, pick(equal(whole, 0.0), whole, part))


def modulus(x: Scaled) -> Scaled:
    """``exp(x)``."""
    high, low = pairs.pair_of(x, 1000)
    is_far = greater(absolute(high), FAR)
    inside = at_most(at_least(high, -FAR), FAR)
    return series.size_of(series.exponential((inside, pick(is_far, 0.0, low)), series.FINE))


def turned_by(angle: Scaled, quarters: Expression) -> Angle:
    """An angle and further quarter turns, in quarter turns and a rest."""
    turned = series.reduced_pair(pairs.pair_of(angle, 1000))
    return turned._replace(quarters=turned.quarters + bits_of(quarters + F64.rounder))


def exponential(x: Logarithm) -> Complex:
    """The number of a logarithm."""
    size, angle = modulus(x.height), x.angle
    values = series.circular(x.turned, series.FINE)
    table = x.turned.r.table
    is_tiny = table.apply("slt", angle.exponent, table.like(angle.exponent, TINY))
    sine = pairs.select_pair(is_tiny, angle.pair, values.sine)
    lift = pick(is_tiny, angle.exponent, angle.exponent * 0)
    cosine = pairs.add(exact(table.like(x.turned.r, 1.0)), pairs.negative(values.versine))
    along = pairs.value_of(pairs.multiply(size.pair, cosine), size.exponent)
    across = pairs.value_of(product_with_zero(size.pair, sine), size.exponent + lift)
    return complex_powers.quarters_further((along, across), x.turned.quarters)


def product_with_zero(x: Pair, y: Pair) -> Pair:
    """The product; zeros keep the sign of the second factor."""
    high, low = pairs.multiply(x, y)
    return pick(equal(y[0], 0.0), y[0], high), low


def cubic_root(x: Complex) -> Complex:
    """The cubic root with a third of the argument."""
    a, b = x
    third = tuple([a.table.like(a, part) for part in pairs.constant(Fraction(1, 3))])
    log, angle = series.log_of_modulus(a, b), series.angle_of(series.direction(b, a))
    log, angle = (
        Scaled(pairs.multiply(part.pair, (third[0], third[1])), part.exponent)
        for part in (log, angle)
    )
    usual = exponential(Logarithm(log, angle, turned_by(angle, a * 0.0)))
    is_usual = plain.is_finite(x) & complex_powers.opposite(equal(a, 0.0) & equal(b, 0.0))
    limit = complex_powers.cubic_root(x)
    real, imag = (
        rarely(complex_powers.opposite(is_usual), *both) for both in zip(limit, usual, strict=True)
    )
    return real, pick(equal(imag, 0.0), with_sign(imag, b), imag)


# ---- exponentials


def exponential_minus_one(x: Complex) -> Complex:
    """``expm1(a) cos(b) - (1 - cos(b)) + exp(a) sin(b) i``."""
    a, b = x
    angle = series.reduced_pair(exact(b))
    sine, cosine, versine = around(angle)
    power = series.exponential(exact(at_most(at_least(a, -FAR), FAR)), series.EXPONENTIAL_WIDE)
    size, excess = series.size_of(power), series.less_one(power)
    near = pairs.add(pairs.multiply(excess.pair, cosine), pairs.negative(versine))
    far = pairs.value_of(pairs.multiply(size.pair, cosine), size.exponent)
    real = pick(greater(power.n, 128.0), far, near[0] + near[1]) + 0.0
    is_tiny, tiny = less(absolute(b), 2.0**TINY), pairs.normalize(b)
    sine = pairs.select_pair(is_tiny, tiny.pair, sine)
    lift = pick(is_tiny, tiny.exponent, tiny.exponent * 0)
    imag = pairs.value_of(product_with_zero(size.pair, sine), size.exponent + lift)
    return plain.ends_of_exponential_minus_one(x, (real, imag))


def around(angle: Angle) -> tuple[Pair, Pair, Pair]:
    """Sine, cosine and versine of an angle."""
    values = series.circular(angle, series.CIRCULAR_WIDE)
    one = angle.r.table.like(angle.r, 1.0)
    cosine = pairs.add(exact(one), pairs.negative(values.versine))
    odd = is_odd(angle.quarters)
    first = pairs.select_pair(odd, cosine, values.sine)
    second = pairs.select_pair(odd, pairs.negative(values.sine), cosine)
    is_turned = complex_powers.is_set(angle.quarters, 2)
    sign = pick(is_turned, -one, one)
    first, second = pairs.times(first, sign), pairs.times(second, sign)
    plainly = complex_powers.opposite(odd | is_turned)
    versine = pairs.add(exact(one), pairs.negative(second))
    return first, second, pairs.select_pair(plainly, values.versine, versine)


def logistic(x: Complex) -> Complex:
    """``1 / w`` with ``w = exp(-a) cos(b) + 1 - exp(-a) sin(b) i``.

    Its real part is ``expm1(-a) cos(b) + (1 + cos(b))``, of which small terms do not cancel; if
    exp(-a) is huge, the result is ``exp(a) (cos(b) + sin(b) i)``.
    """
    a, b = x
    angle = series.reduced_pair(exact(b))
    sine, cosine, _ = around(angle)
    _, _, other = around(angle._replace(quarters=angle.quarters + 2))  # 1 + cos(b)
    power = series.exponential(exact(-at_most(at_least(a, -FAR), FAR)), series.EXPONENTIAL_WIDE)
    size, excess = series.size_of(power), series.less_one(power)
    is_tiny, tiny = less(absolute(b), 2.0**TINY), pairs.normalize(b)
    sine = pairs.select_pair(is_tiny, tiny.pair, sine)
    lift = pick(is_tiny, tiny.exponent, tiny.exponent * 0)
    above, across = (
        pairs.add(pairs.multiply(excess.pair, cosine), other),
        pairs.multiply(size.pair, sine),
    )
    exponent = pairs.larger(pairs.smaller(size.exponent, 128), -400)
    height = pairs.times(across, pairs.two_to(pairs.larger(exponent + lift, -500)))
    square = pairs.add(pairs.multiply(above, above), pairs.multiply(height, height))
    is_large = greater(power.n, 127.0)
    one = exact(a.table.like(a, 1.0))
    inverse = pairs.divide(one, size.pair)
    real, _ = pairs.divide(above, square)
    real = pick(is_large, pairs.value_of(pairs.multiply(inverse, cosine), 0 - size.exponent), real)
    divisor = pairs.select_pair(is_large, one, square)
    quotient = pairs.divide(
        pairs.select_pair(is_large, pairs.multiply(inverse, sine), across), divisor
    )
    turns = pick(is_large, 0 - size.exponent, size.exponent)
    imag = pairs.value_of(quotient, turns + lift)
    is_open = complex_powers.opposite(plain.is_finite(x))
    limit = complex_powers.logistic(x)
    real, imag = rarely(is_open, limit[0], real), rarely(is_open, limit[1], imag)
    return complex_powers.zeros_of_logistic(x, (real, imag))
