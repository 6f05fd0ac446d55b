"""Turns branches inside elementwise regions into selects: both sides are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN

BRANCHES: Final = frozenset({"stablehlo.case", "stablehlo.if"})
# A branch that is computed and then chosen saves a jump of the plan and a launch, and computes
# what is not chosen.
MAX_OPERATIONS: Final = 64  # operations of all branches
SCALAR: Final = TensorType((), BOOLEAN)


def branches_to_selects(graph: Graph, new_tensor: NewTensor) -> None:
    """Replaces the branches in a region by selects if they contain only elementwise operations."""
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.operation.name in BRANCHES:
            for region in node.regions:
                branches_to_selects(region, new_tensor)
            nodes += select_results(node, new_tensor) if has_elementwise_branches(node) else [node]
        else:
            nodes.append(node)
    graph.nodes = nodes


def has_elementwise_branches(node: Node) -> bool:
    """Whether all branches contain only a few elementwise operations."""
    inner_nodes = [inner_node for region in node.regions for inner_node in region.nodes]
    return len(inner_nodes) <= MAX_OPERATIONS and all(
        kind_of(inner_node) in ("element", "constant") for inner_node in inner_nodes
    )


def select_results(node: Node, new_tensor: NewTensor) -> list[Node]:
    """The operations of all branches, followed by selects among their results."""
    nodes = [inner_node for region in node.regions for inner_node in region.nodes]
    expansion = NodeExpansion(node, new_tensor)
    checks = branch_conditions(node, expansion)
    for k, result in enumerate(node.results):
        *others, result_value = [region.results[k] for region in node.regions]
        pairs = list(zip(checks, others, strict=True))[::-1]
        for condition, other in pairs[:-1]:
            assert isinstance(result.type, TensorType)
            result_value = expansion.create(
                result.type, Select, pred=condition, on_true=other, on_false=result_value
            )
        condition, other = pairs[-1] if pairs else (true_constant(expansion), result_value)
        expansion.create_result(
            result, Select, pred=condition, on_true=other, on_false=result_value
        )
    return [*nodes, *expansion.nodes]


def branch_conditions(node: Node, expansion: NodeExpansion) -> Sequence[Tensor]:
    """For each branch but the last, whether it is taken."""
    (selector,) = node.operands
    if node.operation.name == "stablehlo.if":
        return [selector]
    assert isinstance(selector.type, TensorType)
    element = selector.type.element_type
    branch_conditions: list[Tensor] = []
    for k in range(len(node.regions) - 1):
        number = dense_elements(selector.type, np.array([k], element.dtype))
        literal = expansion.create(selector.type, Constant, value=number)
        equal = ComparisonDirection.EQ
        branch_conditions.append(
            expansion.create(SCALAR, Compare, lhs=selector, rhs=literal, comparison_direction=equal)
        )
    return branch_conditions


def true_constant(expansion: NodeExpansion) -> Tensor:
    """Creates the scalar constant true."""
    return expansion.create(SCALAR, Constant, value=dense_elements(SCALAR, np.ones(1, np.bool_)))
