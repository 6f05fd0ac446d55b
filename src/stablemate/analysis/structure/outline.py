"""Outlines: a program of any format as items, what they take, and facts that are texts.

Names of values and locations are not in them; names of functions are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from stablemate.deferred_dataclasses import dataclass

SHOWN: Final = 100  # characters of a fact


class Fact(NamedTuple):
    """The value of an attribute.

    Attributes:
        key: What tells it from others, with ``@`` in the place of each symbol.
        shown: What people see.
        symbols: The names that stand in the places of symbols.
    """

    key: str
    shown: str
    symbols: tuple[str, ...] = ()


class OutlineValue:
    """A value: a result of an item, or an argument of a body."""

    __slots__ = ("index", "owner", "type")

    def __init__(self, owner: OutlineOperation | OutlineBlock, index: int, type_text: str) -> None:
        self.owner = owner
        self.index = index
        self.type = type_text


class OutlineOperation:
    """An operation of StableHLO or an instruction of HLO.

    Attributes:
        name: Its name or opcode.
        operands: What it takes.
        results: What it makes.
        facts: Its attributes.
        bodies: Its regions, block by block.
        line: The line of the source; None if it has none.
        pure: Whether it does nothing but compute its results, the same ones each time.
        constant: The facts that are the value of a constant.
    """

    __slots__ = ("bodies", "constant", "facts", "line", "name", "operands", "pure", "results")

    def __init__(
        self, name: str, facts: Mapping[str, Fact], line: int | None, pure: bool = True
    ) -> None:
        self.name = name
        self.facts = facts
        self.line = line
        self.pure = pure
        self.operands: tuple[OutlineValue, ...] = ()
        self.results: tuple[OutlineValue, ...] = ()
        self.bodies: tuple[OutlineBlock, ...] = ()
        self.constant: tuple[str, ...] = ()

    def walk(self) -> Iterator[OutlineOperation]:
        """This item and all inside it, in order."""
        pending: list[OutlineOperation] = [self]
        while pending:
            item = pending.pop()
            yield item
            for body in reversed(item.bodies):
                pending += reversed(body.items)

    def symbols(self) -> Iterator[str]:
        """The symbols that it and all inside it name."""
        for item in self.walk():
            for fact in item.facts.values():
                yield from fact.symbols

    def __str__(self) -> str:
        operand_types = ", ".join(operand.type for operand in self.operands)
        results = ", ".join(result.type for result in self.results)
        return f"{self.name} ({operand_types}) -> ({results})"


class OutlineBlock:
    """A block: arguments and items, the last of which is its terminator."""

    __slots__ = ("arguments", "items")

    def __init__(self, types: Sequence[str]) -> None:
        self.arguments = tuple(
            [OutlineValue(self, i, value_type) for i, value_type in enumerate(types)]
        )
        self.items: list[OutlineOperation] = []


@dataclass(frozen=True, slots=True)
class SymbolDefinition:
    """A symbol: a function, a computation or a mesh that other parts refer to.

    Attributes:
        name: Its name.
        item: What it is.
        public: Whether it can be called from outside.
    """

    name: str
    item: OutlineOperation
    public: bool


@dataclass(frozen=True, slots=True)
class ProgramOutline:
    """A program.

    Attributes:
        source: What it was read from.
        kind: ``stablehlo`` or ``hlo``.
        facts: What it says of itself.
        definitions: By name, in order.
        others: What stands beside them.
        lines: The text it was read from, if it was text.
    """

    source: str
    kind: str
    facts: Mapping[str, Fact]
    definitions: Mapping[str, SymbolDefinition]
    others: Sequence[OutlineOperation] = ()
    lines: Sequence[str] = field(default=(), repr=False)

    def text_of(self, item: OutlineOperation) -> str:
        """The source line of an item; without a source its operands and results."""
        if item.line is not None and item.line <= len(self.lines):
            return abbreviate(" ".join(self.lines[item.line - 1].split()))
        return abbreviate(str(item))


def abbreviate(text: str) -> str:
    """A text that fits into a line."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
