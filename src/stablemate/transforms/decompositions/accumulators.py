"""Reductions in a type that is wider than the elements: the elements are converted first.

Promotion is exact, or the specification's for quantized elements: nothing but the place of the
conversion changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.reducers import returned_values
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Region, Value
from stablemate.ir.rewriter import Replacement
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import ElementType, QuantizedType
from stablemate.transforms.decompositions.quantized import dequantize, quantize


def reduction_pattern(operation: Operation, builder: Builder) -> Replacement:
    """The pattern of operations whose operands are values and initial values, in equal numbers."""
    elements = accumulators(operation.regions[-1])
    return convert_operands(operation, builder, elements * 2)


def scatter_pattern(operation: Operation, builder: Builder) -> Replacement:
    """The pattern of scatter: inputs, indices and updates."""
    elements = accumulators(operation.regions[0])
    return convert_operands(operation, builder, [*elements, None, *elements])


def select_and_scatter_pattern(operation: Operation, builder: Builder) -> Replacement:
    """The pattern of select_and_scatter: its operand is only looked at."""
    (element,) = accumulators(operation.regions[1])
    return convert_operands(operation, builder, [None, element, element])


def accumulators(region: Region) -> list[ElementType | None]:
    """The element type of each value that a region combines."""
    types = [value.type for value in returned_values(region)]
    return [
        value_type.element_type if isinstance(value_type, TensorType) else None
        for value_type in types
    ]


def convert_operands(
    operation: Operation, builder: Builder, elements: Sequence[ElementType | None]
) -> Replacement:
    """The operation on operands of these element types; None if it has them already."""
    operands = [
        promote_value(value, element, builder)
        for value, element in zip(operation.operands, elements, strict=True)
    ]
    if operands == list(operation.operands):
        return None
    replacement = type(operation)(
        operands,
        [value.type for value in operation.results],
        operation.attributes,
        operation.regions,
        discardable=operation.discardable,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(replacement)
    return replacement.results


def promote_value(value: Value[Type], element: ElementType | None, builder: Builder) -> Value[Type]:
    """A value in the type to which its elements can be promoted."""
    operand_type = value.type
    if (
        element is None
        or not isinstance(operand_type, TensorType)
        or operand_type.element_type == element
    ):
        return value
    new_type = operand_type.with_element(element)
    if isinstance(element, QuantizedType):
        return quantize(dequantize(value, builder), new_type, builder)
    return builder.create(Convert, operand=value, results=[new_type]).results[0]
