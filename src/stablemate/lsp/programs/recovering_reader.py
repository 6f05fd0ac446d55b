"""Reads MLIR text that may be broken: an error costs one statement of a function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Source
from stablemate.dialects.registry import READABLE, class_of
from stablemate.formats.mlir.forward_references import ForwardReference, ForwardReferences
from stablemate.formats.mlir.operation_reader import OperationReader
from stablemate.formats.mlir.tables import ATTRIBUTE_READERS, DIALECT_TYPES, SYNTAXES
from stablemate.ir.core import Block, Operation, Value

INDENTED: Final = re.compile(r"([ \t]*)([^\s])")
VALUE: Final = re.compile(r"%(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)")
CONTINUED: Final = frozenset("})]")


@dataclass(slots=True, eq=False)
class Statement:
    """An operation of a function's body, with all inside it.

    Attributes:
        start: Its first offset, in the current text.
        end: The offset after it.
        operation: The operation; None if it cannot be read.
        bound: Name, offset when it was read, and value of all definitions inside.
        error: Why it cannot be read.
        read_at: Its first offset when it was read.
        names: All names of values in its text.
        findings: What is wrong with it, with places as they were when it was read.
        carried: The values of the statement that was in its place, if this cannot be read: what
            uses them need not be read again.
    """

    start: int
    end: int
    operation: Operation | None
    bound: list[tuple[str, int, Value[Any]]]
    error: Diagnostic | None
    read_at: int
    names: frozenset[str]
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    carried: dict[str, Value[Any]] = field(default_factory=dict[str, Value[Any]])

    @property
    def results(self) -> dict[str, Value[Any]]:
        """The values that statements after it can use."""
        operation = self.operation
        if operation is None:
            return self.carried
        return {
            name: value
            for name, _, value in self.bound
            if getattr(value, "operation", None) is operation
        }


@dataclass(slots=True, eq=False)
class Body:
    """The body of a function.

    Attributes:
        block: Its block.
        begin: The offset of its beginning, in the current text.
        end: The offset of what follows its last statement.
        dialect: The dialect of operations whose name has no prefix.
        depth: How deeply it is nested.
        visible: The values that its first statement can use.
        statements: In order.
        own: What is wrong with the function itself.
        read_end: ``end`` when the whole text was read.
        growth: How many characters it has got since.
    """

    block: Block
    begin: int
    end: int
    dialect: str
    depth: int
    visible: dict[str, Value[Any]]
    statements: list[Statement] = field(default_factory=list[Statement])
    own: list[Diagnostic] = field(default_factory=list[Diagnostic])
    read_end: int = 0
    growth: int = 0


class RecoveringReader(OperationReader):
    """Reads operations, and keeps where the statements of functions begin and end.

    Attributes:
        bound: Name, offset and value of all definitions so far.
        bodies: Blocks of functions, in the order in which they end.
        errors: Why statements could not be read.
        lost: Names whose definitions could not be read.
    """

    def __init__(self, source: Source) -> None:
        self.bound: list[tuple[str, int, Value[Any]]] = []
        self.bodies: list[Body] = []
        self.errors: list[Diagnostic] = []
        self.lost: set[str] = set()
        super().__init__(
            source,
            READABLE,
            class_of,
            SYNTAXES,
            ATTRIBUTE_READERS,
            DIALECT_TYPES,
            DEFAULT_LIMITS,
        )

    def bind(self, name: str, value: Value[Any], place: tuple[int, int]) -> None:
        """Defines a name, and records it."""
        super().bind(name, value, place)
        self.bound.append((name, place[0], value))

    def operand(self) -> Value[Any]:
        """Reads the use of a value; a statement cannot use what statements after it define."""
        is_statement = self.default_dialect == "func"
        if is_statement and self.kind == "value" and self.token not in self.values:
            self.unknown_value(ForwardReference(self.token, (self.start, self.end)))
        return super().operand()

    def unknown_value(self, reference: ForwardReference) -> NoReturn:
        """Rejects a name without a definition; no similar name is looked for if that is broken."""
        if reference.name.partition("#")[0] in self.lost:
            self.error(f"no value is called {reference.name} here", reference.place)
        super().unknown_value(reference)

    def read_block(self, block: Block) -> None:
        """Reads the statements of a block."""
        if self.default_dialect != "func":
            super().read_block(block)
            return
        body = Body(
            block, self.previous_end, 0, self.default_dialect, self.depth, dict(self.values)
        )
        body.statements = self.statements(block, len(self.text) + 1)
        body.end = body.read_end = self.start
        block.operations += [one.operation for one in body.statements if one.operation]
        self.bodies.append(body)

    def statements(self, block: Block, end: int) -> list[Statement]:
        """Reads the statements up to an offset, or as long as there are any."""
        statements: list[Statement] = []
        while self.start < end and self.kind in ("value", "bare", "string"):
            statements.append(self.statement(block))
        return statements

    def statement(self, block: Block) -> Statement:
        """Reads one statement; after an error, the reader is at the beginning of the next."""
        start, first = self.start, len(self.bound)
        outer = self.values, self.scope, self.blocks, self.default_dialect, self.depth
        scope, may_forward, forward = len(self.scope), self.may_forward, self.forward
        operation: Operation | None = None
        error: Diagnostic | None = None
        try:
            operation = self.operation()
            operation.parent = block
            end = self.previous_end
        except ParseError as raised:
            error = raised.diagnostics[0]
            self.errors.append(error)
            self.values, self.scope, self.blocks, self.default_dialect, self.depth = outer
            self.may_forward, self.forward = may_forward, forward
            for name, _, _ in self.bound[first:]:
                self.values.pop(name, None)
            del self.scope[scope:], self.bound[first:]
            end = end_of_statement(self.text, start)
            self.lost.update(defined_names(self.text[start:end]))
            self.jump(end)
        names = frozenset(VALUE.findall(self.text, start, end))
        return Statement(start, end, operation, self.bound[first:], error, start, names)

    def resume(self, body: Body, position: int, values: dict[str, Value[Any]]) -> None:
        """Moves to a statement of a body."""
        self.values, self.scope, self.blocks = values, [], {}
        self.default_dialect, self.depth = body.dialect, body.depth
        self.may_forward, self.forward = False, ForwardReferences()
        self.jump(position)

    def aliases_of(self, other: RecoveringReader) -> None:
        """Takes over the aliases of another reader of the text."""
        self.type_aliases = other.type_aliases
        self.attribute_aliases = other.attribute_aliases
        self.location_aliases = other.location_aliases


def defined_names(statement: str) -> list[str]:
    """The names left of the ``=`` of a statement that cannot be read."""
    head, separator, _ = statement.partition("=")
    return [part.partition(":")[0].strip() for part in head.split(",")] if separator else []


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


def renumbered(statements: Sequence[Statement], delta: int) -> None:
    """Moves statements in the text."""
    for statement in statements:
        statement.start += delta
        statement.end += delta
