"""What the call of a small program costs, on stablemate and on XLA's CPU client in turn.

python -m benchmarks.jax.calls --output=benchmarks/results/jax_calls.md
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final

os.environ["JAX_PLATFORMS"] = "stablemate,cpu"

import jax
import jax.numpy as jnp
import numpy as np

SMALL, LARGE = np.zeros(8, np.float32), np.zeros(10**7, np.float32)
PLATFORMS: Final = ("stablemate", "cpu")
ROUNDS: Final = 15
HEADER: Final = "| call | stablemate us | xla us | ratio |"
Body = Callable[[], Any]


def bodies(platform: str) -> Mapping[str, tuple[Body, int]]:
    """What is measured on a platform, and how often it is called in a round."""
    (device, *_) = jax.devices(platform)
    increment = jax.jit(lambda x: x + 1)
    many = jax.jit(lambda *values: [value + 1 for value in values])
    wide = jax.jit(lambda x: [x + i for i in range(158)])
    x, large = jax.device_put(SMALL, device), jax.device_put(LARGE, device)
    values = [jax.device_put(SMALL, device) for _ in range(20)]

    def chain() -> Any:
        y = x
        for _ in range(10):
            y = increment(y)
        return y

    return small_calls(device) | {
        "`x + 1` on 8 floats": (lambda: increment(x), 500),
        "20 arguments, 20 results": (lambda: many(*values), 200),
        "158 results": (lambda: wide(x), 100),
        "a chain of 10 calls": (chain, 100),
        "`x + 1` and `np.asarray`": (lambda: np.asarray(increment(x)), 500),
        "`np.asarray` of 10^7 floats": (lambda: np.asarray(jnp.reshape(large, (10, -1))), 3),
        "`device_put` of 8 floats": (lambda: jax.device_put(SMALL, device), 300),
        "`device_put` of 10^7 floats": (lambda: jax.device_put(LARGE, device), 10),
    }


def small_calls(device: Any) -> dict[str, tuple[Body, int]]:
    """Calls of kinds that programs make besides steps, on a device."""
    x, scalar = jax.device_put(SMALL, device), jax.device_put(np.float32(1), device)
    matrix = jax.device_put(np.zeros((8, 8), np.float32), device)
    tree = {f"leaf {number}": x for number in range(50)}
    key = jax.device_put(jax.random.key(0), device)
    scale = jax.jit(lambda x, power: x**power, static_argnums=1)
    shift = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf + 1, tree))
    rows = jax.jit(jax.vmap(lambda row: (row * row).sum()))
    update = jax.jit(lambda x: x + 1, donate_argnums=0)
    state = [jax.device_put(SMALL, device)]

    def donated() -> None:
        state[0] = update(state[0])

    @jax.jit
    def scanned(x: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (carry * 0.5 + 1, carry.sum()), x, None, length=10)

    return {
        "a static argument": (lambda: scale(x, 2), 500),
        "a tree of 50 arrays": (lambda: shift(tree), 100),
        "a small function with `vmap`": (lambda: rows(matrix), 500),
        "a scan of 10 steps on 8 floats": (lambda: scanned(x), 300),
        "a donated argument": (donated, 500),
        "`block_until_ready`": (lambda: rows(matrix).block_until_ready(), 500),
        "`float` of a result": (lambda: float(scale(scalar, 2)), 500),
        "`x + y` without `jit`": (lambda: x + x, 500),
        "`x[0]` without `jit`": (lambda: x[0], 300),
        "`x.sum()` without `jit`": (lambda: x.sum(), 300),
        "`jnp.zeros` without `jit`": (lambda: jnp.zeros(8, device=device), 300),
        "`jnp.where` without `jit`": (lambda: jnp.where(x > 0, x, 0.0), 200),
        "`jax.random.split` without `jit`": (lambda: jax.random.split(key), 200),
        "`jax.random.normal` without `jit`": (lambda: jax.random.normal(key, (8,)), 200),
    }


def microseconds(body: Body, count: int) -> float:
    """The median time of a call."""
    times: list[int] = []
    for _ in range(count):
        begun = time.perf_counter_ns()
        body()
        times.append(time.perf_counter_ns() - begun)
    return median(times) / 1000


def main() -> None:
    """Prints a row for each kind of call, and stores the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="where the table is stored")
    options = parser.parse_args()
    both = [bodies(platform) for platform in PLATFORMS]
    lines = ["# Calls of JAX on stablemate and on XLA's CPU client", "", HEADER, "| --- " * 4 + "|"]
    print(*lines, sep="\n")
    for name in both[0]:
        rounds = [
            [microseconds(*table[name]) for table in both] for _ in range(ROUNDS + 1)
        ]  # of which the first compiles
        own, other = (median(column) for column in zip(*rounds[1:], strict=True))
        lines.append(f"| {name} | {own:.2f} | {other:.2f} | {other / own:.2f} |")
        print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
