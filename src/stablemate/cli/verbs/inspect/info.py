"""``stablemate info``: summarizes a program."""

from __future__ import annotations

from typing import Final

import click

from stablemate.cli.options import (
    WholeNumber,
    format_option,
    hlo_options,
    model_options,
    shared_options,
)

LISTED: Final = 10  # constants


@click.command("info")
@click.argument("file", type=click.Path())
@click.option(
    "--constants",
    type=WholeNumber(min=0),
    default=LISTED,
    metavar="N",
    show_default=True,
    help="List the N largest constants.",
)
@format_option
@hlo_options
@model_options
@shared_options
def command(
    file: str, constants: int, output_format: str, entry: str | None, layout: str | None
) -> None:
    """Summarize a program: its functions, operations, constants and sizes.

    Print the format, the producer, the versions that can read it, functions with estimated costs,
    operations, custom calls and constants. The program need not be valid. Of a folder, the
    programs in it are listed, as by 'stablemate dump'.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    import json
    from dataclasses import replace

    from stablemate.cli.input.dump_files import is_folder
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.progress import progress
    from stablemate.cli.verbs.inspect.program_summary import contents_json, contents_text

    if is_folder(file):
        from stablemate.cli.verbs.inspect.dump_report import show_overview

        click.get_current_context().exit(show_overview(file, output_format, constants))
    with progress(f"reading {file}"):
        contents = load_program(file, entry=entry, layout=layout).contents()
    contents = replace(contents, source=contents.source or file)
    if output_format == "json":
        click.echo(json.dumps(contents_json(contents, constants), indent=2))
    else:
        click.echo(contents_text(contents, constants))
