"""``stablemate dbg``: steps through a run."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.verbs.execute.observed_run import interpreting_options

EPILOG: Final = """\b
Commands: step, next, finish, continue, break, print, stats, where, up, down,
list, quit; help explains them. In a terminal lines can be edited and recalled;
through a pipe, commands come from stdin.

\b
  stablemate dbg model.mlir --input=1 -x 'break add if max > 3' -x continue
"""


@click.command("dbg", epilog=EPILOG)
@click.argument("file", type=click.Path())
@click.option(
    "-x",
    "--command",
    "commands",
    multiple=True,
    metavar="COMMAND",
    help="Run this debugger command first; @FILE holds one command per line.",
)
@interpreting_options
def command(commands: tuple[str, ...], **options: Any) -> None:
    """Step through a program and inspect its values.

    The program runs in the interpreter, which stops after an operation, when its results are
    available.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.debugger_prompt import run
    from stablemate.cli.verbs.execute.session import RunCommandOptions

    click.get_current_context().exit(run(RunCommandOptions(**options), commands))
