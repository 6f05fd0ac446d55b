"""The parameters of computations that are applied to elements."""

from __future__ import annotations

from collections.abc import Iterable

from stablemate.xla.builder.argument_types import array_shape
from stablemate.xla.shape import Shape


def scalars(shapes: Iterable[Shape]) -> list[Shape]:
    """A scalar of the element type of each."""
    return [array_shape(shape.element_type, ()) for shape in shapes]
