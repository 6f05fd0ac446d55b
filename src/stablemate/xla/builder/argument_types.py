"""The types of builder arguments, and their conversion to shapes and element types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.numerics.elements import DType
from stablemate.xla.builder.values import BY_DTYPE
from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import PRIMITIVE_TYPES, PrimitiveType
from stablemate.xla.shape import Shape

Operand: TypeAlias = object  # a handle, or what can be a constant beside one
Computation: TypeAlias = object  # a module, a builder, or a callable of handles
ShapeLike: TypeAlias = Shape | str
TypeLike: TypeAlias = PrimitiveType | str | type | DType
Integers: TypeAlias = Sequence[int]

BY_NUMPY_NAME: Final = {dtype.name: primitive_type for dtype, primitive_type in BY_DTYPE.items()}


def as_shape(shape: ShapeLike) -> Shape:
    """A shape, or the shape of a text; arrays without a layout get the row-major one.

    Raises:
        ArgumentTypeError: It is neither.
    """
    if isinstance(shape, str):
        return Shape(shape)
    if not isinstance(cast(object, shape), Shape):
        raise ArgumentTypeError(f"a shape is a Shape or its text, not {type(shape).__name__}")
    if shape.is_array and shape.layout is None:
        return replace(shape, layout=Layout.row_major(shape.rank))
    if shape.elements:
        return replace(shape, elements=tuple(map(as_shape, shape.elements)))
    return shape


def as_type(element_type: TypeLike) -> PrimitiveType:
    """An element type: itself, its name in any case, or the type or name that NumPy has for it.

    Raises:
        ArgumentValueError: There is none of that name.
    """
    text = element_type.name if isinstance(element_type, np.dtype) else str(element_type)
    text = element_type.__name__ if isinstance(element_type, type) else text
    primitive_type = PRIMITIVE_TYPES.get(text.lower()) or BY_NUMPY_NAME.get(text)
    if primitive_type is None or not primitive_type.is_array:
        raise ArgumentValueError(f"there is no element type {element_type}")
    return primitive_type


def array_shape(
    element_type: PrimitiveType, dimensions: Integers, dynamic: Sequence[bool] = ()
) -> Shape:
    """An array in the default layout."""
    flags = tuple(dynamic) if any(dynamic) else ()
    return Shape(element_type, tuple(dimensions), flags, Layout.row_major(len(dimensions)))
