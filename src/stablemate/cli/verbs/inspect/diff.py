"""``stablemate diff``: compares two programs by structure."""

from __future__ import annotations

import sys
from typing import Final

import click

from stablemate.cli.options import color_for, format_option, shared_options

DIFFERENT: Final = 1
LISTED: Final = 20  # modules of dumps
COLORS: Final = {"-": "red", "+": "green", "~": "yellow", ">": "blue"}


@click.command("diff")
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@format_option
@click.option("--debug-info", is_flag=True, help="Compare locations and names of the source too.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing, only set the exit code.")
@shared_options
@click.pass_context
def command(
    context: click.Context, a: str, b: str, output_format: str, debug_info: bool, quiet: bool
) -> None:
    """Compare two programs by structure, ignoring names and formatting.

    Names, locations and the order of functions do not count. Operations are paired by data flow:
    '-' is only in A, '+' only in B, '~' has changed, '>' has moved; the numbers are lines of A and
    of B. Two folders that a compiler dumped are compared module by module. Exits with 1 if there
    is a difference.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    import json

    import stablemate as sm
    from stablemate.cli.input.dump_files import is_folder
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.progress import progress

    if is_folder(a) and is_folder(b):
        from stablemate.cli.verbs.inspect.dump_report import show_difference

        context.exit(show_difference(a, b, output_format, quiet=quiet, listed=LISTED))
    with progress(f"comparing {a} and {b}"):
        difference = sm.diff(load_program(a), load_program(b), debug_info=debug_info)
    if quiet:
        context.exit(DIFFERENT if difference else 0)
    if output_format == "json":
        click.echo(json.dumps(difference.to_json(), indent=2))
    else:
        color = color_for(sys.stdout)
        for line in difference.lines():
            sign = line.strip()[:1]
            click.echo(click.style(line, fg=COLORS.get(sign)) if color else line, color=color)
    context.exit(DIFFERENT if difference else 0)
