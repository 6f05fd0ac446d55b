"""Removes operations without effects whose results are unused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.call_graph import called_functions, post_order
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting

MAY_NOT_END: Final = "stablehlo.while"


def without_dead_code(module: Module, *, same_on_all: bool = False) -> Module:
    """The module without unused operations; the module itself if there are none.

    Args:
        module: The module.
        same_on_all: Whether all processes of a grid run this program, so that a collective
            operation that none of them needs has no effect.
    """
    dead = DeadCode(module.operation, same_on_all=same_on_all).dead
    if not dead:
        return module
    return module.with_operation(DeadCodeRemoval(dead).copy_operation(module.operation))


def remove_dead_code(module: Module) -> None:
    """Takes unused operations out of a module that nothing else holds, such as a new one."""
    dead = DeadCode(module.operation).dead
    blocks = {operation.parent for operation in dead if operation.parent is not None}
    for block in blocks:
        block.operations[:] = [inner for inner in block.operations if inner not in dead]


class DeadCodeRemoval(Rewriting):
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
        same_on_all: Whether collective operations have no effects.
    """

    def __init__(self, top: Operation, *, same_on_all: bool = False) -> None:
        self.same_on_all = same_on_all
        self.uses = Counter[Value](
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
        for function in post_order(self.new_callees(operation), self.new_callees):
            inside = (inner for block in function.body.blocks for inner in block.operations)
            is_pure = bool(function.body.blocks) and all(map(self.is_pure_inside, inside))
            self.pure[function] = is_pure
        return self.is_pure_inside(operation)

    def new_callees(self, caller: Operation) -> Iterator[FuncOp]:
        """The functions that an operation calls that have not been looked at."""
        return (callee for callee in called_functions(caller) if callee not in self.pure)

    def is_pure_inside(self, operation: Operation) -> bool:
        """Whether an operation and all inside it only compute; callees have been looked at.

        Functions that call themselves do not.
        """
        for inner in operation.walk():
            if isinstance(inner, Call):
                callee = find_symbol(inner, inner.callee)
                if not isinstance(callee, FuncOp) or not self.pure.get(callee, False):
                    return False
            elif not isinstance(inner, Op) or self.has_effects(inner):
                return False
        return True

    def has_effects(self, operation: Op) -> bool:
        """Whether an operation itself does more than compute."""
        if self.same_on_all and isinstance(operation, Collective):
            return False
        return operation.has_effects or operation.name == MAY_NOT_END
