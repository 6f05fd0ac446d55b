"""Measures loops of 10,000 short iterations on both clients of one process.

    JAX_PLATFORMS=stablemate,cpu python -m benchmarks.jax.loops [WORD ...]

It prints the rows of a table: the median time of a call on each client, in turn, the ratio of XLA's
to ours, and the cycles of an iteration; with words, those rows whose names contain one. The latency
is that of the shortest chain of instructions by which an iteration waits for the one before, as
``benchmarks.latencies`` measures it: no code for one processor needs less.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Sequence
from statistics import geometric_mean, median
from typing import Any, Final, NamedTuple

import stablemate.pjrt

stablemate.pjrt.initialize()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

from benchmarks import latencies  # noqa: E402

COUNT: Final = 10_000
ROUNDS: Final = 9
ROUND_SECONDS: Final = 0.02
VECTOR: Final = np.random.default_rng(0).random(COUNT, np.float32)
WORDS: Final = np.random.default_rng(0).integers(0, 1000, COUNT, np.int32)
HEADER: Final = (
    "| loop | stablemate us | xla us | ratio | chain | its cycles | stablemate cycles |"
    " xla cycles |\n" + "| --- " * 8 + "|"
)


class Program(NamedTuple):
    """A loop.

    Attributes:
        function: What is compiled.
        argument: Its argument.
        chain: The instructions by which an iteration waits for the one before.
    """

    function: Callable[[Any], Any]
    argument: Any
    chain: Sequence[str] = ()


def repeated(body: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A loop that carries a value."""
    return lambda x: lax.fori_loop(0, COUNT, lambda i, c: body(c), x)


def scanned(body: Callable[[Any, Any], Any], start: Any) -> Callable[[Any], Any]:
    """A scan of a vector."""
    return lambda v: lax.scan(body, start, v)


def lorenz(state: Any) -> Any:
    """A step of Euler's method."""
    x, y, z = state
    h = np.float32(0.001)
    return x + h * (10 * (y - x)), y + h * (x * (28 - z) - y), z + h * (x * y - 2.5 * z)


def escape(state: Any) -> Any:
    """A step of the map z^2 + c that stays at its bound."""
    x, y, count = state
    inside = x * x + y * y < 4
    following = (x * x - y * y - 0.1, 2 * x * y + 0.1)
    return (*(jnp.where(inside, new, old) for new, old in zip(following, (x, y), strict=True)),
            count + inside)  # fmt: skip


def set_from_before(values: Any) -> Any:
    """Each element from the one before, in place."""
    return lax.fori_loop(1, COUNT, lambda i, a: a.at[i].set(a[i - 1] * 0.9 + 1), values)


