"""The cost of recomputing a value, compared with storing and loading it."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from typing import Final

from stablemate.compiler.fusion.index_maps import MOVEMENT
from stablemate.compiler.graph.graph import Graph, Node, Tensor

# What one element costs, in additions; what is not here costs 1.
COSTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("stablehlo.divide", "stablehlo.sqrt", "stablehlo.rsqrt"), 8),
    **dict.fromkeys(("stablehlo.exponential", "stablehlo.log", "stablehlo.logistic"), 20),
    **dict.fromkeys(("stablehlo.exponential_minus_one", "stablehlo.log_plus_one"), 24),
    **dict.fromkeys(("stablehlo.tanh", "stablehlo.sine", "stablehlo.cosine"), 30),
    **dict.fromkeys(("stablehlo.tan", "stablehlo.atan2", "stablehlo.cbrt", "stablehlo.power"), 60),
    **dict.fromkeys(("stablehlo.slice", "stablehlo.broadcast_in_dim", "stablehlo.reverse"), 0),
    **dict.fromkeys(("stablehlo.concatenate", "stablehlo.pad"), 2),  # mostly guards of whole loops
    "stablehlo.remainder": 8,
    "stablehlo.gather": 4,
}
MAX_RECOMPUTED_COST: Final = 6  # what may be computed twice
MAX_COST: Final = 1 << 20  # what costs more is not told apart
# Operations that take an element of the operand several times.
REPEATING: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.pad", "stablehlo.gather"})


def costs_of(
    graph: Graph, elements: Collection[Node], kept: Container[Tensor]
) -> dict[Tensor, int]:
    """What an element of each value costs that is not kept."""
    costs: dict[Tensor, int] = {}
    for node in graph.nodes:
        if node in elements:
            costs[node.results[0]] = cost_of(node, kept, costs)
    return costs


def cost_of(node: Node, kept: Container[Tensor], costs: Mapping[Tensor, int]) -> int:
    """What an element of a node's result costs; of what is kept only a load."""
    own = COSTS.get(node.operation.name, 1)
    inner = [costs.get(operand, 0) for operand in node.operands if operand not in kept]
    one_of = max if node.operation.name == "stablehlo.concatenate" else sum
    return min(own + one_of([*inner, 0]), MAX_COST)


def evaluation_counts(
    graph: Graph,
    elements: Collection[Node],
    kept: Container[Tensor],
    costs: Mapping[Tensor, int],
) -> dict[Tensor, int]:
    """In how many places each value is computed that is not kept: kernels, and indices in them.

    Users that take an element at their own index, and stand in one kernel, share the value. One
    that costs much and has several places will be kept, and is then a place itself.
    """
    places: dict[Tensor, frozenset[object]] = {}
    counts: dict[Tensor, int] = {}
    for node in reversed(graph.nodes):
        for result in node.results:
            reading_places: set[object] = set()
            for user in result.users:
                if user is None or user not in elements:
                    reading_places.add(user)
                    continue
                (user_result,) = user.results
                inside = {user_result} if user_result in kept else places[user_result]
                reading_places |= (
                    inside if is_aligned(user, result) else {(user, place) for place in inside}
                )
            counts[result] = len(reading_places)
            stored = reason_to_store(result, costs.get(result, 0), len(reading_places))
            places[result] = frozenset({result} if stored else reading_places)
    return counts


def is_aligned(user: Node, operand: Tensor) -> bool:
    """Whether a node takes the element of an operand that has its own index."""
    return user.operation.name not in MOVEMENT and operand.shape == user.results[0].shape


def reason_to_store(result: Tensor, cost: int, places: int) -> str:
    """Why computing a value where it is needed costs more than memory; empty if it does not."""
    if cost <= MAX_RECOMPUTED_COST:
        return ""
    if places > 1:
        return f"used in {places} places, costs {cost}"
    spreading = [u for u in result.users if u is not None and u.operation.name in REPEATING]
    if spreading:
        return f"costs {cost}, spread by {spreading[0].operation.name}"
    return ""
