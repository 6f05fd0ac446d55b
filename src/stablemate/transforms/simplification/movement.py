"""Simpler forms: two operations that move elements as one, sizes and comparisons as constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

import numpy as np

from stablemate.dialects.registry import rules_by_class
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.case import Case
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.elementwise import MONOIDS, Binary, Elementwise, Subtract, Xor
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Region, Value
from stablemate.ir.rewriter import Replacement
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import QuantizedType
from stablemate.transforms.simplification.identities import is_integer, is_static
from stablemate.transforms.simplification.rules import (
    IDENTITIES,
    Rule,
    either,
    maker,
    splat_constant,
    splat_of,
)

EQUAL: Final = (ComparisonDirection.EQ, ComparisonDirection.GE, ComparisonDirection.LE)


def is_plain(*values: Value) -> bool:
    """Whether values are tensors of known shape, not quantized ones whose axes would move."""
    return all(
        is_static(value) and not isinstance(value.type.element_type, QuantizedType)
        for value in values
    )


def reshape_of_reshape(operation: Reshape, builder: Builder) -> Replacement:
    """Merges two reshapes in a row into one."""
    inner = maker(operation.operand, "stablehlo.reshape")
    if inner is None or not is_plain(inner.operand, operation.result):
        return None
    return reshape_value(inner.operand, operation.result.type, builder)


def reshape_value(
    value: Value[TensorType], result_type: object, builder: Builder
) -> Value[TensorType]:
    """A value in another shape; itself if it has this one."""
    if value.type == result_type:
        return value
    return builder.create(Reshape, operand=value, results=[result_type]).results[0]


def transpose_of_transpose(operation: Transpose, builder: Builder) -> Replacement:
    """Merges two transposes in a row into one."""
    inner = maker(operation.operand, "stablehlo.transpose")
    if inner is None or not is_plain(inner.operand, operation.result):
        return None
    order = [inner.permutation[d] for d in operation.permutation]
    return builder.create(Transpose, operand=inner.operand, permutation=order).results[0]


def transpose_as_reshape(operation: Transpose, builder: Builder) -> Replacement:
    """A reshape, where only dimensions of one element change their places."""
    if not is_plain(operation.operand, operation.result):
        return None
    shape = operation.operand.type.shape
    moved = [d for d in operation.permutation if shape[d] != 1]
    if moved != sorted(moved):
        return None
    return reshape_value(operation.operand, operation.result.type, builder)


def broadcast_of_broadcast(operation: BroadcastInDim, builder: Builder) -> Replacement:
    """Merges two broadcasts in a row into one."""
    inner = maker(operation.operand, "stablehlo.broadcast_in_dim")
    if inner is None or not is_plain(inner.operand, operation.result):
        return None
    inner_dimensions: Sequence[int] = inner.broadcast_dimensions
    dimensions = [operation.broadcast_dimensions[d] for d in inner_dimensions]
    return builder.create(
        BroadcastInDim,
        operand=inner.operand,
        broadcast_dimensions=dimensions,
        results=[operation.result.type],
    ).results[0]


def broadcast_as_reshape(operation: BroadcastInDim, builder: Builder) -> Replacement:
    """A reshape, where no element is repeated and none changes its place."""
    if not is_plain(operation.operand, operation.result):
        return None
    dimensions: Sequence[int] = operation.broadcast_dimensions
    same_size = operation.operand.type.size == operation.result.type.size
    if not same_size or list(dimensions) != sorted(dimensions):
        return None
    return reshape_value(operation.operand, operation.result.type, builder)


def concatenate_of_concatenates(operation: Concatenate, builder: Builder) -> Replacement:
    """One concatenation of all parts, without empty ones."""
    if not is_plain(*operation.inputs, operation.result):
        return None
    dimension = operation.dimension
    parts: list[Value[TensorType]] = []
    for operand in operation.inputs:
        inner = maker(operand, "stablehlo.concatenate")
        parts += inner.inputs if inner is not None and inner.dimension == dimension else [operand]
    kept = [part for part in parts if part.type.shape[dimension]] or parts[:1]
    if kept == list(operation.inputs):
        return None
    if len(kept) == 1:
        return kept[0]
    return builder.create(Concatenate, inputs=kept, dimension=dimension).results[0]


def slice_of_slice(operation: Slice, builder: Builder) -> Replacement:
    """Merges two slices in a row into one."""
    inner = maker(operation.operand, "stablehlo.slice")
    if inner is None or not is_plain(inner.operand, operation.result):
        return None
    rows = zip(inner.start_indices, inner.strides, strict=True)
    starts: list[int] = []
    limits: list[int] = []
    strides: list[int] = []
    for d, (start, stride) in enumerate(rows):
        size = operation.result.type.shape[d]
        first = start + operation.start_indices[d] * stride
        step = operation.strides[d] * stride
        starts.append(first)
        strides.append(step)
        limits.append(min(first + (size - 1) * step + 1 if size else first, limit_of(inner, d)))
    return builder.create(
        Slice,
        operand=inner.operand,
        start_indices=starts,
        limit_indices=limits,
        strides=strides,
    ).results[0]


def limit_of(operation: Slice, dimension: int) -> int:
    """Where the operand of a slice ends."""
    size: int = operation.operand.type.shape[dimension]
    return size


def slice_of_dynamic_slice(operation: DynamicSlice, builder: Builder) -> Replacement:
    """A slice, where the start indices are constants; they are clamped as at run time."""
    if not is_plain(operation.operand, operation.result):
        return None
    starts = [known_integers(start_index) for start_index in operation.start_indices]
    sizes: Sequence[int] = operation.slice_sizes
    if any(start is None for start in starts):
        return None
    shape = operation.operand.type.shape
    clamped = [
        max(0, min(start[0], shape[d] - sizes[d])) for d, start in enumerate(starts) if start
    ]
    return builder.create(
        Slice,
        operand=operation.operand,
        start_indices=clamped,
        limit_indices=[start + size for start, size in zip(clamped, sizes, strict=True)],
        strides=[1] * len(clamped),
    ).results[0]


def static_dimension_size(operation: GetDimensionSize, builder: Builder) -> Replacement:
    """The size of a dimension, where it is known."""
    if not is_static(operation.operand):
        return None
    size = operation.operand.type.shape[operation.dimension]
    return splat_constant(size, operation.results[0], builder)


def iota_of_one(operation: Iota, builder: Builder) -> Replacement:
    """Zeros, along a dimension of at most one element."""
    result = operation.results[0]
    if not is_plain(result) or result.type.shape[operation.iota_dimension] > 1:
        return None
    return splat_constant(0, result, builder)


def compared_with_itself(operation: Compare, builder: Builder) -> Replacement:
    """The result of comparing an integer with itself, by direction."""
    lhs, rhs = operation.operands
    if lhs is not rhs or not is_integer(lhs) or not is_static(lhs):
        return None
    return splat_constant(operation.comparison_direction in EQUAL, operation.results[0], builder)


def nothing_left(operation: Binary, builder: Builder) -> Replacement:
    """Zeros, where integers are taken from themselves."""
    lhs, rhs = operation.operands
    if lhs is not rhs or not is_integer(lhs) or not is_static(lhs):
        return None
    return splat_constant(0, operation.results[0], builder)


def constant_last(operation: Elementwise, builder: Builder) -> Replacement:
    """The constant as the second operand of integers."""
    lhs, rhs = operation.operands
    if not is_integer(lhs) or maker(lhs, "stablehlo.constant") is None:
        return None
    if maker(rhs, "stablehlo.constant") is not None:
        return None
    kept = {"discardable": operation.discardable}
    cls = cast("type[Operation]", type(operation))
    return builder.create(cls, lhs=rhs, rhs=lhs, **kept).results[0]


def constant_branch(operation: Operation, builder: Builder) -> Replacement:
    """The operations of the branch that a constant chooses, or of the only one."""
    regions: Sequence[Region] = operation.regions
    splat = 0 if len(regions) == 1 else splat_of(operation.operands[0])
    if splat is None:
        return None
    if operation.name == "stablehlo.if":
        chosen = regions[0 if splat else 1]
    else:
        chosen = regions[int(splat) if 0 <= int(splat) < len(regions) else -1]
    for nested in chosen.block.operations[:-1]:
        builder.block.append(nested)
    returned: Sequence[Value] = chosen.block.terminator.operands
    return returned


def loop_not_entered(operation: While, builder: Builder) -> Replacement:
    """The initial values of a loop whose condition is constantly false."""
    returned = operation.regions[0].block.terminator.operands[0]
    splat = splat_of(returned)
    if splat is None or splat:
        return None
    operands: Sequence[Value] = operation.operands
    return operands


def empty_result(operation: Operation, builder: Builder) -> Replacement:
    """An empty constant, where there is nothing to compute."""
    (result,) = operation.results
    if not is_plain(result) or 0 not in result.type.shape:
        return None
    result_type: TensorType = result.type
    data = np.zeros(0, result_type.element_type.dtype)
    return builder.create(Constant, value=dense_elements(result_type, data)).results[0]


FORMS: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(MONOIDS, constant_last),
    **rules_by_class(
        {
            BroadcastInDim: either(empty_result, broadcast_of_broadcast, broadcast_as_reshape),
            Case: constant_branch,
            Compare: compared_with_itself,
            Concatenate: either(empty_result, concatenate_of_concatenates),
            DynamicSlice: either(empty_result, slice_of_dynamic_slice),
            GetDimensionSize: static_dimension_size,
            If: constant_branch,
            Iota: iota_of_one,
            Reshape: either(empty_result, reshape_of_reshape),
            Slice: either(empty_result, slice_of_slice),
            Subtract: nothing_left,
            Transpose: either(empty_result, transpose_of_transpose, transpose_as_reshape),
            While: loop_not_entered,
            Xor: either(nothing_left, constant_last),
        }
    ),
}
BRANCHES: Final[Mapping[str, Rule]] = rules_by_class({Case: constant_branch, If: constant_branch})
RULES: Final[Mapping[str, Rule]] = {
    **IDENTITIES,
    **FORMS,
    **{name: either(IDENTITIES[name], FORMS[name]) for name in FORMS if name in IDENTITIES},
}
