"""Attention beside XLA: times, the share of the processor's multiply-adds, memory.

``python -m benchmarks.attention`` prints the table of ``benchmarks/results/attention.md``. Programs
are ``jax.nn.dot_product_attention``, one batch, ``--heads`` heads of 64 features. Both executors
are warm, their runs take turns, and medians are compared, of times by the clock and of processor
seconds. The share of the peak is that of one thread in its fewest seconds: the system counts those
of the thread that asks exactly, and those of others only when it interrupts them. Peak and program
are measured in turn. Memory is what each compiler reserves for values on the way. ``--rows`` and
``--size`` select rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any, Final, cast

import numpy as np

import stablemate as sm
from stablemate.compiler.runtime.machine_peaks import measure_peaks

FEATURES: Final = 64
SIZES: Final = (512, 1024, 2048, 4096, 16384)
PEERS: Final = ("ours", "xla")
FORWARD, GRADIENT = 2, 7  # products of queries and keys, each of so many features
ROUNDS: Final = 4  # of measuring the peak, and the program on one thread
ROUND_SECONDS: Final = 0.25
COLUMNS: Final = (
    "program", "S", "ours, ms", "XLA, ms", "XLA / ours", "ours, processor s", "XLA, processor s",
    "of peak", "ours, MiB", "XLA, MiB",
)  # fmt: skip
LONGEST_COMPARED: Final = 4096  # queries; of more, XLA is only asked for its memory


@dataclass(frozen=True, slots=True)
class Form:
    """A form of attention.

    Attributes:
        name: What the table calls it.
        dtype: The type of the operands.
        is_causal: Whether queries see only earlier keys.
        has_gradient: Whether the gradient of the sum of all results is computed.
    """

    name: str
    dtype: str = "float32"
    is_causal: bool = False
    has_gradient: bool = False

    @property
    def products(self) -> float:
        """Products of queries and keys; half of them if the others are masked."""
        count = FORWARD + self.has_gradient * (GRADIENT - FORWARD)
        return count / 2 if self.is_causal else count

    def function(self) -> Callable[..., Any]:
        """The program."""
        jax: Any = import_module("jax")

        def forward(query: Any, key: Any, value: Any) -> Any:
            return jax.nn.dot_product_attention(query, key, value, is_causal=self.is_causal)

        def total(query: Any, key: Any, value: Any, weights: Any) -> Any:
            return (forward(query, key, value) * weights).astype("float32").sum()

        if not self.has_gradient:
            return forward
        gradient: Callable[..., Any] = jax.grad(total, argnums=(0, 1, 2))
        return gradient

    def operands(self, size: int, heads: int) -> list[Any]:
        """The operands."""
        jnp: Any = import_module("jax.numpy")
        random = np.random.default_rng(0)
        shape = (1, size, heads, FEATURES)
        count = 4 if self.has_gradient else 3
        return [jnp.asarray(random.standard_normal(shape), self.dtype) for _ in range(count)]


FORMS: Final = (
    Form("forward"),
    Form("causal", is_causal=True),
    Form("bf16", dtype="bfloat16"),
    Form("gradient", has_gradient=True),
    Form("causal gradient", is_causal=True, has_gradient=True),
)


def runner(
    form: Form, peer: str, operands: Sequence[Any], threads: int | None = None
) -> Callable[[], Any]:
    """A function that runs the program once and waits for its results.

    Args:
        form: The program.
        peer: What runs it.
        operands: Its arguments.
        threads: How many threads native code may use; None: as many as there are processors.
    """
    jax: Any = import_module("jax")
    jitted = jax.jit(form.function())
    if peer == "xla":
        return lambda: jax.block_until_ready(jitted(*operands))
    text = jitted.lower(*operands).as_text()
    executable = sm.compile(sm.load(text), threads=threads)
    arrays = [np.asarray(operand) for operand in operands]
    return lambda: executable(*arrays)


@dataclass(frozen=True, slots=True)
class Times:
    """What a run takes.

    Attributes:
        clock: Seconds by the clock.
        processor: Processor seconds of all threads.
    """

    clock: float
    processor: float


def times_of(form: Form, size: int, heads: int, runs: int, names: Sequence[str]) -> list[Times]:
    """The median times of executors, whose results are compared."""
    operands = form.operands(size, heads)
    runners = [runner(form, name, operands) for name in names]
    results = [as_arrays(run()) for run in runners]
    for ours, theirs in zip(results[0], results[-1], strict=True):
        np.testing.assert_allclose(ours, theirs, atol=0.05 if form.dtype == "bfloat16" else 1e-4)
    times: list[list[tuple[float, float]]] = [[] for _ in names]
    for _ in range(runs):
        for collected, run in zip(times, runners, strict=True):
            clock, processor = perf_counter(), process_time()
            run()
            collected.append((perf_counter() - clock, process_time() - processor))
    columns = [list(zip(*several, strict=True)) for several in times]
    return [Times(median(clocks), median(processors)) for clocks, processors in columns]


def share_of_peak(form: Form, size: int, heads: int) -> float:
    """The share of the peak of a processor that one thread reaches, in its fewest seconds."""
    run = runner(form, "ours", form.operands(size, heads), threads=1)
    run()
    peak, times = 0.0, list[float]()
    for _ in range(ROUNDS):
        peak = max(peak, measure_peaks(1).flops_per_second)
        seconds = 0.0
        while seconds < ROUND_SECONDS:
            start = thread_time()
            run()
            times.append(thread_time() - start)
            seconds += times[-1]
    return 2 * form.products * heads * size * size * FEATURES / min(times) / peak


def as_arrays(results: Any) -> list[Any]:
    """Results as arrays of doubles."""
    several = cast(Sequence[Any], results) if isinstance(results, (tuple, list)) else (results,)
    return [np.asarray(result).astype(np.float64) for result in several]


def memory_of(form: Form, size: int, heads: int, peer: str) -> int:
    """The bytes that a compiler reserves for values on the way, without arguments and results."""
    jax: Any = import_module("jax")
    lowered = jax.jit(form.function()).lower(*form.operands(size, heads))
    if peer == "xla":
        return int(lowered.compile().memory_analysis().temp_size_in_bytes)
    executable: Any = sm.compile(sm.load(lowered.as_text()))
    return int(executable.memory.arena)


def rows(forms: Sequence[Form], sizes: Sequence[int], heads: int, runs: int) -> Iterator[str]:
    """The table."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"
    for form in forms:
        for size in sizes:
            names = PEERS if size <= LONGEST_COMPARED else PEERS[:1]
            ours, *others = times_of(form, size, heads, runs, names)
            memory = [f"{memory_of(form, size, heads, peer) / 2**20:.1f}" for peer in PEERS]
            theirs = others[0] if others else None
            clock = ["", ""]
            if theirs is not None:
                clock = [f"{theirs.clock * 1e3:.1f}", f"{theirs.clock / ours.clock:.2f}"]
            cells = [
                form.name, f"{size:,}", f"{ours.clock * 1e3:.1f}", *clock,
                f"{ours.processor:.3f}", f"{theirs.processor:.3f}" if theirs is not None else "",
                f"{share_of_peak(form, size, heads):.0%}", *memory,
            ]  # fmt: skip
            yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default=",".join(form.name for form in FORMS))
    parser.add_argument("--size", type=int, nargs="*", default=SIZES)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    by_name = {form.name: form for form in FORMS}
    forms = [by_name[name] for name in given.rows.split(",")]
    for line in rows(forms, given.size, given.heads, given.runs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
