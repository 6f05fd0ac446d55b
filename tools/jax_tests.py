"""Runs the files of JAX's test directory on stablemate, and on XLA:CPU what failed.

    python -m tools.jax_tests TESTS                          # all files that need no accelerator
    python -m tools.jax_tests TESTS pjit_test.py nn_test.py  # these
    python -m tools.jax_tests TESTS --page docs/jax.md       # writes their rows of the table
    python -m tools.jax_tests SOURCE . --devices 1           # the suite of a library

TESTS is the folder `tests` of JAX's source, of the version that is installed. Every file runs in a
process of its own, with `JAX_PLATFORMS=stablemate` and eight devices. Where a file has more tests
than `--sample`, or takes longer than `--seconds`, the first ones of a random order run, which
`--seed` fixes. The results stay in the folder `--results`, a file with a line for each test; a file
that has results is not run again. Whatever fails runs once more, and then on XLA's client.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from benchmarks.pages import table_lines, write_table
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress

ROOT: Final = Path(__file__).resolve().parents[1]
# Words in the names of files that are about other backends.
OTHERS: Final = re.compile(
    r"gpu|tpu|mosaic|cuda|cudnn|magma|triton|pgle|pytorch|sparsecore|libtpu|mock_"
)
FOLDERS: Final = ("", "pallas", "pallas/pipelining", "third_party/scipy")
# The variable of each backend that says how many devices there are.
VARIABLES: Final[Mapping[str, tuple[str, str]]] = {
    "stablemate": ("STABLEMATE_DEVICES", "{}"),
    "cpu": ("XLA_FLAGS", "--xla_force_host_platform_device_count={}"),
}
# How long a single test may take, in seconds.
PATIENCE: Final = 240.0


@dataclass(frozen=True)
class Record:
    """What was recorded of a file on a backend.

    Attributes:
        lines: The lines of the plugin, and of `run` about processes that ended.
    """

    lines: Sequence[Mapping[str, str]]

    @cached_property
    def tests(self) -> int:
        """How many tests the file has."""
        return max((int(line["tests"]) for line in self.lines if "tests" in line), default=0)

    @cached_property
    def outcomes(self) -> Mapping[str, str]:
        """The outcome of each test that was run: the last, where it ran more than once."""
        found = {line["begin"]: "crashed" for line in self.lines if "begin" in line}
        found.update({line["end"]: line["outcome"] for line in self.lines if "end" in line})
        return found

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """What failures say."""
        return {line["end"]: line["text"] for line in self.lines if "end" in line}

    @property
    def failures(self) -> list[str]:
        """The names of the tests that failed or ended the process."""
        return [name for name, kind in self.outcomes.items() if kind in ("failed", "crashed")]

    def count(self, kind: str) -> int:
        """How many tests have an outcome."""
        return sum(outcome == kind for outcome in self.outcomes.values())


def main() -> int:
    """Runs files, and prints or writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", type=Path, help="the folder of JAX's tests")
    parser.add_argument("files", nargs="*", help="files in it; all that need no accelerator")
    parser.add_argument("--results", type=Path, default=Path("jax_tests"))
    parser.add_argument("--sample", type=int, default=400, help="tests of a file at most")
    parser.add_argument("--seed", type=int, default=0, help="decides the order of the tests")
    parser.add_argument("--cases", type=int, default=1, help="JAX_NUM_GENERATED_CASES")
    parser.add_argument("--seconds", type=float, default=600, help="time of a file")
    parser.add_argument("--devices", type=int, default=8, help="how many devices there are")
    parser.add_argument("--page", type=Path, help="the page whose table is written")
    parser.add_argument("--table", default="tests", help="the name of its table")
    options = parser.parse_intermixed_args()
    tests = options.tests.resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    limits = options.sample, options.seed, options.cases, options.seconds, options.devices
    settings = Settings(tests, options.results.resolve(), *limits)
    files = options.files or [*suitable_files(tests)]
    with progress("comparing") as display:
        for file in with_progress(files, "file"):
            written = settings.compare(file)
            with display.aside():
                print(written, flush=True)
            if options.page is not None:
                write_row(options.page, options.table, written)
    return 0


def write_row(page: Path, table: str, written: str) -> None:
    """Writes the row of a file into a table of a page, and the sums; those of other files stay."""
    rows = {line.split("|")[1]: line for line in table_lines(page, table)[len(HEAD) :]}
    rows[written.split("|")[1]] = written
    lines = [rows[name] for name in sorted(rows) if name.startswith(" `")]
    write_table(page, table, [*HEAD, *lines, sums(lines)])


def sums(rows: Sequence[str]) -> str:
    """The last row of the table: how many files there are, and the sums of the numbers."""
    cells = [[cell.partition(", ")[0].strip() for cell in row.split("|")[2:7]] for row in rows]
    numbers = [[int(cell.replace(",", "")) for cell in line] for line in cells]
    totals = [f"{sum(column):,}" for column in zip(*numbers, strict=True)]
    files = f"{len(rows):,} files"
    return f"| {' | '.join([files, *totals])} |  |"


