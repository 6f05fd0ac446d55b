"""Attributes that speak of sizes: what they say of a piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final, TypeAlias

from stablemate.dialects.mhlo.frontend_attributes import (
    FRONTEND_ATTRIBUTES,
    frontend_attributes,
    frontend_text,
    with_frontend_attributes,
)
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.execution.custom_calls.batched_matrices import WHOLE_BATCH
from stablemate.ir.attributes import StringAttribute, integer
from stablemate.ir.core import Operation, Value
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import I64

BATCH: Final = "num_batch_dims"
Local: TypeAlias = Callable[[Any, Sequence[Value], Sequence[Type]], Mapping[str, Attribute]]


def slice_limits(
    operation: Slice, operands: Sequence[Value], results: Sequence[Type]
) -> Mapping[str, Attribute]:
    """A dimension that is taken whole ends where the piece ends."""
    global_shape, local_shape = operation.operand.type.shape, operands[0].type.shape
    pairs = zip(operation.limit_indices, global_shape, local_shape, strict=True)
    limits = [here if here != there else limit for limit, there, here in pairs]
    return {**operation.attributes, "limit_indices": SI64_ARRAY.attribute(tuple(limits))}


def slice_sizes(
    operation: DynamicSlice | Gather, operands: Sequence[Value], results: Sequence[Type]
) -> Mapping[str, Attribute]:
    """A dimension that is taken whole has the size of the piece."""
    global_shape, local_shape = operation.operand.type.shape, operands[0].type.shape
    pairs = zip(operation.slice_sizes, global_shape, local_shape, strict=True)
    sizes = [here if size == there else size for size, there, here in pairs]
    return {**operation.attributes, "slice_sizes": SI64_ARRAY.attribute(tuple(sizes))}


def group_counts(
    operation: Convolution, operands: Sequence[Value], results: Sequence[Type]
) -> Mapping[str, Attribute]:
    """The number of groups that a piece has; it has whole ones."""
    numbers = operation.dimension_numbers
    types = (operands[0].type, operands[1].type, results[0])
    lhs, rhs, out = (own.shape if isinstance(own, TensorType) else () for own in types)
    batch, depth = numbers.input_batch_dimension, numbers.input_feature_dimension
    rows, features = numbers.output_batch_dimension, numbers.kernel_input_feature_dimension
    counts = dict(operation.attributes)
    if out[rows]:
        counts["batch_group_count"] = integer(lhs[batch] // out[rows], I64)
    if rhs[features]:
        counts["feature_group_count"] = integer(lhs[depth] // rhs[features], I64)
    return counts


def batch_dimensions(operation: Operation) -> int:
    """How many leading dimensions of all operands and results of a custom call are a batch.

    Source: JAX, ``register_ffi_target_as_batch_partitionable``.
    """
    count = frontend_text(operation.discardable, BATCH)
    return int(count) if count is not None and count.isdigit() else 0


def local_marks(operation: Operation, operands: Sequence[Value]) -> Mapping[str, Attribute]:
    """The frontend attributes of a custom call on a part of a batch: they say how large all is.

    Routines are chosen by the number of all matrices, so that a program has the same bits on any
    number of devices.
    """
    count = batch_dimensions(operation)
    if not count or not operands:
        return {}
    whole = operation.operands[0].type.shape[:count]
    if whole == operands[0].type.shape[:count] or WHOLE_BATCH in frontend_attributes(
        operation.discardable
    ):
        return {}
    added = {WHOLE_BATCH: StringAttribute(str(prod(whole)))}
    return {FRONTEND_ATTRIBUTES: with_frontend_attributes(operation.discardable, added)}


LOCAL: Final[Mapping[str, Local]] = {
    "stablehlo.convolution": group_counts,
    "stablehlo.dynamic_slice": slice_sizes,
    "stablehlo.gather": slice_sizes,
    "stablehlo.slice": slice_limits,
}
