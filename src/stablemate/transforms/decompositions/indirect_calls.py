"""Calls of functions that are values, as calls of the functions that these are.

Source: MLIR func dialect, canonicalization of call_indirect.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.func import Call, CallIndirect, Constant
from stablemate.ir.builder import Builder
from stablemate.ir.core import OpResult
from stablemate.ir.rewriter import Pattern, Replacement


def direct_call(operation: CallIndirect, builder: Builder) -> Replacement:
    """The same call by name, if the callee is a constant."""
    callee = operation.callee
    if not isinstance(callee, OpResult) or not isinstance(callee.operation, Constant):
        return None
    call = builder.create(
        Call,
        callee=callee.operation.value,
        inputs=operation.inputs,
        results=[result.type for result in operation.results],
    )
    return call.results


PATTERNS: Final[Mapping[str, Pattern]] = {"func.call_indirect": direct_call}
