"""Buffers as Python sees them: native blocks, which it creates, reads and copies."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import Array, DType
from stablemate.pjrt.devices import Device, MemorySpace
from stablemate.pjrt.events import ALWAYS_READY
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.element_types import DTYPES, NUMBERS
from stablemate.pjrt.interface.structures import TILED_LAYOUT, MemoryLayout, Structure, TiledLayout
from stablemate.pjrt.layouts import order_at, order_of_structure, own_layout
from stablemate.pjrt.native.calls import native, settle
from stablemate.pjrt.native.records import (
    BUFFER_BYTES,
    DELETED,
    INCOMPLETE,
    INLINE_BYTES,
    RECORDS,
    word,
)
from stablemate.pjrt.objects import array_at, object_at
from stablemate.pjrt.status import ErrorCode, PjrtError
from stablemate.pjrt.transfers.transfer import TRANSFERS

SYSTEM: Final = ctypes.CDLL(None)
SYSTEM.aligned_alloc.restype = ctypes.c_void_p
SYSTEM.aligned_alloc.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
ALIGNMENT: Final = 64  # bytes of a cache line
FIELD: Final = {name: word("buffer", name) for name in RECORDS["buffer"]}
Words = ctypes.c_uint64 * len(FIELD)


def align_size(size: int) -> int:
    """A size as a whole number of cache lines."""
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT


def inline_offset(rank: int) -> int:
    """Where elements begin that follow a record and its sizes."""
    return align_size(BUFFER_BYTES + 8 * rank)


def block_bytes(rank: int, size: int) -> int:
    """The bytes of a buffer's block; large elements have a block of their own."""
    return inline_offset(rank) + (align_size(size) if size <= INLINE_BYTES else 0)


def allocate(size: int) -> int:
    """New memory.

    Raises:
        PjrtError: There is none.
    """
    address = SYSTEM.aligned_alloc(ALIGNMENT, align_size(size))
    if not address:
        message = f"out of memory: {size:,} bytes cannot be allocated"
        raise PjrtError(ErrorCode.RESOURCE_EXHAUSTED, message)
    return int(address)


class DeviceBuffer:
    """A buffer by its address; Python holds nothing for it.

    Attributes:
        address: Where its block is.
        words: The record.
    """

    __slots__ = ("address", "words")

    def __init__(self, address: int) -> None:
        self.address = address
        self.words = Words.from_address(address)

    @staticmethod
    def new(
        shape: Sequence[int], number: int, memory: MemorySpace, data: int | None = None
    ) -> DeviceBuffer:
        """A buffer of an element type in a memory, whose elements are new or where they are."""
        size = prod(shape) * dtype_of(number).itemsize
        rank = len(shape)
        inline = data is None and size <= INLINE_BYTES
        own = 0 if inline or data is not None else allocate(size)
        block = allocate(block_bytes(rank, size if inline else INLINE_BYTES + 1))
        buffer = DeviceBuffer(block)
        fields = {
            "data": block + inline_offset(rank) if inline else own or data or 0,
            "bytes": size, "device": memory.device.address, "memory": memory.address,
            "type": number, "rank": rank, "sizes": block + BUFFER_BYTES, "holds": 1, "users": 1,
            "owned": own,
        }  # fmt: skip
        for name, place in FIELD.items():
            buffer.words[place] = fields.get(name, 0)
        if shape:
            (ctypes.c_int64 * rank).from_address(block + BUFFER_BYTES)[:] = list(shape)
        return buffer

    @staticmethod
    def copy_of(value: Array, number: int, memory: MemorySpace, layout: int = 0) -> DeviceBuffer:
        """A buffer with the elements of an array, in a layout."""
        buffer = DeviceBuffer.new(value.shape, number, memory)
        buffer.words[FIELD["layout"]] = layout
        if value.size:
            buffer.value[...] = value
        return buffer

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its dimensions, without bounds."""
        return tuple(array_at(self.words[FIELD["sizes"]], ctypes.c_int64, self.rank))

    @property
    def rank(self) -> int:
        """How many dimensions it has."""
        return int(self.words[FIELD["rank"]])

    @property
    def size(self) -> int:
        """The number of bytes of all elements."""
        return int(self.words[FIELD["bytes"]])

    @property
    def type(self) -> int:
        """The interface's number of its element type."""
        return int(self.words[FIELD["type"]])

    @property
    def data(self) -> int:
        """The address of its first element."""
        return int(self.words[FIELD["data"]])

    @property
    def layout(self) -> int:
        """The address of its layout; zero if it is row-major."""
        return int(self.words[FIELD["layout"]])

    @property
    def order(self) -> tuple[int, ...]:
        """Its dimensions, major to minor."""
        order = order_at(self.layout)
        return tuple(range(self.rank)) if order is None else order

    @property
    def physical(self) -> Array:
        """Its elements as they are in memory, as an array that does not keep them alive."""
        dtype, shape = dtype_of(self.type), self.shape
        sizes = [shape[d] for d in self.order]
        if not self.size:
            return np.empty(sizes, dtype)
        raw = memoryview((ctypes.c_uint8 * self.size).from_address(self.data))
        value: Array = np.frombuffer(raw, np.uint8).view(dtype).reshape(sizes)
        return value

    @property
    def value(self) -> Array:
        """Its elements as an array, which does not keep them alive."""
        return self.physical.transpose(np.argsort(self.order)) if self.layout else self.physical

    @property
    def memory(self) -> MemorySpace:
        """The memory that it is in."""
        return object_at(self.words[FIELD["memory"]], MemorySpace)

    @property
    def is_deleted(self) -> bool:
        """Whether its memory has been given back, so that nothing may read it."""
        return bool(self.words[FIELD["deleted"]] == DELETED)

    @property
    def is_incomplete(self) -> bool:
        """Whether a transfer still writes its elements, or has failed to."""
        return bool(self.words[FIELD["deleted"]] == INCOMPLETE)


