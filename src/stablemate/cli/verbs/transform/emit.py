"""``stablemate emit``: prints the output of a stage of the compiler."""

from __future__ import annotations

from typing import Final

import click

from stablemate.cli.options import elided_option, shared_options

# Those of the compiler, named here so that help is instant.
STAGES: Final = ("module", "fusion", "nest", "plan", "llvm", "asm")

WORDS: Final = """\b
Stages:
  module   the program with the operations that are compiled
  fusion   which operations share a kernel, and which values are kept in memory
  nest     the loops of each kernel
  plan     which kernel runs when, on which buffers
  llvm     the kernels in LLVM's language
  asm      and in the machine's
"""


@click.command("emit", epilog=WORDS)
@click.argument("file", type=click.Path())
@click.argument("stage", type=click.Choice(STAGES))
@click.option("--entry", metavar="NAME", help="The function; by default main, or the only one.")
@elided_option
@shared_options
def command(file: str, stage: str, entry: str | None) -> None:
    """Print the output of a stage of the compiler."""
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.compilation import emit_stage

    click.echo(emit_stage(file, stage, entry).rstrip("\n"))
