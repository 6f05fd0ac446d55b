"""Rewrites a map into a loop over its elements if its computation is not elementwise."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, I64
from stablemate.numerics.symbolic_sizes import is_symbolic

COUNTER: Final = TensorType((), I64)
CONDITION: Final = TensorType((), BOOLEAN)


def needs_element_loop(node: Node) -> bool:
    """Whether a map has static shapes and no kernel."""
    if node.operation.name != "stablehlo.map":
        return False
    values = (*node.operands, *node.results)
    return all(value.is_static for value in values) and kind_of(node) == "request"


def map_to_loop(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a map into a loop that computes one element per iteration."""
    expansion, (result,), (computation,) = (
        NodeExpansion(node, new_tensor),
        node.results,
        node.regions,
    )
    size = prod(result.shape)
    assert isinstance(result.type, TensorType)
    flat_type = result.type.with_shape((size,))
    empty = dense_elements(flat_type, np.zeros(size, flat_type.element_type.dtype))
    initial = expansion.create(flat_type, Constant, value=empty)
    if not size:
        expansion.create_result(result, Reshape, operand=initial)
        return expansion.nodes
    flat_operands = [flatten(expansion, operand) for operand in node.operands]
    types = [COUNTER, flat_type]
    state = [counter_constant(expansion, 0), initial]

    loop = Node(ExpandedOperation("stablehlo.while", node.operation), tuple(state))
    loop.results = tuple([new_tensor(value_type, loop) for value_type in types])
    count, filled = arguments = tuple([Tensor(value_type, None, 0) for value_type in types])
    body = NodeExpansion(node, new_tensor)
    for flat_operand, argument in zip(flat_operands, computation.arguments, strict=True):
        assert isinstance(flat_operand.type, TensorType)
        element = body.create(
            flat_operand.type.with_shape((1,)),
            DynamicSlice,
            operand=flat_operand,
            start_indices=[count],
            slice_sizes=[1],
        )
        body.create_result(argument, Reshape, operand=element)
    body.nodes += computation.nodes
    (value,) = computation.results
    update = body.create(flat_type.with_shape((1,)), Reshape, operand=value)
    updated = body.create(
        flat_type, DynamicUpdateSlice, operand=filled, update=update, start_indices=[count]
    )
    next_count = body.create(COUNTER, Add, lhs=count, rhs=counter_constant(body, 1))
    loop.regions = (
        loop_condition(node, new_tensor, types),
        Graph(arguments, body.nodes, (next_count, updated)),
    )
    expansion.nodes.append(loop)
    expansion.create_result(result, Reshape, operand=loop.results[1])
    return expansion.nodes


def loop_condition(node: Node, new_tensor: NewTensor, types: Sequence[TensorType]) -> Graph:
    """The condition of the loop: whether its counter is below the first size of the next value.

    Args:
        node: What the loop replaces.
        new_tensor: Makes values.
        types: The types of the state: the counter, and values that the loop fills.
    """
    counter, filled, *_ = arguments = tuple([Tensor(t, None, 0) for t in types])
    expansion = NodeExpansion(node, new_tensor)
    continues = expansion.create(
        CONDITION,
        Compare,
        lhs=counter,
        rhs=counter_limit(expansion, filled),
        comparison_direction=ComparisonDirection.LT,
    )
    return Graph(arguments, expansion.nodes, (continues,))


def counter_limit(expansion: NodeExpansion, filled: Tensor) -> Tensor:
    """The first size of a value, as a counter."""
    size = filled.shape[0]
    if not is_symbolic(size):
        return counter_constant(expansion, size)
    return expansion.create(COUNTER, GetDimensionSize, operand=filled, dimension=0)


def flatten(expansion: NodeExpansion, tensor: Tensor) -> Tensor:
    """Reshapes a tensor to one dimension."""
    assert isinstance(tensor.type, TensorType)
    flat_type = tensor.type.with_shape((tensor.type.size,))
    return expansion.create(flat_type, Reshape, operand=tensor)


def counter_constant(expansion: NodeExpansion, value: int) -> Tensor:
    """A constant of the counter's type."""
    literal = dense_elements(COUNTER, np.array([value], np.int64))
    return expansion.create(COUNTER, Constant, value=literal)
