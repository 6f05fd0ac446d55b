"""Predicts the cost of a program: operations, memory, messages, time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from stablemate.analysis.contents import line_of
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.planning.buffers import Peak
from stablemate.analysis.planning.collectives import KINDS, ExecutionEnvironment
from stablemate.analysis.planning.figures import CallCost, OperationCost
from stablemate.analysis.planning.liveness import ModuleLiveness
from stablemate.analysis.planning.machine import ProcessorPeaks
from stablemate.analysis.planning.network import Network
from stablemate.analysis.planning.symbolic_cost import CostFormulas, SymbolicSizes
from stablemate.analysis.planning.tables import tables_of
from stablemate.analysis.planning.timeline import Timeline
from stablemate.analysis.planning.visits import ExecutionCount, Visiting
from stablemate.analysis.tables import html_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.sdy.computations import ManualComputation
from stablemate.dialects.stablehlo.recv import Recv
from stablemate.ir.core import Module, Operation
from stablemate.ir.grid import Grid


class ProgramCost(CallCost):
    """The cost of a call of a program, on each process of its grid; it prints itself as tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Renders the tables as HTML for notebooks."""
        return html_of(tables_of(self))


def program_cost(
    module: Module, entry: str, plan: Callable[[], Peak | Diagnostic], *, grid: Grid,
    network: Network | None = None, machine: ProcessorPeaks | None = None,
    sizes: SymbolicSizes | None = None, formulas: CostFormulas | None = None,
) -> ProgramCost:  # fmt: skip
    """The cost of a call of a function of a valid module.

    Args:
        module: The module.
        entry: The function.
        plan: Finds the most memory of the compiled program.
        grid: The processes; of one, the devices of manual computations are taken.
        network: What joins them.
        machine: What each of them computes in a second.
        sizes: The unknown sizes of the arguments.
        formulas: What the call takes, in these sizes.

    Raises:
        ArgumentValueError: The groups of an operation are not made for the grid, or the network
            does not join all its processes.
    """
    grid = grid if grid.size > 1 else devices(module)
    if network is not None:
        network.check(grid.size)
    visiting = Visiting(module)
    visited = visiting.visited_by(entry)
    environment = ExecutionEnvironment(grid, network, machine)
    collectives = {
        operation: environment.collective(operation, executions)
        for operation, executions in visited.items()
        if is_collective(operation)
    }
    times = None
    if machine is not None:
        times = Timeline(visiting, machine, collectives).function(entry)
    rows = operation_costs(visiting, visited, machine)
    return ProgramCost(
        entry=entry,
        grid=grid,
        network=network,
        machine=machine,
        functions={name: visiting.counting.costs[name] for name in visiting.functions},
        operations=sorted(rows, key=lambda row: (-row.seconds, -row.cost.bytes)),
        peak=ModuleLiveness(module, visiting.functions).peak(entry),
        plan=plan(),
        collectives=list(collectives.values()),
        times=times,
        sizes=sizes,
        formulas=formulas,
    )


def is_collective(operation: Operation) -> bool:
    """Whether processes exchange something at an operation."""
    if isinstance(operation, Recv):
        return not operation.is_host_transfer and bool(operation.source_target_pairs)
    return operation.name in KINDS


def operation_costs(
    visiting: Visiting, visited: Mapping[Operation, ExecutionCount], machine: ProcessorPeaks | None
) -> Iterator[OperationCost]:
    """The cost of the operations of a call, except those that only exchange values."""
    for operation, executions in visited.items():
        cost = visiting.counting.operation(operation).times(executions.number)
        local = machine is not None and not is_collective(operation)
        seconds = machine.seconds(cost.flops, cost.bytes) if machine and local else 0.0
        line = line_of(operation)
        yield OperationCost(
            operation.name,
            line,
            next((str(result.type) for result in operation.results), ""),
            executions.number,
            executions.open,
            cost,
            seconds,
            "" if line is not None else producer_place(operation),
        )


def devices(module: Module) -> Grid:
    """The devices of the manual computations of a module, each a partition; one without any."""
    meshes = (
        operation.mesh.size
        for operation in module.operation.walk()
        if isinstance(operation, ManualComputation) and operation.mesh is not None
    )
    return Grid(1, max(meshes, default=1))
