"""Replaces loop-carried values that never change by the values from outside the loop.

Its memory is then read where it is, and not copied into that of the loop's state.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor

LOOP: Final = "stablehlo.while"
Names = dict[Tensor, Tensor]


def lift_invariants(graph: Graph) -> None:
    """Takes out of the state of each loop what its body returns as it came."""
    names: Names = {}
    lift(graph, names)
    if names:
        rename(graph, names)


def lift(graph: Graph, names: Names) -> None:
    """Takes invariants out of the loops of a graph, the inner ones first.

    Args:
        graph: The graph.
        names: Takes what each value is that is none of its own any more.
    """
    for node in graph.nodes:
        for region in node.regions:
            lift(region, names)
        if node.operation.name == LOOP:
            lift_from(node, names)


def lift_from(node: Node, names: Names) -> None:
    """Takes invariants out of one loop."""
    cond, body = node.regions
    pairs = list(zip(body.arguments, body.results, strict=True))
    changed = [k for k, (old, new) in enumerate(pairs) if named(new, names) is not old]
    if len(changed) == len(pairs):
        return
    for k, operand in enumerate(node.operands):
        if k not in changed:
            same = (cond.arguments[k], body.arguments[k], node.results[k])
            names.update(dict.fromkeys(same, operand))
    node.operands = picked(node.operands, changed)
    node.results = picked(node.results, changed)
    cond.arguments = picked(cond.arguments, changed)
    body.arguments = picked(body.arguments, changed)
    body.results = picked(body.results, changed)


def picked(values: tuple[Tensor, ...], places: list[int]) -> tuple[Tensor, ...]:
    """Some of several values."""
    return tuple([values[k] for k in places])


def named(tensor: Tensor, names: Names) -> Tensor:
    """What a value is."""
    while tensor in names:
        tensor = names[tensor]
    return tensor


def rename(graph: Graph, names: Names) -> None:
    """Puts what they are in the place of values."""
    for node in graph.nodes:
        node.operands = tuple([named(operand, names) for operand in node.operands])
        for region in node.regions:
            rename(region, names)
    graph.results = tuple([named(result, names) for result in graph.results])
