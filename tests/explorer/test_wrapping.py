"""Wide rows become several: independent parts on shelves, a row of one part in lines."""

from __future__ import annotations

from collections import Counter

from stablemate.explorer.wrapping import WIDE, wrapped_levels

NONE: frozenset[int] = frozenset()


def chains(count: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Levels and edges of chains of three."""
    levels = [i % 3 for i in range(3 * count)]
    pairs = [(3 * i + j, 3 * i + j + 1) for i in range(count) for j in range(2)]
    return levels, pairs


def test_rows_that_are_not_wide_stay() -> None:
    levels, pairs = chains(WIDE)
    assert wrapped_levels(levels, pairs, NONE, NONE) == levels


def test_independent_parts_stand_on_shelves() -> None:
    levels, pairs = chains(20)
    wrapped = wrapped_levels(levels, pairs, NONE, NONE)
    assert max(Counter(wrapped).values()) == WIDE
    for chain in range(20):
        shelf = 3 * (chain // WIDE)
        assert wrapped[3 * chain : 3 * chain + 3] == [shelf, shelf + 1, shelf + 2]


def test_what_all_parts_take_connects_none_and_ends_stay_last() -> None:
    """A rate that 20 updates take, and a return that takes all of them."""
    rate, end = 20, 21
    pairs = [*((rate, i) for i in range(20)), *((i, end) for i in range(20))]
    wrapped = wrapped_levels([*[1] * 20, 0, 2], pairs, frozenset({end}), NONE)
    assert wrapped[rate] == 0
    assert wrapped[:20] == [1 + i // WIDE for i in range(20)]
    assert wrapped[end] == 4


def test_a_wide_row_of_one_part_is_cut_and_edges_still_lead_down() -> None:
    """Four sources, each taken by all of 20 members, which one sum takes."""
    sources, members, total = range(4), range(4, 24), 24
    pairs = [*((a, b) for a in sources for b in members), *((b, total) for b in members)]
    wrapped = wrapped_levels([*[0] * 4, *[1] * 20, 2], pairs, NONE, NONE)
    assert max(Counter(wrapped).values()) <= WIDE
    assert all(wrapped[a] < wrapped[b] for a, b in pairs)


def test_ports_take_no_room() -> None:
    ports = frozenset(range(20))
    levels = [*[0] * 20, 1]
    assert wrapped_levels(levels, [(i, 20) for i in range(20)], NONE, ports) == levels
