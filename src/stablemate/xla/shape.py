"""Shapes: element type, dimensions and layout of an array, or a tuple of shapes.

Source: XLA, "Shapes and layout"; ``ShapeProto``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import BUFFER, OPAQUE, TOKEN, TUPLE, PrimitiveType

UNBOUNDED: Final = -1  # the size of a dimension written ``?``


@dataclass(frozen=True, slots=True)
class Shape:
    """``f32[<=5,3]{1,0}``, ``(s32[], token[])``, ``opaque[]``, ``b(f32[4])``.

    Attributes:
        element_type: What an element is; TUPLE, TOKEN, OPAQUE and BUFFER are no arrays.
        dimensions: Sizes; of dynamic dimensions the bounds, UNBOUNDED for ``?``.
        dynamic: Which dimensions are dynamic; empty when none is.
        layout: How the array lies in memory; None if nothing is said.
        elements: The parts of a tuple; the array behind a buffer.
    """

    element_type: PrimitiveType
    dimensions: tuple[int, ...] = ()
    dynamic: tuple[bool, ...] = ()
    layout: Layout | None = None
    elements: tuple[Shape, ...] = ()

    @classmethod
    def tuple_of(cls, elements: Sequence[Shape]) -> Shape:
        """A tuple."""
        return cls(TUPLE, elements=tuple(elements))

    @property
    def is_array(self) -> bool:
        """Whether this is an array."""
        return self.element_type.is_array

    @property
    def is_tuple(self) -> bool:
        """Whether this is a tuple."""
        return self.element_type is TUPLE

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.dimensions)

    @property
    def is_static(self) -> bool:
        """Whether no dimension, of any part, is dynamic."""
        return not self.dynamic and all(each.is_static for each in self.elements)

    def leaves(self) -> Iterator[tuple[tuple[int, ...], Shape]]:
        """All parts that are no tuples with their indices, in order; a non-tuple is its own."""
        stack: list[tuple[tuple[int, ...], Shape]] = [((), self)]
        while stack:
            index, shape = stack.pop()
            if shape.is_tuple:
                parts = [((*index, i), each) for i, each in enumerate(shape.elements)]
                stack.extend(reversed(parts))
            else:
                yield index, shape


TOKEN_SHAPE: Final = Shape(TOKEN)
OPAQUE_SHAPE: Final = Shape(OPAQUE)


def buffer_of(shape: Shape) -> Shape:
    """``b(shape)``: a mutable reference to an array."""
    return Shape(BUFFER, elements=(shape,))
