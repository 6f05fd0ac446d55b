"""Functions of complex numbers whose parts are ``f64`` that came from ``f32``.

So squares do not overflow or underflow, and what cancels cancels exactly. What is called scaled
does without that.

Source: C11, Annex G, for infinities and NaN.
"""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions import exponential as real_exponential
from stablemate.compiler.lowering.functions import logarithm as real_logarithm
from stablemate.compiler.lowering.functions.angles import atan2, cosine, sine, tan
from stablemate.compiler.lowering.functions.arithmetic import shift_bits
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_most,
    bits_of,
    equal,
    fast_two_sum,
    float_of,
    greater,
    is_infinite,
    is_nan,
    less,
    pick,
    rarely,
    residue,
    root,
    two_product,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

Complex = tuple[Expression, Expression]
INFINITY = float("inf")
LARGEST = 2 * F64.bias - 1  # an exponent as it is stored, so that its opposite is one too
NAN = float("nan")
TINY = 2.0**-970  # products of smaller numbers with ratios lose digits as subnormal numbers


def add(x: Complex, y: Complex) -> Complex:
    """The sums of the parts."""
    return x[0] + y[0], x[1] + y[1]


def subtract(x: Complex, y: Complex) -> Complex:
    """The differences of the parts."""
    return x[0] - y[0], x[1] - y[1]


def negate(x: Complex) -> Complex:
    """Both parts with the other sign."""
    return -x[0], -x[1]


def is_greater(x: Complex, y: Complex) -> Expression:
    """Whether (real, imaginary) of one number is greater than of another, lexicographically."""
    return greater(x[0], y[0]) | (equal(x[0], y[0]) & greater(x[1], y[1]))


def maximum(x: Complex, y: Complex) -> Complex:
    """The larger of two numbers in the order of (real, imaginary)."""
    which = is_greater(x, y)
    return pick(which, x[0], y[0]), pick(which, x[1], y[1])


def minimum(x: Complex, y: Complex) -> Complex:
    """The smaller of two numbers in the order of (real, imaginary)."""
    which = is_greater(y, x)
    return pick(which, x[0], y[0]), pick(which, x[1], y[1])


def multiply(x: Complex, y: Complex) -> Complex:
    """``(a + bi)(c + di) = (ac - bd) + (ad + bc)i``, each step rounded."""
    (a, b), (c, d) = x, y
    return a * c - b * d, a * d + b * c


def multiply_with_infinities(x: Complex, y: Complex) -> Complex:
    """The product; where both parts are NaN, infinite factors and products make it infinite.

    Source: C23, Annex G.5.1, example 1.
    """
    (a, b), (c, d) = x, y
    real, imag = multiply(x, y)
    far = is_far(x) | is_far(y) | is_far((a * c, b * d)) | is_far((a * d, b * c))
    is_open = is_nan(real) & is_nan(imag) & far
    (a, b), (c, d) = with_infinities_as_ones(x), with_infinities_as_ones(y)
    real = pick(is_open, (a * c - b * d) * INFINITY, real)
    return real, pick(is_open, (a * d + b * c) * INFINITY, imag)


def with_infinities_as_ones(x: Complex) -> Complex:
    """``infinities_as_ones`` of infinite numbers; other numbers with 0 for NaN."""
    far, ones = is_far(x), infinities_as_ones(x)
    zero = x[0].table.constant(0.0, "f64")
    real, imag = (pick(is_nan(part), with_sign(zero, part), part) for part in x)
    return pick(far, ones[0], real), pick(far, ones[1], imag)


def is_far(x: Complex) -> Expression:
    """Whether a part is infinite, even if the other is NaN."""
    return is_infinite(x[0]) | is_infinite(x[1])


def is_finite(x: Complex) -> Expression:
    """Whether both parts are numbers."""
    return less(absolute(x[0]), INFINITY) & less(absolute(x[1]), INFINITY)


