"""The placement of a grid: which rank of an MPI job runs which process."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.ir.grid import Grid, ProcessId


@dataclass(frozen=True, slots=True)
class RankPlacement:
    """Which rank runs which process.

    Attributes:
        grid: The processes.
        ranks: The rank of each process, replica-major.
    """

    grid: Grid
    ranks: tuple[int, ...]

    @staticmethod
    def in_blocks(grid: Grid, size: int) -> RankPlacement:
        """Consecutive processes on the same rank, as equally as possible.

        Raises:
            ArgumentValueError: There are fewer processes than ranks.
        """
        if grid.size < size:
            text = f"{grid.num_replicas}x{grid.num_partitions}"
            message = f"a grid {text} has {grid.size} processes, but there are {size} ranks"
            raise ArgumentValueError(message)
        return RankPlacement(grid, tuple(number * size // grid.size for number in range(grid.size)))

    @property
    def is_identity(self) -> bool:
        """Whether rank number n runs process number n, and nothing else."""
        return self.ranks == tuple(range(self.grid.size))

    def rank(self, process: ProcessId) -> int:
        """The rank that runs a process."""
        return self.ranks[self.grid.flattened_id(process)]

    def numbers(self, rank: int) -> Sequence[int]:
        """The processes of a rank, by ``replica_id * num_partitions + partition_id``."""
        return [number for number, owner in enumerate(self.ranks) if owner == rank]

    def processes(self, rank: int) -> Sequence[ProcessId]:
        """The processes of a rank, replica-major."""
        return [self.grid.process(number) for number in self.numbers(rank)]
