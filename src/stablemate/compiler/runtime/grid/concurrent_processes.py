"""Runs native code of several processes concurrently, each on a thread of the pool.

A process that has a thread for itself runs all chunks of its kernels there: results are the same
for any number of threads. This takes no time for handing out chunks, and kernels that are not cut
run beside one another too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.compiler.runtime.grid.replayed_exchanges import ReplayedExchanges
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.compiler.runtime.native.step_loop import (
    PARALLEL_LAUNCH,
    POOL,
    RECORD_WORDS,
    STATE_WORDS,
    THREADS,
    TIME_SLICE,
)
from stablemate.numerics.elements import Array


class NativeProcess(Protocol):
    """A program in memory that goes on from the step it has come to.

    Attributes:
        rounds: What it has exchanged with others.
        standing: Where it stands among them.
        runtime: What runs it.
        table: Where its table is.
        state: Its state.
        state_address: Where that is.
        threads: How many threads may work for it.
        is_shared: Whether there is work for several.
        team: The programs with which it went on last, if it was the first of them.
    """

    rounds: ReplayedExchanges
    standing: GridPosition
    runtime: Runtime
    table: int
    state: Array
    state_address: int
    threads: int
    is_shared: bool
    team: ConcurrentRun | None

    def walk_on(self) -> None:
        """Lets it go on, with all threads."""
        ...


class ConcurrentRun:
    """Programs that run at the same time.

    Attributes:
        walkers: The programs.
    """

    def __init__(self, walkers: Sequence[NativeProcess]) -> None:
        self.walkers = walkers
        first, count = walkers[0], len(walkers)
        self.runtime = first.runtime
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[THREADS] = min(walker.threads for walker in walkers)
        self.state[POOL] = self.runtime.pool.address
        pairs = [(walker.table, walker.state_address) for walker in walkers]
        self.walks = np.array(pairs, np.int64)
        self.record = np.zeros(RECORD_WORDS, np.int64)
        self.record[:6] = (
            PARALLEL_LAUNCH,
            self.runtime.walk_each,
            self.walks.ctypes.data,
            count,
            1,
            count,
        )
        self.addresses = self.record.ctypes.data, self.state.ctypes.data

    def run(self) -> None:
        """Lets all of them go on."""
        self.state[TIME_SLICE] = self.walkers[0].state[TIME_SLICE]
        self.runtime.together(*self.addresses)


def run_concurrently(walkers: Sequence[NativeProcess]) -> None:
    """Lets programs go on, until they need what they have not been given before."""
    rounds, places = walkers[0].rounds, [walker.standing for walker in walkers]
    resume_all(walkers)
    while rounds.repeat(places):
        resume_all(walkers)


def resume_all(walkers: Sequence[NativeProcess]) -> None:
    """Lets programs go on: as many at the same time as there are threads, if these are most."""
    shared = [walker for walker in walkers if walker.is_shared]
    threads = min((instance.threads for instance in shared), default=1)
    count = len(shared) // threads * threads
    if (len(shared) - count) * 2 > threads:
        count = len(shared)
    together = shared[:count] if count > 1 else []
    if together:
        first = together[0]
        if first.team is None or first.team.walkers != together:
            first.team = ConcurrentRun(together)
        first.team.run()
    for walker in walkers:
        if walker not in together:
            walker.walk_on()
