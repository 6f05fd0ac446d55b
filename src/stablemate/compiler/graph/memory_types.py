"""The tensor type in memory of values that are not tensors."""

from __future__ import annotations

from stablemate.ir.types import MemRefType, TensorType, Type
from stablemate.numerics.elements import ComplexType, FloatType, IndexType, IntegerType


def in_memory(value_type: Type) -> Type:
    """The type of a value in memory: a scalar has no dimensions, a buffer is its contents."""
    match value_type:
        case IntegerType() | FloatType() | IndexType() | ComplexType():
            return TensorType((), value_type)
        case MemRefType(tuple(shape), element):
            return TensorType(shape, element)
        case _:
            return value_type
