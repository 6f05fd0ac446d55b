"""A cursor over HLO text: the tokens of shapes and layouts, white space and comments skipped."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.integers import parse_integer
from stablemate.diagnostics.source import Source, Span

SKIPPED: Final = re.compile(r"(?:\s+|//[^\n]*|/\*(?s:.*?)\*/)*")
TOKEN: Final = re.compile(r"<=|-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*|[^\s]")
MAXIMUM: Final = (1 << 63) - 1  # of numbers in shapes


@dataclass(slots=True)
class TextCursor:
    """A place in a text.

    Attributes:
        source: The text.
        offset: Behind the last token that was taken.
    """

    source: Source
    offset: int = 0

    def peek(self) -> str:
        """The next token; empty at the end."""
        match_ = TOKEN.match(self.source.text, self.start())
        return match_.group() if match_ else ""

    def start(self) -> int:
        """Where the next token starts."""
        match_ = SKIPPED.match(self.source.text, self.offset)
        return match_.end() if match_ else self.offset

    def take(self) -> str:
        """Returns the next token and advances the cursor."""
        token = self.peek()
        self.offset = self.start() + len(token)
        return token

    def accept(self, token: str) -> bool:
        """Whether the next token is this one, which then is taken."""
        if self.peek() != token:
            return False
        self.take()
        return True

    def expect(self, *tokens: str) -> str:
        """The next token, which is one of these.

        Raises:
            ParseError: It is not.
        """
        if self.peek() not in tokens:
            self.refuse(f"expected {' or '.join(f'`{token}`' for token in tokens)}")
        return self.take()

    def number(self, least: int = 0) -> int:
        """The next token as an integer of 64 bits, at least ``least``.

        Raises:
            ParseError: It is none.
        """
        token = self.peek()
        if not token.lstrip("-").isdecimal():
            self.refuse("expected an integer")
        number = parse_integer(token)
        if not least <= number <= MAXIMUM:
            self.refuse(f"expected an integer from {least} to {MAXIMUM}")
        self.take()
        return number

    def numbers(self, end: str, least: int = 0) -> tuple[int, ...]:
        """Integers with commas between them, up to and with the token ``end``."""
        if self.accept(end):
            return ()
        numbers_ = [self.number(least)]
        while self.expect(",", end) == ",":
            numbers_.append(self.number(least))
        return tuple(numbers_)

    def end_of_text(self) -> None:
        """Nothing but white space and comments follows.

        Raises:
            ParseError: Something does.
        """
        if self.peek():
            self.refuse("expected the end of the text")

    def refuse(self, message: str) -> NoReturn:
        """The next token is not what was expected.

        Raises:
            ParseError: Always.
        """
        token, start = self.peek(), self.start()
        actual = f"found `{token}`" if token else "found the end of the text"
        raise ParseError(f"{message}, {actual}", Span(self.source, start, start + len(token)))
