"""Lowers data movement whose indices are data: they are loaded and clamped."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.lowering.elements import Index, KernelElements, element_type, lowers
from stablemate.compiler.lowering.movement import integers
from stablemate.compiler.lowering.representation import Parts
from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.numerics.elements import IndexType, IntegerType


def is_signed(tensor: Tensor) -> bool:
    """Whether integers of a tensor may be negative."""
    element = element_type(tensor)
    return not (isinstance(element, IntegerType) and element.is_unsigned)


def position(table: Expressions, value: Expression, tensor: Tensor, high: int) -> Expression:
    """An integer of a tensor as an index, clamped into ``0 ... high``."""
    if not is_signed(tensor):
        value = table.convert("zext", value, "i64")
        value = table.apply("umin", value, table.size(high))
    return table.position(value, high)


def has_places(node: Node) -> bool:
    """Whether the slices fit into the operand, and the indices are integers."""
    operand, *_ = node.operands
    return 0 not in operand.shape and all(
        isinstance(element_type(operand), IntegerType | IndexType) for operand in node.operands[1:]
    )


@lowers("stablehlo.dynamic_slice", admits=has_places)
def dynamic_slice(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[i + clamp(0, start, shape(operand) - slice_sizes)]``."""
    operand, *starts = node.operands
    sizes = integers(node, "slice_sizes")
    return elements.at(
        operand,
        [
            i + position(elements.table, elements.at(start, ())[0], start, operand_size - size)
            for i, start, operand_size, size in zip(
                index, starts, operand.shape, sizes, strict=True
            )
        ],
    )


@lowers("stablehlo.gather", admits=has_places)
def gather(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[full_start_index + full_batching_index + full_offset_index]``."""
    return gather_element(
        elements, node, index, node.operation.dimension_numbers, integers(node, "slice_sizes")
    )


def gather_element(
    elements: KernelElements,
    node: Node,
    index: Index,
    numbers: GatherDimensionNumbers,
    sizes: Sequence[int],
) -> Parts:
    """The element of the operand that a gather takes."""
    operand, starts = node.operands[:2]
    offsets = set(numbers.offset_dims)
    batch = [i for d, i in enumerate(index) if d not in offsets]
    vector = numbers.index_vector_dim
    dropped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    inside = iter([index[d] for d in numbers.offset_dims])
    zero = elements.constant(0)
    source = [zero if d in dropped else next(inside) for d in range(len(operand.shape))]
    rows = list(batch)
    if vector < len(starts.shape):
        rows.insert(vector, zero)
    for d, e in zip(
        numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True
    ):
        source[d] = rows[e]
    for k, d in enumerate(numbers.start_index_map):
        row = list(rows)
        if vector < len(starts.shape):
            row[vector] = elements.constant(k)
        start = elements.at(starts, row)[0]
        high = operand.shape[d] - sizes[d]
        source[d] = source[d] + position(elements.table, start, starts, high)
    return elements.at(operand, source)


def is_selection(node: Node) -> bool:
    """Whether an index tensor selects along a dimension after all batch dimensions."""
    operand, index = node.operands
    operation = node.operation
    batch, dim = int(operation.batch_dims), int(operation.dim)
    fits = 0 <= batch <= min(dim, len(index.shape)) and dim < len(operand.shape)
    return fits and has_places(node) and operand.shape[:batch] == index.shape[:batch]


@lowers("stablehlo.torch_index_select", admits=is_selection)
def torch_index_select(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[b, o, i, w] = operand[b, o, clamp(index[b, i]), w]``."""
    operand, selected = node.operands
    batch, dim = int(node.operation.batch_dims), int(node.operation.dim)
    count = len(selected.shape) - batch
    place = elements.at(selected, [*index[:batch], *index[dim : dim + count]])[0]
    selected_index = position(elements.table, place, selected, operand.shape[dim] - 1)
    return elements.at(operand, [*index[:dim], selected_index, *index[dim + count :]])
