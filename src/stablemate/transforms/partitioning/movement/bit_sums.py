"""Sums over devices of which one has a value and all others zero: exact, of bits as integers."""

from __future__ import annotations

from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, ElementType, FloatType, IntegerType
from stablemate.transforms.partitioning.movement.resharding import Resharder
from stablemate.transforms.partitioning.placement import Axes


def is_summable(element: ElementType) -> bool:
    """Whether elements can be added as integers of as many bits."""
    if element == BOOLEAN:
        return True
    return isinstance(element, IntegerType | FloatType) and element.bits in (8, 16, 32, 64)


def sum_of_bits(
    resharder: Resharder, builder: Builder, value: Value[TensorType], axes: Axes
) -> Value[TensorType]:
    """The value of the one device that has no zero, for each element, on all devices."""
    element = value.type.element_type
    if element == BOOLEAN:
        return resharder.all_reduced(builder, value, axes, "or")
    if isinstance(element, IntegerType):
        return resharder.all_reduced(builder, value, axes, "add")
    bits = bitcast(builder, value, value.type.with_element(IntegerType(element.bits, "unsigned")))
    return bitcast(builder, resharder.all_reduced(builder, bits, axes, "add"), value.type)


def bitcast(builder: Builder, value: Value[TensorType], result: TensorType) -> Value[TensorType]:
    """The bits of a value as elements of another type."""
    return builder.create(BitcastConvert, operand=value, results=[result]).results[0]
