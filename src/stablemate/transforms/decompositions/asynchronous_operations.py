"""Asynchronous operations as those that they start, each where it starts.

Collectives that JAX starts in custom calls are among them. Dependencies between them, which JAX
states with ``control_dep``, are dropped.

Source: StableHLO specification, async_start, async_done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.async_ import AsyncDone, AsyncStart
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.transforms.decompositions.asynchronous_collectives import (
    DONE,
    configuration_of,
    started_collective,
)

DEPENDENCY: Final = "control_dep"  # a custom call that orders two operations


def started_operation(operation: AsyncStart, builder: Builder) -> Replacement:
    """The operation in the body, on the operands."""
    body = operation.body.block
    operands: dict[Value, Value] = dict(zip(body.arguments, operation.operands, strict=True))
    started = body.operations[0]
    copy = type(started)(
        [operands[value] for value in started.operands],
        [value.type for value in started.results],
        started.attributes,
        started.regions,
        discardable=started.discardable,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(copy)
    return copy.results


def awaited_value(operation: AsyncDone, builder: Builder) -> Replacement:
    """The operand, which is the result since nothing is asynchronous."""
    return operation.operands


def as_synchronous(module: Module) -> Module:
    """The module without asynchronous operations; itself if it has none."""
    if not any(map(is_start, module.operation.walk())):
        return module
    functions = {
        operation.symbol: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp)
    }

    def custom_call(operation: CustomCall, builder: Builder) -> Replacement:
        if operation.call_target_name == DEPENDENCY:
            return ()  # operations without futures keep their order
        if operation.call_target_name in DONE:
            return operation.operands
        return started_collective(operation, functions, builder)

    patterns: Mapping[str, Pattern] = {
        "stablehlo.async_start": started_operation,
        "stablehlo.async_done": awaited_value,
        "stablehlo.custom_call": custom_call,
    }
    return rewrite_module(module, patterns)


def is_start(operation: Operation) -> bool:
    """Whether an operation starts an asynchronous one."""
    if isinstance(operation, CustomCall):
        return configuration_of(operation) is not None
    return isinstance(operation, AsyncStart)
