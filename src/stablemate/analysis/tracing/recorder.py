"""The recorder: a listener that keeps what is known of every result.

While the program runs, results are only put on a list; now and then native code looks at all of
them at once, in one pass over their elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.analysis.operation_identity import OperationPlace, Sites
from stablemate.analysis.tracing.batch import Batch
from stablemate.analysis.tracing.frames import BlockFrame, Scopes
from stablemate.analysis.tracing.selection import TraceSelection
from stablemate.analysis.tracing.watched import Watched
from stablemate.compiler.runtime.array_statistics import ElementKind, StatisticsCollector
from stablemate.execution.observe.listener import Computed, ListAppender
from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array

FEW_BYTES: Final = 1 << 14  # a result of so few is looked at when there are many of them
LARGE: Final = 1 << 19  # one of so many is looked at at once, while it is still in the cache
MOST_BYTES: Final = 1 << 21  # on the list
MOST_EVENTS: Final = 1 << 13  # on the list, when a block begins
DEFAULT_LIMIT: Final = 1_000_000
DEFAULT_KEPT_BYTES: Final = 1 << 30  # arrays that a trace may keep: its length against memory
Store = Callable[[int, int, Array], Callable[[], Array]]  # keeps an array of an event and result


class TraceRecorder:
    """Keeps what is known of the results of a run.

    Attributes:
        batches: What has been looked at.
        watched: The operations that are traced.
        dropped: How many events came after there were as many as are kept.
        unkept: How many arrays were not kept, because there were too many bytes.
    """

    def __init__(
        self,
        sites: Sites,
        selection: TraceSelection | None = None,
        *,
        limit: int = DEFAULT_LIMIT,
        keep: Callable[[OperationPlace], bool] | None = None,
        kept_bytes: int = DEFAULT_KEPT_BYTES,
        store: Store | None = None,
        surveyor: StatisticsCollector | None = None,
    ) -> None:
        """Begins with nothing.

        Args:
            sites: The operations of the program.
            selection: Which of them are traced.
            limit: How many events are kept; the first ones.
            keep: Of which operations whole arrays are kept.
            kept_bytes: How many bytes of arrays are kept.
            store: Keeps an array, which may change afterwards; by default a copy in memory.
            surveyor: What looks at arrays.
        """
        self.sites = sites
        self.selection = selection or TraceSelection()
        self.limit = limit
        self.keep = keep
        self.kept_bytes = kept_bytes
        self.store: Store = store or copy_to_memory
        self.surveyor = surveyor or StatisticsCollector()
        self.scopes = Scopes(sites)
        self.batches: list[Batch] = []
        self.watched: list[Watched] = []
        self.keys: dict[tuple[tuple[ProcessId, ...], Operation], Watched | None] = {}
        self.marks: list[int] = []  # the key of each event on the list
        self.values: list[Any] = []  # the results of all of them
        self.table: EventTable | None = None
        self.courses: dict[tuple[ProcessId, ...], Course] = {}
        self.large: dict[int, Array] = {}  # rows of results on the list that were looked at already
        self.looked: tuple[object, Array] | None = None  # the last of them, and its row
        self.most_events = MOST_EVENTS
        self.bytes = self.unbroken = 0
        self.events = self.dropped = self.unkept = 0
        self.counts = np.zeros(0, np.int64)
        self.latest: ProcessRecorder | None = None

    def process(self, process: ProcessId) -> ProcessRecorder:
        """The listener of a process of the run."""
        return ProcessRecorder(self, (process,), BlockFrame(None, None, 0, 0))

    def course(self, path: tuple[ProcessId, ...], frame: BlockFrame) -> Course:
        """The path of a process through blocks, continued in this one."""
        course = self.courses.get(path)
        if course is None:
            course = self.courses[path] = Course(len(self.courses))
        course.enter(len(self.marks), frame)
        return course

    def watch(self, operation: Operation, path: tuple[ProcessId, ...]) -> Watched | None:
        """How an operation is traced; None if it is not."""
        key = path, operation
        if key not in self.keys:
            self.keys[key] = self.watch_if_selected(operation, path)
        return self.keys[key]

    def watch_if_selected(
        self, operation: Operation, path: tuple[ProcessId, ...]
    ) -> Watched | None:
        """Like ``watch``, for an operation that was not selected."""
        site_results = self.sites.results_of(operation)
        if site_results is None:
            return None
        site, positions = site_results
        selection = self.selection
        if not selection.is_everything and not selection.takes(site.place):
            return None
        results = [
            (i, site.operation.results[position], result.type)
            for i, (result, position) in enumerate(zip(operation.results, positions, strict=True))
            if position is not None and isinstance(result.type, TensorType)
        ]
        if not results:
            return None
        watched = Watched(
            len(self.watched),
            site,
            path,
            [result[0] for result in results],
            [result[1] for result in results],
            [result[2] for result in results],
            [self.surveyor.kind(result[2].element_type) for result in results],
            self.keep is not None and self.keep(site.place),
        )
        self.watched.append(watched)
        return watched

    def may_append(self, size: int) -> bool:
        """Whether results of so many bytes may go on the list without looking how long it is.

        It is looked at when a block begins, and so often in a long one that no more bytes are on
        the list than may be.
        """
        self.most_events = min(self.most_events, max(MOST_BYTES // max(size, 1), 1))
        self.unbroken += size
        if self.unbroken < MOST_BYTES:
            return True
        self.unbroken = 0
        return False

    def flush(self) -> None:
        """Looks at all results on the list."""
        if not self.marks:
            return
        keys, values = np.array(self.marks, np.int64), tuple(self.values)
        frames = self.frames(keys)
        self.marks.clear()
        self.values.clear()
        self.bytes = 0
        batch = self.survey(keys, frames, values)
        batch = batch.filter(self.selection.condition, self.watched)
        room = max(self.limit - self.events, 0)
        if len(batch) > room:
            self.dropped += len(batch) - room
            batch = batch.first(room)
        if len(batch):
            self.keep_arrays(batch)
            self.batches.append(batch.without_values())
            self.events += len(batch)

    def look(self, value: Array, kind: ElementKind) -> None:
        """Computes the statistics of a large array once, even if it is reported again.

        What stands for it on the list is empty, so that it need not be there any longer.
        """
        if self.looked is None or self.looked[0] is not value:
            rows, _ = self.surveyor.rows((value,), np.array([kind.code], np.uint8))
            self.looked = value, rows[0]
        self.large[len(self.values)] = self.looked[1]
        self.values.append(kind.empty)

    def frames(self, keys: Array) -> Array:
        """Where each event on the list happened; the courses begin anew."""
        if len(self.courses) == 1:
            (only,) = self.courses.values()
            there = only.frames_at(np.arange(len(keys)))
            only.restart()
            return there
        frames = np.empty(len(keys), object)
        courses = np.array([self.courses[entry.path].number for entry in self.watched])
        for course in self.courses.values():
            events = np.flatnonzero(courses[keys] == course.number)
            frames[events] = course.frames_at(events)
            course.restart()
        return frames

    def survey(self, keys: Array, frames: Array, values: tuple[Any, ...]) -> Batch:
        """Computes statistics of all watched results in one native call."""
        if self.table is None or len(self.table.widths) != len(self.watched):
            self.table = EventTable(self.watched)
        table = self.table
        rows, imaginary = self.surveyor.rows(values, table.codes_of(keys))
        for i, row in self.large.items():
            rows[i] = row
        self.large.clear()
        firsts = np.zeros(len(keys) + 1, np.int64)
        np.cumsum(table.widths[keys], out=firsts[1:])
        shapes = {
            i: np.shape(values[i])
            for event in np.flatnonzero(table.is_open[keys]).tolist()
            for i in range(firsts[event], firsts[event + 1])
        }
        counted = self.occurrences(keys) if self.selection.condition else keys[:0]
        return Batch(keys, frames, counted, firsts, rows, imaginary, shapes, {}, values)

    def count(self) -> None:
        """Counts the earlier executions of operations, where that was deferred."""
        for i, batch in enumerate(self.batches):
            if len(batch.occurrences) != len(batch):
                self.batches[i] = replace(batch, occurrences=self.occurrences(batch.keys))

    def occurrences(self, keys: Array) -> Array:
        """How often the operation of each event had run before."""
        if len(self.counts) < len(self.watched):
            self.counts = np.concatenate(
                [self.counts, np.zeros(len(self.watched) - len(self.counts), np.int64)]
            )
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        is_first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        positions = np.arange(len(keys))
        ranks = positions - np.maximum.accumulate(np.where(is_first, positions, 0))
        occurrences = np.empty(len(keys), np.int64)
        occurrences[order] = ranks + self.counts[ordered]
        self.counts += np.bincount(keys, minlength=len(self.counts))
        return occurrences

    def keep_arrays(self, batch: Batch) -> None:
        """Keeps the elements of results that are to be kept."""
        if self.keep is None:
            return
        keys: list[int] = batch.keys.tolist()
        for event, key in enumerate(keys):
            if not self.watched[key].is_kept:
                continue
            first, last = batch.firsts[event : event + 2].tolist()
            for i in range(first, last):
                array = np.asarray(batch.values[i])
                if array.nbytes > self.kept_bytes:
                    self.unkept += 1
                    continue
                self.kept_bytes -= array.nbytes
                batch.kept[i] = self.store(self.events + event, i - first, array)


class EventTable:
    """The facts that are looked up by the keys of events.

    Attributes:
        widths: How many results an event has.
        is_open: Whether their sizes are known only when they are there.
        firsts: The first of the codes of an event.
        codes: The codes of the kinds of all results.
    """

    __slots__ = ("codes", "firsts", "is_open", "is_single", "widths")

    def __init__(self, watched: Sequence[Watched]) -> None:
        self.widths = np.array([len(entry.kinds) for entry in watched], np.int64)
        self.is_open = np.array([entry.bytes is None for entry in watched], bool)
        self.firsts = np.cumsum(self.widths) - self.widths
        self.codes = np.array([kind.code for entry in watched for kind in entry.kinds], np.uint8)
        self.is_single = bool((self.widths == 1).all())

    def codes_of(self, keys: Array) -> Array:
        """The codes of the kinds of all results of events."""
        firsts = self.firsts[keys]
        if self.is_single:
            return np.asarray(self.codes[firsts])
        widths = self.widths[keys]
        ends = np.cumsum(widths)
        starts = np.repeat(firsts - (ends - widths), widths)
        return self.codes[starts + np.arange(len(starts))]


class Course:
    """The way of a process through blocks, since results were looked at last.

    Attributes:
        number: Its number among them.
        positions: How many events there were when a block began, or went on.
        frames: The blocks.
    """

    __slots__ = ("frames", "number", "positions")

    def __init__(self, number: int) -> None:
        self.number = number
        self.positions: list[int] = []
        self.frames: list[BlockFrame] = []

    def enter(self, events: int, frame: BlockFrame) -> None:
        """Records that a block begins or continues."""
        self.positions.append(events)
        self.frames.append(frame)

    def frames_at(self, events: Array) -> Array:
        """The blocks in which events happened."""
        frames = np.empty(len(self.frames), object)
        frames[:] = self.frames
        frame: Array = frames[np.searchsorted(self.positions, events, side="right") - 1]
        return frame

    def restart(self) -> None:
        """Begins anew in the block where it is."""
        self.positions[:] = [0]
        self.frames[:] = self.frames[-1:]


def copy_to_memory(event: int, result: int, array: Array) -> Callable[[], Array]:
    """A copy of an array, in memory."""
    copy = array.copy()
    return lambda: copy


class ProcessRecorder:
    """The recorder's listener of one process."""

    def __init__(
        self, recorder: TraceRecorder, path: tuple[ProcessId, ...], frame: BlockFrame
    ) -> None:
        self.recorder = recorder
        self.path = path
        self.frame = frame
        self.marks = recorder.marks
        course = recorder.course(path, frame)
        self.positions_append = course.positions.append
        self.frames_append = course.frames.append

    def watch(self, operation: Operation) -> Computed | None:
        """Records the results of an operation, if it is traced."""
        watched = self.recorder.watch(operation, self.path)
        if watched is None:
            return None
        recorder, key = self.recorder, watched.key
        positions = list(watched.positions)
        is_whole = positions == list(range(len(operation.results)))

        def some(operands: Sequence[object], results: Sequence[object]) -> None:
            chosen = results if is_whole else [results[i] for i in positions]
            recorder.marks.append(key)
            recorder.values.extend(chosen)
            recorder.bytes += sum([np.asarray(chosen_array).nbytes for chosen_array in chosen])
            if recorder.bytes >= MOST_BYTES or len(recorder.marks) >= recorder.most_events:
                recorder.flush()

        def large(operands: Sequence[Any], results: Sequence[Any]) -> None:
            recorder.marks.append(key)
            recorder.look(results[positions[0]], watched.kinds[0])

        size = watched.bytes
        if size is None or watched.is_kept:
            return some
        if size >= LARGE and len(positions) == 1 and watched.kinds[0].components == 1:
            return large
        if size <= FEW_BYTES and is_whole and recorder.may_append(size):
            return ListAppender(recorder.marks, key, recorder.values)
        return some

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """Pushes a frame for the block, after a flush if the buffer of events is full."""
        recorder = self.recorder
        recorder.latest = self
        events = len(self.marks)
        if events >= recorder.most_events:
            recorder.flush()
            events = 0
        self.frame = frame = self.frame.inside(operation, region)
        self.positions_append(events)
        self.frames_append(frame)

    def leave(self) -> None:
        """Pops the frame of the block that has ended."""
        parent = self.frame.parent
        assert parent is not None, "what is left was entered"
        self.frame = parent
        self.positions_append(len(self.marks))
        self.frames_append(parent)

    def process(self, process: ProcessId) -> ProcessRecorder:
        """The listener of a process of a grid inside this one."""
        return ProcessRecorder(self.recorder, (*self.path, process), self.frame)
