"""Observed runs: an observer receives every computed value, from either executor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stablemate import compiler
from stablemate.analysis.operation_identity import OperationSite, Sites
from stablemate.api.backends import DEFAULT_BACKEND, refuse_unknown
from stablemate.api.executables import function_operations, verify_values
from stablemate.api.hlo import HloProgram
from stablemate.api.runnable import Runnable, call
from stablemate.compiler.config.options import CompileOptions
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.execution.executable import Executable
from stablemate.execution.observe.listener import GridListener
from stablemate.execution.streams import Streams
from stablemate.formats.mlir.names import value_names
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.summation_order import Order, refuse_unknown_order
from stablemate.ir.core import Operation
from stablemate.ir.grid import Grid
from stablemate.transforms.instrument import instrument_module
from stablemate.transforms.legalization import legalized_with_origins


@dataclass(frozen=True, slots=True)
class Observed:
    """A function of a program that tells a listener what it computes.

    Attributes:
        executable: The function; it tells ``Streams.listener``.
        sites: The operations of the program.
    """

    executable: Executable
    sites: Sites

    def run(
        self,
        listener: GridListener,
        *arguments: Any,
        grid: Grid | None = None,
        keywords: Mapping[str, Any] | None = None,
        streams: Streams | None = None,
        **options: Any,
    ) -> Any:
        """Runs the function as ``Module.run`` does, or as all processes of a grid.

        Args:
            listener: Who is told; where the run fails, it has been told everything up to there.
            *arguments: One for each argument; on a grid one thing, as for ``sm.run_grid``.
            grid: The processes.
            keywords: Arguments by name, of a function that ``jax.export`` made.
            streams: What it reads from the host and writes to it.
            **options: ``probe_dir`` and ``seed``, as for ``Module.run``.
        """
        heard = replace(streams or Streams(), listener=listener)
        if grid is None:
            return call(self.executable, arguments, keywords, streams=heard, **options)
        entries = arguments[0] if arguments else ()
        return self.executable.run_grid(entries, grid, streams=heard, **options)


def observable_function(
    program: Runnable, *, backend: str = DEFAULT_BACKEND, entry: str | None = None,
    limits: Limits | None = None, threads: int | None = None, check: bool = False,
    watched: Callable[[OperationSite], bool] = lambda site: True, operands: bool = False,
    order: Order = "reference",
) -> Observed:  # fmt: skip
    """A function of a program, made ready to be listened to.

    Args:
        program: The program.
        backend: What runs it: ``cpu`` or ``interpreter``.
        entry: The function; by default ``main``, or the only one.
        limits: What it may cost.
        threads: How many threads native code may use.
        check: Whether native code checks every access to memory.
        watched: Of which operations native code tells; of the others it need not keep anything.
            The interpreter asks the listener alone.
        operands: Whether native code also tells operands and what blocks are given. The
            interpreter always does.
        order: In which order the interpreter sums and folds.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: There is no such back end, or it cannot run the program.
        ArgumentValueError: There is no such function.
    """
    refuse_unknown(backend, threads)
    refuse_unknown_order(order)
    if isinstance(program, HloProgram) and entry is not None:
        program, entry = program.with_entry(entry), None
    verify_values(program)
    function = program.entry(entry)
    signature = function.own_signature
    is_native = backend == "cpu"
    legalized = legalized_with_origins(
        program.shardy, executor="native" if is_native else "interpreter"
    )
    sites = Sites(legalized)
    module = legalized.module

    def is_watched(operation: Operation) -> bool:
        site_results = sites.results_of(operation)
        return site_results is not None and watched(site_results[0])

    if is_native:
        module = instrument_module(module, signature.name, is_watched, operands=operands)
        functions: Mapping[str, Operation] = compiler.SpecializedFunctions(
            lambda: module, signature.name
        )
    else:
        functions = {
            function_operation.symbol: function_operation
            for function_operation in function_operations(module)
        }
    interpreted = InterpretedExecutable(
        functions,
        signature,
        limits_or_default(limits),
        program.grid,
        value_names(module),
        prepare=False,
        listens=not is_native,
        order=order,
    )
    executable: Executable = interpreted
    if is_native:
        options = CompileOptions(check=check)
        executable = compiler.native_or_interpreted(interpreted, threads=threads, options=options)
    called = program.called_by(function, executable)
    called.fallback = executable.fallback
    return Observed(called, sites)
