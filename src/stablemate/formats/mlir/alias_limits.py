"""Limits the expansion of aliases: a short text may stand for more than any memory holds.

``#a1 = [#a0, #a0]``, ``#a2 = [#a1, #a1]``, ... double with every line. All uses of an alias share
one value, but printing, hashing or comparing it walks over the whole expansion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError
from stablemate.diagnostics.source import Span
from stablemate.formats.mlir.cursor import Cursor

T = TypeVar("T")

MINIMUM_BOUND: Final = 1 << 26  # characters that any text may have with its aliases expanded
EXPANSION_FACTOR: Final = 64  # or this many times its own size


class Extent(NamedTuple):
    """The size of an attribute or type with its aliases expanded.

    Attributes:
        characters: The characters of its text.
        depth: Levels of nesting.
    """

    characters: int
    depth: int


class AliasCursor(Cursor):
    """A cursor that measures the expansion of the aliases that it has read.

    Attributes:
        expanded: The characters that all uses of aliases so far expand to.
        extents: The extents of aliases, by their names.
    """

    expanded: int = 0
    extents: dict[str, Extent]

    def define_alias(self, name: str, read: Callable[[], T]) -> T:
        """Reads the definition of an alias, and records its extent."""
        start, expanded, deepest, self.deepest = self.start, self.expanded, self.deepest, self.depth
        value = read()
        characters = self.previous_end - start + self.expanded - expanded
        self.extents[name] = Extent(characters, self.deepest - self.depth)
        self.deepest = max(deepest, self.deepest)
        self.expanded = expanded  # its own expansion is counted at its uses
        return value

    def count_use(self, name: str, depth: int) -> None:
        """Counts a use of an alias at a level of nesting.

        Raises:
            LimitError: The expansion is nested too deeply here, or too large.
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
