"""``stablemate view``: shows a program as a page or an outline."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    WholeNumber,
    elided_option,
    hlo_options,
    input_options,
    model_options,
    shared_options,
)

EPILOG: Final = """\b
Examples:
  stablemate view model.mlir -o model.html
  stablemate view model.mlir --serve --overlay=cost
  stablemate view model.mlir --serve --overlay=profile --random-seed=0
"""


@click.command("view", epilog=EPILOG)
@click.argument("file", type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Where the page, or the output of --format, is written; '-' is stdout.",
)
@click.option("--serve", is_flag=True, help="Open the page in the browser; Ctrl-C ends that.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["html", "text", "json", "model-explorer"]),
    help="html: a page of its own; text: the outline; json: the graph as the page has it; "
    "model-explorer: graphs for Model Explorer. By default html with -o or --serve, else text.",
)
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    metavar="WHAT",
    help="Color operations by numbers: 'cost' by their formulas, 'profile' by the time of a run, "
    "'trace' by the statistics of a run's values, 'compare' by the difference between native code "
    "and the interpreter, 'nan' "
    "where the first NaN or infinity originates, 'bisect' where native code first diverges from "
    "the interpreter, 'bisect:PROGRAM' where this program diverges from another, or those in a "
    "JSON file, {name, unit, kind, values: {operation: number}}.",
)
@input_options
@click.option(
    "--depth",
    type=WholeNumber(min=0),
    default=2,
    metavar="N",
    show_default=True,
    help="How many levels the outline shows.",
)
@hlo_options
@elided_option
@model_options
@shared_options
def command(**options: Any) -> None:
    """Show a program as an interactive page, or as an outline in the terminal.

    Operations are grouped by function, region and scope of the source. The page is one file that
    needs no network; '?' lists its keys. The program need not be valid. Of a folder that a compiler
    dumped, the page has all modules.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.inspect.page import ViewOptions, show

    show(ViewOptions(**options))
