"""Regions of elementwise operations on scalars, as expressions."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    splat_of,
)
from stablemate.compiler.lowering.representation import Parts, representation
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.ir.types import TensorType


def is_expression(graph: Graph) -> bool:
    """Whether a region computes its results, by elements, from its arguments and constants.

    On the way there may be tensors of any shape.
    """
    computable: set[Tensor] = set(graph.arguments)
    for node in graph.nodes:
        if not all(map(has_elements, (*node.operands, *node.results))):
            return False
        if splat_of(node) is None and not (
            node.operation.name in LOWERINGS and LOWERINGS[node.operation.name].admits(node)
        ):
            return False
        if not all(operand in computable or is_constant(operand) for operand in node.operands):
            return False
        computable.update(node.results)
    return all(map(is_scalar, graph.arguments)) and all(
        result in computable or is_constant(result) for result in graph.results
    )


def is_scalar(tensor: Tensor) -> bool:
    """Whether this is one element that native code computes with."""
    return (
        isinstance(tensor.type, TensorType)
        and not tensor.type.shape
        and representation(tensor.type.element_type) is not None
    )


def has_elements(tensor: Tensor) -> bool:
    """Whether this is a tensor of a known shape that native code computes with."""
    return (
        isinstance(tensor.type, TensorType)
        and tensor.type.is_static
        and representation(tensor.type.element_type) is not None
    )


def is_constant(tensor: Tensor) -> bool:
    """Whether this is a constant, which a region may use from outside."""
    return tensor.node is not None and splat_of(tensor.node) is not None and has_elements(tensor)


def inline_region(table: Expressions, graph: Graph, arguments: Sequence[Parts]) -> list[Parts]:
    """The values that a region returns for these arguments."""
    elements = KernelElements(table, {}, in_region=True)
    for tensor, parts in zip(graph.arguments, arguments, strict=True):
        elements.cache[tensor, ()] = parts
    return [elements.at(result, ()) for result in graph.results]


def same_elements(graph: Graph, values: Sequence[Tensor]) -> bool:
    """Whether a region of 2n arguments combines elements of these n types into such."""
    types = [element_type(value) for value in values]
    return (
        len(graph.arguments) == 2 * len(types)
        and [element_type(argument) for argument in graph.arguments] == types * 2
        and [element_type(result) for result in graph.results] == types
    )


def is_map(node: Node) -> bool:
    """Whether a node applies elementwise operations to the elements of its operands."""
    (computation,) = node.regions
    types = [element_type(operand) for operand in node.operands]
    return [
        element_type(argument) for argument in computation.arguments
    ] == types and is_expression(computation)


@lowers("stablehlo.map", admits=is_map)
def map_(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The values that the region returns for the elements at an index."""
    operands = [elements.at(operand, index) for operand in node.operands]
    (result,) = inline_region(elements.table, node.regions[0], operands)
    return result
