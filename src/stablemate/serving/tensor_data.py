"""Elements of tensors in requests and responses: JSON, and bytes behind it.

Source: Open Inference Protocol, tensor data; the binary tensor data extension.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from stablemate.numerics.elements import Array, DType
from stablemate.serving.data_types import json_types
from stablemate.serving.errors import bad_request


def array_of_bytes(data: memoryview[int], shape: Sequence[int], dtype: DType, what: str) -> Array:
    """The array of little-endian elements; a view of them where they are aligned.

    Raises:
        RequestError: There are too few or too many bytes, or a boolean is neither 0 nor 1.
    """
    expected = math.prod(shape) * dtype.itemsize
    if len(data) != expected:
        raise bad_request(
            f"{what} has {len(data)} bytes of binary data, but {list(shape)} elements of "
            f"{dtype.itemsize} bytes are {expected} bytes"
        )
    if dtype.kind == "b" and np.any(np.frombuffer(data, np.uint8) > 1):
        raise bad_request(f"{what} has booleans other than the bytes 0 and 1")
    array = np.frombuffer(data, dtype).reshape(shape)
    return array if array.flags.aligned else array.copy()


def array_of_json(data: object, shape: Sequence[int], dtype: DType, what: str) -> Array:
    """The array of a list of elements, flat or nested as the shape is.

    Raises:
        RequestError: It is no such list, or an element does not fit.
    """
    elements = flat_elements(data, shape, what)
    allowed = json_types(dtype)
    unexpected = set(map(type, elements)) - allowed
    if unexpected:
        found = ", ".join(sorted(map(json_name, unexpected)))
        expected = " or ".join(sorted(map(json_name, allowed)))
        raise bad_request(f"{what} has elements that are {found}; expected {expected}")
    try:
        if dtype.kind in "biu":
            return np.array(elements, dtype).reshape(shape)
        with np.errstate(over="ignore"):  # a number beyond the largest one is infinity
            return np.array(elements, np.float64).astype(dtype).reshape(shape)
    except OverflowError:
        raise bad_request(f"{what} has a number that {dtype} cannot hold") from None


def flat_elements(data: object, shape: Sequence[int], what: str) -> Sequence[object]:
    """The elements of a list, flat or nested as the shape is.

    Raises:
        RequestError: It is neither, or has another number of elements.
    """
    count = math.prod(shape)
    if not isinstance(data, list):
        raise bad_request(f"{what} has data that are {json_name(data.__class__)}, not a list")
    elements = cast("Sequence[Any]", data)
    sizes = shape if any(type(item) is list for item in elements) else [count]
    for depth, size in enumerate(sizes):
        rows = [elements] if depth == 0 else elements
        if any(type(row) is not list or len(row) != size for row in rows):
            raise bad_request(nesting_message(what, shape, count, len(elements), depth))
        elements = elements if depth == 0 else list(chain.from_iterable(rows))
    return elements


def nesting_message(what: str, shape: Sequence[int], count: int, found: int, depth: int) -> str:
    """Says how a list of elements differs from a shape."""
    if depth == 0 and len(shape) <= 1:
        return f"{what} has {found} elements, but the shape {list(shape)} has {count}"
    if depth == 0:
        return f"{what} has a list of {found}, but the shape {list(shape)} has {count} elements"
    return f"{what} has lists that are not nested as the shape {list(shape)} is"


def json_name(kind: type) -> str:
    """JSON's name for the values of a type of Python, in the plural where it has one."""
    names = {bool: "booleans", int: "integers", float: "numbers", str: "strings", list: "lists"}
    return names.get(kind, "objects" if kind is dict else "null")


def bytes_of_array(array: Array) -> memoryview[int]:
    """The little-endian elements of an array."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def json_of_array(array: Array) -> list[object]:
    """The elements of an array as a flat list of numbers of Python."""
    flat = array.reshape(-1)
    elements: list[Any] = (flat if flat.dtype.kind in "biuf" else flat.astype(np.float32)).tolist()
    return elements
