"""Replaces loop-carried values that never change by the values from outside the loop.

Its memory is then read where it is, and not copied into that of the loop's state.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor

LOOP: Final = "stablehlo.while"
Replacements = dict[Tensor, Tensor]


def replace_invariants(graph: Graph) -> None:
    """Takes out of the state of each loop what its body returns as it came."""
    names: Replacements = {}
    replace_in_graph(graph, names)
    if names:
        apply_replacements(graph, names)


def replace_in_graph(graph: Graph, names: Replacements) -> None:
    """Takes invariants out of the loops of a graph, the inner ones first.

    Args:
        graph: The graph.
        names: Takes what each value is that is none of its own any more.
    """
    for node in graph.nodes:
        for region in node.regions:
            replace_in_graph(region, names)
        if node.operation.name == LOOP:
            replace_in_loop(node, names)


def replace_in_loop(node: Node, names: Replacements) -> None:
    """Takes invariants out of one loop."""
    cond, body = node.regions
    pairs = list(zip(body.arguments, body.results, strict=True))
    changed = [k for k, (old, new) in enumerate(pairs) if replacement_of(new, names) is not old]
    if len(changed) == len(pairs):
        return
    for k, operand in enumerate(node.operands):
        if k not in changed:
            same = (cond.arguments[k], body.arguments[k], node.results[k])
            names.update(dict.fromkeys(same, operand))
    node.operands = select_at(node.operands, changed)
    node.results = select_at(node.results, changed)
    cond.arguments = select_at(cond.arguments, changed)
    body.arguments = select_at(body.arguments, changed)
    body.results = select_at(body.results, changed)


def select_at(values: tuple[Tensor, ...], places: list[int]) -> tuple[Tensor, ...]:
    """Some of several values."""
    return tuple([values[k] for k in places])


def replacement_of(tensor: Tensor, names: Replacements) -> Tensor:
    """What a value is."""
    while tensor in names:
        tensor = names[tensor]
    return tensor


def apply_replacements(graph: Graph, names: Replacements) -> None:
    """Puts what they are in the place of values."""
    for node in graph.nodes:
        node.operands = tuple([replacement_of(operand, names) for operand in node.operands])
        for region in node.regions:
            apply_replacements(region, names)
    graph.results = tuple([replacement_of(result, names) for result in graph.results])
