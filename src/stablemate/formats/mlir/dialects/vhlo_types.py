"""Reads the types of VHLO.

Source: StableHLO, VHLO types; spelled as upstream prints them, empty lists included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.dialects.vhlo import types as vhlo
from stablemate.formats.mlir.dialects.quant_types import read_scale
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.types import Type

TypeReaderFunction = Callable[[TypeReader], Type]


def plain_type(name: str) -> TypeReaderFunction:
    """Returns a reader of a type without parameters."""
    plain_v1_type = vhlo.PlainV1Type(name)
    return lambda reader: plain_v1_type


def read_shape(reader: TypeReader) -> tuple[int, ...]:
    """``<2x?x``: the sizes of a type that has a rank."""
    shape, scalable = reader.dimensions()
    if shape is None or any(scalable):
        reader.error("expected sizes such as 2x?x")
    return shape


def read_complex(reader: TypeReader) -> Type:
    """``<T>``."""
    reader.expect("<")
    element = reader.type()
    reader.expect(">")
    return vhlo.ComplexV1Type(element)


def read_unranked(reader: TypeReader) -> Type:
    """``<T>``."""
    reader.expect("<")
    element = reader.type()
    reader.expect(">")
    return vhlo.UnrankedTensorV1Type(element)


def read_tensor(reader: TypeReader) -> Type:
    """``<2x?xT, encoding>``."""
    shape = read_shape(reader)
    element = reader.type()
    encoding = reader.attribute() if reader.accept(",") else None
    reader.expect(">", "',' or '>'")
    return vhlo.TensorV1Type(shape, element, encoding)


def read_buffer(reader: TypeReader) -> Type:
    """``<2xT>``."""
    shape = read_shape(reader)
    element = reader.type()
    reader.expect(">")
    return vhlo.BufferV1Type(shape, element)


def read_function(reader: TypeReader) -> Type:
    """``<(A, B) -> C, D>``; an empty list is ``()``, so that no arguments are ``(())``."""
    reader.expect("<")
    reader.expect("(")
    inputs = read_types(reader, ")")
    reader.expect("->")
    return vhlo.FunctionV1Type(inputs, read_types(reader, ">"))


def read_types(reader: TypeReader, closing: str) -> tuple[Type, ...]:
    """Reads types up to what closes the list; ``()`` alone is an empty list."""
    if reader.accept("("):
        reader.expect(")")
        reader.expect(closing)
        return ()
    return tuple(reader.read_separated(reader.type, closing))


def read_tuple(reader: TypeReader) -> Type:
    """``<A, B>``."""
    return vhlo.TupleV1Type(tuple(reader.read_enclosed("<", reader.type)))


def read_future(reader: TypeReader) -> Type:
    """``<A, B>``."""
    return vhlo.FutureV1Type(tuple(reader.read_enclosed("<", reader.type)))


def read_storage(reader: TypeReader) -> tuple[Type, Type]:
    """``<storage:expressed,``."""
    reader.expect("<")
    storage = reader.type()
    reader.expect(":")
    expressed = reader.type()
    reader.expect(",")
    return storage, expressed


def read_range(reader: TypeReader) -> tuple[int, int, int]:
    """``, minimum:maximum, flags>``."""
    reader.expect(",")
    minimum = reader.integer_or_boolean("the smallest stored value")
    reader.expect(":")
    maximum = reader.integer_or_boolean("the largest stored value")
    reader.expect(",")
    flags = reader.integer_or_boolean("flags")
    reader.expect(">")
    return minimum, maximum, flags


def read_quantized(reader: TypeReader) -> Type:
    """``<storage:expressed, scale:zero point, minimum:maximum, flags>``."""
    storage, expressed = read_storage(reader)
    scale = read_scale(reader)
    reader.expect(":")
    zero_point = reader.integer_or_boolean("a zero point")
    return vhlo.QuantizedV1Type(storage, expressed, scale, zero_point, *read_range(reader))


def read_quantized_per_axis(reader: TypeReader) -> Type:
    """``<storage:expressed, axis, [scales], [zero points], minimum:maximum, flags>``."""
    storage, expressed = read_storage(reader)
    axis = reader.integer_or_boolean("a dimension")
    reader.expect(",")
    scales = tuple(reader.read_enclosed("[", lambda: read_scale(reader)))
    reader.expect(",")
    zero_points = reader.integers()
    return vhlo.QuantizedPerAxisV1Type(
        storage, expressed, axis, scales, zero_points, *read_range(reader)
    )


TYPES: Final[dict[str, TypeReaderFunction]] = {
    **{str(vhlo.PlainV1Type(name)): plain_type(name) for name in vhlo.PLAIN_TYPES},
    "!vhlo.complex_v1": read_complex,
    "!vhlo.func_v1": read_function,
    "!vhlo.tensor_v1": read_tensor,
    "!vhlo.unranked_tensor_v1": read_unranked,
    "!vhlo.buffer_v1": read_buffer,
    "!vhlo.tuple_v1": read_tuple,
    "!vhlo.future_v1": read_future,
    "!vhlo.quant_v1": read_quantized,
    "!vhlo.quant_per_axis_v1": read_quantized_per_axis,
}
