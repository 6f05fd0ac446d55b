"""Recognizes a softmax: exponentials of differences from a maximum, and their sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.lowering.elements import represent_elements, splat_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import FloatType

MOVEMENTS: Final = ("stablehlo.reshape", "stablehlo.transpose")
SPREADING: Final = (*MOVEMENTS, "stablehlo.broadcast_in_dim", "stablehlo.convert")
# It bounds the time of the search.
MOST_STEPS: Final = 32  # operations between a reduction and where its result is used


@dataclass(frozen=True, slots=True)
class Spread:
    """The result of a reduction, spread over the elements that were reduced.

    Attributes:
        reduction: The reduction.
        spread: The value that has its result for each element.
        nodes: The operations from the one to the other.
    """

    reduction: Node
    spread: Tensor
    nodes: tuple[Node, ...]

    @property
    def reduced(self) -> Tensor:
        """The tensor that the reduction reduces."""
        return self.reduction.operands[0]


@dataclass(frozen=True, slots=True)
class Softmax:
    """A softmax in the graph.

    Attributes:
        logits: The operand, as the subtraction reads it.
        exponentials: The results of the exponential.
        largest: The maxima that are subtracted.
        subtraction: The operation that subtracts them.
    """

    logits: Tensor
    exponentials: Tensor
    largest: Spread
    subtraction: Node

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The operations, without the sum."""
        exponential = self.exponentials.node
        assert exponential is not None
        return (
            self.largest.reduction, *self.largest.nodes, self.subtraction, exponential
        )  # fmt: skip

    def is_computed_in(self, register: str) -> bool:
        """Whether operands and exponentials are computed in a register type."""
        return all(
            represent_elements(tensor).register == register
            for tensor in (self.logits, self.exponentials)
        )


def softmax_of(exponential: Node) -> Softmax | None:
    """The softmax that an exponential is part of; None if it is part of none."""
    difference = behind_conversions(exponential.operands[0])
    subtraction = difference.node
    if subtraction is None or subtraction.operation.name != "stablehlo.subtract":
        return None
    logits, subtracted = subtraction.operands
    largest = spread_of(subtracted, "maximum", is_shift)
    if largest is None or source_of_elements(largest.reduced) is not source_of_elements(logits):
        return None
    return Softmax(logits, exponential.results[0], largest, subtraction)


def spread_of(
    tensor: Tensor, operator: str, admits: Callable[[Node], bool] | None = None
) -> Spread | None:
    """The reduction by a monoid of which a value is the spread result; None if it is none.

    Args:
        tensor: The value.
        operator: The monoid, on registers.
        admits: Other operations that may be between the reduction and the value.
    """
    reductions: dict[Node, None] = {}
    nodes: dict[Node, None] = {}
    pending = [tensor]
    while pending:
        node = pending.pop().node
        if node is None:
            return None
        if splat_of(node) is not None or node in nodes:
            continue
        if node.operation.name == "stablehlo.reduce":
            reductions[node] = None
            continue
        if node.operation.name not in SPREADING and not (admits is not None and admits(node)):
            return None
        nodes[node] = None
        if len(nodes) > MOST_STEPS:
            return None
        pending += node.operands
    if len(reductions) != 1:
        return None
    (reduction,) = reductions
    if monoid_operator(reduction) != operator or not starts_empty(reduction, operator):
        return None
    return Spread(reduction, tensor, tuple(nodes))


def starts_empty(reduction: Node, operator: str) -> bool:
    """Whether a reduction starts with the identity of its monoid."""
    start = splat_value(reduction.operands[1])
    return start is not None and start == (0.0 if operator == "fadd" else -np.inf)


def splat_value(tensor: Tensor) -> float | None:
    """The number that all elements of a constant of floats are equal to, also spread; or None."""
    node = tensor.node
    while node is not None and node.operation.name in SPREADING:
        node = node.operands[0].node
    if node is None or not is_float(tensor):
        return None
    value = splat_of(node)
    return None if value is None else float(np.asarray(value).astype(np.float64))


def is_float(tensor: Tensor) -> bool:
    """Whether this is a tensor of floats."""
    return isinstance(tensor.type, TensorType) and isinstance(tensor.type.element_type, FloatType)


def is_shift(node: Node) -> bool:
    """Whether an operation keeps the finite values of a maximum.

    ``jax.nn.softmax`` takes the maximum with minus infinity, other libraries replace infinities.
    """
    name: str = node.operation.name
    if name == "stablehlo.maximum":
        return any(splat_value(operand) == -np.inf for operand in node.operands)
    if name == "stablehlo.select":
        condition = node.operands[0].node
        is_tested = condition is not None and condition.operation.name == "stablehlo.is_finite"
        return is_tested and splat_value(node.operands[2]) == 0.0
    return name == "stablehlo.is_finite"


def behind_conversions(tensor: Tensor) -> Tensor:
    """The value that conversions between types of floats start with."""
    while tensor.node is not None and is_conversion(tensor.node):
        tensor = tensor.node.operands[0]
    return tensor


def is_conversion(node: Node) -> bool:
    """Whether a node converts floats to floats."""
    name: str = node.operation.name
    return name == "stablehlo.convert" and is_float(node.operands[0])


def source_of_elements(tensor: Tensor) -> Tensor:
    """The value whose elements another one has, in another order or type."""
    while tensor.node is not None and (
        tensor.node.operation.name in MOVEMENTS or is_conversion(tensor.node)
    ):
        tensor = tensor.node.operands[0]
    return tensor


def path_of(tensor: Tensor, source: Tensor) -> Sequence[Node]:
    """The movements and conversions from one value to another one."""
    nodes: list[Node] = []
    while tensor is not source and tensor.node is not None:
        nodes.append(tensor.node)
        tensor = tensor.node.operands[0]
    return nodes
