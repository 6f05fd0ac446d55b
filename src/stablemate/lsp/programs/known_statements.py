"""Statements that were read before: those that mean what they meant are not read again.

A statement depends on its text, on the first token after it, on the values and aliases that it
names, and on the levels of nesting around it. If these are the same as before, apart from its
values being other ones of the same types, it is the same.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import Final, Generic, Protocol, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.mlir.alias_limits import ExpandedSize
from stablemate.ir.core import Value
from stablemate.ir.locations import LocationAttribute
from stablemate.ir.types import Type
from stablemate.lsp.programs.statements import Statement
from stablemate.numerics.elements import IndexType, IntegerType

VALUE: Final = re.compile(r"%(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)(?:#[0-9]+)?")
ALIAS: Final = re.compile(r"[#!][A-Za-z_][A-Za-z0-9_$.-]*")
CANDIDATES: Final = 4  # statements of the same text that are tried
VISITED: Final = 64  # those of a group that are looked at for one that is not used
Aliases = dict[str, tuple[object, ExpandedSize | None]]  # what they stand for, and their extents


@dataclass(slots=True, eq=False)
class KnownPiece:
    """Statements that are known as a whole.

    Attributes:
        is_torn: Whether a statement of it was taken over alone since then.
    """

    is_torn: bool = field(default=False, kw_only=True)


@dataclass(slots=True, eq=False)
class Known:
    """A statement, with all on which it depends.

    Attributes:
        statement: The statement.
        text: Its text.
        line: The first line of that.
        following: Kind and text of the token after it; of a value, the kind alone.
        uses: What the names in its text mean before it; None without a meaning.
        aliases: What the aliases in its text stand for.
        height: Levels of nesting in it.
        expanded: The characters to which its aliases expand.
        pass_number: The reading in which it was last used.
        successor: What followed it in its block.
        piece: What it is a part of, if that is known as a whole.
    """

    statement: Statement
    text: str
    line: str
    following: tuple[str, str]
    uses: dict[str, Value[Type] | None]
    aliases: Aliases
    height: int
    expanded: int
    pass_number: int
    successor: Known | None = None
    piece: KnownPiece | None = None

    def replacements(self, values: dict[str, Value]) -> dict[int, Value] | None:
        """Values by the identities of those in whose place they come; None if a type differs."""
        replaced: dict[int, Value] = {}
        for name, old in self.uses.items():
            new = values.get(name)
            if new is old:
                continue
            if new is None or old is None or new.type != old.type:
                return None
            replaced[id(old)] = new
        return replaced

    def adopt(self, values: dict[str, Value[Type]], replaced: dict[int, Value]) -> None:
        """Makes it use other values; if rules may look at their numbers, it is verified again."""
        if not replaced:
            return
        self.uses = {name: values.get(name) for name in self.uses}
        operation = self.statement.operation
        assert operation is not None
        for inner in operation.walk():
            inner.operands = tuple(replaced.get(id(value), value) for value in inner.operands)
        if any(is_integral(value) for value in replaced.values()):
            self.statement.is_verified = False


class Counted(Protocol):
    """Notes the reading in which it was last used."""

    pass_number: int


T = TypeVar("T", bound=Counted)


@dataclass(slots=True)
class Group(Generic[T]):
    """Statements that were read before and have the same first line, in order.

    Attributes:
        items: All of it.
        pass_number: The reading in which it was last asked for.
        first: How many at the beginning were used in that reading.
    """

    items: list[T] = field(default_factory=list[T])
    pass_number: int = 0
    first: int = 0

    def unused_items(self, now: int) -> Iterator[T]:
        """The first ones that are not used in a reading; after many that are, others follow not."""
        if self.pass_number != now:
            self.pass_number, self.first = now, 0
        items = self.items
        while self.first < len(items) and items[self.first].pass_number == now:
            self.first += 1
        for position in range(self.first, min(len(items), self.first + VISITED)):
            if items[position].pass_number != now:
                yield items[position]


@dataclass(slots=True)
class KnownStatements:
    """The statements of the texts that were read before.

    Attributes:
        by_line: By their first lines.
        pass_number: The number of readings so far.
        size: How many there are.
        used: How many of them the last text has.
        attached: Those whose places are in the text from which they were read.
    """

    by_line: dict[str, Group[Known]] = field(default_factory=dict[str, Group[Known]])
    pass_number: int = 0
    size: int = 0
    used: int = 0
    attached: deque[Known] = field(default_factory=deque[Known])

    def begin(self) -> None:
        """Starts a new pass over the text."""
        self.pass_number += 1
        self.used = 0

    def candidates(self, text: str, start: int, expected: Known | None) -> Iterator[Known]:
        """Statements that may be the one at an offset, and are not used in this reading."""
        now = self.pass_number
        likely = (expected, expected.successor) if expected else ()
        for one in likely:
            if one and one.pass_number != now and text.startswith(one.text, start):
                yield one
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        group = self.by_line.get(line)
        unused = (one for one in group.unused_items(now) if one not in likely) if group else ()
        for one in islice(unused, CANDIDATES):
            if text.startswith(one.text, start):
                yield one

    def use(self, known: Known) -> None:
        """Notes that the text has a statement, perhaps in another function."""
        known.pass_number = self.pass_number
        self.used += 1
        if known.piece is not None:
            known.piece.is_torn = True

    def add(self, known: Known) -> None:
        """Keeps a statement that was just read."""
        self.by_line.setdefault(known.line, Group()).items.append(known)
        self.attached.append(known)
        self.size += 1
        self.use(known)

    def forget_unused(self, most: int) -> None:
        """Forgets the statements that the text does not have, if there are more than so many."""
        if self.size - self.used <= most:
            return
        by_line: dict[str, Group[Known]] = {}
        for line, group in self.by_line.items():
            if kept := [one for one in group.items if one.pass_number == self.pass_number]:
                by_line[line] = Group(kept)
        self.by_line, self.size = by_line, self.used

    def detach(self, most: int) -> None:
        """Detaches so many statements from the texts from which they were read."""
        for _ in range(min(most, len(self.attached))):
            known = self.attached.popleft()
            known.statement.detach(known.text)


def is_integral(value: Value[Type]) -> bool:
    """Whether a value holds integers, on which rules may depend: sizes, indices."""
    element = getattr(value.type, "element_type", value.type)
    return isinstance(element, IntegerType | IndexType)


def location_of(attribute: object) -> object:
    """Resolves an alias; of the attribute that holds a location, the location."""
    return attribute.location if isinstance(attribute, LocationAttribute) else attribute
