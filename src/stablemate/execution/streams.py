"""Streams: the host's ends of infeed, outfeed, send and recv."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from queue import Empty, Queue, SimpleQueue
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, EvaluationError
from stablemate.execution.observe.listener import GridListener
from stablemate.execution.signature import convert_argument, is_tuple
from stablemate.ir.core import Operation
from stablemate.ir.grid import Grid
from stablemate.ir.types import Type

Record: TypeAlias = object  # an array, or a tuple of arrays where several travel together
Source: TypeAlias = Iterable[Record] | Queue[Record] | SimpleQueue[Record]
Reader: TypeAlias = Iterator[Record]
Writer: TypeAlias = Callable[[Record], object]

END: Final = object()


@dataclass(slots=True, kw_only=True)
class Streams:
    """The infeed and outfeed of a run.

    All is listed by process, replica-major. A record is what one operation transfers: an array, or
    a tuple of them if it transfers several::

        streams = sm.Streams(infeed=[[x0, x1], [y0, y1]])
        sm.run_grid(module, arguments, replicas=2, streams=streams)
        streams.outfeed[1]  # the records that process (1, 0) wrote, in order

    Sources are iterables (lists, generators) or queues, which are emptied; a queue that has nothing
    is at its end. To wait for another thread instead, give ``iter(queue.get, None)``.

    On a channel without a source, ``recv`` gets what the processes of the run sent to the host on
    this channel, first in, first out. Under MPI, a rank gets what it sent itself.

    Attributes:
        infeed: The source of each process's ``infeed``.
        to_device: By channel, the source of each process's ``recv`` from the host.
        outfeed: What each process's ``outfeed`` wrote. The run makes lists and appends to them;
            anything else with ``append`` or ``put`` may be given in their place.
        from_device: By channel, what each process's ``send`` to the host wrote.
        listener: Who is told what an observed program computes (``execution.listener``).
    """

    infeed: Sequence[Source] = ()
    to_device: Mapping[int, Sequence[Source]] = field(default_factory=dict[int, Sequence[Source]])
    outfeed: list[object] = field(default_factory=list[object])
    from_device: dict[int, list[object]] = field(default_factory=dict[int, list[object]])
    listener: GridListener | None = None

    def ends(self, grid: Grid) -> list[Ends]:
        """The streams of each process.

        Raises:
            ArgumentValueError: There are streams for another number of processes.
        """
        infeed = readers(self.infeed, grid, "infeed")
        to_device = {
            channel: readers(sources, grid, f"to_device[{channel}]")
            for channel, sources in self.to_device.items()
        }
        fill(self.outfeed, grid, "outfeed")
        return [
            Ends(
                infeed[i],
                {channel: sources[i] for channel, sources in to_device.items()},
                writer(self.outfeed[i]),
                partial(self.send, grid, i),
            )
            for i in range(grid.size)
        ]

    def send(self, grid: Grid, index: int, channel: int, record: Record) -> None:
        """Receives what a process sends to the host."""
        sinks = self.from_device.setdefault(channel, [])
        fill(sinks, grid, f"from_device[{channel}]")
        writer(sinks[index])(record)


@dataclass(frozen=True, slots=True)
class Ends:
    """The streams of one process."""

    infeed: Reader
    to_device: Mapping[int, Reader]
    outfeed: Writer
    from_device: Callable[[int, Record], None]


def readers(sources: Sequence[Source], grid: Grid, name: str) -> list[Reader]:
    """The readers of all sources; empty ones if none are passed."""
    if not len(sources):
        return [iter(()) for _ in range(grid.size)]
    check_count(len(sources), grid, name)
    return [reader(source, f"{name}[{i}]") for i, source in enumerate(sources)]


def reader(source: Source, name: str) -> Reader:
    """A reader of a source, record by record."""
    match source:
        case deque():
            return pop_records(source)
        case Queue() | SimpleQueue():
            return drain(source)
        case Iterable():
            return iter(source)
        case _:
            raise ArgumentTypeError(f"{name} is no iterable, but a {type(source).__name__}")


def pop_records(queue: deque[Record]) -> Reader:
    """The records of a queue, which is emptied."""
    while queue:
        yield queue.popleft()


def drain(queue: Queue[Record] | SimpleQueue[Record]) -> Reader:
    """The records of a queue, which is emptied."""
    while True:
        try:
            record = queue.get_nowait()
        except Empty:
            return
        yield record


def fill(sinks: list[object], grid: Grid, name: str) -> None:
    """Creates a list for each process if there are none yet."""
    if not sinks:
        sinks += [[] for _ in range(grid.size)]
    check_count(len(sinks), grid, name)


def check_count(count: int, grid: Grid, name: str) -> None:
    """Rejects streams for another number of processes."""
    if count != grid.size:
        message = f"{name} has {count} entries, but there are {grid.size} processes"
        raise ArgumentValueError(message)


def writer(sink: Any) -> Writer:
    """The function that appends to a list or a queue."""
    writer: Writer = sink.put if hasattr(sink, "put") else sink.append
    return writer


def next_record(source: Reader, what: str) -> Record:
    """The next record of a source.

    Raises:
        EvaluationError: There is none.
    """
    record = next(source, END)
    if record is END:
        raise EvaluationError(f"{what} is at its end")
    return record


def values_of(record: Record, operation: Operation, what: str) -> tuple[object, ...]:
    """The results of an operation that receives a record: copies of its arrays, and a token.

    Raises:
        EvaluationError: The record does not fit the results.
    """
    arrays = record if is_tuple(record) else (record,)
    types: list[Type] = [value.type for value in operation.results[:-1]]
    if len(arrays) != len(types):
        message = f"{what} has records of {len(arrays)} arrays, but {len(types)} are expected"
        raise EvaluationError(message)
    try:
        taken_arrays = [
            np.array(convert_argument(array, value_type, f"array {i} of {what}"))
            for i, (array, value_type) in enumerate(zip(arrays, types, strict=True))
        ]
    except (ArgumentTypeError, ArgumentValueError) as error:
        raise EvaluationError(error.diagnostics) from None
    return (*taken_arrays, None)


def record_of(values: Sequence[object]) -> Record:
    """A record for the host of these values: copies, which it may keep and change."""
    arrays = tuple(np.array(value) for value in values)
    return arrays[0] if len(arrays) == 1 else arrays
