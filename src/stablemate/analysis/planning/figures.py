"""The figures of a program: what a call of it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.analysis.cost import Cost
from stablemate.analysis.planning.buffers import Peak
from stablemate.analysis.planning.collectives import CollectiveCost
from stablemate.analysis.planning.machine import ProcessorPeaks
from stablemate.analysis.planning.network import Network
from stablemate.analysis.planning.symbolic_cost import CostFormulas, SymbolicSizes
from stablemate.analysis.planning.timeline import Times
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.grid import Grid


@dataclass(frozen=True, slots=True)
class OperationCost:
    """The cost of an operation, with all its executions in a call.

    Attributes:
        name: Its full name.
        line: Where it stands in the text it was read from.
        type: The type of its first result, as text.
        executions: The executions in one call.
        open: The number of enclosing loops whose trip count is unknown; each counts once.
        cost: What all its executions take.
        seconds: How long they take at least, by the roofline of the machine; 0 without a machine.
        file: Where the producer has it, ``f.py:3:4``, if it was read from no text.
    """

    name: str
    line: int | None
    type: str
    executions: int
    open: int
    cost: Cost
    seconds: float = 0.0
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCost:
    """The cost of a call of a program, on each process of its grid.

    Attributes:
        entry: The function.
        grid: The processes.
        network: What joins them; None if it was not given.
        machine: What each of them computes in a second; None if it was not asked for.
        functions: What a call of each function takes.
        operations: The operations of a call of the entry: those that move most first, or those that
            take longest if there is a machine.
        peak: The most memory, operations one by one.
        plan: The most memory of the compiled program, or why it is not known.
        collectives: The collective operations of a call, in order.
        times: How long a call takes; None without a machine.
        sizes: The unknown sizes of the arguments; None if all are known.
        formulas: What a call takes, in the unknown sizes of the arguments; None if all are known,
            or the cost is no polynomial in them.
    """

    entry: str
    grid: Grid
    network: Network | None
    machine: ProcessorPeaks | None
    functions: Mapping[str, Cost]
    operations: Sequence[OperationCost]
    peak: Peak
    plan: Peak | Diagnostic
    collectives: Sequence[CollectiveCost]
    times: Times | None
    sizes: SymbolicSizes | None = None
    formulas: CostFormulas | None = None

    @property
    def cost(self) -> Cost:
        """The cost of a call of the entry."""
        return self.functions[self.entry]
