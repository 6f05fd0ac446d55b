"""Rewrites operations on quantized tensors as operations on dequantized values.

Source: StableHLO specification, ``dequantize_op_quantize``.
"""

from __future__ import annotations

from typing import Any

from stablemate.dialects.stablehlo.uniform_dequantize import UniformDequantize
from stablemate.dialects.stablehlo.uniform_quantize import UniformQuantize
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import QuantizedType


def on_floats(pattern: Pattern) -> Pattern:
    """The pattern of an operation, for quantized tensors too."""

    def rewrite(operation: Operation, builder: Builder) -> Replacement:
        if not any(is_quantized(operand) for operand in (*operation.operands, *operation.results)):
            return pattern(operation, builder)
        replacement = type(operation)(
            [dequantize(operand, builder) for operand in operation.operands],
            [expressed_type(value.type) for value in operation.results],
            operation.attributes,
            operation.regions,
            discardable=operation.discardable,
            location=operation.location,
            span=operation.span,
        )
        builder.block.append(replacement)
        return [
            quantize(value, old.type, builder)
            for value, old in zip(replacement.results, operation.results, strict=True)
        ]

    return rewrite


def is_quantized(value: Value[Type]) -> bool:
    """Whether a value is a quantized tensor."""
    return isinstance(value.type, TensorType) and isinstance(value.type.element_type, QuantizedType)


def expressed_type(value_type: Any) -> Any:
    """The expressed type of a tensor."""
    element = value_type.element_type
    if not isinstance(element, QuantizedType):
        return value_type
    return value_type.with_element(element.expressed)


def dequantize(value: Value, builder: Builder) -> Value:
    """The dequantized value of a tensor."""
    if not is_quantized(value):
        return value
    return builder.create(
        UniformDequantize, operand=value, results=[expressed_type(value.type)]
    ).results[0]


def quantize(
    value: Value[TensorType], quantized_type: object, builder: Builder
) -> Value[TensorType]:
    """A value quantized to a type."""
    if value.type == quantized_type:
        return value
    return builder.create(UniformQuantize, operand=value, results=[quantized_type]).results[0]
