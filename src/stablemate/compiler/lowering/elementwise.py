"""Lowers elementwise operations on booleans, integers and real floats.

A row gives, for each category of element types, the operation on registers. What narrow floats
compute in a wider register is rounded once, by their representation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.lowering.clamped_numbers import difference
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
)
from stablemate.compiler.lowering.floor_divisions import choice, comparison, conjunction
from stablemate.compiler.lowering.functions.integer_powers import signed_power, unsigned_power
from stablemate.compiler.lowering.quotients import is_integral, number_of, quotient, quotient_by
from stablemate.compiler.lowering.representation import Parts
from stablemate.dialects.stablehlo.reducers import is_total_order
from stablemate.numerics.elements import ElementType, FloatType, IntegerType

Category = Literal["boolean", "signed", "unsigned", "float", "other"]
Formula = Callable[..., Expression]
Formulas = dict[Category, Formula]


def category(element: ElementType) -> Category:
    """Which formula an element type takes."""
    match element:
        case IntegerType():
            if element.is_boolean:
                return "boolean"
            return "unsigned" if element.is_unsigned else "signed"
        case FloatType():
            return "float"
        case _:
            return "other"


def operator(name: str) -> Formula:
    """The formula that is one operation."""
    return lambda *operands: operands[0].table.apply(name, *operands)


def integers(formula: Formula) -> Formulas:
    """The same formula for signed and unsigned integers."""
    return {"signed": formula, "unsigned": formula}


def bits(name: str) -> Formulas:
    """Returns the lowering of a bitwise operation for booleans and integers."""
    return {"boolean": operator(name), **integers(operator(name))}


def zero(value: Expression) -> Expression:
    """0 of the type of a value."""
    return value.table.constant(0, value.type)


def invert_bits(value: Expression) -> Expression:
    """Inverts all bits, by an exclusive or with ones."""
    return value ^ value.table.bits(-1, value.type)


def absolute(value: Expression) -> Expression:
    """The absolute value of a signed integer; wraps."""
    table = value.table
    return table.apply("select", table.apply("slt", value, zero(value)), zero(value) - value, value)


def negate(value: Expression) -> Expression:
    """Negates an integer as 0 - x, which wraps."""
    return zero(value) - value


def sign_of_integer(value: Expression) -> Expression:
    """Returns -1, 0 or 1, as (x > 0) - (x < 0)."""
    table = value.table
    negative = table.convert("sext", table.apply("slt", value, zero(value)), value.type)
    positive = table.convert("zext", table.apply("slt", zero(value), value), value.type)
    return negative | positive


def sign_of_float(value: Expression) -> Expression:
    """-1 or 1; zeros and NaN as they are."""
    table = value.table
    unit = table.apply("copysign", table.constant(1.0, value.type), value)
    nonzero = table.apply("flt", zero(value), table.apply("fabs", value))
    return table.apply("select", nonzero, unit, value)


def nearest_integer(value: Expression) -> Expression:
    """The nearest integer, of two the even one."""
    if is_integral(value):
        return value
    if value.operator == "fdiv" and value.type == "f32":
        dividend, divisor = value.operands
        if divisor.operator == "constant":
            value = quotient_by(dividend, number_of(divisor))
    return value.table.apply("rint", value)


def guard_division(
    name: str, by_zero: Callable[[Expression], Expression], overflow: bool
) -> Formula:
    """An integer division, with defined results where the processor has none."""

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        table = lhs.table
        is_zero = table.apply("eq", rhs, zero(rhs))
        special = is_zero
        if overflow:
            minimum = table.bits(1 << (BITS[lhs.type] - 1), lhs.type)
            minus_one = table.apply("eq", rhs, table.bits(-1, rhs.type))
            special = is_zero | (minus_one & table.apply("eq", lhs, minimum))
        safe = table.apply("select", special, table.constant(1, rhs.type), rhs)
        result = table.apply(name, lhs, safe)
        if overflow and name == "srem":  # minimum % -1 is 0, as is minimum % 1
            return table.apply("select", is_zero, by_zero(lhs), result)
        return table.apply("select", is_zero, by_zero(lhs), result)

    return formula


def all_ones(value: Expression) -> Expression:
    """The integer whose bits are all set."""
    return value.table.bits(-1, value.type)


def itself(value: Expression) -> Expression:
    """The dividend: the remainder of a division by zero (StableHLO specification, remainder)."""
    return value


def shift(name: str, beyond: Formula, width: int = 0) -> Formula:
    """A shift of so many bits; ``beyond`` if the amount is not below that."""

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        table = lhs.table
        inside = table.apply("ult", rhs, table.constant(width or BITS[lhs.type], rhs.type))
        amount = table.apply("select", inside, rhs, zero(rhs))
        source = low_bits(lhs, width) if name == "lshr" and width else lhs
        return table.apply("select", inside, table.apply(name, source, amount), beyond(lhs))

    return formula


def copies_of_sign(value: Expression) -> Expression:
    """All bits equal to the highest one."""
    return value.table.apply("ashr", value, value.table.constant(BITS[value.type] - 1, value.type))


def low_bits(value: Expression, width: int) -> Expression:
    """The low bits of a value, and zeros above them."""
    return value & ((1 << width) - 1)


def extend_unsigned(formula: Formula, width: int) -> Formula:
    """A formula on signed numbers, of unsigned ones of so many bits."""

    def on_signed(lhs: Expression, rhs: Expression) -> Expression:
        table = lhs.table
        unused = table.constant(BITS[lhs.type] - width, lhs.type)
        return formula(table.apply("ashr", table.apply("shl", lhs, unused), unused), rhs)

    return on_signed


def in_bytes(width: int) -> dict[str, Formulas]:
    """Rows of integers of less than a byte: their width is less than that of registers."""
    right = shift("ashr", copies_of_sign, width)

    def popcount(value: Expression) -> Expression:
        return value.table.apply("popcount", low_bits(value, width))

    def leading_zeros(value: Expression) -> Expression:
        return value.table.apply("leading_zeros", low_bits(value, width)) - (BITS["i8"] - width)

    return {
        "shift_left": integers(shift("shl", zero, width)),
        "shift_right_logical": integers(shift("lshr", zero, width)),
        "shift_right_arithmetic": {"signed": right, "unsigned": extend_unsigned(right, width)},
        "popcnt": integers(popcount),
        "count_leading_zeros": integers(leading_zeros),
    }


ARITHMETIC: Final[dict[str, Formulas]] = {
    "add": {"boolean": operator("or"), **integers(operator("add")), "float": operator("fadd")},
    "subtract": {**integers(operator("sub")), "float": difference},
    "multiply": {
        "boolean": operator("and"),
        **integers(operator("mul")),
        "float": operator("fmul"),
    },
    "divide": {
        "signed": guard_division("sdiv", all_ones, overflow=True),
        "unsigned": guard_division("udiv", all_ones, overflow=False),
        "float": quotient,
    },
    "remainder": {
        "signed": guard_division("srem", itself, overflow=True),
        "unsigned": guard_division("urem", itself, overflow=False),
    },
    "power": {"signed": signed_power, "unsigned": unsigned_power},
    "maximum": {
        "boolean": operator("or"),
        "signed": operator("smax"),
        "unsigned": operator("umax"),
        "float": operator("maximum"),
    },
    "minimum": {
        "boolean": operator("and"),
        "signed": operator("smin"),
        "unsigned": operator("umin"),
        "float": operator("minimum"),
    },
    "and": {"boolean": conjunction, **integers(operator("and"))},
    "or": bits("or"),
    "xor": bits("xor"),
    "not": {"boolean": invert_bits, **integers(invert_bits)},
    "negate": {**integers(negate), "float": operator("fneg")},
    "abs": {"signed": absolute, "float": operator("fabs")},
    "sign": {"signed": sign_of_integer, "float": sign_of_float},
    "shift_left": integers(shift("shl", zero)),
    "shift_right_logical": integers(shift("lshr", zero)),
    "shift_right_arithmetic": integers(shift("ashr", copies_of_sign)),
    "popcnt": integers(operator("popcount")),
    "count_leading_zeros": integers(operator("leading_zeros")),
    "floor": {"float": operator("floor")},
    "ceil": {"float": operator("ceil")},
    "round_nearest_even": {"float": nearest_integer},
    "round_nearest_afz": {"float": operator("round")},
}


NARROW_ROWS: Final = {width: in_bytes(width) for width in (2, 4)}


def formula_of(name: str, element: ElementType) -> Formula | None:
    """The formula of an operation on elements of a type; None if there is none."""
    width = element.width if isinstance(element, IntegerType) else 0
    formulas = NARROW_ROWS.get(width, ARITHMETIC).get(name) or ARITHMETIC[name]
    return formulas.get(category(element))


def register_operation(name: str) -> None:
    """Registers the lowering of an operation of ``ARITHMETIC``."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        operands = [elements.at(operand, index)[0] for operand in node.operands]
        formula = formula_of(name, element_type(node.operands[0]))
        assert formula is not None
        return (represent_elements(node.results[0]).round(formula(*operands)),)

    def admits(node: Node) -> bool:
        return formula_of(name, element_type(node.operands[0])) is not None

    lowers(f"stablehlo.{name}", admits=admits)(lowering)


