"""Decides whether a tensor may be allocated: the one place, asked before memory is.

A tensor must be one that a NumPy array can hold, which has a limited number of dimensions and of
bytes, and smaller than the limit of the run. A constant whose elements were read, such as weights,
is in memory already, and may be larger: ``Limits.input_bytes`` bounds it.
"""

from __future__ import annotations

from sys import maxsize
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError
from stablemate.diagnostics.limits import Limits
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType, TupleType, Type
from stablemate.numerics.array_limits import array_excess

TENSOR_BYTES_NOTE: Final = (
    "the limit is Limits.tensor_bytes, --limit-tensor-bytes on the command line"
)


def reject_oversized(value_type: Type, limits: Limits, operation: Operation | None) -> None:
    """Rejects a type that has a static tensor that may not be allocated.

    Args:
        value_type: The type; one of unknown sizes is accepted.
        limits: The limits of the run.
        operation: The operation whose result it is, for the place of the error.

    Raises:
        LimitError: It is too large, or has too many dimensions.
    """
    diagnostic = excess_of(value_type, limits.tensor_bytes)
    if diagnostic is not None and holds_elements(operation):
        diagnostic = excess_of(value_type, maxsize)
    if diagnostic is not None:
        span = operation.span if operation else None
        raise LimitError(
            Diagnostic(
                diagnostic.message, diagnostic.rule, span, diagnostic.values, diagnostic.notes
            )
        )


def holds_elements(operation: Operation | None) -> bool:
    """Whether an operation is a constant that holds all of its elements, not one for all."""
    if operation is None or not has_trait(operation, Trait.CONSTANT_LIKE):
        return False
    value = operation.attributes.get("value")
    return isinstance(value, DenseElementsAttribute) and not value.is_splat


def excess_of(value_type: Type, max_bytes: int) -> Diagnostic | None:
    """Why a type may not be allocated, without a place; None if it may.

    Args:
        value_type: The type.
        max_bytes: Bytes that a tensor must stay below.
    """
    if isinstance(value_type, TupleType):
        found = (excess_of(element, max_bytes) for element in value_type.types)
        return next((diagnostic for diagnostic in found if diagnostic), None)
    if not isinstance(value_type, TensorType):
        return None
    if value_type.is_static and value_type.bytes >= max_bytes:
        message = f"a tensor has less than {max_bytes} bytes"
        values = {"type": value_type, "bytes": value_type.bytes}
        notes = (Diagnostic(TENSOR_BYTES_NOTE),)
        return Diagnostic(message, "limits.tensor_bytes", None, values, notes)
    return array_excess(value_type.shape)
