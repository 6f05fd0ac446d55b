"""Functions in double-double arithmetic: exponentials, logarithms, angles.

The relative error of each is about 2^-95 for every finite operand.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.numerics.double_doubles.arithmetic import DoubleDouble, Doubles, sqrt
from stablemate.numerics.elements import Array

STEPS: Final = 32  # exponentials and sines of multiples of log(2) / 32 and pi / 32 come from tables
DIGITS: Final = 1300  # bits of pi and log(2), enough to reduce the largest number
LARGE: Final = 2.0**20  # angles from here on are reduced in integers
TERMS: Final = 5  # of a series that are summed in double-double; 64 bits suffice for the rest


def reciprocal_powers(base: int, sign: int, one: int) -> int:
    """``sum(sign^k base^-(2k + 1) / (2k + 1))``, in units of ``1 / one``."""
    term = one // base
    total, k = term, 1
    while term:
        term = sign * term // (base * base)
        total, k = total + term // (2 * k + 1), k + 1
        if term in (0, -1):
            break
    return total


@cache
def pi() -> int:
    """``pi * 2^DIGITS``, by Machin's formula."""
    one = 1 << (DIGITS + 64)
    quarter = 4 * reciprocal_powers(5, -1, one) - reciprocal_powers(239, -1, one)
    return (4 * quarter) >> 64


@cache
def log_two() -> int:
    """``log(2) * 2^DIGITS``, as ``2 atanh(1 / 3)``."""
    return (2 * reciprocal_powers(3, 1, 1 << (DIGITS + 64))) >> 64


class SplitConstant(NamedTuple):
    """A constant as the sum of two short numbers, whose products are exact, and the rest."""

    short: float
    next: float
    rest: DoubleDouble


def split_constant(number: Fraction, bits: int) -> SplitConstant:
    """A number below 1 as parts, two of which have few bits."""
    short = Fraction(math.floor(number * (1 << bits)), 1 << bits)
    following = Fraction(math.floor((number - short) * (1 << 2 * bits)), 1 << 2 * bits)
    return SplitConstant(
        float(short), float(following), DoubleDouble.of(number - short - following)
    )


class ReductionTables(NamedTuple):
    """Tables for argument reduction.

    Attributes:
        log_two: log(2) / STEPS.
        angle: pi / STEPS.
        powers: 2^(j / STEPS), 0 <= j < STEPS.
        sines: sin(pi j / STEPS), 0 <= j < 2 STEPS.
    """

    log_two: SplitConstant
    angle: SplitConstant
    powers: tuple[Doubles, Doubles]
    sines: tuple[Doubles, Doubles]


