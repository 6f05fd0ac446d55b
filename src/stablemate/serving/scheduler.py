"""The queue of a model: requests wait, are joined into batches, and run in a thread.

Whatever is joined, each request gets the results of a call of its own; if a joined run fails, each
of its requests runs alone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import field
from http import HTTPStatus
from time import monotonic
from typing import TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array
from stablemate.serving.errors import RequestError
from stablemate.serving.limits import BatchOptions
from stablemate.serving.metrics import ServingMetrics
from stablemate.serving.served_model import ServedModel

Outcome: TypeAlias = "Sequence[Array] | Exception"


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request that waits for its model.

    Attributes:
        arrays: The arguments.
        future: What the request waits for.
        since: When it began to wait.
    """

    arrays: Sequence[Array]
    future: asyncio.Future[Sequence[Array]]
    since: float = field(default_factory=monotonic)

    @property
    def rows(self) -> int:
        """The number of its rows."""
        return len(self.arrays[0])

    @property
    def shapes(self) -> object:
        """Equal for requests that can be joined."""
        return [array.shape[1:] for array in self.arrays]

    @property
    def has_rows(self) -> bool:
        """Whether all arguments have the same number of rows, and at least one."""
        return self.rows > 0 and len({len(array) for array in self.arrays}) == 1


class RequestScheduler:
    """The queue of a model, and the task that runs what it holds.

    Attributes:
        model: The model.
        batches: How requests are joined.
        waiting: The requests that wait, the first one first.
    """

    def __init__(
        self, model: ServedModel, batches: BatchOptions, most_waiting: int, executor: Executor,
        metrics: ServingMetrics,
    ) -> None:  # fmt: skip
        self.model = model
        self.batches = batches
        self.most_waiting = most_waiting
        self.executor = executor
        self.waiting: deque[PendingRequest] = deque()
        self.arrival = asyncio.Event()
        name = model.name
        self.queue_seconds = metrics.queue_seconds.labels(name)
        self.run_seconds = metrics.run_seconds.labels(name)
        self.batch_rows = metrics.batch_rows.labels(name)
        metrics.waiting.labels(name).set_function(lambda: len(self.waiting))

    @property
    def most_rows(self) -> int:
        """The most rows of a run of joined requests; 1 if none are joined."""
        if self.model.obstacle is not None:
            return 1
        return min(self.batches.rows, self.model.fixed_rows or self.batches.rows)

    async def results(self, arrays: Sequence[Array]) -> Sequence[Array]:
        """The results of the model for a request, when it is its turn.

        Raises:
            RequestError: Too many requests wait.
            StablemateError: The model raised it.
        """
        if len(self.waiting) >= self.most_waiting:
            raise RequestError(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{len(self.waiting)} requests wait for {self.model.name}; try again later",
            )
        pending = PendingRequest(arrays, asyncio.get_running_loop().create_future())
        self.waiting.append(pending)
        self.arrival.set()
        try:
            return await pending.future
        finally:
            if not pending.future.done() or pending.future.cancelled():
                self.forget(pending)

    def forget(self, pending: PendingRequest) -> None:
        """Drops a request that nobody waits for any more, if it still waits."""
        if pending in self.waiting:
            self.waiting.remove(pending)

    async def run(self) -> None:
        """Runs what waits, until the task is canceled."""
        while True:
            while not self.waiting:
                self.arrival.clear()
                await self.arrival.wait()
            await self.wait_for_others(self.waiting[0])
            batch = self.next_batch()
            if batch:
                await self.answer(batch)

    async def wait_for_others(self, first: PendingRequest) -> None:
        """Waits until a batch is full, or its first request has waited for long enough."""
        end = first.since + self.batches.delay_seconds
        while self.most_rows > 1 and (left := end - monotonic()) > 0:
            if sum(pending.rows for pending in self.waiting) >= self.most_rows:
                return
            self.arrival.clear()
            try:
                await asyncio.wait_for(self.arrival.wait(), left)
            except TimeoutError:
                return

    def next_batch(self) -> list[PendingRequest]:
        """Takes the first request, and others that can be joined with it."""
        if not self.waiting:
            return []
        first = self.waiting.popleft()
        most = self.most_rows
        if most == 1 or not first.has_rows or first.rows >= most:
            return [first]
        batch, rows, kept = [first], first.rows, deque[PendingRequest]()
        while self.waiting and rows < most:
            pending = self.waiting.popleft()
            fits = pending.has_rows and rows + pending.rows <= most
            if fits and pending.shapes == first.shapes:
                batch.append(pending)
                rows += pending.rows
            else:
                kept.append(pending)
        self.waiting.extendleft(reversed(kept))
        return batch

    async def answer(self, batch: Sequence[PendingRequest]) -> None:
        """Runs a batch, and gives each of its requests its results."""
        start = monotonic()
        for pending in batch:
            self.queue_seconds.observe(start - pending.since)
        self.batch_rows.observe(len(batch))
        run = asyncio.get_running_loop().run_in_executor(
            self.executor, run_batch, self.model, [pending.arrays for pending in batch]
        )
        outcomes = await asyncio.shield(run)
        self.run_seconds.observe(monotonic() - start)
        for pending, outcome in zip(batch, outcomes, strict=True):
            if pending.future.done():  # nobody waits any more
                continue
            if isinstance(outcome, Exception):
                pending.future.set_exception(outcome)
            else:
                pending.future.set_result(outcome)


def run_batch(model: ServedModel, requests: Sequence[Sequence[Array]]) -> list[Outcome]:
    """The outcome of each request; of one that fails in a joined run, that of a run of its own."""
    if len(requests) == 1:
        return [run_alone(model, requests[0])]
    try:
        joined = [np.concatenate(arrays) for arrays in zip(*requests, strict=True)]
        results = model.run(joined)
    except Exception:  # of any of them: alone, each gets its own
        return [run_alone(model, arrays) for arrays in requests]
    ends = np.cumsum([len(arrays[0]) for arrays in requests])
    parts = [np.split(result, ends[:-1]) for result in results]
    return [list(outputs) for outputs in zip(*parts, strict=True)]


def run_alone(model: ServedModel, arrays: Sequence[Array]) -> Outcome:
    """The outcome of one request."""
    try:
        return model.run(arrays)
    except Exception as error:  # whatever it is, the server goes on
        return error
