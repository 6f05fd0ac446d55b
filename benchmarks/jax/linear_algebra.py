"""Measures linear algebra on both clients of one process.

    JAX_PLATFORMS=stablemate,cpu python -m benchmarks.jax.linear_algebra [function ...]

It prints the rows of a table: the time of a call on each client, and the ratio of XLA's to ours.
Both are measured in turn, in short rounds; the median of the fastest quarter of the rounds counts,
in which other processes disturb least.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from statistics import geometric_mean, median
from typing import Any, Final

import stablemate.pjrt

stablemate.pjrt.initialize()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

SIZES: Final = (3, 8, 16, 64, 256, 512)
BATCHES: Final = ((4096, 3), (4096, 8), (1024, 16), (64, 64))
LOOP: Final = 1000
ROUNDS: Final = 28
ROUND_SECONDS: Final = 0.0125
QUIET_ROUNDS: Final = 4  # of so many rounds one counts

FUNCTIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "cholesky": lambda a: lax.linalg.cholesky(a, symmetrize_input=False),
    "lu": lax.linalg.lu,
    "solve": lambda a: jnp.linalg.solve(a, a[..., :1]),
    "triangular solve": lambda a: lax.linalg.triangular_solve(a, a, left_side=True, lower=True),
    "qr": lambda a: lax.linalg.qr(a, full_matrices=False),
    "eigh": lambda a: lax.linalg.eigh(a, symmetrize_input=False),
    "svd": lambda a: lax.linalg.svd(a, full_matrices=False),
    "eig": lambda a: lax.linalg.eig(a, compute_left_eigenvectors=False),
    "schur": lax.linalg.schur,
    "hessenberg": lax.linalg.hessenberg,
    "tridiagonal": lambda a: lax.linalg.tridiagonal(a, lower=True),
}
OF_COMPLEX: Final = tuple(FUNCTIONS)


def in_loop(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function a thousand times in a scan."""

    def looped(a: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            first = jax.tree.leaves(function(carry))[0]
            return carry + 1e-6 * first.sum(), None

        return lax.scan(step, a, None, length=LOOP)[0]

    return looped


def programs() -> Iterator[tuple[str, str, Callable[[Any], Any], Any]]:
    """The name, the shape, the function and the argument of each row."""
    for name, function in FUNCTIONS.items():
        for size in SIZES:
            yield name, f"{size}", function, matrix(size)
        for batch, size in BATCHES:
            yield name, f"{batch} of {size}", function, matrix(size, batch)
    for name in OF_COMPLEX:
        for batch, size in BATCHES[:-1]:
            argument = complex_matrix(size, batch)
            yield f"{name}, complex", f"{batch} of {size}", FUNCTIONS[name], argument
    for batch, size in BATCHES[:-1]:
        yield "eig, left and right", f"{batch} of {size}", lax.linalg.eig, matrix(size, batch)
    for name in ("cholesky", "solve", "qr"):
        yield f"{name} in a scan", f"{LOOP} of 3", in_loop(FUNCTIONS[name]), matrix(3)


def matrix(size: int, *batch: int) -> Any:
    """Positive definite matrices, which all functions take."""
    a = np.random.default_rng(0).standard_normal((*batch, size, size)).astype(np.float32)
    return a @ np.swapaxes(a, -1, -2) / size + np.eye(size, dtype=np.float32)


def complex_matrix(size: int, batch: int) -> Any:
    """Positive definite complex matrices."""
    parts = np.random.default_rng(0).standard_normal((2, batch, size, size)).astype(np.float32)
    a = parts[0] + 1j * parts[1]
    return a @ np.swapaxes(a.conj(), -1, -2) / size + np.eye(size, dtype=a.dtype)


def seconds(call: Callable[[], Any], count: int) -> float:
    """The time of a call, in a series of calls."""
    begun = time.perf_counter()
    for _ in range(count):
        result = call()
    jax.block_until_ready(result)
    return (time.perf_counter() - begun) / count


def measured(function: Callable[[Any], Any], argument: Any) -> tuple[float, float]:
    """The times on ours and on XLA's client."""
    calls: list[Callable[[], Any]] = []
    for platform in ("stablemate", "cpu"):
        placed = jax.device_put(argument, jax.devices(platform)[0])
        compiled = jax.jit(function).lower(placed).compile()
        calls.append(lambda compiled=compiled, placed=placed: compiled(placed))
    counts = [max(1, min(1000, int(ROUND_SECONDS / seconds(call, 2)))) for call in calls]
    rounds = [[seconds(*pair) for pair in zip(calls, counts, strict=True)] for _ in range(ROUNDS)]
    ours, theirs = (
        median(sorted(column)[: ROUNDS // QUIET_ROUNDS]) for column in zip(*rounds, strict=True)
    )
    return ours, theirs


def main() -> None:
    """Prints the table."""
    wanted = sys.argv[1:]
    ratios: list[float] = []
    print("| function | matrices | stablemate, us | XLA, us | ratio |\n|---|---|--:|--:|--:|")
    for name, shape, function, argument in programs():
        if wanted and name not in wanted:
            continue
        ours, theirs = measured(function, argument)
        ratios.append(theirs / ours)
        print(f"| {name} | {shape} | {ours * 1e6:.1f} | {theirs * 1e6:.1f} | {ratios[-1]:.2f} |")
        sys.stdout.flush()
    print(f"\nGeometric mean {geometric_mean(ratios):.2f}, least {min(ratios):.2f}.")


if __name__ == "__main__":
    main()
