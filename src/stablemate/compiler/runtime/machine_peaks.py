"""Measures the peak performance of the machine once, and keeps it in the disk cache."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from time import perf_counter
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.loader import load
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.disk_cache import cache, key_of
from stablemate.compiler.config.target import compiler_version, host
from stablemate.compiler.runtime.native.peak_kernels import (
    ACCUMULATORS,
    FLOAT_BYTES,
    NAMES,
    float_lanes,
    text_for,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.worker_threads import WorkerThreads

TRIAD_FLOATS: Final = 1 << 24  # of each of the three arrays: more than caches hold
ITERATIONS: Final = 1 << 20  # about 5 ms of multiplications
REPETITIONS: Final = 5  # the best counts: other load on the machine only slows it down


@dataclass(frozen=True, slots=True)
class Peaks:
    """The peak performance of the machine.

    Attributes:
        threads: The number of threads.
        bytes_per_second: The memory throughput of ``a[i] = b[i] + s * c[i]``, reads and writes.
        flops_per_second: The multiplications and additions of 32-bit floats.
    """

    threads: int
    bytes_per_second: float
    flops_per_second: float


def peaks(threads: int, observed_flops: float = 0.0) -> Peaks:
    """The peak performance with a number of threads; measured if it is not known yet.

    Args:
        threads: How many threads.
        observed_flops: Arithmetic per second that was observed: if it exceeds the stored peak,
            there was other load on the machine during the measurement, which is repeated; the
            better counts.
    """
    key = key_of("peaks", str(host()), str(threads), compiler_version())
    stored = cache().load(key, lambda content: Peaks(**json.loads(content)))
    if stored is not None and stored.flops_per_second >= observed_flops:
        return stored
    measured = measure_peaks(threads)
    best = measured if stored is None else best_of(stored, measured)
    cache().put(key, json.dumps(asdict(best)).encode())
    return best


def best_of(one: Peaks, other: Peaks) -> Peaks:
    """The better of two measurements: other load on the machine only slows it down."""
    return Peaks(
        one.threads,
        max(one.bytes_per_second, other.bytes_per_second),
        max(one.flops_per_second, other.flops_per_second),
    )


def measure_peaks(threads: int) -> Peaks:
    """As ``peaks``, but always measures."""
    target = host()
    code = load([assemble(text_for(target), target)], NAMES)
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    triad = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, integer)(code.addresses["triad"])
    multiply_add = ctypes.CFUNCTYPE(None, pointer, integer)(code.addresses["multiply_add"])
    lanes = float_lanes(target)
    share = TRIAD_FLOATS // threads // (4 * lanes) * (4 * lanes)
    a, b, c = (np.ones(share * threads, np.float32) for _ in range(3))
    out = np.zeros((threads, ACCUMULATORS, lanes), np.float32)

    def move(i: int) -> None:
        triad(*(array[i * share :].ctypes.data for array in (a, b, c)), share)

    def compute(i: int) -> None:
        multiply_add(out[i].ctypes.data, ITERATIONS)

    bytes_moved = 3 * a.size * FLOAT_BYTES
    flops = 2 * ITERATIONS * out.size
    return Peaks(
        threads, bytes_moved / best_time(move, threads), flops / best_time(compute, threads)
    )


def best_time(work: Callable[[int], None], threads: int) -> float:
    """The shortest time in seconds in which all threads do their work, except the first run."""
    times: list[float] = []
    with WorkerThreads(threads) as pool:
        for _ in range(REPETITIONS + 1):
            start = perf_counter()
            futures: Sequence[Any] = [pool.submit(work, i) for i in range(threads)]
            for future in futures:
                future.result()
            times.append(perf_counter() - start)
    return min(times[1:])
