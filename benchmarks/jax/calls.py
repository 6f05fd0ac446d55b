"""What a call of a small program costs: run it with JAX_PLATFORMS=stablemate, then with cpu."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

SMALL, LARGE = np.zeros(8, np.float32), np.zeros(10**7, np.float32)


def microseconds(body: Callable[[], Any], count: int) -> float:
    """The median time of a call."""
    for _ in range(count // 10 + 3):
        body()
    times: list[int] = []
    for _ in range(count):
        begun = time.perf_counter_ns()
        body()
        times.append(time.perf_counter_ns() - begun)
    return median(times) / 1000


def main() -> None:
    """Prints a row for each kind of call."""
    increment = jax.jit(lambda x: x + 1)
    many = jax.jit(lambda *values: [value + 1 for value in values])
    wide = jax.jit(lambda x: [x + i for i in range(158)])
    x, values = jnp.zeros(8), [jnp.zeros(8) for _ in range(20)]

    def chain() -> Any:
        y = x
        for _ in range(10):
            y = increment(y)
        return y

    rows: dict[str, tuple[Callable[[], Any], int]] = {
        "x + 1": (lambda: increment(x), 5000),
        "chain of 10": (chain, 1000),
        "np.asarray": (lambda: np.asarray(increment(x)), 5000),
        "device_put of 8": (lambda: jax.device_put(SMALL), 2000),
        "device_put of 10^7": (lambda: jax.device_put(LARGE), 50),
        "20 in, 20 out": (lambda: many(*values), 2000),
        "158 results": (lambda: wide(x), 1000),
    }
    for name, (body, count) in rows.items():
        print(f"{jax.devices()[0]!r:24} {name:20} {microseconds(body, count):9.2f} us")


if __name__ == "__main__":
    main()
