"""What ranks say to one another: values as they travel, and the states of ranks.

Arrays travel as their bytes, so that every element type can; those that lie in one piece are sent
from where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

from stablemate.execution.collectives.channels import Address
from stablemate.execution.signature import is_tuple
from stablemate.ir.grid import ProcessId
from stablemate.numerics.elements import Array


@dataclass(frozen=True, slots=True)
class Wire:
    """An array on its way: its bytes, and what they are."""

    dtype: str
    shape: tuple[int, ...]
    data: Array

    @property
    def array(self) -> Array:
        """The array that has arrived."""
        named = getattr(ml_dtypes, self.dtype, None)
        flat: Array = self.data.view(np.dtype(named or self.dtype))
        return flat.reshape(self.shape)


Wires: TypeAlias = "tuple[Wire | Wires | None, ...]"


def wire_of(value: Any) -> Wire:
    """An array on its way; one that lies in one piece is not copied."""
    array = np.asarray(value)
    flat = np.ascontiguousarray(array).reshape(-1)
    return Wire(array.dtype.name, array.shape, flat.view(np.uint8))


def packed(values: Sequence[Any]) -> Wires:
    """Values on their way; a token is None, a tuple a tuple."""
    return tuple(
        None if each is None else packed(each) if is_tuple(each) else wire_of(each)
        for each in values
    )


def unpacked(wires: Wires) -> tuple[Any, ...]:
    """Values that have arrived."""
    return tuple(
        each.array if isinstance(each, Wire) else each if each is None else unpacked(each)
        for each in wires
    )


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter for the process of another rank; see ``Letter``."""

    address: Address
    sender: ProcessId
    operands: Wires
    types: str
    place: str


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing in a rank can go on."""

    rank: int


@dataclass(frozen=True, slots=True)
class Wave:
    """Rank 0 asks all ranks for their states."""

    number: int


@dataclass(frozen=True, slots=True)
class Account:
    """How a rank stands at a site.

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
    """What a rank answers to a wave.

    Attributes:
        wave: The number of the wave.
        rank: Who answers.
        quiet: Whether nothing in it can go on.
        sent: How many messages about values it has sent to other ranks so far.
        received: How many it has received.
        lines: What is left to be said of its process; none if it has ended as it should.
        accounts: How it stands at each site.
    """

    wave: int
    rank: int
    quiet: bool
    sent: int
    received: int
    lines: tuple[str, ...]
    accounts: tuple[Account, ...]


@dataclass(frozen=True, slots=True)
class End:
    """All ranks end: as they should, or because none can go on."""

    lines: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A rank has failed, and says why."""

    process: ProcessId
    reason: str


@dataclass(frozen=True, slots=True)
class Left:
    """The program of a rank has come to its end.

    Attributes:
        rank: Which one.
        turn: How many grids it has run.
    """

    rank: int
    turn: int


Message: TypeAlias = Posted | Quiet | Wave | State | End | Failed | Left
