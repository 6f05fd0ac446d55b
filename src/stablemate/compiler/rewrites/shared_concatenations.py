"""Concatenations of all operands of an earlier one and one more read the earlier result.

Blocks of a DenseNet concatenate what all layers before have computed, for each layer anew. So that
no layer asks of each element which of dozens of values it is from, each concatenation joins two.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor

CONCATENATE: Final = "stablehlo.concatenate"
# A concatenation that is read again saves copies of its operands; below, it does not pay for a
# value in memory.
FEWEST: Final = 3  # operands of a concatenation that another one reads


def share_concatenations(graph: Graph) -> None:
    """Lets concatenations of a graph and its regions read earlier ones; all bits stay."""
    earlier: dict[tuple[int, tuple[Tensor, ...]], Tensor] = {}
    for node in graph.nodes:
        for region in node.regions:
            share_concatenations(region)
        if node.operation.name == CONCATENATE:
            share_concatenation(node, earlier)


def share_concatenation(node: Node, earlier: dict[tuple[int, tuple[Tensor, ...]], Tensor]) -> None:
    """Replaces all operands but the last one by the concatenation of them, if there is one.

    Args:
        node: The concatenation.
        earlier: The results of concatenations by dimension and operands; this one is added.
    """
    dimension, operands = int(node.operation.dimension), node.operands
    joined = earlier.get((dimension, operands[:-1]))
    if joined is not None and len(operands) > FEWEST:
        node.operands = (joined, operands[-1])
    earlier.setdefault((dimension, operands), node.results[0])
