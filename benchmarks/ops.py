"""Compare single operations with NumPy's formula and with the upstream interpreter.

    python -m benchmarks.ops [--only TEXT] [--elements 1000000] [--rounds 5] [--budget 0.3]
                             [--patience 2.0] [--no-reference] [--md FILE]

Every operation of ``op_cases`` is timed on about a million elements, in turn with the formula in
NumPy or SciPy, round after round, so that noise of the machine hits both alike; the times are
medians. ``ratio`` compares the fastest runs of both, which noise hits least: a case above 100 is
marked, and the exit code is 1.

``8 elements`` is what one more operation on eight elements adds to a program that is run.

The upstream interpreter is timed in a process of its own, where a program that it cannot run ends
the process; the argument is handed over as an attribute, which costs it little. Where a million
elements would take it more than two seconds a tenth, a hundredth or a thousandth of the elements
is timed and the time scaled by the steps of the formula; ``~`` marks such a time.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.op_cases import CASES
from benchmarks.op_cases.case import Case

ROOT: Final = pathlib.Path(__file__).resolve().parents[1]
TOO_SLOW: Final = 100  # times NumPy
LIMIT: Final = 60.0  # seconds after which it is hung
FEW: Final = 8
COPIES: Final = 33
COLUMNS: Final = ("operation", "on", "ms", "NumPy ms", "ratio", "upstream ms", "upstream/ours",
                  "8 elements, us", "NumPy us")  # fmt: skip


class Reference:
    """The process of the upstream interpreter; it is started again when it has ended."""

    def __init__(self, patience: float) -> None:
        """Start nothing yet; ``patience`` is in seconds and for one run."""
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None

    def seconds(self, number: int, elements: int) -> tuple[float, bool] | None:
        """Seconds of a case on so many elements, and whether they are scaled."""
        case, n = CASES[number], min(elements, 1000)
        value = self._ask(number, n)
        while value is not None and n < elements:
            predicted = value * case.make(10 * n).size / case.make(n).size
            answer = self._ask(number, 10 * n) if predicted < self._patience else None
            if answer is None:
                return value * case.make(elements).size / case.make(n).size, True
            n, value = 10 * n, answer
        return None if value is None else (value, False)

    def _ask(self, number: int, n: int) -> float | None:
        """One answer; None if the interpreter has none."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.op_reference"],
                cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{number} {n}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            process.kill()
            process.wait()
        return json.loads(line) if line else None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


@dataclass
class Times:
    """What was measured of a case, in seconds; None where there is nothing."""

    case: Case
    ours: float
    numpy: float | None
    ratio: float  # how many times NumPy's time the operation takes; 0 without a formula
    latency: float
    numpy_latency: float | None
    upstream: float | None = None
    is_scaled: bool = False

    def row(self) -> str:
        """A line of the table."""
        upstream = "-" if self.upstream is None else shown(self.upstream * 1e3)
        cells = [
            self.case.operation.removeprefix("stablehlo."),
            self.case.kind,
            shown(self.ours * 1e3),
            "-" if self.numpy is None else shown(self.numpy * 1e3),
            ("**{}**" if self.ratio > TOO_SLOW else "{}").format(shown(self.ratio))
            if self.numpy
            else "-",
            f"~{upstream}" if self.is_scaled else upstream,
            "-" if self.upstream is None else shown(self.upstream / self.ours),
            shown(self.latency * 1e6),
            "-" if self.numpy_latency is None else shown(self.numpy_latency * 1e6),
        ]
        return markdown(cells)


def shown(number: float) -> str:
    """Three digits."""
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def markdown(cells: list[str]) -> str:
    """Cells as a line of a table."""
    return f"| {' | '.join(cells)} |"


def in_turn(functions: list[Callable[[], Any]], rounds: int, budget: float) -> list[list[float]]:
    """Seconds of the runs of each function, all run in turn; the first run does not count."""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    start = time.perf_counter()
    while len(times[0]) < rounds or time.perf_counter() - start < budget:
        for function, readings in zip(functions, times, strict=True):
            before = time.perf_counter()
            function()
            readings.append(time.perf_counter() - before)
        if time.perf_counter() - start > 20 * budget:
            break
    return times


def program(case: Case, n: int, copies: int) -> Callable[[], Any]:
    """A call of the program that makes the operation some number of times."""
    work = case.make(n)
    executable = sm.compile(sm.load(work.text(case.operation, copies)), backend="interpreter")
    return lambda: executable(*work.arguments)


def formula(case: Case, n: int) -> list[Callable[[], Any]]:
    """A call of the formula in NumPy, if there is one."""
    work = case.make(n)
    function = work.numpy
    return [] if function is None else [lambda: function(*work.arguments)]


def least_elements(case: Case) -> int:
    """The smallest number of elements, from eight on, for which the case can be made."""
    n = FEW
    while True:
        try:
            for function in (program(case, n, 1), *formula(case, n)):
                function()
            return n
        except (ValueError, ZeroDivisionError, sm.StablemateError):
            n *= 4


def measured(case: Case, elements: int, rounds: int, budget: float) -> Times:
    """The times of a case in this process."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        large = in_turn([program(case, elements, 1), *formula(case, elements)], rounds, budget)
        few = least_elements(case)
        several = [program(case, few, copies) for copies in (1, COPIES)]
        small = in_turn([*several, *formula(case, few)], 25, budget / 10)
    ours, *numpy = map(statistics.median, large)
    ratio = min(large[0]) / min(large[1]) if numpy else 0.0
    one, many, *numpy_latency = map(statistics.median, small)
    latency = max(many - one, 0.0) / (COPIES - 1)
    return Times(case, ours, *(numpy or [None]), ratio, latency, *(numpy_latency or [None]))


def merged(path: pathlib.Path, table: list[str]) -> str:
    """The text of a table, in which cases that were not measured keep their lines."""
    old = path.read_text().splitlines() if path.exists() else []
    lines = {tuple(line.split(" | ")[:2]): line for line in (*old, *table)}
    return "\n".join(lines.values()) + "\n"


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Compare single operations.")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--elements", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per case")
    parser.add_argument(
        "--patience", type=float, default=2.0, help="seconds for a run of the upstream interpreter"
    )
    parser.add_argument("--no-reference", action="store_true")
    parser.add_argument("--md", type=pathlib.Path, help="also put the lines into this table")
    options = parser.parse_args()
    reference = Reference(options.patience)
    table = [markdown(list(COLUMNS)), markdown(["---"] * len(COLUMNS))]
    print("\n".join(table), flush=True)
    collected: list[Times] = []
    for number, case in enumerate(CASES):
        if options.only not in case.name:
            continue
        times = measured(case, options.elements, options.rounds, options.budget)
        if not options.no_reference:
            upstream = reference.seconds(number, options.elements)
            times.upstream, times.is_scaled = upstream or (None, False)
        collected.append(times)
        table.append(times.row())
        print(table[-1], flush=True)
    reference.close()
    if options.md:
        options.md.write_text(merged(options.md, table))
    slow = [item for item in collected if item.ratio > TOO_SLOW]
    worst = max(collected, key=lambda item: item.ratio)
    print(f"{len(collected)} cases, {len(slow)} above {TOO_SLOW} times NumPy; "
          f"the slowest: {worst.case.name}, {worst.ratio:.3g} times")  # fmt: skip
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
