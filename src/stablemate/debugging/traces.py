"""Comparison of recorded runs: traces, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np

from stablemate.analysis.tables import TextTable, html_of, text_of
from stablemate.analysis.tolerance import Tolerance
from stablemate.analysis.tracing.event import EventResult, TraceEvent
from stablemate.analysis.tracing.trace import RunTrace
from stablemate.debugging.closeness import Closeness, closeness
from stablemate.debugging.tables import ERRORS, cells_of, closeness_json
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import F64, SIMPLE_ELEMENTS, ElementType, FloatType

SHOWN: Final = 20  # rows of a table unless more are asked for: what a screen shows
NUMBERS: Final = ("min", "max", "mean", "std")  # statistics that need only be near


@dataclass(frozen=True, slots=True)
class EventPair:
    """A result in both traces.

    Attributes:
        event: The event in the first.
        result: The result in the first.
        closeness: How far it is off; without elements in both traces their statistics count.
    """

    event: TraceEvent
    result: EventResult
    closeness: Closeness


@dataclass(frozen=True, slots=True)
class TraceComparison:
    """Two traces, side by side.

    Attributes:
        pairs: What both traces have, in the order of the first.
        only_first: How many events the second lacks.
        only_second: How many events the first lacks.
    """

    pairs: Sequence[EventPair]
    only_first: int
    only_second: int

    @property
    def matches(self) -> bool:
        """Whether both have the same events, with values that are near enough."""
        return self.first is None and not self.only_first and not self.only_second

    @property
    def first(self) -> EventPair | None:
        """The first result outside the tolerance."""
        return next((pair for pair in self.pairs if not pair.closeness.matches), None)

    def tables(self, listed: int = SHOWN) -> Iterator[TextTable]:
        """The comparison of traces as tables."""
        diverging = [pair for pair in self.pairs if not pair.closeness.matches]
        if diverging:
            columns = ("value ", "operation ", "where ", *ERRORS, "verdict ")
            yield TextTable(
                "where they diverge", columns, [pair_cells(pair) for pair in diverging[:listed]]
            )
        for count, which in ((self.only_first, "first"), (self.only_second, "second")):
            if count:
                yield TextTable(f"{count} events stand only in the {which} trace")
        agree = len(self.pairs) - len(diverging)
        yield TextTable(
            "They match." if self.matches else f"{agree} of {len(self.pairs)} values match."
        )

    def to_json(self) -> dict[str, object]:
        """The comparison as JSON has it."""
        return {
            "matches": self.matches,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "values": [
                {
                    "name": pair.result.name,
                    "operation": pair.event.place.name,
                    "line": pair.event.place.line,
                    "path": pair.event.path,
                    "occurrence": pair.event.occurrence,
                    **closeness_json(pair.closeness),
                }
                for pair in self.pairs
            ],
        }

    def __str__(self) -> str:
        return text_of(self.tables())

    def _repr_html_(self) -> str:
        return html_of(self.tables())


def compare_traces(
    first: RunTrace, second: RunTrace, tolerance: Tolerance | None = None
) -> TraceComparison:
    """Two traces of one program: event by event, in the order of the first.

    Args:
        first: The one, from ``sm.trace`` or ``sm.load_trace``.
        second: What it is compared with.
        tolerance: What is near enough; by default half of the digits of a float.
    """
    others = {key_of(event): event for event in second.events}
    pairs: list[EventPair] = []
    alone = 0
    for event in first.events:
        other = others.pop(key_of(event), None)
        if other is None:
            alone += 1
            continue
        for mine, theirs in zip(event.results, other.results, strict=False):
            pairs.append(EventPair(event, mine, nearness(mine, theirs, tolerance)))
    return TraceComparison(pairs, alone, len(others))


def key_of(event: TraceEvent) -> tuple[object, ...]:
    """The key that identifies an event in a run."""
    return event.place.number, event.occurrence, event.process


def nearness(mine: EventResult, theirs: EventResult, tolerance: Tolerance | None) -> Closeness:
    """How far a result is off: by its elements if both are kept, else by what is known of them."""
    if mine.type != theirs.type:
        return Closeness(None, difference=f"{mine.type}, not {theirs.type}")
    a, b = mine.array, theirs.array
    if a is not None and b is not None:
        return closeness(a, b, tolerance)
    for one, other in zip(mine.parts, theirs.parts, strict=True):
        difference = apart(asdict(one), asdict(other), element_of(mine.type), tolerance)
        if difference:
            return Closeness(None, difference=difference)
    return closeness(np.zeros(0), np.zeros(0))  # nothing is known to part them


def element_of(text: str) -> ElementType:
    """The element type of a tensor type; f64 if it is not a simple one."""
    name = text.removeprefix("tensor<").removesuffix(">").split("x")[-1]
    element = SIMPLE_ELEMENTS.get(name, F64)
    return element if isinstance(element, FloatType) else F64


def apart(
    mine: Mapping[str, object], theirs: Mapping[str, object], element: ElementType,
    tolerance: Tolerance | None,
) -> str:  # fmt: skip
    """How the statistics of two results differ: counts that differ, numbers that are not near."""
    for name, value in mine.items():
        other = theirs[name]
        if value == other:
            continue
        is_known = name in NUMBERS and None not in (value, other)
        with np.errstate(all="ignore"):
            numbers = [np.asarray(scalar, element.dtype) for scalar in (value, other) if is_known]
        if not numbers or not closeness(numbers[0], numbers[1], tolerance).matches:
            return f"{name} {value}, not {other}"
    return ""


def pair_cells(pair: EventPair) -> list[str]:
    """The row of a result."""
    place = pair.event.place
    where = f"{place.name}:{place.line}" if place.line else place.name
    return [pair.result.name, where, pair.event.path, *cells_of(pair.closeness)]
