"""arith.constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    DenseStringsAttribute,
    FloatAttribute,
    IntegerAttribute,
    SparseElementsAttribute,
    StringAttribute,
    float_of_bits,
)
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_VALUE, AttributeKind
from stablemate.ir.traits import Trait
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import Array, IntegerType, StorageError

TypedLiteral: TypeAlias = (
    IntegerAttribute
    | FloatAttribute
    | DenseElementsAttribute
    | DenseResourceAttribute
    | DenseStringsAttribute
    | SparseElementsAttribute
)

TYPED_LITERAL: Final[AttributeKind[TypedLiteral]] = AttributeKind(
    "integer, float or elements",
    lambda a: isinstance(
        a,
        IntegerAttribute
        | FloatAttribute
        | DenseElementsAttribute
        | DenseResourceAttribute
        | DenseStringsAttribute
        | SparseElementsAttribute,
    ),
    lambda a: cast(TypedLiteral, a),
    lambda value: cast(Attribute, value),
    lambda a: isinstance(a, TypedLiteral | StringAttribute),
)


@op("arith.constant", traits=Trait.CONSTANT_LIKE)
class Constant(Op):
    """The scalar or tensor with the value of ``value``.

    Source: MLIR arith dialect, constant.
    """

    __slots__ = ()
    value = define.attribute("", TYPED_LITERAL)
    result = define.result(ANY_VALUE, element_type="type", shape="type")
    assembly = "attr-dict custom<TypedConstant>"

    @constraint("type")
    def literal_type(self) -> Check:
        """A scalar integer has no sign of its own, and the literal has the type of the result"""
        literal, result = self.value.type, self.result.type
        signs = isinstance(literal, IntegerType) and literal.signedness != "signless"
        return holds(literal == result and not signs, literal=literal, result=result)

    def infer(self) -> Type:
        """The type of the literal."""
        return self.value.type

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """A function that always returns the same value."""
        value = self.evaluate()
        return lambda: value

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The literal; an array is read-only."""
        value = self.value
        try:
            match value:
                case IntegerAttribute():
                    return np.array(value.value).astype(value.type.dtype)[()]
                case FloatAttribute():
                    return float_of_bits(value.bits, value.type)
                case DenseElementsAttribute():
                    return value.array
                case _:
                    pass
        except StorageError as error:
            raise UnsupportedError(str(error), span=self.span) from None
        raise UnsupportedError(f"{self.name} cannot hold this kind of literal", span=self.span)
