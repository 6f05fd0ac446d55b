"""Computes what XLA's inference of shapes that are not written adds to StableHLO's.

Operands may differ in float type, a scalar may stand beside an array, and a size of 1 beside
another. Where the shape is that of an operand, so is the layout.

Source: XLA, ``ShapeInference``, ``InferElementwiseBinaryOpShape``, ``HigherPrecisionElementType``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from stablemate.xla.layout import Layout
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.primitive_types import BF16, PrimitiveType
from stablemate.xla.shape import Shape

# Elementwise opcodes of two operands.
BINARY: Final = [name for name, row in OPCODES.items() if row.elementwise and row.least == 2]


def with_layouts(
    opcode: str, shape: Shape, operands: Sequence[Shape], attributes: Mapping[str, Any]
) -> Shape:
    """Returns an inferred shape with the layout that XLA gives it."""
    if opcode == "transpose":
        return transposed_layout(shape, operands[0], attributes["dimensions"])
    first = OPCODES[opcode].layout_operand
    if first is None:
        return shape
    if shape.is_tuple:
        pairs = zip(shape.elements, operands[first:], strict=False)
        return Shape.tuple_of([with_layout_of(element, operand) for element, operand in pairs])
    return with_layout_of(shape, operands[first])


def with_layout_of(shape: Shape, operand: Shape) -> Shape:
    """Returns the shape with the layout of an operand of the same dimensions."""
    same = shape.is_array and shape.dimensions == operand.dimensions
    return replace(shape, layout=operand.layout) if same else shape


def transposed_layout(shape: Shape, operand: Shape, dimensions: Sequence[int]) -> Shape:
    """Returns the shape with the layout in which the transpose moves no element."""
    if operand.layout is None:
        return shape
    place = {dimension: i for i, dimension in enumerate(dimensions)}
    order = tuple(place[dimension] for dimension in operand.layout.minor_to_major)
    return replace(shape, layout=replace(operand.layout, minor_to_major=order))


# ---- operands


def shapes_for_inference(opcode: str, operands: Sequence[Shape]) -> list[Shape]:
    """Returns the shapes of operands by which the shape of the result is inferred."""
    if opcode not in PROMOTIONS or not all(operand.is_array for operand in operands):
        return list(operands)
    return PROMOTIONS[opcode](operands)


def higher(first: PrimitiveType, second: PrimitiveType) -> PrimitiveType:
    """Returns the float type of more bits; of 16 bits, that with the greater range."""
    if first.bits == second.bits:
        return second if second is BF16 else first
    return first if first.bits > second.bits else second


def of_one_type(operands: Sequence[Shape]) -> list[Shape]:
    """Returns floats in the type of the highest precision; anything else as it is."""
    types = [operand.element_type for operand in operands]
    if any(one.family != "float" for one in types):
        return list(operands)
    element = reduce(higher, types)
    return [replace(operand, element_type=element) for operand in operands]


def of_one_shape(operands: Sequence[Shape]) -> list[Shape]:
    """Returns the operands of an elementwise operation with scalars and sizes of 1 spread.

    Where one is spread, XLA gives the result the default layout.
    """
    same_type = of_one_type(operands)
    widest = max(same_type, key=lambda operand: operand.rank)
    ranked = [operand for operand in same_type if operand.rank]
    if any(operand.rank != widest.rank or operand.dynamic for operand in ranked):
        return same_type
    sizes = tuple(
        next((size for size in column if size != 1), 1)
        for column in zip(*(operand.dimensions for operand in ranked), strict=True)
    )
    fits = all(a in (1, b) for one in ranked for a, b in zip(one.dimensions, sizes, strict=True))
    if not fits or all(operand.dimensions == sizes for operand in same_type):
        return same_type
    layout = Layout.row_major(len(sizes))
    return [replace(operand, dimensions=sizes, layout=layout) for operand in same_type]


def of_the_second(operands: Sequence[Shape]) -> list[Shape]:
    """Returns the bounds of ``clamp`` in the type of its operand, if all are floats."""
    types = [operand.element_type for operand in operands]
    if len(operands) < 2 or any(one.family != "float" for one in types):
        return list(operands)
    return [replace(operand, element_type=types[1]) for operand in operands]


PROMOTIONS: Final[dict[str, Callable[[Sequence[Shape]], list[Shape]]]] = {
    **dict.fromkeys(BINARY, of_one_shape),
    **dict.fromkeys(("concatenate", "pad"), of_one_type),
    "clamp": of_the_second,
    "select": lambda operands: [*operands[:1], *of_one_type(operands[1:])],
}
