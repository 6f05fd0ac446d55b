"""Assigns a layout to each value of a graph, and computes on physical tensors."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes
from stablemate.compiler.rewrites.layouts.orders import Order, features_last
from stablemate.compiler.rewrites.layouts.physical_values import PhysicalValues
from stablemate.compiler.rewrites.layouts.rules import rule_of

CONVOLUTION: Final = "stablehlo.convolution"


def assign_layouts(graph: Graph, new_tensor: NewTensor) -> bool:
    """Computes convolutions with features last, and what is computed from them in the same order.

    Arguments, results and values that regions share stay in row-major order.

    Returns:
        Whether a value got another order; then dead nodes are left.
    """
    orders = feature_orders(graph)
    if orders:
        assign_in_graph(graph, orders, new_tensor)
    return bool(orders)


def feature_orders(graph: Graph) -> frozenset[Order]:
    """The orders of the results of convolutions that are not row-major."""
    numbers = [
        node.operation.dimension_numbers
        for node in all_nodes(graph)
        if node.operation.name == CONVOLUTION
    ]
    orders = frozenset(map(features_last, numbers))
    return frozenset([order for order in orders if list(order) != sorted(order)])


def assign_in_graph(graph: Graph, orders: frozenset[Order], new_tensor: NewTensor) -> None:
    """Assigns layouts to the values of a graph, then of its regions."""
    values = PhysicalValues(new_tensor, orders)
    for node in graph.nodes:
        values.origin, rule = node, rule_of(node)
        if rule is None or not rule(values, node):
            share_values(node, values)
            values.keep(node)
            for region in node.regions:
                assign_in_graph(region, orders, new_tensor)
    graph.results = tuple(map(values.logical, graph.results))
    graph.nodes = values.nodes


def share_values(node: Node, values: PhysicalValues) -> None:
    """Gives the regions of a node the values from outside in row-major order."""

    def logical_values(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return tuple(
            [values.logical(tensor) if tensor in values.stored else tensor for tensor in tensors]
        )

    for region in node.regions:
        for inner in all_nodes(region):
            inner.operands = logical_values(inner.operands)
            for nested in inner.regions:
                nested.results = logical_values(nested.results)
        region.results = logical_values(region.results)
