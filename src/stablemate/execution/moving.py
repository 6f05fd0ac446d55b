"""Moving: what carries the elements of collective operations in one process from array to array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from stablemate.numerics.elements import Array


class Mover(Protocol):
    """Moves and combines elements."""

    def copy(self, pairs: Sequence[tuple[Array, Array]]) -> None:
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

    def copy(self, pairs: Sequence[tuple[Array, Array]]) -> None:
        """Writes arrays, one after the other."""
        for to, source in pairs:
            to[...] = source

    def fold(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Not done: an operation combines by itself."""
        return False


PLAIN: Final = PlainMover()
