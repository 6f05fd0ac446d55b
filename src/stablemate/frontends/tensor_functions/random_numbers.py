"""Random numbers from a key: the same key gives the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from stablemate.dialects.stablehlo.attributes import RngAlgorithm
from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
from stablemate.frontends.tensor_functions.elementwise import (
    bitcast,
    erf_inv,
    shift_left,
    shift_right_logical,
)
from stablemate.frontends.tensor_functions.graph import SizeLike, is_static
from stablemate.frontends.tensor_functions.movement import arange, concatenate, reshape
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, emit_several, full
from stablemate.numerics.elements import F32, F64, ElementType, FloatType, IntegerType
from stablemate.numerics.random_bits import THREEFRY_PARITY, THREEFRY_ROTATIONS

WORD = IntegerType(64, "unsigned")
HALF = IntegerType(32, "unsigned")
MANTISSAS = {64: 52, 32: 23}


def random_bits(key: Tensor, stream: int, shape: Sequence[SizeLike], width: int) -> Tensor:
    """Random bits as unsigned integers, of Threefry with a key and the number of a stream.

    Args:
        key: A scalar of 64 bits.
        stream: Distinguishes the numbers of one program: its counters begin at this number times
            2^32.
        shape: The shape of the result, of numbers.
        width: Bits of an integer: 8, 16, 32 or 64.

    Source: J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011.
    """
    if not is_static(shape):
        return counted_bits(key, stream, shape, width)
    counter = constant(key.graph, np.array([stream << 32], np.uint64), WORD)
    state = concatenate([reshape(bitcast(key, WORD), (1,)), counter], 0)
    _, bits = emit_several(
        key.graph, RngBitGenerator,
        [((2,), WORD), (tuple(shape), IntegerType(width, "unsigned"))],
        initial_state=state.value, rng_algorithm=RngAlgorithm.THREE_FRY,
    )  # fmt: skip
    return bits


def counted_bits(key: Tensor, stream: int, shape: Sequence[SizeLike], width: int) -> Tensor:
    """The same for sizes that vary, which ``rng_bit_generator`` does not have.

    The counter of an element is its row-major index; narrow integers are parts of the first word.
    """
    word = bitcast(key, WORD)
    keys = word.convert(HALF), shift_right_logical(word, HALF.bits).convert(HALF)
    low = arange(key.graph, prod(shape), HALF)
    high = full(key.graph, low.shape, stream, HALF)
    first, second = threefry(keys, (low, high))
    bits = first.convert(IntegerType(min(width, HALF.bits), "unsigned"))
    if width > HALF.bits:
        bits = first.convert(WORD) | shift_left(second.convert(WORD), HALF.bits)
    return reshape(bits, shape)


def threefry(keys: tuple[Tensor, Tensor], counters: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Threefry-2x32 of 20 rounds.

    Args:
        keys: Two scalars of 32 bits.
        counters: Two tensors of 32 bits.
    """
    schedule = (*keys, keys[0] ^ keys[1] ^ int(THREEFRY_PARITY))
    x, y = (counter + word for counter, word in zip(counters, keys, strict=True))
    for group in range(5):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            x = x + y
            rotated = shift_left(y, distance) | shift_right_logical(y, HALF.bits - distance)
            y = rotated ^ x
        x = x + schedule[(group + 1) % 3]
        y = y + schedule[(group + 2) % 3] + (group + 1)
    return x, y


def uniform(key: Tensor, stream: int, shape: Sequence[SizeLike], element: ElementType) -> Tensor:
    """Floats from 0 to below 1, all multiples of 2^-23 (of 2^-52 in 64 bits) equally likely.

    Narrower floats are rounded towards zero from those of 32 bits, so 1 is never drawn.
    """
    assert isinstance(element, FloatType)
    wide = F64 if element == F64 else F32
    mantissa = MANTISSAS[wide.bits]
    bits = random_bits(key, stream, shape, wide.bits)
    kept = element.precision if element != wide else mantissa
    digits = shift_right_logical(bits, wide.bits - min(kept, mantissa))
    return (digits.convert(wide) * 2.0 ** -min(kept, mantissa)).convert(element)


def normal(key: Tensor, stream: int, shape: Sequence[SizeLike], element: ElementType) -> Tensor:
    """Floats of mean 0 and variance 1, by the inverse of their distribution function."""
    wide = F64 if element == F64 else F32
    half = 2.0 ** -(MANTISSAS[wide.bits] + 1)
    centered = uniform(key, stream, shape, wide) * 2 - (1 - 2 * half)
    return (erf_inv(centered) * 2**0.5).convert(element)
