"""Functions of complex numbers whose parts are any ``f64``.

Nothing overflows or underflows on the way to parts that do not, and what may cancel is summed in
twice the precision. Infinities and NaN are those of ``complex_functions``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions import complex_functions as plain
from stablemate.compiler.lowering.functions import exponential as real_exponential
from stablemate.compiler.lowering.functions.angles import (
    atan2,
    cosine,
    cosine_pair,
    sine,
    sine_pair,
)
from stablemate.compiler.lowering.functions.arithmetic import Pair, shift_bits
from stablemate.compiler.lowering.functions.complex_functions import Complex, scale_parts, two_to
from stablemate.compiler.lowering.functions.logarithm import log_plus_one, logarithm
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_most,
    choice,
    distill,
    equal,
    fast_two_sum,
    greater,
    is_infinite,
    is_nan,
    less,
    multiply_add,
    pick,
    quotient_of,
    rarely,
    residue,
    root,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.hyperbolic import half_of_powers

FAR: Final = 700.0  # beyond, exponentials are taken of numbers nearer by NEARER, and grown again
NEARER: Final = 752.0
MOST: Final = 1460.0  # exp(MOST) is infinite even when it is multiplied by a denormal number
GROWTH: Final = (  # exp(NEARER / 2), in two parts
    float.fromhex("0x1.5e8406cea7625p+542"),
    float.fromhex("0x1.0dc29251933d1p+488"),
)
DECAY: Final = (  # exp(-NEARER / 2)
    float.fromhex("0x1.75f0bf938a647p-543"),
    float.fromhex("0x1.45d6acf8f84ddp-597"),
)
ALMOST_ONE: Final = 22.0  # tanh of more is 1
SMALL: Final = 2.0**-28  # sinh(t) is t below it
TINY: Final = 2.0**-900  # products with less are computed scaled, so that no bit is lost


# ---- exponentials


def scale_exponential(a: Expression, part: Expression, factor: float = 1.0) -> Expression:
    """``exp(a) part factor``, where the factor is a power of two; the part is at most 2."""
    is_far = greater(absolute(a), FAR)
    near = pick(is_far, 0.0, a)
    power, rest = real_exponential.with_rest(near)
    usual = multiply_add(power, part, rest * part) * factor
    return rarely(is_far, grown_far(a, part, factor), usual)


def grown_far(a: Expression, part: Expression, factor: float) -> Expression:
    """The same where the exponential alone may not be a number."""
    is_up = greater(a, 0.0)
    nearer = pick(is_up, at_most(a, MOST) - NEARER, a + NEARER)
    is_tiny = less(absolute(part), TINY)
    scale, back = choice(is_tiny, 2.0**200, 1.0, a), choice(is_tiny, 2.0**-200, 1.0, a)
    high, low = (choice(is_up, up, down, a) for up, down in zip(GROWTH, DECAY, strict=True))
    once = scaled_pair(two_product(real_exponential.exponential(nearer), part * scale), (high, low))
    product, rest = scaled_pair((once[0] * back * factor, once[1] * back * factor), (high, low))
    return pick(equal(rest, 0.0), product, product + rest)  # zeros keep their signs


def scaled_pair(value: Pair, factor: Pair) -> Pair:
    """A product of two pairs; infinities, and the signs of zeros, stay."""
    product, lost = two_product(value[0], factor[0])
    is_exact = is_infinite(product) | equal(value[0], 0.0) | is_nan(product)
    rest = lost + multiply_add(value[0], factor[1], value[1] * factor[0])
    return product, pick(is_exact, 0.0, rest)


def exponential(x: Complex) -> Complex:
    """``exp(a) (cos(b) + sin(b) i)``."""
    a, b = x
    return plain.ends_of_exponential(
        x, (scale_exponential(a, cosine(b)), scale_exponential(a, sine(b)))
    )


# ---- circular and hyperbolic functions


def hyperbolic(t: Expression) -> tuple[Pair, Pair]:
    """``sinh(t)`` and ``cosh(t)`` of a number from 0 to FAR, in two parts."""
    sinh, cosh = (
        fast_two_sum(*half_of_powers(at_most(t, FAR), is_odd=is_odd)) for is_odd in (True, False)
    )
    is_small = less(t, SMALL)
    sinh = pick(is_small, t, sinh[0] * 2.0), pick(is_small, 0.0, sinh[1] * 2.0)
    return sinh, (cosh[0] * 2.0, cosh[1] * 2.0)


def products(circular: tuple[Pair, Pair], b: Expression) -> Complex:
    """The first pair times ``cosh(b)``, and the second one times ``sinh(b)``."""
    t = absolute(b)
    sinh, cosh = hyperbolic(t)
    first, second = circular
    is_far = greater(t, FAR)
    real = rarely(is_far, grown_far(t, rounded_pair(first), 0.5), rounded_product(first, cosh))
    imag = rarely(is_far, grown_far(t, rounded_pair(second), 0.5), rounded_product(second, sinh))
    return real, imag * with_sign(b.table.constant(1.0, "f64"), b)


def rounded_pair(x: Pair) -> Expression:
    """The sum of both parts; zeros keep their signs."""
    return pick(equal(x[0], 0.0), x[0], x[0] + x[1])


def rounded_product(x: Pair, y: Pair) -> Expression:
    """A product of two pairs; infinities, and the signs of zeros, stay."""
    product = x[0] * y[0]
    is_exact = is_infinite(product) | equal(product, 0.0)
    rest = multiply_add(x[0], y[1], x[1] * y[0])
    return pick(is_exact, product, multiply_add(x[0], y[0], rest))


def complex_sine(x: Complex) -> Complex:
    """``sin(a) cosh(b) + cos(a) sinh(b) i``."""
    a, b = x
    return plain.ends_of_sine(x, products((sine_pair(a), cosine_pair(a)), b))


def complex_cosine(x: Complex) -> Complex:
    """``cos(a) cosh(b) - sin(a) sinh(b) i``."""
    a, b = x
    real, imag = products((cosine_pair(a), sine_pair(a)), b)
    return plain.ends_of_cosine(x, (real, -imag))


def complex_tanh(x: Complex) -> Complex:
    """``(sinh(a) cosh(a) + sin(b) cos(b) i) / (sinh(a)^2 + cos(b)^2)``.

    Sines and cosines are pairs; far out the parts are 1 and ``4 exp(-2 a) sin(b) cos(b)``.
    """
    a, b = x
    t = absolute(a)
    is_tiny = less(t, TINY)
    lift, back = choice(is_tiny, 2.0**400, 1.0, t), choice(is_tiny, 2.0**-400, 1.0, t)
    (s, s_rest), (c, c_rest) = hyperbolic(at_most(t, ALMOST_ONE))
    (sin, sin_rest), (cos, cos_rest) = sine_pair(b), cosine_pair(b)
    (p, p_rest), (q, q_rest) = two_product(s, s), two_product(cos, cos)
    below, below_rest = two_sum(p, q)
    below_rest = below_rest + (p_rest + q_rest + (s * s_rest + cos * cos_rest) * 2.0)
    above, above_rest = two_product(s * lift, c)
    above_rest = above_rest + (s * lift * c_rest + c * s_rest)
    turned, turned_rest = two_product(sin, cos)
    turned_rest = turned_rest + (sin * cos_rest + cos * sin_rest)
    real, real_rest = quotient_of(above, below, above_rest, below_rest)
    imag, imag_rest = quotient_of(turned, below, turned_rest, below_rest)
    is_far = greater(t, ALMOST_ONE)
    one = cos * 0.0 + 1.0  # NaN stays
    size = pick(is_far, one, (real + real_rest) * back)
    near = pick(equal(sin, 0.0), imag, imag + imag_rest)  # zeros keep their signs
    far = scale_exponential(
        t * -2.0, pick(equal(sin, 0.0), turned, turned + turned_rest) * 2.0, 2.0
    )
    imag = rarely(is_far, far, near)
    return plain.ends_of_tanh(x, (with_sign(size, a), imag))


def complex_tan(x: Complex) -> Complex:
    """``-i tanh(i x)``."""
    real, imag = complex_tanh((-x[1], x[0]))
    return imag, -real


# ---- roots


class Roots(NamedTuple):
    """The parts of the square root of a number, up to a power of two.

    Attributes:
        size: The modulus of the number, in two parts.
        larger: ``sqrt((abs(a) + size) / 2)``, in two parts.
        half: Half of ``abs(b)``, which may be enlarged, and the power of two that undoes it.
        exponent: That of the power of two by which the root has to be multiplied.
    """

    size: Pair
    larger: Pair
    half: tuple[Expression, Expression]
    exponent: Expression


def roots(x: Complex) -> Roots:
    """The parts of a square root, of numbers between 1 and 4, or a denormal one."""
    a, b, exponent = scale_parts(x)
    half = shift_bits("ashr", exponent, 1)
    is_odd = two_to(exponent - half - half)
    a, b = absolute(a * is_odd), absolute(b * is_odd)
    is_tiny = less(b, 2.0**-700)
    lift, back = choice(is_tiny, 2.0**600, 1.0, a), choice(is_tiny, 2.0**-600, 1.0, a)
    enlarged = absolute(x[1]) * lift * two_to(0 - exponent) * (is_odd * 0.5)
    steep = less(a, b)
    m, n = pick(steep, b, a), pick(steep, a, b)
    (p, p_rest), (q, q_rest) = two_product(m, m), two_product(n, n)
    total, rest = fast_two_sum(p, q)
    size, size_rest = root_of((total, rest + (p_rest + q_rest)))
    total, rest = two_sum(a, size)
    larger = root_of((total * 0.5, (rest + size_rest) * 0.5))
    return Roots((size, size_rest), larger, (enlarged, back), half)


def square_root(x: Complex) -> Complex:
    """``t + b / (2 t) i`` with ``t = sqrt((abs(a) + abs(x)) / 2)``; exchanged if a is negative."""
    _, (t, t_rest), (half, back), exponent = roots(x)
    is_zero = equal(t, 0.0)
    cross, rest = quotient_of(half, pick(is_zero, 1.0, t), 0.0, t_rest)
    scale = two_to(exponent)
    larger = pick(plain.is_far(x), plain.INFINITY, (t + t_rest) * scale)
    return plain.ends_of_root(x, (larger, (cross + rest) * scale * back))


def reciprocal_root(x: Complex) -> Complex:
    """``t / s - b / (2 t s) i`` with the modulus s and ``t = sqrt((abs(a) + s) / 2)``.

    All are pairs; the parts are exchanged if a is negative.
    """
    (s, s_rest), (t, t_rest), (half, back), exponent = roots(x)
    above, above_rest = quotient_of(t, s, t_rest, s_rest)
    product, product_rest = two_product(t, s)
    product_rest = product_rest + (t * s_rest + s * t_rest)
    below, below_rest = quotient_of(half, product, 0.0, product_rest)
    scale = two_to(0 - exponent)
    parts = (above + above_rest) * scale, (below + below_rest) * scale * back
    return plain.ends_of_reciprocal_parts(x, parts)


def root_of(x: Pair) -> Pair:
    """The square root of a positive pair; its rest is 0 for zero."""
    value = root(x[0])
    is_zero = equal(value, 0.0)
    rest = (x[1] - residue(value, value, x[0])) / pick(is_zero, 1.0, value * 2.0)
    return value, pick(is_zero, 0.0, rest)


# ---- logarithms


def logarithm_of(x: Complex) -> Complex:
    """``log(abs(x)) + atan2(b, a) i``; near 1 by the excess of the square of the modulus."""
    a, b = absolute(x[0]), absolute(x[1])
    steep = less(a, b)
    m, n = pick(steep, b, a), pick(steep, a, b)
    (p, p_rest), (q, q_rest) = two_product(m, m), two_product(n, n)
    one = a.table.constant(-1.0, "f64")
    excess = total_of([one, p, q, p_rest, q_rest])
    return log_by(x, excess, m, n, (-0.5, 3.0)), atan2(x[1], x[0])


def log_by(
    x: Complex, excess: Expression, m: Expression, n: Expression, near_one: tuple[float, float]
) -> Expression:
    """``log(m^2 + n^2) / 2``, by the excess of the sum over one if that is between two numbers."""
    is_large, is_small = greater(m, 2.0**500), less(m, 2.0**-500)
    scale = choice(is_large, 2.0**-600, 1.0, m) * choice(is_small, 2.0**600, 1.0, m)
    back = choice(is_large, 600.0, 0.0, m) - choice(is_small, 600.0, 0.0, m)
    m, n = m * scale, n * scale
    far = logarithm(multiply_add(m, m, n * n)) * 0.5
    far = far + (back * LN2[0] + back * LN2[1])
    is_near = greater(excess, near_one[0]) & less(excess, near_one[1])
    near = log_plus_one(pick(is_near, excess, 0.0)) * 0.5
    return pick(plain.is_far(x), plain.INFINITY, pick(is_near, near, far))


LN2: Final = (0.6931471805599453, 2.3190468138462996e-17)


def total_of(terms: list[Expression]) -> Expression:
    """A sum of numbers that may cancel; see ``distill``."""
    high, rest = distill(terms)
    return high + rest


def log_plus_one_of(x: Complex) -> Complex:
    """``log(1 + x)``: near 1 by ``log(1 + 2 a + a^2 + b^2) / 2``.

    Below 1/4 ``1 + a`` is exact; above 9 its rounding is far less than a unit of the logarithm.
    """
    a, b = x
    is_tiny = less(absolute(a), 2.0**-400) & less(absolute(b), 2.0**-200)
    scale = choice(is_tiny, 2.0**300, 1.0, a)
    near_one = less(absolute(a), 4.0) & less(absolute(b), 4.0)
    c, d = pick(near_one, a, 0.0) * scale, pick(near_one, b, 0.0) * scale
    (p, p_rest), (q, q_rest) = two_product(c, c), two_product(d, d)
    excess = total_of([c * scale * 2.0, q, p, q_rest, p_rest])
    excess = excess * choice(is_tiny, 2.0**-300, 1.0, a) * choice(is_tiny, 2.0**-300, 1.0, a)
    excess = pick(near_one, excess, plain.INFINITY)
    real = a + 1.0
    m, n = absolute(real), absolute(b)
    steep = less(m, n)
    size = log_by((real, b), excess, pick(steep, n, m), pick(steep, m, n), (-0.75, 8.0))
    size = pick(equal(a, 0.0) & equal(b, 0.0), 0.0, size)
    return size, atan2(b, real)
