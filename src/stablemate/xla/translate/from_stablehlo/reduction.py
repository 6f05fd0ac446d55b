"""Reductions, windows, scatters, sorts, scans: operations with a computation of scalars.

Source: StableHLO specification, reduction, scatter and sort; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.dialects.chlo.scan import Scan
from stablemate.dialects.chlo.top_k import TopK
from stablemate.dialects.stablehlo.batch_norm_grad import BatchNormGrad
from stablemate.dialects.stablehlo.batch_norm_inference import BatchNormInference
from stablemate.dialects.stablehlo.batch_norm_training import BatchNormTraining
from stablemate.dialects.stablehlo.map import Map
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
from stablemate.dialects.stablehlo.sort import Sort
from stablemate.ir.core import Operation, Region, Value
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import (
    BuiltInstruction,
    ComputationBuilder,
    element_of,
)
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.regions import computation
from stablemate.xla.values import WindowDimension


def several(
    body: ComputationBuilder,
    opcode: str,
    operation: Operation,
    attributes: dict[str, Any],
    operands: Sequence[BuiltInstruction] | None = None,
) -> list[BuiltInstruction]:
    """An instruction with one array as its result, or a tuple of several."""
    shapes = [body.shape(result) for result in operation.results]
    shape = shapes[0] if len(shapes) == 1 else Shape.tuple_of(shapes)
    if operands is None:
        operands = body.all_nodes(operation.operands)
    reduced = body.emit(opcode, shape, operands, attributes)
    return body.unpack(reduced, len(shapes))


def promote_operands(
    body: ComputationBuilder, operation: Operation, region: Region
) -> list[BuiltInstruction]:
    """The operands in the element types that a region combines: it may add in a wider type."""
    count = len(operation.results)
    groups = (operation.operands[i : i + count] for i in range(0, len(operation.operands), count))
    return [node for group in groups for node in convert_to_region_types(body, group, region)]


def convert_to_region_types(
    body: ComputationBuilder, values: Sequence[Value], region: Region
) -> list[BuiltInstruction]:
    """Values in the element types of the first arguments of a region."""
    nodes: list[BuiltInstruction] = []
    for value, argument in zip(values, region.block.arguments, strict=False):
        node, element = body.node(value), element_of(argument)
        if node.shape.element_type is not element:
            node = body.emit("convert", replace(node.shape, element_type=element), [node])
        nodes.append(node)
    return nodes


def reduce(body: ComputationBuilder, operation: Reduce) -> list[BuiltInstruction]:
    """``reduce``."""
    attributes = {
        "dimensions": tuple(operation.dimensions),
        "to_apply": computation(body, operation.body),
    }
    return several(
        body, "reduce", operation, attributes, promote_operands(body, operation, operation.body)
    )


def reduce_window(body: ComputationBuilder, operation: ReduceWindow) -> list[BuiltInstruction]:
    """``reduce-window``."""
    sizes = operation.window_dimensions
    dilations = (operation.base_dilations, operation.window_dilations)
    window = windows(sizes, operation.window_strides, operation.padding, *dilations)
    attributes = {"window": window or None, "to_apply": computation(body, operation.body)}
    operands = promote_operands(body, operation, operation.body)
    return several(body, "reduce-window", operation, attributes, operands)


def windows(
    sizes: Sequence[int],
    strides: Sequence[int] | None,
    padding: Sequence[Sequence[int]] | None,
    base: Sequence[int] | None = None,
    window: Sequence[int] | None = None,
) -> tuple[WindowDimension, ...]:
    """How a window moves along each dimension."""
    ones = (1,) * len(sizes)
    return tuple(
        WindowDimension(size, stride, int(low), int(high), base_dilation, window_dilation)
        for size, stride, (low, high), base_dilation, window_dilation in zip(
            sizes,
            strides or ones,
            padding or ((0, 0),) * len(sizes),
            base or ones,
            window or ones,
            strict=True,
        )
    )


def select_and_scatter(
    body: ComputationBuilder, operation: SelectAndScatter
) -> list[BuiltInstruction]:
    """``select-and-scatter``."""
    window = windows(operation.window_dimensions, operation.window_strides, operation.padding)
    attributes = {
        "window": window or None,
        "select": computation(body, operation.select),
        "scatter": computation(body, operation.scatter),
    }
    operands = promote_operands(body, operation, operation.scatter)
    return several(body, "select-and-scatter", operation, attributes, operands)


def scatter(body: ComputationBuilder, operation: Scatter) -> list[BuiltInstruction]:
    """``scatter``."""
    numbers = operation.scatter_dimension_numbers
    attributes = {
        "update_window_dims": numbers.update_window_dims,
        "inserted_window_dims": numbers.inserted_window_dims,
        "scatter_dims_to_operand_dims": numbers.scatter_dims_to_operand_dims,
        "input_batching_dims": numbers.input_batching_dims or None,
        "scatter_indices_batching_dims": numbers.scatter_indices_batching_dims or None,
        "index_vector_dim": numbers.index_vector_dim,
        "indices_are_sorted": operation.indices_are_sorted,
        "unique_indices": operation.unique_indices,
        "to_apply": computation(body, operation.update_computation),
    }
    count = len(operation.results)
    region = operation.update_computation
    inputs, updates = (
        convert_to_region_types(body, values, region)
        for values in (operation.operands[:count], operation.operands[count + 1 :])
    )
    operands = [*inputs, body.node(operation.scatter_indices), *updates]
    return several(body, "scatter", operation, attributes, operands)


def map_(body: ComputationBuilder, operation: Map) -> list[BuiltInstruction]:
    """``map``."""
    attributes = {
        "dimensions": tuple(operation.dimensions),
        "to_apply": computation(body, operation.computation),
    }
    return several(body, "map", operation, attributes)


def sort(body: ComputationBuilder, operation: Sort) -> list[BuiltInstruction]:
    """``sort``."""
    rank = operation.operands[0].type.rank
    attributes = {
        "dimensions": (operation.dimension % rank if rank else 0,),
        "is_stable": operation.is_stable,
        "to_apply": computation(body, operation.comparator),
    }
    return several(body, "sort", operation, attributes)


def scan(body: ComputationBuilder, operation: Scan) -> list[BuiltInstruction]:
    """``scan``: results are a tuple, however many there are."""
    attributes = {
        "dimensions": (operation.dimension,),
        "num_carries": len(operation.inits),
        "is_reverse": operation.is_reverse,
        "is_associative": bool(operation.is_associative),
        "to_apply": computation(body, operation.body),
    }
    return several(body, "scan", operation, attributes)


def top_k(body: ComputationBuilder, operation: TopK) -> list[BuiltInstruction]:
    """Emits ``topk`` of the k largest elements of rows."""
    return several(body, "topk", operation, {"k": operation.k, "largest": True})


def batch_norm(opcode: str) -> Rule:
    """Returns the rule that translates one of the three batch normalizations."""

    def rule(
        body: ComputationBuilder, operation: BatchNormGrad | BatchNormInference | BatchNormTraining
    ) -> list[BuiltInstruction]:
        epsilon = float(np.float32(operation.epsilon))
        attributes = {"epsilon": epsilon, "feature_index": operation.feature_index}
        return several(body, opcode, operation, attributes)

    return rule


NORMS: Final = ("batch_norm_grad", "batch_norm_inference", "batch_norm_training")
RULES: Final[dict[str, Rule]] = {
    "stablehlo.reduce": reduce,
    "stablehlo.reduce_window": reduce_window,
    "stablehlo.select_and_scatter": select_and_scatter,
    "stablehlo.scatter": scatter,
    "stablehlo.map": map_,
    "stablehlo.sort": sort,
    "chlo.scan": scan,
    "chlo.top_k": top_k,
    **{f"stablehlo.{name}": batch_norm(name.replace("_", "-")) for name in NORMS},
}
