"""A difference between two readings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """A text of which the two say something else.

    Attributes:
        kind: What differs.
        ours: What we say.
        theirs: What XLA says.
        text: The text.
    """

    kind: str
    ours: str
    theirs: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}\nours:   {self.ours}\ntheirs: {self.theirs}\n{self.text}"
