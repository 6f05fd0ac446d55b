"""Moving: what carries the elements of collective operations in one process from array to array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from stablemate.ir.moves import Combined, Copy
from stablemate.numerics.elements import Array


@dataclass(frozen=True, slots=True)
class Wire:
    """Messages of the engine, for who calls it by addresses.

    Attributes:
        start: Its function that lets messages go: their number, and where they are.
        test: Its function that says whether one is done: where it is, where it is said, and where
            a status is.
        handles: What it knows the messages by.
        status: Room for what it says of one.
        count: How many there are.
    """

    start: int
    test: int
    handles: Array
    status: Array
    count: int


@dataclass(frozen=True, slots=True)
class Copied:
    """Pieces are copied: where, and what."""

    pairs: Sequence[Copy]


@dataclass(frozen=True, slots=True)
class Started:
    """Messages go."""

    wire: Wire


@dataclass(frozen=True, slots=True)
class Awaited:
    """Messages are there."""

    wire: Wire


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of one element grows by one."""

    word: Array


@dataclass(frozen=True, slots=True)
class Told:
    """A number of one element is written."""

    word: Array
    number: int


Moving: TypeAlias = Copied | Combined | Started | Awaited | Counted | Told


class Carried(Protocol):
    """Steps of an exchange as native code.

    Attributes:
        function: What a program in native code calls to carry it out, if it has not been begun by
            another one; it returns 1 when it is done.
        argument: What it hands to that.
    """

    function: int
    argument: int

    def __call__(self) -> int:
        """Begins, or goes on; says whether it is done: 1, or 0, or -1 if the engine fails."""
        ...


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An answer: results are where they belong, and this is how they come there the next time.

    It holds as long as the process runs that asked, for the same request.
    """

    carried: Carried


class Mover(Protocol):
    """Moves and combines elements."""

    def carried(
        self, steps: Sequence[Moving], gate: Array, looks: int, patience: int
    ) -> Carried | None:
        """Steps as native code, which calls the engine by itself; None if they cannot be.

        Args:
            steps: What is done, one after the other.
            gate: A number of one element; while it is not zero nothing is begun by native code.
            looks: How often to look for messages, before it leaves off.
            patience: How often, before another process is let have the core.
        """
        ...

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Writes arrays: for each pair, to the first what is in the second.

        What is written is written once, and nothing of it is read.
        """
        ...

    def fold(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Combines arrays of one shape and type, neighbours first, and writes the result.

        Args:
            name: How two elements are combined: ``add``, ``maximum``, ...
            pieces: What is combined, in order.
            targets: Where the result is written; none of the pieces.

        Returns:
            Whether it was done; else nothing was.
        """
        ...


class PlainMover:
    """By NumPy."""

    def carried(
        self, steps: Sequence[Moving], gate: Array, looks: int, patience: int
    ) -> Carried | None:
        """There is no native code."""
        return None

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Writes arrays, one after the other."""
        for to, source in pairs:
            to[...] = source

    def fold(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Not done: an operation combines by itself."""
        return False


PLAIN: Final = PlainMover()
