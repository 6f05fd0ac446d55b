"""Removes operations without effects whose results are unused."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import Call, FuncOp
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting

MAY_NOT_END: Final = "stablehlo.while"


def without_dead_code(module: Module) -> Module:
    """The module without unused operations; the module itself if there are none."""
    dead = DeadCode(module.operation).dead
    if not dead:
        return module
    return module.with_operation(Sweep(dead).copied(module.operation))


class Sweep(Rewriting):
    """Copies a module without some operations."""

    def __init__(self, dead: set[Operation]) -> None:
        super().__init__({})
        self.dead = dead

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation unless it is dead."""
        if operation not in self.dead:
            super().place(operation, block)


class DeadCode:
    """Finds the operations of a module that can go.

    Attributes:
        dead: The operations.
    """

    def __init__(self, top: Operation) -> None:
        self.uses = Counter[Value[Any]](
            value for operation in top.walk() for value in operation.operands
        )
        self.pure: dict[Operation, bool] = {}  # functions that have been looked at
        self.dead: set[Operation] = set()
        for operation in reversed(list(top.walk())):  # uses come before what they use
            self.visit(operation)

    def visit(self, operation: Operation) -> None:
        """Marks an operation whose results are unused."""
        if operation in self.dead or not operation.results or operation.definition.terminator:
            return
        if any(self.uses[value] for value in operation.results) or not self.is_pure(operation):
            return
        for inner in operation.walk():
            if inner not in self.dead:  # else its uses have been taken away
                self.dead.add(inner)
                self.uses.subtract(inner.operands)

    def is_pure(self, operation: Operation) -> bool:
        """Whether an operation does nothing but compute its results."""
        if isinstance(operation, Call):
            callee = find_symbol(operation, operation.callee)
            return isinstance(callee, FuncOp) and self.is_pure_function(callee)
        if not isinstance(operation, Op) or operation.has_effects or operation.name == MAY_NOT_END:
            return False
        return all(
            self.is_pure(inner)
            for region in operation.regions
            for block in region.blocks
            for inner in block.operations
        )

    def is_pure_function(self, function: FuncOp) -> bool:
        """Whether a function does nothing but compute its results."""
        is_pure = self.pure.get(function)
        if is_pure is None:
            self.pure[function] = False  # while it is looked at, for functions that call themselves
            inside = (operation for block in function.body.blocks for operation in block.operations)
            is_pure = self.pure[function] = bool(function.body.blocks) and all(
                self.is_pure(nested) for nested in inside
            )
        return is_pure
