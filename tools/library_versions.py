"""Runs tests of the repository with several versions of a library, for the table of a page.

Each version is installed in a virtual environment of its own, with the newest patch that the
package index has. ``tools.torch_versions`` and ``tools.jax_versions`` are the commands.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from benchmarks.pages import table_lines, write_table
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress

ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Row:
    """What came of a version.

    Attributes:
        version: The version of the library, such as ``2.14.1``.
        counts: How many tests of each part passed, and how many were run.
        failures: The names of tests that failed.
    """

    version: str
    counts: Mapping[str, tuple[int, int]]
    failures: Sequence[str]


@dataclass(frozen=True)
class Library:
    """A library, and the tests that are run with each of its versions.

    Attributes:
        name: As the table calls it.
        module: The module that has its version.
        minors: The minor versions that are supported.
        parts: Test files by the column of the table.
        requirements: What pip installs; ``{}`` stands for the minor version.
        extras: The extras of stablemate that are installed with it.
    """

    name: str
    module: str
    minors: Sequence[str]
    parts: Mapping[str, Sequence[str]]
    requirements: Sequence[str]
    extras: str

    def main(self, description: str | None) -> int:
        """Runs the tests with each version, and prints the table; the exit code."""
        parser = argparse.ArgumentParser(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("versions", nargs="*", default=self.minors)
        parser.add_argument("--folder", type=Path, help="where environments are created")
        parser.add_argument(
            "--keep", action="store_true", help="keep environments, or use kept ones"
        )
        parser.add_argument("--table", type=Path, help="the page whose table is written")
        parser.add_argument(
            "--python", default=sys.executable, help="the Python of which environments are made"
        )
        options = parser.parse_args()
        with tempfile.TemporaryDirectory() as scratch:
            folder = options.folder or Path(scratch)
            rows: list[Row] = []
            with progress("testing") as display:
                for version in with_progress(options.versions, "version"):
                    row = self.row(version, folder, options.python, keep=options.keep)
                    rows.append(row)
                    with display.aside():
                        print(
                            *(f"failed with {version}: {name}" for name in row.failures), sep="\n"
                        )
                        print(table([row], self.name), flush=True)
                    if options.table is not None:
                        write_rows(options.table, rows, self.name)
        print(table(rows, self.name))
        return int(any(row.failures for row in rows))

    def row(self, version: str, folder: Path, interpreter: str, *, keep: bool) -> Row:
        """Installs a version, and runs the tests with it."""
        environment = folder / f"{self.module}-{version}"
        python = environment / "bin" / "python"
        if not python.exists():
            self.install(version, environment, interpreter)
        outcomes = {column: run(python, files) for column, files in self.parts.items()}
        code = f"import {self.module}; print({self.module}.__version__.partition('+')[0])"
        found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        if not keep:
            shutil.rmtree(environment)
        return Row(
            found.stdout.strip(),
            {column: (passed, total) for column, (passed, total, _) in outcomes.items()},
            [name for _, _, failures in outcomes.values() for name in failures],
        )

    def install(self, version: str, environment: Path, interpreter: str) -> None:
        """Creates an environment with a version, this checkout and what tests need."""
        subprocess.run([interpreter, "-m", "venv", environment], check=True)
        pip = [environment / "bin" / "pip", "install", "--quiet", "--no-cache-dir"]
        wanted = [requirement.format(version) for requirement in self.requirements]
        subprocess.run([*pip, *wanted, "-e", f"{ROOT}[{self.extras}]"], check=True)


def write_rows(page: Path, rows: Sequence[Row], library: str) -> None:
    """Writes rows into the table of a page, in which those of other versions stay."""
    head, separator, *old = table_lines(page, "versions")
    lines = {minor_of(line): line for line in [*old, *table(rows, library).splitlines()[2:]]}
    body = [lines[minor] for minor in sorted(lines)]
    write_table(page, "versions", [head, separator, *body])


def minor_of(line: str) -> int:
    """The minor version in a row of the table: 9 in ``| 2.9.1 | ...``."""
    return int(line.split(".")[1])


def run(python: Path, files: Sequence[str]) -> tuple[int, int, list[str]]:
    """How many tests passed, how many were run, and the names of those that failed."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        command += ["-m", "not nightly"]
        subprocess.run([*command, *files], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        cases = list(ElementTree.parse(report).iter("testcase"))
    run_cases = [case for case in cases if case.find("skipped") is None]
    failures = list(failed(run_cases))
    return len(run_cases) - len(failures), len(run_cases), failures


def failed(cases: Sequence[ElementTree.Element]) -> Iterator[str]:
    """The names of cases that failed, with the first line of what they say."""
    for case in cases:
        fault = case.find("failure")
        fault = case.find("error") if fault is None else fault
        if fault is not None:
            first = (fault.get("message") or "").partition("\n")[0]
            yield f"{case.get('classname')}::{case.get('name')}: {first}"


def table(rows: Sequence[Row], library: str) -> str:
    """The table of the page: passed of all tests, for each version of a library."""
    parts = rows[0].counts
    lines = [f"| {library} | {' | '.join(parts)} |", f"| --- |{' --- |' * len(parts)}"]
    for row in rows:
        cells = [f"{passed} / {total}" for passed, total in row.counts.values()]
        lines.append(f"| {row.version} | {' | '.join(cells)} |")
    return "\n".join(lines)
