"""Rules for transfers through channels and streams.

Source: StableHLO specification, send, recv and infeed.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, holds
from stablemate.ir.kinds import ANY_TENSOR, TOKEN_VALUE, TypeConstraint
from stablemate.ir.types import TensorType, TokenType


class ChannelType(IntEnum):
    """``type`` of a channel handle."""

    INVALID = 0
    DEVICE_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    HOST_TO_DEVICE = 3


# Values from outside have sizes that are known before the program runs.
RECEIVED: Final = (
    TypeConstraint[TensorType](
        f"statically shaped {ANY_TENSOR.description}",
        lambda candidate: ANY_TENSOR.accepts(candidate) and candidate.is_static,
    )
    | TOKEN_VALUE
)


def channel_type_fits(channel_type: int, is_host_transfer: bool, with_host: ChannelType) -> Check:
    """Whether a channel has the type that a transfer requires.

    Args:
        channel_type: ``type`` of the channel handle.
        is_host_transfer: Whether the transfer is one with the host.
        with_host: The type of a transfer with the host.
    """
    needed = with_host if is_host_transfer else ChannelType.DEVICE_TO_DEVICE
    return holds(channel_type == needed, channel_type=channel_type, expected=needed.name)


def payload_then_token(operation: Operation) -> Check:
    """Whether the results are tensors and, last, a token."""
    types = [value.type for value in operation.results]
    fits = (
        bool(types)
        and isinstance(types[-1], TokenType)
        and all(isinstance(value_type, TensorType) for value_type in types[:-1])
    )
    return holds(fits, results=types)
