"""Random bits from counters: Threefry-2x32 and Philox-4x32, as XLA lays out state and output.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011. The order in which
outputs become elements, and how the state advances, is XLA's; state is ``(key, counter...)``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.numerics.elements import Array

LOW: Final = np.uint64(0xFFFFFFFF)
HALF: Final = np.uint64(32)

THREEFRY_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
THREEFRY_PARITY: Final = np.uint32(0x1BD11BDA)
PHILOX_ROUNDS: Final = 10  # as many as Salmon et al. recommend
PHILOX_MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
PHILOX_WEYL: Final = (np.uint32(0x9E3779B9), np.uint32(0xBB67AE85))


def threefry_bits(state: Array, shape: Sequence[int], bits: int) -> tuple[Array, Array]:
    """Random integers by Threefry.

    Args:
        state: Key and counter; ``(2,)``, uint64.
        shape: Shape of the output.
        bits: 64, or at most 32.

    Returns:
        The new state, and the output: uint64, or uint32 of which the low ``bits`` count.
    """
    if bits == 64:
        count = math.prod(shape)
        first, second = threefry_words(state, count)
        output = join(first, second).reshape(tuple(shape))
    else:
        dimension = halved_dimension(shape)
        size = shape[dimension] if shape else 1
        outer = math.prod(shape[:dimension])
        half, inner = -(-size // 2), math.prod(shape[dimension + 1 :])
        count = outer * half * inner
        words = [word.reshape(outer, half, inner) for word in threefry_words(state, count)]
        # The two outputs of one counter become neighbors along the halved dimension.
        output = np.stack(words, 2).reshape(outer, 2 * half, inner)[:, :size].reshape(tuple(shape))
    return np.array([state[0], np.add(state[1:], np.uint64(count))[0]], np.uint64), output


def halved_dimension(shape: Sequence[int]) -> int:
    """The dimension that is divided in two: the first even one, else the first of largest size."""
    even = [d for d, size in enumerate(shape) if size % 2 == 0]
    return even[0] if even else max(range(len(shape)), key=lambda d: shape[d], default=0)


def threefry_words(state: Array, count: int) -> tuple[Array, Array]:
    """Both outputs of Threefry for ``count`` counters, starting with that of the state."""
    counters = state[1] + np.arange(count, dtype=np.uint64)
    return threefry_2x32(halves(state[:1]), halves(counters))


def threefry_2x32(key: tuple[Array, Array], counter: tuple[Array, Array]) -> tuple[Array, Array]:
    """Threefry-2x32 of 20 rounds, on arrays of uint32."""
    keys = (*key, key[0] ^ key[1] ^ THREEFRY_PARITY)
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for group in range(5):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            x = x + y
            y = rotate_left(y, distance) ^ x
        x = x + keys[(group + 1) % 3]
        y = y + keys[(group + 2) % 3] + np.uint32(group + 1)
    return x, y


def rotate_left(x: Array, distance: int) -> Array:
    """The bits of uint32, rotated to the left."""
    return (x << np.uint32(distance)) | (x >> np.uint32(32 - distance))


def philox_bits(state: Array, shape: Sequence[int], bits: int) -> tuple[Array, Array]:
    """Random integers by Philox.

    Args:
        state: Key and a counter of one or two words, the low one first; ``(2,)`` or ``(3,)``,
            uint64. The key replaces a missing high word.
        shape: Shape of the output.
        bits: 64, or at most 32.

    Returns:
        The new state, and the output: uint64, or uint32 of which the low ``bits`` count.
    """
    size = math.prod(shape)
    count = -(-size // (2 if bits == 64 else 4))
    low = state[1] + np.arange(count, dtype=np.uint64)
    high = state[-1 if len(state) == 3 else 0] + (low < state[1]).astype(np.uint64)
    words = philox_4x32(halves(state[:1]), (*halves(low), *halves(high)))
    if bits == 64:
        words = (join(*words[:2]), join(*words[2:]))
    output = np.stack(words, 1).reshape(-1)[:size].reshape(tuple(shape))
    next_low = np.add(state[1:2], np.uint64(count))
    next_high = state[2:] + (next_low < state[1]).astype(np.uint64)
    return np.concatenate([state[:1], next_low, next_high]), output


def philox_4x32(
    key: tuple[Array, Array], counter: tuple[Array, Array, Array, Array]
) -> tuple[Array, ...]:
    """Philox-4x32 of 10 rounds, on arrays of uint32."""
    words, (first, second) = counter, key
    for _ in range(PHILOX_ROUNDS):
        low_0, high_0 = halves(words[0] * PHILOX_MULTIPLIERS[0])
        low_1, high_1 = halves(words[2] * PHILOX_MULTIPLIERS[1])
        words = (high_1 ^ words[1] ^ first, low_1, high_0 ^ words[3] ^ second, low_0)
        first, second = first + PHILOX_WEYL[0], second + PHILOX_WEYL[1]
    return words


def halves(words: Array) -> tuple[Array, Array]:
    """The low and the high half of uint64, as uint32."""
    return (words & LOW).astype(np.uint32), (words >> HALF).astype(np.uint32)


def join(low: Array, high: Array) -> Array:
    """The uint64 with these halves."""
    return low.astype(np.uint64) | (high.astype(np.uint64) << HALF)
