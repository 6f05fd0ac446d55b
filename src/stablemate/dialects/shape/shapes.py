"""Shapes of values, constant shapes, and shapes computed from others.

Source: MLIR shape dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

import numpy as np

from stablemate.dialects.shape.types import (
    EXTENT_TENSOR,
    INDEX_TENSOR,
    SHAPE,
    SHAPE_OR_EXTENTS,
    SHAPE_OR_SIZE,
    SHAPE_VALUE,
    SHAPED,
    SIZE,
    SIZE_OR_INDEX,
    VALUE_SHAPE,
    Invalid,
    ShapeType,
    ShapeValue,
    broadcast_shapes,
    checked_result,
    equal_shapes,
    extents,
    first_invalid,
    propagates_invalid,
)
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.definition import (
    Check,
    Inferred,
    Op,
    Operand,
    Result,
    VariadicOperand,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import STRING, AttributeKind, TypeConstraint, tensor_of
from stablemate.ir.shapes import same_size
from stablemate.ir.types import Attribute, OpaqueType, TensorType, Type
from stablemate.numerics.elements import BOOLEAN, Array, IntegerType


def is_any_integer(element: object) -> bool:
    """An integer of any width, booleans included."""
    return isinstance(element, IntegerType)


EXTENTS: Final[AttributeKind[DenseElementsAttribute]] = AttributeKind(
    "1-dimensional tensor of index type",
    lambda a: isinstance(a, DenseElementsAttribute) and EXTENT_TENSOR.accepts(a.type),
    lambda a: cast(DenseElementsAttribute, a),
    lambda value: cast(Attribute, value),
    lambda a: isinstance(a, DenseElementsAttribute),
)
BOOLEAN_VALUE: Final[TypeConstraint[IntegerType]] = TypeConstraint(
    "i1", lambda candidate: candidate == BOOLEAN
)


@op("shape.shape_of")
class ShapeOf(Op):
    """The shape of a tensor.

    Source: MLIR shape dialect, shape_of.
    """

    __slots__ = ()
    arg = define.operand(
        "", SHAPED | TypeConstraint[OpaqueType]("value_shape", lambda c: c == VALUE_SHAPE)
    )
    result = define.result(SHAPE_OR_EXTENTS, shape="result")
    assembly = "$arg attr-dict `:` custom<OperandTypesArrow>"

    @constraint("result")
    def holds_rank(self) -> Check:
        """The result is a shape, or has an extent for each dimension of the tensor"""
        arg, result = self.arg.type, self.result.type
        if result == SHAPE:
            return None
        shape = getattr(arg, "shape", None)  # a buffer has one, too
        rank = None if shape is None else len(shape)
        fits = arg != VALUE_SHAPE and (
            not isinstance(result, TensorType) or rank is None or same_size(result.shape[0], rank)
        )
        return holds(fits, arg=arg, result=result)

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The shape of the array."""
        return checked_result(self, extents(np.shape(operands[0])), "result")


@op("shape.const_shape")
class ConstShape(Op):
    """The shape in the attribute ``shape``.

    Source: MLIR shape dialect, const_shape.
    """

    __slots__ = ()
    shape = define.attribute("", EXTENTS)
    result = define.result(SHAPE_OR_EXTENTS, shape="result")
    assembly = "custom<ConstShape>"

    @constraint("result")
    def type_of_literal(self) -> Check:
        """The result is a shape, or has the type of the literal"""
        literal, result = self.shape.type, self.result.type
        return holds(result in (SHAPE, literal), literal=literal, result=result)

    def evaluate(self, *operands: object, **_: object) -> Array:
        """Returns the extents as a read-only array."""
        return self.shape.array


