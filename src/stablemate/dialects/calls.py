"""Operations that call a function of the module, and the attribute that names it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.dialects.stablehlo.ragged_all_to_all import is_ragged_all_to_all
from stablemate.ir.attributes import (
    ArrayAttribute,
    SymbolAttribute,
    attribute_as,
    items_as,
    optional_attribute_as,
)
from stablemate.ir.core import Operation
from stablemate.ir.definition import RequestOp

CALLS: Final[Mapping[str, str]] = {
    "func.call": "callee",
    "stablehlo.composite": "decomposition",
}


def callee_of(operation: Operation) -> str | None:
    """The name of the function that an operation calls; None if it calls none."""
    symbol = CALLS.get(operation.name)
    if symbol is None:
        return None
    return attribute_as(operation.attributes, symbol, SymbolAttribute).root


def called_computations(operation: Operation) -> Sequence[str]:
    """The names of the functions that a custom call may call."""
    called = optional_attribute_as(operation.attributes, "called_computations", ArrayAttribute)
    symbols = items_as(called, SymbolAttribute) if called is not None else ()
    return [symbol.root for symbol in symbols]


def is_request(operation: Operation) -> bool:
    """Whether an operation itself issues a request, regardless of its regions."""
    return isinstance(operation, RequestOp) or is_ragged_all_to_all(operation)


def may_request(operation: Operation) -> bool:
    """Whether an operation, its regions or a function that it calls may issue a request."""
    return any(is_request(inner) or inner.name in CALLS for inner in operation.walk())
