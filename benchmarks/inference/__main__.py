"""Models of PyTorch on stablemate and on the runtimes that they are exported to, in turns.

python -m benchmarks.inference --batch 1 8 --output=benchmarks/results/inference.md

Peers that are not installed have no column: the extra packages are onnx, onnxscript, onnxruntime,
openvino and jaxlib. ``--processor-time`` measures the processor time of one thread, which other
work on the machine changes less.

Threads of some runtimes wait for the next call in a loop, and take a core from whoever runs then.
So each runtime has the machine for a turn of many calls, after a rest in which all threads sleep.

``--folder`` keeps the files of the models and the rows that are measured: the next command goes on
with what is missing, and prints the whole page. ``--int8`` quantizes the models as ONNX Runtime
does, for the runtimes that read ONNX. ``--alone`` is a command that keeps other work off the
machine from its first line of output until its input ends; models are compiled outside of it.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import shlex
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from benchmarks.inference.models import MODELS
from benchmarks.inference.peers import OF_ONNX, OURS, PEERS, Case, Run, installed
from benchmarks.inference.torch_compile import export
from benchmarks.pages import print_and_keep

LEAST_TURNS: Final = 3
LEAST_CALLS: Final = 3  # of a turn
TURN_SECONDS: Final = 0.3
REST_SECONDS: Final = 0.1  # in which the threads of the runtime before fall asleep
MEDIAN: Final = 0.5
TOLERANCE: Final = 2e-3  # of the largest number of a result
QUANTIZED_TOLERANCE: Final = 0.1  # of 8 bits; ONNX Runtime and OpenVINO differ by 0.06 on BERT


def steady_times(
    runs: Mapping[str, Run], seconds: float, quantile: float, clock: Callable[[], float]
) -> dict[str, float]:
    """A quantile of the times of the calls of each run in milliseconds, in turns of many calls."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    end, turns = time.perf_counter() + seconds, 0
    while time.perf_counter() < end or turns < LEAST_TURNS:
        for name, run in runs.items():
            times[name] += turn(run, clock)
        turns += 1
    return {name: float(np.quantile(values, quantile)) for name, values in times.items()}


def turn(run: Run, clock: Callable[[], float]) -> list[float]:
    """The milliseconds of the calls of a turn, after a rest and a call that is not counted."""
    time.sleep(REST_SECONDS)
    run()
    times: list[float] = []
    end = time.perf_counter() + TURN_SECONDS
    while time.perf_counter() < end or len(times) < LEAST_CALLS:
        start = clock()
        run()
        times.append(1e3 * (clock() - start))
    return times


@contextmanager
def alone(command: str) -> Generator[None]:
    """Keeps other work off the machine by a command, which ends when its input does."""
    if not command:
        yield
        return
    arguments = shlex.split(command)
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


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
    tolerance = QUANTIZED_TOLERANCE if case.is_quantized else TOLERANCE
    assert difference < tolerance, f"{case.name}: results differ by {difference}"
    clock = time.process_time if options.processor_time else time.perf_counter
    with alone(options.alone):
        times = steady_times(runs, options.seconds, options.quantile, clock)
    del runs
    gc.collect()
    return [times[peer] for peer in options.peers]


def first_row(case: Case, options: argparse.Namespace) -> list[list[float]]:
    """For each peer: seconds to the first result, empty caches and filled ones; both peaks, MB."""
    with alone(options.alone):
        return [first_results(case, peer) for peer in options.peers]


