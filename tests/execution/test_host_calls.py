"""Functions of the host that processes call: in threads, or at once where none can be started."""

from __future__ import annotations

from threading import Thread, current_thread

import pytest

from stablemate.execution.backends.host_calls import HostCalls
from stablemate.execution.process import Fiber
from stablemate.ir.request import Process


def nothing() -> Process:
    """A process that asks for nothing."""
    yield from ()
    return ()


def fiber() -> Fiber:
    """The fiber of the first process, which does nothing."""
    return Fiber((0, 0), nothing())


def test_a_function_runs_in_a_thread_of_its_own() -> None:
    calls, caller = HostCalls(), fiber()
    calls.start(caller, current_thread)
    ((returned, thread),) = calls.take_outcomes(wait=True)
    assert (returned, calls.running) == (caller, 0)
    assert thread is not current_thread()


def test_a_function_runs_at_once_if_no_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the interpreter ends, from Python 3.12 on."""

    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    calls, caller = HostCalls(), fiber()
    calls.start(caller, current_thread)
    assert list(calls.take_outcomes(wait=True)) == [(caller, current_thread())]
