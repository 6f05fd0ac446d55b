"""``stablemate check``: parse and verify programs; say which rule is broken where."""

from __future__ import annotations

from collections.abc import Sequence

import click

from stablemate.cli.options import hlo_options, shared_options


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="How to print; github makes annotations of a workflow.",
)
@click.option("-q", "--quiet", is_flag=True, help="No summary on stderr.")
@hlo_options
@shared_options
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    output_format: str,
    quiet: bool,
    entry: str | None,
    layout: str | None,
) -> None:
    """Parse and verify programs; say which rule is broken where.

    Exits with 3 if a program is invalid, with 2 if a file cannot be read.
    """
    # Here and not above, because it loads much: help and completion stay instant.
    from stablemate.cli.verbs.inspect.check_report import checked

    context.exit(checked(files, output_format, quiet, entry, layout))
