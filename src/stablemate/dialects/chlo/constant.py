"""chlo.constant, chlo.constant_like."""

from __future__ import annotations

from typing import Final, TypeAlias, cast

from stablemate.dialects.chlo.attributes import ComplexNumber
from stablemate.dialects.chlo.ranks import is_ranked, of_any_rank
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, ELEMENTS, AttributeKind
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import ElementType

TypedNumber: TypeAlias = IntegerAttribute | FloatAttribute | ComplexNumber

TYPED_NUMBER: Final[AttributeKind[TypedNumber]] = AttributeKind(
    "number with its type",
    lambda a: isinstance(a, TypedNumber),
    lambda a: cast(TypedNumber, a),
    lambda value: cast(Attribute, value),
    lambda a: isinstance(a, TypedNumber | DenseElementsAttribute | StringAttribute),
)


@op("chlo.constant", family=Family.ELEMENTWISE, traits=Trait.CONSTANT_LIKE | Trait.FREE)
class Constant(Op):
    """The tensor with the elements of ``value``.

    Source: CHLO dialect, constant.
    """

    __slots__ = ()
    exact = True
    value = define.attribute("", ELEMENTS)
    output = define.result(ANY_TENSOR)
    assembly = "custom<Constant>"

    def infer(self) -> Type:
        """The type of the literal."""
        return self.value.type


@op("chlo.constant_like", family=Family.ELEMENTWISE, traits=Trait.FREE)
class ConstantLike(Op):
    """A tensor of the shape of ``operand``, filled with ``value``.

    Source: CHLO dialect, constant_like.
    """

    __slots__ = ()
    operand = define.operand("", of_any_rank(ANY_TENSOR))
    value = define.attribute("", TYPED_NUMBER)
    result = define.result(of_any_rank(ANY_TENSOR))

    @constraint("element type")
    def fitting_element(self) -> Check:
        """element_type(result) = type(value)"""
        value, result = self.value.type, self.result.type.element_type
        return holds(value == result, value=value, result=result)

    @constraint("shape")
    def same_shapes(self) -> Check:
        """shape(operand) = shape(result)"""
        if not is_ranked(self):
            return None
        operand, result = self.operand.type.shape, self.result.type.shape
        return holds(same_shape(operand, result), operand=operand, result=result)

    def infer(self) -> TensorType:
        """The shape of the operand, of elements like the value."""
        return self.operand.type.with_element(cast("ElementType", self.value.type))


OPERATIONS: Final[tuple[type[Op], ...]] = (Constant, ConstantLike)
