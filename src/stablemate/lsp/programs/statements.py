"""The statements of functions, as they were read from a text that may be broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Source, Span
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import Type

INDENTED: Final = re.compile(r"([ \t]*)([^\s])")
CONTINUED: Final = frozenset("})]")
# Their operations look at nothing outside of themselves, constants among their operands aside.
LOCAL_DIALECTS: Final = ("stablehlo.", "chlo.", "vhlo.")


@dataclass(slots=True, eq=False)
class Statement:
    """An operation of a function's body, with all inside it.

    Attributes:
        start: Its first offset, in the current text.
        end: The offset after it.
        operation: The operation; None if it cannot be read.
        bound: Name, offset when it was read, and value of all definitions inside.
        error: Why it cannot be read.
        source: The text from which it was read.
        read_at: Its first offset in that text.
        results: The values that statements after it can use, by name. If it cannot be read, their
            types are those at the end of its text.
        lost: Names that it defines, but whose types are unknown.
        findings: What is wrong with it, with places in the text from which it was read.
        is_verified: Whether ``findings`` are known.
        is_local: Whether the findings depend on nothing but the statement and its operands.
    """

    start: int
    end: int
    operation: Operation | None
    bound: list[tuple[str, int, Value[Type]]]
    error: Diagnostic | None
    source: Source
    read_at: int
    results: dict[str, Value] = field(default_factory=dict[str, Value])
    lost: frozenset[str] = frozenset()
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    is_verified: bool = False
    is_local: bool = False

    @property
    def delta(self) -> int:
        """How far it has moved since it was read."""
        return self.start - self.read_at

    def detach(self, text: str) -> None:
        """Moves its places into a source of its own, so that no older text is kept alive.

        Args:
            text: The text of the statement.
        """
        source, delta = Source(text), -self.read_at
        for operation in self.operation.walk() if self.operation else ():
            if (span := operation.span) is not None:
                operation.span = Span(source, span.start + delta, span.end + delta)
            if operation.parts:
                operation.parts = {
                    name: (start + delta, end + delta)
                    for name, (start, end) in operation.parts.items()
                }
        self.bound = [(name, offset + delta, value) for name, offset, value in self.bound]
        self.findings = [move_diagnostic(finding, source, delta) for finding in self.findings]
        self.source, self.read_at = source, 0


@dataclass(slots=True, eq=False)
class FunctionBlock:
    """A block of a function.

    Attributes:
        block: The block.
        begin: The offset of its beginning.
        arguments: The names of the arguments of the block.
        end: The offset of what follows its last statement.
        statements: In order.
    """

    block: Block
    begin: int
    arguments: Sequence[str]
    end: int = 0
    statements: list[Statement] = field(default_factory=list[Statement])

    @property
    def function(self) -> Operation | None:
        """The operation that holds it; None if that could not be read."""
        region = self.block.parent
        return region.parent if region else None


def is_local(operation: Operation, text: str) -> bool:
    """Whether the rules of a statement look at nothing outside of it but its operands."""
    return (
        "@" not in text
        and not operation.definition.terminator
        and all(
            inner.name.startswith(LOCAL_DIALECTS) and not inner.discardable
            for inner in operation.walk()
        )
    )


def defined_names(statement: str) -> list[tuple[str, int]]:
    """The names left of the ``=`` of a statement that cannot be read, and how many values each."""
    head, separator, _ = statement.partition("=")
    parts = [part.partition(":") for part in head.split(",")] if separator else []
    return [
        (name.strip(), int(count) if count.strip().isdecimal() else 1) for name, _, count in parts
    ]


def end_of_statement(text: str, start: int) -> int:
    """Where a statement ends that cannot be read, judged by the indentation of its lines."""
    line = text.rfind("\n", 0, start) + 1
    width = indentation(text, line)[0]
    end = text.find("\n", start)
    while end >= 0:
        next_width, character = indentation(text, end + 1)
        if character and next_width <= width and character != "/":
            continues = next_width == width and character in CONTINUED
            if not continues:
                break
        following = text.find("\n", end + 1)
        if following < 0:
            break
        end = following
    last = len(text) if end < 0 else end
    return max(start + 1, start + len(text[start:last].rstrip()))


def indentation(text: str, position: int) -> tuple[int, str]:
    """The width of the white space at a position, and the character after it on its line."""
    match = INDENTED.match(text, position)
    return (len(match[1]), match[2]) if match else (0, "")


def move_diagnostic(diagnostic: Diagnostic, source: Source, delta: int) -> Diagnostic:
    """A diagnostic with its places in another text."""
    span = diagnostic.span
    if span is None:
        return diagnostic
    notes = tuple(move_diagnostic(note, source, delta) for note in diagnostic.notes)
    return replace(diagnostic, span=Span(source, span.start + delta, span.end + delta), notes=notes)
