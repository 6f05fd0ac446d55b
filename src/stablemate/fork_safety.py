"""Lazily computed values and locks that survive a fork and are safe among threads.

A fork copies memory at any moment, but only one thread: in the child nobody opens the locks that
the others held, and nobody ends the imports that they had begun.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:
        """An attribute that a method computes when it is first read, and that stays.

        Until Python 3.12 the one of functools holds one lock for all objects while it computes:
        threads would wait for one another's programs, and a child of a fork for ever. Two threads
        that read the attribute of one object may here compute it both, which gives the same.
        """

        def __init__(self, function: object) -> None:
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: object, name: str) -> None:
            self.name = name

        def __get__(self, instance: object, owner: object = None) -> object:
            if instance is None:
                return self
            value = self.function(instance)
            return instance.__dict__.setdefault(self.name, value)


class Lock:
    """A lock that is released in the child of a fork, where its holder does not exist."""

    def __init__(self) -> None:
        self.inner = threading.Lock()
        LOCKS.add(self)

    def __enter__(self) -> None:
        self.inner.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.inner.release()


LOCKS: WeakSet[Lock] = WeakSet()


def after_fork() -> None:
    """Releases all locks, and forgets half-imported modules, which the child imports again."""
    for lock in LOCKS:
        lock.inner = threading.Lock()
    bootstrap: Any = getattr(importlib, "_bootstrap", None)  # CPython reinitializes its one lock
    locks: dict[str, Any] = getattr(bootstrap, "_module_locks", {})  # but not those of modules
    for name, reference in list(locks.items()):
        module_lock = reference()
        if module_lock is not None and module_lock.owner not in (None, threading.get_ident()):
            sys.modules.pop(name, None)
            del locks[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork)
