"""Arc functions and inverse hyperbolic functions of complex numbers.

With ``d = 1 - x^2 - y^2`` and ``asin(x + iy) = u + iv``, ``cos(u) + i sinh(v)`` is the square root
of ``d + 2iy``: neither part cancels, near branch points and cuts too. On a cut the sign of zero
decides which side is meant. What sums, products and roots lose is carried along. Special values are
those of C23, Annex G.

Source: W. Kahan, "Branch cuts for complex elementary functions", 1987.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions.arithmetic import two_product, two_sum
from stablemate.transforms.chlo.arithmetic import (
    atan2,
    complex_of,
    is_finite,
    is_negative,
    log1p,
    maximum,
    minimum,
    real_and_imaginary,
    sqrt,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import (
    Pair,
    pair,
    product_of,
    quotient_of,
    root_of,
    select_pair,
    sum_of,
)

# Beyond these magnitudes z^2 + 1 is z^2, in 32 and in 64 bits; squares do not overflow below.
LARGE: Final = {False: 2.0**30, True: 2.0**60}
# Distances from 1 below these come from exactly 1.
CLOSE: Final = {False: 2.0**-24, True: 2.0**-53}
# Distances from 1 of which squares do not underflow.
SQUARED: Final = {False: 2.0**-60, True: 2.0**-500}
# Beyond these magnitudes squares are computed of numbers times these powers of two.
HUGE: Final = {False: (2.0**55, 2.0**-70), True: (2.0**490, 2.0**-600)}
# What products and quotients below these lose is not computed exactly.
TINY: Final = {False: 2.0**-100, True: 2.0**-960}


def asin(z: TensorExpression) -> TensorExpression:
    """Computes the complex arc sine by the angle and height of the kernel."""
    x, y = real_and_imaginary(z)
    width, height = kernel(x, y)
    return complex_of(angle(x, width), with_sign_bit_of(y, height))


def acos(z: TensorExpression) -> TensorExpression:
    """Computes the complex arc cosine by the angle and height of the kernel."""
    x, y = real_and_imaginary(z)
    width, height = kernel(x, y)
    return complex_of(complementary_angle(x, width), with_sign_bit_of(-y, height))


def asinh(z: TensorExpression) -> TensorExpression:
    """``asinh(z) = -i asin(iz)``."""
    x, y = real_and_imaginary(z)
    width, height = kernel(y, x)
    return complex_of(with_sign_bit_of(x, height), angle(y, width))


def acosh(z: TensorExpression) -> TensorExpression:
    """``acosh(z) = i acos(z)`` or ``-i acos(z)``, with a real part that is not negative."""
    x, y = real_and_imaginary(z)
    width, height = kernel(x, y)
    return complex_of(height, with_sign_bit_of(y, complementary_angle(x, width)))


def angle(x: TensorExpression, width: Pair) -> TensorExpression:
    """The angle of the point ``(width, x)``; the rest turns it by ``x / |point|^2`` times that."""
    return atan2(x, width.value) - rotation_of_rest(x, width)


def complementary_angle(x: TensorExpression, width: Pair) -> TensorExpression:
    """The angle of the point ``(x, width)``."""
    return atan2(width.value, x) + rotation_of_rest(x, width)


def rotation_of_rest(x: TensorExpression, width: Pair) -> TensorExpression:
    """By how much the rest turns the point."""
    turn = x * (width.rest / (x * x + width.value * width.value))
    return where(is_finite(turn) & turn.differs(0.0), turn, 0.0)


def asin_acos_kernel(z: TensorExpression) -> TensorExpression:
    """Both results of the kernel, as one complex number."""
    width, height = kernel(*real_and_imaginary(z))
    return complex_of(width.value, height)


def with_sign_bit_of(x: TensorExpression, magnitude: TensorExpression) -> TensorExpression:
    """The magnitude, negative where x is negative or -0."""
    return where(is_negative(x), -magnitude, magnitude)


def kernel(
    real_part: TensorExpression, imaginary_part: TensorExpression
) -> tuple[Pair, TensorExpression]:
    """The intermediate values of the arc sine of ``x + iy``, for the magnitudes x and y.

    The number that makes with x the angle that is the real part: ``cos(u) cosh(v)``; and the
    imaginary part ``v = log1p(sinh(v) + cosh(v) - 1)``.
    """
    x, y = abs(real_part), abs(imaginary_part)
    largest = maximum(x, y)
    is_large = largest > LARGE[x.is_double]
    near = where(is_large, 0.0, y)
    cosine, sine = parts_of_root(where(is_large, 0.0, x), near)
    top = root_of(sum_of(pair(x.constant(1.0)), product_of(sine, sine)))
    # cos(u) is y / sinh(v), which may be tiny.
    steep = product_of_tiny(quotient_of(top, sine), pair(near))
    width = select_pair(cosine.value < sine.value, steep, product_of_tiny(cosine, top))
    width = select_pair(is_large, pair(y), width)
    above, rest = two_sum(sine.value, top.value - 1.0)
    correction = (rest + (top.rest + sine.rest)) / (1.0 + above)
    ratio = where(x.equals(y), 1.0, minimum(x, y) / largest)
    stretch = math.log(2.0) + 0.5 * log1p(ratio * ratio)
    height = log1p(where(is_large, largest, above)) + where(is_large, stretch, correction)
    return width, where(is_far(x, y), math.inf, height)


def is_far(x: TensorExpression, y: TensorExpression) -> TensorExpression:
    """Whether one of two magnitudes is infinite, even if the other is NaN."""
    return x.equals(math.inf) | y.equals(math.inf)


def above_circle(x: TensorExpression, y: TensorExpression) -> Pair:
    """``(1 - x) (1 + x) - y^2``."""
    one = x.constant(1.0)
    left = product_of(Pair(*two_sum(one, -x)), Pair(*two_sum(one, x)))
    square, rest = two_product(y, y)
    difference = sum_of(left, Pair(-square, -rest))
    return Pair(*two_sum(difference.value, difference.rest))


def parts_of_root(x: TensorExpression, y: TensorExpression) -> tuple[Pair, Pair]:
    """Real and imaginary part of the square root of ``1 - x^2 - y^2 + 2iy``.

    The modulus is nearly ``2y`` where x is 1 and y is far below it.
    """
    d, double = above_circle(x, y), 2.0 * y
    is_close = maximum(abs(d.value), double) < CLOSE[x.is_double]
    square = sum_of(product_of(d, d), Pair(*two_product(double, double)))
    modulus = root_of(select_pair(is_close, pair(x.constant(1.0)), square))
    modulus = select_pair(is_close, pair(double), modulus)
    is_outside = d.value < 0.0
    magnitude = Pair(where(is_outside, -d.value, d.value), where(is_outside, -d.rest, d.rest))
    total = sum_of(modulus, magnitude)
    larger = root_of_tiny(Pair(0.5 * total.value, 0.5 * total.rest))
    smaller = quotient_of_tiny(y, larger)
    return select_pair(is_outside, smaller, larger), select_pair(is_outside, larger, smaller)


def root_of_tiny(x: Pair) -> Pair:
    """A root; zero is its own, and what that of tiny numbers lacks is left out."""
    is_plain = x.value > TINY[x.value.is_double]
    root = root_of(select_pair(is_plain, x, pair(x.value.constant(1.0))))
    return select_pair(is_plain, root, pair(sqrt(x.value)))


def quotient_of_tiny(x: TensorExpression, y: Pair) -> Pair:
    """A quotient; zero by zero is zero, and what tiny ones lack is left out."""
    is_plain = x > TINY[x.is_double]
    quotient = quotient_of(pair(x), y)
    value = where(y.value.equals(0.0), 0.0, quotient.value - quotient.value * (y.rest / y.value))
    return Pair(where(is_plain, quotient.value, value), where(is_plain, quotient.rest, 0.0))


def product_of_tiny(x: Pair, y: Pair) -> Pair:
    """A product; what tiny ones lack is left out."""
    product, rest = product_of(x, y)
    is_plain = product > TINY[product.is_double]
    return Pair(product, where(is_plain, rest, x.rest * y.value + x.value * y.rest))


def atanh(z: TensorExpression) -> TensorExpression:
    """Computes the complex inverse hyperbolic tangent from both parts."""
    x, y = real_and_imaginary(z)
    return complex_of(with_sign_bit_of(x, area_tangent(abs(x), abs(y))), half_angle(abs(x), y))


def atan(z: TensorExpression) -> TensorExpression:
    """``atan(z) = -i atanh(iz)``."""
    x, y = real_and_imaginary(z)
    return complex_of(half_angle(abs(y), x), with_sign_bit_of(y, area_tangent(abs(y), abs(x))))


def area_tangent(x: TensorExpression, y: TensorExpression) -> TensorExpression:
    """The real part of ``atanh(x + iy)`` for positive x and y: ``log1p(4x / |z - 1|^2) / 4``.

    Far out it is that of ``1 / z``.
    """
    largest, distance = maximum(x, y), maximum(abs(1.0 - x), y)
    is_large, is_close = largest > LARGE[x.is_double], distance < SQUARED[x.is_double]
    huge, down = HUGE[x.is_double]
    scale = where(largest > huge, x.constant(down), 1.0)
    near_x, near_y = x * scale, y * scale
    difference = Pair(*two_sum(where(is_large, x.constant(0.0), 1.0), -near_x))
    square = sum_of(product_of(difference, difference), Pair(*two_product(near_y, near_y)))
    quotient, rest = quotient_of(pair(4.0 * near_x), square)
    rest_of_tiny = -quotient * (square.rest / square.value)
    rest = where(quotient > TINY[x.is_double], rest, rest_of_tiny)
    rest = where(is_large, rest, rest / (1.0 + quotient))
    rest = where(is_finite(rest) & ~is_close, rest, 0.0)
    factor = where(is_close, scale, 0.25 * scale)
    logarithm = log1p(where(is_close, math.sqrt(2.0) / sqrt(distance), quotient))
    result = factor * (where(is_large, quotient, logarithm) + rest)
    return where(is_far(x, y) | x.equals(0.0), 0.0, result)


def half_angle(x: TensorExpression, y: TensorExpression) -> TensorExpression:
    """The imaginary part of ``atanh(x + iy)``, 0 <= x: half the angle of ``1 - |z|^2 + 2iy``."""
    is_large = maximum(x, abs(y)) > LARGE[x.is_double]
    width = above_circle(where(is_large, 0.0, x), where(is_large, 0.0, y))
    result = 0.5 * angle(2.0 * y, width)
    is_large = is_large | y.equals(math.inf) | y.equals(-math.inf)
    return where(is_large, with_sign_bit_of(y, y.constant(math.pi / 2.0)), result)
