"""``stablemate nan``: finds where the first NaN of a run originates."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.verbs.execute.observed_run import observing_options

KINDS: Final = ("nan", "inf", "denormal", "overflow")  # named here so that help is instant
EPILOG: Final = """\b
What is found:
  nan       a NaN; not a constant that nothing was done with
  inf       an infinity, where it originates or comes in with an argument
  denormal  a number below the normal ones of its type, likewise
  overflow  infinite of finite numbers, a conversion out of range, signed
            integers of up to 32 bits that wrap around

\b
Exit codes: 1 something was found, 0 nothing was.
"""


@click.command("nan", epilog=EPILOG)
@click.argument("file", type=click.Path())
@click.option(
    "--find",
    multiple=True,
    type=click.Choice(KINDS),
    default=("nan", "inf"),
    show_default=True,
    help="What to search for; may be repeated.",
)
@observing_options
def command(find: tuple[str, ...], **options: Any) -> None:
    """Run a program until the first NaN or infinity, and report where it originates.

    The report names the operation and its line, the iteration of each enclosing loop, the calls,
    the operands, and whether one of these already contained the value.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.search_report import run
    from stablemate.cli.verbs.execute.session import RunCommandOptions

    click.get_current_context().exit(run(RunCommandOptions(**options), find))
