"""The messages of ranks: packed values, and the states of ranks.

Arrays travel as their bytes, so that every element type can; those that lie in one piece are sent
from where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.collectives.channels import Address
from stablemate.execution.signature import is_tuple
from stablemate.ir.exchange import WHOLE, OperandPiece, Shape
from stablemate.ir.grid import ProcessId
from stablemate.numerics.elements import Array, storage


@dataclass(frozen=True, slots=True)
class PackedArray:
    """An array in a message: its bytes, element type and shape."""

    dtype: str
    shape: tuple[int, ...]
    data: Array

    @property
    def array(self) -> Array:
        """The array that has arrived."""
        flat: Array = self.data.view(storage(self.dtype) or np.dtype(self.dtype))
        return flat.reshape(self.shape)


PackedArrays: TypeAlias = "tuple[PackedArray | PackedArrays | None, ...]"


def packed_array(value: object) -> PackedArray:
    """Packs an array; a contiguous one is not copied."""
    array = np.asarray(value)
    flat = np.ascontiguousarray(array).reshape(-1)
    return PackedArray(array.dtype.name, array.shape, flat.view(np.uint8))


def pack_values(values: Sequence[object]) -> PackedArrays:
    """Packs values; a token becomes None, a tuple a tuple."""
    return tuple(
        None if value is None else pack_values(value) if is_tuple(value) else packed_array(value)
        for value in values
    )


def unpack_values(wires: PackedArrays) -> tuple[object, ...]:
    """Unpacks values that have arrived."""
    return tuple(
        wire.array
        if isinstance(wire, PackedArray)
        else wire
        if wire is None
        else unpack_values(wire)
        for wire in wires
    )


@dataclass(frozen=True, slots=True)
class Delivery:
    """A channel message for the process of another rank; see ``ChannelMessage``."""

    address: Address
    sender: ProcessId
    operands: PackedArrays
    types: str
    place: str


@dataclass(frozen=True, slots=True)
class Contribution:
    """The operands of a process at a collective, as far as processes of another rank need them.

    Attributes:
        operation: What all ranks call the operation.
        group: The number of the group.
        visit: How often the process has executed the operation before.
        process: The process.
        shapes: Those of its operands.
        pieces: Which pieces of them follow.
        operands: The pieces.
        place: Where its program has the operation.
    """

    operation: str
    group: int
    visit: int
    process: ProcessId
    shapes: tuple[Shape, ...]
    pieces: tuple[OperandPiece, ...]
    operands: PackedArrays
    place: str

    @property
    def arrays(self) -> list[Array]:
        """The operands; what no process needs of them is zero."""
        values = [np.asarray(value) for value in unpack_values(self.operands)]
        arrays: list[Array] = []
        for number, shape in enumerate(self.shapes):
            own = [
                (piece.source, value)
                for piece, value in zip(self.pieces, values, strict=True)
                if piece.operand == number
            ]
            array = own[0][1] if own[0][0] == WHOLE else np.zeros(shape, own[0][1].dtype)
            for source, value in own:
                if source != WHOLE:
                    array[source] = value
            arrays.append(array)
        return arrays


@dataclass(frozen=True, slots=True)
class Partial:
    """What the first members of a group have been combined to; see ``chained_reductions``.

    Attributes:
        operation: What all ranks call the operation.
        group: The number of the group.
        visit: How often its processes have executed the operation before.
        run: The number of the run at whose end they are; at the end of the last one it is the
            result.
        shapes: Those of the operands.
        operands: The arrays.
        place: Where the program of the sender has the operation.
    """

    operation: str
    group: int
    visit: int
    run: int
    shapes: tuple[Shape, ...]
    operands: PackedArrays
    place: str


@dataclass(frozen=True, slots=True)
class Idle:
    """A rank reports that it cannot make progress."""

    rank: int


@dataclass(frozen=True, slots=True)
class StateQuery:
    """Rank 0 asks all ranks for their states."""

    number: int


@dataclass(frozen=True, slots=True)
class CollectiveProgress:
    """How far a rank is at a collective.

    Attributes:
        tag: What all ranks call the site.
        key: What they call the operation in its group, whatever the shapes.
        place: Where the program of this rank has it.
        shapes: Those of the operands.
        begun: How often each of the two rounds was begun.
        receivers: The ranks that take what this one gives.
        round: The round that is on its way.
        awaited: The tag of each site and the rank that have to come for it.
    """

    tag: int
    key: str
    place: str
    shapes: str
    begun: tuple[int, int]
    receivers: tuple[int, ...]
    round: int
    awaited: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class State:
    """The answer of a rank to a state query.

    Attributes:
        query: The number of the query.
        rank: Who answers.
        quiet: Whether nothing in it can go on.
        sent: How many messages about values it has sent to other ranks so far.
        received: How many it has received.
        lines: What is left to be said of its processes; none if they have ended as they should.
        accounts: How it stands at each site.
    """

    query: int
    rank: int
    quiet: bool
    sent: int
    received: int
    lines: tuple[str, ...]
    accounts: tuple[CollectiveProgress, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The run ends on all ranks: normally, or because none can make progress."""

    lines: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A rank has failed, with the reason."""

    process: ProcessId
    reason: str


@dataclass(frozen=True, slots=True)
class RankExited:
    """The program of a rank has ended.

    Attributes:
        rank: Which one.
        run_number: The number of grids that it has run.
    """

    rank: int
    run_number: int


Message: TypeAlias = (
    Delivery | Contribution | Partial | Idle | StateQuery | State | End | Failed | RankExited
)
