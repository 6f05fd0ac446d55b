"""Buffers whose elements are written later, or never: these carry an error."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from stablemate.pjrt.buffers import FIELD, DeviceBuffer, deleted_error
from stablemate.pjrt.devices import MemorySpace
from stablemate.pjrt.interface.structures import BY_NAME
from stablemate.pjrt.layouts import order_of_structure, own_layout
from stablemate.pjrt.native.calls import native
from stablemate.pjrt.native.records import INCOMPLETE
from stablemate.pjrt.status import PjrtStatus
from stablemate.pjrt.transfers.transfer import TRANSFERS, BufferTransfer


def call_native(name: str, buffer: int) -> None:
    """Calls a function of a buffer.

    Raises:
        PjrtError: It fails.
    """
    arguments = BY_NAME[name].arguments()
    arguments.struct_size, arguments.buffer = ctypes.sizeof(arguments), buffer
    if native(name)(ctypes.addressof(arguments)):
        raise deleted_error()


def incomplete_buffer(
    shape: Sequence[int], number: int, memory: MemorySpace, layout: int | None = None
) -> DeviceBuffer:
    """A buffer without elements, which somebody who writes them holds.

    Args:
        shape: Its sizes.
        number: The interface's number of its element type.
        memory: Where it is.
        layout: The address of the layout that the caller asks for, if there is one.
    """
    order = own_layout(order_of_structure(layout))
    buffer = DeviceBuffer.new(shape, number, memory)
    for field, value in {"layout": order, "deleted": INCOMPLETE, "holds": 2, "users": 2}.items():
        buffer.words[FIELD[field]] = value
    TRANSFERS[buffer.address] = BufferTransfer()
    return buffer


def error_buffer(
    shape: Sequence[int], number: int, memory: MemorySpace, error: PjrtStatus
) -> DeviceBuffer:
    """A buffer that has an error instead of elements."""
    buffer = incomplete_buffer(shape, number, memory)
    end_transfer(buffer, error)
    return buffer


def end_transfer(buffer: DeviceBuffer, error: PjrtStatus | None = None) -> None:
    """Ends the transfer to a buffer, which without an error has its elements now."""
    transfer = TRANSFERS[buffer.address]
    if error is None:
        native("complete_transfer")(buffer.address)
        del TRANSFERS[buffer.address]
    call_native("Buffer_DecreaseExternalReferenceCount", buffer.address)
    transfer.end(error)
