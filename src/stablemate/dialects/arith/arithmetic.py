"""Arithmetic of arith: a table of functions of integers and floats.

Integers are signless: an operation defines how it interprets their bits. What MLIR leaves undefined
is defined here: overflow wraps, bits that are shifted out are lost, and a division by zero ends the
run with an error.

Source: MLIR arith dialect, the operations of the same names.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final, TypeVar, cast

import numpy as np

from stablemate.dialects.arith.elementwise import (
    Binary,
    Elementwise,
    ExactBinary,
    FloatBinary,
    OfElement,
    OverflowBinary,
    RoundedBinary,
    Unary,
)
from stablemate.dialects.arith.integers import (
    Integer,
    as_element,
    as_unsigned,
    ceiling_quotient,
    floor_quotient,
    high_signed_product,
    high_unsigned_product,
    low_product,
    on_signed,
    on_unsigned,
)
from stablemate.dialects.arith.types import BOOLEAN_LIKE, FLOAT_LIKE, INTEGER_LIKE, predicate_of
from stablemate.dialects.stablehlo.elementwise_math import (
    Function,
    conjunction,
    disjunction,
    exact,
    exclusive_disjunction,
    maximum,
    minimum,
    quotient,
    ratio,
    remainder,
    shifted_left,
    shifted_right,
)
from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array, FloatType, float_info

OpT = TypeVar("OpT", bound=Elementwise)


def define_operation(
    base: type[OpT], name: str, summary: str, compute: OfElement, **fields: object
) -> type[OpT]:
    """The class of an operation, from a row of the table."""
    title = "".join(word.capitalize() for word in name.split("_"))
    body = {
        "__doc__": f"{summary}\n\n    Source: MLIR arith dialect, {name}.\n    ",
        "__slots__": (),
        "compute": staticmethod(compute),
        **fields,
    }
    return op(f"arith.{name}")(cast("type[OpT]", type(title, (base,), body)))


def binary(
    base: type[Binary],
    name: str,
    summary: str,
    types: TypeConstraint[Type],
    compute: OfElement,
    **fields: object,
) -> type[Binary]:
    """An operation of two operands of these types."""
    lhs, rhs = define.operand("", types), define.operand("", types)
    result = define.result(types, element_type="types", shape="types")
    return define_operation(base, name, summary, compute, lhs=lhs, rhs=rhs, result=result, **fields)


def of_integers(
    name: str, summary: str, compute: OfElement, base: type[Binary] = Binary
) -> type[Binary]:
    """A function of two integers."""
    return binary(base, name, summary, INTEGER_LIKE, compute)


def division(
    name: str, summary: str, compute: OfElement, base: type[Binary] = Binary
) -> type[Binary]:
    """A function of two integers, the second of which is not zero."""
    return binary(base, name, summary, INTEGER_LIKE, compute, divides=True)


def of_floats(
    name: str, summary: str, function: Function, base: type[Binary] = FloatBinary
) -> type[Binary]:
    """A function of two floats."""
    return binary(base, name, summary, FLOAT_LIKE, exact(function))


def of_one_float(name: str, summary: str, compute: OfElement) -> type[Unary]:
    """A function of one float."""
    operand = define.operand("", FLOAT_LIKE)
    result = define.result(FLOAT_LIKE, element_type="types", shape="types")
    return define_operation(Unary, name, summary, compute, operand=operand, result=result)


def numbers_first(choose: Function) -> Function:
    """``maximum`` or ``minimum``, but the other operand if one is NaN."""

    def function(lhs: Array, rhs: Array) -> Array:
        return np.where(np.isnan(lhs), rhs, np.where(np.isnan(rhs), lhs, choose(lhs, rhs)))

    return function


def flush_denormals(element: FloatType) -> Function:
    """Denormal numbers as zeros of their sign."""
    smallest = float(float_info(element.dtype).smallest_normal)

    def function(operand: Array) -> Array:
        is_denormal = np.abs(operand.astype(np.float64)) < smallest
        return np.where(is_denormal, operand * operand.dtype.type(0), operand)

    return function


# ---- the table

Addi: Final = of_integers("addi", "The sum.", on_signed(operator.add), OverflowBinary)
Subi: Final = of_integers("subi", "The difference.", on_signed(operator.sub), OverflowBinary)
Muli: Final = of_integers("muli", "The product.", on_signed(operator.mul), OverflowBinary)
Divsi: Final = division(
    "divsi", "The signed quotient, rounded towards zero.", on_signed(quotient), ExactBinary
)
Divui: Final = division(
    "divui",
    "The unsigned quotient, rounded towards zero.",
    on_unsigned(floor_quotient),
    ExactBinary,
)
Ceildivsi: Final = division(
    "ceildivsi", "The signed quotient, rounded up.", on_signed(ceiling_quotient)
)
Ceildivui: Final = division(
    "ceildivui", "The unsigned quotient, rounded up.", on_unsigned(ceiling_quotient)
)
Floordivsi: Final = division(
    "floordivsi", "The signed quotient, rounded down.", on_signed(floor_quotient)
)
Remsi: Final = division(
    "remsi", "The remainder of a signed division, with the sign of lhs.", on_signed(remainder)
)
Remui: Final = division(
    "remui", "The remainder of an unsigned division.", on_unsigned(operator.mod)
)
Andi: Final = of_integers("andi", "The bitwise and.", on_signed(conjunction))
Ori: Final = of_integers("ori", "The bitwise or.", on_signed(disjunction))
Xori: Final = of_integers("xori", "The bitwise exclusive or.", on_signed(exclusive_disjunction))
Maxsi: Final = of_integers("maxsi", "The larger signed number.", on_signed(np.maximum))
Maxui: Final = of_integers("maxui", "The larger unsigned number.", on_unsigned(np.maximum))
Minsi: Final = of_integers("minsi", "The smaller signed number.", on_signed(np.minimum))
Minui: Final = of_integers("minui", "The smaller unsigned number.", on_unsigned(np.minimum))
Shli: Final = of_integers("shli", "Bits shifted left.", on_unsigned(shifted_left), OverflowBinary)
Shrui: Final = of_integers(
    "shrui", "Bits shifted right, with zeros shifted in.", on_unsigned(shifted_right), ExactBinary
)
Shrsi: Final = of_integers(
    "shrsi",
    "Bits shifted right, with copies of the sign shifted in.",
    on_signed(shifted_right),
    ExactBinary,
)

Addf: Final = of_floats("addf", "The sum.", operator.add, RoundedBinary)
Subf: Final = of_floats("subf", "The difference.", operator.sub, RoundedBinary)
Mulf: Final = of_floats("mulf", "The product.", operator.mul, RoundedBinary)
Divf: Final = of_floats("divf", "The quotient.", ratio, RoundedBinary)
Remf: Final = of_floats("remf", "The remainder of a division, with the sign of lhs.", np.fmod)
Maximumf: Final = of_floats("maximumf", "The larger number; NaN if one is.", maximum)
Minimumf: Final = of_floats("minimumf", "The smaller number; NaN if one is.", minimum)
Maxnumf: Final = of_floats(
    "maxnumf", "The larger number; if one operand is NaN, the other.", numbers_first(maximum)
)
Minnumf: Final = of_floats(
    "minnumf", "The smaller number; if one operand is NaN, the other.", numbers_first(minimum)
)
Negf: Final = of_one_float("negf", "The number with the other sign.", exact(operator.neg))
FlushDenormals: Final = of_one_float(
    "flush_denormals", "The number, or zero with its sign if it is denormal.", flush_denormals
)


class Extended(Elementwise):
    """A function of two integers whose result needs more bits than they have."""

    __slots__ = ()
    lhs = define.operand("", INTEGER_LIKE)
    rhs = define.operand("", INTEGER_LIKE)


class Carry(Extended):
    """An unsigned number and whether it wrapped."""

    __slots__ = ()
    assembly = "$lhs `,` $rhs attr-dict `:` custom<CarryTypes>"

    def infer(self) -> Sequence[Type]:
        """The type of the operands, and the same of booleans."""
        first = self.lhs.type
        return first, predicate_of(first)


class WideProduct(Extended):
    """The low and the high half of a product."""

    __slots__ = ()
    low = define.result(INTEGER_LIKE, element_type="types", shape="types")
    high = define.result(INTEGER_LIKE, element_type="types", shape="types")
    assembly = "$lhs `,` $rhs attr-dict `:` custom<OperandType>"

    def infer(self) -> Sequence[Type]:
        """The type of the operands, twice."""
        return self.lhs.type, self.lhs.type


def sum_and_carry(element: Integer) -> Function:
    """The sum of unsigned numbers, and whether it is less than they are."""

    def add(lhs: Array, rhs: Array) -> object:
        a, b = as_unsigned(lhs, element), as_unsigned(rhs, element)
        total = as_element(a + b, element)
        return total, as_unsigned(total, element) < a

    return add


def difference_and_borrow(element: Integer) -> Function:
    """The difference of unsigned numbers, and whether it would be negative."""

    def subtract(lhs: Array, rhs: Array) -> object:
        a, b = as_unsigned(lhs, element), as_unsigned(rhs, element)
        return as_element(a - b, element), a < b

    return subtract


def low_and_high(high: OfElement) -> OfElement:
    """Both halves of a product."""

    def of(element: Integer) -> Function:
        low_of, high_of = low_product(element), high(element)

        def multiply(lhs: Array, rhs: Array) -> object:
            return low_of(lhs, rhs), high_of(lhs, rhs)

        return multiply

    return of


AdduiExtended: Final = define_operation(
    Carry,
    "addui_extended",
    "The unsigned sum, and whether it wrapped.",
    sum_and_carry,
    sum=define.result(INTEGER_LIKE, element_type="types", shape="types"),
    overflow=define.result(BOOLEAN_LIKE, element_type="types", shape="types"),
)
SubuiExtended: Final = define_operation(
    Carry,
    "subui_extended",
    "The unsigned difference, and whether it wrapped.",
    difference_and_borrow,
    diff=define.result(INTEGER_LIKE, element_type="types", shape="types"),
    borrow=define.result(BOOLEAN_LIKE, element_type="types", shape="types"),
)
MulsiExtended: Final = define_operation(
    WideProduct,
    "mulsi_extended",
    "The low and the high half of the signed product.",
    low_and_high(high_signed_product),
)
MuluiExtended: Final = define_operation(
    WideProduct,
    "mului_extended",
    "The low and the high half of the unsigned product.",
    low_and_high(high_unsigned_product),
)

OPERATIONS: Final[tuple[type[Op], ...]] = (
    Addf,
    Addi,
    AdduiExtended,
    Andi,
    Ceildivsi,
    Ceildivui,
    Divf,
    Divsi,
    Divui,
    Floordivsi,
    FlushDenormals,
    Maximumf,
    Maxnumf,
    Maxsi,
    Maxui,
    Minimumf,
    Minnumf,
    Minsi,
    Minui,
    Mulf,
    Muli,
    MulsiExtended,
    MuluiExtended,
    Negf,
    Ori,
    Remf,
    Remsi,
    Remui,
    Shli,
    Shrsi,
    Shrui,
    Subf,
    Subi,
    SubuiExtended,
    Xori,
)
