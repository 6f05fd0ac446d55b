"""Replays in native code the exchanges that processes have made once.

When all processes of a grid are at one collective operation, the data movement is determined by
their positions and by the memory of its operands and results. If it was recorded for the same
positions and memory, it is repeated, and the processes continue without returning to Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final, Protocol

from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.ir.data_movement import DataMovement
from stablemate.numerics.elements import Array

# A recorded exchange saves its table in each call, and holds memory:
# ``python -m benchmarks.grids`` measures simulated grids.
MAX_EXCHANGES: Final = 1024  # recorded at the same time
MAX_BYTES: Final = 1 << 26  # of their tables and temporaries


class ReplayedLaunch(Protocol):
    """A kernel with its arguments."""

    def run(self) -> None:
        """Runs all iterations of the launch."""
        ...


class LaunchFactory(Protocol):
    """Prepares kernels that move elements."""

    def copy_table(self, to: Array, source: Array) -> Array | None:
        """The table of a kernel that copies an array; None if rows are too short."""
        ...

    def reduction_call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a reduction, its arguments and its iterations; None if there is none."""
        ...

    def copy_launch(self, copy_tables: Sequence[Array]) -> ReplayedLaunch:
        """The launch of the kernel that copies everything in some tables."""
        ...

    def launch(self, function: int, arguments: Array, iterations: int) -> ReplayedLaunch:
        """A kernel with its arguments."""
        ...


class ReplayedExchanges:
    """The recorded exchanges of a grid."""

    def __init__(self, mover: LaunchFactory) -> None:
        self.mover = mover
        self.launches_by_key: dict[
            Hashable, Sequence[ReplayedLaunch]
        ] = {}  # empty if native code cannot do it
        self.temporaries_by_key: list[Sequence[Array]] = []
        self.bytes = 0

    def record(self, processes: Sequence[GridPosition], moves: DataMovement) -> None:
        """Records the data movement at the current positions, if native code can do it."""
        if not all(process.has_fixed_memory() for process in processes):
            return
        key = key_of(processes)
        if key is None or key in self.launches_by_key:
            return
        if len(self.launches_by_key) >= MAX_EXCHANGES or self.bytes >= MAX_BYTES:
            self.launches_by_key.clear()
            self.temporaries_by_key.clear()
            self.bytes = 0
        self.launches_by_key[key] = list(self.launches(moves))
        self.temporaries_by_key.append(moves.temporaries)
        self.bytes += sum(temporary.nbytes for temporary in moves.temporaries)

    def launches(self, moves: DataMovement) -> Iterator[ReplayedLaunch]:
        """The launches that move the data; none if native code cannot do all of it."""
        copy_tables = [self.mover.copy_table(*copy) for copy in moves.copies]
        reduction_calls = [
            self.mover.reduction_call(e.name, e.pieces, e.targets) for e in moves.reductions
        ]
        if any(table is None for table in (*copy_tables, *reduction_calls)):
            return
        for reduction in reduction_calls:
            if reduction is not None:
                yield self.mover.launch(*reduction)
        copies = [table for table in copy_tables if table is not None and len(table)]
        if copies:
            self.bytes += sum(array.nbytes for array in copies)
            yield self.mover.copy_launch(copies)

    def replay(self, processes: Sequence[GridPosition]) -> bool:
        """Repeats the exchange of the current positions; returns False if none was recorded."""
        launches = self.launches_by_key.get(key_of(processes)) if self.launches_by_key else ()
        if not launches:
            return False
        for launch in launches:
            launch.run()
        for process in processes:
            process.advance()
        return True


def key_of(processes: Sequence[GridPosition]) -> Hashable | None:
    """The positions of all processes of a grid; None if one is missing or still runs."""
    grid = processes[0].grid
    if grid is None or len(processes) != grid.size:
        return None
    keys: list[object] = [None] * grid.size
    for process in processes:
        if process.grid != grid:
            return None
        keys[process.position] = process.key()
    return None if None in keys else (grid, *keys)
