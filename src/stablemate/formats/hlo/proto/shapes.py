"""Reads and writes shapes and layouts as messages.

Source: XLA, ``ShapeProto``, ``LayoutProto``, ``ProgramShapeProto``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from stablemate.formats.hlo.proto.messages import MessageError, Proto, message_class
from stablemate.xla.layout import Layout, SplitConfig
from stablemate.xla.primitive_types import BUFFER, BY_NUMBER, TUPLE, PrimitiveType
from stablemate.xla.shape import UNBOUNDED, Shape
from stablemate.xla.values import ProgramShape

UNBOUNDED_SIZE: Final = -(1 << 63)  # the size of ``?`` in the protocol


def read_shape(proto: Proto) -> Shape:
    """Returns the shape in a message; equal shapes are the same object.

    Raises:
        Fault: The message is no shape.
    """
    return shape_of_bytes(proto.SerializeToString())


@lru_cache(maxsize=1 << 14)
def shape_of_bytes(data: bytes) -> Shape:
    """Returns the shape in an encoded message."""
    return shape_of(message_class("ShapeProto").FromString(data))


def shape_of(proto: Proto) -> Shape:
    """Returns the shape in a message."""
    element_type = BY_NUMBER.get(proto.element_type)
    if element_type is None:
        raise MessageError(f"expected the number of a primitive type, got {proto.element_type}")
    if not element_type.is_array:
        return compound_shape(
            element_type, [shape_of(tuple_shape) for tuple_shape in proto.tuple_shapes]
        )
    dynamic = tuple(proto.is_dynamic_dimension) if any(proto.is_dynamic_dimension) else ()
    rank = len(proto.dimensions)
    if dynamic and len(dynamic) != rank:
        raise MessageError(f"expected {rank} values of is_dynamic_dimension, got {len(dynamic)}")
    sizes = tuple(
        UNBOUNDED if size == UNBOUNDED_SIZE and dynamic and dynamic[i] else size
        for i, size in enumerate(proto.dimensions)
    )
    for i, size in enumerate(sizes):
        if size < (UNBOUNDED if dynamic and dynamic[i] else 0):
            raise MessageError(f"expected sizes of dimensions from 0, got {size}")
    layout = read_layout(proto.layout, rank) if proto.HasField("layout") else None
    return Shape(element_type, sizes, dynamic, layout)


def compound_shape(element_type: PrimitiveType, elements: list[Shape]) -> Shape:
    """Returns a tuple, a buffer, or a shape without elements."""
    if element_type is BUFFER and len(elements) != 1:
        raise MessageError(f"expected one shape in a buffer, got {len(elements)}")
    parts = tuple(elements) if element_type in (TUPLE, BUFFER) else ()
    return Shape(element_type, elements=parts)


def read_layout(proto: Proto, rank: int) -> Layout:
    """Returns the layout of an array."""
    order = tuple(proto.minor_to_major)
    if len(order) != rank:
        raise MessageError(f"expected a layout of {rank} dimensions, got one of {len(order)}")
    if order == Layout.row_major(rank).minor_to_major and is_plain(proto):
        return Layout.row_major(rank)
    return Layout(
        order,
        tuple(tuple(tile.dimensions) for tile in proto.tiles),
        proto.tail_padding_alignment_in_elements or 1,
        index_type(proto.index_primitive_type),
        index_type(proto.pointer_primitive_type),
        proto.element_size_in_bits,
        proto.memory_space,
        tuple(
            SplitConfig(split_config.dimension, tuple(split_config.split_indices))
            for split_config in proto.split_configs
        ),
        proto.dynamic_shape_metadata_prefix_bytes,
    )


def is_plain(proto: Proto) -> bool:
    """Whether a layout is only an order of dimensions."""
    present = {field.name for field, _ in proto.ListFields()} - {"minor_to_major"}
    padding = proto.tail_padding_alignment_in_elements
    return padding <= 1 and present <= {"tail_padding_alignment_in_elements"}


def index_type(number: int) -> PrimitiveType | None:
    """Returns the type of indices or pointers; None if it is not set."""
    if number and number not in BY_NUMBER:
        raise MessageError(f"expected the number of a primitive type, got {number}")
    return BY_NUMBER[number] if number else None


def read_program_shape(proto: Proto) -> ProgramShape:
    """Returns the shapes of parameters and result; generated parameter names are dropped."""
    parameters = tuple(read_shape(parameter) for parameter in proto.parameters)
    names = tuple(proto.parameter_names)
    made_up = names == tuple(f"p{i}" for i in range(len(parameters)))
    return ProgramShape(parameters, read_shape(proto.result), () if made_up else names)


def write_program_shape(proto: Proto, program: ProgramShape) -> None:
    """Writes the shapes of parameters and result."""
    for shape in program.parameters:
        proto.parameters.add().CopyFrom(shape_proto(shape))
    proto.result.CopyFrom(shape_proto(program.result))
    made_up = (f"p{i}" for i in range(len(program.parameters)))
    proto.parameter_names.extend(program.names or made_up)


@lru_cache(maxsize=1 << 14)
def shape_proto(shape: Shape) -> Proto:
    """Returns the message of a shape, which callers must not modify."""
    proto = message_class("ShapeProto")(element_type=shape.element_type.number)
    for element in shape.elements:
        proto.tuple_shapes.add().CopyFrom(shape_proto(element))
    if shape.is_array:
        sizes = (UNBOUNDED_SIZE if size == UNBOUNDED else size for size in shape.dimensions)
        proto.dimensions.extend(sizes)
        proto.is_dynamic_dimension.extend(shape.dynamic or (False,) * shape.rank)
        if shape.layout is not None:
            write_layout(proto.layout, shape.layout)
    return proto


def write_layout(proto: Proto, layout: Layout) -> None:
    """Writes a layout: minor-to-major order, tiles and memory space."""
    proto.minor_to_major.extend(layout.minor_to_major)
    for tile in layout.tiles:
        proto.tiles.add(dimensions=tile)
    proto.tail_padding_alignment_in_elements = layout.tail_padding
    if layout.index_type is not None:
        proto.index_primitive_type = layout.index_type.number
    if layout.pointer_type is not None:
        proto.pointer_primitive_type = layout.pointer_type.number
    proto.element_size_in_bits = layout.element_bits
    proto.memory_space = layout.memory_space
    for split in layout.splits:
        proto.split_configs.add(dimension=split.dimension, split_indices=split.indices)
    proto.dynamic_shape_metadata_prefix_bytes = layout.dynamic_prefix_bytes