def first_results(case: Case, peer: str) -> list[float]:
    """Seconds of two new processes with the same caches, empty at first; their peaks in MB."""
    with tempfile.TemporaryDirectory() as caches:
        environment = os.environ | {
            "TORCHINDUCTOR_CACHE_DIR": f"{caches}/inductor",
            "STABLEMATE_CACHE_DIR": f"{caches}/stablemate",
        }
        module = [sys.executable, "-m", "benchmarks.inference.first_result"]
        arguments = [peer, case.name, str(case.batch), str(case.folder), str(case.threads)]
        outputs = [
            subprocess.run(
                [*module, *arguments], env=environment, check=True, capture_output=True, text=True
            ).stdout.split()[-2:]
            for _ in range(2)
        ]
    (cold, cold_peak), (warm, warm_peak) = outputs
    return [float(cold), float(warm), float(cold_peak), float(warm_peak)]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that were measured, in a file.

    Attributes:
        file: A line for each row.
        rows: The rows, by part, model, batch, threads, clock and peers.
    """

    file: Path
    rows: dict[str, Any]

    @staticmethod
    def of(file: Path) -> Rows:
        """The rows in a file, if there is one."""
        lines = file.read_text().splitlines() if file.exists() else []
        return Rows(file, dict(map(json.loads, lines)))

    def row(
        self, part: str, measure: Callable[[Case, argparse.Namespace], Any], case: Case,
        options: argparse.Namespace,
    ) -> Any:  # fmt: skip
        """A row, measured if there is none yet."""
        settings = [case.batch, case.threads, options.processor_time, options.peers]
        settings += ["int8"] * case.is_quantized
        settings += [options.quantile] * (options.quantile != MEDIAN)
        key = json.dumps([part, case.name, *settings])
        if key not in self.rows:
            self.rows[key] = measure(case, options)
            with self.file.open("a") as lines:
                lines.write(json.dumps([key, self.rows[key]]) + "\n")
        return self.rows[key]


def ratio_to_best(times: Sequence[float], peers: Sequence[str]) -> float:
    """The time of the best other peer over that of ours, in the faster of our two ways."""
    pairs = list(zip(peers, times, strict=True))
    ours = [value for peer, value in pairs if peer in OURS]
    others = [value for peer, value in pairs if peer not in OURS]
    return min(others) / min(ours) if ours and others else float("nan")


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return prod(values) ** (1 / max(len(values), 1))


def file_name(model: str) -> str:
    """The name of a model as that of a folder."""
    return model.replace(" ", "_").replace(",", "")


def file_megabytes(case: Case) -> float:
    """The MB of the files of a model in ONNX: its weights, and little else."""
    return sum(file.stat().st_size for file in case.folder.glob("model.onnx*")) / 2**20


def table_head(title: str, peers: Sequence[str], last: str) -> str:
    """The title and head of a table."""
    columns = ["model", "batch", *peers, last]
    return f"\n## {title}\n\n| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|"


def document(options: argparse.Namespace, folder: Path, rows: Rows) -> Iterator[str]:
    """The lines of the page."""
    yield f"# Inference: ONNX Runtime, OpenVINO, inductor, XLA and stablemate\n\n{options.note}"
    cases = [
        Case(
            name,
            batch,
            folder / (f"{file_name(name)}_{batch}" + "_int8" * options.int8),
            options.threads,
            options.int8,
        )
        for name, batch in product(options.models, options.batch)
    ]
    for case in cases:
        if not case.is_complete:
            export(case)
    unit = "ms of processor time" if options.processor_time else "ms"
    if "steady" in options.parts:
        yield table_head(f"Steady state, {unit}", options.peers, "best other / ours")
        ratios: list[float] = []
        for case in cases:
            times = rows.row("steady", steady_row, case, options)
            ratios.append(ratio_to_best(times, options.peers))
            cells = " | ".join(f"{value:.3g}" for value in times)
            yield f"| {case.name} | {case.batch} | {cells} | {ratios[-1]:.2f} |"
        yield f"\nThe geometric mean of the last column is {geometric_mean(ratios):.2f}."
    if "first" in options.parts:
        title = "From the file to the first result: seconds with empty and filled caches"
        yield table_head(title, options.peers, "best other / ours, filled caches")
        for case in cases:
            row = rows.row("first", first_row, case, options)
            ratio = ratio_to_best([warm for _, warm, _, _ in row], options.peers)
            texts = " | ".join(f"{cold:.2f}, {warm:.2f}" for cold, warm, _, _ in row)
            yield f"| {case.name} | {case.batch} | {texts} | {ratio:.2f} |"
        title = "Peak of memory until the first result: MB with empty and filled caches"
        yield table_head(title, options.peers, "MB of the file")
        for case in cases:
            row = rows.row("first", first_row, case, options)
            texts = " | ".join(f"{cold:.0f}, {warm:.0f}" for _, _, cold, warm in row)
            yield f"| {case.name} | {case.batch} | {texts} | {file_megabytes(case):.0f} |"


def main() -> None:
    """Prints the page, and stores it."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--batch", nargs="*", type=int, default=[1, 8])
    parser.add_argument("--peers", nargs="*", default=installed(), choices=list(PEERS))
    parser.add_argument("--int8", action="store_true", help="models quantized to 8 bits")
    parser.add_argument("--parts", nargs="*", default=["steady", "first"])
    parser.add_argument("--seconds", type=float, default=10, help="for each model")
    parser.add_argument(
        "--quantile", type=float, default=MEDIAN,
        help="of the calls of a row: the median, or less where a host gives a core to others",
    )  # fmt: skip
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--processor-time", action="store_true", help="with one thread")
    parser.add_argument("--note", default="", help="the processor, and what else it did")
    parser.add_argument("--folder", type=Path, help="where files of models and rows are kept")
    parser.add_argument("--alone", default="", help="a command that keeps other work away")
    parser.add_argument("--output", type=Path, help="where the page is stored")
    options = parser.parse_args()
    if options.int8:
        options.peers = [peer for peer in options.peers if peer in OF_ONNX]
    torch.set_num_threads(options.threads)
    os.environ["STABLEMATE_THREADS"] = str(options.threads)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        lines = document(options, folder, Rows.of(folder / "rows.jsonl"))
        print_and_keep(lines, options.output)


if __name__ == "__main__":
    main()
