"""Reads and writes strings with escapes, and dictionaries that are kept as written.

Source: XLA, HLO text; Abseil, ``CEscape``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, Scanner

PLAIN: Final = re.compile(r"""[ !#-&(-\[\]-~]*+""")
ESCAPES: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "'": r"\'", "\\": r"\\"}
# The content of a dictionary: strings, braces, and anything but braces and quotes.
IN_DICTIONARY: Final = re.compile(
    r'[^{}"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+|(?!))*+"[^{}"]*+|(?!))*+', re.DOTALL
)


def end_of_dictionary(text: str, start: int) -> int:
    """Returns the end of the dictionary that begins here; -1 if it has none."""
    depth, position = 0, start
    while position < len(text):
        match text[position]:
            case "{":
                depth += 1
            case "}":
                depth -= 1
            case _:
                return -1
        position += 1
        if depth == 0:
            return position
        inside = IN_DICTIONARY.match(text, position)
        position = inside.end() if inside else position
    return -1


def read_string_or_dictionary(scanner: Scanner) -> str:
    """Reads a string, or a dictionary verbatim, braces included."""
    if not scanner.at("{"):
        return scanner.string("a string or a dictionary in braces")
    start = scanner.position
    end = end_of_dictionary(scanner.source.text, start)
    if end < 0:
        scanner.error("this dictionary is not terminated", (start, start + 1))
    scanner.jump(end)
    return scanner.source.text[start:end]


def read_frontend_attributes(scanner: Scanner) -> dict[str, str]:
    """Reads ``{key="value",key={dictionary}}``; the last value of a duplicate key counts."""

    def item() -> tuple[str, str]:
        key = scanner.take(ATTRIBUTE, "the name of an attribute, followed by '='")
        return key, read_string_or_dictionary(scanner)

    return dict(scanner.read_enclosed("{", "}", item))


def quote(text: str) -> str:
    """Prints a string in quotes with C escapes.

    Characters that are not ASCII are printed as bytes in octal.
    """
    match = PLAIN.match(text)
    if match and match.end() == len(text):
        return f'"{text}"'
    return f'"{"".join(map(escape_character, text))}"'


def escape_character(character: str) -> str:
    """A character of a string."""
    if " " <= character <= "~":
        return ESCAPES.get(character, character)
    if character in ESCAPES:
        return ESCAPES[character]
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def string_or_dictionary_text(text: str) -> str:
    """Prints a dictionary verbatim, anything else as a string."""
    bare = text.startswith("{") and end_of_dictionary(text, 0) == len(text)
    return text if bare else quote(text)


def frontend_attributes_text(attributes: Mapping[str, str]) -> str:
    """Prints frontend attributes, sorted by their keys."""
    items = sorted(attributes.items())
    parts = (f"{key}={string_or_dictionary_text(value)}" for key, value in items)
    return f"{{{','.join(parts)}}}"


def invalid_key(attributes: Mapping[str, str]) -> str | None:
    """Returns a key that is not an identifier, which protos allow and text does not.

    Returns None if all keys are identifiers.
    """
    return next((key for key in attributes if not ATTRIBUTE.fullmatch(f"{key}=")), None)
