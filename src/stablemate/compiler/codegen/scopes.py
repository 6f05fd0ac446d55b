"""Code of one scope, and the values that are available in it."""

from __future__ import annotations

from typing import Any, NamedTuple

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import NO_BUFFERS, Expression
from stablemate.numerics.symbolic_sizes import SymbolicSize

Code = list[Any]  # lines, and lists of lines that are still being written


class EmittedValue(NamedTuple):
    """An emitted value: its text, and how many elements it has."""

    text: str
    lanes: int = 1


class Digits(NamedTuple):
    """The registers of the quotient and the remainder of a loop's index by a size."""

    quotient: str
    remainder: str


class CodeScope:
    """A region of code in which computed values are available.

    Attributes:
        atom: The index of the loop that it is the body of.
        before: Where to put what the body needs and does not depend on the loop.
        code: The body.
        available: The values that are emitted here.
        closed: Whether nothing may be moved out of it.
        holds: Conditions that hold in it.
        changes: The buffers that the loop changes: what reads them is not moved out of it.
        digits: Quotients and remainders of the loop's index, by the divisor: they are carried
            around the loop.
    """

    __slots__ = ("atom", "available", "before", "changes", "closed", "code", "digits", "holds")

    def __init__(
        self,
        atom: Expression | None,
        before: Code,
        code: Code,
        closed: bool = False,
        changes: frozenset[Buffer] = NO_BUFFERS,
    ) -> None:
        self.atom = atom
        self.before = before
        self.code = code
        self.available: dict[object, EmittedValue] = {}
        self.closed = closed
        self.holds: frozenset[Expression] = frozenset()
        self.changes = changes
        self.digits: dict[SymbolicSize, Digits] = {}


def parts_of(condition: Expression) -> frozenset[Expression]:
    """Conditions that all hold where one does."""
    subexpressions: set[Expression] = set()
    pending = [condition]
    while pending:
        last = pending.pop()
        subexpressions.add(last)
        pending += last.operands if last.operator == "and" else ()
    return frozenset(subexpressions)


def is_literal(text: str) -> bool:
    """Whether the text of a value is a number."""
    return text[0] not in "%<s"


def flatten_lines(code: Code) -> list[str]:
    """The lines of lists of lines, in order."""
    lines: list[str] = []
    pending = [code[::-1]]
    while pending:
        items = pending[-1]
        if not items:
            pending.pop()
        elif isinstance(item := items.pop(), str):
            lines.append(item)
        else:
            pending.append(item[::-1])
    return lines
