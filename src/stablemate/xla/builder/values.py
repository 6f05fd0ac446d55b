"""Values of Python and NumPy as literals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.numerics.elements import Array
from stablemate.xla.layout import Layout
from stablemate.xla.literal import Literal
from stablemate.xla.primitive_types import (
    ARRAY_TYPES,
    C64,
    F32,
    PRED,
    S32,
    S64,
    PrimitiveType,
)
from stablemate.xla.shape import Shape

# ``s1`` and ``u1`` are stored as bytes, but bytes are no ``u1``.
BY_DTYPE: Final = {
    primitive_type.dtype: primitive_type
    for primitive_type in ARRAY_TYPES
    if primitive_type.element is not None
}


def constant_like(value: object, element_type: PrimitiveType | None) -> Literal:
    """A literal of a number, nested lists of numbers, or an array.

    Args:
        value: Numbers of Python take the element type given; arrays must have it.
        element_type: Of the literal; None for that of the value.

    Raises:
        ArgumentTypeError: The value is no array, or not of the element type.
        ArgumentValueError: A number cannot be represented.
    """
    if isinstance(value, Literal):
        return value
    array = array_of(value)
    if array is not None:
        primitive_type = BY_DTYPE.get(array.dtype)
        if primitive_type is None or primitive_type is not (element_type or primitive_type):
            expected = element_type or "a type of HLO"
            raise ArgumentTypeError(f"expected elements of {expected}, found {array.dtype}")
        return literal_of(array, primitive_type)
    return literal_of(*of_numbers(value, element_type))


def array_of(value: object) -> Array | None:
    """An array of NumPy, or a scalar as one; None for other values."""
    return np.asarray(cast(Array, value)) if isinstance(value, np.ndarray | np.generic) else None


def items_of(value: object) -> list[object] | None:
    """The items of a list or a tuple; None for other values."""
    return list(cast(Sequence[object], value)) if isinstance(value, list | tuple) else None


def of_numbers(value: object, element_type: PrimitiveType | None) -> tuple[Array, PrimitiveType]:
    """Numbers of Python as an array of an element type."""
    try:
        plain = np.array(value)
    except (ValueError, TypeError, OverflowError):
        plain = np.array(None)
    if plain.dtype.kind not in "biufc":
        kind = type(value).__name__
        raise ArgumentTypeError(f"expected a handle, a number or an array, found {kind}")
    element_type = element_type or default_type(plain)
    if not element_type.is_array:
        raise ArgumentTypeError(f"no constant is of type {element_type}")
    wide = {"pred": "b", "signed": "bi", "unsigned": "biu", "float": "biuf", "complex": "biufc"}
    kinds = wide[element_type.family] + ("i" if element_type.family == "unsigned" else "")
    with np.errstate(all="ignore"):
        array = plain.astype(element_type.dtype)
        is_inexact = element_type.is_integral and not np.array_equal(
            array.astype(object), plain.astype(object)
        )
    if plain.dtype.kind not in kinds or is_inexact:
        raise ArgumentValueError(f"{value} cannot be represented in {element_type}")
    return array, element_type


def default_type(plain: Array) -> PrimitiveType:
    """``pred``, ``s32`` (``s64`` where the numbers need it), ``f32`` or ``c64``."""
    kind = {"b": PRED, "i": S32, "u": S64, "f": F32, "c": C64}[plain.dtype.kind]
    limits = np.iinfo(np.int32)
    if kind is S32 and plain.size and not limits.min <= plain.min() <= plain.max() <= limits.max:
        return S64
    return kind


def literal_of(array: Array, element_type: PrimitiveType) -> Literal:
    """An array as a literal, in the default layout."""
    array = np.array(array, order="C")
    shape = Shape(element_type, array.shape, layout=Layout.row_major(array.ndim))
    return Literal(shape, array)
