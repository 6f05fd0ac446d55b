"""Finds the functions that are bodies of manual computations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import Call, FuncOp
from stablemate.ir.core import Module, Operation, OpResult, Value
from stablemate.ir.types import Type
from stablemate.transforms.sharding_import.boundaries import Boundary
from stablemate.transforms.symbol_dce import referenced_symbols

DEEPEST: Final = 16  # bodies inside bodies that stand in the place of their calls


def shard_functions(
    module: Module,
    boundaries: Mapping[Operation, Boundary],
    annotations: Container[Operation],
) -> dict[Operation, FuncOp]:
    """The private functions of one block that shards go through once, by their calls.

    Args:
        module: The program.
        boundaries: The custom calls at which whole values become shards, or shards whole values.
        annotations: The custom calls that compute nothing.
    """
    if not boundaries:
        return {}
    references = Counter(name for top in module.body.operations for name in referenced_symbols(top))
    leaving = {
        origin(value, annotations)
        for operation, boundary in boundaries.items()
        if not boundary.enters
        for value in operation.operands
    }

    def is_on_shards(call: Call) -> bool:
        entered = (origin(value, annotations) for value in call.operands)
        return any(is_result_of(value, boundaries) for value in entered) or any(
            value in leaving for value in call.results
        )

    bodies: dict[Operation, FuncOp] = {}
    for call in module.operation.walk():
        if isinstance(call, Call) and is_on_shards(call):
            callee = find_symbol(call, call.callee)
            if isinstance(callee, FuncOp) and is_body(callee) and references[callee.symbol] == 1:
                bodies[call] = callee
    calls = {callee: call for call, callee in bodies.items()}
    return {call: callee for call, callee in bodies.items() if not is_deep(call, calls)}


def origin(value: Value[Type], annotations: Container[Operation]) -> Value[Type]:
    """The value that annotations were made of."""
    while isinstance(value, OpResult) and value.operation in annotations:
        value = value.operation.operands[value.index]
    return value


def is_result_of(value: Value[Type], operations: Container[Operation]) -> bool:
    """Whether a value is a result of one of these operations."""
    return isinstance(value, OpResult) and value.operation in operations


def is_body(function: FuncOp) -> bool:
    """Whether a function is private and has one block."""
    return function.sym_visibility == "private" and len(function.body.blocks) == 1


def is_deep(call: Operation, calls: Mapping[FuncOp, Operation]) -> bool:
    """Whether a call is in many bodies inside bodies, or in its own.

    Args:
        call: The call.
        calls: The call of each body.
    """
    around: Operation | None = call
    for _ in range(DEEPEST):
        while around is not None and not isinstance(around, FuncOp):
            around = around.parent_operation()
        if around is None or around not in calls:
            return False
        around = calls[around]
    return True
