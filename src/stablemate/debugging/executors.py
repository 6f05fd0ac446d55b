"""Executors by name: what runs a program when two of them are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.api.module import Module
from stablemate.bridges.xla import require_xla, run_in_xla
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order, refuse_unknown_order

Executor: TypeAlias = Callable[[Module, Sequence[object]], Sequence[Any]]


def run_here(backend: str, order: Order = REFERENCE_ORDER) -> Executor:
    """Runs programs on a backend of this package, with an order of the interpreter's sums."""

    def run(module: Module, arguments: Sequence[object]) -> Sequence[Any]:
        executable = module.executable(backend=backend, order=order)
        return executable.run(executable.signature.take(arguments))

    return run


EXECUTORS: Final[Mapping[str, Executor]] = {
    "cpu": run_here("cpu"),
    "interpreter": run_here("interpreter"),
    "xla": run_in_xla,
}


def executor(name: str, order: Order = REFERENCE_ORDER) -> Executor:
    """The executor of a name; what it interprets has an order of sums.

    Raises:
        ArgumentValueError: There is no such executor or order, or it is not installed.
    """
    refuse_unknown_order(order)
    run = EXECUTORS.get(name)
    if run is None:
        raise ArgumentValueError(f"no executor is called {name!r}; known: {', '.join(EXECUTORS)}")
    if run is run_in_xla:
        require_xla()
        return run
    return run if order == REFERENCE_ORDER else run_here(name, order)
