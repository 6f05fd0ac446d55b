"""Regions and functions as computations."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.ir.core import Block, Region, Value
from stablemate.ir.definition import returned_values
from stablemate.ir.types import Type
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder


def computation(body: ComputationBuilder, region: Region) -> str:
    """The computation of a region whose arguments are its parameters; results are packed."""
    inner = ComputationBuilder(body.program, operation=body.operation)
    for number, argument in enumerate(region.block.arguments):
        inner.parameter(argument, number)
    return finish(inner, inner.pack(results(inner, region.block)))


def captured_values(regions: Sequence[Region]) -> list[Value[Type]]:
    """The values from outside that regions use, in the order of their first use."""
    inside: set[Value[Type]] = set()
    used: dict[Value[Type], None] = {}
    pending = list(reversed(regions))
    while pending:
        for block in pending.pop().blocks:
            inside.update(block.arguments)
            for operation in block.operations:
                for inner_operation in operation.walk():
                    used.update(dict.fromkeys(inner_operation.operands))
                    inside.update(inner_operation.results)
                    for inner in inner_operation.regions:
                        inside.update(a for part in inner.blocks for a in part.arguments)
    return [value for value in used if value not in inside]


def results(inner: ComputationBuilder, block: Block) -> list[BuiltInstruction]:
    """Translates the operations of a block, and returns the instructions of its results.

    Raises:
        UnsupportedError: The block ends with a jump, or with an operation that nobody registered.
    """
    returned = returned_values(block)
    translate_block(inner, block)
    return inner.all_nodes(returned)


def translate_block(inner: ComputationBuilder, block: Block) -> None:
    """Translates the operations of a block, but for its terminator."""
    outer = inner.operation
    for operation in block.operations[:-1]:
        inner.translate(operation)
    inner.operation = outer


def finish(inner: ComputationBuilder, root: BuiltInstruction) -> str:
    """Adds a computation to the program."""
    program = inner.program
    computation = inner.finish(program.fresh_region(), root)
    program.computations.append(computation)
    return computation.name
