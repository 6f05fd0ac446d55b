"""Reads and writes literals.

All elements are converted at once. Only after an error the text is scanned element by element, to
find the place.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any, Final, NoReturn

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.formats.hlo.text.elements import ElementError, elements_of
from stablemate.formats.hlo.text.lexer.numbers import number_texts
from stablemate.formats.hlo.text.lexer.scanner import SPACE, Scanner
from stablemate.xla.literal import MOST_EMPTY_ROWS, Literal, has_many_empty_rows
from stablemate.xla.primitive_types import PRED, PrimitiveType
from stablemate.xla.shape import Shape

ELLIPSIS: Final = re.compile(rf"\{{{SPACE}\.\.\.{SPACE}\}}{SPACE}")
BRACE: Final = re.compile(r"[{}]")
NOT_BRACES: Final = re.compile(r"[^{}]+")
ROW: Final = re.compile(r"\{([^{}]*)\}")
PLAIN: Final = re.compile(
    r"-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|inf|nan(?:\(0x[0-9a-fA-F]+\))?|true|false)"
    r"(?![A-Za-z0-9_.])"
)
# Numbers without payloads, with the usual separators.
NUMBERS: Final = re.compile(
    r"(?:[ \t\r\n,{}]*+-?(?:[0-9]++(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?|inf|nan)"
    r"(?=[ \t\r\n,{}])|(?!))*+[ \t\r\n,{}]*+"
)
COMPLEX: Final = re.compile(rf"\({SPACE}{PLAIN.pattern}{SPACE},{SPACE}{PLAIN.pattern}{SPACE}\)")
SEPARATORS: Final = re.compile(r"[ \t\r\n,]*+")
COMMENTED_RANK: Final = 4  # from this rank on, the index of a row is printed in a comment


def read_literal(scanner: Scanner, shape: Shape, *, elided: bool = False) -> Literal:
    """Reads a literal of a shape; ``elided`` allows ``{...}``.

    A dynamic dimension has as many elements as its bound, and the shape of the literal is static.
    The bits that an element takes in memory are dropped from the layout, as XLA does.
    """
    with scanner.nested():
        if shape.is_tuple:
            return read_tuple(scanner, shape, elided=elided)
        if not shape.is_array:
            scanner.error(f"there is no literal of type {shape.element_type}")
        if shape.layout and shape.layout.element_bits:
            shape = replace(shape, layout=replace(shape.layout, element_bits=0))
        if ELLIPSIS.match(scanner.text, scanner.position):
            return read_ellipsis(scanner, shape, elided=elided)
        static = replace(shape, dynamic=()) if shape.dynamic else shape
        return Literal(static, read_array(scanner, shape))


def read_tuple(scanner: Scanner, shape: Shape, *, elided: bool) -> Literal:
    """``( literal, literal )``; commas between elements may be missing."""
    if elided and ELLIPSIS.match(scanner.text, scanner.position):
        return read_ellipsis(scanner, shape, elided=elided)
    scanner.expect("(", "'(' and the elements of a tuple")
    parts: list[Literal] = []
    for i, element in enumerate(shape.elements):
        if i:
            scanner.accept(",")
        parts.append(read_literal(scanner, element, elided=elided))
    scanner.expect(")")
    return Literal(Shape.tuple_of([part.shape for part in parts]), elements=tuple(parts))


def read_shaped_literal(scanner: Scanner, *, elided: bool = False) -> Literal:
    """``shape literal``, or ``( shape literal, ... )``."""
    if not scanner.accept("("):
        return read_literal(scanner, scanner.shape(), elided=elided)
    with scanner.nested():
        parts: list[Literal] = []
        while not scanner.accept(")"):
            parts.append(read_shaped_literal(scanner, elided=elided))
            if not scanner.at(")"):
                scanner.expect(",", "',' or ')'")
        return Literal(Shape.tuple_of([part.shape for part in parts]), elements=tuple(parts))


def read_ellipsis(scanner: Scanner, shape: Shape, *, elided: bool) -> Literal:
    """``{...}``."""
    match = ELLIPSIS.match(scanner.text, scanner.position)
    assert match is not None
    if not elided:
        scanner.error(
            "the values of this constant were left out when the text was printed",
            match.span(),
            "print it with print_large_constants, dump it with --xla_dump_large_constants=true "
            "or as a protocol buffer; reading with elided=True keeps the gap",
        )
    scanner.position = match.end()
    if shape.is_tuple:
        return Literal(shape, elements=tuple(elided_literal(element) for element in shape.elements))
    return Literal(shape)


def elided_literal(shape: Shape) -> Literal:
    """Returns an elided literal of a shape."""
    return Literal(shape, elements=tuple(elided_literal(element) for element in shape.elements))


def read_array(scanner: Scanner, shape: Shape) -> Any:
    """Reads the elements of an array, in logical order."""
    is_complex = shape.element_type.family == "complex"
    form = COMPLEX if is_complex else PLAIN
    start = scanner.position
    if scanner.at("{"):
        end = end_of_braces(scanner)
        texts = braced_texts(scanner, form, shape, start, end)
    else:
        match = form.match(scanner.text, start)
        if match is None:
            scanner.reject_unexpected(
                f"a literal of shape {shape.element_type}{list(shape.dimensions)}"
            )
        end = match.end()
        texts = [match[0]]
        if prod(shape.dimensions) != 1:
            scanner.error("one number is not a literal of this shape", match.span())
    try:
        array = elements_of(texts, shape.element_type)
    except ElementError as error:
        place = place_of(scanner, form, start, end, error.index)
        raise ParseError(Diagnostic(str(error), span=place)) from None
    scanner.jump(end)
    return array.reshape(shape.dimensions)


def end_of_braces(scanner: Scanner) -> int:
    """Returns the end of the braces that begin here."""
    depth = 0
    for match in BRACE.finditer(scanner.text, scanner.position):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    scanner.error("this literal is not terminated", (scanner.position, scanner.position + 1))


def braced_texts(
    scanner: Scanner, form: re.Pattern[str], shape: Shape, start: int, end: int
) -> list[str]:
    """Returns the texts of the elements, if their number and nesting are those of the shape."""
    text = scanner.text[start:end]
    texts = elements_in(form, text)
    dimensions = shape.dimensions
    if texts is not None and len(texts) == prod(dimensions):
        skeleton = NOT_BRACES.sub("", text)
        right = len(skeleton) == number_of_braces(dimensions)
        if right and skeleton == skeleton_of(dimensions) and rows_fit(form, text, dimensions):
            return texts
    reject_structure(scanner, form, dimensions, start, end)


def elements_in(form: re.Pattern[str], text: str) -> list[str] | None:
    """Returns the elements in a text.

    Returns None if it has anything but elements, braces and separators.
    """
    if form is PLAIN and NUMBERS.fullmatch(text):
        return text.translate(WITHOUT_PUNCTUATION).split()
    return None if form.sub("", text).translate(DELETED) else form.findall(text)


def rows_fit(form: re.Pattern[str], text: str, dimensions: Sequence[int]) -> bool:
    """Whether all elements are in innermost braces, the right number in each."""
    if len(dimensions) == 1 or 0 in dimensions:
        return True
    rows = (elements_in(form, row) or () for row in ROW.findall(text))
    return all(len(row) == dimensions[-1] for row in rows)


DELETED: Final = str.maketrans("", "", "{}, \t\r\n")
WITHOUT_PUNCTUATION: Final = str.maketrans("{},", "   ")


def number_of_braces(dimensions: Sequence[int]) -> int:
    """Returns the number of braces of a literal."""
    count = 0
    for size in reversed(dimensions):
        count = 2 + size * count
    return count


def skeleton_of(dimensions: Sequence[int]) -> str:
    """Returns the braces of a literal, without elements."""
    skeleton = ""
    for size in reversed(dimensions):
        skeleton = f"{{{skeleton * size}}}"
    return skeleton


def reject_structure(
    scanner: Scanner, form: re.Pattern[str], dimensions: Sequence[int], start: int, end: int
) -> NoReturn:
    """Raises a ParseError at the place where braces or elements differ from the shape."""
    counts: list[int] = []
    position = start
    while position < end:
        scanner.jump(SEPARATORS.match(scanner.text, position).end())  # type: ignore[union-attr]
        here = (scanner.position, scanner.position + 1)
        depth = len(counts)
        if scanner.at("}"):
            if counts[-1] != dimensions[depth - 1]:
                message = f"dimension {depth - 1} has {dimensions[depth - 1]} elements"
                scanner.error(f"{message}, found {counts[-1]}", here)
            counts.pop()
            position = scanner.position + 1
            continue
        element = form.match(scanner.text, scanner.position)
        expected = "an element" if depth == len(dimensions) else "'{'"
        if not (scanner.at("{") or element) or scanner.at("{") != (depth < len(dimensions)):
            scanner.reject_unexpected(f"{expected} of a literal of {len(dimensions)} dimensions")
        if counts:
            counts[-1] += 1
            if counts[-1] > dimensions[depth - 1]:
                message = f"dimension {depth - 1} has {dimensions[depth - 1]} elements"
                scanner.error(f"{message}, found more", here)
        if element:
            position = element.end()
        else:
            counts.append(0)
            position = scanner.position + 1
    scanner.error("this is not a literal of its shape", (start, start + 1))


def place_of(scanner: Scanner, form: re.Pattern[str], start: int, end: int, index: int) -> Any:
    """Returns the span of an element."""
    match = next(islice(form.finditer(scanner.text, start, end), index, None))
    return scanner.span(*match.span())


# ---- written


def literal_text(literal: Literal) -> str:
    """Formats a literal as XLA prints it."""
    shape = literal.shape
    if shape.is_tuple:
        return f"( {', '.join(map(literal_text, literal.elements))} )"
    if literal.array is None:
        return "{...}"
    if not shape.dimensions:
        return scalar_text(literal.array, shape.element_type)
    texts = number_texts(literal.array, shape.element_type)
    return nested_text(texts, shape.dimensions)


def shaped_text(literal: Literal, shape: Callable[[Shape], str] = str) -> str:
    """Prints a literal, each array after its shape."""
    if literal.shape.is_tuple:
        return f"( {', '.join(shaped_text(element, shape) for element in literal.elements)} )"
    return f"{shape(literal.shape)} {literal_text(literal)}"


def scalar_text(array: object, element_type: PrimitiveType) -> str:
    """Prints a single element; only here booleans are words."""
    if element_type is PRED:
        return "true" if bool(array) else "false"
    return number_texts(np.asarray(array), element_type)[0]


def nested_text(texts: list[str], dimensions: Sequence[int]) -> str:
    """Prints elements in nested braces.

    Raises:
        LimitError: There are no elements, but more rows than a text can hold.
    """
    rank, last = len(dimensions), dimensions[-1]
    if rank == 1:
        return f"{{{', '.join(texts)}}}"
    count = prod(dimensions[:-1])
    if has_many_empty_rows(dimensions):
        raise LimitError(
            f"the text of a literal without elements has more than {MOST_EMPTY_ROWS} rows, "
            f"{count}: write a protocol buffer"
        )
    if last == 1:
        rows = [f"{{{text}}}" for text in texts]
    elif last == 0:
        rows = ["{}"] * count
    else:
        rows = [f"{{ {', '.join(texts[i : i + last])} }}" for i in range(0, count * last, last)]
    for depth in range(rank - 2, -1, -1):
        size = dimensions[depth]
        count = prod(dimensions[:depth])
        inner = [", ".join(rows[i * size : (i + 1) * size]) for i in range(count)]
        if depth and rank >= COMMENTED_RANK:
            above = dimensions[depth - 1]
            rows = [row_with_index(depth - 1, i % above, text) for i, text in enumerate(inner)]
        else:
            rows = [f"{{ {text} }}" for text in inner]
    return rows[0]


def row_with_index(depth: int, index: int, inner: str) -> str:
    """Prints a row with its index in a comment."""
    return f"{{ /*i{depth}={index}*/{' ' * bool(inner)}{inner} }}"
