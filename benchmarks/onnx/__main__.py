"""Times ONNX Runtime, OpenVINO and stablemate on the same files of ONNX.

::

    python -m benchmarks.onnx --models resnet50 "resnet50, QDQ" --batch 1 8
    python -m benchmarks.onnx --parts load --models "matrices of 500 MB"

Models have random weights. Those of 8 bits are quantized by ONNX Runtime: with known scales
(``QDQ``, ``QLinear``) or with scales that each run computes (``dynamic``). Each runtime runs for
its part of the seconds while the others are idle, since threads of some go on turning after a run,
and they take turns in three rounds. ``load`` is a new process: seconds until a session is there,
and until the first result, with empty caches and with full ones, and its peak of memory.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from benchmarks.onnx.models import MODELS, feeds_of, write
from benchmarks.pages import print_and_keep
from benchmarks.peers import peak_mb

Run = Callable[[], Any]
ROUNDS: Final = 3
PAUSE: Final = 0.3  # seconds after which threads of other runtimes sleep
TOLERANCE: Final = 0.05  # of the largest element; models of 8 bits round at other places


def onnx_runtime(path: Path, feeds: Mapping[str, Any], threads: int) -> Run:
    """ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options)
    return lambda: session.run(None, feeds)[0]


def openvino(path: Path, feeds: Mapping[str, Any], threads: int) -> Run:
    """OpenVINO, in f32."""
    import openvino as runtime

    options = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = runtime.Core().compile_model(path, "CPU", options).create_infer_request()
    return lambda: request.infer(feeds)[0]


def ours(path: Path, feeds: Mapping[str, Any], threads: int) -> Run:
    """This package."""
    from stablemate.onnx import InferenceSession, SessionOptions

    session = InferenceSession(path, SessionOptions(intra_op_num_threads=threads))
    return lambda: session.run(None, feeds)[0]


PEERS: Final[Mapping[str, Callable[[Path, Mapping[str, Any], int], Run]]] = {
    "ONNX Runtime": onnx_runtime, "OpenVINO": openvino, "stablemate": ours,
}  # fmt: skip
OURS: Final = "stablemate"


def steady_times(runs: Mapping[str, Run], seconds: float) -> dict[str, float]:
    """The median milliseconds of a run of each runtime.

    Raises:
        AssertionError: Their results differ.
    """
    first, *others = [run() for run in runs.values()]
    scale = float(np.abs(first).max())
    for other in others:
        assert np.abs(other - first).max() / scale < TOLERANCE, "results differ"
    times: dict[str, list[float]] = {peer: [] for peer in runs}
    for _ in range(ROUNDS):
        for peer, run in runs.items():
            time.sleep(PAUSE)
            run()
            end = time.perf_counter() + seconds / ROUNDS / len(runs)
            while time.perf_counter() < end or not times[peer]:
                start = time.perf_counter()
                run()
                times[peer].append(time.perf_counter() - start)
    return {peer: median(values) * 1e3 for peer, values in times.items()}


def runs_of(
    path: Path, feeds: Mapping[str, Any], options: argparse.Namespace
) -> Iterator[tuple[str, Run]]:
    """The runs of the runtimes that read a file; OpenVINO does not read all of them."""
    for peer in options.peers:
        try:
            yield peer, PEERS[peer](path, feeds, options.threads)
        except RuntimeError as error:
            print(f"{peer} does not read {path.name}: {error}", file=sys.stderr)


def steady(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The rows of runs one after another."""
    for name in options.models:
        path = write(name, folder)
        for batch in options.batch:
            feeds = feeds_of(path, batch)
            runs = dict(runs_of(path, feeds, options))
            times = steady_times(runs, options.seconds)
            shown = [f"{times[peer]:.4g}" if peer in times else "-" for peer in options.peers]
            cells = " | ".join(shown)
            best = min((value for peer, value in times.items() if peer != OURS), default=0.0)
            yield f"| {name} | {batch} | {cells} | {best / times.get(OURS, np.nan):.2f} |"


def load(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The rows of new processes."""
    for name in options.models:
        path = write(name, folder)
        cells: list[str] = []
        for peer in options.peers:
            with tempfile.TemporaryDirectory() as cache:
                cold, warm = (child_figures(peer, path, cache, options.threads) for _ in range(2))
            cells += [f"{cold[0]:.2f}", f"{cold[1]:.2f}, {warm[1]:.2f}", f"{warm[2]:.0f}"]
        yield f"| {name} | {' | '.join(cells)} |"


def child_figures(peer: str, path: Path, cache: str, threads: int) -> list[float]:
    """What ``child`` prints in a new process with a cache."""
    command = [sys.executable, "-m", "benchmarks.onnx", "--child", peer, str(path)]
    output = subprocess.run(
        [*command, "--threads", str(threads)], check=True, capture_output=True, text=True,
        env=os.environ | {"STABLEMATE_CACHE_DIR": cache},
    ).stdout  # fmt: skip
    return [float(text) for text in output.split()[-3:]]


def child(peer: str, path: Path, threads: int) -> None:
    """Prints seconds until a session is there, until its first result, and its MB."""
    start = time.perf_counter()
    run = PEERS[peer](path, feeds_of(path, 1), threads)
    loaded = time.perf_counter() - start
    run()
    first = time.perf_counter() - start
    print(loaded, first, peak_mb())


def table(columns: Sequence[str]) -> str:
    """The head of a table."""
    return f"\n| {' | '.join(columns)} |\n|{' --- |' * len(columns)}"


def document(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The lines of the page."""
    yield f"# Files of ONNX: ONNX Runtime, OpenVINO and stablemate\n\n{options.note}"
    if "steady" in options.parts:
        yield "\n## Steady state, ms"
        yield table(["model", "batch", *options.peers, "best other / ours"])
        yield from steady(options, folder)
    if "load" in options.parts:
        yield "\n## From the file to a session, and to the first result without and with a cache, s"
        columns = [f"{peer}{part}" for peer in options.peers for part in (", s", ", first", ", MB")]
        yield table(["model", *columns])
        yield from load(options, folder)


def main() -> None:
    """Prints the page, and stores it."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--batch", nargs="*", type=int, default=[1, 8])
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--parts", nargs="*", default=["steady", "load"])
    parser.add_argument("--seconds", type=float, default=9, help="for each model and batch")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help="where models are kept")
    parser.add_argument("--note", default="", help="the processor, and what else it did")
    parser.add_argument("--output", type=Path, help="where the page is stored")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], Path(options.child[1]), options.threads)
        return
    with tempfile.TemporaryDirectory() as temporary:
        lines = document(options, options.folder or Path(temporary))
        print_and_keep(lines, options.output)


if __name__ == "__main__":
    main()
