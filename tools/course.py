"""Runs the notebooks of the course and stores their outputs: ``python -m tools.course``.

A cell with the tag ``varies`` has an output that differs between machines; one with the tag
``raises-exception`` shows an error. The tests run the notebooks too, and compare the other outputs
with those that are stored.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

from tools.spec_labels import ROOT

COURSE: Final = ROOT / "docs" / "course"
SECONDS: Final = 120
COLORS: Final = re.compile(r"\x1b\[[0-9;]*m")


def main() -> None:
    """Runs all notebooks, and writes those whose outputs have changed."""
    for path in notebooks():
        notebook = executed(path)
        text = nbformat.writes(notebook)
        if not text.endswith("\n"):
            text += "\n"
        if path.read_text() != text:
            path.write_text(text)
            print(path.relative_to(ROOT))


def notebooks() -> list[Path]:
    """The notebooks of the course, in their order."""
    return sorted(COURSE.glob("*.ipynb"))


def executed(path: Path) -> Any:
    """A notebook after its cells have run from top to bottom in a new kernel.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell without the tag ``raises-exception`` failed.
    """
    notebook: Any = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as home:
        client = NotebookClient(
            notebook, timeout=SECONDS, record_timing=False,
            resources={"metadata": {"path": home}},
        )  # fmt: skip
        client.execute(env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            strip(output)
    notebook["metadata"]["language_info"] = {"name": "python"}
    return notebook


def strip(output: Any) -> None:
    """Removes colors, and all forms of a value but text and short HTML."""
    if output["output_type"] == "error":
        output["traceback"] = [COLORS.sub("", line) for line in output["traceback"]]
    elif "data" in output:
        output["data"] = {
            kind: data for kind, data in output["data"].items() if kind == "text/plain"
        }


if __name__ == "__main__":
    main()
