"""``stablemate dump``: shows what a compiler dumped."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import WholeNumber, format_option, shared_options

LISTED: Final = 10  # rows unless more are asked for: what a screen shows
EXAMPLES: Final = """\b
Examples:
  XLA_FLAGS=--xla_dump_to=dump python train.py         makes a dump
  stablemate dump dump                                 what is in it
  stablemate dump dump --module=jit_step --passes      what each pass changed
  stablemate dump dump --module=8 --from=fusion        from a stage to the last
  stablemate view dump -o dump.html                    as a page
"""


@click.command("dump", epilog=EXAMPLES)
@click.argument("folder", type=click.Path())
@click.option(
    "--module", metavar="NAME", help="Show this module alone, by its name or number; else the list "
    "of modules and the most expensive one.",
)  # fmt: skip
@click.option("--from", "first", metavar="STAGE", help="The stage from which changes are shown.")
@click.option("--to", "second", metavar="STAGE", help="The stage to which changes are shown.")
@click.option(
    "--passes", is_flag=True, help="Show what each pass changed, even if the programs are large."
)
@click.option(
    "--list", "listed", type=WholeNumber(min=0), default=LISTED, metavar="N", show_default=True,
    help="List the N largest modules, kernels and buffers.",
)  # fmt: skip
@click.option(
    "--no-cost", is_flag=True, help="List modules without reading their programs: no cost."
)
@format_option
@shared_options
def command(**options: Any) -> None:
    """Show what a compiler dumped: modules, passes, memory and kernels.

    A dump is a folder that XLA (--xla_dump_to, for CPU, GPU and TPU), JAX (JAX_DUMP_IR_TO),
    PyTorch/XLA (XLA_SAVE_TENSORS_FILE, PT_XLA_DEBUG_FILE) or IREE (--dump-compilation-phases-to)
    has written. Exits with 3 if a program in it cannot be read.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.inspect.dump_report import show_dump

    click.get_current_context().exit(show_dump(**options))
