"""Operators that draw the same random numbers again, as checkpoints do in a backward graph.

The state of the generator, which PyTorch passes from the forward graph to the backward one, holds
in its first bytes the key from which the numbers of one operator were drawn.

Source: PyTorch, torch.utils.checkpoint, "preserve_rng_state".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.elementwise import shift_right_logical
from stablemate.frontends.tensor_functions.random_numbers import WORD, random_bits
from stablemate.frontends.tensor_functions.reductions import sum_over
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.operators.control.higher_order import call_operator
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import IntegerType
from stablemate.numerics.symbolic_sizes import SymbolicSize

KEY_BYTES: Final = 8
STATE_BYTES: Final = 5056  # of PyTorch's generator on the CPU
BYTE: Final = IntegerType(8, "unsigned")


@lowers("higher_order.run_and_save_rng_state")
def run_and_save(
    call: Call, operator: object, *positional: object, **keywords: object
) -> list[object]:
    """A state, and the result of an operator whose random numbers it decides"""
    key = m.reshape(random_bits(call.key(), call.stream, (1,), 64), ())
    inner = replace(call, types=call.types[1:])
    return [state_of(call, key), run_with_key(inner, key, operator, positional, keywords)]


@lowers("higher_order.run_with_rng_state")
def run_with(
    call: Call, state: Tensor, operator: object, *positional: object, **keywords: object
) -> object:
    """The result of an operator whose random numbers a state decides"""
    return run_with_key(call, key_of(state), operator, positional, keywords)


def run_with_key(
    call: Call, key: Tensor, operator: object, positional: Any, keywords: Any
) -> object:
    """The result of an operator whose random numbers have a key of their own."""
    return call_operator(replace(call, key=lambda: key, stream=0), operator, positional, keywords)


def state_of(call: Call, key: Tensor) -> Tensor:
    """A state that begins with the bytes of a key, the lowest first."""
    places = constant(key.graph, np.arange(0, 8 * KEY_BYTES, 8, dtype=np.uint64), WORD)
    octets = shift_right_logical(key.broadcast_to(places.shape), places) & 255
    state = m.pad(octets.convert(BYTE), 0, [0], [STATE_BYTES - KEY_BYTES])
    bind_size(call, state)
    return state


def bind_size(call: Call, state: Tensor) -> None:
    """Gives the size of a state its value, where PyTorch has a symbol for it."""
    known = call.types[0]
    size = None if known is None else known[0][0]
    if isinstance(size, SymbolicSize) and not call.graph.is_bound(size):
        call.graph.bind_dimension(size, state.value, 0)


def key_of(state: Tensor) -> Tensor:
    """The key with whose bytes a state begins."""
    weights = np.uint64(256) ** np.arange(KEY_BYTES, dtype=np.uint64)
    octets = m.slice_dimension(state, 0, 0, KEY_BYTES).convert(WORD)
    return sum_over(octets * constant(state.graph, weights, WORD), [0])
