"""Runs programs: once, or as all processes of a grid."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import index
from typing import Any, Final, cast

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.api.sharded_calls import (
    ShardingChoices,
    Sharing,
    is_for_local_arrays,
    is_global,
    of_global_program,
    of_local_program,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.executable import BACKENDS, ORDERS, run_programs
from stablemate.execution.streams import Streams
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import Order
from stablemate.ir.grid import Grid


def run(source: Readable | Module, *arguments: Any, **options: Any) -> Any:
    """Runs a program: ``load`` if it is none yet, then ``Module.run``."""
    module = module_of(source)
    return module.run(*arguments, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridOptions:
    """How a function runs on a grid; see ``run_grid``.

    Attributes:
        entry: The function; by default ``main``, or the only one.
        backend: The executor of the function.
        max_iterations: The maximum number of iterations of any one loop.
        streams: What the processes read from the host and write to it.
        probe_dir: Where ``interpreter.probe`` writes, and ``check`` reads what it wrote.
        seed: The seed of the numbers that ``rng`` draws; every process draws others.
        carrier: ``lockstep`` or ``mpi``.
        gather: Whether every MPI rank gets the results of all ranks.
        partition: Whether the program is partitioned; by default if it can be. A program that is
            not partitioned runs as a whole in each process.
        whole: Whether the results of the partitions are assembled. A program that declares no
            grid runs on the devices of its mesh then.
        reduce_order: ``group``: the operands of a group are combined in its order, with the same
            bits on every carrier. ``any``: MPI combines integers and floats in all_reduce and
            reduce_scatter in any order where the reduction is a plain sum, ...; the results
            may differ from those of another run, number of ranks or carrier.
        ranks: The MPI rank that runs each process, replica-major; by default every rank runs
            an equal number of consecutive processes. Only the ranks that are named may call.
        order: In which order the interpreter sums and folds, as for ``compile``.
    """

    entry: str | None = None
    backend: str = DEFAULT_BACKEND
    max_iterations: int | None = None
    streams: Streams | None = None
    probe_dir: str | os.PathLike[str] | None = None
    seed: int = 0
    carrier: str = BACKENDS[0]
    gather: bool = False
    partition: bool | None = None
    whole: bool = False
    reduce_order: str = ORDERS[0]
    ranks: Sequence[int] | None = None
    order: Order = "reference"


OPTIONS: Final = GridOptions()


def run_grid(
    source: Readable | Module | Sequence[Readable | Module], arguments: object = (),
    replicas: int | None = None, partitions: int | None = None, *,
    options: GridOptions = OPTIONS, **changed: object,
) -> list[Any]:  # fmt: skip
    """Runs a function as all processes of a grid.

    By default they run in this process, in one thread and always in the same order. With
    ``carrier="mpi"`` this process is a rank of an MPI job (``mpiexec -n 8 python ...``). If there
    are as many ranks as processes, it runs number replica_id * num_partitions + partition_id; if
    there are fewer, equally many consecutive ones. The results are the same.

    A program of global tensors, such as JAX exports with ``shard_map``, takes them whole in every
    process, and returns whole results: ``sdy.manual_computation`` slices the shard of a process.

    A program of global tensors that has shardings and no operation of devices is partitioned, if
    there are as many partitions as its mesh has devices: each process computes on its shards.
    Whole arguments are split; arguments that are shards already are taken as they are. The same
    holds for programs of one device that specify how their arguments are divided
    (``mhlo.sharding``), as XLA dumps them after its partitioner.

    Args:
        source: The program. A list has one for each process, replica-major, or for each partition
            of every replica; processes of different programs meet at equal operations.
        arguments: A tuple holds the arguments of every process. Anything else, such as a list, has
            an entry for each process, replica-major: a tuple of arguments, or its one argument.
        replicas: Number of replicas; by default ``mhlo.num_replicas`` of the module, or 1.
        partitions: Number of partitions; by default ``mhlo.num_partitions``, or 1.
        options: How the function runs.
        changed: Fields of ``GridOptions`` as keywords, such as ``carrier="mpi"``.

    Returns:
        The results of each process, replica-major: one as an array, several as a tuple. An MPI rank
        has None in the places of others, unless results are gathered. With ``whole`` the whole
        results of each replica.

    Raises:
        TypeError: There is no such option.
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit, or there are entries for other processes.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
        DeadlockError: Processes wait for one another, or for one that has ended.
        EvaluationError: The values break a rule of the specification; it names the process.
    """
    chosen = with_changes(options, changed)
    if isinstance(source, list | tuple):
        return run_several(
            cast("Sequence[Readable | Module]", source), arguments, replicas, partitions, chosen
        )
    module = module_of(cast("Readable | Module", source))
    grid = grid_of(module, replicas, partitions, global_arrays=chosen.whole)
    return run_module(module, arguments, grid, chosen)


def with_changes(options: GridOptions, changed: Mapping[str, Any]) -> GridOptions:
    """The options with some fields changed.

    Raises:
        TypeError: There is no such field.
    """
    for name in changed:
        if name not in GridOptions.__slots__:
            listed = ", ".join(GridOptions.__slots__)
            raise TypeError(f"run_grid has no option {name!r}; there are {listed}")
    return replace(options, **changed)


def run_several(
    sources: Sequence[Readable | Module], arguments: object, replicas: int | None,
    partitions: int | None, options: GridOptions,
) -> list[Any]:  # fmt: skip
    """Runs a program for each process, or for each partition of every replica."""
    if options.partition or options.whole:
        raise ArgumentValueError("several programs together have no shardings")
    modules = [module_of(source) for source in sources]
    grid = grid_of_programs(len(modules), replicas, partitions)
    executables = [
        module.executable(
            options.entry,
            backend=options.backend,
            max_iterations=options.max_iterations,
            order=options.order,
        )
        for module in modules
    ]
    if len(executables) != grid.size:
        executables *= grid.num_replicas
    return run_programs(executables, arguments, grid, **backend_options(options))


def run_module(module: Module, arguments: object, grid: Grid, options: GridOptions) -> list[Any]:
    """Runs one program as all processes of a grid."""
    runs, sharing = sharded_program(module, options.entry, grid, arguments, options.partition)
    if options.whole and sharing is None:
        raise ArgumentValueError("the results have no shardings: they cannot be assembled")
    entry = None if runs is not module else options.entry
    executable = runs.executable(
        entry, backend=options.backend, max_iterations=options.max_iterations, order=options.order
    )
    if sharing is not None:
        types = [argument.type for argument in executable.signature.arguments]
        arguments = sharing.local_arguments(arguments, grid, types)
    results = executable.run_grid(arguments, grid, **backend_options(options))
    return (
        sharing.global_results(results, grid) if options.whole and sharing is not None else results
    )


def backend_options(options: GridOptions) -> dict[str, Any]:
    """The options that the process backend needs."""
    return {
        "streams": options.streams,
        "probe_dir": options.probe_dir,
        "seed": options.seed,
        "carrier": options.carrier,
        "gather": options.gather or options.whole,
        "reduce_order": options.reduce_order,
        "ranks": options.ranks,
    }


def grid_of(
    module: Module, replicas: int | None, partitions: int | None, *, global_arrays: bool = False
) -> Grid:
    """The grid of a program, by default the one that it declares.

    Args:
        module: The program.
        replicas: Number of replicas; None for the declared one.
        partitions: Number of partitions; None for the declared one.
        global_arrays: A program that declares no grid has as many partitions as its mesh devices.

    Raises:
        TypeError: A number is no integer.
        ArgumentValueError: The grid has no process.
    """
    for name, number in (("replicas", replicas), ("partitions", partitions)):
        try:
            index(number or 0)
        except (TypeError, ValueError):
            raise TypeError(
                f"{name} is a number, but {type(number).__name__} was given; "
                "several arguments of a program are one tuple: run_grid(program, (x, y))"
            ) from None
    declared = module.grid
    if global_arrays and replicas is None and partitions is None and declared.size == 1:
        from stablemate.analysis.grids import expected_grid  # here, because few ask for it

        expected = expected_grid(module.ir)
        declared = declared if expected is None else expected.grid
    grid = Grid(
        declared.num_replicas if replicas is None else replicas,
        declared.num_partitions if partitions is None else partitions,
    )
    if min(grid.num_replicas, grid.num_partitions) < 1:
        text = f"{grid.num_replicas}x{grid.num_partitions}"
        raise ArgumentValueError(f"a grid of {text} has no process")
    return grid


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


def sharded_program(
    module: Module, entry: str | None, grid: Grid, arguments: object, partition: bool | None
) -> tuple[Module, Sharing | None]:
    """The program that runs on a grid, and how it shares whole arrays; None if it does not.

    Raises:
        ArgumentValueError: The program is to be partitioned, but has no shardings.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    choices_of, key = module.shared_by, (module.version, entry, grid)
    if key not in choices_of:
        program = module.in_shardy
        function = program.entry(entry).operation
        # What Shardy's form has no place for is read from the program as it was written.
        local = of_local_program(program, function, grid) or of_local_program(
            module, module.entry(entry).operation, grid
        )
        is_divided = is_global(program.ir, function, grid)
        choices_of[key] = ShardingChoices(local, is_divided, function)
    choices = choices_of[key]
    if partition is None:
        types = choices.function.type.inputs
        of_devices = choices.local is not None and is_for_local_arrays(
            choices.local, arguments, types
        )
        partition = choices.is_global and not of_devices
    if not partition:
        return module, choices.local
    if choices.partitioned is None:
        result, sharing = of_global_program(module, entry, grid)
        choices.partitioned = Module(result.module, module.format), sharing
    return choices.partitioned
