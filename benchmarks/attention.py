"""Attention beside XLA: times, the share of the processor's multiply-adds, peak memory.

``python -m benchmarks.attention`` prints the table of ``benchmarks/results/attention.md``. Programs
are ``jax.nn.dot_product_attention``, one batch, ``--heads`` heads of 64 features. Both executors are
warm; their runs take turns, and medians are compared. Peak memory is that of a process of its own
which runs the program once, less what it had before. ``--rows`` and ``--size`` select rows.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler.runtime.machine_peaks import measure_peaks

FEATURES: Final = 64
SIZES: Final = (512, 1024, 2048, 4096, 16384)
PEERS: Final = ("ours", "xla")
FORWARD, GRADIENT = 2, 7  # products of queries and keys, each of so many features
PEAK_RUNS: Final = 3
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


def runner(form: Form, peer: str, operands: Sequence[Any]) -> Callable[[], Any]:
    """A function that runs the program once and waits for its results."""
    jax: Any = import_module("jax")
    jitted = jax.jit(form.function())
    if peer == "xla":
        return lambda: jax.block_until_ready(jitted(*operands))
    text = jitted.lower(*operands).as_text()
    executable = sm.compile(sm.load(text))
    arrays = [np.asarray(operand) for operand in operands]
    return lambda: executable(*arrays)


def seconds_of(form: Form, size: int, heads: int, runs: int) -> tuple[dict[str, float], float]:
    """The median times of both executors, and the largest difference of their results."""
    operands = form.operands(size, heads)
    runners = {peer: runner(form, peer, operands) for peer in PEERS}
    results = {peer: as_arrays(run()) for peer, run in runners.items()}
    pairs = zip(results["ours"], results["xla"], strict=True)
    difference = max(float(np.abs(ours - theirs).max()) for ours, theirs in pairs)
    times: dict[str, list[float]] = {peer: [] for peer in PEERS}
    for _ in range(runs):
        for peer, run in runners.items():
            start = perf_counter()
            run()
            times[peer].append(perf_counter() - start)
    return {peer: median(values) for peer, values in times.items()}, difference


def as_arrays(results: Any) -> list[Any]:
    """Results as arrays of doubles."""
    several = results if isinstance(results, (tuple, list)) else (results,)
    return [np.asarray(result).astype(np.float64) for result in several]


def peak_bytes(form: Form, size: int, heads: int, peer: str, limit: int) -> int | None:
    """The memory that a run needs in a process of its own; None if that has less."""
    command = [sys.executable, "-m", "benchmarks.attention", "--peak", form.name, peer]
    options = ["--size", str(size), "--heads", str(heads), "--limit", str(limit)]
    completed = subprocess.run([*command, *options], capture_output=True, text=True)
    return json.loads(completed.stdout) if completed.returncode == 0 else None


def print_peak(form: Form, size: int, heads: int, peer: str, limit: int) -> None:
    """Prints what a run adds to the memory of this process."""
    operands = form.operands(size, heads)
    run = runner(form, peer, operands)
    small = runner(form, peer, form.operands(256, 1))
    small()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    run()
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used) * 1024)


def rows(
    forms: Sequence[Form], sizes: Sequence[int], heads: int, runs: int, limit: int
) -> Iterator[str]:
    """The table."""
    peak = max(measure_peaks(2).flops_per_second for _ in range(PEAK_RUNS))
    yield f"Peak: {peak / 1e9:.0f} GFLOP/s."
    yield ""
    yield "| program | S | ours, ms | XLA, ms | XLA / ours | of peak | ours, MiB | XLA, MiB |"
    yield "|---|---|---|---|---|---|---|---|"
    for form in forms:
        for size in sizes:
            is_compared = size <= LONGEST_COMPARED
            if is_compared:
                seconds, _ = seconds_of(form, size, heads, runs)
            else:
                run = runner(form, "ours", form.operands(size, heads))
                run()
                start = perf_counter()
                run()
                seconds = {"ours": perf_counter() - start}
            share = 2 * form.products * heads * size * size * FEATURES / seconds["ours"] / peak
            memory = [megabytes(peak_bytes(form, size, heads, peer, limit)) for peer in PEERS]
            theirs = f"{seconds['xla'] * 1e3:.1f}" if is_compared else ""
            ratio = f"{seconds['xla'] / seconds['ours']:.2f}" if is_compared else ""
            yield (
                f"| {form.name} | {size:,} | {seconds['ours'] * 1e3:.1f} | {theirs} | {ratio} "
                f"| {share:.0%} | {memory[0]} | {memory[1]} |"
            )


def megabytes(size: int | None) -> str:
    """A size for the table."""
    return "out of memory" if size is None else f"{size / 2**20:.0f}"


def main() -> None:
    """Prints the table, or the memory of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default=",".join(form.name for form in FORMS))
    parser.add_argument("--size", type=int, nargs="*", default=SIZES)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--limit", type=int, default=8 << 30)
    parser.add_argument("--peak", nargs=2, metavar=("ROW", "PEER"))
    given = parser.parse_args()
    by_name = {form.name: form for form in FORMS}
    if given.peak:
        row, peer = given.peak
        print_peak(by_name[row], given.size[0], given.heads, peer, given.limit)
        return
    forms = [by_name[name] for name in given.rows.split(",")]
    for line in rows(forms, given.size, given.heads, given.runs, given.limit):
        print(line, flush=True)


if __name__ == "__main__":
    main()
