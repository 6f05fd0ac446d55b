"""Functions of complex numbers whose parts are ``f64`` that came from ``f32``.

So squares do not overflow or underflow, and what cancels cancels exactly.

Source: C11, Annex G, for infinities and NaN.
"""

from __future__ import annotations

from stablemate.compiler.lowering.functions import exponential as real_exponential
from stablemate.compiler.lowering.functions import logarithm as real_logarithm
from stablemate.compiler.lowering.functions.angles import atan2, cosine, sine, tan
from stablemate.compiler.lowering.functions.arithmetic import (
    absolute,
    at_most,
    equal,
    greater,
    is_infinite,
    is_nan,
    less,
    pick,
    rarely,
    root,
    with_sign,
)
from stablemate.compiler.nest.expressions import Expression

Complex = tuple[Expression, Expression]
INFINITY = float("inf")
NAN = float("nan")


def multiply(x: Complex, y: Complex) -> Complex:
    """``(a + bi)(c + di) = (ac - bd) + (ad + bc)i``, each step rounded."""
    (a, b), (c, d) = x, y
    return a * c - b * d, a * d + b * c


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


def divide(x: Complex, y: Complex) -> Complex:
    """``((ac + bd) + (bc - ad)i) / (c^2 + d^2)``."""
    (a, b), (c, d) = x, y
    square = c * c + d * d
    real, imag = (a * c + b * d) / square, (b * c - a * d) / square
    is_open = is_nan(real) & is_nan(imag)
    by_zero = equal(square, 0.0) & ((is_nan(a) & is_nan(b)) ^ a.table.bits(1, "i1"))
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


def infinities_as_ones(x: Complex) -> Complex:
    """Parts with 1 for infinity and 0 for anything else, with their signs."""
    real, imag = (
        with_sign(pick(is_infinite(part), 1.0, part * 0.0), part) for part in x
    )
    real, imag = (
        with_sign(pick(is_nan(made), 0.0, made), part)
        for made, part in zip((real, imag), x, strict=True)
    )
    return real, imag


def sign(x: Complex) -> Complex:
    """``x / abs(x)``; zero for zeros, NaN in both parts if one is NaN or infinite."""
    magnitude = modulus(x)
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
    size, real, imag = real_exponential.exponential(a), cosine(b), sine(b)
    real, imag = size * real, pick(equal(b, 0.0), b, size * imag)
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
    a, b = x
    t = root((absolute(a) + modulus(x)) * 0.5)
    zero = equal(t, 0.0)
    other = absolute(b) / pick(zero, 1.0, t * 2.0)
    other = pick(is_infinite(a), pick(is_nan(b), b, 0.0), other)
    behind = less(a, 0.0)
    real, imag = pick(behind, other, t), with_sign(pick(behind, t, other), b)
    far = is_infinite(b)
    undefined = (is_nan(a) | is_nan(b)) & (is_infinite(a) ^ a.table.bits(1, "i1"))
    real, imag = pick(undefined, NAN, real), pick(undefined, NAN, imag)
    return pick(far, INFINITY, real), pick(far, b, imag)


def reciprocal_root(x: Complex) -> Complex:
    """The conjugate of the square root, divided by the modulus."""
    real, imag = square_root(x)
    size = modulus(x)
    far, zero = is_infinite(size), equal(size, 0.0)
    divisor = pick(far | zero, 1.0, size)
    origin = x[0].table.constant(0.0, "f64")
    real = pick(far, 0.0, pick(zero, INFINITY, real / divisor))
    imag = pick(far, with_sign(origin, -x[1]), pick(zero, NAN, -imag / divisor))
    return real, imag


def exponential_minus_one(x: Complex) -> Complex:
    """``exp(x) - 1``, its real part as ``expm1(a) cos(b) - 2 sin(b / 2)^2`` where terms cancel."""
    a, b = x
    plain, imag = exponential(x)
    half = sine(b * 0.5)
    near = real_exponential.exponential_minus_one(a) * cosine(b) - half * half * 2.0
    is_near = less(absolute(a), 1.0) & less(absolute(b), INFINITY)
    return pick(is_near, near, plain - 1.0), imag


def log_plus_one(x: Complex) -> Complex:
    """``log(1 + x)``: near 1 by ``log(1 + a (2 + a) + b^2) / 2``."""
    a, b = x
    real = a + 1.0
    above = a * (a + 2.0) + b * b
    near = real_logarithm.log_plus_one(above)
    far = real_logarithm.logarithm(real * real + b * b)
    size = pick(less(absolute(above), 0.5), near, far) * 0.5
    return pick(is_far(x), INFINITY, size), atan2(b, real)


def logistic(x: Complex) -> Complex:
    """``1 / (1 + exp(-x))``; ``exp(x) / (1 + exp(x))`` where the other would overflow."""
    behind = less(x[0], 0.0)
    real, imag = exponential((pick(behind, x[0], -x[0]), pick(behind, x[1], -x[1])))
    above = pick(behind, real, 1.0), pick(behind, imag, 0.0)
    value, rest = divide(above, (real + 1.0, imag))
    return value, pick(equal(x[1], 0.0), x[1], rest)


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
    real = pick(equal(a, 0.0), a, sine(a) * cosh)
    imag = cosine(a) * sinh
    imag = pick(is_infinite(b) & is_nan(imag), b, imag)
    return real, pick(equal(b, 0.0), b, imag)


def complex_cosine(x: Complex) -> Complex:
    """``cos(a) cosh(b) - sin(a) sinh(b) i``."""
    a, b = x
    sinh, cosh = hyperbolic(b)
    real = cosine(a) * cosh
    imag = -(sine(a) * sinh)
    real = pick(is_infinite(b) & is_nan(real), absolute(b), real)
    zero = -(with_sign(with_sign(a.table.constant(0.0, "f64"), a) * 1.0, a))
    zero = pick(less(with_sign(a.table.constant(1.0, "f64"), b), 0.0), -zero, zero)
    return real, pick(equal(a, 0.0) | equal(b, 0.0), zero, imag)


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
    real, imag = beta * rho * s / below, t / below
    far = is_infinite(a)
    real = pick(far, with_sign(a.table.constant(1.0, "f64"), a), real)
    imag = pick(far & is_nan(imag), with_sign(a.table.constant(0.0, "f64"), b), imag)
    return pick(equal(a, 0.0), a, real), pick(equal(b, 0.0), b, imag)


def complex_tan(x: Complex) -> Complex:
    """``-i tanh(i x)``."""
    real, imag = complex_tanh((-x[1], x[0]))
    return imag, -real
