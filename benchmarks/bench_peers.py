"""Compare compilers and interpreters on the programs that ``export_models.py`` wrote.

    python benchmarks/bench_peers.py DIR [--peers xla,ref,iree,interpreter,stablemate]
                                     [--models a,b] [--rounds 5] [--budget S] [--cpus N]
                                     [--limit S] [--md FILE]

Every pair of peer and program has its own process, so that compile time and peak memory are its
own. All peers of a program are alive at once and are timed in turn, round after round, so that
noise of the machine hits them alike. The times are: of each stage that the peer has, of the first
run, and the median of the later runs; arguments and results stay in the peer's own buffers.

The base is the first peer named. base/peer compares the runs (above 1: faster than the base), and
rel. diff is the largest difference of a result from the base's, relative to its largest value.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Final

import numpy as np

ROOT: Final = pathlib.Path(__file__).resolve().parents[1]
STAGES: Final = ("load", "verify", "compile", "first run")
COLUMNS: Final = (
    "program",
    "peer",
    *(f"{stage} ms" for stage in STAGES),
    "run ms",
    "base/peer",
    "peak MB",
    "rel. diff",
)


class Worker:
    """The process of one peer on one program."""

    def __init__(self, peer: str, program: pathlib.Path, folder: pathlib.Path, limit: float):
        """Start it, and wait until it has run once; ``limit`` is in seconds, for every answer."""
        self.peer = peer
        self.result = folder / f"{program.stem}.{peer}.npz"
        self.times: list[float] = []
        self._limit = limit
        self._is_late = False
        self._log = (folder / f"{program.stem}.{peer}.log").open("w+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.peers", peer, program, self.result],
            cwd=ROOT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self.info: dict[str, Any] | None = self._read()

    def sample(self, seconds: float) -> None:
        """Let it run for some seconds, and keep the median time."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{seconds}\n")
            self._process.stdin.flush()
            answer = self._read()
        except BrokenPipeError:
            answer = None
        if answer is None:
            self.info = None
        else:
            self.times.append(answer)

    def error(self) -> str:
        """The line of its log that best says why it gave no answer."""
        if self._is_late:
            return f"no answer within {self._limit:g} s"
        self._log.flush()
        self._log.seek(0)
        lines = [line.strip() for line in self._log.read().splitlines() if line.strip()]
        errors = [line for line in lines if "rror" in line]
        line = errors[0] if errors else lines[-1] if lines else "no output"
        return line[:70].replace("|", "/")

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def _read(self) -> Any:
        def stop() -> None:
            self._is_late = True
            self._process.kill()

        assert self._process.stdout is not None
        timer = threading.Timer(self._limit, stop)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        return json.loads(line) if line else None


def difference(base: pathlib.Path, other: pathlib.Path) -> float:
    """Largest difference of the results, relative to the largest value."""
    worst = 0.0
    with np.load(base) as expected, np.load(other) as actual:
        for name in expected.files:
            x, y = expected[name], actual[name]
            largest = np.max(np.abs(x), initial=0) or 1
            worst = max(worst, float(np.max(np.abs(x - y.reshape(x.shape)), initial=0) / largest))
    return worst


def row(program: str, worker: Worker, base: Worker) -> str:
    """One line of the table."""
    if worker.info is None or not worker.times:
        cells = [program, worker.peer, f"fails: {worker.error()}"]
        return markdown(cells + [""] * (len(COLUMNS) - len(cells)))
    times, run = worker.info["times"], statistics.median(worker.times)
    stages = [f"{times[stage] * 1e3:.2f}" if stage in times else "-" for stage in STAGES]
    ratio = f"{statistics.median(base.times) / run:.3g}" if base.times else "-"
    peak = f"{worker.info['peak_mb']:.0f}"
    diff = f"{difference(base.result, worker.result):.1e}" if base.info else "-"
    return markdown([program, worker.peer, *stages, f"{run * 1e3:.3f}", ratio, peak, diff])


def markdown(cells: list[str]) -> str:
    """Cells as a line of a table."""
    return f"| {' | '.join(cells)} |"


def compare(program: pathlib.Path, options: argparse.Namespace) -> list[str]:
    """The lines of one program, one per peer."""
    with tempfile.TemporaryDirectory() as folder:
        workers = [
            Worker(peer, program, pathlib.Path(folder), options.limit) for peer in options.peers
        ]
        for _ in range(options.rounds):
            for worker in workers:
                if worker.info:
                    worker.sample(options.budget)
                    time.sleep(0.05)  # lets spinning threads of this peer go to sleep
        rows = [row(program.stem, worker, workers[0]) for worker in workers]
        for worker in workers:
            worker.close()
    return rows


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Compare peers on benchmark programs.")
    parser.add_argument("dir", type=pathlib.Path, help="what export_models.py wrote")
    parser.add_argument("--peers", type=names, default=["xla", "interpreter", "stablemate"])
    parser.add_argument("--models", type=names, help="only these programs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per round and peer")
    parser.add_argument("--limit", type=float, default=60, help="seconds before a peer is hung")
    parser.add_argument("--cpus", type=int, help="pin every peer to this many CPUs")
    parser.add_argument("--md", type=pathlib.Path, help="also write the table here")
    options = parser.parse_args()
    if options.cpus:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cpus])  # and children
    table = [markdown(list(COLUMNS)), markdown(["---"] * len(COLUMNS))]
    print("\n".join(table), flush=True)
    programs = options.models or sorted(path.stem for path in options.dir.glob("*.mlir"))
    for program in programs:
        rows = compare(options.dir.resolve() / f"{program}.mlir", options)
        print("\n".join(rows), flush=True)
        table += rows
    if options.md:
        options.md.write_text("\n".join(table) + "\n")


def names(text: str) -> list[str]:
    """A comma-separated option."""
    return text.split(",")


if __name__ == "__main__":
    main()
