"""Turns maps whose computation is no elementwise expression into a loop over the elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.expansion import ExpandedOperation, Expansion, NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, I64

COUNTER: Final = TensorType((), I64)
CONDITION: Final = TensorType((), BOOLEAN)


def needs_element_loop(node: Node) -> bool:
    """Whether a map is no kernel."""
    if node.operation.name != "stablehlo.map":
        return False
    values = (*node.operands, *node.results)
    static = all(isinstance(e.type, TensorType) and e.type.is_static for e in values)
    return static and kind_of(node) == "request"


def map_to_loop(node: Node, new: NewTensor) -> list[Node]:
    """A map as a loop, which puts the results of the computation behind one another."""
    parts, (result,), (computation,) = Expansion(node, new), node.results, node.regions
    size = prod(result.shape)
    assert isinstance(result.type, TensorType)
    flat_type = result.type.with_shape((size,))
    empty = dense_elements(flat_type, np.zeros(size, flat_type.element_type.dtype))
    begun = parts.make(flat_type, Constant, value=empty)
    if not size:
        parts.give(result, Reshape, operand=begun)
        return parts.nodes
    rows = [flatten(parts, operand) for operand in node.operands]
    types = [COUNTER, flat_type]
    state = [counter_constant(parts, 0), begun]

    loop = Node(ExpandedOperation("stablehlo.while", node.operation), tuple(state))
    loop.results = tuple([new(value_type, loop) for value_type in types])
    count, filled = arguments = tuple([Tensor(value_type, None, 0) for value_type in types])
    body = Expansion(node, new)
    for row, argument in zip(rows, computation.arguments, strict=True):
        assert isinstance(row.type, TensorType)
        piece = body.make(
            row.type.with_shape((1,)),
            DynamicSlice,
            operand=row,
            start_indices=[count],
            slice_sizes=[1],
        )
        body.give(argument, Reshape, operand=piece)
    body.nodes += computation.nodes
    (value,) = computation.results
    one = body.make(flat_type.with_shape((1,)), Reshape, operand=value)
    then = body.make(
        flat_type, DynamicUpdateSlice, operand=filled, update=one, start_indices=[count]
    )
    following = body.make(COUNTER, Add, lhs=count, rhs=counter_constant(body, 1))
    loop.regions = (
        loop_condition(node, new, types, size),
        Graph(arguments, body.nodes, (following, then)),
    )
    parts.nodes.append(loop)
    parts.give(result, Reshape, operand=loop.results[1])
    return parts.nodes


def loop_condition(node: Node, new: NewTensor, types: Sequence[TensorType], size: int) -> Graph:
    """Whether the first value of a loop's state is below a number."""
    arguments = tuple([Tensor(value_type, None, 0) for value_type in types])
    parts = Expansion(node, new)
    goes_on = parts.make(
        CONDITION,
        Compare,
        lhs=arguments[0],
        rhs=counter_constant(parts, size),
        comparison_direction=ComparisonDirection.LT,
    )
    return Graph(arguments, parts.nodes, (goes_on,))


def flatten(parts: Expansion, tensor: Tensor) -> Tensor:
    """The elements of a tensor behind one another."""
    assert isinstance(tensor.type, TensorType)
    flat_type = tensor.type.with_shape((tensor.type.size,))
    return parts.make(flat_type, Reshape, operand=tensor)


def counter_constant(parts: Expansion, value: int) -> Tensor:
    """A number that counts."""
    literal = dense_elements(COUNTER, np.array([value], np.int64))
    return parts.make(COUNTER, Constant, value=literal)
