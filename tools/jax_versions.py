"""Runs the tests of the JAX backend with several versions of JAX and jaxlib.

    python -m tools.jax_versions                      # every minor version that is supported
    python -m tools.jax_versions 0.6 0.10 --folder /tmp/versions --keep
    python -m tools.jax_versions --table docs/jax.md  # writes the table of this page
    python -m tools.jax_versions 0.9 --table docs/jax.md  # replaces one of its rows

Each version is installed in a virtual environment of its own, about 1 GB while it lasts, with the
newest patch that the package index has. The exit code is 1 if a test fails.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.torch_versions import ROOT, Row, run, table, write_table

MINORS: Final = tuple(f"0.{minor}" for minor in range(6, 11))
# What is run with each version: tests by the column of the table.
PARTS: Final[Mapping[str, Sequence[str]]] = {
    "programs": ("tests/pjrt/test_jax_programs.py",),
    "`sm.jit`, donation": ("tests/pjrt/test_jit.py", "tests/pjrt/test_donation.py"),
    "linear algebra": ("tests/pjrt/test_linear_algebra.py",),
    "processes": ("tests/pjrt/test_distributed.py",),
}
TOOLS: Final = ("pytest>=8", "pytest-xdist", "hypothesis", "mpmath")
LIBRARY: Final = "JAX"


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
            rows.append(row_of(version, folder / f"jax-{version}", keep=options.keep))
            print(*(f"failed with {version}: {name}" for name in rows[-1].failures), sep="\n")
            print(table(rows[-1:], LIBRARY), flush=True)
            if options.table is not None:
                write_table(options.table, rows, LIBRARY)
    print(table(rows, LIBRARY))
    return int(any(row.failures for row in rows))


def row_of(version: str, environment: Path, *, keep: bool) -> Row:
    """Installs a version, and runs the tests with it."""
    python = environment / "bin" / "python"
    if not python.exists():
        install(version, environment)
    outcomes = {column: run(python, files) for column, files in PARTS.items()}
    code = "import jax; print(jax.__version__)"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    if not keep:
        shutil.rmtree(environment)
    return Row(
        found.stdout.strip(),
        {column: (passed, total) for column, (passed, total, _) in outcomes.items()},
        [name for _, _, failures in outcomes.values() for name in failures],
    )


def install(version: str, environment: Path) -> None:
    """Creates an environment with a version of JAX, this checkout and what tests need."""
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin" / "pip", "install", "--quiet", "--no-cache-dir"]
    both = [f"jax=={version}.*", f"jaxlib=={version}.*"]
    subprocess.run([*pip, *both, *TOOLS, "-e", f"{ROOT}[lsp,mpi]"], check=True)


if __name__ == "__main__":
    sys.exit(main())
