"""Layered layouts of boxes: the row of each child, and the order in each row.

Rows are layers: every edge leads down. Where an edge passes a row it gets a place there, a bend;
edges that pass many rows are cut, and shown at their ends only. Coordinates are left to the page,
which alone knows what is unfolded.

Source: Sugiyama, Tagawa, Toda, Methods for visual understanding of hierarchical system structures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.explorer.boxes import Box
from stablemate.explorer.edges import Edges
from stablemate.explorer.wrapping import wrapped_levels

FAR: Final = 6  # rows that an edge may pass
NEAR: Final = 3  # the same for edges of arguments, constants and values that enter
SWEEPS: Final = 4
SOURCES: Final = frozenset({"argument", "constant", "in"})
ENDS: Final = frozenset({"return", "out"})
PORTS: Final = frozenset({"in", "out"})
ROW: Final = 12  # children in a row of a box without edges


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """The positions of the children of a box.

    Attributes:
        rows: From above, each from the left: the number of a child, or ``~e`` where edge ``e``
            passes.
        edges: Numbers of children and the values between them.
    """

    rows: Sequence[Sequence[int]]
    edges: Sequence[tuple[int, int, Sequence[int]]]


def layout_of(box: Box, edges: Edges) -> BoxLayout:
    """The layout of what is in a box."""
    children = box.children
    places = {child: i for i, child in enumerate(children)}
    wired = [(places[a], places[b], values) for (a, b), values in edges.items()]
    pairs = [(a, b) for a, b, _ in wired]
    if not pairs:
        rows = [list(range(i, min(i + ROW, len(children)))) for i in range(0, len(children), ROW)]
        return BoxLayout(rows, [])
    ends, ports = (
        frozenset(i for i, child in enumerate(children) if child.kind in kinds)
        for kinds in (ENDS, PORTS)
    )
    levels = wrapped_levels(levels_of(children, pairs), pairs, ends, ports)
    lengths = [levels[b] - levels[a] for a, b in pairs]
    sources = {i for i, child in enumerate(children) if child.kind in SOURCES}
    cut = [
        length > (NEAR if a in sources else FAR)
        for length, (a, _) in zip(lengths, pairs, strict=True)
    ]
    return BoxLayout(Ordering(levels, pairs, cut).rows, wired)


def levels_of(children: Sequence[Box], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The row of every child: below all that it takes, else close to what takes it."""
    count = len(children)
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs:
        above[b].append(a)
        below[a].append(b)
    order = sorted_by_edges(above, below)
    levels = [0] * count
    for child in order:
        levels[child] = max((levels[a] + 1 for a in above[child]), default=0)
    last = max(levels)
    for child in reversed(order):
        kind = children[child].kind
        if kind == "in":
            continue
        if kind == "out" or (kind == "return" and not below[child]):
            levels[child] = last if kind == "return" else max(last, levels[child])
        elif below[child]:
            inputs = sum(bool(above[a]) or children[a].kind == "in" for a in above[child])
            if inputs < len(below[child]) or not inputs:
                levels[child] = min(levels[b] for b in below[child]) - 1
    return levels


def sorted_by_edges(above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> list[int]:
    """All numbers in topological order; members of cycles come last."""
    missing = [len(predecessors) for predecessors in above]
    order = [i for i, count in enumerate(missing) if not count]
    for child in order:
        for b in below[child]:
            missing[b] -= 1
            if not missing[b]:
                order.append(b)
    return order


class Ordering:
    """Rows, each in an order in which few edges cross: by the mean place of neighbors.

    Attributes:
        rows: As ``BoxLayout`` has them.
    """

    def __init__(
        self, levels: Sequence[int], pairs: Sequence[tuple[int, int]], cut: Sequence[bool]
    ) -> None:
        """Orders the children of a box.

        Args:
            levels: The row of every child.
            pairs: Edges, from a row to one further down; others, of circles, count for nothing.
            cut: Which of them are shown at their ends only.
        """
        self.rows: list[list[int]] = [[] for _ in range(max(levels) + 1)]
        self.up: dict[tuple[int, int], list[int]] = {}  # by row and entry: entries of the row above
        self.down: dict[tuple[int, int], list[int]] = {}
        for child, level in enumerate(levels):
            self.rows[level].append(child)
        for edge, (a, b) in enumerate(pairs):
            if not cut[edge] and levels[a] < levels[b]:
                self.lead(edge, a, b, levels)
        for sweep in range(SWEEPS):
            self.sweep(downwards=sweep % 2 == 0)

    def lead(self, edge: int, a: int, b: int, levels: Sequence[int]) -> None:
        """Assigns an edge its places in the rows between its ends."""
        before = a
        for row in range(levels[a] + 1, levels[b] + 1):
            node = b if row == levels[b] else ~edge
            if node < 0:
                self.rows[row].append(node)
            self.down.setdefault((row - 1, before), []).append(node)
            self.up.setdefault((row, node), []).append(before)
            before = node

    def sweep(self, *, downwards: bool) -> None:
        """Orders all rows but the first by the rows before them, downwards or upwards."""
        rows, step = self.rows, -1 if downwards else 1
        neighbors = self.up if downwards else self.down
        numbers = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
        for i in numbers:
            rows[i] = self.by_means(i, rows[i + step], neighbors)

    def by_means(
        self,
        number: int,
        fixed: Sequence[int],
        neighbors: Mapping[tuple[int, int], Sequence[int]],
    ) -> list[int]:
        """A row in the order of the mean places of neighbors; those without keep theirs.

        Of equal ones those that nothing leads to stand on both sides of the others.
        """
        row = self.rows[number]
        if len(row) < 2:
            return row
        place = {item: i / len(fixed) for i, item in enumerate(fixed)}
        keys: dict[int, tuple[float, int]] = {}
        for i, item in enumerate(row):
            near = neighbors.get((number, item))
            mean = (
                sum([place[other] for other in near]) / len(near) if near else (i + 0.5) / len(row)
            )
            keys[item] = mean, 0 if (number, item) in self.up else 1 - 2 * (i % 2)
        return sorted(row, key=keys.__getitem__)
