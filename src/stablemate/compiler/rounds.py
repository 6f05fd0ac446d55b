"""Rounds: what processes have exchanged once, native code exchanges again by itself.

Where all processes of a grid stand at one collective operation, what is moved follows from where
each of them stands, and from the memory of its operands and results. If they have stood so before,
it is done, and they go on, without a word in Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, Protocol

from stablemate.ir.grid import Grid
from stablemate.ir.moves import Moves
from stablemate.numerics.elements import Array

MOST: Final = 1024  # rounds that are known at the same time


class Launch(Protocol):
    """Native code with its arguments."""

    def run(self) -> None:
        """Runs it to its end."""
        ...


class Preparing(Protocol):
    """Prepares what moves elements."""

    def table(self, to: Array, source: Array) -> Array | None:
        """What the kernel is handed that copies an array; None where it would take too long."""
        ...

    def call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a fold, its arguments and its iterations; None if there is none."""
        ...

    def copying(self, tables: Sequence[Array]) -> Launch:
        """What copies all that tables say."""
        ...

    def launch(self, function: int, arguments: Array, iterations: int) -> Launch:
        """A kernel with its arguments."""
        ...


class Standing(Protocol):
    """A process in memory that has stopped.

    Attributes:
        grid: Of which grid it is one; None while nobody has said so.
        position: Which one of it.
    """

    grid: Grid | None
    position: int

    def stands(self) -> Hashable | None:
        """At which collective operation it stands, and with what memory; None if it does not."""
        ...

    def pass_on(self) -> None:
        """Lets it go on behind that operation."""
        ...


class Rounds:
    """What has been exchanged by whom."""

    def __init__(self, mover: Preparing) -> None:
        self.mover = mover
        self.known: dict[Hashable, Sequence[Launch]] = {}
        self.kept: dict[Hashable, Sequence[Array]] = {}

    def remember(self, processes: Sequence[Standing], moves: Moves) -> None:
        """Keeps what is moved where the processes of a grid stand now, if native code can do it."""
        key = key_of(processes)
        if key is None or key in self.known:
            return
        tables = [self.mover.table(*each) for each in moves.copies]
        calls = [self.mover.call(e.name, e.pieces, e.targets) for e in moves.folds]
        if any(each is None for each in (*tables, *calls)):
            return
        if len(self.known) >= MOST:
            self.known.clear()
            self.kept.clear()
        launches = [self.mover.launch(*each) for each in calls if each is not None]
        copied = [each for each in tables if each is not None and len(each)]
        self.known[key] = [*launches, *([self.mover.copying(copied)] if copied else [])]
        self.kept[key] = moves.kept

    def repeat(self, processes: Sequence[Standing]) -> bool:
        """Moves what was moved when processes stood so before; says whether they ever did."""
        launches = self.known.get(key_of(processes)) if self.known else None
        if launches is None:
            return False
        for each in launches:
            each.run()
        for process in processes:
            process.pass_on()
        return True


def key_of(processes: Sequence[Standing]) -> Hashable | None:
    """Where all processes of a grid stand, in its order; None if these are not all, or one runs."""
    grid = processes[0].grid
    if grid is None or len(processes) != grid.size:
        return None
    found: list[Any] = [None] * grid.size
    for each in processes:
        if each.grid != grid:
            return None
        found[each.position] = each.stands()
    return None if None in found else (grid, *found)
