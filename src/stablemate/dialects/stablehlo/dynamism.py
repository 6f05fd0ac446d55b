"""Sizes that are operands: their types, and what is known about them before a run.

Source: StableHLO specification, "Dynamism".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import OpResult, Value
from stablemate.ir.definition import Check, holds
from stablemate.ir.kinds import ANY_TENSOR, DIMENSION_TENSOR, TypeConstraint
from stablemate.ir.shapes import compatible
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array

# It bounds the time of folding: constants that are sizes have one element for each dimension.
MAX_SIZES: Final = 1 << 20  # elements of a constant that may be sizes
CONSTANTS: Final = frozenset({"stablehlo.constant", "arith.constant", "chlo.constant"})

STATIC_DIMENSION_TENSOR: Final[TypeConstraint[TensorType]] = TypeConstraint(
    f"statically shaped {DIMENSION_TENSOR.description}",
    lambda candidate: DIMENSION_TENSOR.accepts(candidate) and candidate.is_static,
)


def is_static_or_bounded(tensor_type: TensorType) -> bool:
    """Whether all sizes are known, but for one that has a bound."""
    dynamic = tensor_type.shape.count(DYNAMIC)
    bounds = sum(bound != DYNAMIC for bound in tensor_type.bounds)
    return dynamic == 0 or dynamic == bounds == 1


def largest_shape(tensor_type: TensorType) -> tuple[int, ...]:
    """The size of each dimension, or its bound; DYNAMIC where there is neither."""
    bounds = tensor_type.bounds or tensor_type.shape
    sizes = zip(tensor_type.shape, bounds, strict=True)
    return tuple(bound if size == DYNAMIC else size for size, bound in sizes)


def largest_size(tensor_type: TensorType, dimension: int) -> int:
    """The size of a dimension, or its bound; DYNAMIC if there is neither."""
    size, bounds = tensor_type.shape[dimension], tensor_type.bounds
    return bounds[dimension] if size == DYNAMIC and bounds else size


def shape_fact(shape: Sequence[int]) -> tuple[object, ...]:
    """The sizes as diagnostics show them: ``?`` where they are dynamic."""
    return tuple("?" if size == DYNAMIC else size for size in shape)


# For operations without a shape operand; the specification permits static shapes only.
STATIC_OR_BOUNDED_TENSOR: Final[TypeConstraint[TensorType]] = TypeConstraint(
    f"statically shaped or single bounded dimension {ANY_TENSOR.description}",
    lambda candidate: ANY_TENSOR.accepts(candidate) and is_static_or_bounded(candidate),
)


def known_integers(value: Value[Type]) -> tuple[int, ...] | None:
    """The elements of an integer constant in row-major order; None if it is not one.

    A constant of very many elements holds no sizes, and is none.
    """
    if not isinstance(value, OpResult) or value.operation.name not in CONSTANTS:
        return None
    literal = value.operation.attributes.get("value")
    if not isinstance(literal, DenseElementsAttribute) or prod(literal.shape) > MAX_SIZES:
        return None
    return integers(literal.array)


def integers(array: Array) -> tuple[int, ...]:
    """The elements of an array of integers of any width, row-major."""
    return tuple(int(element) for element in array.reshape(-1).tolist())


def shape_operand_fits(
    name: str, operand: Value[TensorType], result: TensorType, shown: Sequence[object]
) -> Check:
    """Whether an operand with the shape of the result has its rank and, if constant, its sizes.

    Args:
        name: The name of the operand.
        operand: The operand.
        result: The declared type of the result.
        shown: The shape of the result as the diagnostic shows it.
    """
    size, sizes = operand.type.shape[0], known_integers(operand)
    fits = size == result.rank and (sizes is None or can_have_shape(result, sizes))
    values = {} if sizes is None else {name: sizes}
    return holds(fits, size=size, **values, result=shown)


def can_have_shape(tensor_type: TensorType, sizes: Sequence[int]) -> bool:
    """Whether these sizes are a shape, and one that a value of the type can have."""
    fits = compatible(tensor_type, tensor_type.with_shape(sizes))
    return fits and all(size >= 0 for size in sizes)
