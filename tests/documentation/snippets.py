"""What stands in the fences of a page, and how it is run.

A page runs from top to bottom in a directory of its own, which has ``examples`` in it as a checkout
has. Its blocks share one namespace of Python and one directory:

* ``pycon`` shows what Python answers, ``console`` what a command prints, standard error included;
  ``...`` stands for anything. ``python`` and ``sh`` show no answer: they have to succeed.
* A block with a caption, ``{code-block} mlir`` with ``:caption: add.mlir``, is a file.

A comment in front of a block says why it is not run, or what of its output is not compared::

    <!-- not run: needs eight devices -->
    <!-- varies (times of one machine): [0-9.]+ -->
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner
from markdown_it import MarkdownIt

from stablemate.cli import main

ROOT: Final = Path(__file__).parents[2]
COMMENT: Final = re.compile(r"<!-- *(not run: *(?P<why>.+?)|varies \((.+?)\): *(?P<what>.+?)) *-->")
SHELL: Final = set("|<>;&$`*?~()")
WIDTH: Final = "100"
SECONDS: Final = 600.0
# A checkout need not be installed, and no other plugin is needed.
PYTEST: Final = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_PLUGINS": "stablemate.testing.plugin",
}


@dataclass(frozen=True, slots=True)
class Block:
    """A fence.

    Attributes:
        language: What it says it is.
        text: What stands in it.
        line: Where its first line of text is in the page, from 1.
        caption: The name of the file that it is; empty if it is none.
        skipped: Why it is not run; empty if it is.
        varies: What of its output is not compared, as a regular expression.
    """

    language: str
    text: str
    line: int
    caption: str = ""
    skipped: str = ""
    varies: str = ""


def blocks_of(page: str) -> Iterator[Block]:
    """The fences of a page, in their order.

    Raises:
        ValueError: A comment about a block stands in front of none.
    """
    match_result: re.Match[str] | None = None
    for token in MarkdownIt().parse(page):
        if token.type == "html_block":
            match_result = COMMENT.match(token.content)
            if match_result is None and re.match(r"<!-- *(not run|varies)", token.content):
                raise ValueError(f"no reason: {token.content}")
            continue
        if token.type == "fence":
            directive, _, rest = token.info.strip().partition(" ")
            language = rest if directive.startswith("{code-block") else directive
            caption, text = captioned(token.content) if rest else ("", token.content)
            begin = (token.map or [0])[0] + 2 + token.content.count("\n") - text.count("\n")
            groups = match_result.groupdict() if match_result else {}
            yield Block(
                language, text, begin, caption, groups.get("why") or "", groups.get("what") or ""
            )
        elif match_result is not None:
            raise ValueError(f"in front of no block: {match_result.group()}")
        match_result = None


def captioned(text: str) -> tuple[str, str]:
    """The caption of a directive, and its text."""
    match_ = re.match(r"((?::[a-z-]+:.*\n)*)\n?", text)
    assert match_ is not None
    caption = re.search(r":caption: *(.+)", match_.group(1))
    return (caption.group(1).strip() if caption else ""), text[match_.end() :]


@dataclass(slots=True)
class Page:
    """A page that is run.

    Attributes:
        name: What failures call it.
        home: The directory in which it runs.
        names: What its Python has bound.
        status: The exit code of the command before.
        ran: How many commands and statements ran.
    """

    name: str
    home: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    status: int = 0
    ran: int = 0

    def run(self, block: Block) -> None:
        """Runs a block, or writes it to a file; not what is no program.

        Raises:
            AssertionError: It does not do what the page says.
        """
        if block.caption and not block.skipped:
            path = self.home / block.caption
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text)
        elif not block.skipped:
            match block.language:
                case "pycon":
                    self.session(block)
                case "python":
                    place = "\n" * (block.line - 1)
                    exec(compile(place + block.text, self.name, "exec"), self.names)
                    self.ran += 1
                case "console" | "sh":
                    self.commands(block)
                case _:
                    pass

    def session(self, block: Block) -> None:
        """Runs what was typed into Python, and compares what it says."""
        parsed = doctest.DocTestParser().get_doctest(
            block.text, self.names, self.name, self.name, block.line - 1
        )
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        collected: list[str] = []
        completed = runner.run(parsed, out=collected.append, clear_globs=False)
        self.names.update(parsed.globs)
        self.ran += completed.attempted
        assert completed.failed == 0, "".join(collected)

    def commands(self, block: Block) -> None:
        """Runs commands, and compares what they print if the block shows it."""
        for command, wanted in typed(block.text) if block.language == "console" else ():
            got = self.shell(command)
            alike = answers(wanted, got, block.varies)
            assert alike, f"{self.name}:{block.line}: $ {command}\nshown:\n{wanted}\ngot:\n{got}"
        for command in logical_lines(block.text) if block.language == "sh" else ():
            got = self.shell(command)
            assert self.status == 0, f"{self.name}:{block.line}: $ {command}\n{got}"

    def shell(self, command: str) -> str:
        """What a command prints; our own run in this process, if no shell is needed."""
        self.ran += 1
        words = shlex.split(command, comments=True)
        quoted = shlex.split(command, comments=True, posix=False)
        if words[:1] == ["stablemate"] and not any(needs_shell(item) for item in quoted):
            done = CliRunner().invoke(main, words[1:], env={"COLUMNS": WIDTH})
            self.status = done.exit_code
            return done.output
        environment = {
            **os.environ,
            "COLUMNS": WIDTH,
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sy for sy in sys.path if sy),
            **PYTEST,
        }
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.status})\n{command}"],
            env=environment, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.status = done.returncode
        return done.stdout


def set_up(home: Path) -> None:
    """Makes a directory in which a page can run."""
    shutil.copytree(ROOT / "examples", home / "examples")
    (home / "bin").mkdir()
    for name, options in (("stablemate", "-m stablemate"), ("python", "")):
        script = home / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {options} "$@"\n')
        script.chmod(0o755)


def needs_shell(word: str) -> bool:
    """Whether a shell would do something about a word."""
    bare = re.sub(r"'[^']*'", "", word)
    return bool(set(bare) & SHELL)


def typed(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a session with what is shown behind each."""
    _, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    for part in parts:
        first, *rest = part.splitlines()
        while rest and first.endswith("\\"):
            first = first[:-1] + rest.pop(0).removeprefix("> ").lstrip()
        yield first, "\n".join(rest)


def logical_lines(text: str) -> Iterator[str]:
    """The commands of a script."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line


def answers(wanted: str, got: str, varies: str) -> bool:
    """Whether an output is the one that is shown."""
    wanted, got = (plain(item, varies) for item in (wanted, got))
    return doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)


def plain(text: str, varies: str) -> str:
    """An output without what varies, nor blanks at ends of lines."""
    if varies:
        text = re.sub(r"[ -]+", " ", re.sub(varies, "", text, flags=re.DOTALL))
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"
