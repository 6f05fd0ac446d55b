"""Lazily computed values and locks that survive a fork and are safe among threads.

A fork copies memory at any moment, but only one thread: in the child nobody opens the locks that
the others held, and nobody ends the imports that they had begun.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from threading import RLock
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


LOCKS: WeakSet[RLock] = WeakSet()


def fork_safe_lock() -> RLock:
    """A lock that is released in the child of a fork, where its holder does not exist.

    Its ``with`` statement runs no line of Python before it holds the lock or after it begins to
    release it: an exception of a signal handler cannot leave it locked for ever. Its holder may
    take it again: the collector runs finalizers in any line, and these may call what it guards.
    """
    lock = RLock()
    LOCKS.add(lock)
    return lock


def after_fork() -> None:
    """Releases all locks, and forgets half-imported modules, which the child imports again."""
    for lock in LOCKS:
        release_in_child(lock)
    bootstrap: Any = getattr(importlib, "_bootstrap", None)  # CPython reinitializes its one lock
    locks: dict[str, Any] = getattr(bootstrap, "_module_locks", {})  # but not those of modules
    for name, reference in list(locks.items()):
        module_lock = reference()
        if module_lock is not None and module_lock.owner not in (None, threading.get_ident()):
            sys.modules.pop(name, None)
            del locks[name]


def release_in_child(lock: Any) -> None:
    """Releases a lock unless the thread that forked holds it, which goes on in the child."""
    if not lock._is_owned():
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork)
