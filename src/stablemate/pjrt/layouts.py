"""Layouts of buffers: the order of their dimensions in memory."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from stablemate.dialects.stablehlo.indexing import inverse
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.core import OpResult, Value
from stablemate.ir.types import TensorType
from stablemate.pjrt.interface.structures import TILED_LAYOUT, TiledLayout
from stablemate.pjrt.native.layouts import MAXIMUM_RANK
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject, array_at, object_at
from stablemate.pjrt.status import ErrorCode, PjrtError

LAYOUT_MODE: Final = "mhlo.layout_mode"
ROW_MAJOR_MODES: Final = ("default", "auto")
MINOR_TO_MAJOR: Final = re.compile(r"\{([0-9,]*)(?::E\(\d+\))?\}")


class DimensionOrder(NativeObject):
    """An order of dimensions.

    Attributes:
        major_to_minor: The order.
    """

    def __init__(self, major_to_minor: tuple[int, ...]) -> None:
        super().__init__()
        self.major_to_minor = major_to_minor
        text = "{" + ",".join(map(str, reversed(major_to_minor))) + "}"
        where, size = self.string("text", text)
        self.words[word("layout", "text")] = where
        self.words[word("layout", "text_size")] = size


@cache
def layout_of(major_to_minor: tuple[int, ...]) -> DimensionOrder:
    """The layout of an order, which lives as long as the process."""
    return DimensionOrder(major_to_minor)


def row_major(rank: int) -> DimensionOrder:
    """The default layout of a rank."""
    return layout_of(tuple(range(rank)))


LAYOUT_TABLE: Final = (ctypes.c_void_p * MAXIMUM_RANK)(
    *[row_major(rank).address for rank in range(MAXIMUM_RANK)]
)


def own_layout(major_to_minor: Sequence[int] | None) -> int:
    """The address of a layout in a record; zero if it is row-major."""
    if major_to_minor is None or list(major_to_minor) == list(range(len(major_to_minor))):
        return 0
    return layout_of(tuple(major_to_minor)).address


def order_at(address: int) -> tuple[int, ...] | None:
    """The order of a layout in a record; None if it is row-major."""
    return object_at(address, DimensionOrder).major_to_minor if address else None


def is_automatic(attributes: Mapping[str, object]) -> bool:
    """Whether a program leaves the layout of an argument or a result to the compiler."""
    return str(attributes.get(LAYOUT_MODE)).strip('"') == "auto"


def automatic_order(
    value: Value[TensorType], orders: Mapping[Value[TensorType], tuple[int, ...] | None]
) -> tuple[int, ...] | None:
    """The order in which a result need not be transposed; None if it is row-major.

    Args:
        value: The result.
        orders: The orders of the arguments of the program.
    """
    permutations: list[Sequence[int]] = []
    while isinstance(value, OpResult) and isinstance(value.operation, Transpose):
        permutations.append(value.operation.permutation)
        value = value.operation.operand
    order = orders.get(value) or tuple(range(value.type.rank))
    for permutation in reversed(permutations):
        place = inverse(permutation)
        order = tuple(place[dimension] for dimension in order)
    return None if order == tuple(range(len(order))) else order


def requested_order(attribute: object, rank: int) -> tuple[int, ...] | None:
    """The dimensions, major to minor, that an argument or a result asks for; None if row-major.

    Args:
        attribute: The value of ``mhlo.layout_mode``: ``default``, ``auto``, or ``{0,1}``, minor to
            major; None if there is none.
        rank: The rank of the tensor.

    Raises:
        PjrtError: It has tiles, or is no order of these dimensions.
    """
    text = "default" if attribute is None else str(attribute).strip('"')
    if text in ROW_MAJOR_MODES:
        return None
    match = MINOR_TO_MAJOR.fullmatch(text)
    if match is None:
        message = f"the layout {text} is not supported; supported are layouts without tiles"
        raise PjrtError(ErrorCode.UNIMPLEMENTED, message)
    order = tuple(int(digits) for digits in reversed(match[1].split(",")) if digits)
    if sorted(order) != list(range(rank)):
        message = f"the layout {text} is no order of {rank} dimensions"
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    return None if order == tuple(range(rank)) else order


def order_of_structure(address: int | None) -> tuple[int, ...] | None:
    """The order that a ``PJRT_Buffer_MemoryLayout`` says; None if row-major or there is none.

    Raises:
        PjrtError: It has tiles, or strides instead of an order.
    """
    if not address:
        return None
    kind = ctypes.c_uint32.from_address(address + 16 + ctypes.sizeof(TiledLayout)).value
    layout = TiledLayout.from_address(address + 16)
    if kind != TILED_LAYOUT or layout.num_tiles:
        message = "buffers with tiles or strides are not supported"
        raise PjrtError(ErrorCode.UNIMPLEMENTED, message)
    minor_to_major = array_at(layout.minor_to_major, ctypes.c_int64, layout.minor_to_major_size)
    order = tuple(reversed(list(minor_to_major)))
    return None if order == tuple(range(len(order))) else order
