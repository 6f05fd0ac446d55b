"""Recognises weights that are zero for queries whose logits are all minus infinity.

PyTorch chooses zero where every logit of a row is minus infinity, which a softmax makes NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.rewrites.attention.softmax import MOVEMENTS, SPREADING, splat_value
from stablemate.dialects.stablehlo.attributes import ComparisonDirection

NOT: Final = "stablehlo.not"


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition that all logits of a row are minus infinity.

    Attributes:
        condition: The condition, for each weight.
        logits: The logits.
        reduction: The reduction of a comparison of each.
        nodes: The operations of the condition.
    """

    condition: Tensor
    logits: Tensor
    reduction: Node
    nodes: tuple[Node, ...]


def guard_of(condition: Tensor) -> Guard | None:
    """The guard that a condition is; None if it is another condition."""
    after, outer = behind(condition, (*SPREADING, NOT))
    reduction = outer.node
    if reduction is None or reduction.operation.name != "stablehlo.reduce":
        return None
    before, inner = behind(reduction.operands[0], (*MOVEMENTS, NOT))
    comparison = inner.node
    if comparison is None or comparison.operation.name != "stablehlo.compare":
        return None
    logits, infinity = comparison.operands
    direction = comparison.operation.comparison_direction
    equalities = (ComparisonDirection.EQ, ComparisonDirection.NE)
    if splat_value(infinity) != -np.inf or direction not in equalities:
        return None
    are_equal = (direction is ComparisonDirection.EQ) is not negates(before)
    operator = "and" if are_equal else "or"
    if monoid_operator(reduction) != operator or negates(after) is are_equal:
        return None
    return Guard(condition, logits, reduction, (*after, reduction, *before, comparison))


def behind(tensor: Tensor, names: Sequence[str]) -> tuple[list[Node], Tensor]:
    """The operations of some names that a value is computed with, and the value before them."""
    nodes: list[Node] = []
    while tensor.node is not None and tensor.node.operation.name in names:
        nodes.append(tensor.node)
        tensor = tensor.node.operands[0]
    return nodes, tensor


def negates(nodes: Sequence[Node]) -> bool:
    """Whether operations negate a truth value."""
    return len([node for node in nodes if node.operation.name == NOT]) % 2 == 1
