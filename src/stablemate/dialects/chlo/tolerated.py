"""The rules of CHLO that upstream's verifier does not check; its passes fail on such operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.shapes import compatible
from stablemate.ir.tolerated import Tolerated
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import BOOLEAN, QuantizedType

BROADCASTING: Final = (
    "broadcast_add broadcast_and broadcast_atan2 broadcast_compare broadcast_complex "
    "broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply broadcast_next_after "
    "broadcast_or broadcast_polygamma broadcast_power broadcast_remainder broadcast_shift_left "
    "broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract "
    "broadcast_xor broadcast_zeta"
)


def about_result(_: Any, violation: Diagnostic) -> bool:
    """Whether a declared result type differs from the inferred one in its elements only."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and (compatible(declared.with_element(BOOLEAN), inferred.with_element(BOOLEAN)))
    )


def about_parameters(op: Any, violation: Diagnostic) -> bool:
    """Whether the result of ``top_k`` has other elements than its quantized operand."""
    element = op.operands[0].type.element_type
    return isinstance(element, QuantizedType) and about_result(op, violation)


def has_negative_count(op: Any, _: Diagnostic) -> bool:
    """Whether ``top_k`` is asked for fewer than no elements, with results of unknown size."""
    return op.k < 0 and all(value.type.shape[-1] == DYNAMIC for value in op.results)


TOLERATED: Final[Mapping[str, Tolerated]] = {
    **{f"chlo.{name} broadcast_dimensions": Tolerated() for name in BROADCASTING.split()},
    "chlo.broadcast_select": Tolerated(about_result),
    "chlo.scan": Tolerated(about_result),
    "chlo.top_k": Tolerated(about_parameters),
    "chlo.top_k k": Tolerated(has_negative_count),
}
