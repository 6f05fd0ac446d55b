"""Names that are probably meant by wrong ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

FIRST: Final = 64  # names that are compared with a wrong one: the first
LAST: Final = 192  # and the last so many
MOST: Final = 25  # wrong names of one text for which similar ones are looked for


class SimilarNames:
    """Looks for similar names, for a number of wrong names that does not grow with the text."""

    def __init__(self) -> None:
        self.count = 0

    def similar(self, name: str, names: Iterable[str]) -> list[str]:
        """The name that is most like a wrong one; empty if none is like it."""
        if self.count >= MOST:
            return []
        self.count += 1
        return similar_names(name, names)


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """The name that is most like a wrong one; empty if none is like it.

    Args:
        name: The wrong one.
        names: The right ones, in the order of their definitions; of many the first and the last.
    """
    rest = iter(names)
    known = [*islice(rest, FIRST), *deque(rest, LAST)]
    return get_close_matches(name, known, 1)
