"""The math dialect: functions of floats and integers, element by element.

Source: MLIR math dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final, cast

from stablemate.dialects.arith.attributes import FASTMATH, ROUNDING_MODE, FastMathAttribute
from stablemate.dialects.arith.types import (
    BOOLEAN_LIKE,
    FIXED_WIDTH_LIKE,
    FLOAT_LIKE,
    same_types,
    with_element,
)
from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.definition import Check, Inferred, Op, constraint, define, holds, op
from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import Type
from stablemate.numerics.elements import BOOLEAN


class OfOneType(ParseOnlyOp):
    """A function whose operands and result have one type."""

    __slots__ = ()
    exact = True

    @constraint("types")
    def one_type(self) -> Check:
        """Operands are of one type"""
        types = [value.type for value in self.operands]
        return holds(same_types(types), operands=types)

    def infer(self) -> Inferred:
        """The type of the operands."""
        inferred: Type = self.operands[0].type
        return inferred


def flags() -> object:
    """The field of the flags of a floating-point operation."""
    return define.default_attribute("", FASTMATH, FastMathAttribute(), filled=True)


def define_operation(base: type[Op], name: str, **fields: object) -> type[Op]:
    """The class of an operation, from a row of a table."""
    title = "".join(word.capitalize() for word in name.split("_"))
    body = {"__doc__": f"The function {name} of MLIR's math dialect.", "__slots__": (), **fields}
    return op(f"math.{name}")(cast("type[Op]", type(title, (base,), body)))


def of_types(
    name: str, operands: str, types: TypeConstraint[Type], *, has_flags: bool = True
) -> type[Op]:
    """A function of operands of one type."""
    names = operands.split()
    written = " `,` ".join(f"${operand}" for operand in names)
    flag_text = " custom<FastMath>" if has_flags else ""
    return define_operation(
        OfOneType,
        name,
        **{operand: define.operand("", types) for operand in names},
        result=define.result(types, element_type="types", shape="types"),
        **({"fastmath": flags()} if has_flags else {}),
        assembly=f"{written}{flag_text} attr-dict `:` same-type",
    )


class Classification(ParseOnlyOp):
    """A property of one float."""

    __slots__ = ()
    exact = True
    operand = define.operand("", FLOAT_LIKE)
    fastmath = flags()
    result = define.result(BOOLEAN_LIKE, element_type="types", shape="types")
    assembly = "$operand custom<FastMath> attr-dict `:` type($operand) custom<Inferred>"

    def infer(self) -> Inferred:
        """Booleans of the operand's shape."""
        return with_element(self.operand.type, BOOLEAN)


@op("math.clampf")
class Clampf(OfOneType):
    """The number, or the bound that it exceeds."""

    __slots__ = ()
    value = define.operand("", FLOAT_LIKE)
    min = define.operand("", FLOAT_LIKE)
    max = define.operand("", FLOAT_LIKE)
    fastmath = flags()
    result = define.result(FLOAT_LIKE, element_type="types", shape="types")
    assembly = "$value `to` `[` $min `,` $max `]` custom<FastMath> attr-dict `:` same-type"


@op("math.fma")
class Fma(OfOneType):
    """A product and a sum, rounded once."""

    __slots__ = ()
    a = define.operand("", FLOAT_LIKE)
    b = define.operand("", FLOAT_LIKE)
    c = define.operand("", FLOAT_LIKE)
    fastmath = flags()
    roundingmode = define.optional_attribute("", ROUNDING_MODE)
    result = define.result(FLOAT_LIKE, element_type="types", shape="types")
    assembly = "$a `,` $b `,` $c custom<RoundingMode> custom<FastMath> attr-dict `:` same-type"


@op("math.fpowi")
class Fpowi(ParseOnlyOp):
    """A float to the power of an integer."""

    __slots__ = ()
    exact = True
    lhs = define.operand("", FLOAT_LIKE)
    rhs = define.operand("", FIXED_WIDTH_LIKE)
    fastmath = flags()
    result = define.result(FLOAT_LIKE, element_type="types", shape="types")
    assembly = (
        "$lhs `,` $rhs custom<FastMath> attr-dict `:` type($lhs) `,` type($rhs) custom<Inferred>"
    )

    def infer(self) -> Inferred:
        """The type of the first operand."""
        return self.lhs.type


@op("math.sincos")
class Sincos(ParseOnlyOp):
    """Sine and cosine."""

    __slots__ = ()
    exact = True
    operand = define.operand("", FLOAT_LIKE)
    fastmath = flags()
    sin = define.result(FLOAT_LIKE, element_type="types", shape="types")
    cos = define.result(FLOAT_LIKE, element_type="types", shape="types")
    assembly = "$operand custom<FastMath> attr-dict `:` type($operand) custom<Inferred>"

    def infer(self) -> Inferred:
        """The type of the operand, twice."""
        return (self.operand.type, self.operand.type)


OF_ONE_FLOAT: Final = (
    "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log "
    "log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc"
)
OPERATIONS: Final = (
    Clampf,
    Fma,
    Fpowi,
    Sincos,
    *(of_types(name, "operand", FLOAT_LIKE) for name in OF_ONE_FLOAT.split()),
    *(of_types(name, "lhs rhs", FLOAT_LIKE) for name in ("atan2", "copysign", "powf")),
    of_types("ipowi", "lhs rhs", FIXED_WIDTH_LIKE, has_flags=False),
    *(
        of_types(name, "operand", FIXED_WIDTH_LIKE, has_flags=False)
        for name in ("absi", "ctlz", "ctpop", "cttz")
    ),
    *(
        define_operation(Classification, name)
        for name in ("isfinite", "isinf", "isnan", "isnormal")
    ),
)
