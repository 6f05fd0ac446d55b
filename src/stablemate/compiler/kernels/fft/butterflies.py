"""Butterflies: Fourier transforms of a few complex numbers, in registers."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.numerics.functions.arithmetic import multiply_add

Number = tuple[Expression, Expression]  # the real and the imaginary part
RADICES: Final = (
    8,
    4,
    2,
    3,
    5,
    7,
    11,
    13,
    17,
    19,
    23,
    29,
    31,
)  # the factors of lengths; even ones first


def plus(x: Number, y: Number) -> Number:
    """``x + y``."""
    return x[0] + y[0], x[1] + y[1]


def minus(x: Number, y: Number) -> Number:
    """``x - y``."""
    return x[0] - y[0], x[1] - y[1]


def conjugate(x: Number) -> Number:
    """The complex conjugate: the imaginary part with the other sign."""
    return x[0], -x[1]


def swap_parts(x: Number) -> Number:
    """The parts in each other's place: ``i`` times the conjugate of x."""
    return x[1], x[0]


def times(x: Number, y: Number) -> Number:
    """``x y``."""
    real = multiply_add(x[0], y[0], -(x[1] * y[1]))
    return real, multiply_add(x[0], y[1], x[1] * y[0])


def times_conjugate(x: Number, y: Number) -> Number:
    """``x`` times the conjugate of y."""
    real = multiply_add(x[0], y[0], x[1] * y[1])
    return real, multiply_add(x[1], y[0], -(x[0] * y[1]))


def quarter(x: Number) -> Number:
    """``-i x``: a number turned by a quarter of the circle."""
    return x[1], -x[0]


def turned_back(x: Number) -> Number:
    """``i x``."""
    return -x[1], x[0]


def butterfly(x: Sequence[Number]) -> list[Number]:
    """``sum over j of x[j] exp(-2 pi i j k / r)`` for each k."""
    match len(x):
        case 2:
            return [plus(x[0], x[1]), minus(x[0], x[1])]
        case 4:
            return of_four(x)
        case 8:
            return of_eight(x)
        case _:
            return of_odd(x)


def of_four(x: Sequence[Number]) -> list[Number]:
    """The discrete Fourier transform of 4 numbers."""
    a, b = plus(x[0], x[2]), minus(x[0], x[2])
    c, d = plus(x[1], x[3]), quarter(minus(x[1], x[3]))
    return [plus(a, c), plus(b, d), minus(a, c), minus(b, d)]


def of_eight(x: Sequence[Number]) -> list[Number]:
    """The discrete Fourier transform of 8 numbers, from two transforms of 4."""
    even, odd = of_four(x[::2]), of_four(x[1::2])
    root = sqrt(0.5)
    one, three = quarter(odd[1]), quarter(odd[3])
    rotated = [
        odd[0],
        tuple_of([(p + q) * root for p, q in zip(odd[1], one, strict=True)]),
        quarter(odd[2]),
        tuple_of([(q - p) * root for p, q in zip(odd[3], three, strict=True)]),
    ]
    sums = [plus(a, b) for a, b in zip(even, rotated, strict=True)]
    return [*sums, *(minus(a, b) for a, b in zip(even, rotated, strict=True))]


def tuple_of(parts: Sequence[Expression]) -> Number:
    """Two parts as a number."""
    real, imag = parts
    return real, imag


def of_odd(x: Sequence[Number]) -> list[Number]:
    """Of an odd count r of numbers: those of j and r - j have a factor and its conjugate."""
    count = len(x)
    half = range(1, count // 2 + 1)
    sums = [plus(x[j], x[count - j]) for j in half]
    rotated = [quarter(minus(x[j], x[count - j])) for j in half]
    total = x[0]
    for number in sums:
        total = plus(total, number)
    result: list[Number] = [total] * count
    for k in half:
        even, odd = x[0], (x[0][0] * 0.0, x[0][1] * 0.0)
        for j, plain, side in zip(half, sums, rotated, strict=True):
            angle = 2 * pi * (j * k % count) / count
            even = tuple_of(
                [multiply_add(p, cos(angle), e) for p, e in zip(plain, even, strict=True)]
            )
            odd = tuple_of([multiply_add(p, sin(angle), e) for p, e in zip(side, odd, strict=True)])
        result[k], result[count - k] = plus(even, odd), minus(even, odd)
    return result
