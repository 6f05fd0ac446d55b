"""Expands operators for which a target has no instruction.

LLVM would call a library for them, and objects import nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from stablemate.compiler.codegen.narrow_floats import BY_INSTRUCTIONS, BY_INTEGERS, BY_MASKS
from stablemate.compiler.config.target import Target
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS

Expansion = Callable[..., Expression]

MANTISSA: Final = {"f32": 23, "f64": 52}
LOWER_HALF: Final = {"f32": 12, "f64": 27}  # bits: products of two halves are exact
LARGE: Final = {"f32": 2.0**50, "f64": 2.0**500}  # products of smaller factors are finite


def round_half_even(value: Expression) -> Expression:
    """Rounds to the nearest integer, ties to even: adding 2^mantissa drops the fraction."""
    table = value.table
    large = table.constant(2.0 ** MANTISSA[value.type], value.type)
    magnitude = table.apply("fabs", value)
    rounded = table.apply("copysign", (magnitude + large) - large, value)
    return table.apply("select", table.apply("flt", magnitude, large), rounded, value)


def floor(value: Expression) -> Expression:
    """Rounds down: rounds to nearest, and subtracts 1 where that is larger than the value."""
    table, near = value.table, round_half_even(value)
    down = table.apply("copysign", near - 1.0, value)
    return table.apply("select", table.apply("flt", value, near), down, near)


def ceil(value: Expression) -> Expression:
    """Rounds up, as -floor(-value)."""
    table = value.table
    return table.apply("fneg", floor(table.apply("fneg", value)))


def round_half_away(value: Expression) -> Expression:
    """Rounds to the nearest integer, ties away from zero."""
    table = value.table
    magnitude = table.apply("fabs", value)
    down = floor(magnitude)
    half = table.constant(0.5, value.type)
    up = table.apply("fle", half, magnitude - down)
    nearest = table.apply("select", up, down + 1.0, down)
    return table.apply("copysign", nearest, value)


def residue_by_fma(a: Expression, b: Expression, c: Expression) -> Expression:
    """``a * b - c``, where the product is nearly c."""
    return a.table.apply("fma", a, b, -c)


def fma_in_doubles(a: Expression, b: Expression, c: Expression) -> Expression:
    """``a * b + c`` of ``f32`` without FMA: in ``f64`` the product is exact."""
    a, b, c = (number.table.convert("fpext", number, "f64") for number in (a, b, c))
    return a.table.convert("fptrunc", a * b + c, "f32")


def residue_by_splitting(a: Expression, b: Expression, c: Expression) -> Expression:
    """Returns the same without FMA: factors are split, so that partial products are exact.

    Upper halves are rounded, so their product may be infinite where ``a * b`` is not: large factors
    are halved. Products with them do not underflow.
    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    (a, a_scale), (b, b_scale) = halved_if_large(a), halved_if_large(b)
    (a1, a2), (b1, b2) = split_significand(a), split_significand(b)
    product = a * b
    rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    return (product * a_scale * b_scale - c) + rest * a_scale * b_scale


def halved_if_large(value: Expression) -> tuple[Expression, Expression]:
    """Half of a number whose products may overflow, and 2; other numbers, and 1."""
    table = value.table
    one, two = (table.constant(factor, value.type) for factor in (1.0, 2.0))
    large = table.constant(LARGE[value.type], value.type)
    is_large = table.apply("flt", large, table.apply("fabs", value))
    halved = table.apply("select", is_large, value * 0.5, value)
    return halved, table.apply("select", is_large, two, one)


def split_significand(value: Expression) -> tuple[Expression, Expression]:
    """Splits a float into the upper half of its digits, rounded, and the remainder."""
    table, integer = value.table, f"i{BITS[value.type]}"
    dropped = LOWER_HALF[value.type]
    bits = table.convert("bitcast", value, integer) + (1 << dropped - 1)
    upper = table.convert("bitcast", bits & (-1 << dropped), value.type)
    return upper, value - upper


def extremum(*, is_maximum: bool) -> Expansion:
    """The larger or smaller one of two floats: NaN if one is, and -0 below 0.

    Of zeros and NaN, a comparison and a selection give the second operand. Both orders together
    have the sign of a smaller zero by "or", which keeps NaN too, and that of a larger zero by
    "and". The comparisons do not wait for each other: it takes half of the time of LLVM's form,
    which for a single number jumps where the sign of an operand is set, too.
    """

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        table, integer = lhs.table, f"i{BITS[lhs.type]}"

        def choose(first: Expression, second: Expression) -> Expression:
            pair = (second, first) if is_maximum else (first, second)
            return table.apply("select", table.apply("flt", *pair), first, second)

        orders = [
            table.convert("bitcast", choose(*pair), integer) for pair in ((lhs, rhs), (rhs, lhs))
        ]
        result = table.convert(
            "bitcast", table.apply("and" if is_maximum else "or", *orders), lhs.type
        )
        if not is_maximum:
            return result
        has_nan = table.apply("unordered", lhs, rhs)
        return table.apply("select", has_nan, lhs + rhs, result)

    return formula


def of_one(operator: str) -> str:
    """The name of the expansion of an operator on single numbers, not on vectors."""
    return f"{operator} of one"


ONES_ON_X86: Final[Mapping[str, Expansion]] = {
    of_one("maximum"): extremum(is_maximum=True),
    of_one("minimum"): extremum(is_maximum=False),
}

ROUNDING: Final[Mapping[str, Expansion]] = {
    "rint": round_half_even,
    "floor": floor,
    "ceil": ceil,
    "round": round_half_away,
}


def quad_of_i8_on_arm(total: Expression, lhs: Expression, rhs: Expression) -> Expression:
    """The same operator by another instruction."""
    return total.table.apply("quad_of_i8_on_arm", total, lhs, rhs)


def pair_of_i16_in_two_steps(total: Expression, lhs: Expression, rhs: Expression) -> Expression:
    """The same operator by the sums of two products each, and another sum."""
    return total + total.table.apply("pair_products_of_i16", lhs, rhs)


WITHOUT_VNNI: Final[Mapping[str, Expansion]] = {"pair_of_i16": pair_of_i16_in_two_steps}
ON_ARM: Final[Mapping[str, Expansion]] = {"quad_of_i8": quad_of_i8_on_arm}


@lru_cache(maxsize=16)
def expansions(target: Target) -> Mapping[str, Expansion]:
    """The expansions of the operators for which a target has no instruction, or a slow one."""
    is_x86 = target.triple.startswith(("x86_64", "i686"))
    fuses = not is_x86 or target.has("fma")
    rounds = not is_x86 or target.has("sse4.1")
    adds_pairs = not is_x86 or target.has("avx512vnni") or target.has("avxvnni")
    has_halves = not is_x86 or target.has("f16c")
    return {
        **(ONES_ON_X86 if is_x86 else ON_ARM),
        "residue": residue_by_fma if fuses else residue_by_splitting,
        **({} if adds_pairs else WITHOUT_VNNI),
        **({} if fuses else {"fma": fma_in_doubles}),
        **({} if rounds else ROUNDING),
        **BY_INTEGERS,
        **(BY_MASKS if target.has("avx512f") else {}),
        **(BY_INSTRUCTIONS if has_halves else {}),
    }
