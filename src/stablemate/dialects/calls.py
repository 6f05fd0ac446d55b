"""Operations that call a function of the module, and the attribute that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.ragged_all_to_all import is_ragged_all_to_all
from stablemate.ir.core import Operation
from stablemate.ir.definition import RequestOp

CALLS: Final[Mapping[str, str]] = {
    "func.call": "callee",
    "stablehlo.composite": "decomposition",
}


def is_request(operation: Operation) -> bool:
    """Whether an operation itself issues a request, regardless of its regions."""
    return isinstance(operation, RequestOp) or is_ragged_all_to_all(operation)


def may_request(operation: Operation) -> bool:
    """Whether an operation, its regions or a function that it calls may issue a request."""
    return any(is_request(inner) or inner.name in CALLS for inner in operation.walk())
