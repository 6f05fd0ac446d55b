"""Which operations run a function of the module, and the attribute that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.ragged_all_to_all import is_ragged_all_to_all
from stablemate.ir.core import Operation
from stablemate.ir.definition import Asking

CALLS: Final[Mapping[str, str]] = {
    "func.call": "callee",
    "stablehlo.composite": "decomposition",
}


def asks_itself(operation: Operation) -> bool:
    """Whether an operation asks the world, whatever is in it."""
    return isinstance(operation, Asking) or is_ragged_all_to_all(operation)


def may_wait(operation: Operation) -> bool:
    """Whether an operation asks the world, or something in it or in what it calls may."""
    return any(asks_itself(inner) or inner.name in CALLS for inner in operation.walk())
