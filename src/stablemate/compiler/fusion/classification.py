"""Classifies operations by how they run, and decides which values are materialized.

A value is stored in memory if it is a result, if one of its users cannot read single elements, or
if recomputing it would cost more than a store and its loads. Every other value is computed where it
is needed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Set
from math import prod
from typing import Final, Literal

from stablemate.compiler.fusion.recompute_cost import (
    cost_of,
    costs_of,
    evaluation_counts,
    reason_to_store,
)
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.dialects.stablehlo.accuracy import is_achievable
from stablemate.ir.types import TensorType
from stablemate.numerics.symbolic_sizes import typical_of

Kind = Literal["element", "kernel", "constant", "control", "request"]
# The first two bound compile time; ``python -m benchmarks.fusion`` measures what the others trade.
MOST_INPUTS: Final = 128  # values in memory from which an element is computed, if not by one node
MOST_JOINED: Final = 4  # values of a concatenation that several others contain
LEAST_PREPARED_COST: Final = 2  # of a value that is not computed for each element again
MANY_ELEMENTS: Final = 1 << 14  # over which a value is spread that is worth a place in memory
BROADCAST: Final = "stablehlo.broadcast_in_dim"
CONCATENATE: Final = "stablehlo.concatenate"
CONTROL: Final = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})


def kind_of(node: Node) -> Kind:
    """Classifies an operation by what computes it; a request is executed in Python."""
    name = node.operation.name
    if name == "stablehlo.constant":
        return "constant"
    if name in CONTROL:
        return "control"
    values = (*node.operands, *node.results)
    if not all(map(is_native, values)):
        return "request"
    if not is_achievable(node.operation):
        return "request"  # the operation itself reports the error
    if name in LOWERINGS and LOWERINGS[name].admits(node):
        return "element"
    if name in BUILDERS and BUILDERS[name].admits(node):
        return "kernel"
    return "request"


def is_native(tensor: Tensor) -> bool:
    """Whether native code can compute with the elements of a value."""
    value_type = tensor.type
    return (
        isinstance(value_type, TensorType)
        and value_type.is_static
        and representation(value_type.element_type) is not None
    )


def materialized_values(
    graph: Graph, kinds: Mapping[Node, Kind], *, fuse: bool
) -> dict[Tensor, str]:
    """The values that are stored in memory before operations share kernels, each with a reason."""
    materialized: dict[Tensor, str] = {}
    for node in graph.nodes:
        for result in node.results:
            reason = reason_to_materialize(node, result, kinds)
            if reason:
                materialized[result] = reason
            elif not fuse and kinds[node] == "element":
                materialized[result] = "nothing is fused"
    inlined = frozenset(node for node, kind in kinds.items() if kind == "element")
    costs = costs_of(graph, inlined, materialized)  # upper bounds: more will be stored
    places = evaluation_counts(graph, inlined, materialized, costs)
    inputs: dict[Tensor, frozenset[Tensor]] = {}
    joined: set[Tensor] = set()
    prepared: set[Tensor] = set()
    for node in graph.nodes:
        for result in node.results:
            if depends_on_constants(node, prepared):
                prepared.add(result)
            if result in materialized or kinds[node] != "element":
                continue
            costs[result] = cost_of(node, materialized, costs)
            inputs[result] = inputs_of(node, inputs)
            reason = reason_to_store(result, costs[result], places[result])
            if is_joined(node, joined):
                joined.add(result)
                reason = reason or reason_to_join(result, len(inputs[result]))
            if result in prepared:
                reason = reason or reason_to_prepare(result, costs[result])
            if reason or len(inputs[result]) > MOST_INPUTS:
                materialized[result] = reason or "it is computed from many values"
                del inputs[result]
                joined.discard(result)
    return materialized


def depends_on_constants(node: Node, prepared: Container[Tensor]) -> bool:
    """Whether an operation reads constants alone, or what is computed from constants alone."""
    for operand in node.operands:
        if operand not in prepared and not operand.is_constant:
            return False
    return bool(node.operands)


def reason_to_prepare(result: Tensor, cost: int) -> str:
    """Why a value that depends on constants alone is stored; empty if it is not.

    It is computed when the program is compiled (see ``preparation``), and not for each element of
    what it is spread over, such as the shift of a batch norm by each point of an image.
    """
    if cost < LEAST_PREPARED_COST:
        return ""
    for user in result.users:
        if user is not None and user.operation.name == BROADCAST:
            elements = typical_of(prod(user.results[0].shape))
            if elements >= MANY_ELEMENTS:
                return f"computed from constants, spread over {elements} elements"
    return ""


def is_joined(node: Node, joined: Set[Tensor]) -> bool:
    """Whether an element of a node's result is one of several values in memory, by its index."""
    is_concatenation = node.operation.name == CONCATENATE and len(node.operands) > 1
    return is_concatenation or not joined.isdisjoint(node.operands)


def reason_to_join(result: Tensor, count: int) -> str:
    """Why values are joined in memory; empty if they need not be.

    A convolution whose image has its features first copies it into another order: in registers,
    but only if it is one value. Values that are joined again and again are joined step by step.

    Args:
        result: The joined values.
        count: How many values in memory they are computed from.
    """
    if count >= MOST_JOINED and is_joined_again(result):
        return f"{count} values, joined with more by stablehlo.concatenate"
    for user in result.users:
        if user is not None and user.operation.name == "stablehlo.convolution":
            features = user.operation.dimension_numbers.input_feature_dimension
            if result is user.operands[0] and features != len(result.shape) - 1:
                return "reordered by stablehlo.convolution"
    return ""


def is_joined_again(result: Tensor) -> bool:
    """Whether a value is read by concatenations and by something else."""
    names = {None if user is None else user.operation.name for user in result.users}
    return CONCATENATE in names and len(names) > 1


def inputs_of(node: Node, inputs: Mapping[Tensor, frozenset[Tensor]]) -> frozenset[Tensor]:
    """The values in memory from which an element of a node is computed."""
    return frozenset[Tensor]().union(
        *[inputs.get(operand) or (operand,) for operand in node.operands]
    )


def reason_to_materialize(node: Node, result: Tensor, kinds: Mapping[Node, Kind]) -> str:
    """Why a value must be in memory; empty if it need not be."""
    if kinds[node] == "constant":
        return ""
    if kinds[node] != "element":
        return f"made by {node.operation.name}"
    for user in result.users:
        if user is None:
            return "a result"
        if not reads_elements(user, kinds):
            return f"taken by {user.operation.name}"
    return ""


def reads_elements(user: Node, kinds: Mapping[Node, Kind]) -> bool:
    """Whether a node reads single elements of its operands."""
    kind = kinds.get(user, "request")
    return kind == "element" or (kind == "kernel" and BUILDERS[user.operation.name].inlines)
