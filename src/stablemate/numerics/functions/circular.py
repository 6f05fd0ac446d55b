"""Sine and cosine of small angles."""

from __future__ import annotations

from stablemate.numerics.functions.arithmetic import multiply_add, polynomial
from stablemate.numerics.functions.formats import FloatFormat
from stablemate.numerics.functions.number import N, Pair


def sine_near(r: N, rest: N, fmt: FloatFormat) -> Pair[N]:
    """The sine of ``r + rest``, at most an eighth turn: two numbers, the first one larger."""
    z = r * r
    return r, multiply_add(z * r, polynomial(z, fmt.sin), rest)


def cosine_near(r: N, rest: N, fmt: FloatFormat) -> Pair[N]:
    """The cosine of ``r + rest``, at most an eighth turn: two numbers, the first one larger."""
    z = r * r
    half = z * 0.5
    near = 1.0 - half
    lost = (1.0 - near) - half
    small = multiply_add(r, -rest, lost)
    return near, multiply_add(z * z, polynomial(z, fmt.cos), small)
