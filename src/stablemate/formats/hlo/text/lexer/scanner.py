"""Scans HLO text.

There is no tokenizer: every reader knows what may come next, and matches it with a regular
expression. Comments are replaced by blanks beforehand, so that only white space separates tokens;
positions remain those of the source.

Source: XLA, the lexical rules of HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from math import isinf
from typing import Final, NoReturn, TypeVar

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.similar_names import similar_names
from stablemate.diagnostics.source import Source, Span
from stablemate.xla.checks.layouts import tuple_layout_problem
from stablemate.xla.primitive_types import NAMES_IN_TEXT
from stablemate.xla.shape import Shape, shape_at

T = TypeVar("T")

SPACE: Final = r"[ \t\r\n]*+"
BLANK: Final = r"[ \t\r\n]++"
IDENTIFIER: Final = r"[A-Za-z_][A-Za-z0-9_.-]*+"
# A name is bare, followed by a colon, or after a percent sign; ``name=`` is that of an attribute.
NAME: Final = re.compile(rf"(?:%({IDENTIFIER})|({IDENTIFIER})(?::|(?!=))){SPACE}")
WORD: Final = re.compile(rf"({IDENTIFIER}){SPACE}")
ATTRIBUTE: Final = re.compile(rf"({IDENTIFIER})={SPACE}")
INTEGER: Final = re.compile(rf"(-?[0-9]+)(?![0-9]*[.eE][0-9]){SPACE}")
NUMBER: Final = re.compile(
    rf"(-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|inf|nan)(?![A-Za-z0-9_.])){SPACE}"
)
STRING: Final = re.compile(
    rf""""([^"\\]*+(?:\\.[^"\\]*+|(?!))*+)"{SPACE}|'([^'\\]*+(?:\\.[^'\\]*+|(?!))*+)'{SPACE}""",
    re.DOTALL,
)
COMMENTS: Final = re.compile(
    r""""[^"\\]*+(?:\\.[^"\\]*+|(?!))*+"|'[^'\\]*+(?:\\.[^'\\]*+|(?!))*+'|//[^\r\n]*+|/\*""",
    re.DOTALL,
)
NOT_LINE_BREAK: Final = re.compile(r"[^\r\n]")
WHITE_SPACE: Final = re.compile(SPACE)
TOKEN: Final = re.compile(rf"%?{IDENTIFIER}|-?[0-9.]+|->|<=|.", re.DOTALL)
ESCAPE: Final = re.compile(
    r"\\(?:([abfnrtv?'\"\\])|x([0-9A-Fa-f]+)|([0-7]{1,3})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))"
    r"|\\(.?)|([^\\]+)",
    re.DOTALL,
)
SIMPLE_ESCAPES: Final = dict(zip("abfnrtv?'\"\\", "\a\b\f\n\r\t\v?'\"\\", strict=True))

RESERVED: Final = NAMES_IN_TEXT | {
    *("true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "FileLocations", "FileNames"),
    *("FunctionNames", "StackFrames", "maximal", "replicated", "manual", "unknown", "unreduced"),
    *("last_tile_dim_replicate", "shard_as", "shard_like"),
}


class Scanner:
    """A position in a text, always before a character that is not white space.

    Attributes:
        source: The original text.
        text: The text with its comments blanked.
        position: The position of the next character.
        limits: The limits of reading.
        depth: The depth of nesting at the position.
        shapes: Shapes of arrays by their text.
    """

    def __init__(self, source: Source, limits: Limits = DEFAULT_LIMITS) -> None:
        self.source = source
        self.limits = limits
        self.depth: int = 0
        self.position: int = 0
        if len(source.text) > limits.input_bytes:
            raise LimitError(f"the text has more than {limits.input_bytes} bytes")
        self.text: str = source.text
        self.check_characters()
        if "//" in self.text or "/*" in self.text:
            self.text = self.without_comments()
        self.shapes: dict[str, Shape] = {}
        self.jump(0)

    def check_characters(self) -> None:
        """Rejects lone surrogates, except those that stand for bytes."""
        if self.text.isascii():
            return
        try:
            self.text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            self.error("this is half of a character", (error.start, error.start + 1))

    def without_comments(self) -> str:
        """Returns the text with comments replaced by as many blanks."""
        text, parts, position = self.text, list[str](), 0
        while match := COMMENTS.search(text, position):
            start, end = match.span()
            if text[start] != "/":
                parts.append(text[position:end])
            else:
                if text[start + 1] == "*":
                    end = text.find("*/", start + 2) + 2
                    if end < 2:  # not a comment unless one is allowed here
                        break
                parts += text[position:start], NOT_LINE_BREAK.sub(" ", text[start:end])
            position = end
        return "".join([*parts, text[position:]])

    # ---- moving

    def jump(self, position: int) -> None:
        """Moves to the first character at or after a position that is not white space."""
        match = WHITE_SPACE.match(self.text, position)
        self.position = match.end() if match else position

    def accept(self, mark: str) -> bool:
        """Consumes a mark if it is present."""
        if not self.text.startswith(mark, self.position):
            return False
        self.jump(self.position + len(mark))
        return True

    def expect(self, mark: str, what: str = "") -> None:
        """Consumes a mark, which must be next."""
        if not self.accept(mark):
            self.reject_unexpected(what or f"'{mark}'")

    def at(self, mark: str) -> bool:
        """Whether a mark is next."""
        return self.text.startswith(mark, self.position)

    @property
    def at_end(self) -> bool:
        """Whether the text is at its end."""
        return self.position >= len(self.text)

    def take(self, form: re.Pattern[str], what: str) -> str:
        """Consumes a match of a pattern and returns its first group."""
        match = form.match(self.text, self.position)
        if match is None:
            self.reject_unexpected(what)
        self.position = match.end()
        return match[1]

    # ---- words and numbers

    def name(self, what: str) -> str:
        """Reads the name of a module, computation or instruction, without its percent sign."""
        match = NAME.match(self.text, self.position)
        if match is None:
            self.reject_unexpected(what)
        name: str = match[1] or match[2]
        if name in RESERVED and self.is_reserved(match):
            self.error(f"'{name}' is a reserved word; expected {what}", match.span())
        self.position = match.end()
        return name

    def is_reserved(self, match: re.Match[str]) -> bool:
        """Whether a match is a reserved word; after ``%`` only types are reserved."""
        return match[0].rstrip()[-1] != ":" and (match[1] is None or match[1] in NAMES_IN_TEXT)

    def word(self, what: str) -> str:
        """Reads an identifier; ``what`` is what an error says was expected."""
        return self.take(WORD, what)

    def accept_word(self, word: str) -> bool:
        """Consumes an identifier if it is this one."""
        match = WORD.match(self.text, self.position)
        if match is None or match[1] != word:
            return False
        self.position = match.end()
        return True

    def at_word(self, word: str) -> bool:
        """Whether this identifier is next."""
        match = WORD.match(self.text, self.position)
        return match is not None and match[1] == word

    def integer(self, what: str = "an integer") -> int:
        """Reads an integer of 64 bits; one above the signed range may be unsigned."""
        start = self.position
        text = self.take(INTEGER, what)
        value = int(text) if len(text) <= 20 else 1 << 64
        if not -(1 << 63) <= value < 1 << 64:
            self.error("this integer needs more than 64 bits", (start, start + len(text)))
        return value

    def signed_integer(self, what: str = "an integer", bits: int = 64) -> int:
        """Reads a signed integer of ``bits`` bits."""
        start = self.position
        value = self.integer(what)
        if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            self.error(f"this integer needs more than {bits} bits with its sign", (start, start))
        return value

    def number(self, what: str = "a number") -> float:
        """Reads a decimal number or an integer as a float.

        An integer zero loses its sign.
        """
        start = self.position
        text = self.take(NUMBER, what)
        if text.lstrip("-").isdigit():
            self.position = start
            return float(self.integer(what))
        value = float(text)
        if isinf(value) and not text.endswith("inf"):
            self.error("this number needs more than 64 bits", (start, start + len(text)))
        return value

    def boolean(self) -> bool:
        """``true`` or ``false``."""
        if self.accept_word("true"):
            return True
        if self.accept_word("false"):
            return False
        self.reject_unexpected("'true' or 'false'")

    def string(self, what: str = "a string") -> str:
        """Reads a string in quotes and resolves its escapes."""
        start = self.position
        match = STRING.match(self.text, start)
        if match is None:
            if self.at('"') or self.at("'"):
                self.error("this string is not terminated", (start, start + 1))
            self.reject_unexpected(what)
        self.position = match.end()
        text: str = match[1] if match[1] is not None else match[2]
        return self.unescape(text, start + 1) if "\\" in text else text

    def unescape(self, text: str, start: int) -> str:
        """Resolves the escapes of a string; escaped bytes are read as UTF-8."""
        data = bytearray()
        for match in ESCAPE.finditer(text):
            simple, hexadecimal, octal, short, long, _, plain = match.groups()
            place = (start + match.start(), start + match.end())
            if plain is not None:
                data += plain.encode("utf-8", "surrogateescape")
            elif simple:
                data += SIMPLE_ESCAPES[simple].encode()
            elif hexadecimal or octal:
                value = int(hexadecimal, 16) if hexadecimal else int(octal, 8)
                if value > 255:
                    self.error("this escape names no byte", place)
                data.append(value)
            elif (short or long) and is_character(code := int(short or long, 16)):
                data += chr(code).encode()
            else:
                self.error(f"there is no escape '{match[0]}'", place)
        return data.decode("utf-8", "surrogateescape")

    # ---- lists

    def read_separated(self, close: str, read: Callable[[], T]) -> list[T]:
        """Reads items up to a closing mark, separated by commas."""
        if self.accept(close):
            return []
        values = [read()]
        while self.accept(","):
            values.append(read())
        self.expect(close, f"',' or '{close}'")
        return values

    def read_enclosed(self, open: str, close: str, read: Callable[[], T]) -> list[T]:
        """Reads a list between two marks, separated by commas."""
        self.expect(open)
        return self.read_separated(close, read)

    def integers(self) -> tuple[int, ...]:
        """``{1,0}``."""
        return tuple(self.read_enclosed("{", "}", self.signed_integer))

    def shape(self) -> Shape:
        """Reads a shape with its layout."""
        start = self.position
        shape, end = shape_at(self.source, start, self.limits)
        self.jump(end)
        if shape.is_tuple and (problem := tuple_layout_problem(shape)):
            self.error(problem, (start, start + 1))
        return shape

    @contextmanager
    def nested(self) -> Generator[None]:
        """Enters a level of nesting, whose number is limited."""
        if self.depth >= self.limits.nesting:
            message = f"nested more than {self.limits.nesting} levels deep"
            span = Span(self.source, self.position, self.position + 1)
            raise LimitError(Diagnostic(message, span=span))
        self.depth += 1
        yield
        self.depth -= 1

    # ---- errors

    def span(self, start: int, end: int) -> Span:
        """A part of the source."""
        return Span(self.source, start, end)

    def here(self) -> tuple[int, int]:
        """Returns the start and end of the next token."""
        match = TOKEN.match(self.text, self.position)
        return match.span() if match else (self.position, self.position)

    def reject_unexpected(self, what: str) -> NoReturn:
        """Raises a ParseError: something else was expected here."""
        start, end = self.here()
        if self.at("/*"):
            self.error("this comment is not terminated", (start, start + 2))
        actual = repr(self.text[start:end]) if start < end else "the end of the text"
        self.error(f"expected {what}, found {actual}", (start, end))

    def error(self, message: str, place: tuple[int, int] | None = None, hint: str = "") -> NoReturn:
        """Raises a ParseError at a part of the text, by default at the next token."""
        span = Span(self.source, *(place or self.here()))
        notes = (Diagnostic(hint),) if hint else ()
        raise ParseError(Diagnostic(message, span=span, notes=notes))

    def reject_unknown(
        self, what: str, name: str, names: Iterable[str], place: tuple[int, int], more: str = ""
    ) -> NoReturn:
        """Rejects an unknown name, and suggests a similar one."""
        article = "an" if what[0] in "aio" else "a"
        close = similar_names(name, names)
        hint = f"did you mean '{close[0]}'?" if close else ""
        self.error(f"'{name}' is not {article} {what}{more}", place, hint)


def is_character(code: int) -> bool:
    """Whether a code point is a character that UTF-8 can encode."""
    return code < 0x110000 and not 0xD800 <= code < 0xE000