@op("shape.from_extents")
class FromExtents(Op):
    """The shape of these sizes.

    Source: MLIR shape dialect, from_extents.
    """

    __slots__ = ()
    extents = define.variadic("", SIZE_OR_INDEX)
    shape = define.result(SHAPE_VALUE)
    assembly = "$extents attr-dict `:` type($extents) custom<Inferred>"

    def infer(self) -> Type:
        """Returns ``!shape.shape``: a list of extents, or an error."""
        return SHAPE

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The sizes in an array."""
        return first_invalid(operands) or extents([int(size) for size in operands])


@op("shape.from_extent_tensor")
class FromExtentTensor(Op):
    """The shape that an extent tensor holds.

    Source: MLIR shape dialect, from_extent_tensor.
    """

    __slots__ = ()
    input = define.operand("", EXTENT_TENSOR)
    result = define.result(SHAPE_VALUE)
    assembly = "$input attr-dict `:` type($input) custom<Inferred>"

    def infer(self) -> Type:
        """Returns ``!shape.shape``: a list of extents, or an error."""
        return SHAPE

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Returns the tensor, since a shape is represented by its extents."""
        return operands[0]


@op("shape.to_extent_tensor")
class ToExtentTensor(Op):
    """A shape as an extent tensor.

    Source: MLIR shape dialect, to_extent_tensor.
    """

    __slots__ = ()
    input = define.operand("", SHAPE_OR_EXTENTS)
    result = define.result(INDEX_TENSOR)  # of any rank, though only rank 1 has a value
    assembly = "$input attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: object, **_: object) -> object:
        """The array of the shape, which must be valid."""
        return checked_result(self, operands[0])


@op("shape.value_as_shape")
class ValueAsShape(Op):
    """The shape that a tensor of integers holds.

    Source: MLIR shape dialect, value_as_shape.
    """

    __slots__ = ()
    arg = define.operand(
        "",
        EXTENT_TENSOR
        | tensor_of("1-dimensional tensor of integer type", is_any_integer, rank=1)
        | TypeConstraint[OpaqueType]("value_shape", lambda c: c == VALUE_SHAPE),
    )
    result = define.result(SHAPE_OR_EXTENTS)
    assembly = "$arg attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The integers, none of which may be negative."""
        shape = extents(operands[0])
        if np.any(shape < 0):
            return checked_result(self, Invalid(f"{list(map(int, shape))} is no shape"))
        return checked_result(self, shape)


class VariadicShapes(Op):
    """A function of any number of shapes."""

    __slots__ = ()
    shapes: ClassVar[VariadicOperand[ShapeType]]
    result: ClassVar[Result[ShapeType]]

    @constraint("errors")
    def errors(self) -> Check:
        """The result is a shape or size if an operand is: such a value may not exist"""
        return propagates_invalid(self)


@op("shape.broadcast")
class Broadcast(VariadicShapes):
    """The shape to which all shapes can be broadcast.

    Source: MLIR shape dialect, broadcast.
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_OR_EXTENTS)
    error = define.optional_attribute("", STRING)
    result = define.result(SHAPE_OR_EXTENTS)
    assembly = "$shapes attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: ShapeValue, **_: object) -> object:
        """Of corresponding sizes the one that is not 1."""
        shape = broadcast_shapes(operands)
        if isinstance(shape, Invalid) and self.error:
            shape = Invalid(f"{self.error}: {shape.reason}")
        return checked_result(self, shape)


@op("shape.any")
class AnyShape(Op):
    """Any of several shapes that are known to be equal: the first valid one.

    Source: MLIR shape dialect, any.
    """

    __slots__ = ()
    inputs = define.variadic("", SHAPE_OR_EXTENTS)
    result = define.result(SHAPE_OR_EXTENTS)
    assembly = "$inputs attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the first operand that is a valid shape."""
        valid = [operand for operand in operands if not isinstance(operand, Invalid)]
        nothing = first_invalid(operands) or Invalid("there is no shape to choose")
        return checked_result(self, valid[0] if valid else nothing)


@op("shape.concat")
class Concat(Op):
    """The dimensions of one shape, followed by those of another.

    Source: MLIR shape dialect, concat.
    """

    __slots__ = ()
    lhs = define.operand("", SHAPE_OR_EXTENTS)
    rhs = define.operand("", SHAPE_OR_EXTENTS)
    result = define.result(SHAPE_OR_EXTENTS)
    assembly = "$lhs `,` $rhs attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The extents in one array."""
        invalid = first_invalid(operands)
        return checked_result(self, invalid or np.concatenate(operands))