def dtype_of(number: int) -> DType:
    """NumPy's type of an element type.

    Raises:
        PjrtError: There is none.
    """
    dtype = DTYPES.get(number)
    if dtype is None:
        message = f"element type {number} of the interface is not supported"
        raise PjrtError(ErrorCode.UNIMPLEMENTED, message)
    return dtype


def deleted_error() -> PjrtError:
    """The error of whoever uses a buffer that is deleted, with the message of XLA's clients."""
    return PjrtError(ErrorCode.INVALID_ARGUMENT, "Buffer has been deleted or donated.")


def require_live(address: int) -> DeviceBuffer:
    """A buffer that is not deleted, with its elements; waits for a transfer that writes them.

    Raises:
        PjrtError: It is deleted.
        EventError: The transfer has failed.
    """
    settle()
    buffer = DeviceBuffer(address)
    transfer = TRANSFERS.get(address) if buffer.is_incomplete else None
    if transfer is not None:
        transfer.wait()
    if buffer.is_deleted:
        raise deleted_error()
    return buffer


def memory_asked(memory: int | None, device: int | None) -> MemorySpace:
    """The memory that a caller names, or the default one of the device that it names."""
    if memory:
        return object_at(memory, MemorySpace)
    assert device
    return object_at(device, Device).memories[0]


def item_sizes() -> ctypes.Array[Any]:
    """The bytes of an element by the number of its type; zero where there is none."""
    sizes = (ctypes.c_uint64 * 256)()
    for number, dtype in DTYPES.items():
        sizes[number] = dtype.itemsize
    return sizes


def array_of_host(data: int, shape: Sequence[int], dtype: DType, strides: Sequence[int]) -> Array:
    """An array of the host's, wherever its elements are."""
    reach = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    low = sum(offset for offset in reach if offset < 0)
    high = sum(offset for offset in reach if offset > 0) + dtype.itemsize
    raw = memoryview((ctypes.c_uint8 * (high - low)).from_address(data + low))
    return np.ndarray(tuple(shape), dtype, raw, -low, tuple(strides))


@implements("Client_BufferFromHostBuffer")
def client_buffer_from_host_buffer(a: Structure) -> None:
    """A copy of an array of the host's; dense ones are copied or shared by native code."""
    shape = array_at(a.dims, ctypes.c_int64, a.num_dims)
    buffer = DeviceBuffer.new(shape, a.type, memory_asked(a.memory, a.device))
    buffer.words[FIELD["layout"]] = own_layout(order_of_structure(a.device_layout))
    if buffer.size and a.num_byte_strides:
        strides = array_at(a.byte_strides, ctypes.c_int64, a.num_byte_strides)
        buffer.value[...] = array_of_host(a.data, shape, dtype_of(a.type), strides)
    elif buffer.size:
        raw = memoryview((ctypes.c_uint8 * buffer.size).from_address(a.data))
        buffer.value[...] = np.frombuffer(raw, np.uint8).view(dtype_of(a.type)).reshape(shape)
    a.buffer, a.done_with_host_buffer = buffer.address, ALWAYS_READY.address


@implements("Client_CreateUninitializedBuffer")
def client_create_uninitialized_buffer(a: Structure) -> None:
    """A buffer of which nothing is known."""
    shape = array_at(a.shape_dims, ctypes.c_int64, a.shape_num_dims)
    memory = memory_asked(a.memory, a.device)
    a.buffer = DeviceBuffer.new(shape, a.shape_element_type, memory).address


