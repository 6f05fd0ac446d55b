"""The collective operations of a program: what they move, and between whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.analysis.contents import line_of
from stablemate.analysis.cost import bytes_of
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.planning.algorithms import BLOCKS, DIRECT
from stablemate.analysis.planning.choice import AlgorithmCost, estimates
from stablemate.analysis.planning.machine import ProcessorPeaks
from stablemate.analysis.planning.network import Network
from stablemate.analysis.planning.visits import ExecutionCount
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError, EvaluationError
from stablemate.dialects.stablehlo.collectives import Collective, ReducingCollective
from stablemate.dialects.stablehlo.recv import Recv
from stablemate.execution.collectives.channels import axis_of
from stablemate.ir.core import Operation
from stablemate.ir.exchange import algorithm_for
from stablemate.ir.grid import Grid, ProcessGroup
from stablemate.ir.types import TensorType

ADVICE: Final = "the grid is given with --grid=RxP, grid= in Python"
PERMUTE: Final = "collective_permute"
# By operation: which formulas it has, and whether they speak of its operands or of its results.
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "stablehlo.all_gather": ("all_gather", "results"),
    "stablehlo.all_reduce": ("all_reduce", "operands"),
    "stablehlo.all_to_all": ("all_to_all", "operands"),
    "stablehlo.collective_broadcast": ("collective_broadcast", "results"),
    "stablehlo.collective_permute": (PERMUTE, "operands"),
    "stablehlo.collective_reduce": ("collective_reduce", "results"),
    "stablehlo.cross-replica-sum": ("all_reduce", "operands"),
    "stablehlo.recv": (PERMUTE, "results"),
    "stablehlo.reduce_scatter": ("reduce_scatter", "operands"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveCost:
    """A collective operation of a program.

    Attributes:
        operation: Its name.
        line: Where it stands in the text it was read from.
        bytes: The size that the formulas of its kind speak of: that of the operands of a process,
            of an all_gather that of the results.
        groups: How many groups of so many processes there are, the largest first.
        executions: The executions in one call.
        open: The number of enclosing loops whose trip count is unknown.
        overlapped: Whether something else may run meanwhile.
        carried: The algorithm that stablemate's own carrier of MPI takes.
        estimates: What each algorithm takes for the group that takes longest, the fastest first;
            none without a network.
        file: Where the producer has it, ``f.py:3:4``, if it was read from no text.
    """

    operation: str
    line: int | None
    bytes: int
    groups: Mapping[int, int]
    executions: int
    open: int = 0
    overlapped: bool = False
    carried: str = DIRECT
    estimates: Sequence[AlgorithmCost] = ()
    file: str = ""

    @property
    def best(self) -> AlgorithmCost | None:
        """The fastest algorithm; None without a network."""
        return self.estimates[0] if self.estimates else None

    @property
    def seconds(self) -> float:
        """The time of all executions."""
        return self.executions * self.estimates[0].seconds if self.estimates else 0.0


@dataclass(frozen=True, slots=True)
class ExecutionEnvironment:
    """The environment in which a program runs.

    Attributes:
        grid: Its processes.
        network: The network between them; None to leave out communication times.
        machine: The speed of each of them; None to leave out computation times.
    """

    grid: Grid
    network: Network | None = None
    machine: ProcessorPeaks | None = None

    def collective(self, operation: Operation, executions: ExecutionCount) -> CollectiveCost:
        """The cost of a collective operation.

        Raises:
            ArgumentValueError: Its groups are not made for the grid.
        """
        kind, which = KINDS[operation.name]
        size = sum(bytes_of(value.type) for value in getattr(operation, which))
        groups = [[self.grid.flattened_id(x) for x in group] for group in self.groups(operation)]
        parent = operation.parent_operation()
        sizes = Counter(map(len, groups))
        line = line_of(operation)
        return CollectiveCost(
            operation=operation.name,
            line=line,
            file="" if line is not None else producer_place(operation),
            bytes=size,
            groups=dict(sorted(sizes.items(), reverse=True)),
            executions=executions.number,
            open=executions.open,
            overlapped=parent is not None and parent.name == "stablehlo.async_start",
            carried=mpi_algorithm(operation, max(sizes, default=1)),
            estimates=self.slowest(kind, size, groups),
        )

    def groups(self, operation: Operation) -> Sequence[ProcessGroup]:
        """The groups of processes that an operation divides the grid into."""
        try:
            if isinstance(operation, Recv):
                return self.pairs(operation)
            assert isinstance(operation, Collective)
            return operation.process_groups(self.grid)
        except EvaluationError as error:
            size = f"{self.grid.num_replicas}x{self.grid.num_partitions}"
            first = error.diagnostics[0]
            note = Diagnostic(f"the grid is {size}; {ADVICE}")
            values = {name: abbreviate_groups(value) for name, value in first.values.items()}
            diagnostic = Diagnostic(first.message, first.rule, first.span, values, (note,))
            raise ArgumentValueError(diagnostic) from None

    def pairs(self, operation: Recv) -> Sequence[ProcessGroup]:
        """The pairs of processes of a transfer; none if it is with the host, or has no pairs."""
        replicas, partitions = range(self.grid.num_replicas), range(self.grid.num_partitions)
        pairs = operation.source_target_pairs
        if axis_of(operation.channel_handle.handle, self.grid) == 0:
            return [tuple((replica, p) for replica in pair) for pair in pairs for p in partitions]
        return [tuple((r, partition) for partition in pair) for pair in pairs for r in replicas]

    def slowest(
        self, kind: str, size: int, groups: Sequence[Sequence[int]]
    ) -> Sequence[AlgorithmCost]:
        """The time of each algorithm for the slowest group."""
        if self.network is None or self.machine is None:
            return ()
        reduction_rate = self.machine.fold_bytes_per_second
        shapes = {self.network.shape(group) for group in groups if len(set(group)) > 1}
        by_shape = [estimates(kind, shape, size, self.network, reduction_rate) for shape in shapes]
        return max(by_shape, key=lambda candidates: candidates[0].seconds, default=())


def mpi_algorithm(operation: Operation, members: int) -> str:
    """The algorithm that stablemate's own carrier of MPI takes in a group of so many."""
    if not isinstance(operation, ReducingCollective) or operation.routing_operand is not None:
        return DIRECT
    types = [operand.type for operand in operation.operands]
    if not all(isinstance(value_type, TensorType) and value_type.is_static for value_type in types):
        return DIRECT
    exchange = operation.exchange([value_type.shape for value_type in types], members)
    sizes = [value_type.bytes // max(value_type.size, 1) for value_type in types]
    return BLOCKS if algorithm_for(exchange, sizes) == "blocks" else DIRECT


def abbreviate_groups(value: object) -> object:
    """A value for a message; many groups are cut short."""
    text = str(value)
    return value if len(text) <= 80 else f"{text[:77]}..."
