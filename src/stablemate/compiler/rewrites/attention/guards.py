"""Recognizes weights that are zero for queries whose logits are all minus infinity.

PyTorch chooses zero where every logit of a row is minus infinity, which a softmax makes NaN. A mask
that ``jax.nn.softmax(where=mask)`` gets makes logits minus infinity, and their weights zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.rewrites.attention.equal_values import are_equal
from stablemate.compiler.rewrites.attention.softmax import (
    MOVEMENTS,
    SPREADING,
    behind_conversions,
    splat_value,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection

NOT: Final = "stablehlo.not"
EQUALITIES: Final = (ComparisonDirection.EQ, ComparisonDirection.NE)


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition that all logits of a row are minus infinity.

    Attributes:
        condition: The condition, for each weight.
        logits: The logits.
        reduction: The reduction to the largest one of each row.
        nodes: The operations of the condition.
    """

    condition: Tensor
    logits: Tensor
    reduction: Node
    nodes: tuple[Node, ...]


def guard_of(condition: Tensor) -> Guard | None:
    """The guard that a condition is; None if it is another condition."""
    after, outer = behind(condition, (*SPREADING, NOT))
    comparison = outer.node
    if comparison is None or not compares_with_infinity(comparison):
        return None
    direction = comparison.operation.comparison_direction
    moves, maximum = behind(comparison.operands[0], MOVEMENTS)
    reduction = maximum.node
    if reduction is None or monoid_operator(reduction) != "maximum":
        return None
    if negates(after) is (direction is ComparisonDirection.EQ):
        return None
    return Guard(
        condition, reduction.operands[0], reduction, (*after, comparison, *moves)
    )  # fmt: skip


def compares_with_infinity(node: Node) -> bool:
    """Whether a node tests whether its first operand is minus infinity, or is not."""
    return (
        node.operation.name == "stablehlo.compare"
        and node.operation.comparison_direction in EQUALITIES
        and splat_value(node.operands[1]) == -np.inf
    )


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


def hides_logits(exponential: Node | None, mask: Tensor) -> bool:
    """Whether exponentials are those of a softmax whose logits are minus infinity by a mask."""
    if exponential is None or exponential.operation.name != "stablehlo.exponential":
        return False
    subtraction = behind_conversions(exponential.operands[0]).node
    if subtraction is None or subtraction.operation.name != "stablehlo.subtract":
        return False
    logits = subtraction.operands[0].node
    if logits is None or logits.operation.name != "stablehlo.select":
        return False
    is_hidden = splat_value(logits.operands[2]) == -np.inf
    return is_hidden and are_equal(logits.operands[0], mask)
