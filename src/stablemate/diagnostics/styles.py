"""How diagnostics are colored: in a terminal by escape sequences, in a notebook by HTML."""

from __future__ import annotations

from typing import Final

STYLES: Final = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "note": "\x1b[1;36m",
    "bold": "\x1b[1m",
    "caret": "\x1b[1;32m",
}
RESET: Final = "\x1b[0m"

# Legible on white and on black.
CSS: Final = {
    "error": "color: #e03131; font-weight: bold",
    "warning": "color: #ae3ec9; font-weight: bold",
    "note": "color: #1098ad; font-weight: bold",
    "bold": "font-weight: bold",
    "caret": "color: #2f9e44; font-weight: bold",
}


def html_of(text: str) -> str:
    """A colored text as an HTML element.

    Args:
        text: A text with escape sequences of ``STYLES``, each of which ends with ``RESET``.
    """
    from html import escape  # here, because only notebooks ask for it

    html = escape(text).replace(RESET, "</span>")
    for style, sequence in STYLES.items():
        html = html.replace(sequence, f'<span style="{CSS[style]}">')
    return f'<pre style="white-space: pre; overflow-x: auto">{html}</pre>'
