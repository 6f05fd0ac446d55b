"""The results of a comparison of two programs, which print themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from typing import Final, Literal

from stablemate.analysis.quantities import format_count
from stablemate.deferred_dataclasses import dataclass

SIGNS: Final = {"removed": "-", "inserted": "+", "changed": "~", "moved": ">"}
COLORS: Final = {"-": "#c62828", "+": "#2e7d32", "~": "#ef6c00", ">": "#1565c0"}
SUMMARIZED: Final = 6  # names of operations or functions in a line of the summary
Kind = Literal["removed", "inserted", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class ProgramPlace:
    """A place in a program.

    Attributes:
        name: What it is called: a function, an operation, an opcode.
        line: The line of the source, counted from 1; None if there is none.
        text: That line; operand and result types if there is none.
    """

    name: str
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Detail:
    """A difference in an attribute, a type or an operand.

    Attributes:
        what: What it is.
        a: What the first program says; empty if nothing.
        b: What the second one says.
    """

    what: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.what}: {self.a or '(none)'} -> {self.b or '(none)'}"


@dataclass(frozen=True, slots=True)
class OperationChange:
    """An operation that is not the same.

    Attributes:
        kind: ``removed``, ``inserted``, ``changed``, or ``moved``: the same in another order.
        name: Its name.
        a: Where it is in the first program; None if it is inserted.
        b: Where it is in the second program; None if it is removed.
        details: What is said otherwise.
    """

    kind: Kind
    name: str
    a: ProgramPlace | None
    b: ProgramPlace | None
    details: tuple[Detail, ...] = ()

    def lines(self) -> Iterator[str]:
        """Renders the change as lines of a report."""
        place = self.b or self.a
        assert place is not None
        yield f"{SIGNS[self.kind]} {lines_text(self.a, self.b):>11}  {place.text}"
        for detail in self.details:
            yield f"{'':15}  {detail}"


@dataclass(frozen=True, slots=True)
class FunctionDiff:
    """The differences in a function.

    Attributes:
        a: The function in the first program.
        b: The function in the second program; it may have another name.
        details: What is said otherwise of the function itself.
        changes: What differs inside.
    """

    a: ProgramPlace
    b: ProgramPlace
    details: tuple[Detail, ...]
    changes: tuple[OperationChange, ...]

    def lines(self) -> Iterator[str]:
        """Renders the changes of one function as lines of a report."""
        name = self.a.name if self.a.name == self.b.name else f"{self.a.name} -> {self.b.name}"
        yield f"{name} ({lines_text(self.a, self.b)})"
        for detail in self.details:
            yield f"{'':2}{detail}"
        for change in self.changes:
            yield from (f"  {line}" for line in change.lines())


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference of two programs; false if there is none.

    Attributes:
        a: What the first program was read from.
        b: What the second program was read from.
        functions: The functions that differ.
        removed: Functions that only the first program has.
        inserted: Functions that only the second program has.
        details: What the programs say otherwise of themselves.
    """

    a: str
    b: str
    functions: tuple[FunctionDiff, ...] = ()
    removed: tuple[ProgramPlace, ...] = ()
    inserted: tuple[ProgramPlace, ...] = ()
    details: tuple[Detail, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.functions or self.removed or self.inserted or self.details)

    @property
    def equal(self) -> bool:
        """Whether there is no difference."""
        return not self

    def lines(self) -> Iterator[str]:
        """The difference for people; the first characters tell what a line is."""
        if not self:
            return
        yield f"--- {self.a or 'a'}"
        yield f"+++ {self.b or 'b'}"
        yield from self.summary_lines()
        for detail in self.details:
            yield f"module: {detail}"
        for function in self.functions:
            yield from function.lines()
        for place in self.removed:
            yield f"- {place.name} (line {place.line or '-'})"
        for place in self.inserted:
            yield f"+ {place.name} (line {place.line or '-'})"

    def summary_lines(self) -> Iterator[str]:
        """Summarizes the changes in a few lines: how many operations of which kind, and which."""
        yield self.summary()
        names: dict[Kind, Counter[str]] = {}
        for function in self.functions:
            for change in function.changes:
                names.setdefault(change.kind, Counter())[change.name] += 1
        for kind in SIGNS:
            if kind in names and names[kind].total() > 1:
                common = names[kind].most_common(SUMMARIZED)
                more = ", ..." if len(names[kind]) > SUMMARIZED else ""
                listed = ", ".join(f"{number} {name}" for name, number in common)
                yield f"  {kind}: {listed}{more}"
        if len(self.functions) > 1:
            largest = sorted(self.functions, key=lambda item: -len(item.changes))[:SUMMARIZED]
            more = ", ..." if len(self.functions) > SUMMARIZED else ""
            listed = ", ".join(f"{item.a.name} ({len(item.changes)})" for item in largest)
            yield f"  in {len(self.functions)} functions: {listed}{more}"

    def summary(self) -> str:
        """How many operations were changed in which way."""
        kinds = [change.kind for function in self.functions for change in function.changes]
        counts = [f"{kinds.count(kind)} {kind}" for kind in SIGNS if kind in kinds]
        if self.removed:
            counts.append(f"{format_count(len(self.removed), 'function')} removed")
        if self.inserted:
            counts.append(f"{format_count(len(self.inserted), 'function')} inserted")
        return ", ".join(counts) or "attributes differ"

    def __str__(self) -> str:
        return "\n".join(self.lines()) or "the programs are equal"

    def to_json(self) -> dict[str, object]:
        """The difference as an object."""
        return {"schema": 1, "equal": self.equal, **asdict(self)}

    def _repr_html_(self) -> str:
        rows = [
            f'<span style="color:{COLORS.get(line.strip()[:1], "inherit")}">{escape(line)}</span>'
            for line in str(self).split("\n")
        ]
        return f"<pre>{chr(10).join(rows)}</pre>"


def lines_text(a: ProgramPlace | None, b: ProgramPlace | None) -> str:
    """``12 -> 14``: lines on both sides, as far as there are any."""
    sides = [str(operand.line) if operand and operand.line else "" for operand in (a, b)]
    return " -> ".join(side or "." for side in sides) if any(sides) else ""
