"""Generated sorts in checked code and guarded memory; ``sort_campaign`` is the long form."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.result_comparison import native
from tests.compiler.sort_campaign import difference
from tests.compiler.sort_programs import SortProgram, ordered_numbers, sort_program, sort_text


@pytest.mark.parametrize("number", range(12))
def test_generated_sorts(number: int) -> None:
    assert not difference("test", number)


@pytest.mark.parametrize("size", [1, 2, 7, 63, 64, 65, 300, 1024])
def test_short_rows_need_no_memory_beside_results(size: int) -> None:
    keys = np.random.default_rng(size).integers(-9, 9, (5, size), dtype=np.int32)
    places = np.broadcast_to(np.arange(size, dtype=np.int32), keys.shape)
    text = sort_text(["i32", "i32"], keys.shape, 1, "GT, %l0, %r0, SIGNED", stable=True)
    executable = sm.compile(text)
    order = np.argsort(-keys, 1, kind="stable")
    sorted_keys, sorted_places = executable(keys, places)
    np.testing.assert_array_equal(sorted_keys, np.take_along_axis(keys, order, 1))
    np.testing.assert_array_equal(sorted_places, order)
    assert native(text).memory.arena == 0


@pytest.mark.standard
def test_more_generated_sorts() -> None:
    assert not [found for number in range(12, 80) if (found := difference("test", number))]


def test_orders_are_those_of_ieee_754() -> None:
    values = np.array([-np.nan, -np.inf, -1.0, -0.0, 0.0, 1.0, np.inf, np.nan], np.float32)
    assert (np.diff(ordered_numbers(values, total=True).astype(np.int64)) > 0).all()
    zeros = ordered_numbers(values[3:5], total=False)
    assert zeros[0] == zeros[1]


def test_wrong_orders_are_found() -> None:
    keys, places = np.array([2, 1, 1], np.int32), np.array([0, 1, 2], np.int32)
    for stable, wrong in ((True, ([1, 1, 2], [2, 1, 0])), (False, ([1, 2, 1], [1, 0, 2]))):
        text = sort_text(["i32", "i32"], (3,), 0, "LT, %l0, %r0, SIGNED", stable=stable)
        program = SortProgram("sort", text, [keys, places], 0, False, stable, False)
        assert program.difference([np.array(result, np.int32) for result in wrong])
        right = [np.array(result, np.int32) for result in ([1, 1, 2], [1, 2, 0])]
        assert not program.difference(right)


def test_programs_depend_on_their_seed_only() -> None:
    one, again = sort_program("a:1"), sort_program("a:1")
    assert one.text == again.text
    assert all(map(np.array_equal, one.arguments, again.arguments))
