"""Executors by name: what runs a program when two of them are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.api.module import Module
from stablemate.bridges.xla import run_in_xla
from stablemate.diagnostics.errors import UnsupportedError

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
        UnsupportedError: There is none.
    """
    run = EXECUTORS.get(name)
    if run is None:
        raise UnsupportedError(f"no executor is called {name!r}; known: {', '.join(EXECUTORS)}")
    return run
