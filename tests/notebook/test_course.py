"""The notebooks of the course run, and give the outputs that are stored in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tools import course


def test_the_course_has_eight_notebooks_that_its_page_lists() -> None:
    names = [path.stem for path in course.notebooks()]
    page = (course.COURSE / "index.md").read_text()
    assert len(names) == 8
    assert re.findall(r"^\d-.+$", page, re.MULTILINE) == names


@pytest.mark.standard
@pytest.mark.parametrize("path", course.notebooks(), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # those of the kernel's libraries are theirs
def test_a_notebook_gives_the_outputs_that_are_stored(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)["cells"]
    cells = course.executed(path)["cells"]
    compared = [cell for cell in stored if cell["cell_type"] == "code"]
    assert len(compared) >= 6
    for cell, again in zip(stored, cells, strict=True):
        if cell["cell_type"] == "code" and "varies" not in tags(cell):
            assert shown(again) == shown(cell), cell["source"]


def tags(cell: Any) -> list[str]:
    return list(cell["metadata"].get("tags", ()))


def shown(cell: Any) -> list[str]:
    """The texts of a cell's outputs; a slow kernel sends what is printed in several."""
    texts: list[str] = []
    stream = None
    for output in cell["outputs"]:
        previous, stream = stream, output.get("name")
        match output["output_type"]:
            case "stream" if stream == previous:
                texts[-1] += output["text"]
            case "stream":
                texts.append(output["text"])
            case "error":
                texts.append("\n".join(output["traceback"]))
            case _:
                texts.append(output["data"]["text/plain"])
    return texts
