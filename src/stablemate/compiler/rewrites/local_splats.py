"""Lets loops and branches compute the splats that they read, which need no memory then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import Type

CONTROL: Final = ("stablehlo.while", "stablehlo.case", "stablehlo.if")
BROADCAST: Final = "stablehlo.broadcast_in_dim"

NewTensor = Callable[[Type], Tensor]


def copy_splats(graph: Graph, new_tensor: NewTensor) -> None:
    """Copies splats from outside into the regions whose elementwise operations read them.

    Other operations would store the splat in each iteration.
    """
    for node in graph.nodes:
        if node.operation.name in CONTROL:
            for region in node.regions:
                copy_splats(region, new_tensor)
                copy_into(region, new_tensor)


def copy_into(region: Graph, new_tensor: NewTensor) -> None:
    """Copies splats from outside into a region."""
    own = {result for node in region.nodes for result in node.results}
    copies: dict[Tensor, Tensor] = {}
    for node in region.nodes:
        if not has_trait(node.operation, Trait.ELEMENTWISE):
            continue
        for operand in node.operands:
            if operand.node is not None and operand not in own and is_splat(operand.node):
                copies.setdefault(operand, new_tensor(operand.type))
        node.operands = tuple([copies.get(operand, operand) for operand in node.operands])
    for operand, copy in copies.items():
        assert operand.node is not None
        copy.node = Node(operand.node.operation, operand.node.operands, (copy,))
        region.nodes.insert(0, copy.node)


def is_splat(node: Node) -> bool:
    """Whether a node spreads a number."""
    return node.operation.name == BROADCAST and not node.operands[0].shape
