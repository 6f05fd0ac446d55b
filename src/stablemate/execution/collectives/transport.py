"""The transport of operands between ranks, as the collectives use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from stablemate.execution.collectives.data_movement import MessageHandle
from stablemate.numerics.elements import Array


class PersistentTransfer(Protocol):
    """A persistent message, or a persistent collective of the transport."""

    def Test(self) -> bool:
        """Whether the transfer has completed."""
        ...


class Engine(Protocol):
    """A communicator."""

    def reduction(self, name: str, operand: Array, out: Array) -> PersistentTransfer:
        """The transport's own reduction (sum, product, ...) over the operands of all members.

        Args:
            name: How elements are combined.
            operand: The operand of this one.
            out: Where the result arrives.
        """
        ...


class Transport(Protocol):
    """The interface of a message-passing library for prepared collectives.

    Attributes:
        patience: How often to look for a message before another process is let have the core.
    """

    patience: int

    def sender(self, array: Array, rank: int, tag: int) -> PersistentTransfer:
        """A persistent send of a contiguous array."""
        ...

    def receiver(self, array: Array, rank: int, tag: int) -> PersistentTransfer:
        """A persistent receive into a contiguous array."""
        ...

    def post(self, array: Array, rank: int, tag: int) -> None:
        """Sends an array that does not change any more."""
        ...

    def start(self, transfers: Sequence[PersistentTransfer], /) -> None:
        """Starts messages, possibly once more."""
        ...

    def wire(self, transfers: Sequence[PersistentTransfer]) -> MessageHandle | None:
        """Handles of the same messages for native code; None where their addresses are unknown."""
        ...

    def pause(self) -> None:
        """Yields the core to another process."""
        ...

    def engine(self, ranks: Sequence[int], tag: int) -> Engine | None:
        """The communicator of a group, created collectively; None if there are too many."""
        ...

    def free(self, transfers: Sequence[PersistentTransfer], *, is_open: bool) -> None:
        """Frees messages.

        Args:
            transfers: The messages.
            is_open: Whether one that has not come may be given up: it is this rank that receives.
        """
        ...