@cache
def tables() -> ReductionTables:
    """The tables, computed in integers on first use."""
    one = 1 << 200
    ratio, turn = Fraction(log_two(), 1 << DIGITS) / STEPS, Fraction(pi(), 1 << DIGITS) / STEPS
    powers = [series(ratio * j, 1, 1, one) for j in range(STEPS)]
    quarter = [series(turn * j, 1, -1, one, odd=True) for j in range(STEPS // 2 + 1)]
    half = [*quarter, *quarter[-2:0:-1]]
    sines = [*half, *(-sine for sine in half)]
    return ReductionTables(
        split_constant(ratio, 30), split_constant(turn, 29), table_of(powers), table_of(sines)
    )


def series(x: Fraction, first: int, sign: int, one: int, *, odd: bool = False) -> Fraction:
    """The series of e^x, or of its odd terms, which with alternating signs is that of the sine."""
    scaled = math.floor(x * one)
    term, total, k = one, 0, 0
    while term:
        if not odd:
            total += term
        elif k % 2:
            total += term * sign ** (k // 2)
        k += 1
        term = term * scaled // one // k
    return Fraction(total, one)


def table_of(numbers: list[Fraction]) -> tuple[Doubles, Doubles]:
    """Numbers as tables of high and low parts."""
    high = [float(number) for number in numbers]
    low = [float(number - Fraction(h)) for number, h in zip(numbers, high, strict=True)]
    return np.array(high), np.array(low)


def table_entries(table: tuple[Doubles, Doubles], index: Array) -> DoubleDouble:
    """The entries of a table."""
    return DoubleDouble(table[0][index], table[1][index])


def taylor(x: DoubleDouble, coefficients: list[Fraction]) -> DoubleDouble:
    """``c0 + c1 x + c2 x^2 + ...`` for small x; later terms need not be as exact."""
    value = x.value
    late = np.zeros_like(value)
    for coefficient in reversed(coefficients[TERMS:]):
        late = float(coefficient) + value * late
    result = DoubleDouble(late)
    for coefficient in reversed(coefficients[:TERMS]):
        result = DoubleDouble.of(coefficient) + x * result
    return result


EXP_SERIES: Final = [Fraction(1, math.factorial(k + 1)) for k in range(12)]
SIN_SERIES: Final = [Fraction((-1) ** k, math.factorial(2 * k + 3)) for k in range(9)]
COS_SERIES: Final = [Fraction((-1) ** k, math.factorial(2 * k + 2)) for k in range(9)]


def reduce_argument(x: DoubleDouble, step: SplitConstant, count: Array) -> DoubleDouble:
    """``x - count * step``."""
    return (
        (x - DoubleDouble(count * step.short)) - DoubleDouble(count * step.next)
    ) - DoubleDouble(count) * step.rest


def exp_parts(x: DoubleDouble) -> tuple[DoubleDouble, DoubleDouble]:
    """A factor a and a small b with ``exp(x) = a (1 + b)``; numbers out of range are clipped."""
    bound = 1e5
    value = np.clip(x.value, -bound, bound)
    x = x.where(np.abs(x.value) < bound, DoubleDouble(value))
    table = tables()
    count = np.rint(value * (STEPS / math.log(2)))
    rest = reduce_argument(x, table.log_two, count)
    index = count.astype(np.int64)
    factor = table_entries(table.powers, index % STEPS).scale(index // STEPS)
    return factor, rest * taylor(rest, EXP_SERIES)


def exp(x: DoubleDouble) -> DoubleDouble:
    """e^x."""
    factor, more = exp_parts(x)
    return factor + factor * more


def expm1(x: DoubleDouble) -> DoubleDouble:
    """e^x - 1."""
    factor, more = exp_parts(x)
    return (factor - 1.0) + factor * more


def log1p(x: DoubleDouble) -> DoubleDouble:
    """``log(1 + x)`` for -1/2 < x < 1: an approximation, and a correction."""
    start = DoubleDouble(np.log1p(x.value))
    start = start.where(x.exponent > -500, x)
    excess = expm1(-start)
    rest = (x + excess) + x * excess
    return start + (rest - rest * rest * 0.5)


def log(x: DoubleDouble) -> DoubleDouble:
    """The natural logarithm of positive numbers."""
    is_low = x.high < math.sqrt(0.5)
    exponent = np.where(x.is_zero, 0, x.exponent - is_low)
    mantissa = DoubleDouble(x.high, x.low, np.where(is_low, 1, 0))
    step = tables().log_two
    count = exponent * float(STEPS)
    return log1p(mantissa - 1.0) + (
        DoubleDouble(count * step.short)
        + DoubleDouble(count * step.next)
        + DoubleDouble(count) * step.rest
    )


def sin_cos(x: DoubleDouble) -> tuple[DoubleDouble, DoubleDouble]:
    """Computes sine and cosine at once, from one reduction of the angle."""
    table = tables()
    rest, index = reduce_angle(x)
    square = rest * rest
    sine = rest - rest * (square * taylor(square, SIN_SERIES))
    cosine = 1.0 - square * taylor(square, COS_SERIES)
    table_sine = table_entries(table.sines, index % (2 * STEPS))
    table_cosine = table_entries(table.sines, (index + STEPS // 2) % (2 * STEPS))
    return table_sine * cosine + table_cosine * sine, table_cosine * cosine - table_sine * sine


def reduce_angle(x: DoubleDouble) -> tuple[DoubleDouble, Array]:
    """``x - count * pi / STEPS`` and the count, modulo a full turn."""
    value = x.value
    is_large = np.abs(value) >= LARGE
    near = x.where(~is_large, 0.0)
    count = np.rint(near.value * (STEPS / math.pi))
    rest, index = reduce_argument(near, tables().angle, count), count.astype(np.int64)
    if not np.any(is_large):
        return rest, index
    shape = np.shape(value)
    high, low, places = (
        np.broadcast_to(np.asarray(part), shape).ravel().copy()
        for part in (rest.high, rest.low, index)
    )
    exponent = np.broadcast_to(rest.exponent, shape).ravel().copy()
    flat = [np.broadcast_to(part, shape).ravel() for part in (x.high, x.low, x.exponent)]
    for i in np.flatnonzero(is_large):
        angle, places[i] = reduce_angle_exactly(*(part[i] for part in flat))
        high[i], low[i], exponent[i] = angle.high, angle.low, angle.exponent
    result = DoubleDouble.__new__(DoubleDouble)
    result.high, result.low, result.exponent = (
        part.reshape(shape) for part in (high, low, exponent)
    )
    return result, places.reshape(shape)


def reduce_angle_exactly(high: Any, low: Any, exponent: Any) -> tuple[DoubleDouble, int]:
    """The same for one number, in integers."""
    number = (Fraction(float(high)) + Fraction(float(low))) * Fraction(2) ** int(
        min(exponent, 1100)
    )
    turn = 2 * STEPS
    scaled = math.floor(number * (1 << DIGITS)) * STEPS
    count = (2 * scaled + pi()) // (2 * pi())
    rest = Fraction(scaled - count * pi(), STEPS << DIGITS)
    return DoubleDouble.of(rest), count % turn


def atan2(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble:
    """The angle of the point (x, y): an approximation, and a correction."""
    exponent = np.maximum(np.maximum(x.exponent, y.exponent), -(1 << 30))
    near_y, near_x = y.scale(-exponent), x.scale(-exponent)
    start = DoubleDouble(np.arctan2(near_y.value, near_x.value))
    sine, cosine = sin_cos(start)
    tangent = (near_y * cosine - near_x * sine) / (near_x * cosine + near_y * sine)
    angle = start + tangent
    is_flat = (y.exponent < x.exponent - 300) & (x.high > 0)
    return (y / x.where(~x.is_zero, 1.0)).where(is_flat, angle)


def hypot(x: DoubleDouble, y: DoubleDouble) -> DoubleDouble:
    """``sqrt(x^2 + y^2)``."""
    return sqrt(x * x + y * y)


PI: Final = Fraction(pi(), 1 << DIGITS)


def cbrt(x: DoubleDouble) -> DoubleDouble:
    """The cube root of numbers that are not negative."""
    shift = np.where(x.is_zero, 0, x.exponent % 3)
    start = DoubleDouble(np.cbrt(np.ldexp(x.high, shift.astype(np.int32))))
    mantissa = DoubleDouble(x.high, x.low, shift)
    square = start * start
    root = start - (square * start - mantissa) / (square * 3.0).where(~x.is_zero, 1.0)
    return root.scale(np.where(x.is_zero, 0, (x.exponent - shift) // 3))
