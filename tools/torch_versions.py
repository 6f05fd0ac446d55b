"""Runs the tests of PyTorch's front end with several versions of PyTorch.

    python -m tools.torch_versions                        # every minor version that is supported
    python -m tools.torch_versions 2.6 2.15 --folder /tmp/versions --keep
    python -m tools.torch_versions --table docs/torch.md  # writes the table of this page
    python -m tools.torch_versions 2.9 --table docs/torch.md  # replaces one of its rows

Each version is installed in a virtual environment of its own, a few GB while it lasts, with the
newest patch that the package index has. The exit code is 1 if a test fails.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

ROOT: Final = Path(__file__).resolve().parents[1]
MINORS: Final = tuple(f"2.{minor}" for minor in range(6, 16))
# What is run with each version: tests by the column of the table.
PARTS: Final[Mapping[str, Sequence[str]]] = {
    "`torch.compile`": ("tests/bridges/test_torch_compile.py",),
    "`from_torch`, `.pt2`": (
        "tests/bridges/test_torch.py",
        "tests/frontends/torch/test_importer.py",
    ),
    "operators": ("tests/frontends/torch/test_operators.py",),
}
LIBRARY: Final = "PyTorch"
TABLE: Final = re.compile(r"(?<=<!-- table:versions -->\n).*?(?=<!-- /table:versions -->)", re.S)


@dataclass(frozen=True)
class Row:
    """What came of a version.

    Attributes:
        version: The version of PyTorch, such as ``2.14.1``.
        counts: How many tests of each part passed, and how many were run.
        failures: The names of tests that failed.
    """

    version: str
    counts: Mapping[str, tuple[int, int]]
    failures: Sequence[str]


def main() -> int:
    """Runs the tests with each version, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", default=MINORS)
    parser.add_argument("--folder", type=Path, help="where environments are created")
    parser.add_argument("--keep", action="store_true", help="keep environments, or use kept ones")
    parser.add_argument("--table", type=Path, help="the page whose table is written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        rows: list[Row] = []
        for version in options.versions:
            rows.append(tested(version, folder / f"torch-{version}", keep=options.keep))
            print(*(f"failed with {version}: {name}" for name in rows[-1].failures), sep="\n")
            print(table(rows[-1:]), flush=True)
    print(table(rows))
    if options.table is not None:
        write_table(options.table, rows)
    return int(any(row.failures for row in rows))


def write_table(page: Path, rows: Sequence[Row], library: str = LIBRARY) -> None:
    """Writes rows into the table of a page, in which those of other versions stay."""
    content = page.read_text()
    found = TABLE.search(content)
    assert found is not None, f"{page} has no table of versions"
    head, separator, *old = found[0].splitlines()
    lines = {minor_of(line): line for line in [*old, *table(rows, library).splitlines()[2:]]}
    body = [lines[minor] for minor in sorted(lines)]
    page.write_text(TABLE.sub(lambda _: "\n".join([head, separator, *body, ""]), content))


def minor_of(line: str) -> int:
    """The minor version in a row of the table: 9 in ``| 2.9.1 | ...``."""
    return int(line.split(".")[1])


def tested(version: str, environment: Path, *, keep: bool) -> Row:
    """Installs a version, and runs the tests with it."""
    python = environment / "bin" / "python"
    if not python.exists():
        install(version, environment)
    outcomes = {column: run(python, files) for column, files in PARTS.items()}
    code = "import torch; print(torch.__version__.partition('+')[0])"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    if not keep:
        shutil.rmtree(environment)
    return Row(
        found.stdout.strip(),
        {column: (passed, total) for column, (passed, total, _) in outcomes.items()},
        [name for _, _, failures in outcomes.values() for name in failures],
    )


def install(version: str, environment: Path) -> None:
    """Creates an environment with a version of PyTorch, this checkout and what tests need."""
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin" / "pip", "install", "--quiet", "--no-cache-dir"]
    subprocess.run([*pip, f"torch=={version}.*", "-e", f"{ROOT}[test-torch]"], check=True)


def run(python: Path, files: Sequence[str]) -> tuple[int, int, list[str]]:
    """How many tests passed, how many were run, and the names of those that failed."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
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


def table(rows: Sequence[Row], library: str = LIBRARY) -> str:
    """The table of the page: passed of all tests, for each version of a library."""
    parts = rows[0].counts
    lines = [f"| {library} | {' | '.join(parts)} |", f"| --- |{' --- |' * len(parts)}"]
    for row in rows:
        cells = [f"{passed} / {total}" for passed, total in row.counts.values()]
        lines.append(f"| {row.version} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
