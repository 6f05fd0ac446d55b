"""Models of PyTorch on stablemate and on the runtimes that they are exported to, in turns.

python -m benchmarks.inference --batch 1 8 --output=benchmarks/results/inference.md

Peers that are not installed have no column: the extra packages are onnx, onnxscript, onnxruntime,
openvino and jaxlib. ``--processor-time`` measures the processor time of one thread, which other
work on the machine changes less.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
import torch

from benchmarks.inference.models import MODELS
from benchmarks.inference.peers import OURS, PEERS, Case, Run, installed
from benchmarks.inference.torch_compile import export

LEAST_ROUNDS: Final = 7
TOLERANCE: Final = 2e-3  # of the largest number of a result


def steady_times(
    runs: Mapping[str, Run], seconds: float, clock: Callable[[], float]
) -> dict[str, float]:
    """The median time of each run in milliseconds, measured in turns after two calls each."""
    for run in runs.values():
        run()
        run()
    times: dict[str, list[float]] = {name: [] for name in runs}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or min(map(len, times.values())) < LEAST_ROUNDS:
        for name, run in runs.items():
            start = clock()
            run()
            times[name].append(1e3 * (clock() - start))
    return {name: median(values) for name, values in times.items()}


def largest_difference(results: Sequence[Any]) -> float:
    """The largest difference of results from the first one, relative to its largest number."""
    first, *others = [np.asarray(result, np.float64) for result in results]
    scale = max(float(np.abs(first).max(initial=0)), 1e-30)
    return max((float(np.abs(other - first).max(initial=0)) / scale for other in others), default=0)


def steady_row(case: Case, options: argparse.Namespace) -> list[float]:
    """The times of all peers on a case.

    Raises:
        AssertionError: Their results differ.
    """
    torch._dynamo.reset()
    runs = {peer: PEERS[peer](case) for peer in options.peers}
    difference = largest_difference([run() for run in runs.values()])
    assert difference < TOLERANCE, f"{case.name}: results differ by {difference}"
    clock = time.process_time if options.processor_time else time.perf_counter
    times = steady_times(runs, options.seconds, clock)
    del runs
    gc.collect()
    return [times[peer] for peer in options.peers]


def first_row(case: Case, peers: Sequence[str]) -> list[tuple[float, float]]:
    """Seconds to the first result of each peer in a new process with empty caches, and its MB."""
    cells: list[tuple[float, float]] = []
    for peer in peers:
        with tempfile.TemporaryDirectory() as caches:
            environment = os.environ | {
                "TORCHINDUCTOR_CACHE_DIR": f"{caches}/inductor",
                "STABLEMATE_CACHE_DIR": f"{caches}/stablemate",
            }
            module = [sys.executable, "-m", "benchmarks.inference.first_result"]
            arguments = [peer, case.name, str(case.batch), str(case.folder), str(case.threads)]
            output = subprocess.run(
                [*module, *arguments], env=environment, check=True, capture_output=True, text=True
            ).stdout
        seconds, megabytes = map(float, output.split()[-2:])
        cells.append((seconds, megabytes))
    return cells


def ratio_to_best(times: Sequence[float], peers: Sequence[str]) -> float:
    """The time of the best other peer over that of ours, in the faster of our two ways."""
    pairs = list(zip(peers, times, strict=True))
    ours = [value for peer, value in pairs if peer in OURS]
    others = [value for peer, value in pairs if peer not in OURS]
    return min(others) / min(ours) if ours and others else float("nan")


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return prod(values) ** (1 / max(len(values), 1))


def table_head(title: str, peers: Sequence[str], last: str) -> str:
    """The title and head of a table."""
    columns = ["model", "batch", *peers, last]
    return f"\n## {title}\n\n| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|"


def document(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The lines of the page."""
    yield f"# Inference: ONNX Runtime, OpenVINO, inductor, XLA and stablemate\n\n{options.note}"
    cases = [
        Case(name, batch, folder / f"{number}", options.threads)
        for number, (name, batch) in enumerate(product(options.models, options.batch))
    ]
    for case in cases:
        export(case)
    unit = "ms of processor time" if options.processor_time else "ms"
    if "steady" in options.parts:
        yield table_head(f"Steady state, {unit}", options.peers, "best other / ours")
        ratios: list[float] = []
        for case in cases:
            times = steady_row(case, options)
            ratios.append(ratio_to_best(times, options.peers))
            cells = " | ".join(f"{value:.3g}" for value in times)
            yield f"| {case.name} | {case.batch} | {cells} | {ratios[-1]:.2f} |"
        yield f"\nThe geometric mean of the last column is {geometric_mean(ratios):.2f}."
    if "first" in options.parts:
        title = "From the file to the first result, seconds, and the peak of memory, MB"
        yield table_head(title, options.peers, "best other / ours")
        for case in cases:
            cells = first_row(case, options.peers)
            ratio = ratio_to_best([seconds for seconds, _ in cells], options.peers)
            texts = " | ".join(f"{seconds:.2f}, {size:.0f}" for seconds, size in cells)
            yield f"| {case.name} | {case.batch} | {texts} | {ratio:.2f} |"


def main() -> None:
    """Prints the page, and stores it."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--batch", nargs="*", type=int, default=[1, 8])
    parser.add_argument("--peers", nargs="*", default=installed(), choices=list(PEERS))
    parser.add_argument("--parts", nargs="*", default=["steady", "first"])
    parser.add_argument("--seconds", type=float, default=10, help="for each model")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--processor-time", action="store_true", help="with one thread")
    parser.add_argument("--note", default="", help="the processor, and what else it did")
    parser.add_argument("--output", type=Path, help="where the page is stored")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    os.environ["STABLEMATE_THREADS"] = str(options.threads)
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for line in document(options, Path(folder)):
            lines.append(line)
            print(line, flush=True)
            if options.output:
                options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
