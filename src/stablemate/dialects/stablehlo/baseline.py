"""Types compared without quantization parameters, and functions of quantized tensors.

Source: StableHLO specification, "Quantization computations": ``baseline_type``,
``dequantize_op_quantize``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.core import Operation
from stablemate.ir.shapes import compatible
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import ElementType, QuantizedType
from stablemate.numerics.quantization import baseline, dequantize, quantize


def baseline_type(tensor_type: TensorType) -> TensorType:
    """The type with default quantization parameters."""
    return tensor_type.with_element(baseline(tensor_type.element_type))


def same_baseline(a: TensorType, b: TensorType) -> bool:
    """Whether two types are compatible, quantization parameters aside."""
    return compatible(baseline_type(a), baseline_type(b))


def differ_in_sign(a: ElementType, b: ElementType) -> bool:
    """Whether of two quantized types one stores signed and the other unsigned numbers.

    ``u8<0:127>`` and ``i8<0:127>`` are the same, as in upstream.
    """
    if not isinstance(a, QuantizedType) or not isinstance(b, QuantizedType):
        return False
    return a.storage != b.storage and not has_same_storage(a, b)


def has_same_storage(a: ElementType, b: ElementType) -> bool:
    """Whether two quantized types store the same range of numbers, which express one type.

    ``u8<0:127>`` is ``i8<0:127>``, as in upstream.
    """
    if not isinstance(a, QuantizedType) or not isinstance(b, QuantizedType):
        return False
    ranges = [(x.declared_storage, x.storage_min, x.storage_max, x.expressed) for x in (a, b)]
    return ranges[0] == ranges[1]


def with_declared_parameters(op: Operation, inferred: TensorType) -> TensorType:
    """The inferred type of the single result, with the declared scales and zero points.

    They are free: no constraint ties them to the operands.
    """
    declared = op.results[0].type if op.results else None
    if not isinstance(declared, TensorType):
        return inferred
    element = declared.element_type
    agrees = baseline(element) == baseline(inferred.element_type)
    return inferred.with_element(element) if agrees else inferred


def expressed_type(element: ElementType) -> ElementType:
    """The expressed type of quantized elements; other element types are themselves."""
    return element.expressed if isinstance(element, QuantizedType) else element


def lift_to_quantized(
    function: Function, operands: Sequence[ElementType], result: ElementType
) -> Function:
    """A function of floats, lifted to operands and a result some of which are quantized."""

    def on_stored(*values: object) -> object:
        floats = function(
            *[number(x, operand) for x, operand in zip(values, operands, strict=True)]
        )
        return quantize(floats, result) if isinstance(result, QuantizedType) else floats

    return on_stored


def number(values: Any, element: ElementType) -> Any:
    """Stored values as floats; values that are not quantized are unchanged."""
    return dequantize(values, element) if isinstance(element, QuantizedType) else values
