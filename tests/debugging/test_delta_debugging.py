"""Delta debugging: minimal subsets, and how many questions they take."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablemate.debugging.minimal import minimal


@given(st.integers(1, 200), st.data())
def test_a_set_that_is_needed_is_found(size: int, data: st.DataObject) -> None:
    needed = data.draw(st.sets(st.integers(0, size - 1), max_size=5))
    assert minimal(range(size), lambda some: needed <= set(some)) == sorted(needed)


@given(st.integers(2, 40), st.data())
def test_nothing_can_be_left_out(size: int, data: st.DataObject) -> None:
    """Of what holds with some sets and not with larger ones, too."""
    lucky = data.draw(st.sets(st.frozensets(st.integers(0, size - 1)), max_size=5))
    whole = frozenset(range(size))

    def holds(some: Sequence[int]) -> bool:
        return frozenset(some) in lucky or frozenset(some) == whole

    frozenset_result = frozenset(minimal(range(size), holds))
    assert holds(sorted(frozenset_result))
    assert (
        not any(holds(sorted(frozenset_result - {item})) for item in frozenset_result)
        or not frozenset_result
    )


@pytest.mark.parametrize("size", [10, 1000, 3000])
def test_one_thing_is_found_with_few_questions(size: int) -> None:
    for wrong in (0, size // 3, size - 1):
        asked: list[int] = []

        def holds(some: Sequence[int], wrong: int = wrong, asked: list[int] = asked) -> bool:
            asked.append(len(some))
            return wrong in some

        assert minimal(range(size), holds) == [wrong]
        assert len(asked) <= math.ceil(math.log2(size)) + 2  # nothing, halves, the one alone


def test_no_question_is_asked_twice() -> None:
    asked: list[tuple[int, ...]] = []

    def holds(some: Sequence[int]) -> bool:
        asked.append(tuple(some))
        return {3, 11} <= set(some)

    assert minimal(range(16), holds) == [3, 11]
    assert len(set(asked)) == len(asked)
