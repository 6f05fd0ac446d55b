"""Lowers conversions: numbers in another type, rounded once."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, NARROW
from stablemate.compiler.lowering.clamped_numbers import (
    bounded_number,
    clamped_number,
    without_zero,
)
from stablemate.compiler.lowering.elements import Index, KernelElements, element_type, lowers
from stablemate.compiler.lowering.elementwise import Category, category, on_reals, zero
from stablemate.compiler.lowering.quotients import is_integral, number_of
from stablemate.compiler.lowering.representation import Parts, representation_of
from stablemate.numerics.elements import (
    F32,
    F64,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.numerics.functions.arithmetic import (
    at_least,
    at_most,
    greater,
    is_nan,
    pick,
)

# Of a 64-bit integer, the bits that no format narrower than f32 can tell from one another once the
# number is at least EXACT, and the bit that stands for them.
EXACT: Final = 1 << 53
LOST_BITS: Final = 0xFFF
STICKY_BIT: Final = 0x800


@lowers("stablehlo.convert", admits=on_reals)
def convert(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The element in another type."""
    (operand,) = node.operands
    value = elements.at(operand, index)[0]
    source = category(element_type(operand))
    return (convert_register(value, source, element_type(node.results[0])),)


def convert_register(value: Expression, source: Category, target: ElementType) -> Expression:
    """A register of a category as an element of a type."""
    kind = representation_of(target)
    if isinstance(target, FloatType) and target.name in NARROW:
        return kind.round(single(value, source))
    number = change_category(value, source, category(target), kind.register)
    if source == "float" and isinstance(target, IntegerType) and 1 < target.width < BITS["i8"]:
        return clamp_byte(number, target)
    return kind.round(number)


def clamp_byte(value: Expression, target: IntegerType) -> Expression:
    """A byte as the nearest integer of a narrower type."""
    table = value.table
    least, most = (table.like(value, limit) for limit in (target.minimum, target.maximum))
    if target.is_unsigned:
        return table.apply("umin", value, most)
    return table.apply("smin", table.apply("smax", value, least), most)


def single(value: Expression, source: Category) -> Expression:
    """An ``f32`` that every narrower format rounds as it would round the number."""
    if value.type == "f32":
        return value
    if value.type == "f64":
        return to_odd(value)
    if BITS[value.type] <= 16:
        return change_category(value, source, "float", "f32")
    if value.type == "i64":
        value = with_sticky_bit(value, source)
    return to_odd(change_category(value, source, "float", "f64"))


def to_odd(value: Expression) -> Expression:
    """An ``f64`` as an ``f32`` of which the last bit is odd where others are lost.

    Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms
    using rounding to odd", 2008.
    """
    table = value.table
    nearest = table.convert("fptrunc", value, "f32")
    back = table.convert("fpext", nearest, "f64")
    is_up = table.apply("flt", table.apply("fabs", value), table.apply("fabs", back))
    lost = table.apply("fne", back, value)
    bits = table.convert("bitcast", nearest, "i32") - table.convert("zext", is_up, "i32")
    return table.convert("bitcast", bits | table.convert("zext", lost, "i32"), "f32")


def with_sticky_bit(value: Expression, source: Category) -> Expression:
    """An ``i64``, or one that ``f64`` holds and that narrow formats round in the same way."""
    table = value.table
    low = value & LOST_BITS
    some = table.apply("ne", low, zero(low))
    sticky = table.apply("select", some, table.like(value, STICKY_BIT), zero(value))
    odd = (value - low) | sticky
    offset = value if source == "unsigned" else value + EXACT
    reach = EXACT if source == "unsigned" else 2 * EXACT
    is_exact = table.apply("ult", offset, table.like(value, reach))
    return table.apply("select", is_exact, value, odd)


