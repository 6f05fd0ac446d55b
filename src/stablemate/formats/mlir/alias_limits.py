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
from stablemate.formats.mlir.cursor import TokenCursor

T = TypeVar("T")

MINIMUM_BOUND: Final = 1 << 26  # characters that any text may have with its aliases expanded
EXPANSION_FACTOR: Final = 64  # or this many times its own size


class ExpandedSize(NamedTuple):
    """The size of an attribute or type with its aliases expanded.

    Attributes:
        characters: The characters of its text.
        depth: Levels of nesting.
    """

    characters: int
    depth: int


class AliasExtents:
    """Measures the expansion of the aliases that a cursor has read.

    Attributes:
        expanded: The characters that all uses of aliases so far expand to.
        extents: The extents of aliases, by their names.
    """

    def __init__(self, cursor: TokenCursor) -> None:
        self.cursor = cursor
        self.expanded = 0
        self.extents: dict[str, ExpandedSize] = {}

    def define(self, name: str, read: Callable[[], T]) -> T:
        """Reads the definition of an alias, and records its extent."""
        cursor = self.cursor
        start, expanded, deepest = cursor.start, self.expanded, cursor.deepest
        cursor.deepest = cursor.depth
        value = read()
        characters = cursor.previous_end - start + self.expanded - expanded
        self.extents[name] = ExpandedSize(characters, cursor.deepest - cursor.depth)
        cursor.deepest = max(deepest, cursor.deepest)
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
        self.cursor.reach(depth + extent.depth)
        self.expanded += extent.characters
        bound = max(MINIMUM_BOUND, EXPANSION_FACTOR * len(self.cursor.text))
        if self.expanded > bound:
            span = Span(self.cursor.source, self.cursor.start, self.cursor.end)
            message = f"with its aliases written out, the text has more than {bound} characters"
            raise LimitError(Diagnostic(message, rule="limits.expansion", span=span))
