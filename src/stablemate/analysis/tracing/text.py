"""Traces as plain text and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.quantities import format_count
from stablemate.analysis.tracing.event import ElementStatistics, Number, TraceEvent, short
from stablemate.analysis.tracing.recording import TraceRecording

COLUMNS: Final = ("where", "operation", "type", "min", "max", "mean", "std", "notes")
NUMBERS: Final = range(3, 7)  # columns that are set to the right


def rows_of(event: TraceEvent, *, processes: bool = False) -> list[tuple[str, ...]]:
    """The rows of an event: one for each result, or part of one."""
    path = event.path
    if processes:
        path = f"({event.process[0]},{event.process[1]}) {path}"
    rows: list[tuple[str, ...]] = []
    for result in event.results:
        for k, part in enumerate(result.parts):
            is_first = not rows
            name = result.name + (("", ".imag")[k] if len(result.parts) > 1 else "")
            rows.append(
                (
                    path if is_first else "",
                    f"{name} = {event.place.name}{place_text(event.place)}",
                    result.type,
                    *(cell(number) for number in (part.min, part.max, part.mean, part.std)),
                    notes_of(part),
                )
            )
    return rows


def place_text(place: OperationPlace) -> str:
    """The line of an operation; where a producer names nodes, not lines, the node."""
    if place.line:
        return f":{place.line}"
    return f" '{place.origin}'" if place.origin and not place.where else ""


def cell(number: Number | None) -> str:
    """Formats a number for a table; an absent one leaves the cell empty."""
    return "" if number is None else short(number)


def notes_of(part: ElementStatistics) -> str:
    """The counts of NaN, infinities, denormals and zeros."""
    negative = part.negative_infinities
    named = (
        (part.nans, "NaN"),
        (part.infinities - negative, "inf"),
        (negative, "-inf"),
        (part.denormals, "denormal"),
    )
    notes = [f"{number} {name}" for number, name in named if number]
    if part.zeros:
        notes.append("all zero" if part.zeros == part.count else f"{part.zeros} zero")
    if not part.count:
        notes.append("empty")
    return ", ".join(notes)


def is_alarming(event: TraceEvent) -> bool:
    """Whether a result has NaN or infinities."""
    return any(part.nans or part.infinities for result in event.results for part in result.parts)


def several_processes(events: Sequence[TraceEvent]) -> bool:
    """Whether events are of more than one process."""
    return len({event.process for event in events}) > 1


def summary_of(trace: TraceRecording, shown: int) -> list[str]:
    """The text below the table."""
    lines: list[str] = []
    if len(trace) > shown:
        lines.append(f"... and {format_count(len(trace) - shown, 'more event')}")
    if trace.dropped:
        lines.append(
            f"not recorded, as the limit was reached: {format_count(trace.dropped, 'event')}"
        )
    if trace.unkept:
        lines.append(
            f"not kept, as there were too many bytes: {format_count(trace.unkept, 'array')}"
        )
    if trace.failure is not None:
        path = " > ".join(map(str, trace.failure.stack))
        lines.append(f"the run failed{f' in {path}' if path else ''}: {trace.failure.message}")
    return lines


def title_of(trace: TraceRecording) -> str:
    """The title of a trace: its program, its number of events and its backend."""
    count = len(trace)
    return f"{trace.program}: {format_count(count, 'event')}, by {trace.backend}"


def text_of(trace: TraceRecording, shown: int) -> str:
    """A trace as a table in plain text."""
    events = list(trace.events[:shown])
    with_processes = several_processes(events)
    rows = [COLUMNS, *(row for e in events for row in rows_of(e, processes=with_processes))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if i in NUMBERS else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([title_of(trace), *lines, *summary_of(trace, shown)])


def html_of(trace: TraceRecording, shown: int) -> str:
    """A trace as a table in HTML."""
    events = list(trace.events[:shown])
    with_processes = several_processes(events)
    head = "".join(f"<th>{column}</th>" for column in COLUMNS)
    body: list[str] = []
    for event in events:
        style = ' style="color:#c00"' if is_alarming(event) else ""
        for row in rows_of(event, processes=with_processes):
            cells = "".join(
                f'<td style="text-align:{"right" if i in NUMBERS else "left"}">{escape(text)}</td>'
                for i, text in enumerate(row)
            )
            body.append(f"<tr{style}>{cells}</tr>")
    below = "".join(f"<div>{escape(line)}</div>" for line in summary_of(trace, shown))
    return (
        f"<div><b>{escape(title_of(trace))}</b><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>{below}</div>"
    )