def change_category(
    value: Expression, source: Category, target: Category, register: str
) -> Expression:
    """A register of one category as one of another."""
    table = value.table
    if target == "boolean":
        name = {"float": "fne", "boolean": None}.get(source, "ne")
        return value if name is None else table.apply(name, value, zero(value))
    if source == "float":
        if target == "float":
            wider = BITS[register] > BITS[value.type]
            return table.convert("fpext" if wider else "fptrunc", value, register)
        return saturate(value, target == "signed", register)
    if target == "float":
        number = integral_float(value, source) if register == "f32" else None
        if number is not None:
            bounded = bounded_number(number)
            has_zeros = bounded is None or bounded[1] != 0.0
            return number + table.constant(0.0, register) if has_zeros else number  # no -0.0
        return table.convert("sitofp" if source == "signed" else "uitofp", value, register)
    if BITS[register] <= BITS[value.type]:
        return table.convert("trunc", value, register)
    return table.convert("sext" if source == "signed" else "zext", value, register)


def saturate(value: Expression, is_signed: bool, register: str) -> Expression:
    """A float as an integer: towards zero, the nearest one if it is out of range, 0 for NaN.

    LLVM's saturating conversions convert lane by lane; here the float is brought into range first.
    """
    table, width = value.table, BITS[register]
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    largest = largest_float(most, value.type)
    low, high = clamped_bounds(value)
    holds = least <= low <= 0 <= high <= largest
    if holds and (is_signed or width < BITS["i32"]):
        number = integer_of_clamped(
            value.operands[0].operands[1], low, high, register if width >= BITS["i32"] else "i32"
        )
        return number if number.type == register else table.convert("trunc", number, register)
    if is_signed:
        inside = pick(is_nan(value), 0.0, at_least(value, float(least)))
    else:
        inside = pick(greater(value, 0.0), value, 0.0)
    inside = at_most(inside, largest)
    if width < BITS["i32"]:
        return table.convert("trunc", table.convert("fptosi_in_range", inside, "i32"), register)
    number = table.convert("fptosi_in_range" if is_signed else "fptoui_in_range", inside, register)
    if largest == most:
        return number
    return table.apply("select", greater(value, largest), table.bits(most, register), number)


def integer_of_clamped(value: Expression, low: float, high: float, register: str) -> Expression:
    """A float that is clamped and truncated, as an integer of 32 bits or more.

    One that was rounded to the nearest integer is clamped before, if the bounds are integers: one
    instruction rounds and converts it.
    """
    number = without_zero(value)
    is_rounded = number.operator == "rint" and low.is_integer() and high.is_integer()
    if is_rounded and number.type == "f32" and register == "i32":
        inside = clamped_number(number.operands[0], low, high)
        return value.table.convert("nearest_in_range", inside, register)
    return value.table.convert("fptosi_in_range", clamped_number(value, low, high), register)


def clamped_bounds(value: Expression) -> tuple[float, float]:
    """The bounds of an ``f32`` that is clamped, or NaN; infinite for others."""
    if value.operator == "minimum" and value.type == "f32":
        inner, high = value.operands
        if inner.operator == "maximum" and high.operator == "constant":
            low = inner.operands[0]
            if low.operator == "constant":
                return number_of(low), number_of(high)
    return -float("inf"), float("inf")


def integral_float(value: Expression, source: Category) -> Expression | None:
    """The ``f32`` that was clamped, rounded and converted to a byte; None for others.

    It is an integer that the byte holds, or was NaN.
    """
    if value.operator != "trunc" or value.type != "i8" or value.operands[0].type != "i32":
        return None
    converted = value.operands[0]
    if converted.operator not in ("fptosi_in_range", "nearest_in_range"):
        return None
    (inside,) = converted.operands
    bounded = bounded_number(inside)
    if bounded is None:
        return None
    number, low, high = bounded
    if converted.operator == "nearest_in_range":
        number = value.table.apply("rint", number)
        inside = clamped_number(number, low, high)
    least, most = (-128, 127) if source == "signed" else (0, 255)
    fits = low.is_integer() and high.is_integer() and least <= low and high <= most
    return inside if fits and is_integral(number) else None


def largest_float(most: int, register: str) -> float:
    """The largest float that is not larger than ``2^n - 1``."""
    dropped = max(0, most.bit_length() - (F32 if register == "f32" else F64).precision)
    return float(most >> dropped << dropped)


def part_of(element: ElementType) -> ElementType:
    """The type of a part."""
    return element.element if isinstance(element, ComplexType) else element
