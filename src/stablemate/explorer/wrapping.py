"""Wraps the rows of a layout that are too wide to be read: hundreds of siblings become a block.

Parts of a box that share no edges, such as the updates of hundreds of parameters, are put on
shelves, one shelf below the other. A row of one part that is still too wide becomes several rows.
Every edge still leads down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

WIDE: Final = 8  # children in a row
COMMON: Final = 4  # users from which on a source connects no parts: a rate, a step


def wrapped_levels(
    levels: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    ends: frozenset[int],
    ports: frozenset[int],
) -> list[int]:
    """The row of every child such that rows are not wide; the given rows if none is.

    Args:
        levels: The row of every child; every edge leads to a later row.
        pairs: The edges.
        ends: Children that stay in the last row, such as a return.
        ports: Children that take no room.
    """
    if width_of(set(range(len(levels))) - ports, levels) <= WIDE:
        return list(levels)
    above = Counter(b for _, b in pairs)
    below = Counter(a for a, _ in pairs)
    roots = {i for i in range(len(levels)) if not above[i] and below[i] > COMMON}
    inner = [i for i in range(len(levels)) if i not in roots and i not in ends]
    shelved = list(levels)
    start = 1 if roots else 0
    for shelf in shelves_of(parts_of(inner, pairs), levels, ports):
        start = place(shelf, levels, start, shelved)
    for root in roots:
        shelved[root] = 0
    shelved = narrow_rows(shelved, [i for i in inner if i not in ports])
    last = max((shelved[i] for i in inner), default=0) + 1
    for end in ends:
        shelved[end] = last
    return shelved


def parts_of(members: Sequence[int], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The members by connected part, in the order of their first ones."""
    parent = {member: member for member in members}

    def root(member: int) -> int:
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    for a, b in pairs:
        if a in parent and b in parent:
            parent[root(a)] = root(b)
    parts: dict[int, list[int]] = {}
    for member in members:
        parts.setdefault(root(member), []).append(member)
    return list(parts.values())


def width_of(members: Iterable[int], levels: Sequence[int]) -> int:
    """The number of members in the widest row."""
    return max(Counter(levels[member] for member in members).values(), default=0)


def shelves_of(
    parts: Iterable[Sequence[int]], levels: Sequence[int], ports: frozenset[int]
) -> Iterator[list[Sequence[int]]]:
    """Parts that stand beside one another, as many as a row takes."""
    shelf: list[Sequence[int]] = []
    room = WIDE
    for part in parts:
        width = width_of(set(part) - ports, levels)
        if shelf and width > room:
            yield shelf
            shelf, room = [], WIDE
        shelf.append(part)
        room -= width
    if shelf:
        yield shelf


def place(
    shelf: Iterable[Sequence[int]], levels: Sequence[int], start: int, shelved: list[int]
) -> int:
    """Puts the parts of a shelf into rows from a start on; returns the row after them."""
    end = start
    for part in shelf:
        first = min(levels[member] for member in part)
        for member in part:
            shelved[member] = start + levels[member] - first
            end = max(end, shelved[member] + 1)
    return end


def narrow_rows(levels: Sequence[int], members: Iterable[int]) -> list[int]:
    """Rows, those that are too wide cut into several, in the order of the members."""
    rows: dict[int, list[int]] = {}
    for member in members:
        rows.setdefault(levels[member], []).append(member)
    starts = starts_of(rows)
    result = [starts.get(level, level) for level in levels]
    for level, row in rows.items():
        for i, member in enumerate(row):
            result[member] = starts[level] + i // WIDE
    return result


def starts_of(rows: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """The number that each row gets when those before it are cut."""
    starts: dict[int, int] = {}
    added = 0
    for level in range(max(rows, default=-1) + 1):
        starts[level] = level + added
        added += max(0, (len(rows.get(level, ())) - 1) // WIDE)
    return starts
