"""Programs as functions of arrays: run, run_grid."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, cast

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.api.sharing import Sharing, Ways, is_for_pieces, is_global, of_global, of_pieces
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.executable import BACKENDS, ORDERS, run_programs
from stablemate.execution.streams import Streams
from stablemate.formats.recognition import Readable
from stablemate.ir.grid import Grid


def run(source: Readable | Module, *arguments: Any, **options: Any) -> Any:
    """Runs a program: ``load`` if it is none yet, then ``Module.run``."""
    module = module_of(source)
    return module.run(*arguments, **options)


def run_grid(
    source: Readable | Module | Sequence[Readable | Module], arguments: Any = (),
    replicas: int | None = None, partitions: int | None = None, *, entry: str | None = None,
    backend: str = DEFAULT_BACKEND,
    max_iterations: int | None = None, streams: Streams | None = None,
    probe_dir: str | os.PathLike[str] | None = None, seed: int = 0, carrier: str = BACKENDS[0],
    gather: bool = False, partition: bool | None = None, whole: bool = False,
    reduce_order: str = ORDERS[0],
) -> list[Any]:  # fmt: skip
    """Runs a function as all processes of a grid.

    By default they run in this process, in one thread and always in the same order. With
    ``carrier="mpi"`` this process is a rank of an MPI job (``mpiexec -n 8 python ...``) that runs
    one of them, number replica_id * num_partitions + partition_id. The results are the same.

    A program of global tensors, such as JAX exports with ``shard_map``, takes them whole in every
    process, and gives whole results: ``sdy.manual_computation`` cuts out the pieces of a process.

    A program of global tensors that carries shardings and no operation of devices is partitioned,
    if there are as many partitions as its mesh has devices: each process computes on its pieces.
    Whole arguments are cut; arguments that are pieces already are taken as they are. The same goes
    for programs of one device that say how their arguments are divided (``mhlo.sharding``), as XLA
    dumps them behind its partitioner.

    Args:
        source: The program. A list has one for each process, replica-major, or for each partition
            of every replica; processes of different programs meet at equal operations.
        arguments: A tuple holds the arguments of every process. Anything else, such as a list, has
            an entry for each process, replica-major: a tuple of arguments, or its one argument.
        replicas: Number of replicas; by default ``mhlo.num_replicas`` of the module, or 1.
        partitions: Number of partitions; by default ``mhlo.num_partitions``, or 1.
        entry: The function; by default ``main``, or the only one.
        backend: Which executor runs it.
        max_iterations: The most iterations that any one loop may take.
        streams: What the processes read from the host and write to it.
        probe_dir: Where ``interpreter.probe`` writes, and ``check`` looks for what it wrote.
        seed: Where the numbers that ``rng`` draws come from; every process draws others.
        carrier: ``lockstep`` or ``mpi``.
        gather: Whether every rank of MPI gets the results of all.
        partition: Whether the program is partitioned; by default if it is one that can be. A
            program that is not runs as a whole in each process.
        whole: Whether the results of the partitions are put together.
        reduce_order: ``group``: what all processes of a group hold is combined in its order, with
            the same bits on every carrier. ``any``: ranks of MPI let the engine combine integers
            and floats by a plain sum, product, ... in all_reduce and reduce_scatter as it likes;
            the results may differ from those of another run, number of ranks or carrier.

    Returns:
        The results of each process, replica-major: one as an array, several as a tuple. A rank of
        MPI has None in the places of others, unless results are gathered. With ``whole`` the whole
        results of each replica.

    Raises:
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit, or there are entries for other processes.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
        DeadlockError: Processes wait for one another, or for one that has ended.
        EvaluationError: The values break a rule of the specification; it names the process.
    """
    if isinstance(source, list | tuple):
        if partition or whole:
            raise ArgumentValueError("several programs say together nothing of shardings")
        modules = [module_of(each) for each in cast("Sequence[Readable | Module]", source)]
        grid = grid_of_programs(len(modules), replicas, partitions)
        made = [
            module.executable(entry, backend=backend, max_iterations=max_iterations)
            for module in modules
        ]
        return run_programs(
            made if len(made) == grid.size else made * grid.num_replicas, arguments, grid,
            streams=streams, probe_dir=probe_dir, seed=seed, carrier=carrier, gather=gather,
            reduce_order=reduce_order,
        )  # fmt: skip
    module = module_of(cast("Readable | Module", source))
    stated = module.grid
    grid = Grid(
        stated.num_replicas if replicas is None else replicas,
        stated.num_partitions if partitions is None else partitions,
    )
    if min(grid.num_replicas, grid.num_partitions) < 1:
        text = f"{grid.num_replicas}x{grid.num_partitions}"
        raise ArgumentValueError(f"a grid of {text} has no process")
    runs, sharing = shared(module, entry, grid, arguments, partition)
    if whole and sharing is None:
        raise ArgumentValueError("nothing is said of how results are divided: they are whole")
    own = None if runs is not module else entry
    executable = runs.executable(own, backend=backend, max_iterations=max_iterations)
    if sharing is not None:
        taken = [argument.type for argument in executable.signature.arguments]
        arguments = sharing.pieces(arguments, grid, taken)
    given = executable.run_grid(
        arguments, grid, streams=streams, probe_dir=probe_dir, seed=seed, carrier=carrier,
        gather=gather or whole, reduce_order=reduce_order,
    )  # fmt: skip
    return sharing.whole(given, grid) if whole and sharing is not None else given


def grid_of_programs(count: int, replicas: int | None, partitions: int | None) -> Grid:
    """The grid of so many programs; by default each is a partition.

    Raises:
        ArgumentValueError: There are neither as many processes nor as many partitions.
    """
    grid = Grid(replicas or 1, partitions or max(count // (replicas or 1), 1))
    if count not in (grid.size, grid.num_partitions):
        size = f"{grid.num_replicas}x{grid.num_partitions}"
        text = f"{count} programs for a grid {size}: one for each process, or for each partition"
        raise ArgumentValueError(text)
    return grid


def shared(
    module: Module, entry: str | None, grid: Grid, arguments: Any, partition: bool | None
) -> tuple[Module, Sharing | None]:
    """The program that runs on a grid, and how it shares whole arrays; None if it does not.

    Raises:
        ArgumentValueError: The program is to be partitioned, and says nothing of shardings.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    known, key = module.shared_by, (module.version, entry, grid)
    if key not in known:
        function = module.entry(entry).operation
        known[key] = Ways(
            of_pieces(module, function, grid), is_global(module.ir, function, grid), function
        )
    ways = known[key]
    if partition is None:
        types = ways.function.type.inputs
        of_devices = ways.pieces is not None and is_for_pieces(ways.pieces, arguments, types)
        partition = ways.is_global and not of_devices
    if not partition:
        return module, ways.pieces
    if ways.partitioned is None:
        found, sharing = of_global(module, entry, grid)
        ways.partitioned = Module(found.module, module.format), sharing
    return ways.partitioned