@implements("Client_CreateViewOfDeviceBuffer")
def client_create_view_of_device_buffer(a: Structure) -> None:
    """A buffer of somebody else's elements, as DLPack hands them over."""
    shape = array_at(a.dims, ctypes.c_int64, a.num_dims)
    memory = memory_asked(a.memory, a.device)
    buffer = DeviceBuffer.new(shape, a.element_type, memory, a.device_buffer_ptr or 0)
    buffer.words[FIELD["layout"]] = own_layout(order_of_structure(a.layout))
    buffer.words[FIELD["on_delete"]] = a.on_delete_callback or 0
    buffer.words[FIELD["on_delete_argument"]] = a.on_delete_callback_arg or 0
    a.buffer = buffer.address


@implements("Buffer_GetMemoryLayout")
def buffer_get_memory_layout(a: Structure) -> None:
    """The order of the dimensions, minor to major."""
    dimensions = [*reversed(DeviceBuffer(a.buffer).order)]
    order, count = ALWAYS_READY.array(f"order{dimensions}", ctypes.c_int64, dimensions)
    tiled = TiledLayout(ctypes.sizeof(TiledLayout), None, order, count, None, None, 0)
    a.layout = MemoryLayout(ctypes.sizeof(MemoryLayout), None, tiled, TILED_LAYOUT)


@implements("Buffer_CopyToDevice")
def buffer_copy_to_device(a: Structure) -> None:
    """A copy in the default memory of a device."""
    buffer = require_live(a.buffer)
    memory = object_at(a.dst_device, Device).memories[0]
    a.dst_buffer = DeviceBuffer.copy_of(buffer.value, buffer.type, memory, buffer.layout).address


@implements("Buffer_CopyToMemory")
def buffer_copy_to_memory(a: Structure) -> None:
    """A copy in a memory."""
    buffer, memory = require_live(a.buffer), object_at(a.dst_memory, MemorySpace)
    a.dst_buffer = DeviceBuffer.copy_of(buffer.value, buffer.type, memory, buffer.layout).address


@implements("Buffer_ToHostBuffer")
def buffer_to_host_buffer(a: Structure) -> None:
    """The size of a buffer, or its elements in the layout of the host."""
    buffer = require_live(a.src)
    if not a.dst:
        a.dst_size = buffer.size
        return
    value = buffer.physical
    if a.host_layout:
        order = order_of_structure(a.host_layout) or range(buffer.rank)
        value = np.ascontiguousarray(buffer.value.transpose(order))
    if buffer.size:
        ctypes.memmove(a.dst, value.ctypes.data, buffer.size)
    a.event = ALWAYS_READY.address


@implements("Buffer_CopyRawToHost")
def buffer_copy_raw_to_host(a: Structure) -> None:
    """A part of the bytes of a buffer."""
    buffer = require_live(a.buffer)
    if a.offset < 0 or a.transfer_size < 0 or a.offset + a.transfer_size > buffer.size:
        message = f"bytes {a.offset} to {a.offset + a.transfer_size} of {buffer.size}"
        raise PjrtError(ErrorCode.OUT_OF_RANGE, message)
    ctypes.memmove(a.dst, buffer.data + a.offset, a.transfer_size)
    a.event = ALWAYS_READY.address


@implements("Buffer_ReadyEvent")
def buffer_ready_event(a: Structure) -> None:
    """An event that is ready with the elements; native code has it for most buffers."""
    transfer = TRANSFERS.get(a.buffer) if DeviceBuffer(a.buffer).is_incomplete else None
    if transfer is not None:
        a.event = transfer.event().address
        return
    require_live(a.buffer)
    a.event = ALWAYS_READY.address


@implements("Buffer_UnsafePointer")
def buffer_unsafe_pointer(a: Structure) -> None:
    """The address of the elements; native code answers unless the buffer is deleted."""
    a.buffer_pointer = require_live(a.buffer).data


@implements("Buffer_OpaqueDeviceMemoryDataPointer")
def buffer_opaque_device_memory_data_pointer(a: Structure) -> None:
    """The address of the elements; native code answers unless the buffer is deleted."""
    a.device_memory_ptr = require_live(a.buffer).data


@implements("Buffer_IncreaseExternalReferenceCount")
def buffer_increase_external_reference_count(a: Structure) -> None:
    """Native code holds the elements unless the buffer is deleted, or incomplete when asked."""
    awaits = DeviceBuffer(a.buffer).is_incomplete
    require_live(a.buffer)
    if awaits:
        native("Buffer_IncreaseExternalReferenceCount")(ctypes.addressof(a))


@implements("Buffer_Bitcast")
def buffer_bitcast(a: Structure) -> None:
    """A copy of the bytes with another type and shape."""
    buffer = require_live(a.buffer)
    shape = array_at(a.dims, ctypes.c_int64, a.num_dims)
    target = DeviceBuffer.new(shape, a.element_type, buffer.memory)
    if target.size != buffer.size:
        message = f"{buffer.size} bytes are not the {target.size} of the new shape"
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    ctypes.memmove(target.data, buffer.data, target.size)
    a.out_buffer = target.address


def number_of(dtype: DType) -> int:
    """The interface's number of an element type."""
    return NUMBERS[dtype]