@op("shape.split_at")
class SplitAt(Op):
    """The dimensions of a shape before ``index``, and those from there on.

    A negative index counts from the end.

    Source: MLIR shape dialect, split_at.
    """

    __slots__ = ()
    operand = define.operand("", SHAPE_OR_EXTENTS)
    index = define.operand("", SIZE_OR_INDEX)
    head = define.result(SHAPE_OR_EXTENTS)
    tail = define.result(SHAPE_OR_EXTENTS)

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The two parts of the array."""
        shape, index = operands
        invalid = first_invalid(operands)
        if invalid is None and not -len(shape) <= int(index) <= len(shape):
            invalid = Invalid(f"a shape of {len(shape)} dimensions has no place {int(index)}")
        if invalid is not None:
            return checked_result(self, invalid), invalid
        place = int(index) + (len(shape) if index < 0 else 0)
        return shape[:place], shape[place:]


class Extremum(Op):
    """The larger or smaller of two sizes, or of the sizes of two shapes."""

    __slots__ = ()
    lhs: ClassVar[Operand[OpaqueType]]
    rhs: ClassVar[Operand[OpaqueType]]
    choose: ClassVar[Any]
    assembly = "$lhs `,` $rhs attr-dict `:` custom<OperandTypesArrow>"

    def infer(self) -> Inferred:
        """The type of the operands if they have one, else a size."""
        lhs, rhs = self.lhs.type, self.rhs.type
        return lhs if lhs == rhs else SIZE

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The choice for each size."""
        invalid = first_invalid(operands)
        if invalid is not None:
            return invalid
        if np.shape(operands[0]) != np.shape(operands[1]):
            return Invalid("shapes of different ranks have no extremum")
        return type(self).choose(*operands)


@op("shape.max")
class Max(Extremum):
    """The larger of two sizes, or of the sizes of two shapes.

    Source: MLIR shape dialect, max.
    """

    __slots__ = ()
    lhs = define.operand("", SHAPE_OR_SIZE)
    rhs = define.operand("", SHAPE_OR_SIZE)
    result = define.result(SHAPE_OR_SIZE)
    choose = np.maximum


@op("shape.min")
class Min(Extremum):
    """The smaller of two sizes, or of the sizes of two shapes.

    Source: MLIR shape dialect, min.
    """

    __slots__ = ()
    lhs = define.operand("", SHAPE_OR_SIZE)
    rhs = define.operand("", SHAPE_OR_SIZE)
    result = define.result(SHAPE_OR_SIZE)
    choose = np.minimum


class ShapePredicate(Op):
    """A test of any number of shapes."""

    __slots__ = ()
    assembly = "$shapes attr-dict `:` type($shapes) custom<Inferred>"

    def infer(self) -> Type:
        """``i1``."""
        return BOOLEAN


@op("shape.shape_eq")
class ShapeEq(ShapePredicate):
    """Whether all shapes are equal; an invalid shape equals another invalid one.

    Source: MLIR shape dialect, shape_eq.
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_OR_EXTENTS)
    result = define.result(BOOLEAN_VALUE)

    def evaluate(self, *operands: ShapeValue, **_: object) -> object:
        """The comparison with the first one."""
        return np.bool_(all_equal(operands))


@op("shape.is_broadcastable")
class IsBroadcastable(ShapePredicate):
    """Whether there is a shape to which all shapes can be broadcast.

    Source: MLIR shape dialect, is_broadcastable.
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_OR_EXTENTS)
    result = define.result(BOOLEAN_VALUE)

    def evaluate(self, *operands: ShapeValue, **_: object) -> object:
        """Whether the broadcast shape is valid."""
        return np.bool_(not isinstance(broadcast_shapes(operands), Invalid))


def all_equal(shapes: Sequence[ShapeValue]) -> bool:
    """Whether all shapes equal the first one."""
    return all(equal_shapes(shapes[0], shape) for shape in shapes[1:])
