"""Types of shape: shapes, sizes and witnesses, and their values.

A ``!shape.shape`` is an array of 64-bit integers in one dimension, a ``!shape.size`` a 64-bit
integer, or either of them is an ``Invalid`` with the reason; a ``!shape.witness`` is a
boolean. Extent tensors, ``tensor<?xindex>``, are arrays and cannot be invalid.

Source: MLIR shape dialect, "Types".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, holds
from stablemate.ir.kinds import TypeConstraint, instance_of
from stablemate.ir.types import (
    MemRefType,
    OpaqueType,
    TensorType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from stablemate.numerics.elements import INDEX, Array, IndexType

SHAPE: Final = OpaqueType("!shape.shape")
SIZE: Final = OpaqueType("!shape.size")
WITNESS: Final = OpaqueType("!shape.witness")
VALUE_SHAPE: Final = OpaqueType("!shape.value_shape")

ShapeType: TypeAlias = OpaqueType | TensorType
SizeType: TypeAlias = OpaqueType | IndexType


@dataclass(frozen=True)
class Invalid:
    """An invalid shape or size.

    Attributes:
        reason: Why it is invalid.
    """

    reason: str


def is_extent_tensor(candidate: object) -> bool:
    """Whether this is a type of 1-dimensional tensors of indices."""
    return (
        isinstance(candidate, TensorType)
        and candidate.rank == 1
        and candidate.element_type == INDEX
    )


SHAPE_OR_EXTENTS: Final[TypeConstraint[ShapeType]] = TypeConstraint(
    "shape or extent tensor", lambda candidate: candidate == SHAPE or is_extent_tensor(candidate)
)
SIZE_OR_INDEX: Final[TypeConstraint[SizeType]] = TypeConstraint(
    "size or index", lambda candidate: candidate == SIZE or isinstance(candidate, IndexType)
)
SHAPE_OR_SIZE: Final[TypeConstraint[OpaqueType]] = TypeConstraint(
    "shape or size", lambda candidate: candidate in (SHAPE, SIZE)
)
SHAPE_VALUE: Final[TypeConstraint[OpaqueType]] = TypeConstraint(
    "shape", lambda candidate: candidate == SHAPE
)
SIZE_VALUE: Final[TypeConstraint[OpaqueType]] = TypeConstraint(
    "size", lambda candidate: candidate == SIZE
)
WITNESS_VALUE: Final[TypeConstraint[OpaqueType]] = TypeConstraint(
    "witness", lambda candidate: candidate == WITNESS
)
EXTENT_TENSOR: Final[TypeConstraint[TensorType]] = TypeConstraint(
    "1-dimensional tensor of index type", is_extent_tensor
)
INDEX_TENSOR: Final[TypeConstraint[TensorType | UnrankedTensorType]] = TypeConstraint(
    "tensor of index type",
    lambda c: isinstance(c, TensorType | UnrankedTensorType) and c.element_type == INDEX,
)
INDEX_VALUE: Final = instance_of("index", IndexType)
SHAPED: Final[TypeConstraint[Type]] = TypeConstraint(
    "tensor, vector or buffer",
    lambda c: isinstance(c, TensorType | UnrankedTensorType | VectorType | MemRefType),
)


def propagates_invalid(operation: Operation) -> Check:
    """Whether the result can be invalid if an operand can."""
    operands = [value.type for value in operation.operands]
    result: Type = operation.results[0].type
    may_fail = SHAPE in operands or SIZE in operands
    return holds(not may_fail or result in (SHAPE, SIZE), operands=operands, result=result)


def extents(array: object) -> Array:
    """Converts sizes to the array that represents a shape."""
    return np.asarray(array, np.int64).reshape(-1)


ShapeValue: TypeAlias = Array | Invalid  # a shape when a program runs


def first_invalid(values: Sequence[object]) -> Invalid | None:
    """The first invalid one among shapes or sizes."""
    return next((value for value in values if isinstance(value, Invalid)), None)


def checked_result(operation: Operation, value: Any, rule: str = "") -> object:
    """A shape or size as the result of an operation.

    Raises:
        EvaluationError: It is invalid and the result's type cannot represent that, or it has
            another number of extents than that type.
    """
    result: Type = operation.results[0].type
    if isinstance(value, Invalid):
        require(operation, result in (SHAPE, SIZE), rule, value.reason)
        return value
    if isinstance(result, TensorType):
        require_shape(operation, value.shape, rule)
    return value


def shape_fact(shape: ShapeValue) -> tuple[int, ...] | str:
    """The text of a shape in diagnostics."""
    return "invalid" if isinstance(shape, Invalid) else tuple(int(size) for size in shape)


def broadcast_shapes(shapes: Sequence[ShapeValue]) -> ShapeValue:
    """The shape to which all can be broadcast: of corresponding sizes, counted from the last, the
    one that is not 1.
    """
    invalid = first_invalid(shapes)
    if invalid is not None:
        return invalid
    valid = [shape for shape in shapes if not isinstance(shape, Invalid)]
    rank = max((len(shape) for shape in valid), default=0)
    result = np.ones(rank, np.int64)
    for shape in valid:
        own = np.ones(rank, np.int64)
        own[rank - len(shape) :] = shape
        if np.any((own != result) & (own != 1) & (result != 1)):
            texts = ", ".join(str(list(map(int, shape))) for shape in valid)
            return Invalid(f"shapes {texts} cannot be broadcast to one")
        result = np.where(result == 1, own, result)
    return result


def equal_shapes(a: ShapeValue, b: ShapeValue) -> bool:
    """Whether two shapes are equal; an invalid shape equals another invalid one."""
    if isinstance(a, Invalid) or isinstance(b, Invalid):
        return isinstance(a, Invalid) and isinstance(b, Invalid)
    return bool(np.array_equal(a, b))
