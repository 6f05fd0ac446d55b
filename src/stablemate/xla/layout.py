"""Layouts of arrays in memory, and their text.

Source: XLA, "Shapes and layout" and "Tiled layout"; ``LayoutProto``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source
from stablemate.xla.cursor import TextCursor
from stablemate.xla.primitive_types import PRIMITIVE_TYPES, PrimitiveType

COMBINED: Final = -1  # ``*`` in a tile: merge this dimension with the next minor one

Tile = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SplitConfig:
    """``SC(dimension:i,j)``: a dimension is split at these indices between memories."""

    dimension: int
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Layout:
    """``{1,0:T(8,128)(2,1)L(4)E(4)S(1)}``: the order of dimensions and what comes with it.

    Made of its fields, or of its text alone: ``Layout("{1,0:T(8,128)}")``; ``str`` writes it.

    Attributes:
        minor_to_major: Dimension numbers, the one that changes fastest first.
        tiles: Tiles, applied one after another; COMBINED where a tile has ``*``.
        tail_padding: The number of elements is rounded up to a multiple of this.
        index_type: Type of the indices of dynamic shapes; None if not stated.
        pointer_type: Type of pointers; None if not stated.
        element_bits: Bits of an element in memory; 0 is the natural size.
        memory_space: 0 is the default one, 1 on-chip vector memory, 5 the host's.
        splits: Dimensions that are split between memories.
        dynamic_prefix_bytes: Bytes of run-time sizes before the data.

    Raises:
        ParseError: The text is no layout.
    """

    minor_to_major: tuple[int, ...]
    tiles: tuple[Tile, ...]
    tail_padding: int
    index_type: PrimitiveType | None
    pointer_type: PrimitiveType | None
    element_bits: int
    memory_space: int
    splits: tuple[SplitConfig, ...]
    dynamic_prefix_bytes: int

    def __init__(
        self,
        minor_to_major: tuple[int, ...] | str,
        tiles: tuple[Tile, ...] = (),
        tail_padding: int = 1,
        index_type: PrimitiveType | None = None,
        pointer_type: PrimitiveType | None = None,
        element_bits: int = 0,
        memory_space: int = 0,
        splits: tuple[SplitConfig, ...] = (),
        dynamic_prefix_bytes: int = 0,
    ) -> None:
        put = object.__setattr__
        if isinstance(minor_to_major, str):
            read = layout_of_text(minor_to_major)
            for name in FIELDS:
                put(self, name, getattr(read, name))
            return
        put(self, "minor_to_major", minor_to_major)
        put(self, "tiles", tiles)
        put(self, "tail_padding", tail_padding)
        put(self, "index_type", index_type)
        put(self, "pointer_type", pointer_type)
        put(self, "element_bits", element_bits)
        put(self, "memory_space", memory_space)
        put(self, "splits", splits)
        put(self, "dynamic_prefix_bytes", dynamic_prefix_bytes)

    @classmethod
    def row_major(cls, rank: int) -> Layout:
        """The default layout: the last dimension changes fastest."""
        return ROW_MAJOR[rank] if rank < len(ROW_MAJOR) else cls(descending(rank))

    @property
    def is_default(self) -> bool:
        """Whether this is the row-major layout without anything else."""
        return self == Layout.row_major(len(self.minor_to_major))

    def __str__(self) -> str:
        sections = self.sections()
        return f"{{{numerals(self.minor_to_major)}{':' if sections else ''}{sections}}}"

    def __repr__(self) -> str:
        return f"Layout('{self}')"

    def sections(self) -> str:
        """The text after the colon: ``T(8,128)S(1)``."""
        parts: list[str] = []
        if self.tiles:
            parts.append("T" + "".join(f"({numerals(tile)})" for tile in self.tiles))
        if self.tail_padding != 1:
            parts.append(f"L({self.tail_padding})")
        if self.index_type is not None:
            parts.append(f"#({self.index_type})")
        if self.pointer_type is not None:
            parts.append(f"*({self.pointer_type})")
        if self.element_bits:
            parts.append(f"E({self.element_bits})")
        if self.memory_space:
            parts.append(f"S({self.memory_space})")
        if self.splits:
            listed = (f"({split.dimension}:{numerals(split.indices)})" for split in self.splits)
            parts.append("SC" + "".join(listed))
        if self.dynamic_prefix_bytes:
            parts.append(f"M({self.dynamic_prefix_bytes})")
        return "".join(parts)


FIELDS: Final = tuple(Layout.__dataclass_fields__)


def numerals(numbers: Sequence[int]) -> str:
    """``8,*,128``."""
    return ",".join(["*" if number == COMBINED else str(number) for number in numbers])


def descending(rank: int) -> tuple[int, ...]:
    """``rank-1, ..., 1, 0``."""
    return tuple(range(rank - 1, -1, -1))


ROW_MAJOR: Final[Sequence[Layout]] = tuple(Layout(descending(rank)) for rank in range(9))


# ---- reading


def layout_of_text(text: str) -> Layout:
    """A layout of its whole text."""
    cursor = TextCursor(Source(text, "<layout>"))
    layout = read_layout(cursor)
    cursor.end_of_text()
    return layout


def read_layout(cursor: TextCursor) -> Layout:
    """Reads ``{1,0:T(8,128)}``; the optional sections after the colon have a fixed order.

    Raises:
        ParseError: It is none.
    """
    cursor.expect("{")
    order: list[int] = []
    if cursor.peek() not in (":", "}"):
        order.append(cursor.number())
        while cursor.accept(","):
            order.append(cursor.number())
    sections: dict[str, Any] = {}
    if cursor.accept(":"):
        sections = read_sections(cursor)
    if cursor.peek() == "P":
        cursor.refuse("only sparse arrays have a physical shape")
    cursor.expect("}")
    return Layout(tuple(order), **sections)


def read_sections(cursor: TextCursor) -> dict[str, object]:
    """The sections of a layout as fields of ``Layout``."""
    sections: dict[str, object] = {}
    if cursor.accept("D"):
        skip_level_types(cursor)
    if cursor.accept("T"):
        tiles = [read_tile(cursor)]
        while cursor.peek() == "(":
            tiles.append(read_tile(cursor))
        sections["tiles"] = tuple(tiles)
    if cursor.accept("L"):
        sections["tail_padding"] = in_parentheses(cursor, 1)
    if cursor.accept("#"):
        sections["index_type"] = bracketed_type(cursor)
    if cursor.accept("*"):
        sections["pointer_type"] = bracketed_type(cursor)
    if cursor.accept("E"):
        sections["element_bits"] = in_parentheses(cursor, 0)
    if cursor.accept("S"):
        sections["memory_space"] = in_parentheses(cursor, -128)
    if cursor.accept("SC"):
        splits = [read_split(cursor)]
        while cursor.peek() == "(":
            splits.append(read_split(cursor))
        sections["splits"] = tuple(splits)
    if cursor.accept("M"):
        sections["dynamic_prefix_bytes"] = in_parentheses(cursor, 0)
    return sections


def in_parentheses(cursor: TextCursor, least: int) -> int:
    """``(5)``."""
    cursor.expect("(")
    number = cursor.number(least)
    cursor.expect(")")
    return number


def bracketed_type(cursor: TextCursor) -> PrimitiveType:
    """``(u32)``: an integer type."""
    cursor.expect("(")
    primitive_type = PRIMITIVE_TYPES.get(cursor.peek())
    if primitive_type is None or not primitive_type.is_integral:
        cursor.refuse("expected an integer type")
    cursor.take()
    cursor.expect(")")
    return primitive_type


def read_tile(cursor: TextCursor) -> Tile:
    """``(8,*,128)``; sizes are positive."""
    cursor.expect("(")
    if cursor.accept(")"):
        return ()
    sizes: list[int] = []
    while not sizes or cursor.expect(",", ")") == ",":
        sizes.append(COMBINED if cursor.accept("*") else cursor.number(1))
    return tuple(sizes)


def read_split(cursor: TextCursor) -> SplitConfig:
    """``(0:16,32)``."""
    cursor.expect("(")
    dimension = cursor.number()
    cursor.expect(":")
    return SplitConfig(dimension, cursor.numbers(")"))


def skip_level_types(cursor: TextCursor) -> None:
    """``(D,C+,S~)``: how dimensions of sparse arrays are stored; XLA reads and drops it."""
    cursor.expect("(")
    if cursor.accept(")"):
        return
    separator = ","
    while separator == ",":
        cursor.expect("D", "C", "S", "H")
        cursor.accept("+")
        cursor.accept("~")
        separator = cursor.expect(",", ")")
