"""Threefry and Philox against the known answers of their authors' library, Random123."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.numerics.elements import Array
from stablemate.numerics.random_bits import philox_4x32, philox_bits, threefry_2x32, threefry_bits

ONES = 0xFFFFFFFF


def words(*values: int) -> tuple[Array, ...]:
    return tuple(np.array([value], np.uint32) for value in values)


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((ONES, ONES), (ONES, ONES), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_threefry_gives_known_answers(
    key: tuple[int, int], counter: tuple[int, int], expected: tuple[int, int]
) -> None:
    bits = threefry_2x32(words(*key), words(*counter))
    assert [int(word[0]) for word in bits] == list(expected)


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES, ONES), (ONES,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0xA4093822, 0x299F31D0),
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_known_answers(
    key: tuple[int, int], counter: tuple[int, int, int, int], expected: tuple[int, ...]
) -> None:
    bits = philox_4x32(words(*key), words(*counter))
    assert [int(word[0]) for word in bits] == list(expected)


@pytest.mark.parametrize("bits", [32, 64])
def test_the_new_state_continues_the_sequence(bits: int) -> None:
    state = np.array([5, (1 << 64) - 3, 7], np.uint64)
    once, whole = philox_bits(state, (16,), bits)
    middle, first = philox_bits(state, (8,), bits)
    last, second = philox_bits(middle, (8,), bits)
    assert np.concatenate([first, second]).tolist() == whole.tolist()
    assert last.tolist() == once.tolist()


def test_threefry_of_64_bits_continues_and_its_counter_wraps() -> None:
    state = np.array([5, (1 << 64) - 1], np.uint64)
    middle, first = threefry_bits(state, (1,), 64)
    last, second = threefry_bits(middle, (2,), 64)
    whole_state, whole = threefry_bits(state, (3,), 64)
    assert np.concatenate([first, second]).tolist() == whole.tolist()
    assert last.tolist() == whole_state.tolist() == [5, 2]
