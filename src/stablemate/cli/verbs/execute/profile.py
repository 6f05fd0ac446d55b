"""``stablemate profile``: measures the time of each kernel of a compiled program."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    WholeNumber,
    attention_option,
    elided_option,
    format_option,
    grid_of,
    input_options,
    layout_option,
    model_options,
    shared_options,
    trace_option,
)

GROUPINGS: Final = ("kernel", "layer", "module", "line", "operation")


@click.command("profile")
@click.argument("file", type=click.Path())
@click.option("--entry", metavar="NAME", help="The function; by default main, or the only one.")
@input_options
@click.option(
    "--threads", type=WholeNumber(min=1), metavar="N", help="How many threads it may use."
)
@click.option(
    "--runs",
    type=WholeNumber(min=1),
    default=3,
    metavar="N",
    show_default=True,
    help="Take the average of N runs.",
)
@click.option(
    "--list",
    "listed",
    type=WholeNumber(min=0),
    default=20,
    metavar="N",
    show_default=True,
    help="List the N groups that take longest.",
)
@click.option(
    "--group", type=click.Choice(GROUPINGS), default="kernel", show_default=True,
    help="What is a row: kernels of equal code, layers of equal structure (scopes whose names "
    "differ in numbers), scopes, lines of the source, or operations by name.",
)  # fmt: skip
@click.option(
    "--output", metavar="FILE.svg", help="Write the roofline as a standalone SVG picture."
)
@trace_option
@click.option(
    "--grid", callback=grid_of, metavar="RxP",
    help="Run R x P processes; the table is that of the first one.",
)  # fmt: skip
@attention_option
@format_option
@layout_option
@elided_option
@model_options
@shared_options
def command(runs: int, listed: int, output: str | None, group: str, **options: Any) -> None:
    """Print how long each kernel of a compiled program takes.

    Kernels of equal code are one row ('12 x k7'), with what they compute and the line of the
    source. Arithmetic and memory traffic are compared with the peak of the machine (its roofline),
    which is measured once.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.profile_tables import show_profile
    from stablemate.cli.verbs.execute.run_options import RunCommandOptions

    shown = show_profile(RunCommandOptions(**options), runs, listed, output, group)
    click.echo(shown.rstrip("\n"))
