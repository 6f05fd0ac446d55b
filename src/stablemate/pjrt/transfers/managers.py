"""Transfer managers, and buffers that carry an error instead of elements.

A transfer manager has buffers whose elements are written in pieces, by any thread.
``jax.experimental.transfer`` receives arrays of other processes through them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from stablemate.pjrt.buffers import DeviceBuffer, memory_asked
from stablemate.pjrt.devices import MemorySpace
from stablemate.pjrt.events import ALWAYS_READY
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import STRUCTURE, Structure
from stablemate.pjrt.objects import NativeObject, array_at, object_at, release, text_at
from stablemate.pjrt.status import ErrorCode, PjrtError, PjrtStatus
from stablemate.pjrt.transfers.incomplete_buffers import (
    end_transfer,
    error_buffer,
    incomplete_buffer,
)

DESTROYED = "the transfer manager was destroyed before it had all elements of a buffer"


class TransferManager(NativeObject):
    """``PJRT_AsyncHostToDeviceTransferManager``.

    Attributes:
        memory: Where its buffers are.
        buffers: All of them.
        sizes: Their bytes.
        incomplete: The numbers of those that do not have all elements.
    """

    def __init__(self, memory: MemorySpace, buffers: Sequence[DeviceBuffer]) -> None:
        super().__init__()
        self.memory = memory
        self.buffers = buffers
        self.sizes = [buffer.size for buffer in buffers]
        self.incomplete = set(range(len(buffers)))

    def buffer(self, number: int) -> DeviceBuffer:
        """A buffer to write to.

        Raises:
            PjrtError: There is none of this number, or it is complete.
        """
        if number not in self.incomplete:
            message = f"buffer {number} of {len(self.buffers)} of the transfer is not incomplete"
            raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
        return self.buffers[number]

    def write(self, number: int, data: int, offset: int, size: int) -> None:
        """Writes a part of a buffer.

        Raises:
            PjrtError: The part does not fit.
        """
        buffer = self.buffer(number)
        if offset < 0 or size < 0 or offset + size > buffer.size:
            message = f"bytes {offset} to {offset + size} of a buffer of {buffer.size} bytes"
            raise PjrtError(ErrorCode.OUT_OF_RANGE, message)
        ctypes.memmove(buffer.data + offset, data, size)

    def end(self, number: int, error: PjrtStatus | None = None) -> None:
        """Ends the transfer to a buffer."""
        buffer = self.buffer(number)
        self.incomplete.discard(number)
        end_transfer(buffer, error)


@implements("Client_CreateBuffersForAsyncHostToDevice")
def client_create_buffers_for_async_host_to_device(a: Structure) -> None:
    """Buffers whose elements a transfer manager writes."""
    memory = object_at(a.memory, MemorySpace)
    kind = STRUCTURE["ShapeSpec"]
    layouts = array_at(a.device_layouts, ctypes.c_void_p, a.num_device_layouts)
    buffers: list[DeviceBuffer] = []
    for number, address in enumerate(addresses(a.shape_specs, kind, a.num_shape_specs)):
        spec = kind.from_address(address)
        shape = array_at(spec.dims, ctypes.c_int64, spec.num_dims)
        layout = layouts[number] if layouts else None
        buffers.append(incomplete_buffer(shape, spec.element_type, memory, layout))
    a.transfer_manager = TransferManager(memory, buffers).address


def addresses(first: int, kind: Any, count: int) -> list[int]:
    """Where the structures of an array are, each as long as the first one says."""
    size = ctypes.c_size_t.from_address(first).value if count else 0
    stride = -(-max(size, 1) // ctypes.alignment(kind)) * ctypes.alignment(kind)
    return [first + number * stride for number in range(count)]


@implements("AsyncHostToDeviceTransferManager_TransferData")
def transfer_data(a: Structure) -> None:
    """Writes a part of a buffer, perhaps the last one."""
    manager = object_at(a.transfer_manager, TransferManager)
    manager.write(a.buffer_index, a.data, a.offset, a.transfer_size)
    if a.is_last_transfer:
        manager.end(a.buffer_index)
    a.done_with_h2d_transfer = ALWAYS_READY.address


@implements("AsyncHostToDeviceTransferManager_TransferLiteral")
def transfer_literal(a: Structure) -> None:
    """Writes all elements of a buffer."""
    manager = object_at(a.transfer_manager, TransferManager)
    buffer = manager.buffer(a.buffer_index)
    manager.write(a.buffer_index, a.data, 0, buffer.size)
    manager.end(a.buffer_index)
    a.done_with_h2d_transfer = ALWAYS_READY.address


@implements("AsyncHostToDeviceTransferManager_SetBufferError")
def set_buffer_error(a: Structure) -> None:
    """Gives a buffer an error instead of elements."""
    manager = object_at(a.transfer_manager, TransferManager)
    manager.end(a.buffer_index, error_of_caller(a))


@implements("AsyncHostToDeviceTransferManager_RetrieveBuffer")
def retrieve_buffer(a: Structure) -> None:
    """A buffer, with its elements or without them; the caller destroys it."""
    manager = object_at(a.transfer_manager, TransferManager)
    a.buffer_out = manager.buffers[int(a.buffer_index)].address


@implements("AsyncHostToDeviceTransferManager_Device")
def transfer_device(a: Structure) -> None:
    """The device of the buffers."""
    a.device_out = object_at(a.transfer_manager, TransferManager).memory.device.address


@implements("AsyncHostToDeviceTransferManager_BufferCount")
def transfer_buffer_count(a: Structure) -> None:
    """How many buffers there are."""
    a.buffer_count = len(object_at(a.transfer_manager, TransferManager).buffers)


@implements("AsyncHostToDeviceTransferManager_BufferSize")
def transfer_buffer_size(a: Structure) -> None:
    """The bytes of a buffer."""
    a.buffer_size = object_at(a.transfer_manager, TransferManager).sizes[int(a.buffer_index)]


@implements("AsyncHostToDeviceTransferManager_AddMetadata")
def transfer_add_metadata(a: object) -> None:
    """Takes metadata of a transfer, which has no effect."""


@implements("AsyncHostToDeviceTransferManager_Destroy")
def transfer_manager_destroy(a: Structure) -> None:
    """Frees a transfer manager; buffers that it has not completed get an error."""
    manager = object_at(a.transfer_manager, TransferManager)
    for number in sorted(manager.incomplete):
        manager.end(number, PjrtStatus(ErrorCode.CANCELLED, DESTROYED))
    release(a.transfer_manager)


@implements("Client_CreateErrorBuffer")
def client_create_error_buffer(a: Structure) -> None:
    """A buffer that has an error instead of elements."""
    shape = array_at(a.shape_dims, ctypes.c_int64, a.shape_num_dims)
    memory = memory_asked(a.memory, None)
    a.buffer = error_buffer(shape, a.shape_element_type, memory, error_of_caller(a)).address


def error_of_caller(a: Structure) -> PjrtStatus:
    """The error that a call states."""
    message = text_at(a.error_message, a.error_message_size)
    return PjrtStatus(ErrorCode(a.error_code), message)
