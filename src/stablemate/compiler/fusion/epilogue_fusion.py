"""Epilogue fusion: dots and convolutions store what is computed from their results.

An operation is absorbed by a value through which all that is computed from its result passes,
element by element: the kernel that makes the result ends with that value, where the value stands.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from stablemate.compiler.fusion.classification import Kind
from stablemate.compiler.fusion.recompute_cost import is_aligned
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.lowering.elements import represented

# Operations whose elements are read in an order that the loops of dots do not have.
SCATTERED: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("concatenate", "gather", "pad", "reverse", "torch_index_select", "transpose")
)


def epilogues_of(
    graph: Graph, kinds: Mapping[Node, Kind], kept: dict[Tensor, str]
) -> dict[Node, Node]:
    """The operations that are absorbed, each by the node of the value that is stored instead.

    Args:
        graph: The graph.
        kinds: How each operation is run.
        kept: The values in memory; those that are stored take the places of results.
    """
    numbers = {node: i for i, node in enumerate(graph.nodes)}
    epilogues: dict[Node, Node] = {}
    for node in graph.nodes:
        if kinds[node] != "kernel" or BUILDERS[node.operation.name].builds_to is None:
            continue
        (result,) = node.results
        value = epilogue_result(result, numbers, kinds, kept)
        if value is None or value.node is None or value.node in epilogues:
            continue
        epilogues[value.node] = node
        del kept[result]
        kept.setdefault(value, f"made with {result!r}")
    return epilogues


def epilogue_result(
    result: Tensor,
    numbers: Mapping[Node, int],
    kinds: Mapping[Node, Kind],
    kept: Container[Tensor],
) -> Tensor | None:
    """The last value through which all passes that is computed from a result; None if none is."""
    last = None
    frontier = {result}
    while True:
        if len(frontier) == 1 and result not in frontier:
            (value,) = frontier
            last = (
                value
                if value in kept or bytes_per_element(value) <= bytes_per_element(result)
                else last
            )
        first = min(frontier, key=lambda tensor: numbers[tensor.node] if tensor.node else -1)
        if first is not result and first in kept:
            return last
        candidates = [through_user(user, first, kinds, kept) for user in first.users]
        values = {candidate for candidate in candidates if candidate is not None}
        if None in candidates or not values:
            return last
        frontier = (frontier - {first}) | values


def through_user(
    user: Node | None, operand: Tensor, kinds: Mapping[Node, Kind], kept: Container[Tensor]
) -> Tensor | None:
    """What a user computes of an operand element by element; None if that is not what it does."""
    if user is None or kinds.get(user) != "element":
        return None
    others = [operand_ for operand_ in user.operands if operand_ is not operand]
    if not is_aligned(user, operand) or any(is_scattered(other, kept) for other in others):
        return None
    return user.results[0]


def is_scattered(tensor: Tensor, kept: Container[Tensor]) -> bool:
    """Whether a value is computed from elements that are not read in order."""
    pending = [tensor]
    seen: set[Tensor] = set()
    while pending:
        last = pending.pop()
        if last in seen or last in kept or last.node is None:
            continue
        seen.add(last)
        if last.node.operation.name in SCATTERED:
            return True
        pending += last.node.operands
    return False


def bytes_per_element(tensor: Tensor) -> int:
    """Bytes of an element in memory."""
    kind = represented(tensor)
    return BYTES[kind.storage] * kind.parts
