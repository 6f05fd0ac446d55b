"""Functions of complex numbers, careful near branch cuts, zeros and infinities.

Operands are arrays or NumPy scalars of one complex type. Special values follow Annex G of C23, as
the upstream reference interpreter does, but for NaN in both parts where XLA has it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stablemate.numerics.array_limits import broadcast_together

Complex: TypeAlias = NDArray[np.complexfloating[Any]]
Real: TypeAlias = NDArray[np.floating[Any]]
Truth: TypeAlias = NDArray[np.bool_]

PLUS_I: Final[Complex] = np.array(1j)
MINUS_I: Final[Complex] = -PLUS_I  # -0 - i, by which zero parts get the reference's signs


def from_parts(real: Real, imag: Real) -> Complex:
    """Complex numbers from their parts, of the same precision."""
    parts = broadcast_together(real, imag)
    result = np.empty(parts[0].shape, np.result_type(parts[0].dtype, np.complex64))
    result.real, result.imag = parts
    return result


def multiply(x: Complex, y: Complex) -> Complex:
    """``(a + bi)(c + di) = (ac - bd) + (ad + bc)i``, each step rounded, none fused."""
    a, b, c, d = x.real, x.imag, y.real, y.imag
    return from_parts(a * c - b * d, a * d + b * c)


def multiply_with_infinities(x: Complex, y: Complex) -> Complex:
    """The product; where both parts are NaN, infinite factors and products make it infinite.

    Source: C23, Annex G.5.1, example 1.
    """
    (a, b), (c, d) = (x.real, x.imag), (y.real, y.imag)
    products = (a * c, b * d, a * d, b * c)
    real, imag = products[0] - products[1], products[2] + products[3]
    is_far = is_infinite(x) | is_infinite(y) | np.isinf(products).any(0)
    is_open = np.isnan(real) & np.isnan(imag) & is_far
    (a, b), (c, d) = ((part.real, part.imag) for part in map(with_infinities_as_ones, (x, y)))
    real = np.where(is_open, np.inf * (a * c - b * d), real)
    return from_parts(real, np.where(is_open, np.inf * (a * d + b * c), imag))


def with_infinities_as_ones(x: Complex) -> Complex:
    """``infinities_as_ones`` of infinite numbers; other numbers with 0 for NaN."""
    parts = (np.where(np.isnan(part), np.copysign(0, part), part) for part in (x.real, x.imag))
    return np.where(is_infinite(x), infinities_as_ones(x), from_parts(*parts))


def divide(x: Complex, y: Complex) -> Complex:
    """``(a + bi) / (c + di)``, by the ratio of the smaller part of y to the larger one.

    With ``r = d / c`` and ``s = c + r d`` it is ``(a + b r) / s + (b - a r) / s i`` if d is not
    larger than c; the signs of zero parts are those of these formulas, as in the reference
    interpreter and XLA. Numbers near the ends of the range are scaled.

    Source: R. L. Smith, "Algorithm 116: Complex division", 1962; C23, Annex G.5.1, example 2, for
    quotients that are NaN in both parts.
    """
    upper, lower = headroom(x), headroom(y)
    a, b, c, d = x.real * upper, x.imag * upper, y.real * lower, y.imag * lower
    is_steep = np.abs(c) < np.abs(d)
    larger, smaller = np.where(is_steep, d, c), np.where(is_steep, c, d)
    ratio = smaller / larger
    divisor, back = larger + ratio * smaller, lower / upper
    real = np.where(is_steep, a * ratio + b, a + b * ratio) / divisor * back
    imag = np.where(is_steep, b * ratio - a, b - a * ratio) / divisor * back
    is_open = np.isnan(real) & np.isnan(imag)
    if not np.any(is_open):
        return from_parts(real, imag)
    by_zero = is_open & (y == 0) & ~(np.isnan(a) & np.isnan(b))
    infinite = is_open & is_infinite(x) & np.isfinite(y) & ~by_zero
    by_infinity = is_open & np.isfinite(x) & is_infinite(y)
    x1, y1 = infinities_as_ones(x), infinities_as_ones(y)
    top = np.copysign(np.inf, c)
    conditions = (by_zero, infinite, by_infinity)
    real_parts = (
        top * a,
        np.inf * (x1.real * c + x1.imag * d),
        0.0 * (a * y1.real + b * y1.imag),
    )
    imag_parts = (
        top * b,
        np.inf * (x1.imag * c - x1.real * d),
        0.0 * (b * y1.real - a * y1.imag),
    )
    return from_parts(
        np.select(conditions, real_parts, real), np.select(conditions, imag_parts, imag)
    )


def headroom(x: Complex) -> Real:
    """1, but a quarter for numbers of which sums of two parts may overflow, 2^104 for tiny ones.

    Of these products with ratios of parts are rounded as subnormal numbers.
    """
    largest = np.maximum(np.abs(x.real), np.abs(x.imag))
    info = np.finfo(largest.dtype)
    scale: Real = np.where(largest > info.max / 4, 0.25, 1.0)
    scale = np.where(largest < info.tiny / info.eps, info.eps**-2.0, scale)
    return scale.astype(largest.dtype)


def is_infinite(x: Complex) -> Truth:
    """Whether a part is infinite, even if the other is NaN."""
    return np.isinf(x.real) | np.isinf(x.imag)


def infinities_as_ones(x: Complex) -> Complex:
    """Both parts with 1 for infinity and 0 for other values, with their signs."""
    return from_parts(*(np.copysign(np.isinf(part), part) for part in (x.real, x.imag)))


def absolute(x: Complex) -> Real:
    """``sqrt(a^2 + b^2)``, without overflow in between."""
    return np.hypot(x.real, x.imag)


def absolute_of_singles(x: Complex) -> Real:
    """The same for parts converted from 32 bits: their squares do not overflow in 64."""
    magnitude = np.sqrt(x.real * x.real + x.imag * x.imag)
    return np.where(np.isinf(x.real) | np.isinf(x.imag), np.inf, magnitude)


def sign(x: Complex) -> Complex:
    """``x / abs(x)``; zero for zeros, NaN in both parts if one is NaN."""
    scale = headroom(x)
    x = from_parts(x.real * scale, x.imag * scale)
    magnitude = absolute(x)
    direction = divide(x, from_parts(magnitude, np.zeros_like(magnitude)))
    is_nan = np.isnan(x.real) | np.isnan(x.imag)
    return np.where(is_nan, complex(np.nan, np.nan), np.where(magnitude == 0, 0, direction))


def maximum(x: Complex, y: Complex) -> Complex:
    """The larger of two numbers in the order of (real, imaginary)."""
    return np.where(is_greater(x, y), x, y)


def minimum(x: Complex, y: Complex) -> Complex:
    """The smaller of two numbers in the order of (real, imaginary)."""
    return np.where(is_greater(y, x), x, y)


def is_greater(x: Complex, y: Complex) -> Truth:
    """Whether (real, imaginary) of one number is greater than of another, lexicographically."""
    is_tie: Truth = x.real == y.real
    return (x.real > y.real) | (is_tie & (x.imag > y.imag))


def exponential_minus_one(x: Complex) -> Complex:
    """``exp(x) - 1``, its real part as ``expm1(a) cos(b) - 2 sin(b/2)^2`` where terms cancel.

    A real part that is zero is +0. Both parts are NaN, as in XLA, if the real part is infinite and
    the imaginary part is not finite.
    """
    a, b = x.real, x.imag
    exponential: Complex = np.exp(x)
    half = np.sin(b / 2)
    near_zero = np.expm1(a) * np.cos(b) - 2 * half * half
    real = np.where((np.abs(a) < 1) & np.isfinite(b), near_zero, exponential.real - 1) + 0.0
    is_undefined = np.isinf(a) & ~np.isfinite(b)
    return undefined_where(is_undefined, from_parts(real, exponential.imag))


def tanh(x: Complex) -> Complex:
    """The hyperbolic tangent: NaN of ``0 + bi``, as in XLA, if b is not finite."""
    return undefined_where((x.real == 0) & ~np.isfinite(x.imag), np.tanh(x))


def tan(x: Complex) -> Complex:
    """The tangent: NaN of ``a + 0i``, as in XLA, if a is not finite."""
    return undefined_where((x.imag == 0) & ~np.isfinite(x.real), np.tan(x))


def undefined_where(condition: Truth, result: Complex) -> Complex:
    """A result with NaN in both parts where the condition holds."""
    return np.where(condition, complex(np.nan, np.nan), result)


def log_plus_one(x: Complex) -> Complex:
    """``log(hypot(a + 1, b)) + i atan2(b, a + 1)``.

    Where the modulus of ``x + 1`` is near 1, its logarithm is ``log1p(2a + a^2 + b^2) / 2``, with
    the sum formed in twice the precision.
    """
    a, b = x.real, x.imag
    modulus = np.hypot(a + 1, b)
    is_near = (modulus > 0.5) & (modulus < 2)
    c, d = np.where(is_near, a, 0), np.where(is_near, b, 0)
    near = np.log1p(sum_of_squares(c, d)) / 2
    real = np.where(is_near, np.where(x == 0, 0.0, near), np.log(modulus))
    return from_parts(real, np.arctan2(b, a + 1))


def sum_of_squares(a: Real, b: Real) -> Real:
    """``2a + a^2 + b^2`` as if in twice the precision, so that terms may cancel."""
    aa, aa_rest = exact_square(a)
    bb, bb_rest = exact_square(b)
    partial, partial_rest = exact_sum(2 * a, bb)
    total, total_rest = exact_sum(partial, aa)
    return total + (total_rest + partial_rest + aa_rest + bb_rest)


def exact_sum(a: Real, b: Real) -> tuple[Real, Real]:
    """The rounded sum of two numbers, and the rounding error.

    Source: Knuth, The Art of Computer Programming, volume 2, theorem 4.2.2 B.
    """
    total = a + b
    rest = total - a
    return total, (a - (total - rest)) + (b - rest)


def exact_square(a: Real) -> tuple[Real, Real]:
    """The rounded square of a number, and the rounding error.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    square = a * a
    scaled = a * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - a)
    low = a - high
    return square, low * low - ((square - high * high) - 2 * high * low)


