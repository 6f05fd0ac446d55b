"""Rules: how each operation is computed on physical tensors.

A rule adds a node on physical tensors, and returns whether it did: if not, the operation reads
values in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.kernels.reduction.monoids import is_monoid_reduction
from stablemate.compiler.rewrites.layouts.orders import (
    Order,
    features_last,
    in_order,
    is_plain_shape,
    keeps_sequence,
    order_of_reshaped,
    order_without,
    physical_numbers,
    physical_windows,
    row_major_order,
)
from stablemate.compiler.rewrites.layouts.physical_values import PhysicalOperation, PhysicalValues
from stablemate.compiler.rewrites.rule_tables import rule_in
from stablemate.dialects.stablehlo.indexing import inverse

GATHER: Final = "stablehlo.gather"
Rule = Callable[[PhysicalValues, Node], bool]


def convolution(values: PhysicalValues, node: Node) -> bool:
    """A convolution reads an image in any order, and writes features last."""
    image, source = values.physical(node.operands[0])
    order = features_last(node.operation.dimension_numbers)
    numbers = physical_numbers(node.operation.dimension_numbers, source, order)
    operation = PhysicalOperation(node.operation, {"dimension_numbers": numbers})
    values.define(node, operation, [image, values.logical(node.operands[1])], order)
    return True


def elementwise(values: PhysicalValues, node: Node) -> bool:
    """An elementwise operation computes in the order of most of its operands."""
    shape = node.results[0].shape
    full = [operand for operand in node.operands if operand.shape == shape]
    order = values.preferred_order(full)
    if order is None:
        if full and all(map(values.is_unordered, full)):
            values.unordered.update(node.results)
        return False
    operands = [
        values.arrange(operand, order) if operand.shape == shape else values.logical(operand)
        for operand in node.operands
    ]
    values.define(node, node.operation, operands, order)
    return True


def transpose(values: PhysicalValues, node: Node) -> bool:
    """A transpose gives a stored tensor another order.

    Slices that are gathered, as by interpolations, lie as convolutions write their results if what
    is innermost in them is a feature: each element is computed from others anyway.
    """
    (operand,), (result,) = node.operands, node.results
    tensor, source = values.physical(operand)
    positions = inverse(node.operation.permutation)
    order = in_order(positions, source)
    if source == row_major_order(len(source)) and order not in values.feature_orders:
        is_gathered = operand.node is not None and operand.node.operation.name == GATHER
        beside = values.features_beside(order[-1], len(order)) if is_gathered else None
        if beside is None:
            return False
        order, permutation = beside, in_order(node.operation.permutation, beside)
        tensor = values.transpose(result, tensor, permutation, order)
    values.stored[result] = tensor, order
    return True


def reshape(values: PhysicalValues, node: Node) -> bool:
    """A reshape merges and splits dimensions that are neighbors in memory."""
    (operand,), (result,) = node.operands, node.results
    tensor, source = values.physical(operand)
    if source == row_major_order(len(source)) or not is_plain_shape(
        (*operand.shape, *result.shape)
    ):
        return False
    order = order_of_reshaped(operand.shape, result.shape, source)
    if order is not None:
        values.define(node, node.operation, [tensor], order)
    return order is not None


def reduce(values: PhysicalValues, node: Node) -> bool:
    """A reduction combines elements in the same sequence, or by a monoid."""
    inputs, inits = node.operands[: len(node.results)], node.operands[len(node.results) :]
    order = values.preferred_order(inputs)
    dimensions = {int(d) for d in node.operation.dimensions}
    if order is None or not (keeps_sequence(order, dimensions) or is_monoid_reduction(node)):
        return False
    fields = {"dimensions": tuple([i for i, d in enumerate(order) if d in dimensions])}
    operands = [values.arrange(operand, order) for operand in inputs]
    operands += map(values.logical, inits)
    operation = PhysicalOperation(node.operation, fields)
    values.define(node, operation, operands, order_without(order, dimensions))
    return True


def reduce_window(values: PhysicalValues, node: Node) -> bool:
    """A reduction of windows walks each of them in the same sequence."""
    inputs, inits = node.operands[: len(node.results)], node.operands[len(node.results) :]
    return in_windows(values, node, len(inputs), len(inits))


def select_and_scatter(values: PhysicalValues, node: Node) -> bool:
    """A selection in windows walks each of them in the same sequence."""
    return in_windows(values, node, 2, 1)


def in_windows(values: PhysicalValues, node: Node, tensors: int, scalars: int) -> bool:
    """An operation on windows of tensors, which are its first operands, and scalars."""
    order = values.preferred_order(node.operands[:tensors])
    if order is None:
        return False
    windows = node.operation.windows
    if not keeps_sequence(order, {d for d, size in enumerate(windows.sizes) if size > 1}):
        return False
    operands = [values.arrange(operand, order) for operand in node.operands[:tensors]]
    operands += map(values.logical, node.operands[-scalars:])
    fields = {"windows": physical_windows(windows, order)}
    values.define(node, PhysicalOperation(node.operation, fields), operands, order)
    return True


def concatenate(values: PhysicalValues, node: Node) -> bool:
    """A concatenation joins values in the order of most of them."""
    order = values.preferred_order(node.operands)
    if order is None:
        return False
    operands = [values.arrange(operand, order) for operand in node.operands]
    dimension = inverse(order)[int(node.operation.dimension)]
    operation = PhysicalOperation(node.operation, {"dimension": dimension})
    values.define(node, operation, operands, order)
    return True


def moves_in_order(*names: str) -> Rule:
    """The rule of a movement whose attributes have an entry for each dimension.

    Operands behind the first one are scalars.

    Args:
        *names: The attributes.
    """

    def rule(values: PhysicalValues, node: Node) -> bool:
        tensor, order = values.physical(node.operands[0])
        if order == row_major_order(len(order)):
            return False
        fields = {name: in_order(getattr(node.operation, name), order) for name in names}
        operands = [tensor, *map(values.logical, node.operands[1:])]
        values.define(node, PhysicalOperation(node.operation, fields), operands, order)
        return True

    return rule


def reverse(values: PhysicalValues, node: Node) -> bool:
    """A reversal turns the same dimensions round."""
    tensor, order = values.physical(node.operands[0])
    if order == row_major_order(len(order)):
        return False
    positions: Order = inverse(order)
    dimensions: Any = tuple(sorted(positions[int(d)] for d in node.operation.dimensions))
    operation = PhysicalOperation(node.operation, {"dimensions": dimensions})
    values.define(node, operation, [tensor], order)
    return True


RULES: Final[Mapping[str, Rule]] = {
    "stablehlo.concatenate": concatenate,
    "stablehlo.convolution": convolution,
    "stablehlo.pad": moves_in_order("edge_padding_low", "edge_padding_high", "interior_padding"),
    "stablehlo.reduce": reduce,
    "stablehlo.reduce_window": reduce_window,
    "stablehlo.reshape": reshape,
    "stablehlo.reverse": reverse,
    "stablehlo.select_and_scatter": select_and_scatter,
    "stablehlo.slice": moves_in_order("start_indices", "limit_indices", "strides"),
    "stablehlo.transpose": transpose,
}


def rule_of(node: Node) -> Rule | None:
    """The rule of an operation; None if it reads values in row-major order."""
    rule = rule_in(RULES, node, elementwise)
    return None if rule is elementwise and len(node.results) != 1 else rule
