"""Constants and operations that move elements.

Source: StableHLO specification, data movement ops; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.registry import rules_by_name
from stablemate.dialects.stablehlo.broadcast import Broadcast
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant, is_unknown
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.reverse import Reverse
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.torch_index_select import TorchIndexSelect
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.attributes import DenseElementsAttribute, DenseResourceAttribute
from stablemate.ir.core import Operation
from stablemate.numerics.elements import MOST_DIMENSIONS
from stablemate.xla.literal import Literal, has_many_empty_rows
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import (
    BuiltInstruction,
    ComputationBuilder,
    element_of,
)
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.values import PaddingDimension, SliceDimension


def constant(body: ComputationBuilder, operation: Constant) -> BuiltInstruction:
    """``constant``; one element that fills an array is a scalar, broadcast."""
    shape = body.shape(operation.output)
    element = element_of(operation.output)
    stored, resources = operation.value, body.program.resources
    if isinstance(stored, DenseResourceAttribute) and is_unknown(stored, resources):
        return body.emit("constant", shape, (), {"literal": Literal(shape)})
    if isinstance(stored, DenseElementsAttribute) and stored.is_splat and shape.dimensions:
        scalar = operation.flat_elements(resources).reshape(())
        return body.spread(body.constant(scalar, element), shape)
    if has_many_empty_rows(shape.dimensions):
        zero = np.zeros((), operation.flat_elements(resources).dtype)
        return body.spread(body.constant(zero, element), shape)
    if shape.rank > MOST_DIMENSIONS:
        flat = body.constant(operation.flat_elements(resources), element)
        return body.reshape(flat, shape.dimensions)
    return body.constant(operation.elements(resources), element)


def iota(body: ComputationBuilder, operation: Iota) -> BuiltInstruction:
    """``iota``."""
    shape = body.shape(operation.results[0])
    return body.emit("iota", shape, (), {"iota_dimension": operation.iota_dimension})


def plain(opcode: str) -> Rule:
    """An instruction that takes the operands and has nothing to say."""

    def rule(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
        operands = body.all_nodes(operation.operands)
        return body.emit(opcode, body.shape(operation.results[0]), operands)

    return rule


# ---- broadcasts


def broadcast(body: ComputationBuilder, operation: Broadcast) -> BuiltInstruction:
    """``broadcast`` into new dimensions in front."""
    shape = body.shape(operation.results[0])
    operand = body.node(operation.operand)
    dimensions = tuple(range(shape.rank - operand.shape.rank, shape.rank))
    return body.emit("broadcast", shape, [operand], {"dimensions": dimensions})


def broadcast_in_dim(body: ComputationBuilder, operation: BroadcastInDim) -> BuiltInstruction:
    """``broadcast``; dimensions of size one that are stretched go first."""
    shape = body.shape(operation.results[0])
    return broadcast_into(body, body.node(operation.operand), operation.broadcast_dimensions, shape)


def broadcast_into(
    body: ComputationBuilder, operand: BuiltInstruction, dimensions: Sequence[int], shape: Shape
) -> BuiltInstruction:
    """An array broadcast into a shape, its dimensions placed at those of the shape."""
    sizes = operand.shape.dimensions
    kept = [i for i, d in enumerate(dimensions) if not (sizes[i] == 1 and shape.dimensions[d] != 1)]
    if len(kept) < len(sizes):
        operand = body.reshape(operand, [sizes[i] for i in kept])
    places = [dimensions[i] for i in kept]
    order = sorted(range(len(places)), key=places.__getitem__)
    if order != list(range(len(places))):
        operand = body.transpose(operand, order)
        if operand.shape.dimensions == shape.dimensions:
            return operand
    return body.emit("broadcast", shape, [operand], {"dimensions": tuple(sorted(places))})


# ---- parts of arrays


def transpose(body: ComputationBuilder, operation: Transpose) -> BuiltInstruction:
    """``transpose``."""
    attributes = {"dimensions": tuple(operation.permutation)}
    operand = body.node(operation.operand)
    return body.emit("transpose", body.shape(operation.results[0]), [operand], attributes)


def reverse(body: ComputationBuilder, operation: Reverse) -> BuiltInstruction:
    """``reverse``."""
    attributes = {"dimensions": tuple(operation.dimensions)}
    operand = body.node(operation.operand)
    return body.emit("reverse", body.shape(operation.results[0]), [operand], attributes)


def concatenate(body: ComputationBuilder, operation: Concatenate) -> BuiltInstruction:
    """``concatenate``."""
    attributes = {"dimensions": (operation.dimension,)}
    operands = body.all_nodes(operation.operands)
    return body.emit("concatenate", body.shape(operation.results[0]), operands, attributes)


def slice_(body: ComputationBuilder, operation: Slice) -> BuiltInstruction:
    """``slice``."""
    bounds = (operation.start_indices, operation.limit_indices, operation.strides)
    return translate_slice(body, operation, *bounds)


def translate_slice(
    body: ComputationBuilder,
    operation: Operation,
    starts: Sequence[int],
    limits: Sequence[int],
    strides: Sequence[int],
) -> BuiltInstruction:
    """``slice`` of the first operand."""
    parts = tuple(SliceDimension(*numbers) for numbers in zip(starts, limits, strides, strict=True))
    operand = body.node(operation.operands[0])
    return body.emit("slice", body.shape(operation.results[0]), [operand], {"slice": parts})


def dynamic_slice(body: ComputationBuilder, operation: DynamicSlice) -> BuiltInstruction:
    """``dynamic-slice``."""
    attributes = {"dynamic_slice_sizes": tuple(operation.slice_sizes)}
    operands = body.all_nodes(operation.operands)
    return body.emit("dynamic-slice", body.shape(operation.results[0]), operands, attributes)


def pad(body: ComputationBuilder, operation: Pad) -> BuiltInstruction:
    """``pad``."""
    edges = (
        operation.edge_padding_low,
        operation.edge_padding_high,
        operation.interior_padding,
    )
    return translate_pad(body, operation, *edges)


def translate_pad(
    body: ComputationBuilder,
    operation: Operation,
    low: Sequence[int],
    high: Sequence[int],
    interior: Sequence[int],
) -> BuiltInstruction:
    """``pad`` of the first operand with the second."""
    padding = tuple(PaddingDimension(*numbers) for numbers in zip(low, high, interior, strict=True))
    operands = body.all_nodes(operation.operands[:2])
    if not padding:
        return operands[0]  # a scalar has no edges
    return body.emit("pad", body.shape(operation.results[0]), operands, {"padding": padding})


# ---- gather


def gather(body: ComputationBuilder, operation: Gather) -> BuiltInstruction:
    """``gather``."""
    return translate_gather(body, operation, operation.slice_sizes)


def translate_gather(
    body: ComputationBuilder, operation: Gather | DynamicGather, slice_sizes: Sequence[int]
) -> BuiltInstruction:
    """``gather`` of slices of these sizes."""
    numbers = operation.dimension_numbers
    attributes = {
        "offset_dims": numbers.offset_dims,
        "collapsed_slice_dims": numbers.collapsed_slice_dims,
        "start_index_map": numbers.start_index_map,
        "operand_batching_dims": numbers.operand_batching_dims or None,
        "start_indices_batching_dims": numbers.start_indices_batching_dims or None,
        "index_vector_dim": numbers.index_vector_dim,
        "slice_sizes": tuple(slice_sizes),
        "indices_are_sorted": operation.indices_are_sorted,
    }
    operands = body.all_nodes(operation.operands[:2])
    return body.emit("gather", body.shape(operation.results[0]), operands, attributes)


def torch_index_select(body: ComputationBuilder, operation: TorchIndexSelect) -> BuiltInstruction:
    """``gather`` of slices of size one along a dimension.

    result[b..., o..., i..., r...] = operand[b..., o..., index[b..., i...], r...]
    """
    operand, index = body.all_nodes(operation.operands)
    batch, dimension = operation.batch_dims, operation.dim
    if not 0 <= batch <= dimension < operand.shape.rank or batch > index.shape.rank:
        message = "0 <= batch_dims <= dim < rank(operand) and batch_dims <= rank(index)"
        raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
    rank, sizes = operand.shape.rank, operand.shape.dimensions
    places = index.shape.rank - batch  # dimensions of the index that take the dimension's place
    offsets = [*range(batch, dimension), *range(dimension + places, rank + places - 1)]
    batching = tuple(range(batch))
    attributes = {
        "offset_dims": tuple(offsets),
        "collapsed_slice_dims": (dimension,),
        "start_index_map": (dimension,),
        "operand_batching_dims": batching or None,
        "start_indices_batching_dims": batching or None,
        "index_vector_dim": index.shape.rank,
        "slice_sizes": tuple(
            1 if d == dimension or d < batch else size for d, size in enumerate(sizes)
        ),
    }
    return body.emit("gather", body.shape(operation.results[0]), [operand, index], attributes)


RULES: Final[dict[str, Rule]] = {
    **rules_by_name(
        "stablehlo",
        constant,
        iota,
        broadcast,
        broadcast_in_dim,
        transpose,
        reverse,
        concatenate,
        slice_,
        dynamic_slice,
        pad,
        gather,
        torch_index_select,
    ),
    "stablehlo.reshape": plain("reshape"),
    "stablehlo.dynamic_update_slice": plain("dynamic-update-slice"),
}