def logistic(x: Complex) -> Complex:
    """``1 / (1 + exp(-x))``; ``exp(x) / (1 + exp(x))`` where the other would overflow.

    For small real parts, where there are poles, ``1 + exp(-x)`` is a sum that does not cancel.
    Parts that are zero have the signs of ``1 / (1 + exp(-x))`` in plain complex arithmetic, as in
    the reference interpreter.
    """
    is_negative = x.real < 0
    exponent = np.where(is_negative, x, -x)
    exponential: Complex = np.exp(exponent)
    result: Complex = divide(np.where(is_negative, exponential, 1), 1 + exponential)
    half = np.cos(x.imag / 2)
    real = np.expm1(-x.real) * np.cos(x.imag) + 2 * half * half
    imag = -np.exp(-x.real) * np.sin(x.imag)
    near: Complex = divide(np.ones((), x.dtype), from_parts(real, imag))
    is_near = (np.abs(x.real) < 1) & np.isfinite(x.imag)
    result = np.where(is_near, near, result)
    is_left = is_negative & np.isfinite(x.imag) & (x.imag != 0)
    real = np.where(is_left & (result.real == 0), np.copysign(0, np.cos(x.imag)), result.real)
    zero = np.where(is_left, np.copysign(0, np.sin(x.imag)), 0.0)
    imag = np.where((result.imag == 0) | ((x.imag == 0) & ~np.isnan(x.real)), zero, result.imag)
    return from_parts(real, imag)


