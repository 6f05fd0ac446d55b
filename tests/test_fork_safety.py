"""Locks that finalizers, exceptions and forks of their holder do not leave locked."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, get_ident

import pytest

import stablemate
from stablemate.fork_safety import fork_safe_lock
from stablemate.ir.garbage_collection import COLLECTOR, without_garbage_collection

PATIENCE = 20.0  # seconds, after which a thread hangs
SOURCE = Path(stablemate.__file__).parent
CREATED = re.compile(r"(?<![\w\"])(Lock|RLock|Condition|Semaphore|BoundedSemaphore)\(")
AGAIN = 0.0002  # seconds between two signals


def ends(function: Callable[[], object]) -> bool:
    """Whether a function ends in a thread of its own."""
    thread = Thread(target=function, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return not thread.is_alive()


class Finalized:
    """A cycle whose finalizer calls a function."""

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = function
        self.cycle = self

    def __del__(self) -> None:
        self.function()


def test_a_finalizer_takes_the_lock_that_its_thread_holds() -> None:
    lock = fork_safe_lock()
    taken: list[bool] = []

    def take() -> None:
        with lock:
            taken.append(True)

    def collect() -> None:
        Finalized(take)
        with lock:
            gc.collect()

    assert ends(collect)
    assert taken == [True]


class Interrupted(BaseException):
    """What is raised in another thread."""


def test_an_exception_that_waits_with_a_lock_does_not_leave_it_locked() -> None:
    """The exception is raised as soon as the lock is acquired, before any line of the block."""
    lock = fork_safe_lock()
    thread, waits = [0], Event()

    def wait() -> None:
        thread[0] = get_ident()
        waits.set()
        with suppress(Interrupted), lock:
            pass

    with lock:
        waiting = Thread(target=wait, daemon=True)
        waiting.start()
        waits.wait()
        time.sleep(0.1)  # it waits for the lock
        exception = ctypes.py_object(Interrupted)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread[0]), exception)
    waiting.join(PATIENCE)
    assert lock.acquire(timeout=1.0)
    lock.release()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_signal_handlers_that_raise_do_not_leave_a_lock_locked() -> None:
    lock = fork_safe_lock()
    count = 0

    def handle(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handle)
    try:
        while count < 300:
            with suppress(Interrupted):
                signal.setitimer(signal.ITIMER_REAL, AGAIN)
                while True:
                    with lock:
                        pass
            count += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ends(lambda: lock.acquire() and lock.release())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
# Where another test of this process has imported JAX, JAX warns of a fork.
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_in_a_child_locks_and_pauses_of_other_threads_are_over_and_its_own_go_on() -> None:
    other, own = fork_safe_lock(), fork_safe_lock()
    begun, over = Event(), Event()

    def hold() -> None:
        with without_garbage_collection(), other:
            begun.set()
            over.wait()

    thread = Thread(target=hold)
    thread.start()
    begun.wait()
    with own:
        child = os.fork()
        if not child:
            is_free = other.acquire(timeout=PATIENCE)
            os._exit(0 if is_free and gc.isenabled() and not COLLECTOR.pauses else 1)
    over.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    child = os.fork()
    if not child:
        with own, without_garbage_collection():
            grandchild = os.fork()
        if not grandchild:
            os._exit(0 if gc.isenabled() else 1)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
    assert os.waitpid(child, 0)[1] == 0


def test_the_collector_is_off_until_the_last_of_several_threads_goes_on() -> None:
    begun, over = Event(), Event()

    def pause() -> None:
        with without_garbage_collection():
            begun.set()
            over.wait()

    with without_garbage_collection():
        thread = Thread(target=pause)
        thread.start()
        begun.wait()
    assert not gc.isenabled()
    over.set()
    thread.join()
    assert gc.isenabled()
    gc.disable()
    with without_garbage_collection():
        pass
    try:
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_no_module_creates_locks_of_its_own() -> None:
    """A lock of ``threading`` is not released in a child, and its holder may wait for itself."""
    places = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "threading import" in path.read_text() or "import threading" in path.read_text()
        if CREATED.search(path.read_text())
    ]
    assert sorted(places) == ["compiler/config/target.py", "fork_safety.py"]  # llvmlite's, ours
