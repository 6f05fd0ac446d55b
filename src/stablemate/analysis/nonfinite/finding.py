"""Findings: where a number that is none appeared first, and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Final

from stablemate.analysis.tracing.event import ElementStatistics, TraceEvent
from stablemate.analysis.tracing.files import event_json, numbers_json
from stablemate.analysis.tracing.recording import RunFailure
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span

NAMES: Final = {"nan": "NaN", "inf": "infinity", "denormal": "denormal", "overflow": "overflow"}


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """The origin of a value.

    Attributes:
        kind: ``argument``, ``constant``, ``operation`` or ``carried`` (around a loop).
        text: What it is: ``argument 0 (%arg0) of @main``.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ObservedOperand:
    """An operand of the operation, with its statistics.

    Attributes:
        name: What the printed program calls it.
        type: Its type, with the sizes that it had.
        statistics: What is known of its elements, of real and then of imaginary parts.
        origin: Where it comes from.
        element: The element at the place of the finding, if the shapes are the same.
        is_bad: Whether it has what was found, so that it was passed on.
    """

    name: str
    type: str
    statistics: Sequence[ElementStatistics]
    origin: ValueOrigin
    element: str | None
    is_bad: bool


@dataclass(frozen=True, slots=True)
class NonfiniteFinding:
    """The first number that is none.

    Attributes:
        kind: ``nan``, ``inf``, ``denormal`` or ``overflow``.
        event: What the operation gave.
        index: Where it is in the result, the first of them.
        number: How many of them the result has.
        result: Which result it is.
        operands: What the operation took.
        span: Where the operation stands in the text.
    """

    kind: str
    event: TraceEvent
    index: tuple[int, ...]
    number: int
    result: int
    operands: tuple[ObservedOperand, ...]
    span: Span | None = None

    @property
    def is_born(self) -> bool:
        """Whether it appeared here: no operand has one."""
        return not any(operand.is_bad for operand in self.operands)

    @property
    def origin(self) -> str:
        """Whether it originates here, or where it came from."""
        bad = [operand for operand in self.operands if operand.is_bad]
        if not bad:
            return "originates here: no operand has one"
        return "passed on from " + ", ".join(dict.fromkeys(operand.origin.text for operand in bad))

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding as messages are written: with the line of the text, and notes."""
        event = self.event
        result = event.results[self.result]
        count = result.statistics.count
        notes = [
            f"in {event.path}" if event.path else "",
            f"{result.name} has {self.number} of {count}, the first at {list(self.index)}",
            self.origin,
            *(self.operand_text(operand) for operand in self.operands),
            f"location: {event.place.origin}" if event.place.origin else "",
        ]
        if event.process != (0, 0):
            notes.insert(1, f"in process ({event.process[0]},{event.process[1]})")
        return Diagnostic(
            f"the first {NAMES[self.kind]}",
            event.place.name,
            self.span,
            notes=tuple(Diagnostic(note) for note in notes if note),
        )

    def operand_text(self, operand: ObservedOperand) -> str:
        """The description of an operand."""
        ranges = " + i ".join(statistic.range for statistic in operand.statistics)
        element = "" if operand.element is None else f"; {operand.element} there"
        name = f"{operand.name}: " if operand.name else ""
        return f"operand {name}{operand.type} {ranges}{element} ({operand.origin.text})"


@dataclass(frozen=True, slots=True)
class NonfiniteSearch:
    """The outcome of a search for the first result that is not finite.

    Attributes:
        program: What the program is called.
        kinds: What was looked for.
        finding: The first one; None if there is none.
        failure: How the run failed; None if it did not, or ended because something was found.
        results: What the run gave, if it came to its end.
    """

    program: str
    kinds: tuple[str, ...]
    finding: NonfiniteFinding | None
    failure: RunFailure | None = None
    results: object = None

    def __bool__(self) -> bool:
        return self.finding is not None

    def __str__(self) -> str:
        return self.text()

    def text(self, *, color: bool = False) -> str:
        """The finding, with the line of the program's text."""
        if self.finding is not None:
            return self.finding.diagnostic.render(color=color)
        what = " or ".join(NAMES[kind] for kind in self.kinds)
        if self.failure is not None:
            path = " > ".join(map(str, self.failure.stack))
            return f"no {what} before the run failed in {path}: {self.failure.message}"
        return f"no {what}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_json(self) -> dict[str, object]:
        """The finding as a JSON object."""
        finding = self.finding
        return {
            "program": self.program,
            "kinds": list(self.kinds),
            "failure": None if self.failure is None else self.failure.message,
            "finding": None if finding is None else finding_json(finding),
        }


def finding_json(finding: NonfiniteFinding) -> dict[str, object]:
    """A finding as JSON has it."""
    event = finding.event
    return {
        "kind": finding.kind,
        "operation": asdict(event.place),
        "path": event.path,
        "event": event_json(0, event, named=False),
        "result": finding.result,
        "index": list(finding.index),
        "number": finding.number,
        "born": finding.is_born,
        "origin": finding.origin,
        "operands": [
            {
                "name": operand.name,
                "type": operand.type,
                "statistics": [numbers_json(part) for part in operand.statistics],
                "origin": asdict(operand.origin),
                "element": operand.element,
                "passed_on": operand.is_bad,
            }
            for operand in finding.operands
        ],
    }
