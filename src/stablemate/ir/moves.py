"""Moves: what a collective operation moves from memory to memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from stablemate.numerics.elements import Array

Copy: TypeAlias = tuple[Array, Array]  # where it is written, and what


@dataclass(frozen=True, slots=True)
class Combined:
    """Pieces are combined by a plain operation, and the result is written to each target."""

    name: str
    pieces: Sequence[Array]
    targets: Sequence[Array]


@dataclass(slots=True)
class Moves:
    """What a meeting of processes moves.

    Attributes:
        copies: What is copied.
        folds: What is combined.
        kept: What is copied that is nobody's memory.
        is_all: Whether the same happens whenever they meet again with the same memory.
    """

    copies: list[Copy] = field(default_factory=list[Copy])
    folds: list[Combined] = field(default_factory=list[Combined])
    kept: list[Array] = field(default_factory=list[Array])
    is_all: bool = True

    def add(self, other: Moves) -> None:
        """Takes what another meeting moves."""
        self.copies += other.copies
        self.folds += other.folds
        self.kept += other.kept
        self.is_all &= other.is_all
