"""``stablemate fingerprint``: prints digests that identify programs."""

from __future__ import annotations

from collections.abc import Sequence

import click

from stablemate.cli.options import format_option, shared_options


@click.command("fingerprint")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--ignore",
    multiple=True,
    type=click.Choice(["constants"]),
    help="Ignore the values of constants.",
)
@click.option("--functions", is_flag=True, help="Print one line for each function.")
@format_option
@shared_options
def command(
    files: Sequence[str], ignore: Sequence[str], functions: bool, output_format: str
) -> None:
    """Print digests of programs that ignore names, locations and formats.

    The same program in text, bytecode and a portable artifact has one fingerprint, in every version
    of stablemate. The order of operations matters. Fingerprints of HLO differ from those of
    StableHLO.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    import json

    import stablemate as sm
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.progress import progress
    from stablemate.diagnostics.progress import with_progress

    documents: list[object] = []
    with progress("reading") as display:
        for file in with_progress(files, "file"):
            digests = sm.fingerprint(load_program(file), ignore=ignore)
            documents.append({"file": file, **digests.to_json()})
            lines: list[str] = []
            if output_format == "text":
                lines = [f"{digests}  {file}"]
                if functions:
                    named = digests.functions.items()
                    lines = [f"{digest}  {file}:{name}" for name, digest in named]
            with display.aside():
                for line in lines:
                    click.echo(line)
    if output_format == "json":
        click.echo(json.dumps(documents, indent=2))
