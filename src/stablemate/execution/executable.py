"""Executables: programs that can be called, interpreted or compiled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Final

from stablemate import execution
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArgumentValueError,
    UnsupportedError,
)
from stablemate.execution.collectives.data_movement import PLAIN, Mover
from stablemate.execution.process import in_process
from stablemate.execution.signature import (
    Signature,
    flatten_values,
    given_text,
    is_tuple,
    owned_copy,
    returned_values,
    root_of,
)
from stablemate.execution.streams import Streams
from stablemate.ir.core import Operation, Value
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import Process

if TYPE_CHECKING:
    from stablemate.execution.collectives.rendezvous import Partners
    from stablemate.execution.host import Host

BACKENDS: Final = ("lockstep", "mpi")
ORDERS: Final = ("group", "any")  # in which order what all members of a group hold is combined


class Executable(ABC):
    """A function of a module, ready to be called with arrays.

    Attributes:
        signature: What it takes and gives.
        grid: The processes that the module says it is made for.
        fallback: Why this is the interpreter where native code was asked for; None if it was not,
            or if this is native code.
        partners: Who needs whom at the operations of processes of a grid, as far as known.
        accepts_keywords: Whether it is called as a Python function, whose arguments have names.
    """

    accepts_keywords: ClassVar[bool] = False

    def __init__(self, signature: Signature, grid: Grid | None = None) -> None:
        self.signature = signature
        self.grid = grid or Grid()
        self.fallback: Diagnostic | None = None
        self.partners: dict[Grid, dict[Operation, Partners]] = {}

    def __call__(
        self,
        *arguments: object,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Any:
        """Runs the function as a single process.

        Args:
            *arguments: One array per argument of the signature, of its element type and shape.
            streams: What it reads from the host and writes to it.
            probe_dir: Where ``interpreter.probe`` writes.
            seed: Where the numbers that ``rng`` draws come from.

        Returns:
            One result as an array, several as a tuple; the caller may change them.

        Raises:
            ArgumentTypeError: An argument is missing or of another element type.
            ArgumentValueError: An argument is of another shape.
            EvaluationError: The values break a rule of the specification.
            LimitError: The program exceeds a limit.
        """
        values = self.signature.take(arguments)
        return returned_values(self.run(values, streams, probe_dir, seed), values)

    def call_flat(self, *arguments: Any, **options: Any) -> Any:
        """Runs the function with one array per argument of the signature, as ``__call__`` does.

        An executable that takes and returns trees of arrays takes and returns their leaves here.
        """
        return self(*arguments, **options)

    def run_grid(
        self,
        arguments: object,
        grid: Grid,
        *,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
        carrier: str = BACKENDS[0],
        gather: bool = False,
        reduce_order: str = ORDERS[0],
        ranks: Sequence[int] | None = None,
    ) -> list[Any]:
        """Runs the function as all processes of a grid; see ``sm.run_grid``."""
        return run_programs(
            [self], arguments, grid, streams=streams, probe_dir=probe_dir, seed=seed,
            carrier=carrier, gather=gather, reduce_order=reduce_order, ranks=ranks,
        )  # fmt: skip

    def run(
        self,
        values: Sequence[object],
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
    ) -> Sequence[Any]:
        """The results for arguments that fit the signature."""
        from stablemate.execution.backends import single_process as alone
        from stablemate.execution.host import host_of  # native code without requests has no host

        host = host_of([self], Grid(), streams, probe_dir, seed)
        return alone.run(self.start(self.signature.name, values), host, self.grid)

    @property
    def mover(self) -> Mover:
        """Moves the elements of collective operations."""
        return PLAIN

    @abstractmethod
    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs a function of the module."""

    @abstractmethod
    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation, which uses no value from outside.

        Args:
            operation: The operation.
            values: The arguments of the body.
            targets: Memory that results may be in; None where there is none.
        """

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler, as text.

        Raises:
            UnsupportedError: The program is not compiled.
        """
        raise UnsupportedError("only a compiled program has stages; see its fallback")

    def name_of(self, value: Value) -> str:
        """The name of a value in the printed program."""
        return "%"


