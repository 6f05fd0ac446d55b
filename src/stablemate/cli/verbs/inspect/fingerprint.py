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

    documents: list[object] = []
    for file in files:
        with progress(f"reading {file}"):
            digests = sm.fingerprint(load_program(file), ignore=ignore)
        documents.append({"file": file, **digests.to_json()})
        if output_format == "text" and functions:
            for name, digest in digests.functions.items():
                click.echo(f"{digest}  {file}:{name}")
        elif output_format == "text":
            click.echo(f"{digests}  {file}")
    if output_format == "json":
        click.echo(json.dumps(documents, indent=2))
