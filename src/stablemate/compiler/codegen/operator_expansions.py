"""Expands operators for which a target has no instruction.

LLVM would call a library for them, and objects import nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from stablemate.compiler.codegen.narrow_floats import BY_INSTRUCTIONS, BY_INTEGERS
from stablemate.compiler.config.target import Target
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS

Expansion = Callable[..., Expression]

MANTISSA: Final = {"f32": 23, "f64": 52}
LOWER_HALF: Final = {"f32": 12, "f64": 27}  # bits: products of two halves are exact


def whole(value: Expression) -> Expression:
    """The nearest integer, of two the even one: adding 2^mantissa leaves no room for a fraction."""
    table = value.table
    large = table.constant(2.0 ** MANTISSA[value.type], value.type)
    magnitude = table.apply("fabs", value)
    rounded = table.apply("copysign", (magnitude + large) - large, value)
    return table.apply("select", table.apply("flt", magnitude, large), rounded, value)


def downwards(value: Expression) -> Expression:
    """The largest integer that is not greater."""
    table, near = value.table, whole(value)
    down = table.apply("copysign", near - 1.0, value)
    return table.apply("select", table.apply("flt", value, near), down, near)


def upwards(value: Expression) -> Expression:
    """The smallest integer that is not less."""
    table = value.table
    return table.apply("fneg", downwards(table.apply("fneg", value)))


def half_away(value: Expression) -> Expression:
    """The nearest integer, of two the one farther from zero."""
    table = value.table
    magnitude = table.apply("fabs", value)
    down = downwards(magnitude)
    half = table.constant(0.5, value.type)
    up = table.apply("fle", half, magnitude - down)
    nearest = table.apply("select", up, down + 1.0, down)
    return table.apply("copysign", nearest, value)


def residue_by_fma(a: Expression, b: Expression, c: Expression) -> Expression:
    """``a * b - c``, where the product is nearly c."""
    return a.table.apply("fma", a, b, -c)


def residue_by_halves(a: Expression, b: Expression, c: Expression) -> Expression:
    """The same where products are rounded: factors are halved, so that partial products are exact.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    (a1, a2), (b1, b2) = halves(a), halves(b)
    product = a * b
    return (product - c) + (((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)


def halves(value: Expression) -> tuple[Expression, Expression]:
    """The upper half of the digits, to the nearest, and the rest."""
    table, integer = value.table, f"i{BITS[value.type]}"
    dropped = LOWER_HALF[value.type]
    bits = table.convert("bitcast", value, integer) + (1 << dropped - 1)
    upper = table.convert("bitcast", bits & (-1 << dropped), value.type)
    return upper, value - upper


ROUNDING: Final[Mapping[str, Expansion]] = {
    "rint": whole,
    "floor": downwards,
    "ceil": upwards,
    "round": half_away,
}


@lru_cache(maxsize=16)
def expansions(target: Target) -> Mapping[str, Expansion]:
    """The expansions of the operators for which a target has no instruction."""
    is_x86 = target.triple.startswith(("x86_64", "i686"))
    fuses = not is_x86 or target.has("fma")
    rounds = not is_x86 or target.has("sse4.1")
    has_halves = not is_x86 or target.has("f16c")
    return {
        "residue": residue_by_fma if fuses else residue_by_halves,
        **({} if rounds else ROUNDING),
        **BY_INTEGERS,
        **(BY_INSTRUCTIONS if has_halves else {}),
    }
