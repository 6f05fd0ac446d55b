"""Overlays that the command line names: computed by formulas or by a run, or read from files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click

import stablemate as sm
from stablemate.analysis.nonfinite.finding import Finding
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.programs import load_program, reason
from stablemate.cli.output.progress import progress
from stablemate.cli.verbs.compilation import compiled
from stablemate.cli.verbs.execute.session import Options, given_arguments
from stablemate.diagnosis.bisection import Bisection
from stablemate.diagnosis.comparison import Compared
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.explorer.graph import Graph
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
    what: str, view: sm.View, module: sm.Module, options: Options
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
            executable = compiled(module, module.entry().name)
            arguments = arguments_of(module, options)
            with progress("running"):
                found = sm.profile(executable, *arguments, seed=options.seed)
            yield time_overlay(view.graph, found.operations)
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
            yield parting_overlay(view.graph, found_at)
        case _:
            yield from overlays_of_text(read_overlay(what), what)


def finding_overlay(graph: Graph, finding: Finding | None) -> sm.Overlay:
    """How many numbers that are none the first operation gave that gave any; none are found."""
    values: dict[int, float] = {}
    number = None if finding is None else numbers_by_line(graph).get(finding.event.place.line)
    if finding is not None and number is not None:
        values[number] = finding.number
    name = "first NaN" if finding is None else f"first {NAMES.get(finding.kind, finding.kind)}"
    return sm.Overlay(name, "", "nan", values)


def parting_overlay(graph: Graph, found: Bisection) -> sm.Overlay:
    """How far the operation is off at which a difference is born; nothing if nothing parts."""
    errors = [each.closeness.comparison for each in found.parted]
    worst = max((math.inf if e is None else float(e.largest.ulp) for e in errors), default=math.inf)
    numbers = (number_of(graph, each) for each in found.operations)
    return sm.Overlay(
        "born here", "ulp", "error", {each: worst for each in numbers if each is not None}
    )


def error_overlay(graph: Graph, steps: Iterable[Compared]) -> sm.Overlay:
    """How far native code is from the interpreter, of every operation; the worst of its runs."""
    values: dict[int, float] = {}
    for each in steps:
        number = None if each.operation is None else number_of(graph, each.operation)
        if number is not None:
            found = each.closeness.comparison
            error = math.inf if found is None else float(found.largest.ulp)
            values[number] = max(values.get(number, 0.0), error)
    return sm.Overlay("error", "ulp", "error", values)


def arguments_of(module: sm.Module, options: Options) -> list[Any]:
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
        known = "cost, profile, trace, compare, nan, bisect, bisect:PROGRAM, or a file"
        raise ArgumentValueError(
            f"cannot read overlay {path}: {reason(error)}; --overlay takes {known}"
        ) from error
    except UnicodeDecodeError:
        raise ArgumentValueError(f"{path} is no overlay: it is no UTF-8") from None