def rsqrt(x: Complex) -> Complex:
    """``1 / sqrt(x)``: the conjugate of the root, divided by the modulus; zero at infinity.

    Parts that are zero have the signs of that quotient in plain complex arithmetic, as in the
    reference interpreter.
    """
    root: Complex = np.sqrt(x)
    modulus = absolute(x)
    is_far = np.isinf(modulus)
    divisor = np.where(is_far, 1, modulus)
    real = np.where(is_far, 0, root.real / divisor)
    imag = np.where(is_far, np.copysign(0, -x.imag), -root.imag / divisor)
    is_within = ~np.isinf(x.imag)
    real = np.where((real == 0) & (x.real < 0) & is_within, np.copysign(0, x.imag), real)
    imag = np.where((imag == 0) & (x.real > 0) & is_within, 0.0, imag)
    return from_parts(np.where(modulus == 0, np.inf, real), np.where(modulus == 0, np.nan, imag))


def cbrt(x: Complex) -> Complex:
    """The cube root with a third of the argument."""
    modulus, angle = np.cbrt(absolute(x)), np.arctan2(x.imag, x.real) / 3
    return from_parts(modulus * np.cos(angle), modulus * np.sin(angle))


def power(x: Complex, y: Complex) -> Complex:
    """``exp(y log(x))``; 1 if y is 0, a finite x if y is 1; zero if x is 0 and ``real(y) > 0``.

    Other powers of zero, and infinite and NaN operands, are those of the formula in C23's
    arithmetic, as in the reference interpreter.
    """
    is_usual = np.isfinite(x) & np.isfinite(y) & (x != 0)
    usual = power_by_quarters(np.where(is_usual, x, 1), np.where(is_usual, y, 1))
    limit: Complex = np.exp(multiply_with_infinities(y, np.log(x)))
    limit = np.where((x == 0) & (y.real > 0), 0, limit)
    result = np.where(is_usual, usual, limit)
    return np.where(y == 0, 1, np.where(is_usual & (y == 1), x, result))


