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

    return {
        "`x + 1` on 8 floats": (lambda: increment(x), 500),
        "20 arguments, 20 results": (lambda: many(*values), 200),
        "158 results": (lambda: wide(x), 100),
        "a chain of 10 calls": (chain, 100),
        "`x + 1` and `np.asarray`": (lambda: np.asarray(increment(x)), 500),
        "`np.asarray` of 10^7 floats": (lambda: np.asarray(jnp.reshape(large, (10, -1))), 3),
        "`device_put` of 8 floats": (lambda: jax.device_put(SMALL, device), 300),
        "`device_put` of 10^7 floats": (lambda: jax.device_put(LARGE, device), 10),
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
