"""The complex dialect: complex scalars.

Source: MLIR complex dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final, cast

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.dialects.parse_only.math import OfOneType, flags
from stablemate.ir.definition import Check, Inferred, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_VALUE, ARRAY, TypeConstraint, instance_of
from stablemate.ir.types import Type
from stablemate.numerics.elements import BOOLEAN, ComplexType, FloatType

COMPLEX: Final = instance_of("complex type", ComplexType)
FLOAT: Final = instance_of("floating-point type", FloatType)
CONDITION: Final[TypeConstraint[Type]] = TypeConstraint(
    "i1", lambda candidate: candidate == BOOLEAN
)


def define_operation(base: type[Op], name: str, **fields: object) -> type[Op]:
    """The class of an operation, from a row of a table."""
    body = {"__doc__": f"The function {name} of MLIR's complex dialect.", "__slots__": (), **fields}
    return op(f"complex.{name}")(cast("type[Op]", type(name.capitalize(), (base,), body)))


class Unary(OfOneType):
    """A function of one complex number."""

    __slots__ = ()
    complex = define.operand("", COMPLEX)
    fastmath = flags()
    result = define.result(COMPLEX, element_type="types", shape="types")
    assembly = "$complex custom<FastMath> attr-dict `:` same-type"


class Binary(OfOneType):
    """A function of two complex numbers."""

    __slots__ = ()
    lhs = define.operand("", COMPLEX)
    rhs = define.operand("", COMPLEX)
    fastmath = flags()
    result = define.result(COMPLEX, element_type="types", shape="types")
    assembly = "$lhs `,` $rhs custom<FastMath> attr-dict `:` same-type"


class ToReal(ParseOnlyOp):
    """A real function of a complex number."""

    __slots__ = ()
    exact = True
    complex = define.operand("", COMPLEX)
    fastmath = flags()
    result = define.result(FLOAT, element_type="types", shape="types")
    assembly = "$complex custom<FastMath> attr-dict `:` type($complex) custom<Inferred>"

    def infer(self) -> Inferred:
        """The type of the parts."""
        return self.complex.type.element


class ComplexComparison(ParseOnlyOp):
    """Whether two complex numbers are equal, or not."""

    __slots__ = ()
    exact = True
    lhs = define.operand("", COMPLEX)
    rhs = define.operand("", COMPLEX)
    result = define.result(CONDITION, element_type="types", shape="types")
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs) custom<Inferred>"

    @constraint("types")
    def one_type(self) -> Check:
        """Operands are of one type"""
        return holds(self.lhs.type == self.rhs.type, lhs=self.lhs.type, rhs=self.rhs.type)

    def infer(self) -> Inferred:
        """``i1``."""
        return BOOLEAN


@op("complex.create")
class Create(ParseOnlyOp):
    """The complex number of two parts."""

    __slots__ = ()
    real = define.operand("", FLOAT)
    imaginary = define.operand("", FLOAT)
    complex = define.result(COMPLEX)
    assembly = "$real `,` $imaginary attr-dict `:` result-type"

    @constraint("types")
    def has_parts_of_one_type(self) -> Check:
        """The parts have the type of the result's parts"""
        real, imaginary, part = self.real.type, self.imaginary.type, self.complex.type.element
        return holds(real == imaginary == part, real=real, imaginary=imaginary, part=part)


@op("complex.constant")
class Constant(ParseOnlyOp):
    """A complex number, by its parts."""

    __slots__ = ()
    value = define.attribute("", ARRAY)
    complex = define.result(COMPLEX)
    assembly = "$value attr-dict `:` result-type"

    @constraint("value")
    def has_two_parts(self) -> Check:
        """Value has two parts"""
        return holds(len(self.value.items) == 2, value=self.value)


@op("complex.bitcast")
class Bitcast(ParseOnlyOp):
    """The same bits as a value of another type."""

    __slots__ = ()
    operand = define.operand("", ANY_VALUE)
    result = define.result(ANY_VALUE)
    assembly = "$operand attr-dict `:` custom<CastTypes>"


UNARY: Final = "conj cos exp expm1 log log1p neg rsqrt sign sin sqrt tan tanh"
OPERATIONS: Final = (
    Create,
    Constant,
    Bitcast,
    *(define_operation(Unary, name) for name in UNARY.split()),
    *(define_operation(Binary, name) for name in ("add", "atan2", "div", "mul", "pow", "sub")),
    *(define_operation(ToReal, name) for name in ("abs", "angle", "im", "re")),
    *(define_operation(ComplexComparison, name) for name in ("eq", "neq")),
)
