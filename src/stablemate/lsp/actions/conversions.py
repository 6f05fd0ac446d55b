"""Which operation makes a value of one type one of another."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from stablemate.ir.types import TensorType
from stablemate.xla.shape import Shape


class ArrayType(NamedTuple):
    """The type of an array in MLIR and in HLO: its element type, and its static sizes."""

    element: object
    sizes: tuple[int, ...] | None


def array_of(value_type: object) -> ArrayType | None:
    """A tensor type or a shape as an array; None if it is none."""
    if isinstance(value_type, TensorType):
        return ArrayType(
            value_type.element_type, value_type.shape if value_type.is_static else None
        )
    if isinstance(value_type, Shape) and value_type.is_array:
        is_static = not any(value_type.dynamic) and min(value_type.dimensions, default=0) >= 0
        return ArrayType(value_type.element_type, value_type.dimensions if is_static else None)
    return None


def conversion(actual: object, wanted: object) -> str | None:
    """The operation from one type to another: ``convert``, ``reshape``, or None if neither does."""
    old, new = array_of(actual), array_of(wanted)
    if old is None or new is None or old.sizes is None or new.sizes is None:
        return None
    if old.sizes == new.sizes:
        return "convert" if old.element != new.element else None
    if old.element == new.element and prod(old.sizes) == prod(new.sizes):
        return "reshape"
    return None
