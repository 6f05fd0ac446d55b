"""``stablemate build``: builds a native library of a program."""

from __future__ import annotations

import click

from stablemate.cli.options import WholeNumber, elided_option, model_options, shared_options


@click.command("build")
@click.argument("file", type=click.Path())
@click.option(
    "-o",
    "--output",
    "directory",
    type=click.Path(),
    required=True,
    help="The directory of the library; its name is the prefix of the functions.",
)
@click.option(
    "--types",
    metavar="TYPE,...",
    help="One for each argument of main, in order, e.g. tensor<8x3xf32>: the sizes of a program "
    "that leaves them open.",
)
@click.option(
    "--batch",
    type=WholeNumber(min=1),
    metavar="N",
    help="The largest batch: what sizes that the program leaves open may be. By default the bound "
    "in its types.",
)
@click.option("--entry", metavar="NAME", help="The function; by default main, or the only one.")
@click.option("--name", metavar="NAME", help="Another prefix of functions and files.")
@click.option("--static", is_flag=True, help="A static library, which needs no C compiler.")
@click.option("--target", metavar="SYSTEM", help="Another system, such as aarch64-linux-gnu.")
@click.option(
    "--cpu", metavar="NAME", help="The oldest processor on which it runs, such as x86-64-v3."
)
@elided_option
@model_options
@shared_options
def command(
    file: str, directory: str, entry: str | None, name: str | None, static: bool,
    target: str | None, cpu: str | None, types: str | None, batch: int | None,
) -> None:  # fmt: skip
    """Build a library with a C header, which runs a program without Python."""
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.transform.library_files import build_files

    for line in build_files(
        file, directory, types, entry=entry, name=name, static=static, target=target, cpu=cpu,
        batch=batch,
    ):  # fmt: skip
        click.echo(line)
