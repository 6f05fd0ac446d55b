"""Arc functions and inverse hyperbolic functions of complex numbers.

Accurate in both parts, near the branch points and cuts too. On a cut the sign of zero decides which
side is meant. Special values are those of C23, Annex G.

Source: T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the complex arcsine and arccosine
functions using exception handling", 1997; W. Kahan, "Branch cuts for complex elementary functions",
1987, for the arc tangent.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.transforms.chlo.arithmetic import (
    atan2,
    complex_of,
    exact_product,
    exact_sum,
    is_finite,
    is_negative,
    log1p,
    maximum,
    minimum,
    modulus,
    real_and_imaginary,
    sqrt,
    where,
)
from stablemate.transforms.chlo.expressions import Expression
from stablemate.transforms.chlo.pairs import Pair

# Beyond these magnitudes z^2 + 1 is z^2, in 32 and in 64 bits; squares do not overflow below.
LARGE: Final = {False: 2.0**30, True: 2.0**60}
# Distances from 1 below these come from exactly 1; squares do not underflow above.
CLOSE: Final = {False: 2.0**-60, True: 2.0**-500}


def asin(z: Expression) -> Expression:
    """The arc sine."""
    x, y = real_and_imaginary(z)
    cosine, height = kernel(x, y)
    return complex_of(angle(x, cosine), with_sign_bit_of(y, height))


def acos(z: Expression) -> Expression:
    """The arc cosine."""
    x, y = real_and_imaginary(z)
    cosine, height = kernel(x, y)
    return complex_of(complementary_angle(x, cosine), with_sign_bit_of(-y, height))


def asinh(z: Expression) -> Expression:
    """``asinh(z) = -i asin(iz)``."""
    x, y = real_and_imaginary(z)
    cosine, height = kernel(y, x)
    return complex_of(with_sign_bit_of(x, height), angle(y, cosine))


def acosh(z: Expression) -> Expression:
    """``acosh(z) = i acos(z)`` or ``-i acos(z)``, with a real part that is not negative."""
    x, y = real_and_imaginary(z)
    cosine, height = kernel(x, y)
    return complex_of(height, with_sign_bit_of(y, complementary_angle(x, cosine)))


def angle(x: Expression, cosine: Pair) -> Expression:
    """The angle of the point ``(cosine, x)``; the rest turns it by ``x / |point|^2`` times that."""
    return atan2(x, cosine.value) - turned(x, cosine)


def complementary_angle(x: Expression, cosine: Pair) -> Expression:
    """The angle of the point ``(x, cosine)``."""
    return atan2(cosine.value, x) + turned(x, cosine)


def turned(x: Expression, cosine: Pair) -> Expression:
    """By how much the rest turns the point."""
    turn = x * (cosine.rest / (x * x + cosine.value * cosine.value))
    return where(is_finite(turn) & turn.differs(0.0), turn, 0.0)


def asin_acos_kernel(z: Expression) -> Expression:
    """Both results of the kernel, as one complex number."""
    cosine, height = kernel(*real_and_imaginary(z))
    return complex_of(cosine.value, height)


def with_sign_bit_of(x: Expression, magnitude: Expression) -> Expression:
    """The magnitude, negative where x is negative or -0."""
    return where(is_negative(x), -magnitude, magnitude)


def kernel(real_part: Expression, imaginary_part: Expression) -> tuple[Pair, Expression]:
    """What the arc sine of ``x + iy`` is made of, for the magnitudes x and y.

    With ``r = |z + 1|``, ``s = |z - 1|`` and ``a = (r + s) / 2``: ``sqrt(a^2 - x^2)``, which makes
    with x the angle that is the real part, and ``acosh(a)``, the imaginary part. The differences
    ``a - x`` and ``a - 1`` are written as sums of positive terms.
    """
    x, y = abs(real_part), abs(imaginary_part)
    largest = maximum(x, y)
    is_large = largest > LARGE[x.is_double]
    is_outside = x > 1.0
    r, s = modulus(x + 1.0, y), modulus(x - 1.0, y)
    a = 0.5 * (r + s)
    right = r + (x + 1.0)
    left = s + abs(x - 1.0)
    # 2 (a - x) and 2 (a - 1): y^2 / right plus either left or y^2 / left.
    sum_of_inverses = 1.0 / right + 1.0 / left
    both = y * (y / right) + left
    half_sum, half_next = 0.5 * (a + x), 0.5 * (a + 1.0)
    cosine = root_of_product(half_sum, where(is_outside, sum_of_inverses, both))
    cosine = product_where(is_outside, y, cosine)
    cosine = Pair(where(is_large, y, cosine.value), where(is_large, 0.0, cosine.rest))
    is_inside = x < 1.0
    excess = 0.5 * where(is_inside, y * (y * sum_of_inverses), both)
    root = root_of_product(half_next, where(is_inside, sum_of_inverses, both))
    root = product_where(is_inside, y, root)
    above, rest = exact_sum(excess, root.value)
    correction = (rest + root.rest) / (1.0 + above)
    ratio = where(x.equals(y), 1.0, minimum(x, y) / largest)
    stretch = where(is_large, math.log(2.0) + 0.5 * log1p(ratio * ratio), 0.0)
    height = log1p(where(is_large, largest, above)) + stretch
    height = where(is_large, height, height + where(is_finite(correction), correction, 0.0))
    return cosine, where(is_far(x, y), math.inf, height)


def is_far(x: Expression, y: Expression) -> Expression:
    """Whether one of two magnitudes is infinite, even if the other is NaN."""
    return x.equals(math.inf) | y.equals(math.inf)


def root_of_product(x: Expression, y: Expression) -> Pair:
    """``sqrt(x y)``, with what product and root lose where that is not tiny."""
    product, lost = exact_product(x, y)
    root = sqrt(product)
    square, rest = exact_product(root, root)
    rest = ((product - square) + (lost - rest)) / (2.0 * root)
    return Pair(root, where(is_finite(rest) & (root > 2.0**-400), rest, 0.0))


def product_where(which: Expression, x: Expression, y: Pair) -> Pair:
    """``x y`` where a condition holds, else y."""
    product, lost = exact_product(x, y.value)
    lost = lost + x * y.rest
    lost = where(is_finite(lost) & (product > 2.0**-900), lost, 0.0)
    return Pair(where(which, product, y.value), where(which, lost, y.rest))


def atanh(z: Expression) -> Expression:
    """The inverse hyperbolic tangent."""
    x, y = real_and_imaginary(z)
    return complex_of(with_sign_bit_of(x, area_tangent(abs(x), abs(y))), half_angle(abs(x), y))


def atan(z: Expression) -> Expression:
    """``atan(z) = -i atanh(iz)``."""
    x, y = real_and_imaginary(z)
    return complex_of(half_angle(abs(y), x), with_sign_bit_of(y, area_tangent(abs(y), abs(x))))


def area_tangent(x: Expression, y: Expression) -> Expression:
    """The real part of ``atanh(x + iy)`` for positive x and y: ``log1p(4x / |z - 1|^2) / 4``."""
    largest, distance = maximum(x, y), maximum(abs(1.0 - x), y)
    is_large, is_close = largest > LARGE[x.is_double], distance < CLOSE[x.is_double]
    square, rest = square_of_distance(x, y)
    quotient = 4.0 * x / square
    quotient = quotient - quotient * (rest / square)
    factor = where(is_close, x.constant(1.0), 0.25)
    near = factor * log1p(where(is_close, math.sqrt(2.0) / sqrt(distance), quotient))
    ratio = minimum(x, y) / largest
    far = x / largest / (1.0 + ratio * ratio) / largest  # 1 / z
    return where(is_far(x, y) | x.equals(0.0), 0.0, where(is_large, far, near))


def square_of_distance(x: Expression, y: Expression) -> tuple[Expression, Expression]:
    """``(1 - x)^2 + y^2``, and what sums and products lose."""
    difference, lost = exact_sum(x.constant(1.0), -x)
    left, left_rest = exact_product(difference, difference)
    right, right_rest = exact_product(y, y)
    square, sum_rest = exact_sum(left, right)
    rest = (left_rest + 2.0 * difference * lost) + (right_rest + sum_rest)
    return square, where(is_finite(rest), rest, 0.0)


def half_angle(x: Expression, y: Expression) -> Expression:
    """The imaginary part of ``atanh(x + iy)``, 0 <= x: half the angle of ``1 - |z|^2 + 2iy``."""
    is_large = maximum(x, abs(y)) > LARGE[x.is_double]
    angle = 0.5 * atan2(2.0 * y, (1.0 - x) * (1.0 + x) - y * y)
    is_large = is_large | y.equals(math.inf) | y.equals(-math.inf)
    return where(is_large, with_sign_bit_of(y, y.constant(math.pi / 2.0)), angle)
