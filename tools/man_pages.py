"""Writes the manual pages of the command line: one of the command, and one of each verb.

``python -m tools.man_pages OUT`` writes ``OUT/stablemate.1``, ``OUT/stablemate-run.1`` and so on;
``man -l OUT/stablemate-run.1`` shows one. The texts are those of ``--help``.

Source: man-pages(7), groff_man(7).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import stablemate
from stablemate.cli import VERBS, main


def escaped(text: str) -> str:
    """A text that groff prints as it is."""
    lines = text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in lines)


def page(command: click.Command, path: tuple[str, ...], summary: str) -> str:
    """The page of a command.

    Args:
        command: The command.
        path: The words that call it.
        summary: What it does, in a sentence.
    """
    context = click.Context(command, info_name=" ".join(path))
    name = "-".join(path)
    lines = [
        f'.TH "{name.upper()}" "1" "" "stablemate {stablemate.__version__}" "stablemate"',
        *(".SH NAME", rf"{escaped(name)} \- {escaped(summary.rstrip('.'))}"),
        *(".SH SYNOPSIS", f".B {escaped(' '.join(path))}"),
        *[escaped(piece) for piece in command.collect_usage_pieces(context)],
        *(".SH DESCRIPTION", *paragraphs(command.help or summary)),
        *(".SH OPTIONS", *options(command, context)),
    ]
    if command.epilog:
        lines += [".SH NOTES", *paragraphs(command.epilog)]
    others = [verb for verb in VERBS if verb != path[-1]] if len(path) == 1 else []
    see = [f"stablemate-{verb}" for verb in others] or ["stablemate"]
    pages = ",\n".join(rf"\fB{escaped(item)}\fR(1)" for item in see)
    return "\n".join([*lines, ".SH SEE ALSO", pages, ""])


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text; one that begins with a backspace keeps its lines."""
    for part in re.split(r"\n\s*\n", text.strip()):
        yield ".PP"
        if part.lstrip().startswith("\b"):
            yield ".nf"
            yield escaped(part.partition("\n")[2].rstrip())
            yield ".fi"
        else:
            yield escaped(" ".join(part.split()))


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """The options, with those that a verb does not list in its help."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield ".TP"
            yield rf"\fB{escaped(record[0])}\fR"
            yield escaped(record[1])


def write_pages(folder: Path) -> list[Path]:
    """Writes all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    context = click.Context(main, info_name="stablemate")
    summary = "read, check, run and compile StableHLO and XLA HLO programs"
    pages = {"stablemate": page(main, ("stablemate",), summary)}
    for verb, sentence in VERBS.items():
        command = main.get_command(context, verb)
        assert command is not None
        pages[f"stablemate-{verb}"] = page(command, ("stablemate", verb), sentence)
    paths: list[Path] = []
    for name, text in pages.items():
        paths.append(folder / f"{name}.1")
        paths[-1].write_text(text)
    return paths


def write_named() -> int:
    """Writes the pages to the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tools.man_pages")
    parser.add_argument("out", type=Path, help="the folder")
    paths = write_pages(parser.parse_args().out)
    print(f"{len(paths)} pages: {paths[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(write_named())
