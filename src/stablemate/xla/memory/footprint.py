"""The memory of an array of a shape: sizes, positions, bytes.

Source: XLA, "Shapes and layout", "Tiled layout".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.numerics.elements import Array
from stablemate.xla.layout import Layout
from stablemate.xla.memory.buffers import Bytes, memory_bits, to_array, to_bytes
from stablemate.xla.memory.tiling import Arrangement, arrangement, strides_of
from stablemate.xla.primitive_types import PrimitiveType

UNBOUNDED: Final = -1  # the size of a dimension written ``?``


class InMemory:
    """The part of ``Shape`` that is about memory.

    Attributes:
        element_type: What an element is.
        dimensions: Sizes; of dynamic dimensions the bounds.
        layout: How the array lies in memory; None for row-major.
    """

    __slots__ = ()

    element_type: PrimitiveType
    dimensions: tuple[int, ...]
    layout: Layout | None

    @property
    def element_bits(self) -> int:
        """The bits of an element in memory: whole bytes unless the layout has ``E(n)``.

        Raises:
            ArgumentTypeError: It is no array.
            UnsupportedError: The layout gives elements a size that they cannot have.
        """
        declared_bits = self.layout.element_bits if self.layout else 0
        return memory_bits(self.element_type, declared_bits)

    @property
    def arrangement(self) -> Arrangement:
        """The arrangement of the elements in memory; row-major without a layout.

        Raises:
            ArgumentTypeError: It is no array of known size.
            ArgumentValueError: The layout is not one of these dimensions.
        """
        if not self.element_type.is_array or UNBOUNDED in self.dimensions:
            raise ArgumentTypeError(f"{self} is no array of known size")
        return arrangement(self.dimensions, self.layout or Layout.row_major(len(self.dimensions)))

    @property
    def buffer_elements(self) -> int:
        """Elements in memory, padding included."""
        return self.arrangement.elements

    @property
    def buffer_bytes(self) -> int:
        """Bytes in memory, padding included."""
        return -(-self.buffer_elements * self.element_bits // 8)

    @property
    def byte_strides(self) -> tuple[int, ...]:
        """Bytes from an element to its neighbor along each dimension.

        Raises:
            ArgumentValueError: Tiles or parts of bytes leave no such numbers.
        """
        where = self.arrangement
        if where.steps or self.element_bits < 8:
            raise ArgumentValueError(f"{self} has no strides: it is tiled, or elements share bytes")
        strides = dict(zip(where.order, strides_of(where.sizes), strict=True))
        size = self.element_bits // 8
        return tuple(strides[number] * size for number in range(len(self.dimensions)))

    def linear_index(self, index: Sequence[int]) -> int:
        """The position in memory, in elements, of the element at an index.

        Raises:
            ArgumentValueError: The index is not one of these dimensions.
        """
        inside = (
            0 <= position < size for position, size in zip(index, self.dimensions, strict=False)
        )
        if len(index) != len(self.dimensions) or not all(inside):
            raise ArgumentValueError(f"{self} has no element at {tuple(index)}")
        return int(self.arrangement.position(index))

    def multi_index(self, position: int) -> tuple[int, ...] | None:
        """The index of the element at a position in memory; None where there is padding.

        Raises:
            ArgumentValueError: The position is not one of the buffer.
        """
        if not 0 <= position < self.buffer_elements:
            raise ArgumentValueError(f"the buffer of {self} has no position {position}")
        return self.arrangement.index(position)

    def to_buffer(self, array: ArrayLike) -> Bytes:
        """The bytes of an array in memory, padding zero; its own where no element has to move.

        Args:
            array: Of this shape, and of the element type's NumPy storage.

        Raises:
            ArgumentValueError: It has another shape.
            ArgumentTypeError: It has another element type.
        """
        buffer = np.asarray(array)
        if buffer.shape != self.dimensions:
            raise ArgumentValueError(f"expected an array of shape {self}, found {buffer.shape}")
        if buffer.dtype != self.element_type.dtype:
            raise ArgumentTypeError(
                f"expected elements of {self.element_type}, found {buffer.dtype}"
            )
        return to_bytes(buffer, self.arrangement, self.element_bits)

    def from_buffer(self, data: bytes | bytearray | memoryview | Bytes) -> Array:
        """The array whose bytes in memory these are; a view of them where no element moves.

        Raises:
            ArgumentValueError: They are not as many as the buffer has.
        """
        raw = np.frombuffer(data, np.uint8)
        if raw.size != self.buffer_bytes:
            expected = f"{self.buffer_bytes} bytes of {self}"
            raise ArgumentValueError(f"expected {expected}, found {raw.size}")
        return to_array(raw, self.arrangement, self.element_bits, self.element_type)
