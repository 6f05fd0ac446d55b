"""Calls of a model's functions: bodies replace them, so what they stand for has limits.

The limits are found from the functions alone, in linear time: what calls of calls stand for grows
exponentially with the number of functions.

Source: ONNX, Intermediate Representation, Functions: they must not be recursive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.frontends.onnx.model import Graph, Model, Node
from stablemate.frontends.tensor_functions.programs import as_list

MOST_INLINED: Final = 1 << 17  # nodes of bodies of functions
MOST_CALLED: Final = 100  # functions around one another, as in ONNX Runtime
Key = tuple[str, str]  # the domain and the name of a function


@dataclass(frozen=True, slots=True)
class Expansion:
    """The nodes that a call stands for.

    Attributes:
        nodes: How many nodes the bodies have.
        depth: How many functions are around the innermost one, itself included.
    """

    nodes: int
    depth: int


def reject_expanding(model: Model) -> None:
    """Refuses a model whose calls of functions do not end, or stand for too much.

    Raises:
        ParseError: A function calls itself, by way of others perhaps.
        LimitError: Calls are nested too deeply, or bodies have too many nodes together.
    """
    callees = {
        key: [node_key(node) for node in nodes_within(function.nodes)]
        for key, function in model.functions.items()
    }
    expansions = expansions_of(callees)
    total = 0
    for node in nodes_within(model.graph.nodes):
        key = node_key(node)
        if key not in callees:
            continue
        if key not in expansions:
            domain, name = recursive_function(key, callees, expansions)
            raise ParseError(f"the function {domain}.{name} calls itself, at node {node.label!r}")
        total += expansions[key].nodes
        if total > MOST_INLINED:
            raise LimitError(
                f"calls of functions stand for more than {MOST_INLINED} nodes, at node "
                f"{node.label!r}"
            )
        if expansions[key].depth > MOST_CALLED:
            raise LimitError(
                f"calls of functions are nested more than {MOST_CALLED} deep, at node "
                f"{node.label!r}"
            )


def expansions_of(callees: Mapping[Key, Sequence[Key]]) -> dict[Key, Expansion]:
    """The nodes that a call of each function stands for; those are left out whose calls do not end.

    Args:
        callees: The operators of the nodes of each function.
    """
    users: dict[Key, list[Key]] = {}
    waiting: dict[Key, int] = {}
    for key, called in callees.items():
        known = [callee for callee in called if callee in callees]
        waiting[key] = len(known)
        for callee in known:
            users.setdefault(callee, []).append(key)
    found: dict[Key, Expansion] = {}
    ready = [key for key, count in waiting.items() if not count]
    while ready:
        key = ready.pop()
        inner = [found[callee] for callee in callees[key] if callee in callees]
        nodes = len(callees[key]) + sum(expansion.nodes for expansion in inner)
        found[key] = Expansion(nodes, 1 + max((e.depth for e in inner), default=0))
        for user in users.get(key, ()):
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    return found


def recursive_function(
    key: Key, callees: Mapping[Key, Sequence[Key]], expansions: Mapping[Key, Expansion]
) -> Key:
    """A function that calls itself, among those that a function whose calls do not end calls."""
    seen = set[Key]()
    while key not in seen:
        seen.add(key)
        key = next(c for c in callees[key] if c in callees and c not in expansions)
    return key


def nodes_within(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes in their order, each before those of the graphs inside it."""
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        yield node
        for value in node.attributes.values():
            for graph in graphs_in(value):
                pending += reversed(graph.nodes)


def graphs_in(value: object) -> list[Graph]:
    """The graphs that the value of an attribute holds."""
    return [item for item in as_list(value) if isinstance(item, Graph)]


def node_key(node: Node) -> Key:
    """The domain and the name of the operator of a node."""
    return node.domain, node.operator
