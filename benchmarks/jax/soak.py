"""Training steps for an hour: memory, threads and handles must not grow.

    JAX_PLATFORMS=stablemate python -m benchmarks.jax.soak --minutes=60

Every step puts a new batch on the device, donates the parameters, reads the loss, and lets the
program call Python. Each line is a sample; the last one says by how much memory grew per hour
after the first tenth, a straight line through the samples. The exit status is 1 if that is more
than ``--most`` MB, or if there are more threads or handles at the end.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

BATCH, WIDTH, LAYERS = 64, 256, 4


class Sample(NamedTuple):
    """What the process holds.

    Attributes:
        hours: Since the beginning.
        steps: How many steps it has done.
        memory: Its resident memory in MB.
        threads: Its threads.
        handles: Its open files.
    """

    hours: float
    steps: int
    memory: float
    threads: int
    handles: int

    @property
    def line(self) -> str:
        """The line of a table."""
        return (
            f"| {60 * self.hours:.1f} | {self.steps:,} | {self.memory:.1f} | {self.threads} "
            f"| {self.handles} |"
        )


def sample(begun: float, steps: int) -> Sample:
    """What this process holds now."""
    process = Path("/proc/self")
    pages = int((process / "statm").read_text().split()[1])
    return Sample(
        (time.monotonic() - begun) / 3600,
        steps,
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        len(list((process / "task").iterdir())),
        len(list((process / "fd").iterdir())),
    )


def training() -> Callable[[], float]:
    """A function that does one step and returns the loss."""
    random = np.random.default_rng(0)
    keys = jax.random.split(jax.random.key(0), LAYERS)
    parameters = [jax.random.normal(key, (WIDTH, WIDTH)) / WIDTH**0.5 for key in keys]
    momentum = jax.tree.map(jnp.zeros_like, parameters)
    losses: list[float] = []

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        for weights in parameters:
            x = jnp.tanh(x @ weights)
        return jnp.mean((x - y) ** 2)

    def step(parameters: Any, momentum: Any, x: Any, y: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(parameters, x, y)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
        return jax.tree.map(lambda p, m: p - 0.01 * m, parameters, momentum), momentum, value

    compiled = jax.jit(step, donate_argnums=(0, 1))
    watched = jax.jit(lambda value: jax.debug.callback(losses.append, value))
    state = parameters, momentum

    def once() -> float:
        nonlocal state
        batch = random.standard_normal((2, BATCH, WIDTH), np.float32)
        *rest, value = compiled(*state, jax.device_put(batch[0]), batch[1])
        state = rest[0], rest[1]
        watched(value)
        losses.clear()
        return float(np.asarray(value))

    return once


def growth(samples: list[Sample]) -> float:
    """How many MB an hour memory grows by after the first tenth."""
    settled = samples[len(samples) // 10 :]
    hours = np.array([point.hours for point in settled])
    memory = np.array([point.memory for point in settled])
    return float(np.polyfit(hours, memory, 1)[0]) if len(settled) > 1 else 0.0


def main() -> int:
    """Runs the steps, prints the samples, and stores them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--samples", type=int, default=30, help="how many lines")
    parser.add_argument("--most", type=float, default=5, help="MB an hour that may be added")
    parser.add_argument("--output", type=Path, help="where the table is stored")
    options = parser.parse_args()
    once = training()
    for _ in range(100):
        once()
    title = f"# Training steps for {options.minutes:g} minutes on {jax.devices()[0]!r}"
    lines = [title, "", "| minute | steps | memory MB | threads | handles |", "| --- " * 5 + "|"]
    print(*lines, sep="\n")
    begun, steps = time.monotonic(), 0
    samples = [sample(begun, 0)]
    for number in range(1, options.samples + 1):
        while time.monotonic() - begun < 60 * options.minutes * number / options.samples:
            once()
            steps += 1
        samples.append(sample(begun, steps))
        lines.append(samples[-1].line)
        print(lines[-1], flush=True)
    rate = growth(samples)
    lines += ["", f"Memory grows by {rate:.2f} MB an hour."]
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    settled, last = samples[len(samples) // 10], samples[-1]
    grew = last.threads > settled.threads or last.handles > settled.handles
    return int(rate > options.most or grew)


if __name__ == "__main__":
    sys.exit(main())
