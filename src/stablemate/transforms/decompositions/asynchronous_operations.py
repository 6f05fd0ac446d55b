"""Asynchronous operations as those that they start, each where it starts.

Dependencies between them, which JAX states with ``control_dep``, are dropped.

Source: StableHLO specification, async_start, async_done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.async_ import AsyncDone, AsyncStart
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Value
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module

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


def dropped_dependency(operation: CustomCall, builder: Builder) -> Replacement:
    """Nothing for a dependency: operations without futures keep their order."""
    return () if operation.call_target_name == DEPENDENCY else None


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.async_start": started_operation,
    "stablehlo.async_done": awaited_value,
    "stablehlo.custom_call": dropped_dependency,
}


def as_synchronous(module: Module) -> Module:
    """The module without asynchronous operations; itself if it has none."""
    if all(operation.name != "stablehlo.async_start" for operation in module.operation.walk()):
        return module
    return rewrite_module(module, PATTERNS)
