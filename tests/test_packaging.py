"""The manual pages, and the recipe for conda-forge."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

from stablemate.cli import VERBS
from tools.man_pages import write_pages

ROOT: Final = Path(__file__).parents[1]
# What conda-forge calls what the index calls otherwise.
CONDA_NAMES: Final = {"flatbuffers": "python-flatbuffers"}


def test_every_verb_has_a_manual_page(tmp_path: Path) -> None:
    paths = write_pages(tmp_path)
    assert [path.name for path in paths] == [
        "stablemate.1", *(f"stablemate-{verb}.1" for verb in VERBS)
    ]  # fmt: skip
    for path in paths:
        sections = re.findall(r"^\.SH (.+)$", path.read_text(), re.MULTILINE)
        assert sections[:4] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"], path
        if groff := shutil.which("groff"):  # every warning about the macros and their text
            done = subprocess.run(
                [groff, "-man", "-ww", "-Tutf8", "-z", str(path)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            assert done.stderr == "", path
    text = (tmp_path / "stablemate-serve.1").read_text()
    assert "stablemate\\-serve \\- Serve programs over HTTP" in text
    assert "\\fB\\-\\-max\\-batch N\\fR\nJoin requests of up to N rows" in text


def test_the_recipe_asks_for_what_the_project_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    recipe = (ROOT / ".conda/recipe.yaml").read_text()
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    asked = {line.strip().removeprefix("- ") for line in run.splitlines()}
    needed = {f"python {project['requires-python']}"}
    for text in project["dependencies"]:
        name, rest = re.fullmatch(r"([\w-]+)(.*)", text).groups()  # type: ignore[union-attr]
        needed.add(f"{CONDA_NAMES.get(name, name)} {rest}")
    assert asked == needed
    assert f'version: "{project["version"]}"' in recipe
