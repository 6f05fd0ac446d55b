"""exp, exp - 1, and functions of them: logistic, tanh."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import (
    Pair,
    format_of,
    fused_multiply_add,
    shift_bits,
)
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    fast_two_sum,
    float_of,
    less,
    multiply_add,
    pick,
    polynomial,
    quotient_by_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import FloatFormat

# x^3 / (tanh(x) - x) of x^2, abs(x) <= 1; 2^-28.7 of tanh(x). It has no pole nearer than -20.
TANH: Final = (-3.0000007152557373, -1.1999927759170532, 0.00569185009226203,
               -0.00022641314717475325)  # fmt: skip
# (exp(r) - 1 - r) / r^2 of f32 for abs(r) <= log(2) / 2; 2^-33.1
EXPM1: Final = (0.5, 0.1666666716337204, 0.041666463017463684, 0.008333204314112663,
                0.001393509446643293, 0.00019947654800489545)  # fmt: skip
# From there on, the function rounds to 1 in f32.
TANH_SATURATION: Final = 10.0
LOGISTIC_SATURATION: Final = 18.0


def exponential(x: Expression) -> Expression:
    """``exp(x) = 2^n exp(r)``, n the integer that is nearest to x / log(2).

    Zero is not computed where it would underflow, which takes a hundred times as long on some
    processors: masked softmax takes it of many large negative numbers.
    """
    low, high = format_of(x).exponents
    is_zero = less(x, low)
    return pick(is_zero, 0.0, of_clamped(at_most(pick(is_zero, 0.0, x), high)))


def exponential_of_negative(x: Expression) -> Expression:
    """``exp(x)`` of a number that is not positive, or NaN; zero where it would be below 2^-125.

    The error is below 1 unit in the last place.
    """
    fmt = format_of(x)
    shift = fmt.rounder + fmt.bias
    sum_with_n = multiply_add(x, fmt.log2e, shift)
    power = of_rest(reduce_exponent(x, sum_with_n - shift))
    scale = power_of_two(bits_of(sum_with_n), fmt.mantissa)
    return pick(less(x, log_of_two(fmt) * (1.5 - fmt.bias)), 0.0, power * scale)


def log_of_two(fmt: FloatFormat) -> float:
    """log(2)."""
    return sum(fmt.ln2)


def of_clamped(x: Expression, rest: Expression | None = None) -> Expression:
    """``exp(x + rest)`` of a number that is between ``exponents``."""
    r, lower, upper = halves(x)
    if rest is not None:
        r = r + rest
    return (of_rest(r) * lower) * upper


def of_rest(r: Expression) -> Expression:
    """``exp(r)`` of a small number; of ``f64`` with what ``1 + r`` loses.

    For ``f32`` Horner's rule is accurate enough, to its last step.
    """
    coefficients = format_of(r).exp
    if r.type == "f32":
        return fused_multiply_add(multiply_add(polynomial(r, coefficients), r, 1.0), r, 1.0)
    total, lost = fast_two_sum(r.table.constant(1.0, r.type), r)
    return total + multiply_add(r * r, polynomial(r, coefficients), lost)


def with_rest(x: Expression) -> Pair:
    """``exp(x)`` of a number that is between ``exponents``, in twice the precision.

    All but what r loses, a quarter of a unit in the last place, is made up for.
    """
    r, lower, upper = halves(x)
    total, lost = fast_two_sum(x.table.constant(1.0, x.type), r)
    total, more = fast_two_sum(total, (r * r) * polynomial(r, format_of(x).exp))
    return (total * lower) * upper, ((lost + more) * lower) * upper


def halves(x: Expression) -> tuple[Expression, Expression, Expression]:
    """``r`` and two powers of two whose product is ``2^n``, with ``x = n log(2) + r``."""
    fmt = format_of(x)
    # Its last bits are n + 2 bias, of which both halves are exponents.
    sum_with_n = multiply_add(x, fmt.log2e, fmt.rounder + 2 * fmt.bias)
    n = sum_with_n - (fmt.rounder + 2 * fmt.bias)
    bits = bits_of(sum_with_n)
    half = shift_bits("lshr", bits, 1)
    lower, upper = power_of_two(half, fmt.mantissa), power_of_two(bits - half, fmt.mantissa)
    return reduce_exponent(x, n), lower, upper


def power_of_two(exponent: Expression, mantissa: int) -> Expression:
    """The power of two that has the last bits of an integer as its exponent."""
    return float_of(shift_bits("shl", exponent, mantissa))


def reduce_exponent(x: Expression, n: Expression) -> Expression:
    """``x - n log(2)``."""
    high, low = format_of(x).ln2
    return multiply_add(n, -low, multiply_add(n, -high, x))


def exponential_minus_one(x: Expression) -> Expression:
    """``exp(x) - 1``, where x is small too."""
    fmt = format_of(x)
    clamped = at_most(at_least(x, fmt.vanishing), fmt.exponents[1])
    small = less(absolute(x), 2.0 ** -(fmt.mantissa + 2))
    total, rest = in_units(clamped, 0.5)
    return pick(small, x, (total + rest) * 2.0)


def in_units(x: Expression, unit: float) -> Pair:
    """``exp(x) - 1 = s - 1 + s (exp(r) - 1)`` with ``s = 2^n``, all times 1 or 1/2.

    Half of it is finite where it is nearly too large; all of it does not lose a bit of a denormal.
    """
    fmt = format_of(x)
    shift = fmt.rounder + fmt.bias - (1 if unit < 1 else 0)
    sum_with_n = multiply_add(x, fmt.log2e, shift)
    n = sum_with_n - shift
    scale = power_of_two(bits_of(sum_with_n), fmt.mantissa)
    high, low = fmt.ln2
    upper = multiply_add(n, -high, x)
    r = multiply_add(n, -low, upper)
    rest = multiply_add(n, -low, upper - r)
    coefficients = EXPM1 if fmt.name == "f32" else fmt.exp
    tail = multiply_add(r * r, polynomial(r, coefficients), rest)
    if unit < 1:  # and n may be large
        shifted_scale, fraction = fast_two_sum(scale, x.table.constant(-unit, x.type))
        total, lost = fast_two_sum(shifted_scale, scale * r)
        return total, multiply_add(scale, tail, lost + fraction)
    total, lost = fast_two_sum(scale - unit, scale * r)
    return total, multiply_add(scale, tail, lost)


def logistic(x: Expression) -> Expression:
    """``1 / (1 + exp(-x))``; ``exp(x) / (1 + exp(x))`` where that is small."""
    fmt = format_of(x)
    if fmt.name == "f32":
        return logistic_of_single(x)
    magnitude = at_least(-absolute(x), fmt.exponents[0])
    negative = less(x, 0.0)
    small, rest = with_rest(magnitude)
    return quotient_by_sum(pick(negative, small, 1.0), 1.0, small, pick(negative, rest, 0.0), rest)


def logistic_of_single(x: Expression) -> Expression:
    """``c / (c + s (1 + w))`` of an ``f32``, with ``exp(-x) = (1 + w) s / c`` and ``c = 2^-64``.

    So no power of two is too large or too small. A step of Newton's iteration makes good what sum
    and quotient q lose: ``1 - q c - q s - q s w``, the larger one of the first two before the other
    one. Without its last bit q is short enough for differences from 1 to be exact.
    """
    fmt, unit = format_of(x), 2.0**-64
    clamped = at_most(at_least(x, fmt.exponents[0]), LOGISTIC_SATURATION)
    shift = fmt.rounder + fmt.bias - 64.0
    sum_with_n = multiply_add(clamped, -fmt.log2e, shift)
    scale = power_of_two(bits_of(sum_with_n), fmt.mantissa)
    r = reduce_exponent(-clamped, sum_with_n - shift)
    w = fused_multiply_add(r * polynomial(r, fmt.exp), r, r)
    q = 1.0 / multiply_add(w + 1.0, scale, unit)
    q = float_of(bits_of(q) & 0xFFFF_FFFE)
    rest = multiply_add(-q, at_least(scale, unit), 1.0)
    rest = fused_multiply_add(-(q * scale), w, rest)
    rest = multiply_add(-q, at_most(scale, unit), rest)
    return multiply_add(q, rest, q) * unit


def tanh(x: Expression) -> Expression:
    """``-e / (e + 2)`` with ``e = exp(-2 |x|) - 1``, and the sign of x."""
    fmt = format_of(x)
    if fmt.name == "f32":
        return with_sign(tanh_of_single(absolute(x), x), x)
    total, rest = in_units(at_least(absolute(x) * -2.0, fmt.vanishing), 1.0)
    e, rest = fast_two_sum(total, rest)
    return with_sign(quotient_by_sum(e, 2.0, e, rest, rest), x)


def tanh_of_single(magnitude: Expression, x: Expression) -> Expression:
    """``tanh(x)`` of an ``f32``, but for its sign: ``a + a b / c``.

    From 1 on it is ``1 - 2 / (1 + exp(2 x))``: what that loses is little where the result is near
    1. Below it is ``x + x x^2 / polynomial(x^2)``.
    """
    fmt = format_of(x)
    shift = fmt.rounder + fmt.bias
    clamped = at_most(magnitude, TANH_SATURATION)
    sum_with_n = multiply_add(clamped, 2.0 * fmt.log2e, shift)
    half = multiply_add(sum_with_n - shift, -0.5 * log_of_two(fmt), clamped)
    power = polynomial(half, [c * 2.0**k for k, c in enumerate((1.0, 1.0, *fmt.exp))])
    scale = power_of_two(bits_of(sum_with_n), fmt.mantissa)
    small, z = less(magnitude, 1.0), x * x
    divisor = pick(small, polynomial(z, TANH), multiply_add(power, scale, 1.0))
    a = at_most(magnitude, 1.0)
    return fused_multiply_add(a, pick(small, z, -2.0) / divisor, a)
