"""Values of sessions, and descriptions of them, as ONNX Runtime has them.

Source: ONNX Runtime, Python API.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.frontends.onnx.element_types import DATA_TYPES, NUMBERS, STRING, known_element
from stablemate.frontends.onnx.model import ValueInfo, ValueType
from stablemate.numerics.elements import Array, element_of_dtype

CPU: Final = "cpu"


@dataclass(frozen=True, slots=True)
class NodeArg:
    """An input or output of a model.

    Attributes:
        name: Its name.
        type: Its type, ``tensor(float)``.
        shape: Its sizes: numbers, names, None where nothing is known.
    """

    name: str
    type: str
    shape: list[int | str | None]


@dataclass(frozen=True, slots=True)
class ModelMetadata:
    """The metadata of a model.

    Attributes:
        producer_name: Who wrote it.
        graph_name: The name of its graph.
        domain: Its domain.
        description: Its description.
        graph_description: The description of its graph.
        version: Its version.
        custom_metadata_map: Its further properties.
    """

    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OrtDevice:
    """A device: the processor.

    Attributes:
        kind: Its name.
        number: Which one.
    """

    kind: str = CPU
    number: int = 0

    @staticmethod
    def make(device: str, device_id: int) -> OrtDevice:
        """A device by its name.

        Raises:
            ArgumentTypeError: It is not the processor.
        """
        return OrtDevice(required_cpu(device), device_id)

    @staticmethod
    def cpu() -> int:
        """The number of the kind of device that is the processor."""
        return 0

    def device_type(self) -> int:
        """The number of the kind of device."""
        return 0

    def device_id(self) -> int:
        """The number of the device among those of its kind."""
        return self.number


def required_cpu(device: str) -> str:
    """``cpu``.

    Raises:
        ArgumentTypeError: Another device is asked for.
    """
    if device.lower() != CPU:
        raise ArgumentTypeError(f"values are on the cpu, not on {device}")
    return CPU


class OrtValue:
    """An array, or a sequence of arrays, of a session's inputs and outputs."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @staticmethod
    def ortvalue_from_numpy(
        array: ArrayLike, device_type: str = CPU, device_id: int = 0, vendor_id: int = -1
    ) -> OrtValue:
        """The value of an array, which it shares."""
        required_cpu(device_type)
        return OrtValue(np.asarray(array))

    @staticmethod
    def ortvalue_from_numpy_with_onnx_type(data: ArrayLike, onnx_element_type: int) -> OrtValue:
        """The value of an array whose bits are elements of a type of ONNX."""
        return OrtValue(np.asarray(data).view(dtype_of(onnx_element_type)))

    @staticmethod
    def ortvalue_from_shape_and_type(
        shape: Sequence[int], element_type: DTypeLike | int, device_type: str = CPU,
        device_id: int = 0, vendor_id: int = -1, memory_info: object = None,
    ) -> OrtValue:  # fmt: skip
        """A new value of zeros, of a shape and an element type of NumPy or ONNX."""
        required_cpu(device_type)
        return OrtValue(np.zeros(tuple(shape), dtype_of(element_type)))

    def numpy(self) -> Array:
        """The array itself, which shares the memory of the value."""
        array: Array = self.array
        return array

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        return np.asarray(self.array, dtype)

    def shape(self) -> list[int]:
        """The sizes of the dimensions of the tensor."""
        return list(self.array.shape)

    def device_name(self) -> str:
        """``cpu``."""
        return CPU

    def data_ptr(self) -> int:
        """The address of the first element."""
        address: int = self.array.ctypes.data
        return address

    def data_type(self) -> str:
        """The type: ``tensor(float)``."""
        if self.is_tensor_sequence():
            items: Sequence[object] = self.array
            return f"seq({OrtValue(items[0]).data_type()})" if items else "seq(undefined)"
        return f"tensor({DATA_TYPES[self.element_type()][0]})"

    def element_type(self) -> int:
        """The number of the element type in ONNX."""
        if self.array.dtype.kind in "OUS":
            return STRING
        element = element_of_dtype(self.array.dtype)
        return 0 if element is None else NUMBERS.get(element, 0)

    def tensor_size_in_bytes(self) -> int:
        """How many bytes the elements take."""
        size: int = self.array.nbytes
        return size

    @staticmethod
    def from_dlpack(data: Any, is_bool_tensor: bool = False) -> OrtValue:
        """A value that shares the memory of a tensor of another library.

        Args:
            data: An object with ``__dlpack__``, on the processor.
            is_bool_tensor: Whether its bytes are booleans.
        """
        array = np.from_dlpack(data)
        return OrtValue(array.view(np.bool_) if is_bool_tensor else array)

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the processor

    def has_value(self) -> bool:
        """Whether it has a value."""
        return self.array is not None

    def is_tensor(self) -> bool:
        """Whether it is a tensor."""
        return isinstance(self.array, np.ndarray)

    def is_tensor_sequence(self) -> bool:
        """Whether it is a sequence of tensors."""
        return isinstance(self.array, list)

    def is_sparse_tensor(self) -> bool:
        """Always False, since all tensors here are dense."""
        return False

    def update_inplace(self, array: ArrayLike) -> None:
        """Writes an array into the value.

        Raises:
            ArgumentValueError: It does not fit.
        """
        if np.shape(array) != self.array.shape:
            shapes = f"{list(np.shape(array))} into a value of {self.shape()}"
            raise ArgumentValueError(f"an array of the shape {shapes} cannot be written")
        np.copyto(self.array, array)


def dtype_of(element_type: DTypeLike | int) -> np.dtype[np.generic]:
    """The element type of NumPy of a type of NumPy or a number of ONNX.

    Raises:
        ArgumentValueError: ONNX has no such number.
    """
    if not isinstance(element_type, int):
        return np.dtype(element_type)
    element = known_element(element_type)
    if element is None:
        raise ArgumentValueError(f"no array has elements of ONNX's type {element_type}")
    return element.dtype


def array_at(address: int, shape: Sequence[int], element_type: DTypeLike | int) -> Array:
    """The array at an address, which whoever binds it keeps alive."""
    dtype = np.dtype(dtype_of(element_type))
    size = dtype.itemsize * int(np.prod(tuple(shape)))
    memory: Array = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))
    array: Array = memory.view(dtype).reshape(tuple(shape))
    return array


def node_arg(value: ValueInfo) -> NodeArg:
    """An input or output as ONNX Runtime describes it."""
    return NodeArg(value.name, type_text(value.type), list(value.type.shape or ()))


def type_text(known: ValueType) -> str:
    """A type as ONNX Runtime writes it: ``tensor(float)``, ``seq(tensor(float))``."""
    name, _ = DATA_TYPES.get(known.data_type, ("undefined", None))
    if known.item is None:
        return f"tensor({name})"
    if known.kind == "map":
        return f"map({name},{type_text(known.item)})"
    prefix = "seq" if known.kind == "sequence" else "optional"
    return f"{prefix}({type_text(known.item)})"
