"""``sm.cost``: what a program takes before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate import analysis
from stablemate.analysis.grids import expected_grid_in_shardy_form
from stablemate.api.executables import interpreted_of
from stablemate.api.hlo import HloProgram
from stablemate.api.program import Function, Program
from stablemate.api.runnable import Runnable
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.formats.jax_export.dimensions import SymbolicDimension
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.grid import Grid


@without_garbage_collection()
def cost(
    module: Runnable, *, entry: str | None = None, grid: tuple[int, int] | None = None,
    network: str | analysis.Network | None = None,
    machine: str | analysis.ProcessorPeaks | None = None,
    plan: bool = True, sizes: str | Mapping[str, int] | None = None,
) -> analysis.ProgramCost:  # fmt: skip
    """Predicts the cost of a call: arithmetic, memory; on a network, messages and time.

    Nothing is run. What is counted is what each process of the grid takes; a program of global
    tensors that carries shardings is partitioned, as for ``run_grid``. Loops are counted as often
    as the program says that they run, those that it does not say of once; ``open`` says which.

    Args:
        module: The program.
        entry: The function; by default ``main``, or the only one.
        grid: Replicas and partitions; by default those that the program is made for.
        network: How long messages take, such as ``"5us:2GB/s"``; with levels, such as
            ``"8@1us:100GB/s,5us:10GB/s"``: the sizes are numbers of processes, the innermost first.
        machine: What each process computes and moves, such as ``"300TFLOP/s:2TB/s"``; with a
            network, by default what was measured on this one, with all threads.
        plan: Whether the memory of the compiled program is found too.
        sizes: Values of unknown sizes of the arguments, such as ``{"N": 128}`` or ``"N=128,M=4"``.
            Without all of them the cost is given by ``formulas``, which name them.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: It is to be partitioned, and an operation cannot be divided.
        ArgumentValueError: There is no such function, a network or machine is none, or the grid
            does not fit the program or the network.
    """
    if not hasattr(module, "verify"):
        kind = type(module).__name__
        raise ArgumentTypeError(
            f"the cost is that of a program that sm.load returns, not of {kind}"
        )
    if entry is not None and isinstance(module, HloProgram):
        module, entry = module.with_entry(entry), None
    module.verify()
    shardy = module.in_shardy
    whole_grid = default_grid(shardy) if grid is None else check_grid(Grid(*grid))
    program, function = of_process(shardy, entry, whole_grid)
    known = analysis.parse_sizes(sizes) if isinstance(sizes, str) else dict(sizes or {})
    program, function, unknown = with_sizes(program, function, known)

    def peak() -> analysis.Peak | Diagnostic:
        if not plan:
            return Diagnostic("plan=False was given")
        interpreted = interpreted_of(program, function, DEFAULT_LIMITS, native=True)
        return analysis.compiled_peak(interpreted)

    return analysis.program_cost(
        program.ir,
        function.operation.symbol,
        peak,
        grid=whole_grid,
        network=analysis.network_of(network),
        machine=analysis.machine_of(machine, needed=network is not None),
        sizes=unknown,
        formulas=None if unknown is None else analysis.cost_formulas(program.ir, unknown, known),
    )


def with_sizes(
    program: Program, function: Function, known: Mapping[str, int]
) -> tuple[Program, Function, analysis.SymbolicSizes | None]:
    """The program for these sizes of arguments; if one is missing, the program and all sizes.

    Raises:
        ArgumentValueError: There is no such size, or the arguments cannot have it.
        VerifyError: With these sizes an operation breaks a rule.
    """
    sizes = analysis.symbolic_sizes(program.ir, function.operation, exported_sizes(function))
    names = () if sizes is None else sizes.names
    unknown = [name for name in known if name not in names]
    if unknown:
        rest = f"they are {', '.join(names)}" if names else "there are no unknown sizes"
        raise ArgumentValueError(f"no size of an argument is called {unknown[0]}: {rest}")
    if sizes is None or len(known) < len(names):
        return program, function, sizes
    special = Program(analysis.specialize_program(program.ir, sizes, known), program.format)
    return special, special.entry(function.operation.symbol), None


def exported_sizes(function: Function) -> Sequence[Sequence[SymbolicDimension] | None]:
    """The dimensions of each argument that ``jax.export`` declares; none of other programs."""
    exported = function.exported
    if exported is None:
        return ()
    others = int(len(exported.platforms) > 1) + len(exported.ordered_effects)
    kept = [exported.in_values[index].shape for index in exported.kept]
    return [*[None] * others, *kept]


def default_grid(module: Program) -> Grid:
    """The grid that a program in Shardy's form states, or else what its meshes and groups need."""
    if module.grid.size > 1:
        return module.grid
    expected = expected_grid_in_shardy_form(module.ir)
    return module.grid if expected is None else expected.grid


def of_process(module: Program, entry: str | None, grid: Grid) -> tuple[Program, Function]:
    """The program that each process of a grid runs: one of global tensors is partitioned.

    Raises:
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    function = module.entry(entry)
    if grid.num_partitions == 1:
        return module, function
    from stablemate.api.sharded_calls import is_global, of_global_program  # few are partitioned

    if not is_global(module.ir, function.operation, grid):
        return module, function
    partitioned, _ = of_global_program(module, entry, grid)
    program = Program(partitioned.module, module.format)
    return program, program.entry()


def check_grid(grid: Grid) -> Grid:
    """A grid, unless it has no process.

    Raises:
        ArgumentValueError: It has none.
    """
    if min(grid.num_replicas, grid.num_partitions) < 1:
        text = f"{grid.num_replicas}x{grid.num_partitions}"
        raise ArgumentValueError(f"a grid of {text} has no process")
    return grid
