"""``stablemate compare``: compares two executors, programs or traces value by value."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    WholeNumber,
    elided_option,
    format_option,
    input_options,
    layout_option,
    model_options,
    shared_options,
)
from stablemate.cli.verbs.execute.run import order_option
from stablemate.cli.verbs.execute.tolerances import tolerance_options

EXECUTORS: Final = ("cpu", "interpreter", "xla")
EXAMPLES: Final = """\b
Examples:
  stablemate compare m.mlir --random-seed=0                    native code and interpreter
  stablemate compare m.mlir --random-seed=0 --against=xla
  stablemate compare old.mlir new.mlir --input=@x.npy
  stablemate compare traces/cpu traces/interpreter             what trace --save has written

Exit code 1: a result is outside the tolerance, or exists on one side only.
"""


@click.command("compare", epilog=EXAMPLES)
@click.argument("file", type=click.Path())
@click.argument("other", type=click.Path(), required=False)
@click.option(
    "--backend", type=click.Choice(EXECUTORS), default="cpu", show_default=True,
    help="The executor of the program, or of both.",
)  # fmt: skip
@click.option(
    "--against", type=click.Choice(EXECUTORS), default="interpreter", show_default=True,
    help="The executor to compare with, if there is no other program.",
)  # fmt: skip
@click.option("--results-only", is_flag=True, help="Compare results only, not intermediate values.")
@click.option(
    "--listed", type=WholeNumber(min=0), default=20, metavar="N", show_default=True,
    help="How many values that differ are printed; of others they are counted.",
)  # fmt: skip
@click.option("--entry", metavar="NAME", help="The computation of HLO that is its entry.")
@order_option
@input_options
@tolerance_options
@layout_option
@format_option
@elided_option
@model_options
@shared_options
def command(
    other: str | None, against: str, results_only: bool, listed: int, ulp: int | None,
    atol: float | None, rtol: float | None, **options: Any,
) -> None:  # fmt: skip
    """Compare the values of two executors, two programs or two traces.

    For results and intermediate values, print the largest error in ulp, absolute and relative,
    and the cosine similarity. What differs is printed, what agrees is counted. The first value
    outside the tolerance is reported with its location.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.analysis.tolerance import Tolerance
    from stablemate.cli.verbs.execute.comparison import run_comparison
    from stablemate.cli.verbs.execute.session import RunCommandOptions

    tolerance = Tolerance.from_options(ulp, atol, rtol)
    code = run_comparison(
        RunCommandOptions(**options),
        other,
        against,
        tolerance,
        steps=not results_only,
        listed=listed,
    )
    click.get_current_context().exit(code)
