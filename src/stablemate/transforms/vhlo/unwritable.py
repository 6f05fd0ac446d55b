"""Parts of a program that the conversion to VHLO cannot keep beside it, and those it passes over.

Source: MLIR, dialect conversion, which converts what the entry of a region reaches; the verifiers
of the operations that stay.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Final

from stablemate.dialects.builtin import UnrealizedConversionCast
from stablemate.ir.core import Block, Module, Operation, Region

# Operations whose verifiers look for operations of StableHLO or func, which become those of VHLO.
NOT_BESIDE_VHLO: Final[Mapping[str, str]] = {
    "chlo.scan": "its region ends with a return of StableHLO, which becomes one of VHLO",
    "interpreter.run_parallel": "it names functions of func, which become functions of VHLO",
    "sdy.func_data_flow_edge": (
        "its operand is an argument of a function or a result of a call of func, which become "
        "those of VHLO"
    ),
}


def reason_against(operation: Operation, converted: Container[str], *, mixed: bool) -> str | None:
    """Why an operation of another dialect cannot stay in an artifact; None if it can.

    Args:
        operation: The operation, which does not fold.
        converted: The names of the operations that are converted.
        mixed: Whether other dialects stay beside VHLO.
    """
    name = operation.name
    if name in NOT_BESIDE_VHLO:
        return NOT_BESIDE_VHLO[name]
    if name.startswith("func."):
        return "operations of func become VHLO, if it has them and a branch reaches them"
    if isinstance(operation, UnrealizedConversionCast) and not mixed:
        return "a cast between dialects stays only beside other dialects"
    parent = operation.parent_operation()
    if parent is not None and parent.name in converted and takes_arguments(operation):
        return "a branch cannot hand values to a block whose arguments become those of VHLO"
    return None


def takes_arguments(operation: Operation) -> bool:
    """Whether a successor of an operation has arguments."""
    return any(block.arguments for block in operation.successors)


def unreachable_operations(module: Module) -> Iterator[Operation]:
    """The operations in blocks that the entry of their region does not reach."""
    for operation in module.operation.walk():
        for region in operation.regions:
            if len(region.blocks) > 1:
                reached = reached_blocks(region)
                dead = (block for block in region.blocks if block not in reached)
                for block in dead:
                    for outer in block.operations:
                        yield from outer.walk()


def reached_blocks(region: Region) -> set[Block]:
    """The blocks that the entry of a region reaches."""
    pending = [region.blocks[0]]
    reached: set[Block] = set()
    while pending:
        block = pending.pop()
        if block not in reached:
            reached.add(block)
            pending += (b for operation in block.operations for b in operation.successors)
    return reached
