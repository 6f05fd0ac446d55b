"""Splits MLIR text into tokens, and walks over them.

One regular expression matches one token at a time. Dimension lists (``2x3x``) and long strings are
read without it, at character positions.

Source: MLIR language reference, "Top level productions" and the lexical rules of its parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NoReturn, TypeVar

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.similar_names import SimilarNames
from stablemate.diagnostics.source import Source, Span

T = TypeVar("T")

SUFFIX: Final = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
GAP: Final = r"(?:[ \t\r\n]+|//[^\n]*)*"
TOKEN: Final = re.compile(
    rf"""{GAP}(?:
      (?P<bare>[A-Za-z_][A-Za-z0-9_$.]*)
    | (?P<value>%{SUFFIX}(?:{GAP}+\#[0-9]+)?)
    | (?P<punctuation>->|::|\{{-\#|\#-\}}|[()\[\]{{}}<>,:=?*+|-])
    | (?P<float>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)
    | (?P<integer>0x[0-9A-Fa-f]+|[0-9]+)
    | (?P<symbol>@(?:[A-Za-z_][A-Za-z0-9_$.]*|(?=")))
    | (?P<hash>\#[A-Za-z_][A-Za-z0-9_$.-]*)
    | (?P<bang>![A-Za-z_][A-Za-z0-9_$.-]*|!(?=<))
    | (?P<block>\^{SUFFIX})
    | (?P<string>")
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
# What no grammar has, and upstream's lexer skips after an attribute or a type of a dialect.
STRAY: Final = re.compile(GAP + r"(?P<stray>\.(?!\.)|@)")
REST_OF_STRING: Final = re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+|(?!))*+"')
ESCAPE: Final = re.compile(rb'\\(?:(["\\nt])|([0-9A-Fa-f]{2})|(.?))', re.DOTALL)
SIMPLE_ESCAPES: Final = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t"}
WHITE_SPACE: Final = re.compile(GAP)
BEHIND_NAME: Final = re.compile(r"[ \t\r\n/]")  # what may stand before the number of a result
WORD: Final = 1 << 63
BOOLEANS: Final = {"true": -1, "false": 0}  # as integers of one bit, extended by their sign
BRACKET: Final = re.compile(r'->|["<>()\[\]{}]')
OPENING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}


class TokenCursor:
    """The current token of a text, and methods that query and consume it.

    Attributes:
        kind: Which rule the token matched: ``bare``, ``value``, ``punctuation``, ...
        token: Its text.
        start: Offset of its first character.
        end: Offset after its last character.
        previous_end: Offset after the token before it.
        similar_names: Finds what was probably meant by wrong names.
        failed_in_part: Whether an attribute or a type could not be read.
    """

    failed_in_part: bool = False

    def __init__(self, source: Source, limits: Limits = DEFAULT_LIMITS) -> None:
        self.source = source
        self.text = source.text
        self.limits = limits
        self.depth: int = 0
        self.deepest: int = 0
        self.kind: str = ""
        self.token: str = ""
        self.start: int = 0
        self.end: int = 0
        self.previous_end: int = 0
        self.similar_names = SimilarNames()
        self.advance()

    # ---- moving

    def advance(self) -> None:
        """Moves to the next token."""
        self.previous_end = self.end
        match = TOKEN.match(self.text, self.end) or STRAY.match(self.text, self.end)
        if match is None:
            self.stray_character()
        kind = match.lastgroup
        assert kind is not None
        self.kind = kind
        self.start, self.end = match.span(kind)
        if kind == "string" or (kind == "symbol" and self.end - self.start == 1):
            self.finish_string()
        else:
            self.token = match[kind]
            if kind == "value" and "#" in self.token:
                before, _, number = self.token.rpartition("#")
                self.token = f"{BEHIND_NAME.split(before, 1)[0]}#{number}"

    def skip_stray(self) -> None:
        """Skips one character without meaning after an attribute or a type of a dialect."""
        if self.kind == "stray":
            self.advance()

    def finish_string(self) -> None:
        """Extends the token to the closing quote of the string that begins at it."""
        first = self.text.index('"', self.start) + 1
        closing = self.text.find('"', first)
        if closing >= 0 and self.text.find("\\", first, closing) < 0:
            self.end = closing + 1
            newline = self.text.find("\n", first, closing)
        else:
            match = REST_OF_STRING.match(self.text, first)
            newline = self.text.find("\n", first) if match is None else -1
            self.end = match.end() if match else first
            closing = 0 if match else -1
        if newline >= 0 or closing < 0:
            end = newline if newline >= 0 else len(self.text)
            self.error("this string is not terminated on its line", (self.start, end))
        self.token = self.text[self.start : self.end] if self.end - self.start < 1000 else '"'

    def stray_character(self) -> NoReturn:
        """Rejects a character that cannot begin a token."""
        skipped = WHITE_SPACE.match(self.text, self.end)
        start = skipped.end() if skipped else self.end
        character = self.text[start]
        hint = {"%": "a name of a value", "^": "a name of a block"}
        expected = hint.get(character)
        message = (
            f"expected {expected} after {character!r}"
            if expected
            else f"unexpected character {character!r}"
        )
        is_token = character == "/" or self.text.startswith("...", start)  # of MLIR
        end = end_of_line_before(self.text, start) if is_token else None
        self.error(message, (start, start + 1) if end is None else (end, end + 1))

    def jump(self, position: int) -> None:
        """Moves to the first token at or after a character position."""
        self.end = position
        self.advance()

    # ---- asking

    def at(self, token: str) -> bool:
        """Whether the current token is this one."""
        return self.token == token

    def followed_by(self, text: str) -> bool:
        """Whether this text follows the current token."""
        skipped = WHITE_SPACE.match(self.text, self.end)
        return skipped is not None and self.text.startswith(text, skipped.end())

    def accept(self, token: str) -> bool:
        """Consumes the token if it is this one."""
        if self.token != token:
            return False
        self.advance()
        return True

    def accept_colon(self) -> bool:
        """Consumes the colon before a type; after one of two, a type is missing."""
        if self.token == "::":
            self.error("expected a type, found ':'", (self.start + 1, self.end))
        return self.accept(":")

    def expect(self, token: str, what: str = "") -> None:
        """Consumes the token, which must be this one.

        Another token in the place of a keyword is rejected where it is, as in MLIR.
        """
        if self.token != token:
            what = what or f"'{token}'"
            if token.isidentifier() and self.kind != "end":
                self.error(f"expected {what}, found {self.found}")
            self.reject_unexpected(what)
        self.advance()

    def take(self, kind: str, what: str) -> str:
        """Consumes a token of this kind and returns its text."""
        if self.kind != kind:
            self.reject_unexpected(what)
        token = self.token
        self.advance()
        return token

    def read_separated(self, item: Callable[[], T], closing: str) -> list[T]:
        """Reads ``item, item, ... closing``; possibly no item."""
        items: list[T] = []
        if self.accept(closing):
            return items
        items.append(item())
        while self.accept(","):
            items.append(item())
        self.expect(closing, f"',' or '{closing}'")
        return items

    def read_enclosed(self, opening: str, item: Callable[[], T]) -> list[T]:
        """Reads ``opening item, item, ... closing``."""
        self.expect(opening)
        return self.read_separated(item, OPENING[opening])

    def integer(self, what: str = "an integer") -> int:
        """Reads an integer of 64 bits with an optional sign."""
        start = self.start
        negative = self.accept("-")
        if self.kind != "integer":
            if negative:
                self.reject_unexpected(what)
            self.error(f"expected {what}, found {self.found}")
        value = self.digits(self.take("integer", what))
        value = -value if negative else value
        if not -WORD <= value < WORD:
            self.error("this integer does not fit into 64 bits", (start, self.previous_end))
        return value

    def integer_or_boolean(self, what: str = "an integer") -> int:
        """Reads an integer as the parsers of dialects do, which take true for -1, false for 0."""
        if self.kind != "bare" or self.token not in BOOLEANS:
            return self.integer(what)
        value = BOOLEANS[self.token]
        self.advance()
        return value

    def integers(self) -> tuple[int, ...]:
        """Reads ``[1, 2, ...]`` as the parsers of dialects do: see ``integer_or_boolean``."""
        return tuple(self.read_enclosed("[", self.integer_or_boolean))

    def boolean(self) -> bool:
        """Reads ``true`` or ``false``, or a number, 0 or 1, as the parsers of dialects do."""
        if self.kind != "integer" and not self.at("-"):
            return self.choice({"true": True, "false": False}, "a boolean")
        start, value = self.start, self.integer()
        if value not in (0, 1):
            self.error("expected true, false, 0 or 1", (start, self.previous_end))
        return value == 1

    def digits(self, token: str) -> int:
        """Returns the value of decimal digits, or of ``0x`` with hexadecimal ones.

        Meaningful numbers have at most 100 digits, and Python does not print those with thousands.
        """
        if len(token) > 100:
            self.error(
                "this integer is too long", (self.previous_end - len(token), self.previous_end)
            )
        return int(token, 16 if token.startswith("0x") else 10)

    def string(self, what: str = "a string") -> str:
        """Reads a string literal; bytes that are not UTF-8 become surrogate escapes."""
        if self.kind != "string":
            self.reject_unexpected(what)
        value = self.unescape(self.start + 1, self.end - 1)
        self.advance()
        return value

    def unescape(self, start: int, end: int) -> str:
        """Returns the value of the characters between two quotes."""
        if self.text.find("\\", start, end) < 0:
            return self.text[start:end]

        def replace(match: re.Match[bytes]) -> bytes:
            simple, digits, rest = match.groups()
            if rest is not None:
                self.error("unknown escape in this string", (start - 1, end + 1))
            return bytes.fromhex(digits.decode()) if digits else SIMPLE_ESCAPES[simple]

        raw = self.text[start:end].encode("utf-8", "surrogateescape")
        return ESCAPE.sub(replace, raw).decode("utf-8", "surrogateescape")

    def string_here(self, what: str = "a string") -> str:
        """Reads a string; another token is rejected where it is, as by a dialect's parser."""
        if self.kind != "string":
            self.error(f"expected {what}, found {self.found}")
        return self.string(what)

    def symbol(self) -> str:
        """Reads ``@name`` and returns the name."""
        if self.kind != "symbol":
            self.error(f"expected a symbol such as @main, found {self.found}")
        start, end = self.start + 1, self.end
        quoted = self.text[start] == '"'
        name = self.unescape(start + 1, end - 1) if quoted else self.text[start:end]
        self.advance()
        return name

    def keyword(self, what: str) -> str:
        """Consumes a bare word; ``what`` is what an error says was expected."""
        return self.take("bare", what)

    def keyword_here(self, what: str) -> str:
        """Reads a bare word; another token is rejected where it is, as by a dialect's parser."""
        if self.kind != "bare":
            self.error(f"expected {what}, found {self.found}")
        return self.take("bare", what)

    def choice(self, words: dict[str, T], what: str) -> T:
        """Reads a keyword and returns its entry in a table."""
        if self.kind != "bare" or self.token not in words:
            self.reject_unknown(self.token, words, f"expected {what}, one of {', '.join(words)}")
        word = words[self.token]
        self.advance()
        return word

    def member(self, words: dict[str, T], what: str) -> T:
        """Reads a member of an enumeration, a keyword or a string, and returns its entry."""
        if self.kind == "string" and (word := self.unescape(self.start + 1, self.end - 1)) in words:
            self.advance()
            return words[word]
        return self.choice(words, what)

    def balanced_text(self) -> str:
        """Reads ``<...>`` with nested brackets and strings, and returns its text."""
        start = self.start
        closing: list[str] = []
        while True:
            if self.kind == "end":
                self.error("this '<' has no matching '>'", (start, start + 1))
            if self.token in OPENING:
                closing.append(OPENING[self.token])
            elif self.token == "->" or (self.at_comparison() and closing[-1] != ">"):
                pass
            elif (
                self.kind == "punctuation" and self.token in ">)]}" and self.token != closing.pop()
            ):
                self.error(f"unbalanced {self.token!r}")
            if not closing:
                break
            self.advance()
        text = self.text[start : self.end]
        self.advance()
        return text

    def in_body(self, read: Callable[[], T]) -> T:
        """Reads ``<...>``, or nothing, after the name of an attribute or a type of a dialect.

        MLIR looks for the end of the brackets first: if there is none, that is the error.
        """
        opening = self.start if self.at_body() else None
        try:
            return read()
        except ParseError:
            if opening is not None:
                self.reject_unbalanced(opening)
            raise

    def reject_unbalanced(self, opening: int) -> None:
        """Rejects a bracket without a counterpart in ``<...>``, which begins at ``opening``.

        The place is that of the first bracket or the last string before the error, as in MLIR.
        """
        place, position = (opening, opening + 1), opening
        closing: list[str] = []
        while (bracket := BRACKET.search(self.text, position)) is not None:
            position = bracket.end()
            if bracket[0] in OPENING:
                closing.append(OPENING[bracket[0]])
            elif bracket[0] == '"':
                string = REST_OF_STRING.match(self.text, position)
                if string is None:
                    return
                place, position = (bracket.start(), string.end()), string.end()
            elif bracket[0] != "->":
                if bracket[0] != closing.pop():
                    break
                if not closing:
                    return
        self.error("the brackets of this attribute or type are not balanced", place)

    def at_body(self) -> bool:
        """Whether ``<`` directly follows the token before, the name of an attribute or a type."""
        return self.token == "<" and self.previous_end == self.start

    def end_of_body(self) -> int:
        """Returns where ``<...>`` ends, which begins at the current token."""
        start = self.start
        self.balanced_text()
        end = self.previous_end
        self.jump(start)
        return end

    def at_comparison(self) -> bool:
        """Whether the current character begins ``>=``, as in integer sets."""
        return self.token == ">" and self.text.startswith("=", self.end)

    # ---- errors

    def span(self, start: int, end: int | None = None) -> Span:
        """Returns the span from ``start`` to ``end``, or to the end of the token before."""
        return Span(self.source, start, self.previous_end if end is None else end)

    def error(
        self, message: str, place: tuple[int, int] | None = None, *notes: str, rule: str = ""
    ) -> NoReturn:
        """Raises ParseError at the current token or another place."""
        start, end = place or self.current_place()
        remarks = tuple(Diagnostic(note) for note in notes)
        span = Span(self.source, start, end)
        raise ParseError(Diagnostic(message, rule=rule, span=span, notes=remarks))

    def reject_after(
        self, start: int, message: str, rule: str, values: Mapping[str, object] | None = None
    ) -> NoReturn:
        """Rejects what begins at ``start``: at the current token, if that is on a later line.

        There MLIR's parser checks it.
        """
        whole, following = self.span(start), self.span(self.start, max(self.end, self.start + 1))
        if following.line == whole.line:
            raise ParseError(Diagnostic(message, rule, whole, values or {}))
        note = Diagnostic("what comes before this begins here", span=whole)
        raise ParseError(Diagnostic(message, rule, following, values or {}, (note,)))

    def current_place(self) -> tuple[int, int]:
        """The place of the current token; the last character at the end of the text."""
        if self.kind == "end":
            return max(self.start - 1, 0), max(self.start, 1)
        return self.start, max(self.end, self.start + 1)

    @property
    def found(self) -> str:
        """The current token as messages show it."""
        return "the end of the text" if self.kind == "end" else f"'{abbreviate(self.token)}'"

    def reject_unexpected(self, what: str) -> NoReturn:
        """Rejects the current token.

        If the token is the first one of its line, the place is the end of the last line before it
        that has tokens, as in MLIR: something is missing there. A single dot or ``@`` is no token
        of MLIR, so that it is the place itself.
        """
        if self.token in (".", "@"):
            self.error(f"expected {what}, found {self.found}")
        self.reject_misplaced(f"expected {what}, found {self.found}", (self.start, self.end))

    def reject_misplaced(self, message: str, place: tuple[int, int]) -> NoReturn:
        """Rejects a token, by the rule of ``expected``."""
        start, end_of_token = place
        end = end_of_line_before(self.source.text, start)
        if end is None:
            self.error(message, (start, max(end_of_token, start + 1)))
        token = Span(self.source, start, max(end_of_token, start + 1))
        note = Diagnostic("the next token is here", span=token)
        raise ParseError(Diagnostic(message, span=Span(self.source, end, end + 1), notes=(note,)))

    def reject_unclosed(self, what: str, opening: tuple[int, int]) -> NoReturn:
        """Rejects the end of a text in which something is not closed, at its last line."""
        start = self.start
        end = end_of_line_before(self.source.text, start)
        place = Span(self.source, *((start, start + 1) if end is None else (end, end + 1)))
        note = Diagnostic("it begins here", span=Span(self.source, *opening))
        raise ParseError(Diagnostic(f"expected {what}", span=place, notes=(note,)))

    def reject_unknown(
        self,
        name: str,
        names: dict[str, T],
        message: str,
        place: tuple[int, int] | None = None,
    ) -> NoReturn:
        """Rejects a name, at the current token or at a place, and suggests a similar one."""
        near = self.similar_names.similar(name, names)
        self.error(message, place, *(f"did you mean '{suggestion}'?" for suggestion in near))

    def enter(self) -> None:
        """Counts one level of nesting."""
        self.depth += 1
        self.reach(self.depth)

    def reach(self, depth: int) -> None:
        """Records a depth of nesting, and rejects it if it exceeds the limit."""
        if depth > self.deepest:
            self.deepest = depth
        if depth > self.limits.nesting:
            span = Span(self.source, self.start, self.end)
            message = f"nested deeper than {self.limits.nesting} levels"
            raise LimitError(Diagnostic(message, rule="limits.nesting", span=span))

    def leave(self) -> None:
        """Leaves a nesting level, of which ``enter`` limits the number."""
        self.depth -= 1


def abbreviate(text: str) -> str:
    """Returns at most 40 characters of a text."""
    return text if len(text) <= 40 else f"{text[:37]}..."


def end_of_line_before(text: str, position: int) -> int | None:
    """Where the last line before a position ends that is neither blank nor a comment.

    Returns:
        The position after its last character; None if the line of the position has tokens before
        it, or there is no such line.
    """
    end = without_blanks(text, position)
    if not end or text[end - 1] != "\n":
        return None
    while end and text[end - 1] == "\n":
        start = text.rfind("\n", 0, end - 1) + 1
        comment = text.find("//", start, end - 1)
        end = without_blanks(text, end - 1 if comment < 0 else comment)
    return end or None


def without_blanks(text: str, end: int) -> int:
    """Where the text before a position ends, blanks aside."""
    while end and text[end - 1] in " \t\r":
        end -= 1
    return end