def modulus(x: Complex) -> Expression:
    """``sqrt(a^2 + b^2)``."""
    a, b = x
    return pick(is_far(x), INFINITY, root(a * a + b * b))


def absolute_value(x: Complex) -> tuple[Expression]:
    """The modulus as the only part of a real number."""
    return (modulus(x),)


def divide(x: Complex, y: Complex) -> Complex:
    """``(a + bi) / (c + di)``, by the ratio of the smaller part of y to the larger one.

    Zero parts have the signs that this gives them, as in the reference interpreter and XLA.

    Source: R. L. Smith, "Algorithm 116: Complex division", 1962.
    """
    (a, b), (c, d) = x, y
    steep = less(absolute(c), absolute(d))
    larger, smaller = pick(steep, d, c), pick(steep, c, d)
    ratio = smaller / larger
    divisor = larger + ratio * smaller
    along, across = a * ratio, b * ratio
    real = pick(steep, along + b, a + across) / divisor
    imag = pick(steep, across - a, b - along) / divisor
    return with_ends(x, y, (real, imag))


def with_ends(x: Complex, y: Complex, quotient: Complex) -> Complex:
    """A quotient, with infinities and zeros where both of its parts are NaN."""
    (a, b), (c, d), (real, imag) = x, y, quotient
    is_open = is_nan(real) & is_nan(imag)
    is_zero = equal(c, 0.0) & equal(d, 0.0)
    by_zero = is_zero & ((is_nan(a) & is_nan(b)) ^ a.table.bits(1, "i1"))
    infinite = is_far(x) & is_finite(y)
    by_infinity = is_finite(x) & is_far(y)
    top = with_sign(a.table.constant(INFINITY, "f64"), c)
    (a1, b1), (c1, d1) = infinities_as_ones(x), infinities_as_ones(y)
    ends = (
        (by_infinity, 0.0 * (a * c1 + b * d1), 0.0 * (b * c1 - a * d1)),
        (infinite, INFINITY * (a1 * c + b1 * d), INFINITY * (b1 * c - a1 * d)),
        (by_zero, top * a, top * b),
    )
    special = real, imag
    for which, *parts in ends:
        special = pick(which, parts[0], special[0]), pick(which, parts[1], special[1])
    return rarely(is_open, special[0], real), rarely(is_open, special[1], imag)


def divide_scaled(x: Complex, y: Complex) -> Complex:
    """The same of any ``f64``: near the ends of the range of numbers times powers of two."""
    (a, upper), (b, lower) = with_headroom(x), with_headroom(y)
    real, imag = divide(a, b)
    back = lower / upper
    return real * back, imag * back


def with_headroom(x: Complex) -> tuple[Complex, Expression]:
    """A number of which sums of two parts do not overflow and products keep their digits.

    It is x, a quarter of it or ``2^104 x``; the second result is the factor.
    """
    end = 2.0**F64.bias / 2.0
    sizes = absolute(x[0]), absolute(x[1])
    is_large = greater(sizes[0], end) | greater(sizes[1], end)
    is_tiny = less(sizes[0], TINY) & less(sizes[1], TINY)
    table = x[0].table
    scale = pick(is_large, table.constant(0.25, "f64"), 1.0)
    scale = pick(is_tiny, table.constant(2.0**104, "f64"), scale)
    return (x[0] * scale, x[1] * scale), scale


def two_to(exponent: Expression) -> Expression:
    """``2^exponent``; zero below the normal numbers."""
    return float_of(shift_bits("shl", exponent + F64.bias, F64.mantissa))


def scale_parts(x: Complex) -> tuple[Expression, Expression, Expression]:
    """Parts of which the larger one is between 1 and 4, and the exponent that was taken out."""
    a, b = x
    table = a.table
    larger = pick(less(absolute(a), absolute(b)), absolute(b), absolute(a))
    bits = shift_bits("lshr", bits_of(larger), F64.mantissa)
    zero = table.like(bits, 0)
    stored = pick(table.apply("eq", bits, zero), 1, bits)  # denormal
    stored = pick(less(larger, INFINITY), stored, F64.bias)
    most = table.like(bits, LARGEST)
    stored = pick(table.apply("slt", most, stored), most, stored)
    exponent = stored - F64.bias
    scale = two_to(0 - exponent)
    return a * scale, b * scale, exponent


