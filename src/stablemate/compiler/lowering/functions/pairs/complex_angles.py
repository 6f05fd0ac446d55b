"""``atan2`` of complex numbers whose parts are any ``f64``, in double-double arithmetic."""

from __future__ import annotations

from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions import complex_doubles as doubles
from stablemate.compiler.lowering.functions import complex_functions as plain
from stablemate.compiler.lowering.functions import complex_powers
from stablemate.compiler.lowering.functions.angles import cosine, sine
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.functions.pairs import arithmetic as pairs
from stablemate.compiler.lowering.functions.pairs import functions as series
from stablemate.compiler.lowering.functions.pairs.arithmetic import Scaled
from stablemate.numerics.functions.arithmetic import (
    absolute,
    equal,
    greater,
    less,
    pick,
    rarely,
    with_sign,
)

DOUBLES: Final = complex_powers.ComplexArithmetic(
    doubles.square_root, doubles.logarithm_of, plain.divide_scaled
)
SMALL: Final = -110  # log(1 + r) of an r with a smaller exponent is r
FOLDED: Final = 400  # exponents up to this one are those of a normal number


class ComplexPoint(NamedTuple):
    """A complex number."""

    real: Scaled
    imag: Scaled


def angle(x: Complex, y: Complex) -> Complex:
    """``-i log(w)`` with ``w = (y + ix) / sqrt(x^2 + y^2)``.

    With ``u = y + ix`` and ``v = y - ix`` the number ``w^2`` is ``u / v``. So ``abs(w)^2`` is
    ``abs(u) / abs(v)``, and the angle of w is half that of ``u / v``, or a half turn away.
    """
    first, second = point(x), point(y)
    upper = ComplexPoint(difference(second.real, first.imag), total(second.imag, first.real))
    lower = ComplexPoint(total(second.real, first.imag), difference(second.imag, first.real))
    (a, b), (c, d) = near_one(x, y)
    plainly = complex_powers.by_logarithm((a, b), (c, d), DOUBLES)
    imag = height(first, second, upper, lower)
    along = total(pairs.product(upper.real, lower.real), pairs.product(upper.imag, lower.imag))
    across = scale_by_power(dot(first, second), 1)
    half = scale_by_power(series.angle_of(series.direction_of(across, along)), -1)
    rough = pairs.pair_of(half, 1)[0]
    is_valid = is_principal(x, y, upper, rough, total(*products_of_parts(first, second)))
    one = complex_powers.one_like(x[0])
    is_signed = complex_powers.is_on_axis(x, y) & equal(plainly[0], plainly[0])
    on_cut = pick(is_signed, with_sign(one, plainly[0]), one)
    sign = rarely(equal(half.pair[0], 0.0), on_cut, with_sign(one, -half.pair[0]))
    turn = half_turns_to_angle(pick(is_valid, 0.0, sign))
    real = pairs.sum_of_scaled(half, turn)
    result = pairs.value_of(real.pair, real.exponent), imag
    products = a * c, -(b * d), a * d, b * c
    return complex_powers.ends_of_angle(x, y, result, plainly, products)


def near_one(x: Complex, y: Complex) -> tuple[Complex, Complex]:
    """Finite numbers times a power of two, so that the largest part is near 1."""
    most = absolute(x[0])
    for part in (x[1], *y):
        most = pick(less(most, absolute(part)), absolute(part), most)
    exponent = pairs.larger(pairs.smaller(pairs.normalize(most).exponent, 1000), -1000)
    is_finite = plain.is_finite(x) & plain.is_finite(y)
    scale = pick(is_finite, pairs.two_to(0 - exponent), 1.0)
    return (x[0] * scale, x[1] * scale), (y[0] * scale, y[1] * scale)


