"""find_nan: runs a program until the first NaN, infinity, denormal or overflow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from stablemate.analysis.nonfinite.finder import DEFAULT_KINDS, KINDS, Finder, SearchEnded
from stablemate.analysis.nonfinite.finding import NonfiniteSearch
from stablemate.analysis.nonfinite.signs import has_signs
from stablemate.analysis.operation_identity import OperationSite
from stablemate.analysis.tracing.recording import RunFailure
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.inspection.observing import observable_function
from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.execution.streams import Streams
from stablemate.formats.recognition import Readable
from stablemate.interpreter.summation_order import Order
from stablemate.ir.grid import Grid
from stablemate.ir.types import TensorType


def find_nan(
    source: Readable | Module, *arguments: object, find: str | Sequence[str] = DEFAULT_KINDS,
    entry: str | None = None, backend: str = DEFAULT_BACKEND, grid: tuple[int, int] | None = None,
    keywords: Mapping[str, object] | None = None, limits: Limits | None = None,
    threads: int | None = None, streams: Streams | None = None,
    probe_dir: str | PathLike[str] | None = None, seed: int = 0,
    order: Order = "reference",
) -> NonfiniteSearch:  # fmt: skip
    """Runs a program until an operation computes a non-finite number, and reports where.

    Args:
        source: The program.
        *arguments: As for ``Module.run``; on a grid one thing, as for ``run_grid``.
        find: What to look for: ``nan`` (any but a constant that nothing was done with), ``inf`` and
            ``denormal`` (where they originate, or come in with an argument), ``overflow`` (infinite
            of finite operands, conversions out of range, signed integers that wrap around).
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

    Returns:
        What was found: true if something was. A run that fails before that says so.

    Raises:
        VerifyError: The program is not valid.
        ArgumentError: An argument does not fit, or there is no such kind.
    """
    kinds = (find,) if isinstance(find, str) else tuple(find)
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        listed = ", ".join(KINDS)
        raise ArgumentValueError(f"nothing is called {', '.join(unknown) or ''!r}; known: {listed}")
    module = source if isinstance(source, Module) else load(source)

    def is_watched(site: OperationSite) -> bool:
        types = [result.type for result in site.operation.results]
        tensors = [value_type for value_type in types if isinstance(value_type, TensorType)]
        return "overflow" in kinds or any(has_signs(tensor.element_type) for tensor in tensors)

    observation = observable_function(
        module, backend=backend, entry=entry, limits=limits_or_default(limits), threads=threads,
        order=order,
        watched=is_watched, operands=True,
    )  # fmt: skip
    finder = Finder(observation.sites, kinds)
    name = module.name or observation.executable.signature.name
    try:
        results = observation.run(
            finder, *arguments, grid=None if grid is None else Grid(*grid), keywords=keywords,
            streams=streams, probe_dir=probe_dir, seed=seed,
        )  # fmt: skip
        finder.flush()
    except SearchEnded:
        return NonfiniteSearch(name, kinds, finder.finding)
    except StablemateError as error:
        line = finder.latest
        if line is None:
            raise  # it has not begun
        try:
            finder.flush()
        except SearchEnded:
            return NonfiniteSearch(name, kinds, finder.finding)
        return NonfiniteSearch(
            name, kinds, None, RunFailure(str(error), finder.scopes.of(line.frame))
        )
    return NonfiniteSearch(name, kinds, None, results=results)
