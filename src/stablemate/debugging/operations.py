"""Finds the entry of a program, its operations, and its arguments without a calling convention."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.api.module import HloModule, Module
from stablemate.dialects.func import FuncOp
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.formats.jax_export.calling import ExportedExecutable, leaves_of
from stablemate.ir import core
from stablemate.ir.core import Block, Operation
from stablemate.transforms.excerpt import is_terminator
from stablemate.transforms.outlining import is_constant


def without_convention(
    module: Module, arguments: Sequence[object]
) -> tuple[Module, Sequence[object]]:
    """A program without a calling convention around it, and the arguments that it takes then.

    Raises:
        ArgumentError: An argument does not fit.
    """
    if isinstance(module, HloModule):
        module = Module(module.translated(), module.format)
    if not arguments:
        return Module(module.ir), ()
    executable = module.executable(backend="interpreter")
    if isinstance(executable, ExportedExecutable):
        arguments = leaves_of(executable.exported, arguments, {})
    values: Sequence[object] = executable.signature.take(arguments)
    while isinstance(executable, AdaptedExecutable):
        values, executable = executable.program_arguments(values), executable.program
    return Module(module.ir), values


def main_of(ir: core.Module) -> FuncOp | None:
    """The function ``main``, or the only one."""
    functions = [operation for operation in ir.body.operations if isinstance(operation, FuncOp)]
    named = [function for function in functions if function.symbol == "main"]
    return next(iter(named or functions), None) if len(named or functions) == 1 else None


def body_operations(block: Block) -> list[Operation]:
    """Returns the operations of a block without constants and the terminator."""
    return [
        operation
        for operation in block.operations
        if not (is_constant(operation) or is_terminator(operation))
    ]


def count(ir: core.Module) -> int:
    """Counts the operations of a program without constants, terminators, functions and modules."""
    return sum(
        not (is_constant(operation) or is_terminator(operation) or isinstance(operation, FuncOp))
        for operation in ir.operation.walk()
        if operation is not ir.operation
    )
