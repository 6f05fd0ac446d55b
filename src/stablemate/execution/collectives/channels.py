"""Point-to-point messages: which process sends to which on a channel.

Source: StableHLO specification, send and recv. It leaves open how their ids become processes; here
they are partition ids if the grid has no other, replica ids if it has no other, and in a full grid
partition ids on positive channels, as for collective_permute. A process that is no source sends to
nobody, one that is no target receives zeros. Without pairs, values are for whoever receives next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.stablehlo.collectives import zeros
from stablemate.dialects.stablehlo.runtime import require
from stablemate.execution.process import place_of, text_of
from stablemate.execution.signature import shape_fits
from stablemate.ir.core import Operation
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import Receive, SendRequest
from stablemate.ir.types import TensorType

Address: TypeAlias = tuple[int, ProcessId | None, ProcessId | None]  # channel, source, target


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """Values that a process has sent on a channel.

    Attributes:
        sender: Who sent them.
        operands: The values.
        types: Their types, as the sender's program states them.
        place: Where that program sends them.
    """

    sender: ProcessId
    operands: Sequence[object]
    types: str
    place: str


SOURCE: Final = 0
TARGET: Final = 1


def address_of(process: ProcessId, request: SendRequest | Receive, grid: Grid) -> Address | None:
    """The address of a transfer; None if the process has no partner.

    Raises:
        EvaluationError: The partner is no process of the grid.
    """
    if not request.pairs:
        return request.channel, None, None
    if isinstance(request, SendRequest):
        target = partner_of(process, request, grid, SOURCE)
        return None if target is None else (request.channel, process, target)
    source = partner_of(process, request, grid, TARGET)
    return None if source is None else (request.channel, source, process)


def partner_of(
    process: ProcessId, request: SendRequest | Receive, grid: Grid, own: int
) -> ProcessId | None:
    """The other process of the source-target pair that a process belongs to."""
    axis = axis_of(request.channel, grid)
    partner = next((pair[1 - own] for pair in request.pairs if pair[own] == process[axis]), None)
    if partner is None:
        return None
    size = (grid.num_replicas, grid.num_partitions)[axis]
    values = {"id": partner, "N": size}
    require(request.operation, partner < size, "C4", "0 <= source_target_pairs < N", **values)
    return (partner, process[1]) if axis == 0 else (process[0], partner)


def axis_of(channel: int, grid: Grid) -> int:
    """Which id of a process the pairs contain: 0 replica_id, 1 partition_id."""
    if grid.num_replicas == 1 or grid.num_partitions == 1:
        return 1 if grid.num_partitions > 1 else 0
    return 1 if channel > 0 else 0


def empty_results(operation: Operation) -> list[object]:
    """The results of an operation that receives from no process: zeros and a token."""
    types: list[TensorType] = [value.type for value in operation.results[:-1]]
    return [*(zeros(value_type.shape, value_type) for value_type in types), None]


def message_of(sender: ProcessId, request: SendRequest) -> ChannelMessage:
    """The message that a process sends."""
    types = ", ".join(str(value.type) for value in request.operation.operands[:-1])
    return ChannelMessage(sender, request.operands, f"({types})", place_of(request.operation))


def received_values(message: ChannelMessage, received: Receive) -> list[object]:
    """The results of an operation that receives what another process has sent.

    Raises:
        EvaluationError: Its results are of other types.
    """
    types: list[TensorType] = [value.type for value in received.operation.results[:-1]]
    if len(types) != len(message.operands) or not all(map(fits, message.operands, types)):
        raise EvaluationError(
            f"({', '.join(map(str, types))}) is expected, but {text_of(message.sender)} sent "
            f"{message.types} at {message.place}"
        )
    return [*message.operands, None]


def fits(value: Any, expected: TensorType) -> bool:
    """Whether a value can have a type."""
    same_element = value.dtype == expected.element_type.dtype
    return same_element and shape_fits(np.shape(value), expected)


def text_of_address(address: Address) -> str:
    """``channel 3 from (0,0)``, from the receiver's point of view."""
    channel, source, _ = address
    return f"channel {channel}" + (f" from {text_of(source)}" if source else "")


def unreceived_text(message: ChannelMessage, address: Address) -> str:
    """Reports that a message has not been received."""
    channel, _, target = address
    whom = f"{text_of(target)}" if target else "anybody"
    sent = f"{text_of(message.sender)} sent on channel {channel} at {message.place}"
    return f"{sent}, not received by {whom}"
