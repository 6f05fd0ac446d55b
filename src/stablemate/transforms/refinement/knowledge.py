"""Constant propagation before a run: integers of shape computations, and shapes.

An operation on known integers is evaluated at once. Known values are arrays, scalars, or what the
shape dialect has; large ones and those of other elements are left to the run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.arith import constant as arith
from stablemate.dialects.arith.types import element_of
from stablemate.dialects.shape.shapes import ConstShape
from stablemate.dialects.shape.sizes import ConstSize
from stablemate.dialects.shape.types import SHAPE, SIZE, WITNESS, Invalid
from stablemate.dialects.shape.witnesses import ConstWitness
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import DenseElementsAttribute, IntegerAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.definition import Op, has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.array_limits import array_excess
from stablemate.numerics.elements import (
    INDEX,
    MOST_DIMENSIONS,
    Array,
    IndexType,
    IntegerType,
)

LARGEST: Final = 64  # elements of a value that is kept: sizes are few
CONSTANTS: Final = frozenset({"stablehlo.constant", "arith.constant"})
# Foldable operations that shape computations do not consist of: refinement leaves them as they are.
NOT_EVALUATED: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast", "dynamic_gather", "gather", "is_finite", "torch_index_select")
)
FOLDED_DIALECTS: Final = ("arith.", "shape.", "tensor.")
# What asks for the shape of its first operand only.
QUERIES: Final = frozenset(
    {
        "shape.dim",
        "shape.shape_of",
        "stablehlo.get_dimension_size",
        "tensor.dim",
        "tensor.rank",
    }
)
SHAPE_TYPES: Final = (SHAPE, SIZE, WITNESS)


def constant_results(operation: Op, values_of: Mapping[Value, object]) -> tuple[object, ...] | None:
    """The results of an operation for known operands; None if one is unknown.

    Args:
        operation: The operation, with refined types.
        values_of: The values that are known.
    """
    if not is_foldable(operation) or not have_arrays(operation.results):
        return None
    operands = [constant_operand(operation, i, values_of) for i in range(len(operation.operands))]
    if any(operand is None for operand in operands):
        return None
    try:
        with np.errstate(all="ignore"):
            results = operation.evaluate(*operands)
    except StablemateError:
        return None  # it is said when the program runs
    values = results if len(operation.results) != 1 else (results,)
    return tuple(values) if all(is_kept(value) for value in values) else None


def have_arrays(values: Sequence[Value[Type]]) -> bool:
    """Whether arrays have the shapes of the values that are tensors."""
    shapes = [value.type.shape for value in values if isinstance(value.type, TensorType)]
    return not any(map(array_excess, shapes))


def is_foldable(operation: Op) -> bool:
    """Whether the results follow from the operands alone, and are integers or shapes."""
    name = operation.name
    if operation.regions or not operation.results:
        return False
    if not (
        (has_trait(operation, Trait.FOLDABLE) and name not in NOT_EVALUATED)
        or name in CONSTANTS
        or name in QUERIES
        or name.startswith(FOLDED_DIALECTS)
    ):
        return False
    return all(is_of_integers(value.type) for value in operation.results)


def is_of_integers(value_type: Type) -> bool:
    """Whether values of a type are integers that arrays hold, a few of them, or shapes."""
    if value_type in SHAPE_TYPES:
        return True
    if isinstance(value_type, TensorType) and (
        value_type.rank > MOST_DIMENSIONS or (value_type.is_static and value_type.size > LARGEST)
    ):
        return False
    element = element_of(value_type)
    return isinstance(element, IndexType) or (
        isinstance(element, IntegerType) and element.width in (1, 2, 4, 8, 16, 32, 64)
    )


def is_kept(value: Any) -> bool:
    """Whether a value is small, or known not to exist."""
    return isinstance(value, Invalid) or np.size(value) <= LARGEST


def can_be_written(value: object) -> bool:
    """Whether there is a constant of a known value."""
    return not isinstance(value, Invalid)


def constant_operand(
    operation: Op, position: int, values_of: Mapping[Value[Type], object]
) -> object:
    """The known value of an operand; for queries, any array of its shape."""
    operand = operation.operands[position]
    if position == 0 and operation.name in QUERIES:
        return placeholder_array(operand.type, queried_dimensions(operation, values_of))
    return values_of.get(operand)


def queried_dimensions(
    operation: Op, values_of: Mapping[Value[Type], object]
) -> Collection[int] | None:
    """The dimensions whose sizes an operation queries; None for all."""
    if operation.name == "tensor.rank":
        return ()
    dimension: Any = getattr(operation, "dimension", None)  # of get_dimension_size
    if len(operation.operands) > 1:
        dimension = values_of.get(operation.operands[1])
    return None if dimension is None else (int(dimension),)


def placeholder_array(value_type: Type, asked: Collection[int] | None) -> Array | None:
    """An array of a shape without memory of its own; None if a queried size is unknown."""
    if not isinstance(value_type, TensorType) or value_type.rank > MOST_DIMENSIONS:
        return None
    shape = [size if asked is None or d in asked else 0 for d, size in enumerate(value_type.shape)]
    if DYNAMIC in shape or array_excess(shape):
        return None
    return np.broadcast_to(np.zeros((), np.bool_), shape)


def constant_of(value: Any, value_type: Type, builder: Builder) -> Value[Type]:
    """A known value as the result of a new operation, of a type that is as specific as can be."""
    if value_type in SHAPE_TYPES:
        return shape_constant(value, value_type, builder)
    element = element_of(value_type)
    assert isinstance(element, IntegerType | IndexType)
    if not isinstance(value_type, TensorType):
        scalar = IntegerAttribute(element.wrap(int(value)), element)
        return builder.create(arith.Constant, value=scalar).result
    array = np.asarray(value, element.dtype)
    literal = dense_elements(TensorType(array.shape, element), array)
    cls: Any = arith.Constant if isinstance(element, IndexType) else Constant
    return value_of(builder.create(cls, value=literal))


def value_of(operation: Op) -> Value[Type]:
    """The one result of an operation."""
    return operation.results[0]


def shape_constant(value: Any, value_type: Type, builder: Builder) -> Value[TensorType]:
    """A known shape, size or witness as the result of a new operation."""
    if value_type == SHAPE:
        sizes = np.asarray(value, np.int64)
        literal: DenseElementsAttribute = dense_elements(TensorType(sizes.shape, INDEX), sizes)
        return builder.create(ConstShape, shape=literal, results=[SHAPE]).results[0]
    if value_type == SIZE:
        return builder.create(ConstSize, value=int(value)).results[0]
    return builder.create(ConstWitness, passing=bool(value)).results[0]
