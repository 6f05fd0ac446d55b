"""Replaces loop-carried values that never change by the values from outside the loop.

These values are then read where they are, and not copied into the memory of the loop's state.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor

LOOP: Final = "stablehlo.while"
Replacements = dict[Tensor, Tensor]


def replace_invariants(graph: Graph) -> None:
    """Removes the values from the state of each loop that its body returns unchanged."""
    replacements: Replacements = {}
    replace_in_graph(graph, replacements)
    if replacements:
        apply_replacements(graph, replacements)


def replace_in_graph(graph: Graph, replacements: Replacements) -> None:
    """Removes invariants from the loops of a graph, inner loops first.

    Args:
        graph: The graph.
        replacements: Receives the replacement of each value that is removed.
    """
    for node in graph.nodes:
        for region in node.regions:
            replace_in_graph(region, replacements)
        if node.operation.name == LOOP:
            replace_in_loop(node, replacements)


def replace_in_loop(node: Node, replacements: Replacements) -> None:
    """Removes invariants from one loop."""
    cond, body = node.regions
    pairs = list(zip(body.arguments, body.results, strict=True))
    changed = [
        k for k, (old, new) in enumerate(pairs) if replacement_of(new, replacements) is not old
    ]
    if len(changed) == len(pairs):
        return
    invariant = set(range(len(pairs))).difference(changed)
    for k, operand in enumerate(node.operands):
        if k in invariant:
            same = (cond.arguments[k], body.arguments[k], node.results[k])
            replacements.update(dict.fromkeys(same, operand))
    node.operands = select_at(node.operands, changed)
    node.results = select_at(node.results, changed)
    cond.arguments = select_at(cond.arguments, changed)
    body.arguments = select_at(body.arguments, changed)
    body.results = select_at(body.results, changed)


def select_at(values: tuple[Tensor, ...], indices: list[int]) -> tuple[Tensor, ...]:
    """The values at some indices."""
    return tuple([values[k] for k in indices])


def replacement_of(tensor: Tensor, replacements: Replacements) -> Tensor:
    """The value that a value is finally replaced by."""
    while tensor in replacements:
        tensor = replacements[tensor]
    return tensor


def apply_replacements(graph: Graph, replacements: Replacements) -> None:
    """Replaces values in a graph and its regions."""
    for node in graph.nodes:
        node.operands = tuple([replacement_of(operand, replacements) for operand in node.operands])
        for region in node.regions:
            apply_replacements(region, replacements)
    graph.results = tuple([replacement_of(result, replacements) for result in graph.results])
