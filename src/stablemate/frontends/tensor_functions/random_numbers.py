"""Random numbers from a key: the same key gives the same numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.dialects.stablehlo.attributes import RngAlgorithm
from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
from stablemate.frontends.tensor_functions.elementwise import (
    bitcast,
    erf_inv,
    shift_right_logical,
)
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.movement import concatenate, reshape
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, emit_several
from stablemate.numerics.elements import F32, F64, ElementType, FloatType, IntegerType

WORD = IntegerType(64, "unsigned")
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
    counter = constant(key.graph, np.array([stream << 32], np.uint64), WORD)
    state = concatenate([reshape(bitcast(key, WORD), (1,)), counter], 0)
    _, bits = emit_several(
        key.graph, RngBitGenerator,
        [((2,), WORD), (tuple(shape), IntegerType(width, "unsigned"))],
        initial_state=state.value, rng_algorithm=RngAlgorithm.THREE_FRY,
    )  # fmt: skip
    return bits


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
    centred = uniform(key, stream, shape, wide) * 2 - (1 - 2 * half)
    return (erf_inv(centred) * 2**0.5).convert(element)
