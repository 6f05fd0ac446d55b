"""Python objects that jaxlib holds by address.

Each has a block of native words, of which the first is zero because jaxlib reads it, and lives
until the caller destroys it. Strings and arrays that are handed out live as long as their owner.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final, TypeVar

WORDS: Final = 24  # of the block of every object
OBJECTS: Final[dict[int, NativeObject]] = {}
ObjectT = TypeVar("ObjectT", bound="NativeObject")


def address_of(content: bytes) -> int:
    """Where bytes are; a zero follows them.

    An array of ctypes would be an instance of a class of its own, which refers to itself.
    """
    return ctypes.c_void_p.from_buffer(ctypes.c_char_p(content)).value or 0


class NativeObject:
    """An object with an address.

    Attributes:
        words: Its native block.
        address: Where the block is.
    """

    def __init__(self) -> None:
        self.words = (ctypes.c_uint64 * WORDS)()
        self.address = ctypes.addressof(self.words)
        self._kept: dict[str, Any] = {}
        OBJECTS[self.address] = self

    def string(self, name: str, value: str) -> tuple[int, int]:
        """A string that lives as long as this object: its address and its length in bytes."""
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = value.encode("utf-8", "replace")
        return address_of(kept), len(kept)

    def array(self, name: str, element: Any, values: Sequence[Any]) -> tuple[int, int]:
        """An array that lives as long as this object: its address and its length."""
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = (element * max(1, len(values)))(*values)
        return ctypes.addressof(kept), len(values)

    def forget(self, prefix: str) -> None:
        """Frees the arrays whose names begin so; native code has new ones or needs none."""
        for name in [name for name in self._kept if name.startswith(prefix)]:
            del self._kept[name]

    def keep(self, name: str, value: object) -> None:
        """Keeps alive what native pointers refer to."""
        self._kept[name] = value


class Blob(NativeObject):
    """Bytes that the caller frees with the deleter it received."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


def object_at(address: int, kind: type[ObjectT]) -> ObjectT:
    """The object at an address that the caller received."""
    owner = OBJECTS[address]
    assert isinstance(owner, kind)
    return owner


def release(address: int) -> None:
    """Forgets an object, which the caller has destroyed."""
    OBJECTS.pop(address, None)


def array_at(address: int | None, element: Any, count: int) -> list[Any]:
    """The elements of an array of the caller's."""
    return list((element * count).from_address(address)) if count and address else []


def text_at(address: int, size: int) -> str:
    """A string of the caller's."""
    return ctypes.string_at(address, size).decode("utf-8", "replace")


FREE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
FREE_ADDRESS: Final = ctypes.cast(FREE, ctypes.c_void_p).value


def hand_out(
    arguments: object, content: bytes, owner: str, field: str = "serialized_bytes"
) -> None:
    """Fills in bytes, their owner and the deleter of the owner."""
    blob = Blob(content)
    setattr(arguments, field, address_of(content))
    setattr(arguments, f"{field}_size", len(content))
    setattr(arguments, owner, blob.address)
    setattr(arguments, f"{owner}_deleter", FREE_ADDRESS)
