"""Sizes of shapes and dimensions, and arithmetic with them.

Source: MLIR shape dialect, the operations of the same names.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final, SupportsInt

import numpy as np

from stablemate.dialects.shape.types import (
    INDEX_VALUE,
    SHAPE_OR_EXTENTS,
    SHAPED,
    SIZE,
    SIZE_OR_INDEX,
    SIZE_VALUE,
    Invalid,
    ShapeValue,
    checked_result,
    first_invalid,
    propagates_invalid,
)
from stablemate.ir.attributes import IntegerAttribute
from stablemate.ir.definition import Check, Op, constraint, define, op
from stablemate.ir.kinds import AttributeKind
from stablemate.ir.types import Type
from stablemate.numerics.elements import INDEX, Array, IndexType

INDEX_NUMBER: Final[AttributeKind[int]] = AttributeKind(
    "index",
    lambda a: isinstance(a, IntegerAttribute) and isinstance(a.type, IndexType),
    lambda a: int(a.value),
    lambda value: IntegerAttribute(value, INDEX),
    lambda a: isinstance(a, IntegerAttribute),
)


class SizeBase(Op):
    """A function whose result is a size, or an index if all operands are valid."""

    __slots__ = ()

    @constraint("errors")
    def errors(self) -> Check:
        """The result is a shape or size if an operand is: such a value may not exist"""
        return propagates_invalid(self)


@op("shape.const_size")
class ConstSize(Op):
    """The size in the attribute ``value``.

    Source: MLIR shape dialect, const_size.
    """

    __slots__ = ()
    value = define.attribute("", INDEX_NUMBER)
    result = define.result(SIZE_VALUE)
    assembly = "custom<IndexNumber> attr-dict custom<Inferred>"

    def infer(self) -> Type:
        """Returns ``!shape.size``: an extent, or an error."""
        return SIZE

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the literal as an integer of 64 bits."""
        return np.int64(self.value)


@op("shape.num_elements")
class NumElements(SizeBase):
    """The product of the sizes of a shape.

    Source: MLIR shape dialect, num_elements.
    """

    __slots__ = ()
    shape = define.operand("", SHAPE_OR_EXTENTS)
    result = define.result(SIZE_OR_INDEX)
    assembly = "$shape attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: ShapeValue, **_: object) -> object:
        """Multiplies the extents; an invalid shape stays invalid."""
        (shape,) = operands
        return shape if isinstance(shape, Invalid) else np.prod(shape, dtype=np.int64)


@op("shape.rank")
class Rank(SizeBase):
    """The number of dimensions of a shape.

    Source: MLIR shape dialect, rank.
    """

    __slots__ = ()
    shape = define.operand("", SHAPE_OR_EXTENTS)
    rank = define.result(SIZE_OR_INDEX)
    assembly = "$shape attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: ShapeValue, **_: object) -> object:
        """The length of the array."""
        (shape,) = operands
        return shape if isinstance(shape, Invalid) else np.int64(len(shape))


@op("shape.get_extent")
class GetExtent(SizeBase):
    """A size of a shape.

    Source: MLIR shape dialect, get_extent.
    """

    __slots__ = ()
    shape = define.operand("", SHAPE_OR_EXTENTS)
    dim = define.operand("", SIZE_OR_INDEX)
    extent = define.result(SIZE_OR_INDEX)
    assembly = "$shape `,` $dim attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The element of the array."""
        shape, dim = operands
        return checked_result(self, first_invalid(operands) or extent_of(shape, dim))


@op("shape.dim")
class Dim(Op):
    """A size of a tensor.

    Source: MLIR shape dialect, dim.
    """

    __slots__ = ()
    value = define.operand("", SHAPED)
    index = define.operand("", SIZE_OR_INDEX)
    extent = define.result(SIZE_OR_INDEX)
    assembly = "$value `,` $index attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The size of the array's dimension."""
        value, index = operands
        return checked_result(self, first_invalid((index,)) or extent_of(np.shape(value), index))


def extent_of(shape: Sequence[int] | Array, dimension: SupportsInt) -> np.int64 | Invalid:
    """A size of a shape, if the shape has the dimension."""
    if not 0 <= int(dimension) < len(shape):
        return Invalid(f"a shape of {len(shape)} dimensions has no dimension {int(dimension)}")
    return np.int64(shape[int(dimension)])


@op("shape.index_to_size")
class IndexToSize(Op):
    """An index as a size.

    Source: MLIR shape dialect, index_to_size.
    """

    __slots__ = ()
    arg = define.operand("", INDEX_VALUE)
    result = define.result(SIZE_VALUE)
    assembly = "$arg attr-dict custom<Inferred>"

    def infer(self) -> Type:
        """Returns ``!shape.size``: an extent, or an error."""
        return SIZE

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the number, since sizes and indices are represented alike."""
        return operands[0]


@op("shape.size_to_index")
class SizeToIndex(Op):
    """A size as an index.

    Source: MLIR shape dialect, size_to_index.
    """

    __slots__ = ()
    arg = define.operand("", SIZE_OR_INDEX)
    result = define.result(INDEX_VALUE)
    assembly = "$arg attr-dict `:` type($arg) custom<Inferred>"

    def infer(self) -> Type:
        """``index``."""
        return INDEX

    def evaluate(self, *operands: object, **_: object) -> object:
        """The same number, which must be valid."""
        return checked_result(self, operands[0])


class SizeFunction(SizeBase):
    """A function of two sizes."""

    __slots__ = ()
    lhs = define.operand("", SIZE_OR_INDEX)
    rhs = define.operand("", SIZE_OR_INDEX)
    result = define.result(SIZE_OR_INDEX)
    assembly = "$lhs `,` $rhs attr-dict `:` custom<OperandTypesArrow>"

    def evaluate(self, *operands: Any, **_: object) -> object:
        """The number, if both operands are valid."""
        return checked_result(self, first_invalid(operands) or self.compute(*operands))

    @abstractmethod
    def compute(self, lhs: np.int64, rhs: np.int64) -> np.int64 | Invalid:
        """Computes the function of two valid sizes."""


@op("shape.add")
class Add(SizeFunction):
    """The sum.

    Source: MLIR shape dialect, add.
    """

    __slots__ = ()

    def compute(self, lhs: np.int64, rhs: np.int64) -> np.int64 | Invalid:
        """Returns ``lhs + rhs`` of two extents, in 64 bits."""
        return lhs + rhs


@op("shape.mul")
class Mul(SizeFunction):
    """The product.

    Source: MLIR shape dialect, mul.
    """

    __slots__ = ()

    def compute(self, lhs: np.int64, rhs: np.int64) -> np.int64 | Invalid:
        """Returns ``lhs * rhs`` of two extents, in 64 bits."""
        return lhs * rhs


@op("shape.div")
class Div(SizeFunction):
    """The quotient, rounded down.

    Source: MLIR shape dialect, div.
    """

    __slots__ = ()

    def compute(self, lhs: np.int64, rhs: np.int64) -> np.int64 | Invalid:
        """The quotient, unless the divisor is zero."""
        return Invalid("a size cannot be divided by zero") if rhs == 0 else lhs // rhs