def absolute_value_scaled(x: Complex) -> tuple[Expression]:
    """``sqrt(a^2 + b^2)`` of any ``f64``, with the sum and the root in twice the precision."""
    a, b, exponent = scale_parts(x)
    a, b = absolute(a), absolute(b)
    steep = less(a, b)
    m, n = pick(steep, b, a), pick(steep, a, b)
    (p, p_rest), (q, q_rest) = two_product(m, m), two_product(n, n)
    total, lost = fast_two_sum(p, q)
    size = root(total)
    rest = (lost + p_rest + q_rest) - residue(size, size, total)
    exact = size + rest / (size * 2.0)
    value = pick(equal(total, 0.0), total, exact) * two_to(exponent)
    return (pick(is_far(x), INFINITY, value),)


def infinities_as_ones(x: Complex) -> Complex:
    """Parts with 1 for infinity and 0 for anything else, with their signs."""
    real, imag = (with_sign(pick(is_infinite(part), 1.0, part * 0.0), part) for part in x)
    real, imag = (
        with_sign(pick(is_nan(number), 0.0, number), part)
        for number, part in zip((real, imag), x, strict=True)
    )
    return real, imag


def sign(x: Complex) -> Complex:
    """``x / abs(x)``; zero for zeros, NaN in both parts if one is NaN or infinite."""
    return direction(x, modulus(x))


def sign_scaled(x: Complex) -> Complex:
    """The same of any ``f64``."""
    near, _ = with_headroom(x)
    return direction(near, absolute_value_scaled(near)[0])


def direction(x: Complex, magnitude: Expression) -> Complex:
    """A number divided by its modulus."""
    zero = equal(magnitude, 0.0)
    divisor = pick(zero, 1.0, magnitude)
    undefined = is_far(x) | is_nan(x[0]) | is_nan(x[1])
    real = x[0] / divisor + x[1] * 0.0
    imag = x[1] / divisor - x[0] * 0.0
    real, imag = (pick(undefined, NAN, pick(zero, 0.0, part)) for part in (real, imag))
    return real, imag


def exponential(x: Complex) -> Complex:
    """``exp(a) (cos(b) + sin(b) i)``."""
    a, b = x
    size = real_exponential.exponential(a)
    return ends_of_exponential(x, (size * cosine(b), size * sine(b)))


def ends_of_exponential(x: Complex, result: Complex) -> Complex:
    """The exponential, with its values at zeros, infinities and NaN."""
    (a, b), (real, imag) = x, result
    imag = pick(equal(b, 0.0), b, imag)
    lost = is_infinite(b) | is_nan(b)
    gone, far = equal(a, -INFINITY) & lost, equal(a, INFINITY) & lost
    real = pick(far, INFINITY, pick(gone, 0.0, real))
    return real, pick(gone, with_sign(a.table.constant(0.0, "f64"), b), imag)


def logarithm(x: Complex) -> Complex:
    """``log(abs(x)) + atan2(b, a) i``; near 1 by ``log(1 + (m - 1)(m + 1) + n^2) / 2``."""
    return log_of_modulus(x), atan2(x[1], x[0])


def log_of_modulus(x: Complex) -> Expression:
    """``log(abs(x))``."""
    a, b = absolute(x[0]), absolute(x[1])
    steep = less(a, b)
    m, n = pick(steep, b, a), pick(steep, a, b)
    above = (m - 1.0) * (m + 1.0) + n * n
    near = real_logarithm.log_plus_one(above)
    far = real_logarithm.logarithm(a * a + b * b)
    is_near = greater(above, -0.5) & less(above, 1.0)
    return pick(is_far(x), INFINITY, pick(is_near, near, far) * 0.5)


