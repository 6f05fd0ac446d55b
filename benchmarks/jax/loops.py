"""Measures loops of 10,000 short iterations on both clients of one process.

    JAX_PLATFORMS=stablemate,cpu python -m benchmarks.jax.loops

It prints the rows of a table: the median time of a call
on each client, in turn, and the ratio of XLA's to ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import geometric_mean, median
from typing import Any, Final

import stablemate.pjrt

stablemate.pjrt.initialize()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

COUNT: Final = 10_000
ROUNDS: Final = 9
ROUND_SECONDS: Final = 0.02
VECTOR: Final = np.random.default_rng(0).random(COUNT, np.float32)

PROGRAMS: Final[dict[str, tuple[Callable[[Any], Any], Any]]] = {
    "an affine recurrence": (
        lambda x: lax.fori_loop(0, COUNT, lambda i, c: c * 1.0001 + 1, x), np.float32(1),
    ),
    "a sine": (
        lambda x: lax.fori_loop(0, COUNT, lambda i, c: jnp.sin(c) + 1, x), np.float32(0),
    ),
    "two integers": (
        lambda x: lax.fori_loop(0, COUNT, lambda i, c: (c[1], (c[0] + c[1]) % 1000), (x, x + 1)),
        np.int32(1),
    ),
    "a linear congruence": (
        lambda x: lax.fori_loop(
            0, COUNT, lambda i, c: c * np.uint32(1664525) + np.uint32(1013904223), x
        ), np.uint32(1),
    ),
    "a scan of a filter": (
        lambda v: lax.scan(lambda c, u: (c * 0.9 + u, c), np.float32(0), v), VECTOR,
    ),
    "a scan of 8 filters": (
        lambda v: lax.scan(lambda c, u: (c * 0.9 + u, c), v[0], v), VECTOR.reshape(-1, 8),
    ),
    "one element set from the one before": (
        lambda v: lax.fori_loop(1, COUNT, lambda i, a: a.at[i].set(a[i - 1] * 0.9 + 1), v), VECTOR,
    ),
}  # fmt: skip


def measure(function: Callable[[Any], Any], argument: Any) -> list[float]:
    """The median seconds of a call on each client."""
    calls: list[Callable[[], Any]] = []
    results: list[Any] = []
    for platform in ("stablemate", "cpu"):
        placed = jax.device_put(argument, jax.devices(platform)[0])
        compiled = jax.jit(function)
        calls.append(lambda compiled=compiled, placed=placed: compiled(placed))
        results.append(jax.tree.map(np.asarray, calls[-1]()))
    for own, expected in zip(*map(jax.tree.leaves, results), strict=True):
        np.testing.assert_allclose(own, expected, rtol=1e-3)
    start = time.perf_counter()
    jax.block_until_ready(calls[1]())
    repeats = max(1, int(ROUND_SECONDS / (time.perf_counter() - start)))
    times: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for call, own_times in zip(calls, times, strict=True):
            start = time.perf_counter()
            for _ in range(repeats):
                result = call()
            jax.block_until_ready(result)
            own_times.append((time.perf_counter() - start) / repeats)
    return [median(own_times) for own_times in times]


def main() -> None:
    """Prints the table."""
    print("# Loops of 10,000 short iterations on stablemate and on XLA's CPU client\n")
    print("| loop | stablemate us | xla us | ratio |\n| --- | --- | --- | --- |")
    ratios: list[float] = []
    for name, (function, argument) in PROGRAMS.items():
        own, other = measure(function, argument)
        ratios.append(other / own)
        print(f"| {name} | {own * 1e6:.1f} | {other * 1e6:.1f} | {ratios[-1]:.2f} |", flush=True)
    print(f"| geometric mean | | | {geometric_mean(ratios):.2f} |")


if __name__ == "__main__":
    main()
