"""Functions of complex numbers of 64-bit parts, computed in double-double arithmetic.

Both parts are accurate to within a rounding, near branch cuts, zeros, poles and at the ends of the
range. Operands are finite; callers handle infinities, NaN and the signs of zeros. A NaN in a result
means that the function has no value there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from stablemate.numerics import complex_math
from stablemate.numerics.array_limits import broadcast_together
from stablemate.numerics.complex_math import Complex, from_parts
from stablemate.numerics.double_doubles import arithmetic as wide
from stablemate.numerics.double_doubles import elementary as wide_math
from stablemate.numerics.double_doubles.arithmetic import DoubleDouble, Doubles, two_product
from stablemate.numerics.elements import Array
from stablemate.numerics.functions.arithmetic import distill

LOST_BY_ANGLE: Final = 2.0**-38  # parts of at most so much of their angle lose more than 2^-55
# Half and double of it have 0.80 and 1.10 of the speed (tanh of 2^16 complex numbers, interpreted,
# an Intel Xeon).
BLOCK: Final = 4096  # elements that are computed at once, so that intermediates stay in the cache


class ComplexParts(NamedTuple):
    """A complex number."""

    real: DoubleDouble
    imag: DoubleDouble


WideFunction: TypeAlias = Callable[..., ComplexParts]


# ---- from a function of pairs to one of arrays


def accurate(function: WideFunction, plain: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays.

    Args:
        function: The function of finite numbers.
        plain: The same function in plain arithmetic: for infinities, NaN and the signs of zeros.
    """

    def of_arrays(*operands: Array) -> Array:
        arrays = broadcast_together(*operands)
        flat = [np.ravel(array) for array in arrays]
        result = np.empty(flat[0].shape, np.complex128)
        for start in range(0, len(result), BLOCK):
            block = [array[start : start + BLOCK] for array in flat]
            result[start : start + BLOCK] = merge_nonfinite(function, block, plain(*block))
        return result.reshape(arrays[0].shape)

    return of_arrays


def merge_nonfinite(function: WideFunction, operands: Sequence[Complex], plain: Complex) -> Complex:
    """The results of a function where operands are finite, the plain ones elsewhere."""
    is_finite = np.logical_and.reduce([np.isfinite(x) for x in operands])
    finite: list[Complex] = [np.where(is_finite, x, 1) for x in operands]
    result = function(
        *(ComplexParts(DoubleDouble.exactly(x.real), DoubleDouble.exactly(x.imag)) for x in finite)
    )
    merged_parts = np.empty_like(plain)
    merged_parts.real = merged_part(result.real, plain.real, is_finite)
    merged_parts.imag = merged_part(result.imag, plain.imag, is_finite)
    return merged_parts


def merged_part(numbers: DoubleDouble, plain: Array, is_finite: Array) -> Array:
    """One part of the results."""
    value = numbers.value
    part: Array = np.where(value == 0, np.copysign(0.0, plain), value)
    return np.where(is_finite & ~np.isnan(part), part, plain)


# ---- arithmetic


