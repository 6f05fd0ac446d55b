"""Stops: where the debugger lets the user look, and when it stops."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from stablemate.analysis.conditions import TraceCondition, condition_of
from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.tracing.event import NAMES
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

VALUE: Final = re.compile(r"%[\w$.#-]+")
OWN: Final = ("iteration", "occurrence")  # names beside those of statistics
BREAK: Final = re.compile(r"(?P<where>.*?)(?:\bif\b(?P<condition>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where a run stops.

    Attributes:
        number: What it is called.
        line: The line of the operation; None if its name is stated.
        pattern: A pattern for the name of the operation; empty if its line is stated.
        condition: What must hold after it; with ``values`` for names that stand for values.
        values: The values that the condition speaks of, by the names that stand for them in it.
        text: As it was stated.
    """

    number: int
    line: int | None
    pattern: str
    condition: TraceCondition | None
    values: dict[str, str]
    text: str

    def fits(self, place: OperationPlace) -> bool:
        """Whether it is at an operation; one of a condition only is at all of them."""
        if self.line is not None:
            return place.line == self.line
        if not self.pattern:
            return True
        names = (place.name, place.name.partition(".")[2], *place.names)
        return any(fnmatchcase(name, self.pattern) for name in names)

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


def breakpoint_of(number: int, text: str) -> Breakpoint:
    """The breakpoint that ``12``, ``add if max > 3`` or ``if %a > 1`` states.

    Raises:
        ArgumentValueError: It states none.
    """
    match = BREAK.fullmatch(text.strip())
    where = match["where"].strip() if match else ""
    condition_text = match["condition"] if match else None
    if not where and condition_text is None:
        raise ArgumentValueError("break where? At a line, an operation (add, dot*, %x), or if ...")
    condition, values = None, dict[str, str]()
    if condition_text is not None:
        condition, values = with_values(condition_text.strip())
    line = int(where) if where.isdecimal() else None
    return Breakpoint(number, line, "" if line is not None else where, condition, values, text)


def with_values(text: str) -> tuple[TraceCondition, dict[str, str]]:
    """A condition in which ``%x`` is replaced by a name, and these names."""
    values: dict[str, str] = {}

    def name_value(match: re.Match[str]) -> str:
        name = f"value_{len(values)}"
        values[name] = match[0]
        return name

    plain = VALUE.sub(name_value, text)
    return condition_of(plain, (*NAMES, *OWN, *values)), values


def index_of(text: str) -> tuple[int | slice, ...]:
    """Parses an index such as ``0, 1:3``.

    Raises:
        ArgumentValueError: It says none.
    """
    parts: list[int | slice] = []
    for part in text.split(","):
        numbers: Sequence[Any] = [bound.strip() for bound in part.split(":")]
        if len(numbers) > 3 or not all(re.fullmatch(r"-?\d{1,12}|", number) for number in numbers):
            raise ArgumentValueError(f"'{text}' is no index: write such as 0, 1:3")
        if len(numbers) == 1 and not numbers[0]:
            raise ArgumentValueError(f"'{text}' is no index: write such as 0, 1:3")
        ends = [int(number) if number else None for number in numbers]
        first = ends[0]
        parts.append(first if len(ends) == 1 and first is not None else slice(*ends))
    return tuple(parts)
