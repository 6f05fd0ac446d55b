"""What aliases stand for, written out: a short text may say more than any memory holds.

``#a1 = [#a0, #a0]``, ``#a2 = [#a1, #a1]``, ... double with every line. What an alias stands for is
one value however often it is used, but whoever prints, hashes or compares it walks over all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError
from stablemate.diagnostics.source import Span
from stablemate.formats.mlir.cursor import Cursor

T = TypeVar("T")

MINIMUM_BOUND: Final = 1 << 26  # characters that any text may have with its aliases written out
EXPANSION_FACTOR: Final = 64  # or so many times its own


class Extent(NamedTuple):
    """How large something is with its aliases written out.

    Attributes:
        characters: Of its text.
        depth: Levels of nesting.
    """

    characters: int
    depth: int


class AliasCursor(Cursor):
    """A cursor that knows how much the aliases stand for that it has met.

    Attributes:
        expanded: Characters that all uses of aliases so far stand for.
        extents: The extents of aliases, by their names.
    """

    expanded: int = 0
    extents: dict[str, Extent]

    def define_alias(self, name: str, read: Callable[[], T]) -> T:
        """Reads what an alias stands for, and notes its extent."""
        start, expanded, deepest, self.deepest = self.start, self.expanded, self.deepest, self.depth
        value = read()
        characters = self.previous_end - start + self.expanded - expanded
        self.extents[name] = Extent(characters, self.deepest - self.depth)
        self.deepest = max(deepest, self.deepest)
        self.expanded = expanded  # what stands for this is counted where it is used
        return value

    def count_use(self, name: str, depth: int) -> None:
        """Counts a use of an alias so many levels deep.

        Raises:
            LimitError: What it stands for is nested too deeply here, or there is too much of it.
        """
        extent = self.extents.get(name)
        if extent is None:
            return
        self.reach(depth + extent.depth)
        self.expanded += extent.characters
        bound = max(MINIMUM_BOUND, EXPANSION_FACTOR * len(self.text))
        if self.expanded > bound:
            span = Span(self.source, self.start, self.end)
            message = f"with its aliases written out, the text has more than {bound} characters"
            raise LimitError(Diagnostic(message, rule="limits.expansion", span=span))