def product(x: ComplexParts, y: ComplexParts) -> ComplexParts:
    """``x y``."""
    return ComplexParts(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def quotient(x: ComplexParts, y: ComplexParts) -> ComplexParts:
    """``x / y``."""
    square = y.real * y.real + y.imag * y.imag
    dividend = product(x, ComplexParts(y.real, -y.imag))
    return ComplexParts(dividend.real / square, dividend.imag / square)


# ---- roots


def sqrt(x: ComplexParts) -> ComplexParts:
    """The root with a real part that is not negative."""
    modulus = wide_math.hypot(*x)
    larger = wide.sqrt((modulus + abs(x.real)) * 0.5)
    smaller = x.imag / (larger * 2.0)
    smaller = smaller.where(~larger.is_zero, 0.0)
    signed = (-larger).where(x.imag.is_negative, larger)
    is_left = x.real.is_negative
    return ComplexParts(abs(smaller).where(is_left, larger), signed.where(is_left, smaller))


def rsqrt(x: ComplexParts) -> ComplexParts:
    """``1 / sqrt(x)``: the conjugate of the root, divided by the modulus."""
    modulus, root = wide_math.hypot(*x), sqrt(x)
    return ComplexParts(root.real / modulus, -root.imag / modulus)


def cbrt(x: ComplexParts) -> ComplexParts:
    """The cube root with a third of the argument."""
    modulus = wide_math.cbrt(wide_math.hypot(*x))
    sine, cosine = wide_math.sin_cos(wide_math.atan2(x.imag, x.real) / 3.0)
    return ComplexParts(modulus * cosine, modulus * sine)


# ---- exponentials and logarithms


def exponential(x: ComplexParts) -> ComplexParts:
    """``exp(a) cos(b) + i exp(a) sin(b)``."""
    modulus = wide_math.exp(x.real)
    sine, cosine = wide_math.sin_cos(x.imag)
    return ComplexParts(modulus * cosine, modulus * sine)


def exponential_minus_one(x: ComplexParts) -> ComplexParts:
    """``expm1(a) cos(b) - 2 sin(b / 2)^2 + i exp(a) sin(b)``."""
    excess = wide_math.expm1(x.real)
    sine, cosine = wide_math.sin_cos(x.imag)
    half_sine, _ = wide_math.sin_cos(x.imag * 0.5)
    real = excess * cosine - half_sine * half_sine * 2.0
    return ComplexParts(real, wide_math.exp(x.real) * sine)


def log(x: ComplexParts) -> ComplexParts:
    """``log(abs(x)) + i atan2(b, a)``."""
    return ComplexParts(log_modulus(x), wide_math.atan2(x.imag, x.real))


def log_modulus(x: ComplexParts) -> DoubleDouble:
    """``log(a^2 + b^2) / 2``, by the excess over 1 where that is small."""
    square = x.real * x.real + x.imag * x.imag
    largest = wide.maximum(abs(x.real), abs(x.imag)).value
    is_near = (largest > 0.7) & (largest < 1.25) & (np.abs(square.value - 1) < 0.4)
    return near_or_far(is_near, excess_of_square(x, is_near), square)


def excess_of_square(x: ComplexParts, is_near: Array) -> DoubleDouble:
    """``a^2 + b^2 - 1``, where the larger part is near 1."""
    a, b = (part.where(is_near, 1.0) for part in x)
    pairs = (two_square(a.value), two_square(b.value))
    cross = (a.value * low(a) + b.value * low(b)) * 2.0
    return exact_total([np.full_like(cross, -1.0), *pairs[0], *pairs[1], cross])


def low(x: DoubleDouble) -> Doubles:
    """The low part of a number, beyond 64 bits; zero for operands, not for computed numbers."""
    rest: Doubles = (x - DoubleDouble(x.value)).value
    return rest


def near_or_far(is_near: Array, excess: DoubleDouble, square: DoubleDouble) -> DoubleDouble:
    """``log(square) / 2``, where it is near as ``log1p(excess) / 2``."""
    near = wide_math.log1p(excess.where(is_near, 0.0))
    far = wide_math.log(square.where(~is_near, 4.0))
    return near.where(is_near, far) * 0.5


def log_plus_one(x: ComplexParts) -> ComplexParts:
    """``log(abs(x + 1)) + i atan2(b, a + 1)``, by ``2a + a^2 + b^2`` where that is small."""
    next_real = x.real + 1.0
    square = next_real * next_real + x.imag * x.imag
    is_near = np.abs(square.value - 1) < 0.4
    a, b = (part.where(is_near, 0.0).value for part in x)
    shift = np.where((np.abs(a) < 2.0**-400) & (np.abs(b) < 2.0**-200), 300, 0)
    terms = [
        np.ldexp(a, 2 * shift + 1),
        *two_square(np.ldexp(b, shift)),
        *two_square(np.ldexp(a, shift)),
    ]
    excess = exact_total(terms).scale(-2 * shift)
    return ComplexParts(near_or_far(is_near, excess, square), wide_math.atan2(x.imag, next_real))


def two_square(a: Doubles) -> tuple[Doubles, Doubles]:
    """The rounded square, and the rounding error."""
    return two_product(a, a)


def exact_total(terms: Sequence[Doubles]) -> DoubleDouble:
    """The sum of numbers that may cancel, as if in four times the precision."""
    return DoubleDouble(*distill(terms))


def logistic(x: ComplexParts) -> ComplexParts:
    """``1 / w`` with ``w = 1 + exp(-x)``, of which the real part is a sum without cancellation."""
    excess = wide_math.expm1(-x.real)
    sine, cosine = wide_math.sin_cos(x.imag)
    _, half_cosine = wide_math.sin_cos(x.imag * 0.5)
    real = excess * cosine + half_cosine * half_cosine * 2.0
    imag = wide_math.exp(-x.real) * sine
    square = real * real + imag * imag
    return ComplexParts(real / square, imag / square)


def power(x: ComplexParts, y: ComplexParts) -> ComplexParts:
    """``exp(y log(x))``; angles are counted in quarter turns, which are exact on axes.

    With ``x = r exp(i (q pi / 4 + t))`` and ``y = c + id`` the result has the modulus
    ``exp(c log(r) - d angle)`` and the angle ``c q pi / 4 + (c t + d log(r))``.
    """
    logarithm = log_modulus(x)
    eighths, rest = split_angle(x)
    eighth = DoubleDouble.of(wide_math.PI) * 0.25
    exponents = y.real * logarithm, -(y.imag * (eighth * eighths + rest))
    modulus = wide_math.exp(exponents[0] + exponents[1])
    turns = DoubleDouble(np.fmod(y.real.value, 8.0)) * eighths
    quarters = np.rint(turns.value / 2)
    fraction = turns - DoubleDouble(2 * quarters)
    angles = y.real * rest, y.imag * logarithm
    sine, cosine = wide_math.sin_cos(fraction * eighth + angles[0] + angles[1])
    count = quarters.astype(np.int64) % 4
    real = cosine.where(count == 0, (-sine).where(count == 1, (-cosine).where(count == 2, sine)))
    imag = sine.where(count == 0, cosine.where(count == 1, (-sine).where(count == 2, -cosine)))
    size = np.sum([np.abs(term.value) for term in (*exponents, *angles)], 0)
    return with_hard_powers(x, y, ComplexParts(modulus * real, modulus * imag), size)


def with_hard_powers(
    x: ComplexParts, y: ComplexParts, result: ComplexParts, size: Array
) -> ComplexParts:
    """The powers, computed in many digits where a part is small beside the error of its angle.

    Args:
        x: The bases.
        y: The exponents.
        result: The powers.
        size: The sum of the magnitudes of the terms whose errors they have.
    """
    parts = [np.abs(part.value) for part in result]
    smaller, larger = np.minimum(*parts), np.maximum(*parts)
    is_hard = (smaller < larger * (size * LOST_BY_ANGLE)) & (smaller > 0) & (larger < np.inf)
    is_hard |= (size * LOST_BY_ANGLE > 1) & (larger > 0) & (larger < np.inf)
    if not np.any(is_hard):
        return result
    from stablemate.numerics.correct_rounding.complex_powers import powers

    base, exponent = (from_parts(z.real.value, z.imag.value)[is_hard] for z in (x, y))
    exact = np.zeros(is_hard.shape, np.complex128)
    exact[is_hard] = powers(base, exponent)
    real, imag = DoubleDouble.exactly(exact.real), DoubleDouble.exactly(exact.imag)
    return ComplexParts(real.where(is_hard, result.real), imag.where(is_hard, result.imag))


def split_angle(x: ComplexParts) -> tuple[DoubleDouble, DoubleDouble]:
    """The angle as a number of eighths of a half turn, and a rest: zero on axes and diagonals."""
    a, b = x.real, x.imag
    distance = (abs(a) - abs(b)).high
    is_flat = distance >= 0
    sign_a, sign_b = np.copysign(1.0, a.high), np.copysign(1.0, b.high)
    along = abs(a).where(is_flat, abs(b))
    across = (b * DoubleDouble(sign_a)).where(is_flat, a * DoubleDouble(-sign_b))
    base = np.where(is_flat, np.where(sign_a > 0, 0.0, 4.0 * sign_b), 2.0 * sign_b)
    is_diagonal = distance == 0
    eighths = np.where(is_diagonal, base + np.copysign(1.0, across.high), base)
    rest = wide_math.atan2(across.where(~is_diagonal, 0.0), along)
    return DoubleDouble(eighths), rest


# ---- circular and hyperbolic functions


def hyperbolic(x: DoubleDouble) -> tuple[DoubleDouble, DoubleDouble]:
    """The hyperbolic sine and cosine."""
    excess = wide_math.expm1(abs(x))
    exponential = excess + 1.0
    sine = (excess + excess / exponential) * 0.5
    return sine.where(x.high >= 0, -sine), (exponential + 1.0 / exponential) * 0.5


def sine(x: ComplexParts) -> ComplexParts:
    """``sin(a) cosh(b) + i cos(a) sinh(b)``."""
    sine_of, cosine_of = wide_math.sin_cos(x.real)
    sinh, cosh = hyperbolic(x.imag)
    return ComplexParts(sine_of * cosh, cosine_of * sinh)


def cosine(x: ComplexParts) -> ComplexParts:
    """``cos(a) cosh(b) - i sin(a) sinh(b)``."""
    sine_of, cosine_of = wide_math.sin_cos(x.real)
    sinh, cosh = hyperbolic(x.imag)
    return ComplexParts(cosine_of * cosh, -(sine_of * sinh))


def tanh(x: ComplexParts) -> ComplexParts:
    """``(sinh(a) cosh(a) + i sin(b) cos(b)) / (sinh(a)^2 + cos(b)^2)``."""
    sine_of, cosine_of = wide_math.sin_cos(x.imag)
    sinh, cosh = hyperbolic(x.real)
    divisor = sinh * sinh + cosine_of * cosine_of
    return ComplexParts(sinh * cosh / divisor, sine_of * cosine_of / divisor)


def tan(x: ComplexParts) -> ComplexParts:
    """``-i tanh(ix)``."""
    result = tanh(ComplexParts(-x.imag, x.real))
    return ComplexParts(result.imag, -result.real)


def atan2(x: ComplexParts, y: ComplexParts) -> ComplexParts:
    """``-i log(w)`` with ``w = u / sqrt(x^2 + y^2)`` and ``u = y + ix``, without cancellation.

    With ``v = y - ix`` the number ``w^2`` is ``u / v``: ``abs(w)^2`` is ``abs(u) / abs(v)``, and
    the angle of w is half that of ``u / v``, or a half turn away.
    """
    (a, b), (c, d) = x, y
    upper, lower = ComplexParts(c - b, d + a), ComplexParts(c + b, d - a)
    square_of_upper, square_of_lower = (z.real * z.real + z.imag * z.imag for z in (upper, lower))
    ratio = (a * d - b * c) * 4.0 / square_of_lower
    is_near = np.abs(ratio.value) < 0.4
    near = wide_math.log1p(ratio.where(is_near, 0.0))
    quotient_of_squares = (square_of_upper / square_of_lower).where(~is_near, 4.0)
    imag = near.where(is_near, wide_math.log(quotient_of_squares)) * -0.25
    along = upper.real * lower.real + upper.imag * lower.imag
    half = wide_math.atan2((a * c + b * d) * 2.0, along) * 0.5
    turns = np.where(is_principal(x, y, upper, half.value), 0.0, -np.copysign(1.0, half.high))
    on_cut = half.is_zero  # on the cut or opposite to it
    parts_on_cut = ([part.value[on_cut] for part in z] for z in (x, y))
    turns[on_cut] = np.copysign(turns[on_cut], side_of_cut(*parts_on_cut))
    real = half + DoubleDouble(turns) * DoubleDouble.of(wide_math.PI)
    is_pole = square_of_upper.is_zero | square_of_lower.is_zero
    undefined = DoubleDouble(np.nan)
    return ComplexParts(real.where(~is_pole, undefined), imag.where(~is_pole, undefined))


def side_of_cut(x: Sequence[Array], y: Sequence[Array]) -> Array:
    """A number with the sign of an angle on the cut: that of the formula if a part is zero."""
    plain = complex_math.atan2(from_parts(x[0], x[1]), from_parts(y[0], y[1])).real
    is_signed = (np.min(np.abs([*x, *y]), 0) == 0) & ~np.isnan(plain)
    return np.where(is_signed, plain, 1.0)


def is_principal(x: ComplexParts, y: ComplexParts, upper: ComplexParts, angle: Doubles) -> Array:
    """Whether numbers of an angle are ``upper / sqrt(s)`` with ``s = x^2 + y^2``, not opposite.

    ``upper`` turned back by the angle is then the root, whose real part is not negative, and whose
    imaginary part has the sign of that of s. The larger part decides.

    Args:
        x: The first operand.
        y: The second operand.
        upper: ``y + ix``.
        angle: The angle.
    """
    most = np.maximum(np.maximum(*(part.exponent for part in upper)), -(1 << 30))
    real, imag = (part.scale(-most).value for part in upper)
    cosine_of, sine_of = np.cos(angle), np.sin(angle)
    along, height = real * cosine_of + imag * sine_of, imag * cosine_of - real * sine_of
    across = x.real * x.imag + y.real * y.imag
    zero = 0.0 * x.real.high * x.imag.high + 0.0 * y.real.high * y.imag.high
    side = np.where(across.is_zero, zero, across.high)  # a zero's sign selects the side of the cut
    agrees = np.signbit(side) == np.signbit(height)
    return np.asarray(np.where(np.abs(along) > np.abs(height), along > 0, agrees))


COMPLEX_FUNCTIONS: Final[Mapping[str, WideFunction]] = {
    function.__name__: function
    for function in (
        *(atan2, cbrt, cosine, exponential, exponential_minus_one, log, log_plus_one),
        *(logistic, power, rsqrt, sine, sqrt, tan, tanh),
    )
}
