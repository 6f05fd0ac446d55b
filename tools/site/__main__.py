"""Builds the site; a warning is an error.

python -m tools.site OUT
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from tools.site.links import problems_of
from tools.spec_labels import ROOT


def main() -> int:
    """Builds, then looks at every link; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tools.site")
    parser.add_argument("out", type=Path, help="the directory of the site")
    parser.add_argument("--jobs", default="auto", help="how many processes read and write")
    options = parser.parse_args()
    command = [
        *(sys.executable, "-m", "sphinx", "--builder=html", f"--jobs={options.jobs}"),
        *("--fail-on-warning", "--keep-going"),
        *(() if sys.stderr.isatty() else ("--quiet",)),  # in a terminal Sphinx shows its progress
        *(str(ROOT / "docs"), str(options.out)),
    ]
    status = subprocess.run(command, check=False).returncode
    if status:
        return status
    problems = list(problems_of(options.out))
    for problem in problems:
        print(problem, file=sys.stderr)
    pages = sum(1 for _ in options.out.rglob("*.html"))
    print(f"{pages} pages, {len(problems)} broken links: {options.out / 'index.html'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
