"""Runs passes, prints the program between them, and lists them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from difflib import unified_diff
from textwrap import indent
from typing import Final

import click

import stablemate as sm
from stablemate.cli.input.programs import load_program
from stablemate.cli.options import color_for
from stablemate.cli.output.losses import losses_on_stderr
from stablemate.cli.output.output_files import check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.transforms.pass_pipeline import steps_of
from stablemate.transforms.passes import TABLE, Pass, pass_named

COLORS: Final = {"+": "green", "-": "red", "@": "cyan"}
OF_VHLO: Final = "vhlo-"


@dataclass(frozen=True, slots=True)
class RequestedPasses:
    """The passes and outputs that the command line requests; see ``stablemate opt --help``."""

    file: str
    passes: Sequence[str]
    stop_after: str | None
    print_after: Collection[str]
    print_after_all: bool
    print_changed: bool
    verify_each: bool
    generic: bool
    debug_info: bool
    output: str

    def text(self, module: sm.Module) -> str:
        """The program as it is to be printed."""
        text = module.to_text(generic=self.generic, debug_info=self.debug_info)
        return text.rstrip("\n") + "\n"


def run(asked: RequestedPasses) -> None:
    """Runs the passes and writes the program.

    Raises:
        ArgumentError: There is no such pass or option, or the file cannot be read or written.
        VerifyError: The program is not valid, or a pass made one that is not.
    """
    check_writable(asked.output)
    shown = {pass_named(name).name for name in asked.print_after}
    names = [step.name for text in asked.passes for step in steps_of(text)]
    for name in sorted(shown.difference(names)):
        pass_names = ", ".join(names) or "none"
        raise ArgumentValueError(f"cannot print after {name}: the passes are {pass_names}")
    upgrade = not (asked.passes and asked.passes[0].startswith(OF_VHLO))
    with progress(f"reading {asked.file}"):
        module = load_program(asked.file, upgrade=upgrade)
    if isinstance(module, sm.HloModule):
        with losses_on_stderr():
            module = module.to_stablehlo()
    before = [asked.text(module)] if asked.print_changed else []

    def after(name: str, module: sm.Module) -> None:
        if before:
            text = asked.text(module)
            print_lines(name, changes(before[0], text))
            before[0] = text
        elif asked.print_after_all or name in shown:
            print_lines(name, asked.text(module).splitlines())

    result = sm.opt(
        module, asked.passes, verify_each=asked.verify_each, stop_after=asked.stop_after,
        after=after,
    )  # fmt: skip
    text = asked.text(result).encode("utf-8", "surrogateescape")
    write_files({asked.output: lambda stream: stream.write(text)})


def changes(old: str, new: str) -> list[str]:
    """The changed lines, with context and positions."""
    return list(unified_diff(old.splitlines(), new.splitlines(), lineterm=""))[2:] or ["no change"]


def print_lines(name: str, lines: Sequence[str]) -> None:
    """Prints the program after a pass."""
    color = color_for(sys.stderr)
    click.echo(f"// ----- {name} -----", err=True)
    for line in lines:
        click.echo(click.style(line, fg=COLORS.get(line[:1])), err=True, color=color)


def list_text() -> str:
    """Lists all passes with their options for ``opt --list-passes``."""
    return "\n".join(line for row in TABLE for line in pass_lines(row))


def pass_lines(row: Pass) -> Iterator[str]:
    """A pass with its options."""
    names = ", ".join(f"--{name}" for name in (row.name, *row.aliases))
    yield names
    yield indent(row.sentence, "    ")
    for option in row.options:
        needed = ", needed" if option.required else ""
        yield f"      {option.name}=<{option.kind}>: {option.meaning}{needed}"
