"""``stablemate emit``: prints the output of a stage of the compiler."""

from __future__ import annotations

from typing import Final

import click

from stablemate.cli.options import attention_option, elided_option, model_options, shared_options

# Those of the compiler, named here so that help is instant.
STAGES: Final = ("module", "fusion", "nest", "plan", "llvm", "asm")

WORDS: Final = """\b
Stages:
  module   the program with the operations that are compiled
  fusion   which operations share a kernel, and which values are kept in memory
  nest     the loops of each kernel
  plan     which kernel runs when, on which buffers
  llvm     the kernels as LLVM IR
  asm      the kernels as assembly
"""


@click.command("emit", epilog=WORDS)
@click.argument("file", type=click.Path())
@click.argument("stage", type=click.Choice(STAGES), required=False)
@click.option(
    "--html",
    is_flag=True,
    help="Write a page that shows all stages side by side, with lines linked by kernel and "
    "operation.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Where the output is written; by default, and with '-', to stdout.",
)
@click.option("--entry", metavar="NAME", help="The function; by default main, or the only one.")
@attention_option
@elided_option
@model_options
@shared_options
def command(
    file: str, stage: str | None, entry: str | None, output: str | None, *,
    attention: bool | None, html: bool,
) -> None:  # fmt: skip
    """Print the output of a stage of the compiler, or a page of all stages."""
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
    from stablemate.cli.verbs.compilation import emit_page, emit_stage

    if html == (stage is not None):
        wrong = (
            "--html shows all stages: it takes none" if html else "a stage is missing, or --html"
        )
        raise click.UsageError(wrong)
    path = output or STDOUT
    check_writable(path)
    if stage is None:
        text = emit_page(file, entry, attention)
    else:
        text = emit_stage(file, stage, entry, attention)
    content = f"{text.rstrip(chr(10))}\n".encode()
    write_files({path: lambda stream: stream.write(content)})
