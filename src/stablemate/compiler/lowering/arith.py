"""Lowers operations of arith, on scalars and on tensors: tables by name.

Integers have no sign of their own: an operation says how it takes their bits. Those of less than a
byte are computed in bytes, and wrap; so do booleans, of which one bit counts.

Source: MLIR arith dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.lowering.bits import bitcast_convert
from stablemate.compiler.lowering.conversions import convert_register
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
    splat_of,
    written_constant,
)
from stablemate.compiler.lowering.elementwise import (
    ARITHMETIC,
    Category,
    Formula,
    compare_registers,
    copies_of_sign,
    operator,
    select,
    shift,
    zero,
)
from stablemate.compiler.lowering.functions.remainders import remainder
from stablemate.compiler.lowering.representation import Parts
from stablemate.dialects.arith.attributes import RoundingMode
from stablemate.numerics.elements import FloatType, IndexType, IntegerType, float_info
from stablemate.numerics.functions.arithmetic import absolute, is_nan, less, pick

HIGH: Final = ".high"  # behind the name of an extended product: its second result
# Divisions of StableHLO, whose results are defined for a divisor of zero, too.
DIVIDE, REMAINDER = ARITHMETIC["divide"], ARITHMETIC["remainder"]
BY_NUMBER: Final = ".by_number"  # behind the name of a division: that by no zero


# ---- integers: how their bits are taken, and which formula is applied


def number_type(tensor: Tensor, is_signed: bool) -> IntegerType:
    """The type of the numbers that the bits of integers are: of a byte at least."""
    width = max(element_type(tensor).bits, BITS["i8"])
    return IntegerType(width, "signless" if is_signed else "unsigned")


def number(value: Expression, tensor: Tensor, is_signed: bool) -> Expression:
    """The number that the bits of an integer are; true is -1 if there is a sign."""
    element = element_type(tensor)
    if value.type == "i1":
        return value.table.convert("sext" if is_signed else "zext", value, "i8")
    return value if is_signed or element.bits >= BITS["i8"] else value & ((1 << element.bits) - 1)


def as_element(value: Expression, tensor: Tensor) -> Expression:
    """The lowest bits of a number as an element."""
    kind = represent_elements(tensor)
    if kind.register == "i1":
        return value.table.convert("trunc", value, "i1")
    return kind.round(value)


def quotient(is_up: bool, is_signed: bool = True) -> Formula:
    """A quotient, rounded up or down."""
    kind: Category = "signed" if is_signed else "unsigned"
    divide, rest = DIVIDE[kind], REMAINDER[kind]

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        table, left = lhs.table, rest(lhs, rhs)
        differs = table.apply("ne", left, zero(left))
        if is_signed:  # it was rounded towards zero: down, if it is positive
            sign = table.apply("slt", left ^ rhs, zero(left))
            differs = differs & (
                table.apply("eq", sign, table.constant(0, "i1")) if is_up else sign
            )
        one = table.convert("zext", differs, lhs.type)
        return divide(lhs, rhs) + one if is_up else divide(lhs, rhs) - one

    return formula


INTEGERS: Final[dict[str, tuple[bool, Formula]]] = {  # whether it takes bits with a sign
    "addi": (True, operator("add")),
    "andi": (True, operator("and")),
    "maxsi": (True, operator("smax")),
    "maxui": (False, operator("umax")),
    "minsi": (True, operator("smin")),
    "minui": (False, operator("umin")),
    "muli": (True, operator("mul")),
    "ori": (True, operator("or")),
    "shli": (False, shift("shl", zero)),
    "shrsi": (True, shift("ashr", copies_of_sign)),
    "shrui": (False, shift("lshr", zero)),
    "subi": (True, operator("sub")),
    "xori": (True, operator("xor")),
}
DIVISIONS: Final[dict[str, tuple[bool, Formula]]] = {
    "ceildivsi": (True, quotient(is_up=True)),
    "ceildivui": (False, quotient(is_up=True, is_signed=False)),
    "divsi": (True, DIVIDE["signed"]),
    "divui": (False, DIVIDE["unsigned"]),
    "floordivsi": (True, quotient(is_up=False)),
    "remsi": (True, REMAINDER["signed"]),
    "remui": (False, REMAINDER["unsigned"]),
}


def register_integer_operation(name: str, is_signed: bool, formula: Formula) -> None:
    """Registers a function of two integers."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        operands = [
            number(elements.at(operand, index)[0], operand, is_signed) for operand in node.operands
        ]
        return (as_element(formula(*operands), node.results[0]),)

    if name in DIVISIONS:
        lowers(f"arith.{name}", admits=has_divisor)(lowering)
        name += BY_NUMBER
    lowers(f"arith.{name}", admits=on_integers)(lowering)


