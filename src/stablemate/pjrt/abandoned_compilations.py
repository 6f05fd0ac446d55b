"""Ends compilations that nobody waits for any more.

jaxlib compiles on a thread of its own while the caller waits. Ctrl-C ends the wait alone: the
compilation would go on, take Python's lock from the caller, and delay the end of the process.
"""

from __future__ import annotations

import ctypes
import gc
import inspect
import os
import sys
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread, get_ident
from types import FrameType
from typing import Final
from weakref import WeakSet

from stablemate.fork_safety import fork_safe_lock
from stablemate.ir.garbage_collection import without_garbage_collection

CALLERS: Final = os.path.join("jax", "_src", "compiler.py")  # who calls jaxlib's compiler
# Sooner, Ctrl-C is answered earlier; each look takes the interpreter's lock.
PERIOD: Final = 0.05  # seconds between two looks at the callers
SOON: Final = 0.001  # seconds until the next look, where an exception would be lost
REPEATED: Final = 1.0  # seconds after which the exception is raised again
# Functions whose exceptions Python writes to stderr and forgets: the entry of a call of jaxlib
# before its first line, and finalizers.
FORGETTING: Final = frozenset({"entry", "__del__"})
# Modules whose functions are called when an object with weak references ends, as finalizers are.
WEAK: Final = frozenset({weakref.__file__, WeakSet[object].add.__code__.co_filename})


class CompilationAbandoned(BaseException):
    """Nobody waits for a compilation any more; raised in its thread."""


class Watch:
    """The compilations of this process that run on threads of jaxlib.

    Attributes:
        waiting: By thread, the frames of Python that may wait for its compilation.
        raised: By thread, when the exception was raised in it.
        is_watching: Whether a thread looks at the callers.
    """

    def __init__(self) -> None:
        self.waiting: dict[int, dict[int, FrameType]] = {}
        self.raised: dict[int, float] = {}
        self.lock = fork_safe_lock()
        self.is_watching = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.forget)

    def add(self, callers: dict[int, FrameType]) -> None:
        """Adds the compilation of this thread."""
        with self.lock:
            self.waiting[get_ident()] = callers
            has_watcher, self.is_watching = self.is_watching, True
        if not has_watcher and not start_thread(Thread(target=self.watch, daemon=True)):
            self.is_watching = False

    def remove(self) -> None:
        """Removes the compilation of this thread; nothing is raised in it any more."""
        with self.lock:
            self.waiting.pop(get_ident(), None)
            self.raised.pop(get_ident(), None)

    def watch(self) -> None:
        """Looks at the callers as long as there are compilations."""
        pause = PERIOD
        while True:
            time.sleep(pause)
            with without_garbage_collection(), self.lock:
                pause = PERIOD if self.abandon() else SOON
                if not self.waiting:
                    self.is_watching = False
                    return

    def abandon(self) -> bool:
        """Ends the compilations whose callers have left; the lock is held.

        Returns whether this has been possible for all of them.
        """
        is_complete = True
        frames = frames_of_others()
        for thread, callers in list(self.waiting.items()):
            if any(is_in(frames.get(t), frame) for t, frame in callers.items()):
                continue
            if time.monotonic() < self.raised.get(thread, 0.0) + REPEATED:
                continue
            if forgets_exceptions(frames[thread]):
                is_complete = False
                continue
            self.raised[thread] = time.monotonic()
            raise_in(thread)
        return is_complete

    def forget(self) -> None:
        """In the child of a fork: the threads are the parent's."""
        self.waiting.clear()
        self.raised.clear()
        self.is_watching = False


def start_thread(thread: Thread) -> bool:
    """Starts a thread; false if the interpreter ends and starts none."""
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


def frames_by_thread() -> dict[int, FrameType]:
    """The innermost frame of each thread.

    Python holds its lock of threads while it creates the frames. The collector would run finalizers
    there, and let another thread run, which waits for that lock and keeps Python's own if it ends.
    """
    with without_garbage_collection():
        return sys._current_frames()  # pyright: ignore[reportPrivateUsage]


def frames_of_others() -> dict[int, FrameType]:
    """The innermost frame of each other thread.

    With that of this thread, the frame that holds the result would refer to itself, and keep all
    values of all frames until the collector finds it.
    """
    frames = frames_by_thread()
    frames.pop(get_ident(), None)
    return frames


def caller_of(frame: FrameType | None) -> FrameType | None:
    """The innermost frame on a stack that calls jaxlib's compiler; None if there is none.

    It may be below a finalizer that the collector calls in its thread.
    """
    while frame is not None and not frame.f_code.co_filename.endswith(CALLERS):
        frame = frame.f_back
    return frame


def callers_in_others() -> dict[int, FrameType]:
    """By thread, the innermost frame that calls jaxlib's compiler.

    A collection while Python creates a frame's object for ``f_back`` lets other threads run. They
    may leave that frame, whose object then refers to memory that is used for something else.
    """
    with without_garbage_collection():
        callers = {thread: caller_of(frame) for thread, frame in frames_of_others().items()}
    return {thread: caller for thread, caller in callers.items() if caller is not None}


def is_in(frame: FrameType | None, caller: FrameType) -> bool:
    """Whether a caller's frame is on the stack whose innermost frame is given."""
    while frame is not None and frame is not caller:
        frame = frame.f_back  # a signal handler runs above the caller
    return frame is not None


def forgets_exceptions(frame: FrameType) -> bool:
    """Whether an exception in a frame would be lost: in finalizers and what the collector calls."""
    called = [getattr(callback, "__code__", None) for callback in gc.callbacks]
    code = frame.f_code
    return code.co_name in FORGETTING or code.co_filename in WEAK or code in called


def raise_in(thread: int) -> None:
    """Raises ``CompilationAbandoned`` in a thread when it next runs Python code."""
    set_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
    set_exception(ctypes.c_ulong(thread), ctypes.py_object(CompilationAbandoned))


WATCH: Final = Watch()


@contextmanager
def awaited_compilation() -> Generator[None]:
    """While it lasts, the compilation of this thread ends when its callers have left."""
    callers: dict[int, FrameType] = {}
    if caller_of(inspect.currentframe()) is None:
        callers = callers_in_others()
    if not callers:  # it runs in the thread of its caller, beside others that may compile, too
        yield
        return
    try:
        WATCH.add(callers)
        yield
    finally:
        WATCH.remove()
