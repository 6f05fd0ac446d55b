"""Tokens of text that may be broken, line by line: nothing is rejected.

Lines are cached by their text, so that an edit costs the lines that it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Language = Literal["mlir", "hlo"]

SUFFIX: Final = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
MLIR_TOKEN: Final = re.compile(
    rf"""
      (?P<comment>//.*)
    | (?P<string>"(?:[^"\\]|\\.)*"?)
    | (?P<value>%{SUFFIX}(?:\#[0-9]+)?)
    | (?P<symbol>@(?:"(?:[^"\\]|\\.)*"?|[A-Za-z_][A-Za-z0-9_$.]*))
    | (?P<alias>[\#!][A-Za-z_][A-Za-z0-9_$.-]*)
    | (?P<block>\^{SUFFIX})
    | (?P<type>\b(?:tensor|memref|vector|complex|tuple|none|index|b?f[0-9]+(?:E[0-9]+M[0-9]+\w*)?
        |[su]?i[0-9]+)\b|(?:[0-9?]+x)+[A-Za-z!]\w*|(?:[0-9?]+x)+)
    | (?P<number>-?(?:0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?))
    | (?P<operation>[A-Za-z_][A-Za-z0-9_$]*\.[A-Za-z0-9_$.]+)
    | (?P<word>[A-Za-z_][A-Za-z0-9_$]*)
    | (?P<punctuation>->|::|[^\s])
    """,
    re.VERBOSE,
)
HLO_TOKEN: Final = re.compile(
    r"""
      (?P<comment>//.*|/\*.*?(?:\*/|$))
    | (?P<string>"(?:[^"\\]|\\.)*"?)
    | (?P<type>\b(?:pred|token|opaque|bf16|[suf][0-9]+(?:e[0-9]+m[0-9]+\w*)?|c(?:64|128))\b(?=\[))
    | (?P<value>%[A-Za-z_][A-Za-z0-9_.-]*)
    | (?P<number>-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?\b)
    | (?P<operation>\b[a-z][a-z0-9-]*(?=\())
    | (?P<word>[A-Za-z_][A-Za-z0-9_.-]*)
    | (?P<punctuation>->|<=|[^\s])
    """,
    re.VERBOSE,
)
GRAMMARS: Final = {"mlir": MLIR_TOKEN, "hlo": HLO_TOKEN}


class Token(NamedTuple):
    """A token: its kind, its text, and its offset in the line or in the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.start + len(self.text)


@lru_cache(maxsize=1 << 16)
def line_tokens(line: str, language: Language) -> tuple[Token, ...]:
    """The tokens of one line."""
    return tuple(
        Token(match.lastgroup or "", match[0], match.start())
        for match in GRAMMARS[language].finditer(line)
    )


def tokens_of(text: str, language: Language) -> Iterator[Token]:
    """The tokens of a text, in order."""
    start = 0
    for line in text.split("\n"):
        for kind, token, offset in line_tokens(line, language):
            yield Token(kind, token, start + offset)
        start += len(line) + 1


def token_at(text: str, language: Language, offset: int) -> Token | None:
    """The token that holds an offset or ends at it; a name is preferred to punctuation."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    touching = [
        Token(token.kind, token.text, start + token.start)
        for token in line_tokens(line, language)
        if token.start <= offset - start <= token.end
    ]
    touching.sort(key=lambda token: token.kind == "punctuation")
    return touching[0] if touching else None
