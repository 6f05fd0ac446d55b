"""``stablemate run``: runs a program, and prints, writes or compares its results."""

from __future__ import annotations

import os
from typing import Any, Final

import click

from stablemate.cli.input.test_data import with_test_data
from stablemate.cli.options import (
    BoundedNumber,
    WholeNumber,
    attention_option,
    elided_option,
    format_option,
    grid_of,
    layout_option,
    model_options,
    shared_options,
    trace_option,
)

BACKENDS: Final = ("cpu", "interpreter")  # those of the API, named here so that help is instant
UNITS: Final = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

# How launchers of MPI tell a process how many there are.
JOB_SIZES: Final = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS")

SYNTAX: Final = """\b
A value is one of
  2x3xf32=[1 2 3][4 5 6]   a type and numbers, row by row
  2x3xf32=1.5              one number for all elements
  4xi32                    zeros
  f32=3   complex<f32>=(1,2)   i1=true   f32=nan   2xi8=[0x7F -1]
  [1 2 3]                  of the type that the program expects
  random:0                 random elements, the same ones for the same number
  @a.npy   @a.npz:name     a file of NumPy
  @a.pb    @test_data_set  a tensor of ONNX; all inputs, or outputs, of a folder of ONNX's tests
  2x2xi32=@raw.bin         any other file: its little-endian elements
  -                        a .npy in stdin

\b
An output is one of @y.npy, @y.npz:name, @raw.bin, and '-' for a .npy in stdout.
Results without an output are printed as values.

\b
On a grid, as many inputs as there are arguments are those of every process, or cut into
pieces as the shardings of the program say; more of them, like outputs, are those of (0,0), then of
(0,1), and so on. {process}, {replica} and {partition} in a name are the numbers of a process.
"""


def number_of_bytes(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> int | None:
    """The number of bytes in ``1000`` or ``4GiB``."""
    if text is None:
        return None
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    digits = text.removesuffix(unit)
    if not digits.isdecimal() or len(digits) > 18:
        message = f"expected a number of bytes such as 1000 or 4GiB, not '{text}'"
        raise click.BadParameter(message, context, parameter)
    return int(digits) * UNITS.get(unit, 1)


def default_carrier() -> str:
    """``mpi`` in a process that ``mpiexec`` has started together with others."""
    return "mpi" if any(int(os.environ.get(name) or 1) > 1 for name in JOB_SIZES) else "lockstep"


order_option: Final = click.option(
    "--order",
    type=click.Choice(["reference", "fast"]),
    default="reference",
    help="Order of the interpreter's sums: of upstream's interpreter, to the bit, or of NumPy.",
)


@click.command("run", epilog=SYNTAX)
@click.argument("file", type=click.Path())
@click.argument("others", nargs=-1, type=click.Path())
@click.option(
    "--entry",
    metavar="NAME",
    help="The function; by default main, or the only one; of HLO the computation.",
)
@click.option(
    "--input", "inputs", multiple=True, metavar="VALUE", help="One for each argument, in order."
)
@click.option(
    "--output", "outputs", multiple=True, metavar="@FILE", help="One for each result, in order."
)
@click.option(
    "--expected",
    multiple=True,
    metavar="VALUE",
    help="One for each result, in order: compare, and exit with 1 if they differ.",
)
@click.option(
    "--ulp",
    type=WholeNumber(min=0),
    default=0,
    metavar="N",
    help="Accept results at most N units in the last place apart.",
)
@click.option(
    "--atol",
    type=BoundedNumber(min=0),
    default=0.0,
    metavar="X",
    help="Accept |got - expected| <= X + rtol * |expected|.",
)
@click.option("--rtol", type=BoundedNumber(min=0), default=0.0, metavar="X", help="See --atol.")
@click.option(
    "--random-seed",
    type=WholeNumber(min=0),
    metavar="N",
    help="Argument I without an --input is random:(N+I); rng draws from seed N (else 0).",
)
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    help="The executor: native code (cpu, the default) or NumPy (interpreter).",
)
@click.option(
    "--threads",
    type=WholeNumber(min=1),
    metavar="N",
    help="How many threads native code may use.",
)
@click.option(
    "--check-memory", is_flag=True, help="Let native code check every memory access; slower."
)
@attention_option
@order_option
@click.option(
    "--grid",
    callback=grid_of,
    metavar="RxP",
    help="Run R x P processes: R replicas of P partitions.",
)
@click.option(
    "--carrier",
    type=click.Choice(["lockstep", "mpi"]),
    default=default_carrier,
    help="Run the grid in this process, or as the ranks of an MPI job (default under mpiexec).",
)
@click.option(
    "--reduce-order",
    type=click.Choice(["group", "any"]),
    default="group",
    help="Order of reductions over ranks: that of the group, always the same bits, or MPI's own.",
)
@click.option(
    "--gather",
    is_flag=True,
    help="Assemble the results of all partitions; under mpiexec, on the first rank.",
)
@click.option(
    "--probe-dir",
    type=click.Path(file_okay=False),
    help="The directory that interpreter.probe writes to.",
)
@click.option(
    "--max-iterations",
    type=WholeNumber(min=0),
    metavar="N",
    help="The maximum number of iterations of a loop.",
)
@click.option(
    "--limit-tensor-bytes",
    callback=number_of_bytes,
    metavar="BYTES",
    help="The largest tensor, e.g. 4GiB.",
)
@click.option(
    "--limit-memory",
    callback=number_of_bytes,
    metavar="BYTES",
    help="The most memory of arguments, results and values on the way; by default what is "
    "available.",
)
@trace_option
@click.option("--time", "timed", is_flag=True, help="Print the time of each step to stderr.")
@click.option(
    "--repeat",
    type=WholeNumber(min=1),
    default=1,
    metavar="N",
    help="Run N times and take the median of the times.",
)
@click.option(
    "--print-limit",
    type=WholeNumber(min=0),
    default=1000,
    metavar="N",
    show_default=True,
    help="Summarize results with more elements.",
)
@layout_option
@format_option
@elided_option
@model_options
@shared_options
def command(**options: Any) -> None:
    """Run a program and print, write or compare its results.

    Several files are the programs of the processes of a grid, or of the partitions; inputs and
    outputs are those of the first program, then of the second, and so on.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.execute.mpi_ranks import aborting_all_ranks
    from stablemate.cli.verbs.execute.program_per_process import run_several
    from stablemate.cli.verbs.execute.run_options import RunCommandOptions
    from stablemate.cli.verbs.execute.session import run

    options["inputs"] = with_test_data(options["inputs"], "input")
    options["expected"] = with_test_data(options["expected"], "output")
    run_options = RunCommandOptions(**options)
    if not run_options.others:
        click.get_current_context().exit(run(run_options))
    with aborting_all_ranks(run_options.carrier):
        click.get_current_context().exit(run_several(run_options))
