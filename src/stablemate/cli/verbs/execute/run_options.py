"""The options of ``stablemate run``, and their values for each process of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stablemate import execution
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.execution.executable import BACKENDS, ORDERS
from stablemate.interpreter.summation_order import Order
from stablemate.ir.grid import Grid, ProcessId

if TYPE_CHECKING:
    from stablemate.analysis.tolerance import Tolerance


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCommandOptions:
    """The options of ``stablemate run``; see its help."""

    file: str
    others: Sequence[str] = ()
    entry: str | None = None
    layout: str | None = None
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    expected: Sequence[str] = ()
    ulp: int = 0
    atol: float = 0.0
    rtol: float = 0.0
    random_seed: int | None = None
    backend: str | None = None
    threads: int | None = None
    check_memory: bool = False
    attention: bool | None = None
    order: Order = "reference"
    grid: tuple[int, int] | None = None
    carrier: str = BACKENDS[0]
    reduce_order: str = ORDERS[0]
    gather: bool = False
    probe_dir: str | None = None
    max_iterations: int | None = None
    limit_tensor_bytes: int | None = None
    limit_memory: int | None = None
    timed: bool = False
    trace: str | None = None
    repeat: int = 1
    print_limit: int = 1000
    output_format: str = "text"

    @property
    def seed(self) -> int:
        """The seed of the numbers that ``rng`` draws."""
        return self.random_seed or 0

    @property
    def limits(self) -> Limits:
        """The limits of the program."""
        tensor_bytes = self.limit_tensor_bytes
        return replace(
            DEFAULT_LIMITS,
            iterations=self.max_iterations,
            tensor_bytes=DEFAULT_LIMITS.tensor_bytes if tensor_bytes is None else tensor_bytes,
        )

    @property
    def whole_grid(self) -> Grid:
        """The grid; of one process if none is specified."""
        return Grid(*self.grid or (1, 1))

    @property
    def processes(self) -> Sequence[ProcessId]:
        """The processes that run here: all of the grid, or those of an MPI rank."""
        if self.grid is None or self.carrier != "mpi":
            return self.whole_grid.processes
        group, placement = execution.placement_on_ranks(self.whole_grid, None)
        return placement.processes(group.rank)

    @property
    def writers(self) -> Sequence[ProcessId]:
        """The processes whose results are shown; one per replica if they are gathered."""
        if not self.gather:
            return self.processes
        is_first = self.carrier != "mpi" or execution.ranks().rank == 0
        heads = [(replica, 0) for replica in range(self.whole_grid.num_replicas)]
        return heads if is_first else []

    def of_processes(
        self, texts: Sequence[str], processes: Sequence[ProcessId] | None = None
    ) -> Sequence[str]:
        """The option values of the processes that run here, or of some of them.

        ``{process}``, ``{replica}`` and ``{partition}`` stand for its numbers; then the texts are
        those of one process.
        """
        chosen = self.processes if processes is None else processes
        if not any(name in text for text in texts for name in PLACEHOLDERS):
            return texts if chosen else []
        return [with_numbers(text, p, self.whole_grid) for p in chosen for text in texts]

    @property
    def tolerance(self) -> Tolerance:
        """The tolerance that ``--ulp``, ``--atol`` and ``--rtol`` state."""
        from stablemate.analysis.tolerance import Tolerance  # few runs compare

        return Tolerance(ulp=self.ulp, absolute=self.atol, relative=self.rtol)


PLACEHOLDERS: Final = ("{process}", "{replica}", "{partition}")


def with_numbers(text: str, process: ProcessId, grid: Grid) -> str:
    """A text whose placeholders are replaced by the ids of a process."""
    numbers = (grid.flattened_id(process), *process)
    for name, number in zip(PLACEHOLDERS, numbers, strict=True):
        text = text.replace(name, str(number))
    return text
