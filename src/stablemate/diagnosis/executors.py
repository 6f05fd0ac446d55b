"""Executors by name: what runs a program when two of them are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.api.module import Module
from stablemate.bridges.xla import require_xla, run_in_xla
from stablemate.diagnostics.errors import ArgumentValueError

Executor: TypeAlias = Callable[[Module, Sequence[Any]], Sequence[Any]]


def run_here(backend: str) -> Executor:
    """What runs programs by a back end of ours."""

    def run(module: Module, arguments: Sequence[Any]) -> Sequence[Any]:
        executable = module.executable(backend=backend)
        return executable.run(executable.signature.take(arguments))

    return run


EXECUTORS: Final[Mapping[str, Executor]] = {
    "cpu": run_here("cpu"),
    "interpreter": run_here("interpreter"),
    "xla": run_in_xla,
}


def executor(name: str) -> Executor:
    """The executor of a name.

    Raises:
        ArgumentValueError: There is none, or it is not installed.
    """
    run = EXECUTORS.get(name)
    if run is None:
        raise ArgumentValueError(f"no executor is called {name!r}; known: {', '.join(EXECUTORS)}")
    if run is run_in_xla:
        require_xla()
    return run
