"""The cost, memory, compile time and thunks of the modules of a dump."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from stablemate.analysis.cost import Cost
from stablemate.api.module import HloModule, Module
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dumps.buffer_assignment import (
    BufferAssignment,
    buffer_assignment_of,
    reported_bytes,
)
from stablemate.dumps.file_kinds import BUFFERS, MEMORY, THUNKS
from stablemate.dumps.modules import DumpModule
from stablemate.dumps.programs import hlo_of, program_of
from stablemate.dumps.stage_costs import KernelCost, kernel_costs_of, total_cost

THUNK: Final = re.compile(r"^\s*\d{1,9}:?\s+(k[A-Z]\w{1,60})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ModuleFigures:
    """The cost of a module.

    Attributes:
        module: The module.
        instructions: The operations of its last program; None if that could not be read.
        cost: The cost of a call; None if that is unknown.
        memory: The bytes of all its buffers, as the compiler assigned them; None without a file.
        compile_seconds: How long it took to compile; None if nothing says it.
        failure: Why its program could not be read, or has no cost; None if it has.
    """

    module: DumpModule
    instructions: int | None
    cost: Cost | None
    memory: int | None
    compile_seconds: float | None
    failure: StablemateError | None


def figures_of(module: DumpModule, with_cost: bool = True) -> ModuleFigures:
    """Measures a module: the cost of its last program, its memory, its compile time.

    Args:
        module: The module.
        with_cost: Whether its last program is read, for its size and cost.
    """
    instructions: int | None = None
    cost: Cost | None = None
    failure: StablemateError | None = None
    if with_cost and module.final is not None:
        try:
            program = program_of(module.final)
            instructions = size_of(program)
            cost = total_cost(kernel_costs_of(program))
        except StablemateError as error:
            failure = error
    memory = memory_of(module)
    return ModuleFigures(module, instructions, cost, memory, module.compile_seconds, failure)


def size_of(program: Module) -> int:
    """How many operations a program has."""
    if isinstance(program, HloModule):
        return sum(len(computation.instructions) for computation in program.tree.computations)
    return sum(1 for _ in program.ir.operation.walk()) - 1


def memory_of(module: DumpModule) -> int | None:
    """The bytes of all buffers of a module; None if no file says it, or it is damaged."""
    for file in module.files_of(MEMORY):
        try:
            size = reported_bytes(file.text())
        except StablemateError:
            continue
        if size is not None:
            return size
    try:
        assignment = assignment_of(module)
    except StablemateError:
        return None
    return None if assignment is None else assignment.bytes


def assignment_of(module: DumpModule) -> BufferAssignment | None:
    """The buffer assignment of a module; None without a file.

    Raises:
        FileError: The file cannot be read.
        ParseError: It is damaged.
    """
    for file in module.files_of(BUFFERS):
        return buffer_assignment_of(file.text(), str(file.path))
    return None


def thunks_of(module: DumpModule) -> dict[str, int]:
    """How many thunks of each kind the schedule of a module has, most frequent first.

    Raises:
        FileError: The file cannot be read.
    """
    for file in module.files_of(THUNKS):
        return dict(Counter(THUNK.findall(file.text())).most_common())
    return {}


def kernels_of(module: DumpModule) -> list[KernelCost]:
    """The kernels of the last program of a module, those that cost most first.

    Raises:
        StablemateError: The program cannot be read, is not valid or has no cost.
    """
    if module.final is None:
        return []
    program = program_of(module.final)
    return kernel_costs_of(hlo_of(module.final) if isinstance(program, HloModule) else program)
