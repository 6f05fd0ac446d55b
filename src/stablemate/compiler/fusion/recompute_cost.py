"""The cost of recomputing a value, compared with storing and loading it."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from math import prod
from typing import Final

from stablemate.compiler.fusion.index_maps import moves_elements
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.lowering.elements import represent_elements
from stablemate.ir.definition import definition_of
from stablemate.numerics.symbolic_sizes import surely_same_shape

# To compute a value again trades instructions for a store and a load:
# ``python -m benchmarks.fusion`` measures it.
MAX_RECOMPUTED_COST: Final = 6  # of a value that may be computed twice
MAX_COST: Final = 1 << 20  # higher costs are clamped
# Operations that read an element of the operand several times.
REPEATING: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.pad", "stablehlo.gather"})


def costs_of(
    graph: Graph, inlined: Collection[Node], materialized: Container[Tensor]
) -> dict[Tensor, int]:
    """The cost of an element of each value that is not stored."""
    costs: dict[Tensor, int] = {}
    for node in graph.nodes:
        if node in inlined:
            costs[node.results[0]] = cost_of(node, materialized, costs)
    return costs


def cost_of(node: Node, materialized: Container[Tensor], costs: Mapping[Tensor, int]) -> int:
    """The cost of an element of a node's result; a stored operand costs only a load."""
    work = definition_of(node.operation).work
    own_cost = 1 if work is None else work.additions
    operand_costs = [
        costs.get(operand, 0) for operand in node.operands if operand not in materialized
    ]
    combine = max if node.operation.name == "stablehlo.concatenate" else sum
    return min(own_cost + combine([*operand_costs, 0]), MAX_COST)


def evaluation_counts(
    graph: Graph,
    inlined: Collection[Node],
    materialized: Container[Tensor],
    costs: Mapping[Tensor, int],
) -> dict[Tensor, int]:
    """In how many places each value that is not stored is computed: kernels, and indices in them.

    Users that read an element at their own index, in one kernel, share the value. A value with high
    cost and several places will be stored; then it counts as one place itself.
    """
    sites: dict[Tensor, frozenset[object]] = {}
    counts: dict[Tensor, int] = {}
    for node in reversed(graph.nodes):
        for result in node.results:
            reading_sites: set[object] = set()
            for user in result.users:
                if user is None or user not in inlined:
                    reading_sites.add(user)
                    continue
                (user_result,) = user.results
                user_sites = {user_result} if user_result in materialized else sites[user_result]
                reading_sites |= (
                    user_sites
                    if is_aligned(user, result)
                    else {(user, site) for site in user_sites}
                )
            counts[result] = len(reading_sites)
            stored = reason_to_store(result, costs.get(result, 0), len(reading_sites))
            sites[result] = frozenset({result} if stored else reading_sites)
    return counts


def bytes_per_element(tensor: Tensor) -> int:
    """The size in memory of an element."""
    kind = represent_elements(tensor)
    return kind.parts * BYTES[kind.storage]


def is_aligned(user: Node, operand: Tensor) -> bool:
    """Whether a node reads an operand at the index of its result."""
    return not moves_elements(user) and surely_same_shape(operand.shape, user.results[0].shape)


def reason_to_store(result: Tensor, cost: int, sites: int) -> str:
    """Why computing a value where it is needed costs more than memory; empty if it does not."""
    if cost <= MAX_RECOMPUTED_COST:
        return ""
    if sites > 1:
        return f"used in {sites} places, costs {cost}"
    repeating = [u for u in result.users if u is not None and repeats(u, result)]
    if repeating:
        return f"costs {cost}, spread by {repeating[0].operation.name}"
    return ""


def repeats(user: Node, operand: Tensor) -> bool:
    """Whether a node reads an element of an operand several times.

    A gather of single elements, as from a table, reads each index once.
    """
    name = user.operation.name
    if name == "stablehlo.gather" and operand is not user.operands[0]:
        sizes: Sequence[int] = user.operation.slice_sizes
        return prod(sizes) > 1
    return name in REPEATING
