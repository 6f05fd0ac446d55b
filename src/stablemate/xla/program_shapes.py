"""Program shapes as text: ``(f32[2,3]{0,1}, s32[])->f32[3]{0}``."""

from __future__ import annotations

from stablemate.diagnostics.source import Source
from stablemate.xla.cursor import TextCursor
from stablemate.xla.shape import Shape, shape_at
from stablemate.xla.values import ProgramShape


def program_shape_of_text(text: str, name: str = "<program shape>") -> ProgramShape:
    """The shapes and layouts of parameters and result; braces around them may be there.

    Raises:
        ParseError: The text is no program shape.
    """
    cursor = TextCursor(Source(text, name))
    braced = cursor.accept("{")
    cursor.expect("(")
    parameters: list[Shape] = []
    if not cursor.accept(")"):
        parameters.append(next_shape(cursor))
        while cursor.expect(",", ")") == ",":
            parameters.append(next_shape(cursor))
    cursor.expect("-")
    cursor.expect(">")
    result = next_shape(cursor)
    if braced:
        cursor.expect("}")
    cursor.end_of_text()
    return ProgramShape(tuple(parameters), result)


def next_shape(cursor: TextCursor) -> Shape:
    """Parses a shape at the cursor and advances behind it."""
    shape, cursor.offset = shape_at(cursor.source, cursor.offset)
    return shape


def program_shape_text(border: ProgramShape) -> str:
    """``(shape, ...)->shape``, with layouts."""
    return f"({', '.join(map(str, border.parameters))})->{border.result}"
