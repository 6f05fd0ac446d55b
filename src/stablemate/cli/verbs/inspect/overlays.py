"""The overlays that a command line names: estimated, measured, or read from files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

import stablemate as sm
from stablemate.analysis.nonfinite.finding import NonfiniteFinding
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.programs import load_program
from stablemate.cli.output.progress import progress
from stablemate.cli.verbs.compilation import compile_function
from stablemate.cli.verbs.execute.session import RunCommandOptions, given_arguments
from stablemate.debugging.bisection import Bisection
from stablemate.debugging.comparison import Compared
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.measured import (
    cost_overlays,
    number_of,
    numbers_by_line,
    time_overlay,
    trace_overlays,
)
from stablemate.explorer.overlays import overlays_of_text

LARGEST: Final = 1 << 28  # bytes of a file
OTHER: Final = "bisect:"
NAMES: Final = {"nan": "NaN", "inf": "infinity"}


def overlays_of(
    what: str, view: sm.View, module: sm.Module, options: RunCommandOptions
) -> Iterator[sm.Overlay]:
    """The overlays that an option names.

    Args:
        what: ``cost``, ``profile``, ``trace``, ``compare``, ``nan``, ``bisect``, ``bisect:`` and
            the path of another program, or the path of a file with overlays.
        view: What they are for.
        module: The program, as it was read from the text that is shown.
        options: The arguments of a run.
    """
    match what:
        case "cost":
            module.verify()
            yield from cost_overlays(view.graph, module.ir, module.entry().operation.symbol)
        case "profile":
            executable = compile_function(module, module.entry().name)
            arguments = arguments_of(module, options)
            with progress("running"):
                measured = sm.profile(executable, *arguments, seed=options.seed)
            yield time_overlay(view.graph, measured.operations)
        case "trace":
            arguments = arguments_of(module, options)
            with progress("running"):
                trace = sm.trace(module, *arguments, seed=options.seed)
            yield from trace_overlays(view.graph, trace.events)
        case "compare":
            arguments = arguments_of(module, options)
            with progress("running"):
                compared = sm.compare(module, *arguments)
            yield error_overlay(view.graph, compared.steps)
        case "nan":
            arguments = arguments_of(module, options)
            with progress("running"):
                search = sm.find_nan(module, *arguments, seed=options.seed)
            click.echo(f"nan: {search.text().splitlines()[0]}", err=True)
            yield finding_overlay(view.graph, search.finding)
        case _ if what == "bisect" or what.startswith(OTHER):
            arguments = arguments_of(module, options)
            path = what.removeprefix("bisect").removeprefix(":")
            other = load_program(path) if path else None
            with progress("running halves"):
                found_at = sm.bisect(module, *arguments, other=other)
            click.echo(f"bisect: {found_at.verdict}", err=True)
            yield divergence_overlay(view.graph, found_at)
        case _:
            yield from overlays_of_text(read_overlay(what), what)


def finding_overlay(graph: ProgramGraph, finding: NonfiniteFinding | None) -> sm.Overlay:
    """The number of NaN or infinities in the first operation that has any."""
    values: dict[int, float] = {}
    number = None if finding is None else numbers_by_line(graph).get(finding.event.place.line)
    if finding is not None and number is not None:
        values[number] = finding.number
    name = "first NaN" if finding is None else f"first {NAMES.get(finding.kind, finding.kind)}"
    return sm.Overlay(name, "", "nan", values)


def divergence_overlay(graph: ProgramGraph, bisection: Bisection) -> sm.Overlay:
    """The error of the operation where a divergence originates; nothing if there is none."""
    errors = [step.closeness.comparison for step in bisection.parted]
    worst = max((math.inf if e is None else float(e.largest.ulp) for e in errors), default=math.inf)
    numbers = (number_of(graph, operation) for operation in bisection.operations)
    return sm.Overlay(
        "originates here",
        "ulp",
        "error",
        {number: worst for number in numbers if number is not None},
    )


def error_overlay(graph: ProgramGraph, steps: Iterable[Compared]) -> sm.Overlay:
    """The largest error of native code against the interpreter, for every operation."""
    values: dict[int, float] = {}
    for step in steps:
        number = None if step.operation is None else number_of(graph, step.operation)
        if number is not None:
            comparison = step.closeness.comparison
            error = math.inf if comparison is None else float(comparison.largest.ulp)
            values[number] = max(values.get(number, 0.0), error)
    return sm.Overlay("error", "ulp", "error", values)


def arguments_of(module: sm.Module, options: RunCommandOptions) -> list[object]:
    """The arguments of a run.

    Raises:
        ArgumentError: One is missing, superfluous, of another type, or cannot be read.
    """
    (arguments,) = given_arguments(options, module, module.entry(), InputReader(options.limits))
    return arguments


def read_overlay(path: str) -> str:
    """The text of an overlay.

    Raises:
        ArgumentValueError: It cannot be read, or is no text.
    """
    try:
        with Path(path).open("rb") as stream:
            return stream.read(LARGEST).decode()
    except OSError as error:
        accepted = "cost, profile, trace, compare, nan, bisect, bisect:PROGRAM, or a file"
        raise ArgumentValueError(
            f"cannot read overlay {path}: {reason(error)}; --overlay takes {accepted}"
        ) from error
    except UnicodeDecodeError:
        raise ArgumentValueError(f"{path} is no overlay: it is no UTF-8") from None
