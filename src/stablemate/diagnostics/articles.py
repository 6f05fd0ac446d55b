"""Articles of descriptions in messages."""

from __future__ import annotations

from typing import Final

SEVERAL: Final = ("elements", "flags", "groups", "numbers")


def article(text: str) -> str:
    """A description with its article; several things have none."""
    if text.endswith(SEVERAL):
        return text
    return f"{'an' if text[:1] in 'aeiou' and not text.startswith('uni') else 'a'} {text}"
