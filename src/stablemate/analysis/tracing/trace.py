"""Traces: what a run gave, event by event; kept in memory, saved in files, filtered, printed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Final, overload

from stablemate.analysis.tracing import files
from stablemate.analysis.tracing.event import (
    ElementStatistics,
    EventResult,
    TraceEvent,
    statistics_of,
)
from stablemate.analysis.tracing.recorder import TraceRecorder
from stablemate.analysis.tracing.recording import RunFailure, TraceRecording
from stablemate.analysis.tracing.selection import selection_of
from stablemate.analysis.tracing.text import html_of, text_of
from stablemate.diagnostics.file_errors import file_errors, path_name
from stablemate.ir.types import TensorType

SHOWN: Final = 60  # events that a printed trace shows


class RunTrace(TraceRecording):
    """The results of the operations of a run.

    ``sm.trace`` records it, ``sm.load_trace`` reads it.
    """

    def select(
        self,
        operations: str | Sequence[str] = (),
        *,
        functions: str | Sequence[str] = (),
        lines: str | int | Sequence[str | int] = (),
        locations: str | Sequence[str] = (),
        where: str | None = None,
    ) -> RunTrace:
        """The trace with some of its events.

        Args:
            operations: Patterns of names, such as ``dot*``.
            functions: Patterns for the function that the operation stands in.
            lines: Lines such as 12 or ``"10-20"``.
            locations: Patterns for a part of the place or of what the producer said of it.
            where: A condition on the statistics of a result, such as ``"nans > 0 or max > 1e3"``.

        Raises:
            ArgumentValueError: A line or the condition is none.
        """
        chosen = selection_of(operations, functions, lines, locations, where)
        condition = chosen.condition

        def holds(event: TraceEvent) -> bool:
            if condition is None:
                return True
            parts = [part for result in event.results for part in result.parts]
            return any(bool(condition(statistics_by_name(part))) for part in parts)

        events = [event for event in self.events if chosen.takes(event.place) and holds(event)]
        return replace(self, events=events)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the trace; ``sm.load_trace`` reads it.

        Args:
            path: A directory, which gets ``index.json`` and an ``.npy`` for each array; or a name
                that ends with ``.npz`` (all in one file) or ``.json`` (no arrays).

        Raises:
            FileError: It cannot be written.
        """
        name = path_name(path)
        with file_errors("write", name):
            files.save(self, name)

    def to_json(self) -> dict[str, object]:
        """The trace as JSON has it."""
        return files.document_of(self)

    def __str__(self) -> str:
        return text_of(self, SHOWN)

    def _repr_html_(self) -> str:
        return html_of(self, SHOWN)


def load_trace(path: str | PathLike[str]) -> RunTrace:
    """Reads a trace that ``Trace.save`` or ``stablemate trace --save`` has written.

    Arrays are read when they are looked at.

    Args:
        path: The directory, ``.npz`` or ``.json``.

    Raises:
        FileError: It cannot be read.
        ArgumentValueError: It is no trace.
    """
    name = path_name(path)
    with file_errors("read", name):
        recording = files.load(Path(name))
    return RunTrace(
        **{field.name: getattr(recording, field.name) for field in fields(TraceRecording)}
    )


def statistics_by_name(part: ElementStatistics) -> dict[str, object]:
    """Statistics by name; NaN where there is no number."""
    values = {field.name: getattr(part, field.name) for field in fields(ElementStatistics)}
    return {name: float("nan") if value is None else value for name, value in values.items()}


class Recorded(Sequence[TraceEvent]):
    """The events of a recorder, each made when it is looked at."""

    def __init__(self, recorder: TraceRecorder) -> None:
        self.recorder = recorder
        self.starts: list[int] = [0]
        for batch in recorder.batches:
            self.starts.append(self.starts[-1] + len(batch))

    def __len__(self) -> int:
        return self.starts[-1]

    @overload
    def __getitem__(self, number: int) -> TraceEvent: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[TraceEvent]: ...
    def __getitem__(self, number: int | slice) -> TraceEvent | Sequence[TraceEvent]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        position = number + len(self) if number < 0 else number
        if not 0 <= position < len(self):
            raise IndexError(f"there are {len(self)} events, none has the number {number}")
        batch = bisect_right(self.starts, position) - 1
        return self.event(batch, position - self.starts[batch], position)

    def event(self, batch: int, i: int, number: int) -> TraceEvent:
        """An event of a batch."""
        recorded = self.recorder.batches[batch]
        watched = self.recorder.watched[int(recorded.keys[i])]
        first = int(recorded.firsts[i])
        results: list[EventResult] = []
        for k, (name, value_type, kind) in enumerate(
            zip(watched.names, watched.types, watched.kinds, strict=True)
        ):
            row = first + k
            shape = recorded.shapes.get(row, value_type.shape)
            is_unsigned = kind.scan_dtype.kind == "u"
            imaginary = recorded.imaginary.get(row)
            results.append(
                EventResult(
                    name,
                    str(TensorType(tuple(shape), value_type.element_type)),
                    tuple(shape),
                    statistics_of(
                        recorded.rows[row], is_float=kind.is_float, is_unsigned=is_unsigned
                    ),
                    None if imaginary is None else statistics_of(imaginary, is_float=True),
                    recorded.kept.get(row),
                )
            )
        return TraceEvent(
            number,
            watched.place,
            int(recorded.occurrences[i]),
            self.recorder.scopes.of(recorded.frames[i]),
            watched.path[-1],
            tuple(results),
        )


def trace_of(
    recorder: TraceRecorder, program: str, backend: str, results: object = None,
    error: BaseException | None = None,
) -> RunTrace:  # fmt: skip
    """The trace that a recorder has of a run, which may have failed."""
    recorder.flush()
    recorder.count()
    failure = None
    if error is not None:
        line = recorder.latest
        stack = () if line is None else recorder.scopes.of(line.frame)
        failure = RunFailure(str(error) or type(error).__name__, stack)
    return RunTrace(
        program, backend, Recorded(recorder), failure, recorder.dropped, recorder.unkept, results
    )
