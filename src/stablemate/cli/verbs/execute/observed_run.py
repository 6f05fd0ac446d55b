"""Shared by verbs that observe a run: their options, and the run itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stablemate.cli.options import (
    WholeNumber,
    elided_option,
    format_option,
    grid_of,
    layout_option,
    model_options,
    shared_options,
)
from stablemate.cli.verbs.execute.run import BACKENDS, number_of_bytes, order_option

if TYPE_CHECKING:
    import stablemate as sm
    from stablemate.cli.verbs.execute.run_options import RunCommandOptions

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


def observing_options(function: FunctionT) -> FunctionT:
    """Adds the options of a run, its executor, and its output format."""
    added = (
        *running_options(),
        click.option(
            "--backend",
            type=click.Choice(BACKENDS),
            help="The executor: native code (cpu, the default) or NumPy (interpreter).",
        ),
        click.option(
            "--threads",
            type=WholeNumber(min=1),
            metavar="N",
            help="How many threads native code may use.",
        ),
        format_option,
        shared_options,
    )
    return with_added(function, added)


def interpreting_options(function: FunctionT) -> FunctionT:
    """Adds the options of a run that only the interpreter can execute."""
    return with_added(function, (*running_options(), shared_options))


def with_added(function: FunctionT, added: Sequence[Callable[[FunctionT], FunctionT]]) -> FunctionT:
    """Adds options in their order."""
    for decorate in reversed(added):
        function = decorate(function)
    return function


def running_options() -> Sequence[Callable[[Any], Any]]:
    """The options of a run, as in ``run``."""
    return (
        click.option(
            "--entry",
            metavar="NAME",
            help="The function; by default main, or the only one; of HLO the computation.",
        ),
        click.option(
            "--input",
            "inputs",
            multiple=True,
            metavar="VALUE",
            help="One for each argument, in order, as for run.",
        ),
        click.option(
            "--random-seed",
            type=WholeNumber(min=0),
            metavar="N",
            help="Argument I without an --input is random:(N+I); rng draws from seed N (else 0).",
        ),
        click.option(
            "--grid",
            callback=grid_of,
            metavar="RxP",
            help="Run R x P processes: R replicas of P partitions.",
        ),
        click.option(
            "--probe-dir",
            type=click.Path(file_okay=False),
            help="The directory that interpreter.probe writes to.",
        ),
        click.option(
            "--max-iterations",
            type=WholeNumber(min=0),
            metavar="N",
            help="The maximum number of iterations of a loop.",
        ),
        click.option(
            "--limit-tensor-bytes",
            callback=number_of_bytes,
            metavar="BYTES",
            help="The largest tensor, e.g. 4GiB.",
        ),
        order_option,
        elided_option,
        model_options,
        layout_option,
    )


def chosen_options(function: FunctionT) -> FunctionT:
    """Adds the options that select operations."""
    added = (
        click.option(
            "--op",
            "operations",
            multiple=True,
            metavar="PATTERN",
            help="Only operations of this name, such as dot* or stablehlo.add.",
        ),
        click.option(
            "--function",
            "functions",
            multiple=True,
            metavar="PATTERN",
            help="Only operations in a function of this name.",
        ),
        click.option(
            "--line",
            "lines",
            multiple=True,
            metavar="N",
            help="Only operations on this line of the program, or on lines N-M.",
        ),
        click.option(
            "--location",
            "locations",
            multiple=True,
            metavar="PATTERN",
            help="Only operations whose location, or its producer's name, contains this text.",
        ),
    )
    return with_added(function, added)


def prepare_run(
    options: RunCommandOptions,
) -> tuple[sm.Module, str, tuple[object, ...], dict[str, Any]]:
    """The program, entry and arguments that the options name, and the settings of the run.

    Raises:
        ArgumentError: An argument is missing, superfluous, of another type, or cannot be read.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.input.arguments import InputReader
    from stablemate.cli.verbs.execute.session import given_arguments, program_of_options

    module = program_of_options(options)
    module.verify_executable()
    function = module.entry(options.entry)
    arguments_of_processes = given_arguments(options, module, function, InputReader(options.limits))
    arguments = (
        tuple(arguments_of_processes[0])
        if options.grid is None
        else ([tuple(row) for row in arguments_of_processes],)
    )
    run: dict[str, object] = {
        "grid": options.grid,
        "limits": options.limits,
        "threads": options.threads,
        "probe_dir": options.probe_dir,
        "seed": options.seed,
        "order": options.order,
    }
    return module, function.name, arguments, run
