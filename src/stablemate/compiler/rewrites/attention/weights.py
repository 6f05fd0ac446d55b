"""Finds the softmax of which the operand of a dot is computed by linear operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.rewrites.attention.guards import Guard, guard_of, hides_logits
from stablemate.compiler.rewrites.attention.softmax import (
    MOVEMENTS,
    Spread,
    is_conversion,
    splat_value,
    spread_of,
)
from stablemate.deferred_dataclasses import dataclass

# It bounds the time of the search.
MOST_STEPS: Final = 24  # operations between an exponential and the dot


@dataclass(frozen=True, slots=True)
class SoftmaxWeights:
    """The operand of a dot that is computed from exponentials.

    Attributes:
        exponential: The operation that computes them.
        total: Their sum, by which they are divided; None if they are not.
        undivided: For each quotient by the sum, its dividend.
        is_weighted: Whether more is done than to move, convert and divide by the sum.
        guarded: The values that are zero for queries whose logits are all minus infinity, the
            values that they are else, and the conditions; no condition where a mask hides logits.
    """

    exponential: Node
    total: Spread | None = None
    undivided: Mapping[Tensor, Tensor] = field(default_factory=dict[Tensor, Tensor])
    is_weighted: bool = False
    guarded: tuple[tuple[Tensor, Tensor, Guard | None], ...] = ()


def weights_of(tensor: Tensor, steps: int = MOST_STEPS) -> SoftmaxWeights | None:
    """The exponentials from which an operand of a dot is computed by linear operations, or None.

    These are movements, conversions, products with and quotients by other values, and choices
    between them and zero, as dropout makes them.
    """
    node = tensor.node
    if node is None or not steps:
        return None
    if node.operation.name == "stablehlo.exponential":
        return SoftmaxWeights(node)
    if node.operation.name in MOVEMENTS or is_conversion(node):
        return weights_of(node.operands[0], steps - 1)
    for linear, others in linear_operands(node):
        weights = weights_of(linear, steps - 1)
        if weights is None:
            continue
        if node.operation.name == "stablehlo.select":
            guard = guard_of(others[0]) if linear is node.operands[-1] else None
            if guard is not None or hides_logits(weights.exponential, others[0]):
                guarded = (tensor, linear, guard)
                return replace(weights, guarded=(*weights.guarded, guarded))
        total = sum_of(node, others[0])
        if total is None:
            if any(depends_on(other, weights.exponential) for other in others):
                return None
            return replace(weights, is_weighted=True)
        if weights.total is not None:
            return None
        return replace(weights, total=total, undivided={**weights.undivided, tensor: linear})
    return None


def depends_on(tensor: Tensor, node: Node) -> bool:
    """Whether a value is computed from a node's result by operations on tensors of its size."""
    size, seen = prod(node.results[0].shape), set[Tensor]()
    pending = [tensor]
    while pending:
        last = pending.pop()
        if last in seen or last.node is None or prod(last.shape) != size:
            continue
        if last.node is node:
            return True
        seen.add(last)
        pending += last.node.operands
    return False


def linear_operands(node: Node) -> Iterator[tuple[Tensor, Sequence[Tensor]]]:
    """Operands in which a node is linear if the others, which follow, are constant."""
    operands = node.operands
    match node.operation.name:
        case "stablehlo.divide":
            yield operands[0], operands[1:]
        case "stablehlo.multiply":
            yield operands[0], operands[1:]
            yield operands[1], operands[:1]
        case "stablehlo.select":
            for chosen, other in ((1, 2), (2, 1)):
                if splat_value(operands[other]) == 0.0:
                    yield operands[chosen], operands[:1]
        case _:
            pass


def sum_of(node: Node, factor: Tensor) -> Spread | None:
    """The spread sum by which a node divides; None if it does something else."""
    if node.operation.name == "stablehlo.divide":
        return spread_of(factor, "fadd")
    if node.operation.name != "stablehlo.multiply":
        return None
    total = spread_of(factor, "fadd", is_reciprocal)
    count = 0 if total is None else sum(map(is_reciprocal, total.nodes))
    return total if count == 1 else None


def is_reciprocal(node: Node) -> bool:
    """Whether a node divides one by its operand."""
    return node.operation.name == "stablehlo.divide" and splat_value(node.operands[0]) == 1.0
