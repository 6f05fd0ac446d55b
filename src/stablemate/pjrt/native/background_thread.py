"""The thread that runs long programs, so that their callers go on."""

from __future__ import annotations

import ctypes
import os
from threading import get_ident
from typing import Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded
from stablemate.compiler.runtime.native.runtime import STACK_BYTES, blocked_signals
from stablemate.pjrt.native.background import CLOSED
from stablemate.pjrt.native.calls import settle
from stablemate.pjrt.native.library import Environment, address_of
from stablemate.pjrt.native.records import word

# PTHREAD_CREATE_DETACHED of <pthread.h>, which is 1 in glibc and in musl; systems without unnamed
# semaphores have no thread in the background.
DETACHED: Final = 1


class BackgroundThread:
    """A thread of the system. Without it, as in the child of a fork, programs run at once."""

    def __init__(self, environment: Environment, library: Loaded) -> None:
        """Starts the thread, if the system has one more."""
        self.environment = environment
        self.semaphore = np.zeros(8, np.int64)
        self.attributes = np.zeros(16, np.int64)  # longer than those of any system
        self.detached = np.zeros(16, np.int64)  # those of threads that nobody waits for
        self.thread = ctypes.c_ulong()
        if self.start(library.addresses["work_in_background"]):
            environment.words[word("environment", "semaphore")] = self.semaphore.ctypes.data
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=settle, after_in_child=self.forget)

    def start(self, function: int) -> bool:
        """Starts the thread; returns whether it could."""
        system = ctypes.CDLL(None)
        semaphore = ctypes.c_void_p(self.semaphore.ctypes.data)
        attributes = ctypes.c_void_p(self.attributes.ctypes.data)
        if system.sem_init(semaphore, 0, 0):  # macOS has no unnamed semaphores
            return False
        system.pthread_attr_init(attributes)
        system.pthread_attr_setstacksize(attributes, ctypes.c_size_t(STACK_BYTES))
        system.pthread_attr_init(ctypes.c_void_p(self.detached.ctypes.data))
        system.pthread_attr_setdetachstate(ctypes.c_void_p(self.detached.ctypes.data), DETACHED)
        self.environment.words[word("environment", "detached")] = self.detached.ctypes.data
        create = address_of(system.pthread_create)
        self.environment.words[word("environment", "pthread_create")] = create
        with blocked_signals():
            failed = system.pthread_create(
                ctypes.byref(self.thread), attributes, ctypes.c_void_p(function), semaphore
            )
        return not failed

    def forget(self) -> None:
        """In the child of a fork: the thread is the parent's."""
        names = ("semaphore", "job_state", "foreign_calls")
        values = {**dict.fromkeys(names, 0), "job_waiters": CLOSED, "main_thread": get_ident()}
        for name, value in values.items():
            self.environment.words[word("environment", name)] = value
