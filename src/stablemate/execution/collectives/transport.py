"""Ports: what carries the elements of operands between ranks, as those who use it see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from stablemate.execution.collectives.data_movement import Wire
from stablemate.numerics.elements import Array


class Transfer(Protocol):
    """A message, or an operation of the engine, that is carried out again and again."""

    def Test(self) -> bool:
        """Whether it is done."""
        ...


class Engine(Protocol):
    """The members of a group, as the engine knows them."""

    def reduction(self, name: str, operand: Array, out: Array) -> Transfer:
        """The engine's own sum, product, ... of the operands of all members.

        Args:
            name: How elements are combined.
            operand: The operand of this one.
            out: Where the result arrives.
        """
        ...


class Port(Protocol):
    """What sites need of the engine.

    Attributes:
        patience: How often to look for a message before another process is let have the core.
    """

    patience: int

    def sender(self, array: Array, rank: int, tag: int) -> Transfer:
        """A message of an array that lies in one piece."""
        ...

    def receiver(self, array: Array, rank: int, tag: int) -> Transfer:
        """A message into an array that lies in one piece."""
        ...

    def post(self, array: Array, rank: int, tag: int) -> None:
        """Sends an array that nobody changes any more."""
        ...

    def start(self, transfers: Sequence[Transfer], /) -> None:
        """Lets messages go; what was done before is done again."""
        ...

    def wire(self, transfers: Sequence[Transfer]) -> Wire | None:
        """The same messages for who calls the engine by addresses; None where that is not known."""
        ...

    def pause(self) -> None:
        """Lets another process have the core."""
        ...

    def engine(self, ranks: Sequence[int], tag: int) -> Engine | None:
        """The members of a group, who all ask for this at the same time; None if there are many."""
        ...

    def free(self, transfers: Sequence[Transfer], *, is_open: bool) -> None:
        """Gives up messages.

        Args:
            transfers: The messages.
            is_open: Whether one that has not come may be given up: it is this rank that receives.
        """
        ...
