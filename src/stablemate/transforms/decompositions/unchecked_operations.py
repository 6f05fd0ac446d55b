"""Operations that upstream accepts beside the specification, in those of the specification.

* ``reduce``, ``reduce_window`` and ``scatter`` ignore an operand too many.
* ``dynamic_iota`` and ``dynamic_broadcast_in_dim`` with a static result take their sizes from it if
  the operand holds another number of sizes.
* ``dynamic_iota`` of booleans is false at index 0 and true elsewhere.
* A sparse constant has zeros between its elements.
* ``bitcast_convert`` to as many elements of the same width changes the shape, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.iota import DynamicIota, Iota
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.execution.allocation import reject_oversized
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    SparseElementsAttribute,
    dense_elements,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, I32, Array
from stablemate.transforms.decompositions.einsum import convert_elements


def has_surplus(operation: Operation) -> bool:
    """Whether a reduction has an operand too many."""
    return len(operation.operands) % 2 == 1


def has_surplus_update(operation: Operation) -> bool:
    """Whether a scatter has an operand too many."""
    return len(operation.operands) % 2 == 0


def has_other_number_of_sizes(operation: Operation) -> bool:
    """Whether the last operand holds another number of sizes than the static result has."""
    sizes, result = operation.operands[-1].type, operation.results[0].type
    return isinstance(result, TensorType) and result.is_static and sizes.shape != (result.rank,)


def counts_otherwise(operation: Operation) -> bool:
    """Whether a ``dynamic_iota`` has other sizes than its static result, or counts in booleans."""
    element = operation.results[0].type.element_type
    return element == BOOLEAN or has_other_number_of_sizes(operation)


def is_sparse(operation: Operation) -> bool:
    """Whether a constant is a sparse literal."""
    return isinstance(operation.attributes.get("value"), SparseElementsAttribute)


def without_surplus(operation: Operation, builder: Builder) -> Replacement:
    """The operation without its last operand."""
    created = type(operation)(
        operation.operands[:-1],
        [value.type for value in operation.results],
        operation.attributes,
        operation.regions,
        discardable=operation.discardable,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(created)
    return created.results


def expand_iota(operation: DynamicIota, builder: Builder) -> Replacement:
    """An iota of the result's type; one of integers, converted, if it is of booleans."""
    result = operation.results[0].type
    element = I32 if result.element_type == BOOLEAN else result.element_type
    dimension, counted_type = operation.iota_dimension, result.with_element(element)
    if has_other_number_of_sizes(operation):
        created: Operation = builder.create(Iota, iota_dimension=dimension, results=[counted_type])
    else:
        created = builder.create(
            DynamicIota,
            output_shape=operation.operands[0],
            iota_dimension=dimension,
            results=[counted_type],
        )
    return convert_elements(builder, created.results[0], result.element_type)


def broadcast(operation: DynamicBroadcastInDim, builder: Builder) -> Replacement:
    """A broadcast to the static type of the result."""
    return builder.create(
        BroadcastInDim,
        operand=operation.operands[0],
        broadcast_dimensions=operation.broadcast_dimensions,
        results=[operation.results[0].type],
    ).results[0]


def dense(operation: Operation, builder: Builder) -> Replacement:
    """The constant with all its elements.

    Raises:
        LimitError: They are too many.
    """
    sparse = operation.attributes["value"]
    assert isinstance(sparse, SparseElementsAttribute)
    assert isinstance(sparse.values, DenseElementsAttribute)
    reject_oversized(operation.results[0].type, DEFAULT_LIMITS, operation)
    array: Array = np.zeros(sparse.shape, sparse.type.element_type.dtype)
    places = sparse.indices.array.reshape(-1, len(sparse.shape))
    values = np.broadcast_to(sparse.values.array.reshape(-1), (len(places),))
    for place, value in zip(places.tolist(), values, strict=True):
        array[tuple(place)] = value
    literal = dense_elements(sparse.type, array)
    return builder.create(Constant, value=literal, results=[operation.results[0].type]).results[0]


def changes_shape(operation: Operation) -> bool:
    """Whether a bitcast has the elements of its operand in another shape."""
    operand: TensorType = operation.operands[0].type
    result: TensorType = operation.results[0].type
    return (
        operand.is_static
        and result.is_static
        and operand.element_type.bits == result.element_type.bits
        and operand.shape != result.shape
    )


def reshape_bits(operation: Operation, builder: Builder) -> Replacement:
    """The bits of the operand, in its shape, then in that of the result."""
    operand, result = operation.operands[0], operation.results[0].type
    kept = operand.type.with_element(result.element_type)
    bits = builder.create(BitcastConvert, operand=operand, results=[kept]).results[0]
    return builder.create(Reshape, operand=bits, results=[result]).results[0]


# When an operation is rewritten, and how.
REWRITTEN: Final[Mapping[str, tuple[Callable[[Operation], bool], Pattern]]] = {
    "stablehlo.bitcast_convert": (changes_shape, reshape_bits),
    "stablehlo.constant": (is_sparse, dense),
    "stablehlo.dynamic_broadcast_in_dim": (has_other_number_of_sizes, broadcast),
    "stablehlo.dynamic_iota": (counts_otherwise, expand_iota),
    "stablehlo.reduce": (has_surplus, without_surplus),
    "stablehlo.reduce_window": (has_surplus, without_surplus),
    "stablehlo.scatter": (has_surplus_update, without_surplus),
}


def is_unchecked(operation: Operation) -> bool:
    """Whether an operation is one that its pattern replaces."""
    applies, _ = REWRITTEN.get(operation.name, (None, None))
    return applies is not None and applies(operation)


def pattern_of(name: str) -> Pattern:
    """The pattern of an operation, which leaves others of that name as they are."""
    applies, rewrite = REWRITTEN[name]
    return lambda operation, builder: rewrite(operation, builder) if applies(operation) else None


PATTERNS: Final[Mapping[str, Pattern]] = {name: pattern_of(name) for name in REWRITTEN}
