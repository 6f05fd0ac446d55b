"""Overlays that the command line names: computed by formulas or by a run, or read from files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from stablemate.cli.compilation import compiled
from stablemate.cli.inputs import InputReader
from stablemate.cli.loading import reason
from stablemate.cli.progress import progress
from stablemate.cli.session import Options, given_arguments
from stablemate.diagnosis.comparison import Compared
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.explorer.graph import Graph
from stablemate.explorer.measured import (
    cost_overlays,
    number_of,
    time_overlay,
    trace_overlays,
)
from stablemate.explorer.overlays import overlays_of_text

LARGEST: Final = 1 << 28  # bytes of a file


def overlays_of(
    what: str, view: sm.View, module: sm.Module, options: Options
) -> Iterator[sm.Overlay]:
    """The overlays that an option names.

    Args:
        what: ``cost``, ``profile``, ``trace``, ``compare``, or the path of a file.
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
        case _:
            yield from overlays_of_text(read_overlay(what), what)


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
        known = "cost, profile, trace, compare, or a file"
        raise ArgumentValueError(
            f"cannot read overlay {path}: {reason(error)}; --overlay takes {known}"
        ) from error
    except UnicodeDecodeError:
        raise ArgumentValueError(f"{path} is no overlay: it is no UTF-8") from None
