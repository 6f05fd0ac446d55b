"""``stablemate refine``: infers shapes from argument types and prints the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from stablemate.cli.options import STDOUT, shared_options

if TYPE_CHECKING:
    from stablemate.api.module import Module


@click.command("refine")
@click.argument("file", type=click.Path())
@click.option(
    "--types",
    metavar="TYPE,...",
    help="One for each argument, in order, e.g. tensor<4xf32>,tensor<i32>; by default the declared "
    "types.",
)
@click.option("--generic", is_flag=True, help='Write every operation as "dialect.name"(...).')
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Write to a file.")
@shared_options
def command(file: str, types: str | None, generic: bool, output: str) -> None:
    """Print a program with the shapes inferred from its argument types.

    Shapes are propagated through calls, loops and branches; size computations become constants, and
    dynamic operations become static. Assertions about sizes are checked.
    """
    # Here and not above, because they load much: help and completion stay instant.
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.output_files import check_writable, write_files
    from stablemate.cli.output.progress import progress

    check_writable(output)
    with progress(f"refining {file}"):
        refined = load_program(file).refine(types)
        text = refined.to_text(generic=generic).rstrip("\n") + "\n"
    write_files({output: lambda stream: stream.write(text.encode("utf-8", "surrogateescape"))})
    if names := open_shapes(refined):
        others = f" and {len(names) - 1} more keep" if len(names) > 1 else " keeps"
        click.echo(f"note: {names[0]}{others} sizes that are known only at run time", err=True)


def open_shapes(module: Module) -> list[str]:
    """The operations whose results have unknown sizes."""
    return [
        operation.name
        for operation in module.operation.walk()
        if any("?" in str(value.type) for value in operation.results)
    ]
