"""Shapes: element type, dimensions and layout of an array, or a tuple of shapes; their text.

Source: XLA, "Shapes and layout"; ``ShapeProto``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
)
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.xla.cursor import TextCursor
from stablemate.xla.layout import Layout, read_layout
from stablemate.xla.memory.footprint import UNBOUNDED as UNBOUNDED
from stablemate.xla.memory.footprint import InMemory
from stablemate.xla.primitive_types import (
    BUFFER,
    NAMES_IN_TEXT,
    OPAQUE,
    PRIMITIVE_TYPES,
    TOKEN,
    TUPLE,
    PrimitiveType,
)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Shape(InMemory):
    """``f32[<=5,3]{1,0}``, ``(s32[], token[])``, ``opaque[]``, ``b(f32[4])``.

    Made of its fields, or of its text alone: ``Shape("f32[2,3]{0,1}")``; ``str`` writes it. Text
    without a layout means the row-major one.

    Attributes:
        element_type: What an element is; TUPLE, TOKEN, OPAQUE and BUFFER are no arrays.
        dimensions: Sizes; of dynamic dimensions the bounds, UNBOUNDED for ``?``.
        dynamic: Which dimensions are dynamic; empty when none is.
        layout: How the array lies in memory; None if nothing is said.
        elements: The parts of a tuple; the array behind a buffer.

    Raises:
        ParseError: The text is no shape.
    """

    element_type: PrimitiveType
    dimensions: tuple[int, ...]
    dynamic: tuple[bool, ...]
    layout: Layout | None
    elements: tuple[Shape, ...]

    def __init__(
        self,
        element_type: PrimitiveType | str,
        dimensions: tuple[int, ...] = (),
        dynamic: tuple[bool, ...] = (),
        layout: Layout | None = None,
        elements: tuple[Shape, ...] = (),
    ) -> None:
        if isinstance(element_type, str):
            read = shape_of_text(element_type)
            element_type, dimensions, dynamic = read.element_type, read.dimensions, read.dynamic
            layout, elements = read.layout, read.elements
        put = object.__setattr__
        put(self, "element_type", element_type)
        put(self, "dimensions", dimensions)
        put(self, "dynamic", dynamic)
        put(self, "layout", layout)
        put(self, "elements", elements)

    @classmethod
    def tuple_of(cls, elements: Sequence[Shape]) -> Shape:
        """Creates the shape of a tuple."""
        return cls(TUPLE, elements=tuple(elements))

    @property
    def is_array(self) -> bool:
        """Whether this is an array."""
        return self.element_type.is_array

    @property
    def is_tuple(self) -> bool:
        """Whether this is a tuple."""
        return self.element_type is TUPLE

    @property
    def rank(self) -> int:
        """The number of dimensions, 0 of a scalar."""
        return len(self.dimensions)

    @property
    def is_static(self) -> bool:
        """Whether no dimension, of any part, is dynamic."""
        return not self.dynamic and all(element.is_static for element in self.elements)

    @property
    def leaf_count(self) -> int:
        """How many parts are no tuples."""
        return sum(element.leaf_count for element in self.elements) if self.is_tuple else 1

    def leaves(self) -> Iterator[tuple[tuple[int, ...], Shape]]:
        """All parts that are no tuples with their indices, in order; a non-tuple is its own."""
        stack: list[tuple[tuple[int, ...], Shape]] = [((), self)]
        while stack:
            index, shape = stack.pop()
            if shape.is_tuple:
                parts = [((*index, i), element) for i, element in enumerate(shape.elements)]
                stack.extend(reversed(parts))
            else:
                yield index, shape

    # ---- dimensions

    @property
    def true_rank(self) -> int:
        """Number of dimensions larger than one."""
        return sum(size > 1 or size == UNBOUNDED for size in self.dimensions)

    def dimension_number(self, number: int) -> int:
        """A dimension number from 0 up; negative ones count from the end.

        Raises:
            ArgumentValueError: There is no such dimension.
        """
        if not -self.rank <= number < self.rank:
            raise ArgumentValueError(f"{self} has no dimension {number}")
        return number % self.rank

    # ---- text

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Shape('{self}')"

    def to_text(self, *, layouts: bool = True) -> str:
        """XLA's text of the shape; without ``layouts`` none is written."""
        if self.is_array:
            sizes = ",".join(self.size_texts() if self.dynamic else map(str, self.dimensions))
            layout = self.layout if layouts else None
            hidden = layout is None or (not self.dimensions and layout.is_default)
            return f"{self.element_type.name}[{sizes}]{'' if hidden else layout}"
        if not (self.is_tuple or self.element_type is BUFFER):
            return f"{self.element_type.name}[]"
        parts = [element.to_text(layouts=layouts) for element in self.elements]
        if self.element_type is BUFFER:
            return f"b({', '.join(parts)})"
        for position in range(5, len(parts), 5):
            parts[position] = f"/*index={position}*/{parts[position]}"
        return f"({', '.join(parts)})"

    def size_texts(self) -> Iterator[str]:
        """Each dimension as text: ``3``, ``<=3`` or ``?``."""
        flags = self.dynamic or (False,) * self.rank
        for size, dynamic in zip(self.dimensions, flags, strict=True):
            yield "?" if size == UNBOUNDED else f"<={size}" if dynamic else str(size)


TOKEN_SHAPE: Final = Shape(TOKEN)
OPAQUE_SHAPE: Final = Shape(OPAQUE)


