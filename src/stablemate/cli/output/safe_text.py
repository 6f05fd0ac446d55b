"""Escapes control characters of programs in text that is written to a terminal."""

from __future__ import annotations

import re
from typing import Final, TextIO

import click

from stablemate.cli.options import color_for
from stablemate.diagnostics.visible import visible

# Colors, bold and dim, as the verbs themselves write them; nothing moves, hides or asks.
STYLE: Final = re.compile(r"(\x1b\[(?:[0-4]|2[2-4]|[39][0-7]|39|;)*m)")


class SafeText:
    """A text stream that escapes control characters.

    Colors pass where colors are wanted. Bytes that are written to its buffer stay as they are.

    Attributes:
        stream: Where the text goes.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes a text with control characters escaped; styles stay if colors are shown."""
        if text.isascii() and text.isprintable():
            return self.stream.write(text)
        context = click.get_current_context(silent=True)
        color = self.stream.isatty() if context is None else color_for(self.stream, context)
        parts = STYLE.split(text) if color else [text]
        parts[::2] = map(visible, parts[::2])
        return self.stream.write("".join(parts))

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)
