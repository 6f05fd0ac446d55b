"""``stablemate trace``: prints the results of every operation of a run."""

from __future__ import annotations

from typing import Any

import click

from stablemate.cli.options import WholeNumber
from stablemate.cli.verbs.execute.observed_run import chosen_options, observing_options

EPILOG = """\b
A condition compares numbers that are known of a result:
  count nans infinities negative_infinities zeros denormals min max mean std
such as --where='nans > 0 or max > 1e3'.

\b
A trace is saved as a directory (index.json and .npy files), NAME.npz or NAME.json;
sm.load_trace reads it. What fails half-way gives the trace up to there, and exit code 4.
"""


@click.command("trace", epilog=EPILOG)
@click.argument("file", type=click.Path())
@chosen_options
@click.option(
    "--where", metavar="CONDITION", help="Only events with a result that satisfies the condition."
)
@click.option(
    "--keep",
    metavar="PATTERN",
    help="Keep all elements of the results of these operations; '*' keeps all.",
)
@click.option("--save", metavar="PATH", help="Write the trace to a directory.")
@click.option(
    "--limit",
    type=WholeNumber(min=0),
    default=1_000_000,
    metavar="N",
    show_default=True,
    help="Record the first N events.",
)
@click.option(
    "--print-limit",
    type=WholeNumber(min=0),
    default=1000,
    metavar="N",
    show_default=True,
    help="Print the first N events.",
)
@observing_options
def command(
    operations: tuple[str, ...],
    functions: tuple[str, ...],
    lines: tuple[str, ...],
    locations: tuple[str, ...],
    where: str | None,
    keep: str | None,
    save: str | None,
    limit: int,
    **options: Any,
) -> None:
    """Run a program and print the results of every operation.

    Each result is listed with its range, mean and standard deviation, and the numbers of NaNs,
    infinities, zeros and denormals. Loops are traced iteration by iteration.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.run_options import RunCommandOptions
    from stablemate.cli.verbs.execute.trace_tables import TraceOptions, run

    chosen = TraceOptions(operations, functions, lines, locations, where, keep, save, limit)
    click.get_current_context().exit(run(RunCommandOptions(**options), chosen))