def on_integers(node: Node) -> bool:
    """Whether it computes with integers."""
    return isinstance(element_type(node.operands[0]), IntegerType | IndexType)


def has_divisor(node: Node) -> bool:
    """Whether it divides by constants: a division by zero ends the run."""
    divisor = node.operands[1]
    values = None if divisor.node is None else splat_of(divisor.node)
    if values is None:
        values = written_constant(divisor)
    return values is not None and bool(np.all(values))


# ---- floats


def number_first(choose: str) -> Formula:
    """The larger or the smaller number; of a NaN and a number the number."""

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        chosen = lhs.table.apply(choose, lhs, rhs)
        return pick(is_nan(lhs), rhs, pick(is_nan(rhs), lhs, chosen))

    return formula


FLOATS: Final[dict[str, Formula]] = {
    "addf": operator("fadd"),
    "divf": operator("fdiv"),
    "maximumf": operator("maximum"),
    "maxnumf": number_first("maximum"),
    "minimumf": operator("minimum"),
    "minnumf": number_first("minimum"),
    "mulf": operator("fmul"),
    "negf": operator("fneg"),
    "remf": remainder,
    "subf": operator("fsub"),
}


def register_float_operation(name: str, formula: Formula) -> None:
    """Registers a function of floats, rounded once."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        operands = [elements.at(operand, index)[0] for operand in node.operands]
        return (represent_elements(node.results[0]).round(formula(*operands)),)

    lowers(f"arith.{name}", admits=rounds_to_nearest)(lowering)


def rounds_to_nearest(node: Node) -> bool:
    """Whether the operation has no other rounding mode."""
    mode = getattr(node.operation, "roundingmode", None)
    return mode is None or mode is RoundingMode.TO_NEAREST_EVEN


@lowers("arith.flush_denormals")
def flush_denormals(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The number, or zero with its sign if it is denormal."""
    (operand,) = node.operands
    (value,) = elements.at(operand, index)
    smallest = float(float_info(element_type(operand).dtype).smallest_normal)
    flushed = pick(less(absolute(value), smallest), value * 0.0, value)
    return (represent_elements(operand).round(flushed),)


# ---- casts


