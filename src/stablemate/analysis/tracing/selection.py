"""Selections: which operations of a program are traced, and which of their results are recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

from stablemate.analysis.conditions import TraceCondition, condition_of
from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.tracing.event import NAMES
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class TraceSelection:
    """Selects the events that are traced: they match all stated conditions.

    Attributes:
        operations: Patterns of names with ``*`` and ``?``, of which one must fit the name of the
            operation, with its dialect or without.
        functions: Patterns for the function that it stands in.
        lines: The first and last lines of ranges, in one of which it must stand.
        locations: Patterns for a part of where it stands or of what the producer said of it.
        condition: What must hold for the statistics of one of the results.
    """

    operations: Sequence[str] = ()
    functions: Sequence[str] = ()
    lines: Sequence[tuple[int, int]] = ()
    locations: Sequence[str] = ()
    condition: TraceCondition | None = None

    @property
    def is_everything(self) -> bool:
        """Whether all operations are traced."""
        return not (self.operations or self.functions or self.lines or self.locations)

    def takes(self, place: OperationPlace) -> bool:
        """Whether an operation is traced."""
        return (
            fits(self.operations, (place.name, place.name.partition(".")[2]))
            and fits(self.functions, (place.function,))
            and fits([f"*{location}*" for location in self.locations], (place.where, place.origin))
            and (not self.lines or self.holds_line(place.line))
        )

    def holds_line(self, line: int | None) -> bool:
        """Whether a line is in one of the ranges."""
        return line is not None and any(first <= line <= last for first, last in self.lines)


def fits(patterns: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether one of the patterns fits one of the texts; all do if there are no patterns."""
    return not patterns or any(fnmatchcase(text, pattern) for pattern in patterns for text in texts)


def selection_of(
    operations: str | Sequence[str] = (),
    functions: str | Sequence[str] = (),
    lines: str | int | Sequence[str | int] = (),
    locations: str | Sequence[str] = (),
    condition: str | None = None,
) -> TraceSelection:
    """The selection that a caller states: one text or several of each.

    Raises:
        ArgumentValueError: Lines are no lines, or the condition is none.
    """
    return TraceSelection(
        several(operations),
        several(functions),
        [lines_of(str(line)) for line in several(lines)],
        several(locations),
        None if condition is None else condition_of(condition, NAMES),
    )


def several(value: str | int | Sequence[str | int]) -> tuple[str, ...]:
    """The stated conditions, as texts."""
    if isinstance(value, str | int):
        return (str(value),)
    return tuple(map(str, value))


def lines_of(text: str) -> tuple[int, int]:
    """Parses a range of lines: ``12`` or ``10-20``.

    Raises:
        ArgumentValueError: It says none.
    """
    match = LINES.fullmatch(text)
    if match is None:
        raise ArgumentValueError(f"'{text}' is no line: write such as 12 or 10-20")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise ArgumentValueError(f"'{text}' holds no line: write the smaller one first")
    return first, last
