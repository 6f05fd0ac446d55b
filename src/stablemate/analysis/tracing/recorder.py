"""The recorder: a listener that keeps what is known of every result.

While the program runs, results are only put on a list; now and then native code looks at all of
them at once, in one pass over their elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from stablemate.analysis.sites import Place, Sites
from stablemate.analysis.tracing.batch import Batch
from stablemate.analysis.tracing.frames import Frame, Scopes
from stablemate.analysis.tracing.selection import Selection
from stablemate.analysis.tracing.watched import Watched
from stablemate.compiler.statistics import Surveyor
from stablemate.execution.listener import Computed
from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array

FEW_BYTES: Final = 1 << 12  # a result of so few is looked at when there are many of them
LARGE: Final = 1 << 19  # one of so many is looked at while it is still in the cache
MOST_BYTES: Final = 1 << 24  # on the list
MOST_EVENTS: Final = 1 << 12  # on the list, when a block begins
DEFAULT_LIMIT: Final = 1_000_000
DEFAULT_KEPT_BYTES: Final = 1 << 30
Store = Callable[[int, int, Array], Callable[[], Array]]  # keeps an array of an event and result


class Recorder:
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
        selection: Selection | None = None,
        *,
        limit: int = DEFAULT_LIMIT,
        keep: Callable[[Place], bool] | None = None,
        kept_bytes: int = DEFAULT_KEPT_BYTES,
        store: Store | None = None,
        surveyor: Surveyor | None = None,
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
        self.selection = selection or Selection()
        self.limit = limit
        self.keep = keep
        self.kept_bytes = kept_bytes
        self.store: Store = store or copied
        self.surveyor = surveyor or Surveyor()
        self.scopes = Scopes(sites)
        self.batches: list[Batch] = []
        self.watched: list[Watched] = []
        self.keys: dict[tuple[tuple[ProcessId, ...], Operation], Watched | None] = {}
        self.pending: list[tuple[int, Frame, Sequence[Any]]] = []
        self.bytes = 0
        self.events = self.dropped = self.unkept = 0
        self.counts = np.zeros(0, np.int64)
        self.frame = Frame(None, None, 0, 0)
        self.latest: Line | None = None

    def process(self, process: ProcessId) -> Line:
        """The listener of a process of the run."""
        return Line(self, (process,), Frame(None, None, 0, 0))

    def watch(self, operation: Operation, path: tuple[ProcessId, ...]) -> Watched | None:
        """How an operation is traced; None if it is not."""
        key = path, operation
        if key not in self.keys:
            self.keys[key] = self.chosen(operation, path)
        return self.keys[key]

    def chosen(self, operation: Operation, path: tuple[ProcessId, ...]) -> Watched | None:
        """As ``watch``, of an operation that has not been asked for."""
        told = self.sites.results_of(operation)
        if told is None:
            return None
        site, positions = told
        selection = self.selection
        if not selection.is_everything and not selection.takes(site.place):
            return None
        results = [
            (i, site.operation.results[position], each.type)
            for i, (each, position) in enumerate(zip(operation.results, positions, strict=True))
            if position is not None and isinstance(each.type, TensorType)
        ]
        if not results:
            return None
        made = Watched(
            len(self.watched),
            site,
            path,
            [each[0] for each in results],
            [each[1] for each in results],
            [each[2] for each in results],
            [self.surveyor.kind(each[2].element_type) for each in results],
            self.keep is not None and self.keep(site.place),
        )
        self.watched.append(made)
        return made

    def flush(self) -> None:
        """Looks at all results on the list."""
        pending, self.pending[:] = tuple(self.pending), []
        self.bytes = 0
        if not pending:
            return
        keys, frames, results = zip(*pending, strict=True)
        batch = self.survey(np.array(keys, np.int64), frames, tuple(chain.from_iterable(results)))
        batch = batch.taken(self.selection.condition, self.watched)
        room = max(self.limit - self.events, 0)
        if len(batch) > room:
            self.dropped += len(batch) - room
            batch = batch.first(room)
        if len(batch):
            self.keep_arrays(batch)
            self.batches.append(batch.without_values())
            self.events += len(batch)

    def survey(self, keys: Array, frames: Sequence[Frame], values: tuple[Any, ...]) -> Batch:
        """Looks at results."""
        codes_of = [bytes([kind.code for kind in each.kinds]) for each in self.watched]
        numbers: list[int] = keys.tolist()
        codes = np.frombuffer(b"".join([codes_of[key] for key in numbers]), np.uint8)
        rows, imaginary = self.surveyor.rows(values, codes)
        widths = np.array([len(each.kinds) for each in self.watched])[keys]
        firsts = np.concatenate([[0], np.cumsum(widths)])
        shapes = {
            i: np.shape(values[i])
            for event, key in enumerate(numbers if self.has_open_sizes else ())
            if self.watched[key].bytes is None
            for i in range(firsts[event], firsts[event + 1])
        }
        return Batch(
            keys, frames, self.occurrences(keys), firsts, rows, imaginary, shapes, {}, values
        )

    @property
    def has_open_sizes(self) -> bool:
        """Whether the sizes of some results are known only when they are there."""
        return any(each.bytes is None for each in self.watched)

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
        found = np.empty(len(keys), np.int64)
        found[order] = ranks + self.counts[ordered]
        self.counts += np.bincount(keys, minlength=len(self.counts))
        return found

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


def copied(event: int, result: int, array: Array) -> Callable[[], Array]:
    """A copy of an array, in memory."""
    copy = array.copy()
    return lambda: copy


class Line:
    """The recorder's listener of one process."""

    def __init__(self, recorder: Recorder, path: tuple[ProcessId, ...], frame: Frame) -> None:
        self.recorder = recorder
        self.path = path
        self.frame = frame

    def watch(self, operation: Operation) -> Computed | None:
        """Puts the results of an operation on the list, if it is traced."""
        watched = self.recorder.watch(operation, self.path)
        if watched is None:
            return None
        recorder, key, append = self.recorder, watched.key, self.recorder.pending.append
        positions = list(watched.positions)
        is_whole = positions == list(range(len(operation.results)))

        def few(operands: Sequence[Any], results: Sequence[Any]) -> None:
            append((key, self.frame, results))

        def some(operands: Sequence[Any], results: Sequence[Any]) -> None:
            chosen = results if is_whole else [results[i] for i in positions]
            append((key, self.frame, chosen))
            size = sum([np.asarray(each).nbytes for each in chosen])
            recorder.bytes += size
            if size >= LARGE or recorder.bytes >= MOST_BYTES:
                recorder.flush()

        is_small = watched.bytes is not None and watched.bytes <= FEW_BYTES
        return few if is_small and is_whole else some

    def entered(self, operation: Operation, region: int, arguments: Sequence[Any]) -> None:
        """A block begins."""
        self.frame = self.frame.inside(operation, region)
        if len(self.recorder.pending) >= MOST_EVENTS:
            self.recorder.flush()
        self.recorder.latest = self

    def left(self) -> None:
        """A block has ended."""
        parent = self.frame.parent
        assert parent is not None, "what is left was entered"
        self.frame = parent

    def process(self, process: ProcessId) -> Line:
        """The listener of a process of a grid inside this one."""
        return Line(self.recorder, (*self.path, process), self.frame)
