"""The copies and reductions that a collective operation performs between arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array

Copy: TypeAlias = tuple[Array, Array]  # (target, source)


@dataclass(frozen=True, slots=True)
class PieceReduction:
    """Pieces are combined by a NumPy ufunc, and the result is written to each target."""

    name: str
    pieces: Sequence[Array]
    targets: Sequence[Array]


@dataclass(slots=True)
class DataMovement:
    """The data that one rendezvous of processes moves.

    Attributes:
        copies: The copies.
        reductions: The reductions.
        temporaries: Sources of copies that are in no process's memory.
        is_repeatable: Whether the next rendezvous with the same memory moves the same.
    """

    copies: list[Copy] = field(default_factory=list[Copy])
    reductions: list[PieceReduction] = field(default_factory=list[PieceReduction])
    temporaries: list[Array] = field(default_factory=list[Array])
    is_repeatable: bool = True

    def add(self, other: DataMovement) -> None:
        """Adds the data that another rendezvous moves."""
        self.copies += other.copies
        self.reductions += other.reductions
        self.temporaries += other.temporaries
        self.is_repeatable &= other.is_repeatable
