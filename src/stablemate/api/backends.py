"""Back ends by name."""

from __future__ import annotations

from typing import Final

from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError

BACKENDS: Final = ("cpu", "interpreter")
DEFAULT_BACKEND: Final = BACKENDS[0]


def refuse_unknown(backend: str, threads: int | None) -> None:
    """Refuses back ends that are none, and no threads.

    Raises:
        UnsupportedError: There is no such back end.
        ArgumentValueError: There are no threads.
    """
    if backend not in BACKENDS:
        raise UnsupportedError(f"no backend is called {backend!r}; known: {', '.join(BACKENDS)}")
    if threads is not None and threads < 1:
        raise ArgumentValueError(f"a program needs at least one thread, not {threads}")
