"""Asynchronous operations as those that they start, each where it starts.

Source: StableHLO specification, async_start, async_done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.async_ import AsyncDone, AsyncStart
from stablemate.ir.builder import Builder
from stablemate.ir.rewriter import Pattern, Replacement


def started_operation(operation: AsyncStart, builder: Builder) -> Replacement:
    """The operation in the body, on the operands."""
    body = operation.body.block
    operands = dict(zip(body.arguments, operation.operands, strict=True))
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


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.async_start": started_operation,
    "stablehlo.async_done": awaited_value,
}