def suitable_files(tests: Path) -> Iterator[str]:
    """The files that do not name themselves after other backends, relative to the folder."""
    for folder in FOLDERS:
        for path in sorted((tests / folder).glob("*_test.py")):
            if OTHERS.search(path.name) is None or "interpret" in path.name:
                yield str(path.relative_to(tests))


@dataclass(frozen=True)
class Settings:
    """How files are run.

    Attributes:
        tests: The folder of JAX's tests.
        results: The folder of records.
        sample: How many tests of a file are run at most.
        seed: Decides in which order.
        cases: How many cases JAX generates of each of its tests.
        seconds: The time that a file may take.
        devices: How many devices there are.
    """

    tests: Path
    results: Path
    sample: int
    seed: int
    cases: int
    seconds: float
    devices: int

    def compare(self, file: str) -> str:
        """Runs a file where it has no results yet, and returns its row of the table."""
        if not self.record_path(file, "stablemate").exists():
            self.run(file, "stablemate")
            if failures := self.record(file, "stablemate").failures:
                self.run(file, "stablemate", failures)
            if failures := self.record(file, "stablemate").failures:
                self.run(file, "cpu", failures)
        return row(file, self.record(file, "stablemate"), self.record(file, "cpu"))

    def record_path(self, file: str, platform: str) -> Path:
        """Where the results of a file are."""
        return self.results / f"{file.removesuffix('.py').replace('/', '.')}.{platform}.jsonl"

    def record(self, file: str, platform: str) -> Record:
        """The results of a file, none if it was not run."""
        path = self.record_path(file, platform)
        lines = path.read_text().splitlines() if path.exists() else []
        return Record([json.loads(line) for line in lines])

    def run(self, file: str, platform: str, only: Sequence[str] = ()) -> None:
        """Runs tests of a file, in further processes where one ends before all were run."""
        target = self.record_path(file, platform)
        end = time.monotonic() + self.seconds
        with tempfile.TemporaryDirectory() as scratch:
            record, names = Path(scratch) / "record.jsonl", Path(scratch) / "names.json"
            names.write_text(json.dumps(list(only)))
            chosen = {"JAX_TESTS_ONLY": str(names)} if only else {}
            while (left := end - time.monotonic()) > 0:
                before = size(record)
                ended = self.process(file, platform, record, {**chosen, **self.limits(left)})
                if ended in (0, 1, 2, 5) or size(record) == before:
                    break
            with target.open("a") as sink:
                sink.write(record.read_text() if record.exists() else "")

    def limits(self, left: float) -> Mapping[str, str]:
        """The variables that limit a process."""
        return {
            "JAX_TESTS_SAMPLE": str(self.sample),
            "JAX_TESTS_SEED": str(self.seed),
            "JAX_TESTS_SECONDS": str(left),
        }

    def environment(self, platform: str, record: Path) -> Mapping[str, str]:
        """The variables of a process on a backend."""
        variable, form = VARIABLES[platform]
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        return {
            **os.environ,
            "JAX_PLATFORMS": platform,
            "JAX_NUM_GENERATED_CASES": str(self.cases),
            "JAX_TESTS_RECORD": str(record),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            variable: form.format(self.devices),
        }

    def process(
        self, file: str, platform: str, record: Path, variables: Mapping[str, str]
    ) -> int | None:
        """Runs pytest once; the status, none if a single test took too long."""
        environment = {**self.environment(platform, record), **variables}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.jax_tests_plugin"]
        command += ["-p", "no:cacheprovider", "-p", "no:warnings", "--tb=short", file]
        log = self.record_path(file, platform).with_suffix(".log")
        with log.open("a") as output:
            process = subprocess.Popen(
                command,
                cwd=self.tests,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            return status(process, record)


def size(record: Path) -> int:
    """The bytes of a file, 0 where there is none."""
    return record.stat().st_size if record.exists() else 0


def status(process: subprocess.Popen[bytes], record: Path) -> int | None:
    """Waits for a process; ends it when its record has not grown for `PATIENCE`."""
    before, since = -1, time.monotonic()
    while True:
        try:
            return process.wait(1.0)
        except subprocess.TimeoutExpired:
            if size(record) != before:
                before, since = size(record), time.monotonic()
            if time.monotonic() - since > PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return None


def row(file: str, here: Record, beside: Record) -> str:
    """The row of a file: what passed here and on XLA's client, and the differences.

    Other failures are of tests that do not pass on XLA's client either, or that it skips.
    """
    passed, run = here.count("passed"), len(here.outcomes)
    failures = here.failures
    different = [name for name in failures if beside.outcomes.get(name) == "passed"]
    amount = "all" if run >= here.tests else f"of {here.tests:,}"
    cells = [
        f"`{file}`",
        f"{run:,}, {amount}",
        f"{passed:,}",
        f"{passed + len(different):,}",
        f"{here.count('skipped'):,}",
        f"{len(failures) - len(different):,}",
        "; ".join(sorted(f"`{name.rpartition('::')[2]}`" for name in different)),
    ]
    return f"| {' | '.join(cells)} |"


HEAD: Final = (
    "| file | tests run | passed here | on XLA:CPU | skipped | other failures | differences |",
    "| --- | --- | --- | --- | --- | --- | --- |",
)


if __name__ == "__main__":
    sys.exit(main())
