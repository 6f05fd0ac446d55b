"""The rules of CHLO that upstream's verifier does not check; its passes fail on such operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.chlo.top_k import UNKNOWN_COUNT
from stablemate.dialects.chlo.upstream_broadcasts import (
    broadcast_result,
    extents_of,
    merged_extents,
)
from stablemate.dialects.stablehlo.regions import function_type
from stablemate.dialects.stablehlo.upstream_leniency import has_no_bounds_at_first
from stablemate.dialects.stablehlo.upstream_types import (
    are_compatible,
    fit_bounds,
    has_compatible_elements,
    is_compatible,
)
from stablemate.ir.attributes import SparseElementsAttribute
from stablemate.ir.shapes import same_shape
from stablemate.ir.types import (
    DYNAMIC,
    BoundsAttribute,
    TensorType,
    Type,
    UnrankedTensorType,
)
from stablemate.ir.verification.upstream_leniency import Leniency

if TYPE_CHECKING:
    from stablemate.dialects.chlo.broadcasting import BroadcastBinary, BroadcastSelect
    from stablemate.dialects.chlo.constant import Constant
    from stablemate.dialects.chlo.scan import Scan
    from stablemate.dialects.chlo.top_k import TopK

BROADCASTING: Final = (
    "broadcast_add broadcast_and broadcast_atan2 broadcast_compare broadcast_complex "
    "broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply broadcast_next_after "
    "broadcast_or broadcast_polygamma broadcast_power broadcast_remainder broadcast_shift_left "
    "broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract "
    "broadcast_xor broadcast_zeta"
)

MERGING: Final = "mulhi next_after polygamma zeta"
ANY_RANK: Final = (TensorType, UnrankedTensorType)


def about_result(_: object, violation: Diagnostic) -> bool:
    """Whether a declared result type differs from the inferred one in elements and bounds only.

    Sizes are not compared where a rank is unknown.
    """
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    if isinstance(declared, TensorType) and isinstance(inferred, TensorType):
        return same_shape(declared.shape, inferred.shape)
    return isinstance(declared, ANY_RANK) and isinstance(inferred, ANY_RANK)


def about_bounds(_: object, violation: Diagnostic) -> bool:
    """Whether a declared result type differs from the inferred one in bounds only."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and declared.element_type == inferred.element_type
        and same_shape(declared.shape, inferred.shape)
    )


def broadcasts_along_any(op: BroadcastBinary, _: Diagnostic) -> bool:
    """Whether the result has the sizes that upstream infers along such dimensions."""
    shape = broadcast_result(op.lhs.type, op.rhs.type, op.broadcast_dimensions)
    return fit_bounds(op.result.type, shape)


def has_equal_ranks(op: BroadcastBinary, _: Diagnostic) -> bool:
    """Whether the operands have one rank: no dimension is added, and the attribute is ignored."""
    ranks = {getattr(value.type, "rank", None) for value in op.operands[:2]}
    return len(ranks) == 1 and None not in ranks


def broadcasts_other_types(op: BroadcastBinary, violation: Diagnostic) -> bool:
    """Whether upstream infers a type that is compatible with the declared one.

    Quantization parameters may differ in operations whose operands have scales of their own.
    """
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    if not isinstance(declared, ANY_RANK) or not isinstance(inferred, ANY_RANK):
        return False
    has_parameters = op.rescales and has_compatible_elements(declared, inferred)
    if declared.element_type != inferred.element_type and not has_parameters:
        return False
    shape = broadcast_result(op.lhs.type, op.rhs.type, op.broadcast_dimensions)
    return fit_bounds(declared, shape)


def selects_other_types(op: BroadcastSelect, violation: Diagnostic) -> bool:
    """Whether the result of ``broadcast_select`` differs in elements or bounds, or has the sizes
    that upstream infers.
    """
    declared = violation.values.get("type")
    if not isinstance(declared, ANY_RANK):
        return False
    if about_result(op, violation):
        return True
    choices = op.on_true.type, op.on_false.type
    chosen = broadcast_result(*choices, None)
    if isinstance(chosen, TensorType) and has_unknown_bounds(*choices, chosen):
        merged = merged_extents(extents_of(op.pred.type), extents_of(chosen))
        return merged is None or fit_bounds(declared, chosen)
    return fit_bounds(declared, broadcast_result(op.pred.type, chosen, None))


def has_unknown_bounds(on_true: Type, on_false: Type, chosen: TensorType) -> bool:
    """Whether a size is known by a bound alone, which is not known: upstream infers no size."""
    have_bounds = all(
        isinstance(x, TensorType) and (x.is_static or isinstance(x.encoding, BoundsAttribute))
        for x in (on_true, on_false)
    )
    pairs = zip(chosen.shape, chosen.bounds or chosen.shape, strict=True)
    return have_bounds and (DYNAMIC, DYNAMIC) in pairs


def about_parameters(op: TopK, violation: Diagnostic) -> bool:
    """Whether the values of ``top_k`` have another scale or zero point than its operand."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    if not isinstance(declared, ANY_RANK) or not isinstance(inferred, ANY_RANK):
        return False
    return is_compatible(declared, inferred)


def returns_other_carries(op: Scan, _: Diagnostic) -> bool:
    """Whether the body of ``scan`` takes what it must, and only returns other carries."""
    body = function_type(op.body)
    expected = [op.without_dimension(value.type) for value in op.inputs]
    expected += [value.type for value in op.inits]
    return (
        len(body.results) >= len(op.inits)
        and are_compatible(expected, body.inputs)
        and all(isinstance(result, TensorType) for result in body.results)
    )


def about_literal(op: Constant, violation: Diagnostic) -> bool:
    """Whether a literal is sparse, or has a type that differs from the result's in encoding."""
    if isinstance(violation.values.get("value"), SparseElementsAttribute):
        return True
    return about_bounds(op, violation) and op.output.type.is_static


def has_negative_count(op: TopK, _: Diagnostic) -> bool:
    """Whether ``top_k`` is asked for fewer than no elements, with results of unknown size.

    The smallest number is what MLIR reserves for unknown sizes.
    """
    if op.k == UNKNOWN_COUNT or isinstance(op.operands[0].type, UnrankedTensorType):
        return True
    return op.k < 0 and all(has_unknown_last_size(value.type) for value in op.results)


def has_unknown_last_size(value_type: TensorType | UnrankedTensorType) -> bool:
    """Whether the size of the last dimension, or the rank, is not known."""
    return isinstance(value_type, UnrankedTensorType) or value_type.shape[-1] == DYNAMIC


LENIENCIES: Final[Mapping[str, Leniency]] = {
    **{
        f"chlo.{name} broadcast_dimensions": Leniency(broadcasts_along_any, has_equal_ranks)
        for name in BROADCASTING.split()
    },
    **{f"chlo.{name}": Leniency(broadcasts_other_types) for name in BROADCASTING.split()},
    **{f"chlo.{name}": Leniency(has_no_bounds_at_first) for name in MERGING.split()},
    "chlo.broadcast_select": Leniency(selects_other_types),
    "chlo.constant": Leniency(about_literal),
    "chlo.ragged_dot": Leniency(about_bounds),
    "chlo.scan": Leniency(about_result),
    "chlo.scan body": Leniency(returns_other_carries),
    "chlo.top_k": Leniency(about_parameters),
    "chlo.top_k k": Leniency(has_negative_count),
}
