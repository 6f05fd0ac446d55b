"""trace: runs a program and keeps what is known of the results of its operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path

from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.tracing.files import Directory
from stablemate.analysis.tracing.recorder import DEFAULT_KEPT_BYTES, DEFAULT_LIMIT, TraceRecorder
from stablemate.analysis.tracing.selection import selection_of
from stablemate.analysis.tracing.trace import RunTrace, load_trace, trace_of
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.inspection.observing import observable_function
from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.execution.streams import Streams
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import Order
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.grid import Grid

__all__ = ["load_trace", "trace"]


def trace(
    source: Readable | Module, *arguments: object, operations: str | Sequence[str] = (),
    functions: str | Sequence[str] = (), lines: str | int | Sequence[str | int] = (),
    locations: str | Sequence[str] = (), where: str | None = None, keep: bool | str = False,
    limit: int = DEFAULT_LIMIT, kept_bytes: int = DEFAULT_KEPT_BYTES,
    directory: str | PathLike[str] | None = None, entry: str | None = None,
    backend: str = DEFAULT_BACKEND, grid: tuple[int, int] | None = None,
    keywords: Mapping[str, object] | None = None, limits: Limits | None = None,
    threads: int | None = None, streams: Streams | None = None,
    probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    order: Order = "reference",
) -> RunTrace:  # fmt: skip
    """Runs a program and keeps what is known of the results of its operations.

    Of every result there are statistics, of those chosen by ``keep`` all elements. A program that
    fails gives the trace up to there; ``Trace.failure`` says how. Which operations are told is said
    in ``stablemate.execution.observe.listener``; constants are not.

    Args:
        source: The program.
        *arguments: As for ``Module.run``; on a grid one thing, as for ``run_grid``.
        operations: Patterns of names of operations, such as ``"dot*"``; by default all are traced.
        functions: Patterns for the function that an operation stands in.
        lines: Lines such as 12 or ``"10-20"``.
        locations: Patterns for a part of the place of an operation, or of what its producer said.
        where: A condition on the statistics of a result, such as ``"nans > 0 or max > 1e3"``.
        keep: Whether arrays are kept; a pattern says of which operations.
        limit: How many events are kept, the first ones.
        kept_bytes: How many bytes of arrays are kept.
        directory: Where arrays are written while the program runs, to be kept there; the trace is
            saved there too.
        entry: The function; by default ``main``, or the only one.
        backend: What runs it: ``cpu`` or ``interpreter``.
        grid: The numbers of replicas and partitions; by default it is a single process.
        keywords: Arguments by name, of a function that ``jax.export`` made.
        limits: What the program may cost.
        threads: How many threads native code may use.
        streams: What it reads from the host and writes to it.
        probe_dir: Where ``interpreter.probe`` writes.
        seed: Where the numbers that ``rng`` draws come from.
        order: In which order the interpreter sums and folds, as for ``compile``.

    Raises:
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit, or a filter is none.
    """
    module = source if isinstance(source, Module) else load(source)
    selection = selection_of(operations, functions, lines, locations, where)
    observation = observable_function(
        module, backend=backend, entry=entry, limits=limits_or_default(limits), threads=threads,
        order=order,
        watched=lambda site: selection.is_everything or selection.takes(site.place),
    )  # fmt: skip
    store = None if directory is None else Directory(Path(directory))
    recorder = TraceRecorder(
        observation.sites, selection, limit=limit, keep=kept_operations(keep),
        kept_bytes=kept_bytes, store=store,
    )  # fmt: skip
    name = module.name or observation.executable.signature.name
    results: object = None
    failure: StablemateError | None = None
    try:
        with without_garbage_collection():
            results = observation.run(
                recorder, *arguments, grid=None if grid is None else Grid(*grid),
                keywords=keywords, streams=streams, probe_dir=probe_dir, seed=seed,
            )  # fmt: skip
    except StablemateError as error:
        if recorder.latest is None:
            raise  # it has not begun
        failure = error
    trace = trace_of(recorder, name, backend, results, failure)
    if store is not None:
        trace.save(store.path)
    return trace


def kept_operations(keep: bool | str) -> Callable[[OperationPlace], bool] | None:
    """The operations whose arrays are kept."""
    if not keep:
        return None
    pattern = "*" if keep is True else keep
    return lambda place: (
        fnmatchcase(place.name, pattern) or fnmatchcase(place.name.partition(".")[2], pattern)
    )
