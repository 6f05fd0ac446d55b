"""Makes text of a program safe to display: none of its characters controls the terminal.

Escape sequences move a terminal's cursor, controls of bidirectional text reorder what stands
around them, unpaired surrogates break encoders. All appear as their code points, ``⟨U+202E⟩``.
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
    """The text with control and invisible characters as their code points."""
    return HIDDEN.sub(code_point_name, text)


def one_line(text: str) -> str:
    """The text with line breaks as code points too, so that it stays on one line."""
    return visible(text).replace("\n", "⟨U+000A⟩")


def code_point_name(match: re.Match[str]) -> str:
    """``⟨U+202E⟩``."""
    return f"⟨U+{ord(match[0]):04X}⟩"
