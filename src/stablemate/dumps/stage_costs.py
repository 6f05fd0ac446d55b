"""The costs of the kernels of a program: of each fusion, and of what is in none.

A fusion reads its operands and writes its results; the values between its instructions stay in
registers. So its traffic is counted at its border, its arithmetic inside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from stablemate.analysis.cost import Cost, bytes_of, total
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.planning.visits import Visiting
from stablemate.analysis.written_names import written_name
from stablemate.api.module import HloModule, Module
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir import core
from stablemate.ir.core import Operation
from stablemate.xla import module as xla
from stablemate.xla.shape import UNBOUNDED, Shape

COPIES: Final = ("copy", "copy-start")
ENTRY: Final = "main"  # what the entry computation of HLO is translated to
FLOPS_OF_A_BYTE: Final = 10  # arithmetic in the time in which memory moves a byte, about


@dataclass(frozen=True, slots=True)
class KernelCost:
    """The cost of the executions of a kernel in a call of the program.

    Attributes:
        name: The instruction, such as ``multiply_add_fusion.2``.
        what: Its operation, in StableHLO; of a fusion, the first one.
        executions: How often it is executed; a loop of unknown length counts once.
        cost: Arithmetic and traffic of all executions.
        place: The user's source; empty where the program does not say.
        instructions: How many instructions a fusion holds; 1 of others.
    """

    name: str
    what: str
    executions: int
    cost: Cost
    place: str
    instructions: int

    @property
    def weight(self) -> float:
        """The cost in bytes moved: arithmetic and traffic overlap."""
        return max(self.cost.bytes, self.cost.flops / FLOPS_OF_A_BYTE)


def kernel_costs_of(module: Module) -> list[KernelCost]:
    """The costs of the kernels of a valid program, those that cost most first.

    Raises:
        VerifyError: The program breaks a rule.
        UnsupportedError: StableHLO has no form for an instruction.
    """
    module.verify()
    if not isinstance(module, HloModule):
        rows = [*rows_of(module.ir, module.entry().operation.symbol, frozenset())]
    else:
        fusions = {item.name for item in module.tree.computations if item.is_fusion}
        kernels = rows_of(module.translated(keep_fusions=True), ENTRY, fusions)
        rows = [replace(row, name=row.name.removeprefix("%")) for row in kernels]
        rows += copies_in(module.tree, rows)
    return sorted(rows, key=lambda row: -row.weight)


def total_cost(kernels: Sequence[KernelCost]) -> Cost:
    """The cost of all kernels."""
    return total([kernel.cost for kernel in kernels])


def rows_of(module: core.Module, entry: str, fusions: Collection[str]) -> Iterator[KernelCost]:
    """The kernels of a program.

    Args:
        module: The program in StableHLO.
        entry: The function that is called.
        fusions: The functions that are bodies of fusions.
    """
    visiting = Visiting(module)
    calls = visiting.calls_from(entry)
    for name, visits in visiting.visits.items():
        if name in fusions or name not in calls:
            continue
        for visit in visits:
            executions = visit.executions.repeat(calls[name]).number
            if visit.callee and visit.callee not in fusions:
                continue
            cost = visiting.counting.operation(visit.operation)
            computing = [visit.operation]
            if visit.callee:
                cost = replace(cost, bytes=border_bytes(visit.operation))
                _, *computing, _ = visiting.functions[visit.callee].walk()  # without its return
            yield kernel_of(visit.operation, visit.callee, executions, cost, computing)


def kernel_of(
    operation: Operation, callee: str, executions: int, cost: Cost, computing: Sequence[Operation]
) -> KernelCost:
    """The kernel of an operation, or of a call of a fusion, and the operations that it executes."""
    name = written_name(operation.results[0]) if operation.results else None
    return KernelCost(
        name or callee or operation.name,
        computing[0].name if computing else operation.name,
        executions,
        cost.times(executions),
        producer_place(operation),
        max(len(computing), 1),
    )


def border_bytes(operation: Operation) -> int:
    """The bytes of the distinct operands of an operation, and of its results."""
    operands = dict.fromkeys(operation.operands)
    return sum(bytes_of(value.type) for value in (*operands, *operation.results))


def copies_in(module: xla.HloModule, rows: Sequence[KernelCost]) -> list[KernelCost]:
    """The copies outside of fusions, which StableHLO has no operation for.

    Args:
        module: The program.
        rows: The other kernels: a copy is executed as often as those of its computation.
    """
    executions = {row.name: row.executions for row in rows}
    copies: list[KernelCost] = []
    for computation in module.computations:
        names = [instruction.name for instruction in computation.instructions]
        number = next((executions[name] for name in names if name in executions), 1)
        for instruction in () if computation.is_fusion else computation.instructions:
            if instruction.opcode in COPIES:
                cost = Cost(bytes=2 * array_bytes(instruction.shape)).times(number)
                copies.append(KernelCost(instruction.name, "copy", number, cost, "", 1))
    return copies


def array_bytes(shape: Shape) -> int:
    """The bytes of the array that a copy makes; 0 of what has no known size."""
    leaf = next((leaf for _, leaf in shape.leaves()), shape)
    if not leaf.is_array or not leaf.is_static or UNBOUNDED in leaf.dimensions:
        return 0
    return leaf.buffer_bytes