def square_root(x: Complex) -> Complex:
    """``t + b / (2 t) i`` with ``t = sqrt((abs(a) + abs(x)) / 2)``; exchanged if a is negative."""
    t = root((absolute(x[0]) + modulus(x)) * 0.5)
    return ends_of_root(x, (t, absolute(x[1]) / pick(equal(t, 0.0), 1.0, t * 2.0)))


def ends_of_root(x: Complex, parts: Complex) -> Complex:
    """The square root by its larger and its smaller part, exchanged if a is negative."""
    (a, b), (t, cross) = x, parts
    cross = pick(is_infinite(a), pick(is_nan(b), b, 0.0), cross)
    is_left = less(a, 0.0)
    real, imag = pick(is_left, cross, t), with_sign(pick(is_left, t, cross), b)
    far = is_infinite(b)
    undefined = (is_nan(a) | is_nan(b)) & (is_infinite(a) ^ a.table.bits(1, "i1"))
    real, imag = pick(undefined, NAN, real), pick(undefined, NAN, imag)
    return pick(far, INFINITY, real), pick(far, b, imag)


def reciprocal_root(x: Complex) -> Complex:
    """The conjugate of the square root, divided by the modulus."""
    return ends_of_reciprocal(x, square_root(x), modulus(x))


def ends_of_reciprocal(
    x: Complex, square_root: Complex, size: Expression, scale: Expression | float = 1.0
) -> Complex:
    """The conjugate of the square root, divided by the modulus, times a scale."""
    real, imag = square_root
    far, zero = is_infinite(size), equal(size, 0.0)
    divisor = pick(far | zero, 1.0, size)
    origin = x[0].table.constant(0.0, "f64")
    real, imag = real * scale / divisor * scale, -imag * scale / divisor * scale
    real = pick(far, 0.0, pick(zero, INFINITY, real))
    imag = pick(far, with_sign(origin, -x[1]), pick(zero, NAN, imag))
    return zeros_of_reciprocal(x, (real, imag))


def zeros_of_reciprocal(x: Complex, result: Complex) -> Complex:
    """``1 / sqrt(x)``, with the signs that zeros have in a quotient by ``sqrt(x)``."""
    (a, b), (real, imag) = x, result
    within = is_infinite(b) ^ a.table.bits(1, "i1")
    is_left, is_right = less(a, 0.0) & within, greater(a, 0.0) & within
    real = pick(is_left & equal(real, 0.0), with_sign(real, b), real)
    return real, pick(is_right & equal(imag, 0.0), 0.0, imag)


def ends_of_reciprocal_parts(x: Complex, parts: Complex) -> Complex:
    """``1 / sqrt(x)`` by its larger and its smaller part, exchanged if a is negative."""
    a, b = x
    larger, smaller = parts
    is_left = less(a, 0.0)
    real, imag = pick(is_left, smaller, larger), -with_sign(pick(is_left, larger, smaller), b)
    far, zero = is_infinite(a) | is_infinite(b), equal(a, 0.0) & equal(b, 0.0)
    undefined = (is_nan(a) | is_nan(b)) & (far ^ a.table.bits(1, "i1"))
    real, imag = pick(undefined | zero, NAN, real), pick(undefined | zero, NAN, imag)
    real = pick(far, 0.0, pick(zero, INFINITY, real))
    imag = pick(far, with_sign(a.table.constant(0.0, "f64"), -b), imag)
    return zeros_of_reciprocal(x, (real, imag))


def exponential_minus_one(x: Complex) -> Complex:
    """``exp(x) - 1``, its real part as ``expm1(a) cos(b) - 2 sin(b / 2)^2`` where terms cancel.

    A real part that is zero is +0. Both parts are NaN, as in XLA, if the real part is infinite and
    the imaginary part is not finite.
    """
    a, b = x
    plain, imag = exponential(x)
    half = sine(b * 0.5)
    near = real_exponential.exponential_minus_one(a) * cosine(b) - half * half * 2.0
    is_near = less(absolute(a), 1.0) & less(absolute(b), INFINITY)
    return ends_of_exponential_minus_one(x, (pick(is_near, near, plain - 1.0), imag))


