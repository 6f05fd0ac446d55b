"""constant, constant_like: literals of StableHLO."""

from __future__ import annotations

import numpy as np

from stablemate.dialects.chlo.attributes import ComplexNumber
from stablemate.dialects.chlo.constant import ConstantLike, TypedNumber
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import FloatAttribute, float_of_bits
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array, ElementType
from stablemate.transforms.chlo.expressions import Formula
from stablemate.transforms.chlo.patterns import retype_value


def constant(operation: Constant, builder: Builder) -> Value:
    """Rewrites ``chlo.constant`` as the constant of StableHLO."""
    value = operation.attributes["value"]
    return builder.create(Constant, value=value, results=[operation.output.type]).results[0]


def constant_like(operation: ConstantLike, builder: Builder) -> Value[Type]:
    """The number, as often as the operand has elements."""
    result = operation.result.type
    data = one_element(operation.value, result.element_type)
    value = Formula(builder, operation.operand).fill(data, result.element_type).value
    return retype_value(value, result, builder)


def one_element(number: TypedNumber, element: ElementType) -> Array:
    """A number as an array; ``(1,)``."""
    match number:
        case ComplexNumber(real, imag):
            parts = [scalar(part) for part in (real, imag)]
            return np.array(parts, element.dtype.type(0).real.dtype).view(element.dtype)
        case FloatAttribute():
            return np.array([scalar(number)], element.dtype)
        case _:
            return np.array([number.value]).astype(element.dtype)


def scalar(number: FloatAttribute) -> object:
    """A float as a NumPy scalar, all bits kept."""
    return float_of_bits(number.bits, number.type)
