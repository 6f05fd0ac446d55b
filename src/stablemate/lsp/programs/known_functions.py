"""Functions that were read before: those whose text is what it was are taken over as one piece.

The body of a function sees no value from outside. What is read of it depends on its text, on the
aliases that this names, and on the levels of nesting around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source, Span
from stablemate.ir.core import Operation, Value
from stablemate.lsp.programs.known_statements import (
    Aliases,
    Group,
    Known,
    KnownPiece,
    KnownStatements,
)
from stablemate.lsp.programs.statements import FunctionBlock

CANDIDATES: Final = 4  # functions of the same first line that are tried
MOST_UNUSED: Final = 100  # functions of earlier texts that are kept


@dataclass(slots=True, eq=False)
class KnownFunction(KnownPiece):
    """A function all of whose statements are known.

    Attributes:
        operation: The function.
        text: Its text.
        start: Its offset, in the last text that has it.
        body: Its only block.
        statements: The statements of that.
        arguments: Name, offset in the function and value of its arguments.
        aliases: What the aliases in its text stand for.
        height: Levels of nesting in it.
        expanded: The characters to which its aliases expand.
        pass_number: The reading in which it was last used.
    """

    operation: Operation
    text: str
    start: int
    body: FunctionBlock
    statements: list[Known]
    arguments: list[tuple[str, int, Value]]
    aliases: Aliases
    height: int
    expanded: int
    pass_number: int

    def __post_init__(self) -> None:
        for known in self.statements:
            known.piece = self

    def move(self, source: Source, start: int, pass_number: int) -> None:
        """Moves it to an offset of a text that is read."""
        delta, self.start, self.pass_number = start - self.start, start, pass_number
        for known in self.statements:
            known.pass_number = pass_number
        if delta:
            self.body.begin += delta
            self.body.end += delta
            for statement in self.body.statements:
                statement.start += delta
                statement.end += delta
        operation = self.operation
        if (span := operation.span) is not None:
            operation.span = Span(source, span.start + delta, span.end + delta)
        if delta and operation.parts:
            operation.parts = {
                name: (first + delta, last + delta)
                for name, (first, last) in operation.parts.items()
            }


@dataclass(slots=True)
class KnownFunctions:
    """The functions of the texts that were read before.

    Attributes:
        statements: Their statements, and those of other functions.
        by_line: The functions by their first lines.
    """

    statements: KnownStatements = field(default_factory=KnownStatements)
    by_line: dict[str, Group[KnownFunction]] = field(
        default_factory=dict[str, "Group[KnownFunction]"]
    )

    def candidates(self, text: str, start: int) -> Iterator[KnownFunction]:
        """Functions that are the one at an offset, and are not used in this reading."""
        now = self.statements.pass_number
        group = self.by_line.get(first_line(text, start))
        unused = (one for one in group.unused_items(now) if not one.is_torn) if group else ()
        for one in islice(unused, CANDIDATES):
            if text.startswith(one.text, start):
                yield one

    def use(self, function: KnownFunction, source: Source, start: int) -> None:
        """Notes that a text has a function at an offset."""
        function.move(source, start, self.statements.pass_number)
        self.statements.used += len(function.statements)

    def expected_statement(self, text: str, start: int) -> Known | None:
        """The statement that is probably the first of the function at an offset."""
        group = self.by_line.get(first_line(text, start))
        return group.items[-1].statements[0] if group else None

    def add(self, function: KnownFunction) -> None:
        """Keeps a function that was just read; the last ones are forgotten if they are torn."""
        items = self.by_line.setdefault(first_line(function.text, 0), Group()).items
        while items and items[-1].is_torn:
            items.pop()
        items.append(function)

    def forget_unused(self, most_statements: int) -> None:
        """Forgets what the text does not have, if there is more than so much."""
        self.statements.forget_unused(most_statements)
        now = self.statements.pass_number
        every = [one for group in self.by_line.values() for one in group.items]
        kept = [one for one in every if one.pass_number == now]
        if len(every) - len(kept) <= MOST_UNUSED:
            return
        self.by_line = {}
        for one in kept:
            self.by_line.setdefault(first_line(one.text, 0), Group()).items.append(one)


def first_line(text: str, start: int) -> str:
    """The text from an offset to the end of its line."""
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]