def register_cast(name: str, source: Category, is_signed: bool = True) -> None:
    """Registers a conversion of numbers; integers are converted as signed or unsigned."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        (operand,), (result,) = node.operands, node.results
        (value,) = elements.at(operand, index)
        if source != "float":
            value = number(value, operand, is_signed)
        if isinstance(element_type(result), FloatType):
            return (convert_register(value, source, element_type(result)),)
        converted_value = convert_register(value, source, number_type(result, is_signed))
        return (as_element(converted_value, result),)

    lowers(f"arith.{name}", admits=rounds_to_nearest)(lowering)


CASTS: Final[dict[str, tuple[Category, bool]]] = {
    "convertf": ("float", True),
    "extf": ("float", True),
    "extsi": ("signed", True),
    "extui": ("unsigned", False),
    "fptosi": ("float", True),
    "fptoui": ("float", False),
    "index_cast": ("signed", True),
    "index_castui": ("unsigned", False),
    "sitofp": ("signed", True),
    "truncf": ("float", True),
    "trunci": ("signed", True),
    "uitofp": ("unsigned", False),
}


def has_bits(node: Node) -> bool:
    """Whether all bits of elements are kept."""
    types = [element_type(operand) for operand in (*node.operands, *node.results)]
    return all(isinstance(value_type, FloatType | IntegerType) for value_type in types)


lowers("arith.bitcast", admits=has_bits)(bitcast_convert)
lowers("arith.select")(select)


# ---- comparisons


@lowers("arith.cmpi", admits=on_integers)
def cmpi(elements: KernelElements, node: Node, index: Index) -> Parts:
    """A relation of integers, with or without signs."""
    name = str(node.operation.predicate.value)
    is_signed = not (len(name) == 3 and name[0] == "u")
    lhs, rhs = (
        number(elements.at(operand, index)[0], operand, is_signed) for operand in node.operands
    )
    return (compare_registers(name[-2:].upper(), "signed" if is_signed else "unsigned", lhs, rhs),)


@lowers("arith.cmpf")
def cmpf(elements: KernelElements, node: Node, index: Index) -> Parts:
    """A comparison of floats, whose predicate determines the result for NaN."""
    lhs, rhs = (elements.at(operand, index)[0] for operand in node.operands)
    table, name = lhs.table, str(node.operation.predicate.value)
    unordered = is_nan(lhs) | is_nan(rhs)
    match name:
        case "false" | "true":
            return (table.constant(int(name == "true"), "i1"),)
        case "uno":
            return (unordered,)
        case "ord":
            return (unordered ^ table.constant(1, "i1"),)
        case _:
            holds = compare_registers(name[1:].upper(), "float", lhs, rhs)
    if name[0] == "u":
        return (holds | unordered,)
    return (holds & (unordered ^ table.constant(1, "i1")),)


# ---- the high half of a product


def high_half(is_signed: bool) -> Callable[[Expression, Expression], Expression]:
    """The high half of a product: that of twice as many bits, or of four products of halves."""

    def formula(lhs: Expression, rhs: Expression) -> Expression:
        table, width = lhs.table, BITS[lhs.type]
        if width < BITS["i64"]:
            wide, change = f"i{2 * width}", "sext" if is_signed else "zext"
            whole = table.convert(change, lhs, wide) * table.convert(change, rhs, wide)
            return table.convert("trunc", shifted_down(whole, width), lhs.type)
        high = high_of_halves(lhs, rhs)
        if is_signed:
            high = high - (rhs & all_if_negative(lhs)) - (lhs & all_if_negative(rhs))
        return high

    return formula


def shifted_down(value: Expression, bits: int) -> Expression:
    """The bits above the lowest ones."""
    return value.table.apply("lshr", value, value.table.constant(bits, value.type))


def all_if_negative(value: Expression) -> Expression:
    """-1 of a negative number, 0 of any other."""
    return value.table.apply("ashr", value, value.table.constant(63, value.type))


def high_of_halves(lhs: Expression, rhs: Expression) -> Expression:
    """The high 64 bits of an unsigned product of 64-bit numbers."""
    low = (1 << 32) - 1
    a, b, c, d = shifted_down(lhs, 32), lhs & low, shifted_down(rhs, 32), rhs & low
    middle = a * d + shifted_down(b * d, 32)
    middle_low = b * c + (middle & low)
    return a * c + shifted_down(middle, 32) + shifted_down(middle_low, 32)


def register_high_product(name: str, is_signed: bool) -> None:
    """Registers the high half of an extended product (see ``decompose``)."""
    formula = high_half(is_signed)

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        lhs, rhs = (
            number(elements.at(operand, index)[0], operand, is_signed) for operand in node.operands
        )
        bits = element_type(node.results[0]).bits
        high = formula(lhs, rhs) if bits >= BITS["i8"] else shifted_down(lhs * rhs, bits)
        return (as_element(high, node.results[0]),)

    lowers(f"{name}{HIGH}", admits=on_integers)(lowering)


HIGH_HALVES: Final = {"arith.mulsi_extended": True, "arith.mului_extended": False}

for _name, (_signed, _formula) in {**INTEGERS, **DIVISIONS}.items():
    register_integer_operation(_name, _signed, _formula)
for _name, _formula in FLOATS.items():
    register_float_operation(_name, _formula)
for _name, (_source, _signed) in CASTS.items():
    register_cast(_name, _source, _signed)
for _name, _signed in HIGH_HALVES.items():
    register_high_product(_name, _signed)
