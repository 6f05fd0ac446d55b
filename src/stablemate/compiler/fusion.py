"""Fusion: which operations share a kernel, and for every value that is kept in memory the reason.

A value is kept if it is a result, if what takes it cannot ask for single elements, or if computing
it again would cost more than a store and its loads. Everything else is computed where it is needed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from math import prod
from typing import Final, Literal

from stablemate.compiler.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.compiler.reuse import Reuse
from stablemate.dialects.stablehlo.accuracy import can_be_met
from stablemate.ir.types import TensorType

Kind = Literal["element", "kernel", "constant", "control", "request"]
CONTROL: Final = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})
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
CHEAP: Final = 6  # what may be computed twice
MOST: Final = 1 << 20  # what costs more is not told apart
# Operations that take elements of operands at other indices than their own.
MOVING: Final = frozenset(
    f"stablehlo.{name}"
    for name in (
        "bitcast_convert", "broadcast_in_dim", "concatenate", "dynamic_slice", "gather", "pad",
        "reshape", "reverse", "slice", "torch_index_select", "transpose",
    )
)  # fmt: skip
# Operations that take an element of the operand several times.
SPREADING: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.pad", "stablehlo.gather"})


def kind_of(node: Node) -> Kind:
    """How an operation is run."""
    name = node.operation.name
    if name == "stablehlo.constant":
        return "constant"
    if name in CONTROL:
        return "control"
    values = (*node.operands, *node.results)
    if not all(map(is_computed, values)):
        return "request"
    if "result_accuracy" in node.operation.attributes and not can_be_met(node.operation):
        return "request"  # the operation itself says what is wrong
    if name in LOWERINGS and LOWERINGS[name].admits(node):
        return "element"
    if name in BUILDERS and BUILDERS[name].admits(node):
        return "kernel"
    return "request"


def is_computed(tensor: Tensor) -> bool:
    """Whether native code computes with the elements of a value."""
    value_type = tensor.type
    return (
        isinstance(value_type, TensorType)
        and value_type.is_static
        and representation(value_type.element_type) is not None
    )


def kept_values(graph: Graph, *, fuse: bool = True) -> dict[Tensor, str]:
    """The values of a graph that are kept in memory, each with the reason.

    Args:
        graph: The graph.
        fuse: Whether others may be computed where they are needed.
    """
    kinds: dict[Node, Kind] = {node: kind_of(node) for node in graph.nodes}
    kept: dict[Tensor, str] = {}
    for node in graph.nodes:
        for result in node.results:
            reason = reason_to_keep(node, result, kinds)
            if reason:
                kept[result] = reason
            elif not fuse and kinds[node] == "element":
                kept[result] = "nothing is fused"
    costs = costs_of(graph, kinds, kept)  # at most: more will be kept
    places = places_of(graph, kinds, kept, costs)
    for node in graph.nodes:
        for result in node.results:
            if result in kept or kinds[node] != "element":
                continue
            costs[result] = cost_of(node, kept, costs)
            reason = reason_to_store(result, costs[result], places[result])
            if reason:
                kept[result] = reason
    keep_what_is_read_late(graph, kinds, kept)
    return kept


def elements_of(graph: Graph) -> frozenset[Node]:
    """The nodes of a graph that are computed element by element."""
    return frozenset(node for node in graph.nodes if kind_of(node) == "element")


def keep_what_is_read_late(
    graph: Graph, kinds: Mapping[Node, Kind], kept: dict[Tensor, str]
) -> None:
    """Keeps parts of tensors that are updated, where they would be read after the update."""
    updates = [
        node
        for node in graph.nodes
        if kinds[node] == "kernel" and BUILDERS[node.operation.name].updates
    ]
    if not updates:
        return
    elements = frozenset(node for node, kind in kinds.items() if kind == "element")
    reuse = Reuse(graph, elements, dict(kept), changes_arguments=True)
    for node in updates:
        number = reuse.numbers[node]
        for operand in node.operands[: len(node.results)]:
            for user in operand.users:
                if user is None or user not in elements or reuse.numbers[user] > number:
                    continue
                (part,) = user.results
                late = max(reuse.readers(part), default=-1) >= number
                if late and part not in kept and prod(part.shape) < prod(operand.shape):
                    kept[part] = f"read before {operand!r} changes"


def costs_of(
    graph: Graph, kinds: Mapping[Node, Kind], kept: Container[Tensor]
) -> dict[Tensor, int]:
    """What an element of each value costs that is not kept."""
    costs: dict[Tensor, int] = {}
    for node in graph.nodes:
        if kinds[node] == "element":
            costs[node.results[0]] = cost_of(node, kept, costs)
    return costs


def cost_of(node: Node, kept: Container[Tensor], costs: Mapping[Tensor, int]) -> int:
    """What an element of a node's result costs; of what is kept only a load."""
    own = COSTS.get(node.operation.name, 1)
    inner = [costs.get(each, 0) for each in node.operands if each not in kept]
    one_of = max if node.operation.name == "stablehlo.concatenate" else sum
    return min(own + one_of([*inner, 0]), MOST)


def places_of(
    graph: Graph,
    kinds: Mapping[Node, Kind],
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
            found: set[object] = set()
            for user in result.users:
                if user is None or kinds.get(user) != "element":
                    found.add(user)
                    continue
                (made,) = user.results
                inside = {made} if made in kept else places[made]
                found |= inside if is_aligned(user, result) else {(user, each) for each in inside}
            counts[result] = len(found)
            stored = reason_to_store(result, costs.get(result, 0), len(found))
            places[result] = frozenset({result} if stored else found)
    return counts


def is_aligned(user: Node, operand: Tensor) -> bool:
    """Whether a node takes the element of an operand that has its own index."""
    return user.operation.name not in MOVING and operand.shape == user.results[0].shape


def reason_to_keep(node: Node, result: Tensor, kinds: Mapping[Node, Kind]) -> str:
    """Why a value must be in memory; empty if it need not."""
    if kinds[node] == "constant":
        return ""
    if kinds[node] != "element":
        return f"made by {node.operation.name}"
    for user in result.users:
        if user is None:
            return "a result"
        if not takes_elements(user, kinds):
            return f"taken by {user.operation.name}"
    return ""


def reason_to_store(result: Tensor, cost: int, places: int) -> str:
    """Why computing a value where it is needed costs more than memory; empty if it does not."""
    if cost <= CHEAP:
        return ""
    if places > 1:
        return f"used in {places} places, costs {cost}"
    spreading = [u for u in result.users if u is not None and u.operation.name in SPREADING]
    if spreading:
        return f"costs {cost}, spread by {spreading[0].operation.name}"
    return ""


def takes_elements(user: Node, kinds: Mapping[Node, Kind]) -> bool:
    """Whether a node asks for single elements of its operands."""
    kind = kinds.get(user, "request")
    return kind == "element" or (kind == "kernel" and BUILDERS[user.operation.name].inlines)
