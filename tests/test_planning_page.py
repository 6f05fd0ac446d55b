"""The page about planning: its commands print what it shows, its Python runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from stablemate.cli import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "planning.md").read_text()
COMMANDS = re.findall(r"```console\n\$ stablemate (.*?)\n(.*?)```", PAGE, re.S)
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.S)
# What depends on the processor that the compiler works for.
OWN = re.compile(r"(peak memory as the compiler arranges it).*?(?=\n\n|\Z)", re.S)


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_a_command_prints_what_the_page_shows(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, shlex.split(command))
    assert done.exit_code == 0, done.output
    assert OWN.sub(r"\1", done.stdout) == OWN.sub(r"\1", shown)


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_python_of_the_page_runs(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(text, "docs/planning.md", "exec"), {})


def test_the_page_has_commands_and_python() -> None:
    assert len(COMMANDS) == 3
    assert len(PROGRAMS) == 1
