"""debug: runs a program step by step, under the user's control."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from stablemate.analysis.debugging.debugger import Quit
from stablemate.analysis.debugging.session import Read, Session, Write
from stablemate.api.inspection.observing import observable_function
from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.execution.streams import Streams
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import Order
from stablemate.ir.grid import Grid

PROMPT = "(dbg) "


def ask_user() -> str | None:
    """The user's input at the prompt; None at its end."""
    try:
        return input(PROMPT)
    except EOFError:
        return None


def debug(
    source: Readable | Module, *arguments: object, read: Read = ask_user, write: Write = print,
    entry: str | None = None, grid: tuple[int, int] | None = None,
    keywords: Mapping[str, object] | None = None, limits: Limits | None = None,
    streams: Streams | None = None, probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    order: Order = "reference",
) -> Any:  # fmt: skip
    """Runs a program in the interpreter, step by step, by commands; ``help`` lists them.

    Args:
        source: The program.
        *arguments: As for ``Module.run``; on a grid one thing, as for ``run_grid``.
        read: Gives what the user says, line by line; None when that was all, which ends the run.
        write: Shows a text to the user.
        entry: The function; by default ``main``, or the only one.
        grid: The numbers of replicas and partitions; by default it is a single process.
        keywords: Arguments by name, of a function that ``jax.export`` made.
        limits: What the program may cost.
        streams: What it reads from the host and writes to it.
        probe_dir: Where ``interpreter.probe`` writes.
        seed: Where the numbers that ``rng`` draws come from.
        order: In which order the interpreter sums and folds, as for ``compile``.

    Returns:
        What the run gave; None if the user ended it.

    Raises:
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit.
        EvaluationError: The run failed, and the user has seen where.
    """
    module = source if isinstance(source, Module) else load(source)
    observation = observable_function(
        module, backend="interpreter", entry=entry, limits=limits_or_default(limits), order=order
    )
    session = Session(observation.sites, read, write)
    try:
        results = observation.run(
            session.debugger, *arguments, grid=None if grid is None else Grid(*grid),
            keywords=keywords, streams=streams, probe_dir=probe_dir, seed=seed,
        )  # fmt: skip
    except Quit:
        return None
    except StablemateError as error:
        if session.debugger.latest is not None:
            session.show_failure(error)
        raise
    write("the run has ended")
    return results
