"""Classifies operations by how they run, and decides which values are materialized.

A value is kept if it is a result, if what takes it cannot ask for single elements, or if computing
it again would cost more than a store and its loads. Everything else is computed where it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
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

Kind = Literal["element", "kernel", "constant", "control", "request"]
CONTROL: Final = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})


def kind_of(node: Node) -> Kind:
    """How an operation is run."""
    name = node.operation.name
    if name == "stablehlo.constant":
        return "constant"
    if name in CONTROL:
        return "control"
    values = (*node.operands, *node.results)
    if not all(map(is_native, values)):
        return "request"
    if "result_accuracy" in node.operation.attributes and not is_achievable(node.operation):
        return "request"  # the operation itself says what is wrong
    if name in LOWERINGS and LOWERINGS[name].admits(node):
        return "element"
    if name in BUILDERS and BUILDERS[name].admits(node):
        return "kernel"
    return "request"


def is_native(tensor: Tensor) -> bool:
    """Whether native code computes with the elements of a value."""
    value_type = tensor.type
    return (
        isinstance(value_type, TensorType)
        and value_type.is_static
        and representation(value_type.element_type) is not None
    )


def materialized_values(
    graph: Graph, kinds: Mapping[Node, Kind], *, fuse: bool
) -> dict[Tensor, str]:
    """The values of a graph that are kept in memory before any operations share kernels."""
    kept: dict[Tensor, str] = {}
    for node in graph.nodes:
        for result in node.results:
            reason = reason_to_materialize(node, result, kinds)
            if reason:
                kept[result] = reason
            elif not fuse and kinds[node] == "element":
                kept[result] = "nothing is fused"
    elements = frozenset(node for node, kind in kinds.items() if kind == "element")
    costs = costs_of(graph, elements, kept)  # at most: more will be kept
    places = evaluation_counts(graph, elements, kept, costs)
    for node in graph.nodes:
        for result in node.results:
            if result in kept or kinds[node] != "element":
                continue
            costs[result] = cost_of(node, kept, costs)
            reason = reason_to_store(result, costs[result], places[result])
            if reason:
                kept[result] = reason
    return kept


def reason_to_materialize(node: Node, result: Tensor, kinds: Mapping[Node, Kind]) -> str:
    """Why a value must be in memory; empty if it need not."""
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
    """Whether a node asks for single elements of its operands."""
    kind = kinds.get(user, "request")
    return kind == "element" or (kind == "kernel" and BUILDERS[user.operation.name].inlines)
