"""``stablemate reduce``: reduces a program while a command keeps failing."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    BoundedNumber,
    format_option,
    input_options,
    model_options,
    shared_options,
)

EXAMPLES: Final = """\b
Examples:
  stablemate reduce m.mlir --check 'stablemate check {}'
  stablemate reduce m.mlir --random-seed=0 --check 'my-compiler {} | my-runner {inputs}'
  stablemate reduce m.mlir --check 'other-tool {}' --match 'Assertion .* failed'
  stablemate reduce m.mlir --check 'other-tool {}' --timeout=10    # keeps that it hangs

The command ends with the reduced program as it does with the whole one: with the same exit code,
by the same signal, or not at all.
"""


@click.command("reduce", epilog=EXAMPLES)
@click.argument("file", type=click.Path())
@click.option(
    "--check", "command_text", required=True, metavar="COMMAND",
    help="A shell command; {} is the file of the program, {inputs} its --input=@FILE options.",
)  # fmt: skip
@click.option(
    "--match",
    metavar="REGEX",
    help="A regular expression that the output of the command must match.",
)
@click.option(
    "--timeout", type=BoundedNumber(min=0, min_open=True), metavar="SECONDS",
    help="Stop the command after this many seconds.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE",
    help="The file of the reduced program; its inputs are written beside it, as .npz.",
)  # fmt: skip
@click.option("--entry", metavar="NAME", help="The function; by default main, or the only one.")
@input_options
@format_option
@model_options
@shared_options
def command(
    command_text: str, match: str | None, timeout: float | None, output: str | None, **options: Any
) -> None:
    """Reduce a program and its inputs while a command keeps failing.

    Values that an excerpt needs from the rest of the program become arguments, with the values that
    they had there. Operations, regions, results, sizes and literals are removed as long as the
    command ends as before.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.run_options import RunCommandOptions
    from stablemate.cli.verbs.transform.reduction import run_reduction

    run_reduction(RunCommandOptions(**options), command_text, match, timeout, output)
