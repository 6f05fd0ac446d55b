"""Runs native code of several processes concurrently, each on a thread of the pool.

A process runs all chunks of its kernels on its own thread: results are the same for any number of
threads. No time is spent on distributing chunks, and kernels that are not divided into chunks run
concurrently too.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Protocol

import numpy as np

from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.compiler.runtime.grid.replayed_exchanges import ReplayedExchanges
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.compiler.runtime.native.step_table import (
    PARALLEL_LAUNCH,
    POOL,
    RECORD_WORDS,
    STATE_WORDS,
    STEP,
    THREADS,
    TIME_SLICE,
)
from stablemate.numerics.elements import Array


class NativeProcess(Protocol):
    """A program in memory that can be resumed.

    Attributes:
        replayed_exchanges: The exchanges with other processes that were recorded.
        grid_position: Its position in the grid.
        runtime: The native runtime.
        table: The address of its table of steps.
        state: Its state.
        state_address: The address of its state.
        threads: How many threads may work for it.
        is_shared: Whether there is work for several.
        concurrent_run: The programs that it last ran with, if it was the first of them.
    """

    replayed_exchanges: ReplayedExchanges
    grid_position: GridPosition
    runtime: Runtime
    table: int
    state: Array
    state_address: int
    threads: int
    is_shared: bool
    concurrent_run: ConcurrentRun | None

    def resume(self) -> None:
        """Resumes it, with all threads."""
        ...

    def note_request(self, step: int, started: int) -> None:
        """Notes a request that began at a time and ends now, if a trace is being recorded."""
        ...


class ConcurrentRun:
    """Programs that run at the same time.

    Attributes:
        processes: The programs.
    """

    def __init__(self, processes: Sequence[NativeProcess]) -> None:
        self.processes = processes
        first, count = processes[0], len(processes)
        self.runtime = first.runtime
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[THREADS] = min(process.threads for process in processes)
        self.state[POOL] = self.runtime.pool.address
        pairs = [(process.table, process.state_address) for process in processes]
        self.step_loops = np.array(pairs, np.int64)
        self.record = np.zeros(RECORD_WORDS, np.int64)
        self.record[:6] = (
            PARALLEL_LAUNCH,
            self.runtime.run_each,
            self.step_loops.ctypes.data,
            count,
            1,
            count,
        )
        self.addresses = self.record.ctypes.data, self.state.ctypes.data

    def run(self) -> None:
        """Resumes all processes, for a time slice each."""
        self.state[TIME_SLICE] = self.processes[0].state[TIME_SLICE]
        self.runtime.run_record(*self.addresses)


def run_concurrently(processes: Sequence[NativeProcess]) -> None:
    """Resumes programs until one makes a request that cannot be replayed."""
    replayed_exchanges, positions = (
        processes[0].replayed_exchanges,
        [process.grid_position for process in processes],
    )
    resume_all(processes)
    started = perf_counter_ns()
    while replayed_exchanges.replay(positions):
        for process in processes:
            process.note_request(int(process.state[STEP]) - 1, started)
        resume_all(processes)
        started = perf_counter_ns()


def resume_all(processes: Sequence[NativeProcess]) -> None:
    """Resumes programs, one per thread concurrently; a small remainder runs one after another.

    The remainder also runs concurrently if it uses more than half of the threads.
    """
    parallel = [process for process in processes if process.is_shared]
    threads = min((instance.threads for instance in parallel), default=1)
    count = len(parallel) // threads * threads
    if (len(parallel) - count) * 2 > threads:
        count = len(parallel)
    concurrent = parallel[:count] if count > 1 else []
    if concurrent:
        first = concurrent[0]
        if first.concurrent_run is None or first.concurrent_run.processes != concurrent:
            first.concurrent_run = ConcurrentRun(concurrent)
        first.concurrent_run.run()
    for process in processes:
        if process not in concurrent:
            process.resume()
