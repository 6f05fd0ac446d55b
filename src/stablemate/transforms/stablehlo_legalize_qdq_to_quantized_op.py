"""stablehlo-legalize-qdq-to-quantized-op: what is computed on floats between a dequantization and a
quantization, as one operation on quantized tensors.

The float operation stays where it stands; ``canonicalize`` removes it if nobody else uses it.

Source: StableHLO specification, ``dequantize_op_quantize``, from right to left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.dialects.stablehlo.uniform_dequantize import UniformDequantize
from stablemate.dialects.stablehlo.uniform_quantize import UniformQuantize
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import Type
from stablemate.ir.verifier import operation_violations
from stablemate.transforms.decompositions.quantized import is_quantized
from stablemate.transforms.stablehlo_legalize_quantized_op_to_qdq import NAMES


def fuse_quantized_operation(operation: UniformQuantize, builder: Builder) -> Replacement:
    """The operation on quantized tensors; None if the operands are not dequantized ones."""
    value = operation.operand
    computed = value.operation if isinstance(value, OpResult) else None
    if computed is None or computed.name not in NAMES or computed.regions:
        return None
    stored = stored_operands(computed)
    if not stored or len(computed.results) != 1:
        return None
    quantized: Operation = type(computed)(
        stored,
        [operation.results[0].type],
        computed.attributes,
        discardable=computed.discardable,
        location=computed.location,
        span=computed.span,
    )
    if next(operation_violations(quantized), None) is not None:
        return None
    builder.block.append(quantized)
    return quantized.results[0]


def stored_operands(computed: Operation) -> Sequence[Value[Type]]:
    """The quantized values from which all operands were dequantized; none if one was not."""
    values: list[Value[Type]] = []
    for operand in computed.operands:
        maker = operand.operation if isinstance(operand, OpResult) else None
        if is_quantized(operand) or not isinstance(maker, UniformDequantize):
            return ()
        values.append(maker.operands[0])
    return values


PATTERNS: Final[Mapping[str, Pattern]] = {"stablehlo.uniform_quantize": fuse_quantized_operation}
