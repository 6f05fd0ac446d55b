"""The rules of arith that are stricter here than upstream: types may differ in unknown sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.arith.arithmetic import OPERATIONS, Carry, Extended
from stablemate.ir.definition import Op
from stablemate.ir.shapes import same_shape
from stablemate.ir.types import TensorType
from stablemate.ir.verification.upstream_leniency import Leniency

if TYPE_CHECKING:
    from stablemate.dialects.arith.elementwise import Elementwise


def takes_one_element(op: Elementwise, violation: Diagnostic) -> bool:
    """Whether the operands are tensors of one element type and encoding, and compatible shapes."""
    first, *others = [value.type for value in op.operands]
    encoding = getattr(op.results[0].type, "encoding", None)  # others are free beside none
    is_about_operands = "operands" in violation.values
    return (
        is_about_operands
        and isinstance(first, TensorType)
        and all(
            isinstance(other, TensorType)
            and other.element_type == first.element_type
            and (encoding is None or other.encoding == first.encoding == encoding)
            and same_shape(other.shape, first.shape)
            for other in others
        )
    )


def flags_compatible_shape(op: Carry, violation: Diagnostic) -> bool:
    """Whether only the booleans of an operation have another type: one of a compatible shape."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        op.operands[0].type == op.operands[1].type == op.results[0].type
        and isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and declared.element_type == inferred.element_type
        and same_shape(declared.shape, inferred.shape)
    )


def rule_name(operation: type[Op]) -> str:
    """The name of the rule about the types of an operation."""
    return f"{operation.definition.name} types"


LENIENCIES: Final[Mapping[str, Leniency]] = {
    **{
        rule_name(operation): Leniency(takes_one_element)
        for operation in OPERATIONS
        if not issubclass(operation, Extended)
    },
    **{
        rule_name(operation): Leniency(flags_compatible_shape)
        for operation in OPERATIONS
        if issubclass(operation, Carry)
    },
}