def power_by_quarters(x: Complex, y: Complex) -> Complex:
    """A power of finite numbers, the base not zero.

    Angles are counted from the nearest axis, or diagonal if x is on it, in quarter turns, so that
    parts that are nearly zero are accurate, and those that are zero exact.
    """
    is_flat = np.abs(x.real) >= np.abs(x.imag)
    along, across = np.where(is_flat, x.real, x.imag), np.where(is_flat, x.imag, -x.real)
    modulus = absolute(x)
    near_one = log_plus_one(from_parts(np.abs(along) - 1, across)).real
    logarithm = np.where((modulus > 0.5) & (modulus < 2), near_one, np.log(modulus))
    is_diagonal = np.abs(along) == np.abs(across)
    height = across * np.copysign(1, along)
    rest = np.where(is_diagonal, 0, np.arctan2(height, np.abs(along)))
    other_half = np.where(along > 0, 0, 2 * np.copysign(1, x.imag))
    quarters = np.where(is_flat, other_half, np.copysign(1, along))
    quarters = quarters + np.where(is_diagonal, np.copysign(0.5, height), 0)
    c, d = y.real, y.imag
    factor = np.exp(c * logarithm - d * (quarters * (np.pi / 2) + rest))
    turns = np.fmod(c, 8) * quarters
    nearest = np.rint(turns)
    small = np.where(d == 0, c * rest, c * rest + d * logarithm)
    angle = np.where(turns == nearest, small, (turns - nearest) * (np.pi / 2) + small)
    cosine = factor * np.cos(angle)
    plain = c * np.arctan2(x.imag, x.real) + d * logarithm  # of which zeros have the sign
    zero = np.where(plain == 0, plain, angle)
    sine = np.where(angle == 0, zero, factor * np.sin(angle))
    count = [nearest.astype(int) % 4 == quarter for quarter in range(4)]
    real = np.select(count, [cosine, -sine, -cosine, sine])
    imag = np.select(count, [sine, cosine, -sine, -cosine])
    # On diagonals real parts that are zero are +0, imaginary ones have the sign of the angle.
    is_exact, is_odd = is_diagonal & (angle == 0), nearest % 2 == 1
    side = np.copysign(0.0, x.imag * np.copysign(1, c))
    real = np.where(is_exact & is_odd, 0.0, real)
    return from_parts(real, np.where(is_exact & ~is_odd, side, imag))


def remainder(x: Complex, y: Complex) -> Complex:
    """``x - q y`` with ``q = x / y``, both parts of which are truncated."""
    ratio = divide(x, y)
    truncated = from_parts(np.trunc(ratio.real), np.trunc(ratio.imag))
    return x - multiply(truncated, y)


def atan2(x: Complex, y: Complex) -> Complex:
    """``-i log((y + ix) / sqrt(x^2 + y^2))``.

    At a branch point of finite numbers the real part is NaN, as in the reference interpreter. If no
    part is zero, the angle is not negative where x / y is imaginary, and the imaginary part is its
    product with -0, less 0, where x / y is real.
    """
    is_finite = np.isfinite(x) & np.isfinite(y)
    is_usual = is_finite & np.all([part != 0 for z in (x, y) for part in (z.real, z.imag)], 0)
    scale = np.where(is_finite, nearest_to_one(x, y), 1.0)
    x, y = (from_parts(z.real * scale, z.imag * scale) for z in (x, y))
    (a, b), (c, d) = (x.real, x.imag), (y.real, y.imag)
    turned: Complex = np.where(np.isfinite(x), multiply(PLUS_I, x), from_parts(-b, a))
    modulus = np.sqrt(multiply(x, x) + multiply(y, y))
    logarithm: Complex = np.log(divide(y + turned, modulus))
    product = multiply(MINUS_I, logarithm)
    real = np.where(np.isinf(logarithm.real) & ~is_finite, logarithm.imag, product.real)
    real = np.where(is_usual & (a * c == -(b * d)), np.abs(real), real)
    return from_parts(real, np.where(is_usual & (a * d == b * c), real * -0.0 - 0.0, product.imag))


def nearest_to_one(x: Complex, y: Complex) -> Real:
    """A power of two by which the largest part of two numbers is near 1."""
    most = np.max([np.abs(part) for z in (x, y) for part in (z.real, z.imag)], 0)
    scale: Real = np.ldexp(1.0, -np.clip(np.frexp(most)[1] - 1, -1000, 1000))
    return scale
