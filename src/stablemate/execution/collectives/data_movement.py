"""Moves the elements of collective operations from array to array within one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.data_movement import Copy, PieceReduction
from stablemate.numerics.elements import Array


@dataclass(frozen=True, slots=True)
class MessageHandle:
    """Handles of MPI messages, for native code that calls MPI by address.

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


class Copied(NamedTuple):
    """A step that copies pieces."""

    pairs: Sequence[Copy]


class Started(NamedTuple):
    """A step that starts messages."""

    wire: MessageHandle


class Awaited(NamedTuple):
    """A step that waits for messages."""

    wire: MessageHandle


class Incremented(NamedTuple):
    """A step that increments a number of one element."""

    word: Array


class Written(NamedTuple):
    """A step that writes a number of one element."""

    word: Array
    number: int


Movement: TypeAlias = Copied | PieceReduction | Started | Awaited | Incremented | Written


class NativeSteps(Protocol):
    """The steps of an exchange as native code.

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
    """An answer whose results are in place already, with the native code that replays the exchange.

    It holds as long as the process runs that asked, for the same request.
    """

    carried: NativeSteps


class Mover(Protocol):
    """Moves and combines elements."""

    def native_steps(
        self, steps: Sequence[Movement], gate: Array, polls: int, polls_before_yield: int
    ) -> NativeSteps | None:
        """Steps as native code that calls MPI by itself; None if that is not possible.

        Args:
            steps: What is done, one after the other.
            gate: A number of one element; while it is not zero nothing is begun by native code.
            polls: How often to look for messages, before it leaves off.
            polls_before_yield: How often, before another process is let have the core.
        """
        ...

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Copies arrays: in each pair, the second to the first.

        What is written is written once, and nothing of it is read.
        """
        ...

    def reduce(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Reduces arrays of one shape and element type, adjacent ones first.

        Args:
            name: How two elements are combined: ``add``, ``maximum``, ...
            pieces: What is combined, in order.
            targets: Where the result is written; some may be pieces.

        Returns:
            Whether it was done; else nothing was.
        """
        ...


class PlainMover:
    """Moves elements with NumPy."""

    def native_steps(
        self, steps: Sequence[Movement], gate: Array, polls: int, polls_before_yield: int
    ) -> NativeSteps | None:
        """There is no native code."""
        return None

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Writes arrays, one after the other."""
        for to, source in pairs:
            to[...] = source

    def reduce(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Does nothing: an operation combines elements by itself."""
        return False


PLAIN: Final = PlainMover()