for _name in ARITHMETIC:
    register_operation(_name)


def on_reals(node: Node) -> bool:
    """Whether operands and results are booleans, integers and real floats."""
    values = (*node.operands, *node.results)
    return all(category(element_type(value)) != "other" for value in values)


@lowers("stablehlo.select")
def select(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``pred ? on_true : on_false``; a scalar predicate is that of all elements."""
    pred, on_true, on_false = node.operands
    (which,) = elements.at(pred, index if pred.shape else ())
    pairs = zip(elements.at(on_true, index), elements.at(on_false, index), strict=True)
    return tuple([choice(which, *pair) for pair in pairs])


@lowers("stablehlo.clamp", admits=on_reals)
def clamp(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``minimum(maximum(operand, min), max)``; scalar bounds are those of all elements."""
    low, operand, high = (
        elements.at(operand, index if operand.shape else ())[0] for operand in node.operands
    )
    kind = category(element_type(node.results[0]))
    largest, least = (ARITHMETIC[name][kind] for name in ("maximum", "minimum"))
    return (least(largest(low, operand), high),)


COMPARISONS: Final[dict[str, tuple[str, bool]]] = {  # of the operands, maybe exchanged
    "EQ": ("eq", False),
    "NE": ("ne", False),
    "LT": ("lt", False),
    "LE": ("le", False),
    "GT": ("lt", True),
    "GE": ("le", True),
}
PREFIXES: Final[dict[Category, str]] = {
    "boolean": "u",
    "unsigned": "u",
    "signed": "s",
    "float": "f",
}


@lowers("stablehlo.compare", admits=on_reals)
def compare(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``lhs comparison_direction rhs``."""
    lhs, rhs = (elements.at(operand, index)[0] for operand in node.operands)
    kind = category(element_type(node.operands[0]))
    operation = node.operation
    if kind == "float" and is_total_order(operation):
        element = node.operands[0]
        lhs, rhs, kind = place(lhs, element), place(rhs, element), "signed"
    return (compare_registers(operation.comparison_direction.value, kind, lhs, rhs),)


def compare_registers(
    direction: str, kind: Category, lhs: Expression, rhs: Expression
) -> Expression:
    """Compares two registers in a direction, by the instruction of their kind."""
    name, exchanged = COMPARISONS[direction]
    prefix = PREFIXES[kind] if kind == "float" or name in ("lt", "le") else ""
    operands = (rhs, lhs) if exchanged else (lhs, rhs)
    return comparison(prefix + name, *operands)


def place(value: Expression, tensor: Tensor) -> Expression:
    """An integer that is in the total order of floats; NaNs of bytes are all one."""
    table, kind = value.table, represent_elements(tensor)
    if kind.storage == "i16":
        value = kind.narrow(value)
    integer = f"i{BITS[value.type]}"
    number = table.convert("bitcast", value, integer)
    flipped = number ^ table.bits((1 << (BITS[integer] - 1)) - 1, integer)
    return table.apply("select", table.apply("slt", number, zero(number)), flipped, number)


@lowers("stablehlo.is_finite", admits=on_reals)
def is_finite(elements: KernelElements, node: Node, index: Index) -> Parts:
    """Whether it is neither infinite nor NaN."""
    (value,) = elements.at(node.operands[0], index)
    table = value.table
    infinity = table.constant(float("inf"), value.type)
    return (table.apply("flt", table.apply("fabs", value), infinity),)
