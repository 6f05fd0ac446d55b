"""``stablemate cost``: estimates memory, arithmetic and communication."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import (
    WholeNumber,
    format_option,
    grid_of,
    layout_option,
    shared_options,
    value_option,
)

LISTED: Final = 10  # operations and buffers
SYNTAX: Final = """\b
A network is one level or more, the innermost first, with commas between them:
  5us:2GB/s                     alpha and one over beta: a message of n bytes
                                takes 5 us + n / (2 GB/s)
  8@1us:100GB/s,5us:10GB/s      8 processes with consecutive numbers are joined
                                by the first level, all of them by the last one
  8@1us:100GB/s,128@5us:10GB/s,20us:5GB/s
A bandwidth is that of a process while all others send, too.
Units are s, ms, us, ns; B/s, kB/s, ... PB/s, KiB/s, ..., kbit/s, ... Gbit/s.

\b
A machine is the arithmetic and the memory bandwidth of a process:
  100:20                        100 GFLOP/s and 20 GB/s
  300TFLOP/s:2TB/s
"""


@click.command("cost", epilog=SYNTAX)
@click.argument("file", type=click.Path())
@click.option(
    "--entry",
    metavar="NAME",
    help="The function; by default main, or the only one; of HLO the computation.",
)
@click.option(
    "--grid",
    callback=grid_of,
    metavar="RxP",
    help="R replicas of P partitions; by default the grid of the program.",
)
@click.option(
    "--sizes",
    "--size",
    "sizes",
    metavar="N=SIZE,...",
    help="Unknown sizes of the arguments, those of a model of ONNX by its names; without them the "
    "cost is given as formulas.",
)
@click.option("--network", metavar="LEVELS", help="The network between processes; see below.")
@click.option(
    "--machine",
    metavar="RATES",
    help="The speed of each process; see below. With a network, by default this machine.",
)
@click.option("--algorithms", is_flag=True, help="List all algorithms of collective operations.")
@click.option(
    "--list",
    "listed",
    type=WholeNumber(min=0),
    default=LISTED,
    metavar="N",
    show_default=True,
    help="List the N largest functions, operations, buffers, collectives.",
)
@click.option("--no-plan", is_flag=True, help="Do not plan the memory of the compiled program.")
@format_option
@layout_option
@value_option
@shared_options
def command(**options: Any) -> None:
    """Estimate memory, arithmetic and communication before a program runs.

    The estimate is for one call: arithmetic and memory traffic of each function and operation; peak
    memory and its largest buffers, for operations executed one by one and for the compiled program;
    messages and algorithms of collective operations between the processes of a grid; and the time
    of all.

    A loop is counted by its trip count, or once if that is not known. Of a folder, the modules in
    it are listed with their cost.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.input.dump_files import is_folder
    from stablemate.cli.verbs.inspect.cost_tables import show_cost

    if is_folder(options["file"]):
        from stablemate.cli.verbs.inspect.dump_report import show_overview

        code = show_overview(options["file"], options["output_format"], options["listed"])
        click.get_current_context().exit(code)

    click.echo(show_cost(**options))
