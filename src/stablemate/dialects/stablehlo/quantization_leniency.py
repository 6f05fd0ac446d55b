"""How upstream's verifier judges quantized operands and results that break a rule.

Each function judges an operation and the violation of a rule, see ``upstream_leniency.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.stablehlo.baseline import has_same_storage
from stablemate.dialects.stablehlo.quantized_axes import is_per_axis
from stablemate.dialects.stablehlo.upstream_types import (
    has_compatible_elements,
    has_same_parameters,
    is_compatible,
)
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import QuantizedType

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
    from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
    from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
    from stablemate.dialects.stablehlo.reshape import Reshape


def has_first_scales(_: Operation, violation: Diagnostic) -> bool:
    """Whether a result differs from the inferred type in how many scales an axis has only.

    Upstream's ``transpose`` compares as many scales as both types have.
    """
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    if not isinstance(declared, TensorType) or not isinstance(inferred, TensorType):
        return False
    x, y = declared.element_type, inferred.element_type
    if not isinstance(x, QuantizedType) or not isinstance(y, QuantizedType):
        return False
    shared = zip(x.scales, x.zero_points, y.scales, y.zero_points, strict=False)
    return (
        x.is_per_axis
        and x.quantization_dimension == y.quantization_dimension
        and is_compatible(declared, inferred)
        and all((a, m) == (b, n) for a, m, b, n in shared)
    )


def is_quantized(op: Operation, _: Diagnostic) -> bool:
    """Whether the operand or the result is quantized."""
    values = (op.operands[0], op.results[0])
    return any(isinstance(value.type.element_type, QuantizedType) for value in values)


def lacks_quantized_dimension(op: DynamicBroadcastInDim, _: Diagnostic) -> bool:
    """Whether the operand is not quantized per axis, where the result is.

    Upstream reads the quantized dimension of every operand, so that its verdict varies.
    """
    return not is_per_axis(op.operands[0].type.element_type)


def reshapes_quantized(op: DynamicReshape, violation: Diagnostic) -> bool:
    """Whether ``dynamic_reshape`` has quantized values whose parameters upstream takes as equal."""
    return is_quantized(op, violation) and has_same_parameters(
        op.operands[0].type, op.results[0].type
    )


def broadcasts_quantized(op: BroadcastInDim, _: Diagnostic) -> bool:
    """Whether an operand and a result that are quantized per axis store the same range."""
    operand, result = op.operands[0].type, op.results[0].type
    both = is_per_axis(operand.element_type) and is_per_axis(result.element_type)
    return both and has_compatible_elements(operand, result)


def stores_alike(op: DynamicBroadcastInDim, _: Diagnostic) -> bool:
    """Whether the operand and the result are quantized and store numbers of one type."""
    elements = [value.type.element_type for value in (op.operands[0], op.results[0])]
    return (
        all(isinstance(element, QuantizedType) for element in elements)
        and elements[0].declared_storage == elements[1].declared_storage
    )


def reshapes_alike(op: Reshape, violation: Diagnostic) -> bool:
    """Whether quantized values are of unknown sizes, or have the same parameters per axis."""
    operand, result = op.operands[0].type, op.results[0].type
    return reshapes_unknown_sizes(op, violation) or (
        operand.is_static
        and result.is_static
        and has_compatible_elements(operand, result)
        and has_same_parameters(operand, result)
    )


def reshapes_unknown_sizes(op: Reshape, _: Diagnostic) -> bool:
    """Whether a quantized operand or result has unknown sizes, and both store and mean the same."""
    operand, result = op.operands[0].type, op.results[0].type
    x, y = operand.element_type, result.element_type
    return (
        not (operand.is_static and result.is_static)
        and has_same_storage(x, y)
        and x.is_per_tensor == y.is_per_tensor
    )


def multiplies_numbers(op: Operation, _: Diagnostic) -> bool:
    """Whether a product of mixed types has a plain meaning: nothing is quantized."""
    values = (*op.operands[:2], op.results[0])
    return not any(isinstance(value.type.element_type, QuantizedType) for value in values)
