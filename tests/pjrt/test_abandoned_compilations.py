"""The watch over compilations: what it asks Python for stops no thread."""

from __future__ import annotations

import gc
import inspect
import sys
import weakref
from threading import Event, Thread, get_ident
from typing import Any
from weakref import WeakSet

import pytest

from stablemate.pjrt import abandoned_compilations
from stablemate.pjrt.abandoned_compilations import (
    WATCH,
    awaited_compilation,
    caller_of,
    callers_in_others,
    forgets_exceptions,
    frames_by_thread,
)


def test_the_collector_is_off_while_python_creates_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finalizer would run while Python holds the lock of its threads.

    Another thread would then end, and wait for this lock while it holds the interpreter's: both
    wait for ever. ``gc.set_threshold(10)`` in a process that compiles and clears caches shows it
    within ten minutes.
    """
    monkeypatch.setattr(sys, "_current_frames", gc.isenabled)
    has_collector: object = frames_by_thread()
    assert has_collector is False
    assert gc.isenabled()


def test_the_collector_is_off_while_stacks_of_others_are_walked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A finalizer would let a thread leave the frame whose object Python is about to create."""
    has_collector: list[bool] = []

    def caller_of(_: object) -> None:
        has_collector.append(gc.isenabled())

    with monkeypatch.context() as patch:
        patch.setattr(abandoned_compilations, "caller_of", caller_of)
        may_end = Event()
        thread = Thread(target=may_end.wait)
        thread.start()
        callers_in_others()
        may_end.set()
        thread.join()
    assert has_collector
    assert not any(has_collector)
    assert gc.isenabled()


def test_a_caller_is_found_below_a_finalizer() -> None:
    """The collector may call one in a thread that waits for a compilation."""
    name = "/site-packages/jax/_src/compiler.py"
    space: dict[str, object] = {"finalizer": lambda: caller_of(frames_by_thread()[get_ident()])}
    exec(compile("def call():\n    return finalizer()", name, "exec"), space)
    frame: Any = eval("call()", space)
    assert frame.f_code.co_filename == name
    assert caller_of(inspect.currentframe()) is None


def test_a_compilation_in_the_thread_of_its_caller_is_not_watched() -> None:
    """Others that compile meanwhile in threads of their own do not wait for it."""
    name = "/site-packages/jax/_src/compiler.py"
    space: dict[str, Any] = {}
    exec(compile("def call(function):\n    return function()", name, "exec"), space)
    has_begun, may_end = Event(), Event()

    def wait() -> None:
        has_begun.set()
        may_end.wait()

    def watched() -> list[int]:
        with awaited_compilation():
            return list(WATCH.waiting)

    other = Thread(target=space["call"], args=(wait,))
    other.start()
    has_begun.wait()
    try:
        assert get_ident() not in space["call"](watched)
        assert get_ident() in watched()  # nothing of JAX is below: the other thread waits for it
    finally:
        may_end.set()
        other.join()


def test_values_of_a_caller_are_freed_without_the_collector() -> None:
    class Value:
        """What a caller holds."""

    found: list[weakref.ref[Value]] = []
    space: dict[str, Any] = {}
    name = "/site-packages/jax/_src/compiler.py"
    exec(compile("def call(function):\n    return function()", name, "exec"), space)

    def watched() -> None:
        with awaited_compilation():
            pass

    def compile_program() -> None:
        value = Value()
        found.append(weakref.ref(value))
        space["call"](watched)

    gc.disable()
    try:
        compile_program()
        assert found[0]() is None
    finally:
        gc.enable()


def test_callbacks_of_weak_references_forget_exceptions() -> None:
    """Python writes them to stderr: none is raised in the functions that weak sets call."""

    class Member:
        """What a weak set holds."""

        def __hash__(self) -> int:
            found.append(forgets_exceptions(sys._getframe(1)))
            return 1

    found: list[bool] = []
    members = WeakSet[Member]()
    member = Member()
    members.add(member)
    assert found[0]
    frame = inspect.currentframe()
    assert frame is not None
    assert not forgets_exceptions(frame)
