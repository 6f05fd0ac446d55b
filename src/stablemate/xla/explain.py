"""A shape, part by part, in words.

Source: XLA, "Shapes and layout", "Tiled layout".
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final, NamedTuple

from stablemate.xla.layout import COMBINED, Layout, Tile, numerals
from stablemate.xla.primitive_types import BUFFER, PrimitiveType
from stablemate.xla.shape import UNBOUNDED, Shape

MEMORY_SPACES: Final = {
    0: "device memory (HBM, high-bandwidth memory)",
    1: "on-chip vector memory (VMEM)",
    5: "host memory",
}
FAMILIES: Final = {
    "pred": "truth value",
    "signed": "signed integer",
    "unsigned": "unsigned integer",
    "float": "floating-point number",
    "complex": "complex number",
}
LETTERS: Final = "pzyx"  # of the dimensions of images, the last one is x
NOT_ARRAYS: Final = {
    "token": "a token: it orders effects and holds nothing",
    "opaque": "an opaque value of the device",
}


class TextPart(NamedTuple):
    """A part of the text, and its meaning."""

    text: str
    meaning: str


def explain_shape(shape: Shape) -> tuple[TextPart, ...]:
    """The meaning of each part of a shape's text; the elements of tuples one after another."""
    return tuple(parts_of(shape))


def explanation(shape: Shape) -> str:
    """``explain_shape`` as a text of two columns."""
    rows = explain_shape(shape)
    width = max(len(row.text) for row in rows)
    return "\n".join(f"{row.text:<{width}}  {row.meaning}" for row in rows)


def parts_of(shape: Shape) -> Iterator[TextPart]:
    """The rows of a shape."""
    if shape.is_tuple:
        yield TextPart(str(shape), f"tuple of {count(len(shape.elements), 'element')}")
        for index, element in enumerate(shape.elements):
            yield TextPart(f"element {index}", str(element))
            yield from parts_of(element)
    elif shape.element_type is BUFFER:
        yield TextPart("b(...)", "a mutable reference to an array")
        yield from parts_of(shape.elements[0])
    elif not shape.is_array:
        yield TextPart(str(shape), NOT_ARRAYS[shape.element_type.name])
    else:
        yield from parts_of_array(shape)


def parts_of_array(shape: Shape) -> Iterator[TextPart]:
    """The rows of an array."""
    yield TextPart(shape.element_type.name, element_words(shape.element_type))
    sizes = shape.to_text(layouts=False).removeprefix(shape.element_type.name)
    words = f"{count(shape.rank, 'dimension')}, {shape.true_rank} of them larger than one"
    yield TextPart(sizes, words if shape.rank else "a scalar")
    for number, size in enumerate(shape.size_texts()):
        if shape.dynamic and shape.dynamic[number]:
            bounded = shape.dimensions[number] != UNBOUNDED
            bound = f"at most {shape.dimensions[number]}" if bounded else "any number"
            yield TextPart(size, f"{dimension(shape, number)} has {bound}, known at run time")
    layout = shape.layout or Layout.row_major(shape.rank)
    yield from order_part(shape, layout)
    for position, tile in enumerate(layout.tiles):
        sign = "" if position else "T"
        yield TextPart(f"{sign}({numerals(tile)})", tile_words(tile, first=not position))
    yield from section_parts(layout)
    if layout.memory_space == 0:
        yield TextPart("S(0)", f"in {MEMORY_SPACES[0]}; the default, not written")
    if UNBOUNDED not in shape.dimensions:
        yield buffer_part(shape)


def element_words(element: PrimitiveType) -> str:
    """``floating-point number, 16 bits``."""
    return f"{FAMILIES[element.family]}, {count(element.bits, 'bit')}"


def order_part(shape: Shape, layout: Layout) -> Iterator[TextPart]:
    """How the dimensions follow one another in memory."""
    if shape.rank < 2:
        return
    order = layout.minor_to_major
    kind = "row-major" if order == Layout.row_major(shape.rank).minor_to_major else ""
    kind = "column-major" if order == tuple(range(shape.rank)) else kind
    names = [dimension(shape, number) for number in order]
    words = f"{names[0]} changes fastest, then {', '.join(names[1:])}"
    yield TextPart(
        f"{{{numerals(order)}}}", f"minor to major: {words}{f' ({kind})' if kind else ''}"
    )


def dimension(shape: Shape, number: int) -> str:
    """``dimension 2 (y)``: with its letter where images have one."""
    if not 0 <= number < shape.rank:
        return f"dimension {number} (there is none)"
    letters = LETTERS[-shape.rank :] if 2 <= shape.rank <= len(LETTERS) else ""
    return f"dimension {number}{f' ({letters[number]})' if letters else ''}"


def tile_words(tile: Tile, *, first: bool) -> str:
    """The effect of a tile."""
    of = "the minor dimensions in memory" if first else "the tiles before"
    shape = "x".join("*" if size == COMBINED else str(size) for size in tile)
    merged = "; `*` merges a dimension with the next" if COMBINED in tile else ""
    return f"{of} in tiles of {shape}, padded to whole ones{merged}" if tile else "no tile"


def section_parts(layout: Layout) -> Iterator[TextPart]:
    """The rows of the sections after the tiles."""
    if layout.tail_padding > 1:
        words = f"padded at the end to a multiple of {layout.tail_padding} elements"
        yield TextPart(f"L({layout.tail_padding})", words)
    if layout.index_type:
        yield TextPart(f"#({layout.index_type})", f"indices of type {layout.index_type}")
    if layout.pointer_type:
        yield TextPart(f"*({layout.pointer_type})", f"pointers of type {layout.pointer_type}")
    if layout.element_bits:
        words = f"{count(layout.element_bits, 'bit')} for each element in memory"
        yield TextPart(f"E({layout.element_bits})", words)
    if layout.memory_space:
        space = layout.memory_space
        words = MEMORY_SPACES.get(space, "a memory that the device defines")
        yield TextPart(f"S({space})", f"in {words}")
    for split in layout.splits:
        words = f"dimension {split.dimension} is split between memories before {split.indices}"
        yield TextPart(f"SC({split.dimension}:{numerals(split.indices)})", words)
    if layout.dynamic_prefix_bytes:
        words = f"{count(layout.dynamic_prefix_bytes, 'byte')} of run-time sizes before the data"
        yield TextPart(f"M({layout.dynamic_prefix_bytes})", words)


def buffer_part(shape: Shape) -> TextPart:
    """Size and padding of the buffer."""
    elements = prod(shape.dimensions)
    padding = shape.buffer_elements - elements
    words = f"{count(elements, 'element')}, {count(shape.buffer_bytes, 'byte')}"
    return TextPart("buffer", f"{words}, {count(padding, 'element')} of padding")


def count(number: int, noun: str) -> str:
    """``1 byte``, ``2 bytes``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
