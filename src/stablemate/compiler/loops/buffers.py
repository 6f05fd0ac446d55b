"""Buffers: the memory that kernels load from and store to."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal

from stablemate.compiler.loops.operators import BYTES

Scope = Literal["argument", "register", "stack"]


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of an array whose last dimension is consecutive."""
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    return tuple(strides)


class Buffer:
    """Elements of one type in memory, or in registers.

    Attributes:
        name: What it is called in its kernel.
        type: The type of an element; a byte holds an ``i1``.
        shape: Its extents.
        strides: The distance of neighbors in each dimension, in elements.
        scope: Whether the caller hands it in, it lives in registers, or on the stack.
        ahead: Bytes behind a vector or tile that is loaded which are fetched into the nearest
            cache, as they are loaded next; 0: the processor looks ahead by itself.
    """

    __slots__ = ("ahead", "name", "scope", "shape", "strides", "type")

    def __init__(
        self,
        name: str,
        element: str,
        shape: Sequence[int],
        scope: Scope = "argument",
        strides: Sequence[int] | None = None,
        *,
        ahead: int = 0,
    ) -> None:
        self.name = name
        self.type = element
        self.shape = tuple(shape)
        self.scope: Scope = scope
        self.strides = row_major(self.shape) if strides is None else tuple(strides)
        self.ahead = ahead

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """The number of bytes of all elements."""
        return self.elements * BYTES[self.type]

    def __str__(self) -> str:
        shape = ", ".join(map(str, self.shape))
        order = "" if self.strides == row_major(self.shape) else f" strides {self.strides}"
        return f"{self.scope} {self.name} : {self.type} [{shape}]{order}"
