"""Computes the transpose of a product of matrices as the product in the other order.

transpose(dot_general(lhs, rhs)) is dot_general(rhs, lhs) if the transpose exchanges the free
dimensions of lhs and rhs. Gradients of dense layers have this form. Source: (A B)^T = B^T A^T.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from stablemate.compiler.graph.expansion import NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor, count_uses
from stablemate.dialects.stablehlo.attributes import DotDimensionNumbers
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.ir.types import Type

DOT: Final = "stablehlo.dot_general"
TRANSPOSE: Final = "stablehlo.transpose"


def exchange_operands_of_dots(graph: Graph) -> None:
    """Replaces transposed products in a graph and its regions; the bits of results stay."""
    exchange_in_graph(graph, count_uses(graph))


def exchange_in_graph(graph: Graph, uses: Counter[Tensor]) -> None:
    """Replaces the transposed products whose product has no other use."""
    products: dict[Tensor, Node] = {}
    replaced: set[Node] = set()
    for node in graph.nodes:
        for region in node.regions:
            exchange_in_graph(region, uses)
        if node.operation.name == DOT:
            products[node.results[0]] = node
        elif node.operation.name == TRANSPOSE and uses[node.operands[0]] == 1:
            product = products.get(node.operands[0])
            if product is not None and exchanges(node.operation.permutation, product):
                exchange(node, product)
                replaced.add(product)
    graph.nodes = [node for node in graph.nodes if node not in replaced]


def exchanges(permutation: Sequence[int], product: Node) -> bool:
    """Whether a permutation exchanges the free dimensions of lhs and rhs, and nothing else.

    Products with a vector are excluded: their transpose only changes the shape.
    """
    if product.operation.algorithm is not None or any(
        not tensor.is_static for tensor in (*product.operands, *product.results)
    ):
        return False
    numbers: DotDimensionNumbers = product.operation.dot_dimension_numbers
    shape = product.results[0].shape
    batch = len(numbers.lhs_batching_dimensions)
    contracted = len(numbers.lhs_contracting_dimensions)
    lhs_end = len(product.operands[0].shape) - contracted
    dimensions = range(len(shape))
    if [*permutation] != [*dimensions[:batch], *dimensions[lhs_end:], *dimensions[batch:lhs_end]]:
        return False
    return has_elements(shape[batch:lhs_end]) and has_elements(shape[lhs_end:])


def has_elements(sizes: Sequence[int]) -> bool:
    """Whether dimensions have several elements together."""
    return any(size > 1 for size in sizes)


def exchange(transpose: Node, product: Node) -> None:
    """Makes a transpose the product with operands in the other order."""
    operation = product.operation
    numbers: DotDimensionNumbers = operation.dot_dimension_numbers
    precision = operation.precision_config
    lhs, rhs = product.operands
    fields = {
        "lhs": rhs,
        "rhs": lhs,
        "dot_dimension_numbers": DotDimensionNumbers(
            numbers.rhs_batching_dimensions,
            numbers.lhs_batching_dimensions,
            numbers.rhs_contracting_dimensions,
            numbers.lhs_contracting_dimensions,
        ),
        "precision_config": None if precision is None else precision[::-1],
    }
    exchanged = NodeExpansion(product, no_tensor).create_node(
        transpose.results[0].type, DotGeneral, fields
    )
    transpose.operation, transpose.operands = exchanged.operation, exchanged.operands


def no_tensor(value_type: Type, node: Node) -> Tensor:
    """No new values are needed."""
    raise AssertionError(f"{node!r} needs no new value of {value_type}")