def ends_of_exponential_minus_one(x: Complex, result: Complex) -> Complex:
    """``exp(x) - 1``, with its values at zeros, infinities and NaN."""
    (a, b), (real, imag) = x, result
    undefined = is_infinite(a) & (is_infinite(b) | is_nan(b))
    real, imag = pick(equal(real, 0.0), 0.0, real), pick(equal(b, 0.0), b, imag)
    return pick(undefined, NAN, real), pick(undefined, NAN, imag)


def hyperbolic(b: Expression) -> Complex:
    """``sinh(b)`` and ``cosh(b)``; beyond 300 those of 300, which are too large for ``f32``."""
    size = at_most(absolute(b), 300.0)
    e = real_exponential.exponential_minus_one(size)
    inverse = e / (e + 1.0)
    cosh = 1.0 + (e - inverse) * 0.5
    return with_sign((e + inverse) * 0.5, b), cosh


def complex_sine(x: Complex) -> Complex:
    """``sin(a) cosh(b) + cos(a) sinh(b) i``."""
    a, b = x
    sinh, cosh = hyperbolic(b)
    return ends_of_sine(x, (sine(a) * cosh, cosine(a) * sinh))


def ends_of_sine(x: Complex, result: Complex) -> Complex:
    """The sine, with its values at zeros, infinities and NaN."""
    (a, b), (real, imag) = x, result
    real = pick(equal(a, 0.0), a, real)
    open_ = pick(is_infinite(b), absolute(b), pick(equal(b, 0.0), b, imag))
    return real, pick(is_nan(imag), open_, imag)


def complex_cosine(x: Complex) -> Complex:
    """``cos(a) cosh(b) - sin(a) sinh(b) i``."""
    a, b = x
    sinh, cosh = hyperbolic(b)
    return ends_of_cosine(x, (cosine(a) * cosh, -(sine(a) * sinh)))


def ends_of_cosine(x: Complex, result: Complex) -> Complex:
    """The cosine, with its values at zeros, infinities and NaN."""
    (a, b), (real, imag) = x, result
    real = pick(is_infinite(b) & is_nan(real), absolute(b), real)
    open_ = pick(equal(a, 0.0), a, pick(equal(b, 0.0), absolute(b), imag))
    return real, pick(is_nan(imag), open_, imag)


def complex_tanh(x: Complex) -> Complex:
    """``(beta rho s + t i) / (1 + beta s^2)`` with ``t = tan(b)``, ``beta = 1 + t^2``, ...

    where ``s = sinh(a)`` and ``rho = cosh(a)``.

    Source: Kahan, "Branch cuts for complex elementary functions", 1987.
    """
    a, b = x
    t = tan(b)
    s, rho = hyperbolic(a)
    beta = t * t + 1.0
    below = beta * (s * s) + 1.0
    return ends_of_tanh(x, (beta * rho * s / below, t / below))


def ends_of_tanh(x: Complex, result: Complex) -> Complex:
    """The hyperbolic tangent, with its values at zeros, infinities and NaN.

    Both parts are NaN, as in XLA, if the real part is zero and the imaginary part is not finite.
    """
    (a, b), (real, imag) = x, result
    far = is_infinite(a)
    real = pick(far, with_sign(a.table.constant(1.0, "f64"), a), real)
    imag = pick(far & is_nan(imag), with_sign(a.table.constant(0.0, "f64"), b), imag)
    real = pick(equal(a, 0.0) & less(absolute(b), INFINITY), a, real)
    return real, pick(equal(b, 0.0), b, imag)


def complex_tan(x: Complex) -> Complex:
    """``-i tanh(i x)``."""
    real, imag = complex_tanh((-x[1], x[0]))
    return imag, -real
