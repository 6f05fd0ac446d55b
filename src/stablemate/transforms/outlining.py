"""Functions of operations that stood elsewhere, and what such operations use."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from stablemate.dialects.func import FuncOp, Return
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import FunctionType, Type
from stablemate.transforms.refinement.knowledge import CONSTANTS


def is_constant(operation: Operation) -> bool:
    """Whether this is a constant."""
    return operation.name in CONSTANTS


def uses(
    operations: Sequence[Operation],
    defined: Container[Value[Type]],
    but: Sequence[Value[Type]] = (),
) -> list[Value[Type]]:
    """The values that operations use of those that are defined, in order, and no others."""
    values = dict.fromkeys(value for operation in operations for value in used_by(operation))
    left_out = frozenset(but)
    return [value for value in values if value in defined and value not in left_out]


def used_by(operation: Operation) -> Iterator[Value[Type]]:
    """The values that an operation and its contents use."""
    for nested in operation.walk():
        yield from nested.operands


def function(
    name: str,
    arguments: Sequence[Value],
    operations: Sequence[Operation],
    results: Sequence[Value],
) -> FuncOp:
    """A function of some operations."""
    block, rewriting = Block([argument.type for argument in arguments]), Rewriting({})
    rewriting.values.update(zip(arguments, block.arguments, strict=True))
    for operation in operations:
        rewriting.place(operation, block)
    Builder(block).create(Return, values=[rewriting.values[result] for result in results])
    return function_of_block(name, block, operations[0] if operations else None)


def function_of_block(name: str, block: Block, like: Operation | None) -> FuncOp:
    """A function of a block."""
    inputs = tuple([argument.type for argument in block.arguments])
    results = tuple([operand.type for operand in block.terminator.operands])
    signature = FUNCTION_TYPE.attribute(FunctionType(inputs, results))
    attributes = {"sym_name": StringAttribute(name), "function_type": signature}
    return FuncOp((), (), attributes, [Region([block])], span=like.span if like else None)
