"""Turns branches inside elementwise regions into selects: both sides are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.expansion import Expansion, NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN

BRANCHES: Final = frozenset({"stablehlo.case", "stablehlo.if"})
MAX_OPERATIONS: Final = 64  # operations of all branches
SCALAR: Final = TensorType((), BOOLEAN)


def branches_to_selects(graph: Graph, new: NewTensor) -> None:
    """Replaces choices in a region, whose branches do nothing but compute elements."""
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.operation.name in BRANCHES:
            for region in node.regions:
                branches_to_selects(region, new)
            nodes += select_results(node, new) if has_elementwise_branches(node) else [node]
        else:
            nodes.append(node)
    graph.nodes = nodes


def has_elementwise_branches(node: Node) -> bool:
    """Whether all branches of a choice are few operations on elements."""
    inner = [node_ for region in node.regions for node_ in region.nodes]
    return len(inner) <= MAX_OPERATIONS and all(
        kind_of(node_) in ("element", "constant") for node_ in inner
    )


def select_results(node: Node, new: NewTensor) -> list[Node]:
    """The operations of all branches, and a choice among their results."""
    nodes = [node_ for region in node.regions for node_ in region.nodes]
    parts = Expansion(node, new)
    checks = branch_conditions(node, parts)
    for k, result in enumerate(node.results):
        *others, chosen = [region.results[k] for region in node.regions]
        pairs = list(zip(checks, others, strict=True))[::-1]
        for which, other in pairs[:-1]:
            assert isinstance(result.type, TensorType)
            chosen = parts.make(result.type, Select, pred=which, on_true=other, on_false=chosen)
        which, other = pairs[-1] if pairs else (true_constant(parts), chosen)
        parts.give(result, Select, pred=which, on_true=other, on_false=chosen)
    return [*nodes, *parts.nodes]


def branch_conditions(node: Node, parts: Expansion) -> Sequence[Tensor]:
    """For each branch but the last, whether it is taken."""
    (which,) = node.operands
    if node.operation.name == "stablehlo.if":
        return [which]
    assert isinstance(which.type, TensorType)
    element = which.type.element_type
    branch_conditions: list[Tensor] = []
    for k in range(len(node.regions) - 1):
        number = dense_elements(which.type, np.array([k], element.dtype))
        literal = parts.make(which.type, Constant, value=number)
        equal = ComparisonDirection.EQ
        branch_conditions.append(
            parts.make(SCALAR, Compare, lhs=which, rhs=literal, comparison_direction=equal)
        )
    return branch_conditions


def true_constant(parts: Expansion) -> Tensor:
    """True."""
    return parts.make(SCALAR, Constant, value=dense_elements(SCALAR, np.ones(1, np.bool_)))
