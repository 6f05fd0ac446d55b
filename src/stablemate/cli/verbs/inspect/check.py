"""``stablemate check``: parses and verifies programs, and reports violated rules."""

from __future__ import annotations

from collections.abc import Sequence

import click

from stablemate.cli.options import hlo_options, shared_options


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="The output format; github prints workflow annotations, sarif a SARIF 2.1.0 log.",
)
@click.option("--strict", is_flag=True, help="Report warnings as errors.")
@click.option("-q", "--quiet", is_flag=True, help="Print no summary to stderr.")
@hlo_options
@shared_options
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    output_format: str,
    strict: bool,
    quiet: bool,
    entry: str | None,
    layout: str | None,
) -> None:
    """Parse and verify programs; report each violated rule and its location.

    An error is a violation that the reference verifier rejects, or a program without a meaning. A
    warning is a violation of the specification that the reference verifier accepts.

    Of a folder, all programs in it are checked. Files of a dump that hold none are skipped.

    Exits with 3 if a program is invalid, with 2 if a file cannot be read.
    """
    # Here and not above, because it loads much: help and completion stay instant.
    from stablemate.cli.verbs.inspect.check_report import run_check

    context.exit(run_check(files, output_format, entry, layout, strict=strict, quiet=quiet))
