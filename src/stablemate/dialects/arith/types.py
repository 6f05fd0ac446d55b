"""Types of arith: scalars, and tensors and vectors of them.

A run-time value of a scalar type is a NumPy scalar, or an array of rank 0 where NumPy has none.

Source: MLIR arith dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import TensorType, Type, UnrankedTensorType, VectorType
from stablemate.numerics.elements import (
    BOOLEAN,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)


def element_of(value_type: Type) -> ElementType | None:
    """The element type of a tensor or vector; a scalar type is its own."""
    match value_type:
        case TensorType() | UnrankedTensorType() | VectorType():
            return value_type.element_type
        case IntegerType() | FloatType() | IndexType() | ComplexType() | QuantizedType():
            return value_type
        case _:
            return None


def with_element(value_type: Type, element: ElementType) -> Type:
    """The same container of other elements, without an encoding."""
    match value_type:
        case TensorType():
            return TensorType(value_type.shape, element)
        case UnrankedTensorType():
            return UnrankedTensorType(element)
        case VectorType():
            return VectorType(value_type.shape, element, value_type.scalable)
        case _:
            return element


def predicate_of(value_type: Type) -> Type:
    """The same container of booleans, with its encoding: what a comparison returns."""
    if isinstance(value_type, TensorType):
        return value_type.with_element(BOOLEAN)
    return with_element(value_type, BOOLEAN)


def is_signless(element: ElementType | None) -> bool:
    """Whether an element type is an integer without sign semantics."""
    return isinstance(element, IntegerType) and element.signedness == "signless"


def is_signless_or_index(element: ElementType | None) -> bool:
    """A signless integer, or an index."""
    return isinstance(element, IndexType) or is_signless(element)


def is_boolean_element(element: ElementType | None) -> bool:
    """``i1``."""
    return element == BOOLEAN


def is_float_element(element: ElementType | None) -> bool:
    """Whether an element type is a floating-point type."""
    return isinstance(element, FloatType)


def is_signless_or_float(element: ElementType | None) -> bool:
    """A signless integer, or a floating-point type."""
    return is_signless(element) or is_float_element(element)


def like(description: str, accepts: Callable[[ElementType | None], bool]) -> TypeConstraint[Type]:
    """Scalars of these types, and tensors and vectors of them."""
    return TypeConstraint(description, lambda candidate: accepts(element_of(candidate)))


INTEGER_LIKE: Final = like("signless integer or index, or tensor of them", is_signless_or_index)
FIXED_WIDTH_LIKE: Final = like("signless integer, or tensor of them", is_signless)
FLOAT_LIKE: Final = like("float, or tensor of them", is_float_element)
BOOLEAN_LIKE: Final = like("i1, or tensor of them", is_boolean_element)
BITS_LIKE: Final = like("signless integer or float, or tensor of them", is_signless_or_float)


def same_types(types: Sequence[Type]) -> bool:
    """Whether all these types are equal."""
    return all(other == types[0] for other in types[1:])