def collatz(n: Any) -> Any:
    """A step of Collatz' sequence."""
    return jnp.where(n % 2 == 0, n // 2, 3 * n + 1)


def xorshift(x: Any) -> Any:
    """A step of Marsaglia's generator."""
    x = x ^ (x << 13)
    x = x ^ (x >> 17)
    return x ^ (x << 5)


ONE: Final = np.float32(1)
SHIFTS: Final = ("shift", "integer add") * 3  # an exclusive or takes as long as an addition
PROGRAMS: Final[dict[str, Program]] = {
    "an affine recurrence": Program(
        repeated(lambda c: c * 1.0001 + 1), ONE, ("multiply", "add")
    ),
    "a sine": Program(repeated(lambda c: jnp.sin(c) + 1), np.float32(0)),
    "a cosine": Program(repeated(jnp.cos), ONE),
    "an exponential": Program(repeated(lambda c: jnp.exp(-c)), ONE),
    "a logarithm": Program(repeated(lambda c: jnp.log(c + 2)), ONE),
    "a hyperbolic tangent": Program(repeated(lambda c: jnp.tanh(c) + 1), ONE),
    "a logistic function": Program(repeated(lambda c: jax.nn.sigmoid(c) + 1), ONE),
    "a square root": Program(repeated(lambda c: jnp.sqrt(c + 1)), ONE, ("add", "square root")),
    "a quotient": Program(repeated(lambda c: 1 / (c + 1)), ONE, ("add", "divide")),
    "a power": Program(repeated(lambda c: c**1.5 * 0.5 + 0.5), ONE),
    "the logistic map": Program(
        repeated(lambda c: 3.7 * c * (1 - c)), np.float32(0.3), ("add", "multiply")
    ),
    "a maximum": Program(
        repeated(lambda c: jnp.maximum(c * 0.5, 1 - c)), ONE, ("multiply", "minimum")
    ),
    "two integers": Program(
        lambda x: lax.fori_loop(0, COUNT, lambda i, c: (c[1], (c[0] + c[1]) % 1000), (x, x + 1)),
        np.int32(1),
        ("integer add", "integer multiply", "shift", "integer multiply", "integer add"),
    ),
    "a linear congruence": Program(
        repeated(lambda c: c * np.uint32(1664525) + np.uint32(1013904223)), np.uint32(1),
        ("integer multiply", "integer add"),
    ),
    "xorshift": Program(repeated(xorshift), np.uint32(1), SHIFTS),
    "Collatz' sequence": Program(
        repeated(collatz), np.int32(27), ("integer add", "integer add", "select")
    ),
    "Lorenz' equations": Program(
        repeated(lorenz), (ONE, ONE, ONE), ("add", "multiply", "add", "multiply", "add")
    ),
    "a bounded map": Program(
        repeated(escape), (ONE * 0, ONE * 0, np.int32(0)), ("multiply", "add", "add", "bitwise")
    ),
    "a sum of the counter": Program(
        lambda x: lax.fori_loop(0, COUNT, lambda i, c: c + jnp.float32(i) * 0.5, x), ONE, ("add",)
    ),
    "a rotation of 2 numbers": Program(
        repeated(lambda c: jnp.stack([c[0] * 0.8 - c[1] * 0.6, c[0] * 0.6 + c[1] * 0.8])),
        np.array([1, 0], np.float32), ("multiply", "add"),
    ),
    "4 numbers": Program(
        repeated(lambda c: c * 0.9 + 1), np.ones(4, np.float32), ("multiply", "add")
    ),
    "a scan of a filter": Program(
        scanned(lambda c, u: (c * 0.9 + u, c), np.float32(0)), VECTOR, ("multiply", "add")
    ),
    "a scan of 8 filters": Program(
        lambda v: lax.scan(lambda c, u: (c * 0.9 + u, c), v[0], v), VECTOR.reshape(-1, 8)
    ),
    "a running sum": Program(
        scanned(lambda c, u: (c + u, c + u), np.float32(0)), VECTOR, ("add",)
    ),
    "a scan with a choice": Program(
        scanned(lambda c, u: (jnp.where(u > 0.5, c + u, c * 0.5), c), np.float32(0)), VECTOR,
        ("multiply", "bitwise"),
    ),
    "a hash of words": Program(
        scanned(lambda c, u: ((c ^ u) * np.int32(16777619), None), np.int32(1)), WORDS,
        ("integer add", "integer multiply"),
    ),
    "one element set from the one before": Program(set_from_before, VECTOR),
    "counts of words": Program(
        lambda w: lax.fori_loop(
            0, COUNT, lambda i, a: a.at[w[i]].add(1), jnp.zeros(1000, jnp.int32)
        ), WORDS,
    ),
}  # fmt: skip


def measure(program: Program) -> list[float]:
    """The median seconds of a call on each client."""
    calls: list[Callable[[], Any]] = []
    results: list[Any] = []
    for client in ("stablemate", "cpu"):
        placed = jax.device_put(program.argument, jax.devices(client)[0])
        compiled = jax.jit(program.function)
        calls.append(lambda compiled=compiled, placed=placed: compiled(placed))
        results.append(jax.tree.map(np.asarray, calls[-1]()))
    for own, expected in zip(*map(jax.tree.leaves, results), strict=True):
        if own.size > 3 and own.ndim < 3:  # errors of a chaotic recurrence grow
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


def cycles(program: Program, seconds: Sequence[float]) -> list[str]:
    """The cells of the chain and of cycles."""
    if platform.machine() != "x86_64":
        return [", ".join(program.chain), "", "", ""]
    cycle = latencies.nanoseconds_of(latencies.CYCLE) * 1e-9
    limit = f"{latencies.cycles_of(*program.chain):.1f}" if program.chain else ""
    each = (f"{time / COUNT / cycle:.1f}" for time in seconds)
    return [", ".join(program.chain), limit, *each]


def main(words: Sequence[str]) -> None:
    """Prints the table."""
    print("# Loops of 10,000 short iterations on stablemate and on XLA's CPU client\n")
    print(HEADER)
    ratios: list[float] = []
    for name, program in PROGRAMS.items():
        if words and not any(word in name for word in words):
            continue
        seconds = measure(program)
        ratios.append(seconds[1] / seconds[0])
        cells = [name, *(f"{time * 1e6:.1f}" for time in seconds), f"{ratios[-1]:.2f}"]
        print(f"| {' | '.join(cells + cycles(program, seconds))} |", flush=True)
    print(f"| geometric mean | | | {geometric_mean(ratios):.2f} |" + " |" * 4)


if __name__ == "__main__":
    main(sys.argv[1:])
