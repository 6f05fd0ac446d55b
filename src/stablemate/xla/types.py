"""Shapes of HLO as types of StableHLO, and back.

Source: StableHLO specification, "Types"; XLA, ``ShapeProto``.
"""

from __future__ import annotations

from functools import lru_cache

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.types import (
    DYNAMIC,
    TOKEN,
    BoundsAttribute,
    MemRefType,
    TensorType,
    TokenType,
    TupleType,
    Type,
)
from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import BUFFER, BY_ELEMENT
from stablemate.xla.primitive_types import TOKEN as TOKEN_TYPE
from stablemate.xla.shape import TOKEN_SHAPE, UNBOUNDED, Shape, buffer_of


@lru_cache(maxsize=4096)
def type_of(shape: Shape) -> Type:
    """The type of a shape; layouts are gone.

    Raises:
        UnsupportedError: StableHLO has no such type: opaque values, ``s1``.
    """
    if shape.is_tuple:
        return TupleType(tuple(type_of(element) for element in shape.elements))
    if shape.element_type is TOKEN_TYPE:
        return TOKEN
    if shape.element_type is BUFFER:
        return buffer_type(shape)
    element = shape.element_type.element
    if element is None:
        raise UnsupportedError(f"StableHLO has no type for {shape}")
    if not shape.dynamic:
        return TensorType(shape.dimensions, element)
    sizes = tuple(
        DYNAMIC if dynamic else size
        for size, dynamic in zip(shape.dimensions, shape.dynamic, strict=True)
    )
    bounds = tuple(
        size if dynamic and size != UNBOUNDED else DYNAMIC
        for size, dynamic in zip(shape.dimensions, shape.dynamic, strict=True)
    )
    bounded = any(bound != DYNAMIC for bound in bounds)
    return TensorType(sizes, element, BoundsAttribute(bounds) if bounded else None)


def buffer_type(shape: Shape) -> MemRefType:
    """``memref<4xf32>`` of ``b(f32[4])``.

    Raises:
        UnsupportedError: StableHLO has no such elements.
    """
    (contents,) = shape.elements
    tensor = type_of(contents)
    if not isinstance(tensor, TensorType) or not tensor.is_static:
        raise UnsupportedError(f"StableHLO has no type for {shape}")
    return MemRefType(tensor.shape, tensor.element_type)


def shape_of(value_type: Type) -> Shape:
    """The shape of a type, in the default layout.

    Raises:
        UnsupportedError: HLO has no such shape.
    """
    match value_type:
        case TupleType():
            return Shape.tuple_of([shape_of(element_type) for element_type in value_type.types])
        case TokenType():
            return TOKEN_SHAPE
        case MemRefType() if value_type.shape is not None:
            return buffer_of(shape_of(TensorType(value_type.shape, value_type.element_type)))
        case TensorType() if value_type.element_type in BY_ELEMENT:
            return array_shape(value_type)
        case _:
            raise UnsupportedError(f"HLO has no shape for {value_type}")


def array_shape(tensor: TensorType) -> Shape:
    """The shape of a tensor: bounds become sizes of dynamic dimensions."""
    primitive = BY_ELEMENT[tensor.element_type]
    layout = Layout.row_major(tensor.rank)
    if tensor.is_static:
        return Shape(primitive, tensor.shape, layout=layout)
    bounds = tensor.bounds or (DYNAMIC,) * tensor.rank
    sizes = tuple(
        size if size != DYNAMIC else bound if bound != DYNAMIC else UNBOUNDED
        for size, bound in zip(tensor.shape, bounds, strict=True)
    )
    return Shape(primitive, sizes, tuple(size == DYNAMIC for size in tensor.shape), layout)
