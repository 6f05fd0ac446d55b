"""Propagates the shardings of a program to all of its values.

Operations are visited in rounds. Each round lets shardings pass through more kinds of operations,
so that what costs no communication decides first.

Source: Shardy, "Operation priority".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.placement import TensorPlacement
from stablemate.transforms.partitioning.requested_shardings import ProgramShardings
from stablemate.transforms.propagation.dataflow import (
    CallScope,
    DataFlow,
    PropagationNode,
    resolve_value,
)
from stablemate.transforms.propagation.factor_propagation import (
    FactorPropagation,
    PropagationDirections,
)
from stablemate.transforms.propagation.factor_shardings import TensorFactors, ValueSharding
from stablemate.transforms.propagation.registry import is_elementwise

MOVES: Final = ("stablehlo.reshape", "stablehlo.transpose")
SLICES: Final = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
BROADCAST: Final = "stablehlo.broadcast_in_dim"


@dataclass(frozen=True, slots=True)
class Propagated:
    """The shardings of the entry function after propagation.

    Attributes:
        arguments: How each argument is divided.
        results: How each result is divided.
        inspections: The calls of ``InspectSharding``, with how their operands are divided; None in
            the body of a manual computation.
        scopes: The values of each call, by the calls that lead to it.
    """

    arguments: Sequence[TensorPlacement]
    results: Sequence[TensorPlacement]
    inspections: Sequence[tuple[CustomCall, TensorPlacement | None]]
    scopes: Mapping[tuple[Operation, ...], CallScope]

    def placement(self, path: Sequence[Operation], value: Value) -> TensorPlacement | None:
        """How a value of a call is divided; None if it has no sharding of its own.

        Args:
            path: The calls that lead to the value.
            value: The value.
        """
        scope = self.scopes.get(tuple(path))
        if scope is None:
            return None
        scope, value = resolve_value(scope, value)
        sharding = scope.values.get(value)
        return None if sharding is None else TensorPlacement(tuple(sharding.dimensions))


def propagate_shardings(
    function: FuncOp, shardings: ProgramShardings, functions: Mapping[str, FuncOp]
) -> Propagated:
    """Propagates the shardings that a program requests.

    Args:
        function: The entry function.
        shardings: Reads the shardings that the program requests.
        functions: The functions that it may call, by name.
    """
    flow = DataFlow(function, shardings, functions)
    Propagation(flow).run()
    arguments, results = (
        [TensorPlacement(tuple(sharding.dimensions)) for sharding in side]
        for side in (flow.arguments, flow.results)
    )
    inspections = [
        (operation, None if sharding is None else TensorPlacement(tuple(sharding.dimensions)))
        for operation, sharding in flow.inspections
    ]
    return Propagated(arguments, results, inspections, flow.scopes)


class Propagation:
    """One propagation through one program.

    Attributes:
        flow: The data flow of the program.
        readers: What each sharding is one of.
        settled: Nodes that shardings passed through in both directions: later rounds visit them
            only where a sharding has changed.
    """

    def __init__(self, flow: DataFlow) -> None:
        self.flow = flow
        self.settled: set[PropagationNode] = set()
        self.readers: defaultdict[ValueSharding, list[PropagationNode]] = defaultdict(list)
        for node in flow.nodes:
            for sharding in dict.fromkeys((*node.results, *node.operands)):
                self.readers[sharding].append(node)

    def run(self) -> None:
        """Propagates in rounds of decreasing priority, each from the ends of the data flow."""
        for round_number in range(len(ROUNDS)):
            self.visit(self.flow.ends, round_number)
            unsettled = [node for node in self.flow.nodes if node not in self.settled]
            self.visit(unsettled, round_number)
            self.visit(self.flow.ends, round_number)

    def visit(self, nodes: Sequence[PropagationNode], round_number: int) -> None:
        """Visits nodes, and again those whose shardings have changed, until nothing changes.

        The last one that is pending is visited next.
        """
        pending = dict.fromkeys(reversed(nodes))
        while pending:
            node, _ = pending.popitem()
            for sharding in self.propagate(node, round_number):
                for reader in reversed(self.readers[sharding]):
                    if reader is not node:
                        pending.setdefault(reader)

    def propagate(self, node: PropagationNode, round_number: int) -> list[ValueSharding]:
        """Propagates through a node; returns the shardings that have changed."""
        if not any(any(sharding.dimensions) for sharding in (*node.operands, *node.results)):
            return []
        sizes = node.rule.sizes
        operands, results = (
            [TensorFactors.of(*pair, sizes) for pair in zip(shardings, mappings, strict=True)]
            for shardings, mappings in (
                (node.operands, node.rule.operands),
                (node.results, node.rule.results),
            )
        )
        is_plain = node.operation is not None and is_elementwise(node.operation)
        propagation = FactorPropagation(operands, results, sizes, is_plain)
        directions = [self.direction(node, factor, round_number) for factor in range(len(sizes))]
        if all(direction is PropagationDirections.BOTH for direction in directions):
            self.settled.add(node)
        changed = propagation.run(directions)
        return self.with_linked([tensor.sharding for tensor in changed if tensor.update(sizes)])

    def with_linked(self, updated: list[ValueSharding]) -> list[ValueSharding]:
        """Updates the shardings that are linked to others; returns all that have changed."""
        for sharding in updated:  # grows
            for other, dimensions_of in self.flow.links[sharding]:
                dimensions = dimensions_of(sharding.dimensions)
                if dimensions != other.dimensions:
                    other.dimensions = dimensions
                    updated.append(other)
        return updated

    # ---- rounds

    def direction(
        self, node: PropagationNode, factor: int, round_number: int
    ) -> PropagationDirections:
        """The directions in which shardings pass along a factor of a node in a round."""
        if factor in node.rule.blocked_propagation:
            return PropagationDirections.NONE
        if node.barrier is not None:
            return node.barrier
        allowed = PropagationDirections.NONE
        for allow in ROUNDS[: round_number + 1]:
            allowed |= allow(self, node, factor)
            if allowed is PropagationDirections.BOTH:
                break
        return allowed

    def passes(self, node: PropagationNode, factor: int) -> PropagationDirections:
        """Operations that move no elements between devices, edges, and slices forward."""
        if node.operation is None or is_elementwise(node.operation):
            return PropagationDirections.BOTH
        name = node.operation.name
        if name in MOVES or only_adds_dimensions(node.operation):
            return PropagationDirections.BOTH
        return PropagationDirections.FORWARD if name in SLICES else PropagationDirections.NONE

    def passes_alone(self, node: PropagationNode, factor: int) -> PropagationDirections:
        """The same, of operations that alone read their operands."""
        if any(self.flow.uses[use] > 1 for use in node.uses):
            return PropagationDirections.NONE
        return self.passes(node, factor)

    def passes_backward(self, node: PropagationNode, factor: int) -> PropagationDirections:
        """All operations; a broadcast only backward."""
        operation = node.operation
        if operation is None or operation.name != BROADCAST or only_adds_dimensions(operation):
            return PropagationDirections.BOTH
        return PropagationDirections.BACKWARD

    def keeps(self, node: PropagationNode, factor: int) -> PropagationDirections:
        """The same, along factors that can be divided without communication."""
        rule = node.rule
        if factor in (*rule.reduction, *rule.need_replication, *rule.permutation):
            return PropagationDirections.NONE
        return self.passes_backward(node, factor)

    def all(self, node: PropagationNode, factor: int) -> PropagationDirections:
        """Permits propagation in both directions."""
        return PropagationDirections.BOTH


def only_adds_dimensions(operation: Operation) -> bool:
    """Whether an operation is a broadcast that only adds dimensions of size 1.

    XLA's simplification before Shardy makes a reshape of it.
    """
    if operation.name != BROADCAST:
        return False
    operand, result = operation.operands[0].type, operation.results[0].type
    assert isinstance(operand, TensorType)
    assert isinstance(result, TensorType)
    return operand.is_static and result.is_static and operand.size == result.size


Round: TypeAlias = Callable[[Propagation, PropagationNode, int], PropagationDirections]
ROUNDS: Final[Sequence[Round]] = (
    Propagation.passes_alone,
    Propagation.passes,
    Propagation.keeps,
    Propagation.passes_backward,
    Propagation.all,
)
