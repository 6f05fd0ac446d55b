"""Replays in native code what processes have exchanged once.

Where all processes of a grid stand at one collective operation, what is moved follows from where
each of them stands, and from the memory of its operands and results. If they have stood so before,
it is done, and they go on, without a word in Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final, Protocol

from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.ir.data_movement import DataMovement
from stablemate.numerics.elements import Array

MAX_EXCHANGES: Final = 1024  # rounds that are known at the same time
MAX_BYTES: Final = 1 << 26  # that they keep


class Launch(Protocol):
    """Native code with its arguments."""

    def run(self) -> None:
        """Runs it to its end."""
        ...


class LaunchFactory(Protocol):
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


class ReplayedExchanges:
    """What has been exchanged by whom."""

    def __init__(self, mover: LaunchFactory) -> None:
        self.mover = mover
        self.known: dict[Hashable, Sequence[Launch]] = {}  # empty where native code cannot do it
        self.kept: list[Sequence[Array]] = []
        self.bytes = 0

    def remember(self, processes: Sequence[GridPosition], moves: DataMovement) -> None:
        """Keeps what is moved where the processes of a grid stand now, if native code can do it."""
        if not all(process.is_exact() for process in processes):
            return
        key = key_of(processes)
        if key is None or key in self.known:
            return
        if len(self.known) >= MAX_EXCHANGES or self.bytes >= MAX_BYTES:
            self.known.clear()
            self.kept.clear()
            self.bytes = 0
        self.known[key] = list(self.launches(moves))
        self.kept.append(moves.temporaries)
        self.bytes += sum(temporary.nbytes for temporary in moves.temporaries)

    def launches(self, moves: DataMovement) -> Iterator[Launch]:
        """What native code does to move this; nothing if it cannot do all of it."""
        tables = [self.mover.table(*copy) for copy in moves.copies]
        calls = [self.mover.call(e.name, e.pieces, e.targets) for e in moves.reductions]
        if any(table is None for table in (*tables, *calls)):
            return
        for call in calls:
            if call is not None:
                yield self.mover.launch(*call)
        copied = [table for table in tables if table is not None and len(table)]
        if copied:
            self.bytes += sum(array.nbytes for array in copied)
            yield self.mover.copying(copied)

    def repeat(self, processes: Sequence[GridPosition]) -> bool:
        """Moves what was moved when processes stood so before; says whether they ever did."""
        launches = self.known.get(key_of(processes)) if self.known else ()
        if not launches:
            return False
        for launch in launches:
            launch.run()
        for process in processes:
            process.pass_on()
        return True


def key_of(processes: Sequence[GridPosition]) -> Hashable | None:
    """Where all processes of a grid stand, in its order; None if these are not all, or one runs."""
    grid = processes[0].grid
    if grid is None or len(processes) != grid.size:
        return None
    keys: list[Any] = [None] * grid.size
    for process in processes:
        if process.grid != grid:
            return None
        keys[process.position] = process.key()
    return None if None in keys else (grid, *keys)
