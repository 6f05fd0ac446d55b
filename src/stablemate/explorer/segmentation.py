"""Splits long lists of operations into segments, so that programs without scopes can be collapsed.

A list is cut where few values are live, as between the layers of a network. Segments are
contiguous: they never depend on one another in a cycle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

from stablemate.explorer.graph import GraphNode

LONG: Final = 150  # operations from which on a list is split
SEGMENT: Final = 48  # approximate number of operations of a segment
MOST: Final = 16  # segments of a list; these are split again
SLACK: Final = 0.4  # how far a cut may move, as a fraction of a segment


def segments_of(
    nodes: Sequence[GraphNode], captured: Mapping[GraphNode, frozenset[int]]
) -> list[Sequence[GraphNode]]:
    """Returns the segments of a list; the list itself if it has few operations.

    Args:
        nodes: The nodes in topological order.
        captured: The values that each node uses.
    """
    starts = starts_of_operations(nodes)
    count = len(starts)
    if count < LONG:
        return [nodes]
    alive = alive_between(nodes, captured)
    number = min(MOST, round(count / SEGMENT))
    size = count / number
    cuts = [0]
    for i in range(1, number):
        middle, slack = round(i * size), int(size * SLACK)
        near = range(middle - slack, middle + slack + 1)
        cut = min(near, key=lambda cut: (alive[starts[cut]], abs(cut - middle)))
        cuts.append(starts[cut])
    return [nodes[a:b] for a, b in pairwise([*cuts, len(nodes)])]


def starts_of_operations(nodes: Sequence[GraphNode]) -> list[int]:
    """The index at which each operation begins, with the arguments right before it."""
    starts: list[int] = []
    start = 0
    for i, node in enumerate(nodes):
        if node.kind != "argument":
            starts.append(start)
            start = i + 1
    return starts


def alive_between(
    nodes: Sequence[GraphNode], captured: Mapping[GraphNode, frozenset[int]]
) -> list[int]:
    """The number of values that are live before each node."""
    defined_at = {
        value: i for i, node in enumerate(nodes) for value in node.results if node.operands
    }
    last: dict[int, int] = {}
    for i, node in enumerate(nodes):
        last.update((value, i) for value in captured[node] if value in defined_at)
    change = [0] * (len(nodes) + 1)
    for value, end in last.items():
        change[defined_at[value] + 1] += 1
        change[end + 1 if end + 1 < len(change) else end] -= 1
    return list(accumulate(change))


def label_of(nodes: Sequence[GraphNode]) -> str:
    """Returns the name of a segment: its lines, or its operations."""
    lines = [node.line for node in nodes if node.line]
    if lines:
        return f"lines {min(lines)}\u2013{max(lines)}"
    numbers = [node.number for node in nodes if node.number is not None]
    return f"operations {min(numbers)}\u2013{max(numbers)}" if numbers else "values"
