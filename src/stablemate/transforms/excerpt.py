"""Excerpts: some operations of a program as a program of their own.

What they use from elsewhere becomes arguments, but for constants, which come along; what is used
elsewhere becomes results. So an excerpt computes what the operations compute in the program, if its
arguments are the values that they have there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.builtin import symbols
from stablemate.dialects.func import Return
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, BlockArgument, Module, Operation, OpResult, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Type
from stablemate.transforms.outlining import function_of_block, is_constant, used_by
from stablemate.transforms.stablehlo_refine_arguments import with_body
from stablemate.transforms.symbol_dce import referenced_symbols

MAIN: Final = "main"


@dataclass(frozen=True, eq=False, slots=True)
class Excerpt:
    """Some operations of a program, as its function ``main``.

    Attributes:
        module: The program.
        operations: The operations that it holds, constants aside.
        arguments: The values that it takes.
        results: The values that it gives.
    """

    module: Module
    operations: Sequence[Operation]
    arguments: Sequence[Value]
    results: Sequence[Value]


class Uses:
    """Who uses the values of a program."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.users: dict[Value[Type], list[Operation]] = {}
        for operation in module.operation.walk():
            for value in operation.operands:
                self.users.setdefault(value, []).append(operation)

    def of(self, value: Value) -> Sequence[Operation]:
        """The operations that use a value."""
        return self.users.get(value, ())


def excerpt(
    uses: Uses, operations: Sequence[Operation], results: Sequence[Value[Type]] | None = None
) -> Excerpt:
    """Some operations of a program.

    Args:
        uses: Who uses its values.
        operations: The operations, all of one block, in its order; constants and terminators among
            them do not count.
        results: What is to be given; by default what is used elsewhere, or not at all.
    """
    module = uses.module
    chosen = [
        operation
        for operation in operations
        if not is_constant(operation) and not is_terminator(operation)
    ]
    inside = {operand for operation in chosen for operand in operation.walk()}
    outer = list(dict.fromkeys(values_from_outside(chosen, inside)))
    constants = [value for value in outer if is_value_of_constant(value)]
    arguments = [value for value in outer if not is_value_of_constant(value)]
    if results is None:
        results = [
            value
            for operation in chosen
            for value in operation.results
            if not uses.of(value) or any(user not in inside for user in uses.of(value))
        ]
    block = Block([argument.type for argument in arguments])
    rewriting = Rewriting({})
    rewriting.values.update(zip(arguments, block.arguments, strict=True))
    for value in constants:
        assert isinstance(value, OpResult)
        rewriting.place(value.operation, block)
    for operation in chosen:
        rewriting.place(operation, block)
    returned = [rewriting.values.get(result, result) for result in results]
    Builder(block).create(Return, values=returned)
    excerpt_block = Block()
    excerpt_block.append(function_of_block(MAIN, block, chosen[0] if chosen else None))
    for other in named_by(module, excerpt_block.operations[0]):
        excerpt_block.append(Rewriting({}).copy_operation(other))
    return Excerpt(with_body(module, excerpt_block), chosen, arguments, results)


def is_terminator(operation: Operation) -> bool:
    """Whether an operation ends its block."""
    return operation.definition.terminator


def values_from_outside(
    operations: Sequence[Operation], inside: set[Operation]
) -> Iterator[Value[Type]]:
    """The values that operations use and do not define, in order, once for each use."""
    for operation in operations:
        for value in used_by(operation):
            if not is_made_in(value, inside):
                yield value


def is_made_in(value: Value[Type], inside: set[Operation]) -> bool:
    """Whether a value is the result or the block argument of one of these operations."""
    if isinstance(value, OpResult):
        return value.operation in inside
    assert isinstance(value, BlockArgument)
    region = value.block.parent
    return region is not None and region.parent in inside


def is_value_of_constant(value: Value[Type]) -> bool:
    """Whether a value is that of a constant."""
    return isinstance(value, OpResult) and is_constant(value.operation)


def named_by(module: Module, function: Operation) -> Iterator[Operation]:
    """The functions and other symbols that a function names, and those that they name."""
    by_name = symbols(module.operation)
    pending, seen = [function], set[str]()
    while pending:
        for name in referenced_symbols(pending.pop()):
            definition = by_name.get(name)
            if definition is not None and name not in seen and name != MAIN:
                seen.add(name)
                pending.append(definition)
                yield definition