def buffer_of(shape: Shape) -> Shape:
    """``b(shape)``: a mutable reference to an array."""
    return Shape(BUFFER, elements=(shape,))


# ---- reading

# Shapes as XLA prints them, up to tuples in three tuples: their text is the key of a cache.
# ``(?!)`` ends possessive groups for Python before 3.11.5: tests/formats/test_possessive_groups.py.
SIZES: Final = r"(?:(?:<=)?[0-9]+|\?|,|(?!))*+"
PRINTED_LAYOUT: Final = r"\{[0-9,]*+(?::[^{}/\s]*+)?\}"
PRINTED_ARRAY: Final = rf"[a-z][a-z0-9]*+\[{SIZES}\](?:{PRINTED_LAYOUT}|(?!\s*+[{{/]))"


def nested_brackets_pattern(depth: int) -> str:
    """The pattern of brackets with brackets inside, down to this depth."""
    inner = nested_brackets_pattern(depth - 1) if depth else "(?!)"
    return rf"\((?:[^()/]++|/\*index=[0-9]++\*/|{inner}|(?!))*+\)"


PLAIN_SIZES: Final = re.compile(r"([0-9]{1,18}+(?:,[0-9]{1,18}+|(?!))*+)\]")
PRINTED: Final = re.compile(rf"{PRINTED_ARRAY}|{nested_brackets_pattern(5)}")


def shape_at(source: Source, offset: int, limits: Limits = DEFAULT_LIMITS) -> tuple[Shape, int]:
    """The shape at an offset of a source, and the offset after its last token.

    White space and comments may stand before it and between any tokens.

    Raises:
        ParseError: There is none.
        LimitError: Tuples are nested deeper than ``limits.nesting``.
    """
    printed = PRINTED.match(source.text, offset)
    if printed is not None:
        try:
            return shape_of_text(printed.group()), printed.end()
        except (ParseError, LimitError):
            pass  # again, with spans in this source
    cursor = TextCursor(source, offset)
    shape = read_shape(cursor, limits.nesting)
    return shape, cursor.offset


@lru_cache(maxsize=1 << 14)
def shape_of_text(text: str) -> Shape:
    """A shape of its whole text."""
    cursor = TextCursor(Source(text, "<shape>"))
    shape = read_shape(cursor, DEFAULT_LIMITS.nesting)
    cursor.end_of_text()
    return shape


def read_shape(cursor: TextCursor, nesting: int) -> Shape:
    """Parses a shape at the cursor, nested at most as deeply as permitted."""
    if cursor.peek() == "(":
        return read_tuple(cursor, nesting)
    if cursor.peek() == "b":
        cursor.take()
        cursor.expect("(")
        if cursor.peek() not in NAMES_IN_TEXT - {"token", "opaque"}:
            cursor.refuse("expected the shape of an array")
        array = read_shape(cursor, nesting)
        cursor.expect(")")
        return buffer_of(array)
    if cursor.peek() not in NAMES_IN_TEXT:
        cursor.refuse("expected a shape")
    element_type = PRIMITIVE_TYPES[cursor.take()]
    cursor.expect("[")
    if not element_type.is_array:
        cursor.expect("]")
        return Shape(element_type)
    sizes, dynamic = read_sizes(cursor)
    return Shape(element_type, sizes, dynamic, read_layout_of(cursor, len(sizes)))


def read_tuple(cursor: TextCursor, nesting: int) -> Shape:
    """``(shape, shape)``."""
    if not nesting:
        start = cursor.start()
        span = Span(cursor.source, start, start + 1)
        raise LimitError("tuples are nested too deeply", span)
    cursor.expect("(")
    if cursor.accept(")"):
        return Shape(TUPLE)
    elements = [read_shape(cursor, nesting - 1)]
    while cursor.expect(",", ")") == ",":
        elements.append(read_shape(cursor, nesting - 1))
    return Shape(TUPLE, elements=tuple(elements))


def read_sizes(cursor: TextCursor) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """``<=5,3]``: sizes, and which of them are dynamic."""
    plain = PLAIN_SIZES.match(cursor.source.text, cursor.start())
    if plain is not None:
        cursor.offset = plain.end()
        return tuple(map(int, plain[1].split(","))), ()
    if cursor.accept("]"):
        return (), ()
    sizes: list[int] = []
    dynamic: list[bool] = []
    while not sizes or cursor.expect(",", "]") == ",":
        unbounded = cursor.accept("?")
        dynamic.append(unbounded or cursor.accept("<="))
        sizes.append(UNBOUNDED if unbounded else cursor.number())
    return tuple(sizes), tuple(dynamic) if any(dynamic) else ()


def read_layout_of(cursor: TextCursor, rank: int) -> Layout:
    """The layout of an array: row-major if the text has none.

    Behind a shape ``{`` starts a layout only before a number or a colon.
    """
    ahead = TextCursor(cursor.source, cursor.offset)
    if not ahead.accept("{") or not (ahead.peek() == ":" or ahead.peek().lstrip("-").isdecimal()):
        return Layout.row_major(rank)
    start = cursor.start()
    layout = read_layout(cursor)
    if len(layout.minor_to_major) != rank:
        layout_rank = len(layout.minor_to_major)
        message = f"expected a layout of {rank} dimensions, found one of {layout_rank}"
        raise ParseError(message, Span(cursor.source, start, cursor.offset))
    return layout
