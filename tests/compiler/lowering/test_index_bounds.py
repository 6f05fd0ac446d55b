"""The values that an index takes."""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.index_bounds import bounds_of


def test_parts_of_one_index_are_not_largest_together() -> None:
    table = Expressions()
    i = table.loop_index("i", 6)
    place = 8 * ((3 * i // 2) % 3) + 4 * (3 * i % 2) + 24 * (i // 2)
    values = [8 * ((3 * n // 2) % 3) + 4 * (3 * n % 2) + 24 * (n // 2) for n in range(6)]
    assert place.high > max(values)
    assert bounds_of(place) == (min(values), max(values))


def test_indices_of_several_loops() -> None:
    table = Expressions()
    i, j = table.loop_index("i", 3), table.loop_index("j", 4)
    place = 5 - i + table.least(2 * j, 5)
    values = [5 - a + min(2 * b, 5) for a in range(3) for b in range(4)]
    assert bounds_of(place) == (min(values), max(values))


def test_too_many_values_are_not_tried() -> None:
    table = Expressions()
    i, j = table.loop_index("i", 1 << 13), table.loop_index("j", 1 << 13)
    place = i % 2 + 2 * (i // 2) + (1 << 13) * j
    assert bounds_of(place) == (place.low, place.high)


def test_an_index_beyond_a_bound_is_the_bound() -> None:
    table = Expressions()
    index = 5 + table.loop_index("i", 3)
    assert table.least(index, 5) is table.sum(5, ())
    assert table.least(index, 3) is table.sum(3, ())
    assert table.greatest(index, 7) is table.sum(7, ())
    assert table.greatest(index, 9) is table.sum(9, ())
