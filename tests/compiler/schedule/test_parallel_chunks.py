"""How a launch is cut into pieces."""

from __future__ import annotations

import pytest

from stablemate.compiler.schedule.chunk_sizes import LONGEST, PIECES, SHORTEST, chunks_of

MOST = 1 << 20


@pytest.mark.parametrize("pieces", [1, 2, 4, 8])
def test_few_pieces_are_as_many_for_two_threads_as_for_eight(pieces: int) -> None:
    for more in range(pieces, 2 * pieces):
        size, count = chunks_of(64, SHORTEST * (more + 0.5) / 64, MOST)
        assert (size, count) == (64 // pieces, pieces)


def test_few_long_iterations_are_pieces_by_themselves() -> None:
    assert chunks_of(9, LONGEST, MOST) == (1, 9)


def test_pieces_cover_all_iterations_and_are_not_too_many() -> None:
    for steps in (1, 7, 100, 12_345):
        for seconds in (1e-9, 1e-6, 1e-3):
            size, count = chunks_of(steps, seconds, MOST)
            assert (count - 1) * size < steps <= count * size
            assert count <= max(PIECES, steps * seconds / LONGEST + 1)
