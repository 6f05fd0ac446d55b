"""Arrays as the bytes of a layout, and back: pad, reshape, transpose.

Source: XLA, "Tiled layout"; elements narrower than a byte lie in it from its low bits up.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.numerics.elements import Array
from stablemate.xla.memory.strided_copies import in_order
from stablemate.xla.memory.tiling import Arrangement, TileStep
from stablemate.xla.primitive_types import PrimitiveType

Bytes = NDArray[np.uint8]
BLOCK: Final = 1 << 14  # elements that stay in the cache
MASK: Final = {1: 1, 2: 3, 4: 15}


def memory_bits(element_type: PrimitiveType, declared_bits: int) -> int:
    """Bits of an element in memory, of which a layout may have stated another number.

    Raises:
        UnsupportedError: They are neither the bytes of the type's storage nor a part of a byte.
    """
    natural = 8 * element_type.dtype.itemsize
    if not declared_bits or declared_bits == natural:
        return natural
    if declared_bits in (1, 2, 4) and (
        declared_bits == element_type.bits or element_type.name == "pred"
    ):
        return declared_bits
    raise UnsupportedError(f"elements of type {element_type} in {declared_bits} bits each")


def to_bytes(array: Array, where: Arrangement, bits: int) -> Bytes:
    """The bytes of an array in memory, padding zero; its own where no element has to move."""
    placed = in_order(plain(array).transpose(where.order))
    for step in where.steps:
        placed = in_order(apply_tile(placed, step))
    flat = placed.reshape(-1)
    if where.elements > flat.size:
        flat = np.pad(flat, (0, where.elements - flat.size))
    return pack_bits(flat, bits) if bits < 8 else flat.view(np.uint8)


def to_array(raw: Bytes, where: Arrangement, bits: int, element_type: PrimitiveType) -> Array:
    """The array whose bytes these are; a view of them where no element has to move."""
    if bits < 8:
        raw = unpack_bits(raw, bits, where.elements, element_type)
    count = int(np.prod(where.physical, dtype=np.int64))
    dtype = element_type.dtype
    placed = plain(raw[: count * dtype.itemsize].view(dtype)).reshape(where.physical)
    for step in reversed(where.steps):
        placed = remove_tile(placed, step)
    placed = placed.reshape(where.sizes)
    return in_order(placed.transpose(np.argsort(where.order))).view(dtype)


def plain(array: Array) -> Array:
    """The elements as integers, which NumPy copies fastest."""
    itemsize = array.dtype.itemsize
    return array.view(f"u{itemsize}") if itemsize <= 8 else array


# ---- tiles


def apply_tile(array: Array, step: TileStep) -> Array:
    """The array with a tile applied."""
    array = array.reshape(step.sizes)
    padded = [*step.sizes[: step.kept]]
    padded += [count * tile for count, tile in zip(step.counts, step.tile, strict=True)]
    if tuple(padded) != array.shape:
        padded_values = np.zeros(padded, array.dtype)
        padded_values[tuple(slice(size) for size in array.shape)] = array
        array = padded_values
    cut: list[int] = [*step.sizes[: step.kept]]
    for count, tile in zip(step.counts, step.tile, strict=True):
        cut += [count, tile]
    return array.reshape(cut).transpose(outer_first(step))


def remove_tile(array: Array, step: TileStep) -> Array:
    """The array before a tile: blocks joined, padding dropped, merged dimensions split."""
    array = array.reshape(step.result).transpose(np.argsort(outer_first(step)))
    padded = [*step.sizes[: step.kept]]
    padded += [count * tile for count, tile in zip(step.counts, step.tile, strict=True)]
    array = in_order(array).reshape(padded)
    array = array[tuple(slice(size) for size in step.sizes)]
    return array.reshape([size for group in step.groups for size in group])


def outer_first(step: TileStep) -> list[int]:
    """The permutation of ``(kept ..., count, tile, count, tile)`` to ``(kept, counts, tiles)``."""
    last = step.kept + 2 * len(step.tile)
    outer, inner = range(step.kept, last, 2), range(step.kept + 1, last, 2)
    return [*range(step.kept), *outer, *inner]


# ---- parts of bytes


def pack_bits(flat: Array, bits: int) -> Bytes:
    """Elements of ``bits`` bits, several in a byte."""
    per_byte = 8 // bits
    values = flat.view(np.uint8)
    padded_values = np.pad(values, (0, -values.size % per_byte)).view(f"u{per_byte}")
    packed_bytes = np.empty(padded_values.size, np.uint8)
    for start in range(0, padded_values.size, BLOCK):
        block = padded_values[start : start + BLOCK]
        parts = [
            block >> place * (8 - bits) & MASK[bits] << place * bits for place in range(per_byte)
        ]
        packed_bytes[start : start + BLOCK] = reduce(np.bitwise_or, parts)
    return packed_bytes


def unpack_bits(raw: Bytes, bits: int, count: int, element_type: PrimitiveType) -> Bytes:
    """The elements, a byte each; negative numbers keep their sign."""
    table = elements_of_bytes(bits, signed=element_type.family == "signed")
    elements = np.empty(raw.size, table.dtype)
    for start in range(0, raw.size, BLOCK):
        elements[start : start + BLOCK] = table[raw[start : start + BLOCK]]
    return elements.view(np.uint8)[:count]


@cache
def elements_of_bytes(bits: int, *, signed: bool) -> Array:
    """For each byte its elements, as one integer with a byte for each."""
    per_byte = 8 // bits
    values = np.arange(256)[:, None] >> bits * np.arange(per_byte) & MASK[bits]
    if signed:
        values -= values >> (bits - 1) << bits
    return values.astype(np.uint8).view(f"u{per_byte}").reshape(256)