def run_programs(
    programs: Sequence[Executable], arguments: object, grid: Grid, *,
    streams: Streams | None = None, probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    carrier: str = BACKENDS[0], gather: bool = False, reduce_order: str = ORDERS[0],
    ranks: Sequence[int] | None = None,
) -> list[object]:  # fmt: skip
    """Runs a program as all processes of a grid, or one for each process; see ``sm.run_grid``."""
    from stablemate.execution.backends import lockstep
    from stablemate.execution.host import host_of

    if reduce_order not in ORDERS:
        names = ", ".join(ORDERS)
        raise UnsupportedError(f"no reduce_order is called {reduce_order!r}; known: {names}")
    if carrier not in BACKENDS:
        names = ", ".join(BACKENDS)
        raise UnsupportedError(f"no carrier is called {carrier!r}; known: {names}")
    entries = process_arguments(arguments, grid)
    own_programs = list(programs) if len(programs) > 1 else [*programs] * grid.size
    if carrier == "mpi":
        host = host_of(programs, grid, streams, probe_dir, seed)
        native = reduce_order == "any"
        return run_rank(own_programs, entries, host, gather=gather, native=native, ranks=ranks)
    values: list[list[object]] = []
    for process, program, entry in zip(grid.processes, own_programs, entries, strict=True):
        values.append(checked_arguments(program, process, entry))
    host = host_of(programs, grid, streams, probe_dir, seed)
    pairs = zip(own_programs, values, strict=True)
    processes = [program.start(program.signature.name, arguments) for program, arguments in pairs]
    results = lockstep.run(processes, host, one_program=not host.programs)
    return returned_results(results, values)


def checked_arguments(
    program: Executable, process: ProcessId, entry: Sequence[object]
) -> list[object]:
    """The arguments of a process, checked.

    Raises:
        ArgumentError: One does not fit; the error names the process.
    """
    try:
        return list(program.signature.take(entry))
    except ArgumentError as error:
        raise in_process(error, process) from None


def run_rank(
    programs: Sequence[Executable], entries: Sequence[Sequence[object]], host: Host, *,
    gather: bool, native: bool, ranks: Sequence[int] | None,
) -> list[object]:  # fmt: skip
    """Runs the programs of this rank's processes of a grid."""
    group, placement = execution.placement_on_ranks(host.grid, ranks)
    numbers = placement.numbers(group.rank)
    values: list[list[object]] = []

    def start() -> list[Process]:
        for number in numbers:
            process = host.grid.process(number)
            values.append(checked_arguments(programs[number], process, entries[number]))
        pairs = zip(numbers, values, strict=True)
        return [programs[n].start(programs[n].signature.name, arguments) for n, arguments in pairs]

    results = execution.run_as_rank(start, host, group, placement, native=native)
    if gather:
        rows = [iter(row) for row in group.gather(results)]
        return returned_results([next(rows[rank]) for rank in placement.ranks], values)
    handed: list[object] = [None] * host.grid.size
    for number, result in zip(numbers, returned_results(results, values), strict=True):
        handed[number] = result
    return handed


def process_arguments(arguments: Any, grid: Grid) -> Sequence[Sequence[Any]]:
    """The arguments of each process.

    Args:
        arguments: A tuple is the arguments of every process. Anything else has an entry per
            process: a tuple of arguments, or its one argument.
        grid: The processes.

    Raises:
        ArgumentTypeError: They are neither.
        ArgumentValueError: There are entries for another number of processes.
    """
    if is_tuple(arguments):
        return [arguments] * grid.size
    if not hasattr(arguments, "__iter__"):
        kind = type(arguments).__name__
        raise ArgumentTypeError(
            "the arguments of a grid are a tuple, for every process, or an entry for each process; "
            f"{kind} is neither"
        )
    entries: list[Any] = list(arguments)
    if len(entries) != grid.size:
        size = f"{grid.num_replicas}x{grid.num_partitions}"
        message = (
            f"{grid.size} processes of a grid {size} take an entry of arguments each, "
            f"but {given_text(len(entries))}"
        )
        raise ArgumentValueError(message)
    return [entry if is_tuple(entry) else (entry,) for entry in entries]


def returned_results(results: Sequence[Sequence[Any]], arguments: Sequence[Any]) -> list[Any]:
    """The results of all processes; those that share memory with anything else are copied."""
    roots = {id(root_of(value)) for argument in arguments for value in flatten_values(argument)}
    handed: list[Any] = []
    for result in results:
        values = tuple(owned_copy(value, roots) for value in result)
        roots |= {id(root_of(value)) for value in flatten_values(values)}
        handed.append(values[0] if len(values) == 1 else values)
    return handed
