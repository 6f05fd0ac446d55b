"""stablehlo-canonicalize-dynamism: dynamic operations whose sizes are constants, as static ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.refinement import SHAPE_OPERANDS, shape_operands
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.dynamic_conv import DynamicConv
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.dynamic_pad import DynamicPad
from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.iota import DynamicIota, Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice, constant_distance
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.set_dimension_size import SetDimensionSize
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.attributes import ArrayAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.types import TensorType, Type, tensor
from stablemate.ir.verifier import operation_errors
from stablemate.numerics.elements import IndexType
from stablemate.transforms.dead_code import without_dead_code


def canonicalize_dynamism(module: Module) -> Module:
    """The module with static operations where sizes are constants, without dead code."""
    return without_dead_code(with_static_operations(module))


def with_static_operations(module: Module) -> Module:
    """The module with static operations where sizes are constants; itself if it has no others."""
    return rewrite_module(module, PATTERNS)


def static_type(operation: Operation) -> tuple[TensorType] | None:
    """The type of the one result, if its shape is known."""
    result = operation.results[0].type
    return (result,) if isinstance(result, TensorType) and result.is_static else None


def like(operation: Operation) -> Mapping[str, object]:
    """The discardable attributes, which a replacement keeps."""
    return {"discardable": operation.discardable}


def static_custom_call(call: CustomCall, builder: Builder) -> Replacement:
    """The call without the operands that hold the shapes of its results, once these are known."""
    positions = shape_operands(call)
    if positions is None or any(
        isinstance(value.type, TensorType) and not value.type.is_static for value in call.results
    ):
        return None
    if any(known_integers(call.operands[i]) is None for i in positions):
        return None
    created = without_shape_operands(call, [value.type for value in call.results])
    builder.block.append(created)
    return created.results


def without_shape_operands(call: CustomCall, types: Sequence[Type]) -> CustomCall:
    """A call with results of known types, without the operands that hold their shapes."""
    kept = remaining_dimensions(len(call.operands), shape_operands(call) or ())
    attributes = dict(call.attributes)
    layouts = attributes.get("operand_layouts")
    if isinstance(layouts, ArrayAttribute):
        attributes["operand_layouts"] = ArrayAttribute(tuple(layouts.items[i] for i in kept))
    return CustomCall(
        [call.operands[i] for i in kept],
        types,
        attributes,
        discardable={k: v for k, v in call.discardable.items() if k != SHAPE_OPERANDS},
        location=call.location,
        span=call.span,
    )


def static_broadcast(operation: DynamicBroadcastInDim, builder: Builder) -> Replacement:
    """broadcast_in_dim, if both shapes are known."""
    results = static_type(operation)
    extents = known_integers(operation.output_dimensions)
    if results is None or extents is None or not operation.operand.type.is_static:
        return None
    return builder.create(
        BroadcastInDim,
        operand=operation.operand,
        broadcast_dimensions=operation.broadcast_dimensions,
        results=results,
        **like(operation),
    ).results


def static_convolution(operation: DynamicConv, builder: Builder) -> Replacement:
    """convolution, if the padding is known."""
    padding = known_integers(operation.padding)
    if padding is None:
        return None
    pairs = np.array(padding, np.int64).reshape(-1, 2)
    inherent = {name: value for name, value in operation.attributes.items() if name != "padding"}
    return builder.create(
        Convolution,
        lhs=operation.lhs,
        rhs=operation.rhs,
        padding=pairs,
        results=[operation.results[0].type],
        **inherent,
        **like(operation),
    ).results


def static_gather(operation: DynamicGather, builder: Builder) -> Replacement:
    """gather, if the sizes of the slices are known."""
    sizes = known_integers(operation.slice_sizes)
    if sizes is None:
        return None
    return builder.create(
        Gather,
        operand=operation.operand,
        start_indices=operation.start_indices,
        dimension_numbers=operation.dimension_numbers,
        slice_sizes=sizes,
        indices_are_sorted=operation.attributes.get("indices_are_sorted"),
        results=[operation.results[0].type],
        **like(operation),
    ).results


def static_iota(operation: DynamicIota, builder: Builder) -> Replacement:
    """iota, if the shape is known."""
    results = static_type(operation)
    if results is None or known_integers(operation.output_shape) is None:
        return None
    return builder.create(
        Iota, iota_dimension=operation.iota_dimension, results=results, **like(operation)
    ).results


def static_pad(operation: DynamicPad, builder: Builder) -> Replacement:
    """pad, if the padding is known."""
    low = known_integers(operation.edge_padding_low)
    high = known_integers(operation.edge_padding_high)
    interior = known_integers(operation.interior_padding)
    if low is None or high is None or interior is None:
        return None
    return builder.create(
        Pad,
        operand=operation.operand,
        padding_value=operation.padding_value,
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=interior,
        results=[operation.results[0].type],
        **like(operation),
    ).results


def static_reshape(operation: DynamicReshape, builder: Builder) -> Replacement:
    """reshape, if the shape is known."""
    results = static_type(operation)
    if results is None or known_integers(operation.output_shape) is None:
        return None
    return builder.create(
        Reshape, operand=operation.operand, results=results, **like(operation)
    ).results


def static_slice(operation: RealDynamicSlice, builder: Builder) -> Replacement:
    """slice, if the ends are known; dynamic_slice, if they are a constant distance apart."""
    strides = known_integers(operation.strides)
    if strides is None:
        return None
    start, limit = known_integers(operation.start_indices), known_integers(operation.limit_indices)
    if start is not None and limit is not None:
        return builder.create(
            Slice,
            operand=operation.operand,
            start_indices=start,
            limit_indices=limit,
            strides=strides,
            results=[operation.results[0].type],
            **like(operation),
        ).results
    sizes = constant_distance(operation.start_indices, operation.limit_indices)
    is_index = isinstance(operation.start_indices.type.element_type, IndexType)
    if sizes is None or is_index or any(stride != 1 for stride in strides):
        return None
    starts = [index_of(operation.start_indices, i, builder) for i in range(len(sizes))]
    return builder.create(
        DynamicSlice,
        operand=operation.operand,
        start_indices=starts,
        slice_sizes=sizes,
        results=[operation.results[0].type],
        **like(operation),
    ).results


def unchanged_dimension(operation: SetDimensionSize, builder: Builder) -> Replacement:
    """The operand, if the dimension keeps its size."""
    operand = operation.operand
    keeps = operand.type.is_static and operand.type == operation.results[0].type
    return operand if keeps else None


def index_of(indices: Value[TensorType], position: int, builder: Builder) -> Value[TensorType]:
    """An element of a tensor of indices, as a tensor of rank 0."""
    element = indices.type.element_type
    part = builder.create(
        Slice,
        operand=indices,
        start_indices=(position,),
        limit_indices=(position + 1,),
        strides=(1,),
        results=[tensor(element, 1)],
    ).results[0]
    return builder.create(Reshape, operand=part, results=[tensor(element)]).results[0]


def by_rules(pattern: Pattern) -> Pattern:
    """The pattern, where what it creates breaks no rule; else running the program says so."""

    def rule(operation: Operation, builder: Builder) -> Replacement:
        replacement = pattern(operation, builder)
        created = builder.block.operations
        if any(
            isinstance(operation_, Op) and operation_errors(operation_) for operation_ in created
        ):
            created.clear()
            return None
        return replacement

    return rule


SIMPLER: Final[Mapping[str, Pattern]] = {
    "stablehlo.custom_call": static_custom_call,
    "stablehlo.dynamic_broadcast_in_dim": static_broadcast,
    "stablehlo.dynamic_conv": static_convolution,
    "stablehlo.dynamic_gather": static_gather,
    "stablehlo.dynamic_iota": static_iota,
    "stablehlo.dynamic_pad": static_pad,
    "stablehlo.dynamic_reshape": static_reshape,
    "stablehlo.real_dynamic_slice": static_slice,
    "stablehlo.set_dimension_size": unchanged_dimension,
}
PATTERNS: Final = {name: by_rules(pattern) for name, pattern in SIMPLER.items()}
