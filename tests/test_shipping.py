"""What other tools read in the repository: hooks, the action, versions."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

import stablemate
from stablemate.cli import main

ROOT: Final = Path(__file__).parents[1]


def test_every_file_has_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    extension = json.loads((ROOT / "editors/vscode/package.json").read_text())["version"]
    (citation,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert {project, extension, citation} == {stablemate.__version__}


def test_the_hooks_of_pre_commit_take_several_files(tmp_path: Path) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: stablemate (.+)", text)
    assert len(entries) == 2
    for index, entry in enumerate(entries):
        files = [tmp_path / f"{index}{name}.mlir" for name in "ab"]
        for file in files:
            file.write_text("module {  }\n")
        done = CliRunner().invoke(main, [*entry.split(), *map(str, files)])
        assert done.exit_code == 0, done.output


def steps_of_the_action() -> dict[str, str]:
    """The scripts of ``action.yml``, by the names of their steps."""
    scripts: dict[str, str] = {}
    for part in (ROOT / "action.yml").read_text().split("    - ")[1:]:
        name = re.match(r"name: (.+)", part)
        script = re.search(r"^      run: (?:\|\n)?((?:.+\n)+)\Z", part, re.MULTILINE)
        if name and script:
            scripts[name[1]] = re.sub(r"^        ", "", script[1], flags=re.MULTILINE)
    return scripts


@pytest.mark.standard
def test_the_steps_of_the_action_check_and_annotate(tmp_path: Path) -> None:
    """Every step but the installation, by the shell and the options that GitHub uses."""
    (tmp_path / "stablemate").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m stablemate "$@"\n')
    (tmp_path / "stablemate").chmod(0o755)
    scripts = steps_of_the_action()
    assert scripts.keys() == {"Install", "SARIF", "Check", "Golden files"}

    def run(step: str, files: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "FILES": files,
            "STRICT": "true", "LOG": str(tmp_path / "log.sarif"),
            "PYTHONPATH": str(ROOT / "src"),
        }  # fmt: skip
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", scripts[step]]
        return subprocess.run(
            command, env=environment, cwd=ROOT, text=True, capture_output=True, check=False
        )

    assert run("SARIF", "examples/*.mlir").returncode == 0
    log: dict[str, Any] = json.loads((tmp_path / "log.sarif").read_text())
    assert [result["level"] for result in log["runs"][0]["results"]] == ["error"]
    bad = run("Check", "examples/*.mlir")
    assert bad.returncode == 3
    assert bad.stdout.startswith("::error file=examples/bad.mlir,line=4,col=10,")
    assert run("Check", "examples/mlp.mlir").returncode == 0


def imported_packages(path: Path) -> set[str]:
    """The packages from elsewhere that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    first = {name.partition(".")[0] for name in names}
    return first - sys.stdlib_module_names - {"stablemate", "tests", "tools", ""}


@pytest.mark.parametrize(("machine", "brought"), [("x86_64", True), ("aarch64", False)])
def test_the_extra_test_brings_the_guide_where_it_has_wheels(machine: str, brought: bool) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (guide,) = [
        Requirement(text)
        for text in project["optional-dependencies"]["test"]
        if text.startswith("atheris")
    ]
    system = {"sys_platform": "linux", "platform_machine": machine, "python_version": "3.13"}
    assert guide.marker is not None
    assert guide.marker.evaluate(system) is brought


# What Sphinx brings, and what writes the models of the site anew.
NOT_DECLARED: Final = {"docutils", "flax", "jax"}


def test_the_extra_docs_has_what_the_site_is_built_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["docs"]]
    installed = {re.split(r"[\[<>=; ]", text)[0].lower().replace("_", "-") for text in declared}
    places = [
        *(ROOT / "tools" / "site").rglob("*.py"), *(ROOT / "src/stablemate/testing").rglob("*.py")
    ]  # fmt: skip
    packages = {name for path in places for name in imported_packages(path)}
    distributions = packages_distributions()
    missing = {
        name
        for name in packages - NOT_DECLARED
        if not {other.lower().replace("_", "-") for other in distributions.get(name, (name,))}
        & installed
    }
    assert packages >= {"pytest", "sphinx"}
    assert missing == set()


@pytest.mark.parametrize(
    ("user", "devices", "expected"),
    [
        ("0", {".": "1", "/opt": "2"}, "setpriv --reuid=7 --regid=8 --clear-groups stablemate a b"),
        (
            "0", {".": "2", "/opt": "2"},
            "setpriv --reuid=65534 --regid=65534 --clear-groups stablemate a b",
        ),
        ("5", {".": "1", "/opt": "2"}, "stablemate a b"),
    ],
)  # fmt: skip
def test_the_image_runs_as_the_owner_of_the_mounted_folder(
    tmp_path: Path, user: str, devices: dict[str, str], expected: str
) -> None:
    """``stat -c %d`` is the device of a folder; one that is mounted is another than the image's."""
    cases = "".join(f'  "-c %d {name}") echo {n} ;;\n' for name, n in devices.items())
    programs = {
        "id": f"echo {user}",
        "stat": f'case "$*" in\n{cases}  "-c %u:%g .") echo 7:8 ;;\nesac',
        "setpriv": 'echo setpriv "$@"',
        "stablemate": 'echo stablemate "$@"',
    }
    for name, body in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    command = [str(ROOT / ".docker/entrypoint"), "a", "b"]
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.defpath}"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"{expected}\n"


def test_the_image_is_built_from_the_files_that_it_copies() -> None:
    """``.dockerignore`` excludes all else: tests, documents, environments."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    named = {line[1:] for line in lines if line.startswith("!")}
    assert lines[1] == "*"
    copies = re.findall(r"^COPY (?!--from)(.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    sources = {s for copy in copies for s in copy.split()[:-1] if not s.startswith("--")}
    assert {source.partition("/")[0] for source in sources} == named
