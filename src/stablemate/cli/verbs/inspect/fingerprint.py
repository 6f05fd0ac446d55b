"""``stablemate fingerprint``: what tells one program from another."""

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
    help="What does not count: the values of constants.",
)
@click.option("--functions", is_flag=True, help="Print one line for each function.")
@format_option
@shared_options
def command(
    files: Sequence[str], ignore: Sequence[str], functions: bool, output_format: str
) -> None:
    """Print digests of programs that do not depend on names, locations and formats.

    The same program in text, bytecode and a portable artifact has one fingerprint, in every version
    of stablemate. Operations in another order are another program. HLO has fingerprints of its own.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    import json

    import stablemate as sm
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.progress import progress

    found: list[object] = []
    for file in files:
        with progress(f"reading {file}"):
            made = sm.fingerprint(load_program(file), ignore=ignore)
        found.append({"file": file, **made.to_json()})
        if output_format == "text" and functions:
            for name, digest in made.functions.items():
                click.echo(f"{digest}  {file}:{name}")
        elif output_format == "text":
            click.echo(f"{made}  {file}")
    if output_format == "json":
        click.echo(json.dumps(found, indent=2))