def height(
    x: ComplexPoint, y: ComplexPoint, upper: ComplexPoint, lower: ComplexPoint
) -> Expression:
    """``-log(abs(upper)^2 / abs(lower)^2) / 4``, near 1 by ``4 (ad - bc) / abs(lower)^2``."""
    below = square_of(lower)
    ratio = pairs.quotient(square_of(upper), below)
    cross = difference(pairs.product(x.real, y.imag), pairs.product(x.imag, y.real))
    excess = pairs.quotient(scale_by_power(cross, 2), below)
    table = ratio.exponent.table
    bounded = pairs.larger(pairs.smaller(ratio.exponent, FOLDED), -FOLDED)
    doublings = table.convert("sitofp", ratio.exponent - bounded, "f64")
    number = pairs.times(ratio.pair, pairs.two_to(bounded))
    log = series.logarithm(number, pairs.pair_of(excess, 10), doublings)
    is_small = table.apply("slt", excess.exponent, table.like(excess.exponent, SMALL))
    pair = pairs.negative(pairs.select_pair(is_small, excess.pair, log))
    return pairs.value_of(pair, pick(is_small, excess.exponent, bounded * 0) - 2)


def is_principal(
    x: Complex, y: Complex, upper: ComplexPoint, angle: Expression, across: Scaled
) -> Expression:
    """Whether a number of an angle is ``upper / sqrt(s)`` with ``s = x^2 + y^2``, not opposite.

    ``upper`` turned back by the angle is then the root, whose real part is not negative, and whose
    imaginary part has the sign of that of s. The larger part decides.

    Args:
        x: The first operand.
        y: The second operand.
        upper: ``y + ix``.
        angle: The angle.
        across: Half the imaginary part of s.
    """
    most = pairs.larger(upper.real.exponent, upper.imag.exponent)
    real, imag = (
        part.pair[0] * pairs.two_to(pairs.larger(part.exponent - most, -500)) for part in upper
    )
    cos, sin = cosine(angle), sine(angle)
    along, height = real * cos + imag * sin, imag * cos - real * sin
    zero = x[0] * 0.0 * x[1] + y[0] * 0.0 * y[1]  # its sign chooses the side of the cut
    side = pick(equal(across.pair[0], 0.0), zero, across.pair[0])
    one = complex_powers.one_like(angle)
    agrees = with_sign(one, side) * with_sign(one, height)
    return greater(pick(greater(absolute(along), absolute(height)), along, agrees), 0.0)


def half_turns_to_angle(turns: Expression) -> Scaled:
    """Half turns as an angle."""
    high, low = pairs.constant(series.half_turn())
    return Scaled((turns * high, turns * low), pairs.normalize(turns).exponent * 0)


def point(x: Complex) -> ComplexPoint:
    """A complex number of scaled parts."""
    return ComplexPoint(pairs.normalize(x[0]), pairs.normalize(x[1]))


def total(x: Scaled, y: Scaled) -> Scaled:
    """Adds two scaled pairs and normalizes the sum."""
    return pairs.normalized_again(pairs.sum_of_scaled(x, y))


def difference(x: Scaled, y: Scaled) -> Scaled:
    """Subtracts two scaled pairs and normalizes the difference."""
    return total(x, pairs.opposite(y))


def scale_by_power(x: Scaled, times: int) -> Scaled:
    """The product with a power of two."""
    return x._replace(exponent=x.exponent + times)


def dot(x: ComplexPoint, y: ComplexPoint) -> Scaled:
    """``ac + bd``."""
    return total(pairs.product(x.real, y.real), pairs.product(x.imag, y.imag))


def products_of_parts(x: ComplexPoint, y: ComplexPoint) -> tuple[Scaled, Scaled]:
    """Each number's product of its real part with its imaginary part."""
    return pairs.product(x.real, x.imag), pairs.product(y.real, y.imag)


def square_of(x: ComplexPoint) -> Scaled:
    """The square of the modulus."""
    return total(pairs.product(x.real, x.real), pairs.product(x.imag, x.imag))
