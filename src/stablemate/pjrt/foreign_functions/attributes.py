"""Attributes of a call, laid out as handlers read them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablemate.ir.attributes import (
    DenseArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import DType
from stablemate.pjrt.foreign_functions.structures import (
    ARRAY,
    DICTIONARY,
    DTYPES,
    SCALAR,
    STRING,
    Array,
    Attrs,
    ByteSpan,
    Scalar,
)


class UnknownAttributeError(Exception):
    """A handler cannot be given an attribute of this kind."""


class AttributeMemory:
    """The attributes of a call in memory, which lives as long as this.

    Attributes:
        count: How many there are.
        types: The address of their types.
        names: The address of pointers to their names, which are sorted.
        values: The address of pointers to their values.
    """

    def __init__(self, attributes: Mapping[str, Attribute]) -> None:
        """Lays attributes out.

        Raises:
            UnknownAttributeError: One is of a kind that handlers do not know.
        """
        self.kept: list[object] = []
        names = sorted(attributes, key=lambda name: name.encode())
        encoded = [self.value(attributes[name]) for name in names]
        self.count = len(names)
        self.types = self.row(ctypes.c_int32, [kind for kind, _ in encoded])
        self.names = self.row(ctypes.c_void_p, [self.text(name) for name in names])
        self.values = self.row(ctypes.c_void_p, [address for _, address in encoded])

    def keep(self, content: Any) -> int:
        """The address of something that is kept."""
        self.kept.append(content)
        return ctypes.addressof(content)

    def row(self, kind: Any, values: Sequence[int]) -> int:
        """The address of a row of numbers."""
        return self.keep((kind * max(len(values), 1))(*values))

    def text(self, text: str) -> int:
        """The address of a string."""
        content = text.encode("utf-8", "surrogateescape")
        return self.keep(ByteSpan(self.keep(ctypes.create_string_buffer(content)), len(content)))

    def numbers(self, array: NDArray[np.generic]) -> tuple[int, int]:
        """The number of an element type, and the address of elements."""
        laid = np.ascontiguousarray(array)
        self.kept.append(laid)
        return DTYPES[laid.dtype], int(laid.ctypes.data)

    def scalar(self, value: object, dtype: DType) -> tuple[int, int]:
        """The kind and the address of a number."""
        kind, address = self.numbers(np.array(value, dtype))
        return SCALAR, self.keep(Scalar(kind, address))

    def value(self, attribute: Attribute) -> tuple[int, int]:
        """The kind and the address of an attribute."""
        match attribute:
            case IntegerAttribute(value=value, type=value_type):
                return self.scalar(value, getattr(value_type, "dtype", np.dtype(np.int64)))
            case FloatAttribute(value=value, type=value_type):
                return self.scalar(value, value_type.dtype)
            case StringAttribute(value=text):
                return STRING, self.text(text)
            case DenseArrayAttribute(element_type=element_type, numbers=values):
                return self.array(np.array(values, element_type.dtype))
            case DenseElementsAttribute(array=array) if array.ndim == 1:
                return self.array(array)
            case DictionaryAttribute(entries=entries):
                inner = AttributeMemory(entries)
                self.kept.append(inner)
                fields = (inner.count, inner.types, inner.names, inner.values)
                return DICTIONARY, self.keep(Attrs(ctypes.sizeof(Attrs), 0, *fields))
            case _:
                raise UnknownAttributeError(str(attribute))

    def array(self, array: NDArray[np.generic]) -> tuple[int, int]:
        """The kind and the address of an array."""
        kind, address = self.numbers(array)
        return ARRAY, self.keep(Array(kind, array.size, address))
