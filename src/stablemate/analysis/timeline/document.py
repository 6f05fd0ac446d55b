"""Runs on a time line, as documents that Perfetto and chrome://tracing open.

Source: Trace Event Format (Chrome): complete events, metadata events; times in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.analysis.timeline.events import TimelineEvent
from stablemate.compiler.step_labels import TRACKS

MICROSECOND: Final = 1e3  # nanoseconds
TRACKS_OF_A_PROCESS: Final = 1000  # at most; tracks of all processes have distinct numbers


def trace_document(events: Sequence[TimelineEvent], *, dropped: int = 0) -> dict[str, object]:
    """The document of events, in the Trace Event Format.

    Each process of a grid is a process, and each of its tracks is a thread.

    Args:
        events: The events of all processes, on one clock.
        dropped: How many events were too many to be kept.
    """
    tracks = track_numbers(events)
    return {
        "displayTimeUnit": "ms",
        "otherData": {"producer": "stablemate", "dropped_events": dropped},
        "traceEvents": [*metadata_events(events, tracks), *complete_events(events, tracks)],
    }


def track_numbers(events: Sequence[TimelineEvent]) -> dict[tuple[int, str], int]:
    """The number of each track of each process: first those of ``TRACKS``, then the threads."""
    numbers: dict[tuple[int, str], int] = {}
    for process in sorted({event.process for event in events}):
        own = {event.track for event in events if event.process == process}
        ordered = [track for track in TRACKS if track in own] + sorted(own.difference(TRACKS))
        first = TRACKS_OF_A_PROCESS * (process + 1) + 1
        numbers |= {(process, track): first + n for n, track in enumerate(ordered)}
    return numbers


def metadata_events(
    events: Sequence[TimelineEvent], tracks: dict[tuple[int, str], int]
) -> Iterator[dict[str, object]]:
    """The names of processes and tracks, and their order."""
    names = {event.process: process_name(event) for event in reversed(events)}
    for process, name in sorted(names.items()):
        common = {"ph": "M", "pid": process + 1}
        yield {**common, "name": "process_name", "args": {"name": name}}
        yield {**common, "name": "process_sort_index", "args": {"sort_index": process}}
    for (process, track), number in tracks.items():
        thread = {"ph": "M", "pid": process + 1, "tid": number}
        yield {**thread, "name": "thread_name", "args": {"name": track}}
        yield {**thread, "name": "thread_sort_index", "args": {"sort_index": number}}


def process_name(event: TimelineEvent) -> str:
    """Names the process of an event."""
    if event.process_id is None:
        return event.program
    replica, partition = event.process_id
    return f"{event.program}, process ({replica},{partition})"


def complete_events(
    events: Sequence[TimelineEvent], tracks: dict[tuple[int, str], int]
) -> Iterator[dict[str, object]]:
    """Converts events to complete events (``ph: X``) of the Trace Event Format."""
    for event in events:
        yield {
            "ph": "X",
            "pid": event.process + 1,
            "tid": tracks[event.process, event.track],
            "cat": event.category,
            "name": event.name,
            "ts": event.started / MICROSECOND,
            "dur": (event.stopped - event.started) / MICROSECOND,
            "args": event.details,
        }
