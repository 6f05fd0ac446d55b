"""``stablemate bisect``: finds the first operation that diverges from the interpreter."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    elided_option,
    format_option,
    input_options,
    layout_option,
    model_options,
    shared_options,
)
from stablemate.cli.verbs.execute.compare import EXECUTORS
from stablemate.cli.verbs.execute.run import order_option
from stablemate.cli.verbs.execute.tolerances import tolerance_options

EXAMPLES: Final = """\b
Examples:
  stablemate bisect m.mlir --random-seed=0                     native code
  stablemate bisect m.mlir --input=@x.npy --backend=xla
  stablemate bisect good.mlir bad.mlir --random-seed=0         which operation differs
  stablemate bisect m.mlir --random-seed=0 -o piece.mlir       and as a program, with inputs

Exit code 1: a result of the program differs, and the operation was found.
Exit code 0: the results agree, even if values on the way diverge.
"""


@click.command("bisect", epilog=EXAMPLES)
@click.argument("file", type=click.Path())
@click.argument("other", type=click.Path(), required=False)
@click.option(
    "--backend", type=click.Choice(EXECUTORS), default="cpu", show_default=True,
    help="The executor of the program, or of the second one.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE",
    help="Write the operation as a program; its inputs are written beside it, as .npz.",
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
    other: str | None, output: str | None, ulp: int | None, atol: float | None,
    rtol: float | None, **options: Any,
) -> None:  # fmt: skip
    """Find the first operation whose result diverges from the interpreter's.

    Each excerpt of the program runs on the interpreter's values, so that earlier errors do not add
    up. The search descends into loops and branches. With a second program of the same structure,
    the command finds the operation in which that program differs.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.analysis.tolerance import Tolerance
    from stablemate.cli.verbs.execute.comparison import run_bisection
    from stablemate.cli.verbs.execute.session import RunCommandOptions

    tolerance = Tolerance.from_options(ulp, atol, rtol)
    click.get_current_context().exit(
        run_bisection(RunCommandOptions(**options), other, output, tolerance)
    )
