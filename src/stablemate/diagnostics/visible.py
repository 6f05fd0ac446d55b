"""Texts of a program as they may be shown: no character of them steers what shows them.

Escape sequences move a terminal's cursor, controls of bidirectional text reorder what stands
around them, unpaired surrogates break encoders. All appear as what they are, ``⟨U+202E⟩``.
"""

from __future__ import annotations

import re
from typing import Final

# C0 but for tab and line feed, C1, marks and controls of direction, other invisible characters.
HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with characters that would steer or hide spelled out."""
    return HIDDEN.sub(spelled, text)


def one_line(text: str) -> str:
    """The text, line breaks spelled out too: what stands in a line of ours ends none of them."""
    return visible(text).replace("\n", "⟨U+000A⟩")


def spelled(match: re.Match[str]) -> str:
    """``⟨U+202E⟩``."""
    return f"⟨U+{ord(match[0]):04X}⟩"
