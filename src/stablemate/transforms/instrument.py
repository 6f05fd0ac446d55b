"""instrument: inserts markers of the observe dialect after operations and around regions.

What the markers say is what the interpreter tells a listener (``execution.listener``), in the same
order. A value that is told stays in memory until then; nothing else about the program changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.execution.observe.listener import CONTROL_FLOW, UNOBSERVED_OPERATIONS
from stablemate.execution.observe.markers import (
    BlockEntered,
    BlockExited,
    Computed,
    OperationAttribute,
)
from stablemate.ir.attributes import ArrayAttribute, SymbolAttribute
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import FutureType, TupleType

Values: TypeAlias = Sequence[Value]

TOP: Final = "builtin.module"
COMPUTATIONS: Final = "called_computations"
PROGRAMS: Final = ("programs", "infeed")  # of interpreter.run_parallel
UNTOLD: Final = (FutureType, TupleType)


def instrument_module(
    module: Module,
    entry: str,
    watched: Callable[[Operation], bool] = lambda operation: True,
    *,
    operands: bool = False,
) -> Module:
    """The module, with markers.

    Operations on tuples are not told, nor functions that computations on scalars call.

    Args:
        module: The module, legalized.
        entry: The function that is run.
        watched: Of which operations it is told what they compute.
        operands: Whether it is also told what they take, and what blocks are given.
    """
    return module.with_operation(
        Instrumenting(module, entry, watched, operands=operands).copy_operation(module.operation)
    )


class Instrumenting(Rewriting):
    """Copies a module with markers.

    Attributes:
        numbers: What text calls the operations.
        silent: Whether nothing is told where the copy is being made.
    """

    def __init__(
        self,
        module: Module,
        entry: str,
        watched: Callable[[Operation], bool],
        *,
        operands: bool,
    ) -> None:
        super().__init__({})
        self.watched = watched
        self.operands = operands
        self.numbers = {operation: i for i, operation in enumerate(module.operation.walk())}
        self.unobserved = set(called_by_computations(module.operation))
        self.entries = {entry, *names_in(module.operation, PROGRAMS)}
        self.silent = False

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy of an operation; regions are instrumented in control flow only."""
        before = self.silent
        if isinstance(operation, FuncOp):
            self.silent = operation.symbol in self.unobserved
        elif operation.name not in CONTROL_FLOW and definition_of(operation).name != TOP:
            self.silent = True
        try:
            return super().copy_operation(operation)
        finally:
            self.silent = before

    def copied_region(self, region: Region) -> Region:
        """A copy of a region, with markers where it begins and ends."""
        owner = region.parent
        copy = super().copied_region(region)
        if self.silent or owner is None or not copy.blocks or not self.is_marked(owner):
            return copy
        position = owner.regions.index(region)
        block = copy.block
        arguments = block.arguments if self.operands else ()
        self.insert(block, 0, self.entry_marker(owner, position, arguments))
        self.insert(block, len(block.operations) - 1, create(BlockExited))
        return copy

    def is_marked(self, owner: Operation) -> bool:
        """Whether entry to and exit from the regions of an operation are marked."""
        if isinstance(owner, FuncOp):
            return owner.symbol in self.entries
        return owner.name in CONTROL_FLOW

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation and inserts markers around it."""
        if (
            self.silent
            or operation.definition.terminator
            or operation.name in UNOBSERVED_OPERATIONS
        ):
            super().place(operation, block)
            return
        is_call = operation.name in CALLS
        operands = [self.values.get(operand, operand) for operand in operation.operands]
        if is_call:
            block.append(self.entry_marker(operation, 0, operands if self.operands else ()))
        super().place(operation, block)
        if is_call:
            block.append(create(BlockExited))
        results = [self.values[result] for result in operation.results]
        can_be_told = not any(isinstance(value.type, UNTOLD) for value in (*operands, *results))
        if can_be_told and not isinstance(operation, FuncOp) and self.watched(operation):
            observed = operands if self.operands else []
            marker = create(
                Computed,
                of=OperationAttribute(operation, self.numbers[operation]),
                operands_told=len(observed),
                values=[*observed, *results],
                location=operation.location,
                span=operation.span,
            )
            block.append(marker)

    def entry_marker(self, operation: Operation, region: int, arguments: Values) -> BlockEntered:
        """The marker that a block begins."""
        observed = [argument for argument in arguments if not isinstance(argument.type, UNTOLD)]
        return create(
            BlockEntered,
            of=OperationAttribute(operation, self.numbers[operation]),
            region=region,
            values=observed if len(observed) == len(arguments) else [],
            location=operation.location,
            span=operation.span,
        )

    def insert(self, block: Block, position: int, marker: Operation) -> None:
        """Inserts a marker into a new block."""
        marker.parent = block
        block.operations.insert(position, marker)


def called_by_computations(top: Operation) -> Iterator[str]:
    """The names of the functions that computations on scalars and custom calls may call."""
    functions = {
        operation.symbol: operation for operation in top.walk() if isinstance(operation, FuncOp)
    }
    pending = list(names_in(top, (COMPUTATIONS,)))
    for operation in top.walk():
        if operation.regions and operation.name not in CONTROL_FLOW and not is_scope(operation):
            pending += names_in(operation, tuple(CALLS.values()))
    names: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in names and name in functions:
            names.add(name)
            pending += names_in(functions[name], tuple(CALLS.values()))
    yield from names


def is_scope(operation: Operation) -> bool:
    """Whether an operation holds functions, or is one."""
    return operation.name == TOP or isinstance(operation, FuncOp)


def names_in(top: Operation, attributes: Sequence[str]) -> Iterator[str]:
    """The functions that attributes of operations inside an operation name."""
    for operation in top.walk():
        for name in attributes:
            yield from names_of(operation.attributes.get(name))


def names_of(attribute: object) -> Iterator[str]:
    """The symbols in an attribute, in lists too."""
    pending = [attribute]
    while pending:
        match pending.pop():
            case SymbolAttribute(root=root):
                yield root
            case ArrayAttribute(items=items):
                pending += items
            case _:
                pass
