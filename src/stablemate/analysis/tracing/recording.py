"""Recordings: what a trace is, without what can be done with it: ``Trace`` adds that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.tracing.event import EventScope, TraceEvent
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunFailure:
    """How a run failed.

    Attributes:
        message: What the error says.
        stack: The blocks in which it did, the outermost first, as far as that is known.
    """

    message: str
    stack: tuple[EventScope, ...] = ()


@dataclass(frozen=True, eq=False)
class TraceRecording:
    """The results of the operations of a run.

    Attributes:
        program: What the program is called.
        backend: What ran it.
        events: What happened, in the order of the run.
        failure: How the run failed; None if it did not. The events go up to there.
        dropped: How many events came after there were as many as are kept.
        unkept: How many arrays were not kept, because there were too many bytes.
        results: What the run gave; None if it failed, or if the trace was loaded.
    """

    program: str
    backend: str
    events: Sequence[TraceEvent]
    failure: RunFailure | None = None
    dropped: int = 0
    unkept: int = 0
    results: object = None

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[TraceEvent]:
        return iter(self.events)

    def __getitem__(self, number: int) -> TraceEvent:
        return self.events[number]


def places_of(events: Sequence[TraceEvent]) -> Mapping[int, OperationPlace]:
    """All operations that events speak of, by number."""
    places: dict[int, OperationPlace] = {}
    for event in events:
        places.setdefault(event.place.number, event.place)
        for scope in event.stack:
            places.setdefault(scope.place.number, scope.place)
    return places
