"""The capsule: a ``PJRT_Api`` in memory, as jaxlib takes it."""

from __future__ import annotations

import atexit
import ctypes
import sys
from functools import lru_cache
from typing import Final

from stablemate.compiler.codegen.loader import linker
from stablemate.compiler.executable import runtime
from stablemate.immortal import immortalize
from stablemate.pjrt import devices, events, executables, execution, extensions
from stablemate.pjrt.buffers import item_sizes
from stablemate.pjrt.callbacks.python_callbacks import HELD
from stablemate.pjrt.entries import entry_of
from stablemate.pjrt.events import ALWAYS_READY
from stablemate.pjrt.extensions import Extensions
from stablemate.pjrt.interface.structures import BY_NAME, STRUCTURE, PjrtApi
from stablemate.pjrt.interface.table import MAJOR_VERSION, MINOR_VERSION
from stablemate.pjrt.layouts import LAYOUT_TABLE
from stablemate.pjrt.native.background_thread import BackgroundThread
from stablemate.pjrt.native.calls import CALLS, declare, settle
from stablemate.pjrt.native.library import (
    EXTENSION_ENTRIES,
    PROFILER_ENTRIES,
    Environment,
    load_library,
)
from stablemate.pjrt.objects import OBJECTS
from stablemate.pjrt.status import ErrorCode, PjrtStatus
from stablemate.pjrt.transfers import managers

CAPSULE_NAME: Final = b"pjrt_c_api"
ENDED: Final = "the interpreter of Python has ended; programs that are compiled still run"
# The modules whose functions implement the interface; importing them registers these.
IMPLEMENTATIONS: Final = (
    devices,
    events,
    executables,
    execution,
    extensions,
    managers,
)


class ProcessInterface:
    """The interface of this process, with everything that it points to.

    jaxlib and the thread in the background use it until the process ends, so it is never freed, nor
    are the objects that jaxlib has not destroyed.

    Attributes:
        api: The structure.
    """

    def __init__(self) -> None:
        self.library = load_library()
        self.entries = [
            *[entry_of(function) for function in BY_NAME.values()],
            *[extensions.entry_of(name) for name in (*EXTENSION_ENTRIES, *PROFILER_ENTRIES)],
        ]
        self.sizes = item_sizes()
        self.ended = PjrtStatus(ErrorCode.FAILED_PRECONDITION, ENDED)
        ended_text, ended_size = self.ended.string("message", ENDED)
        addresses = [ctypes.cast(entry, ctypes.c_void_p).value or 0 for entry in self.entries]
        fields = {
            "walk": runtime().code.addresses["walk"],
            "item_sizes": ctypes.addressof(self.sizes),
            "ready": ALWAYS_READY.address,
            "layouts": ctypes.addressof(LAYOUT_TABLE),
            "ended": self.ended.address,
            "ended_text": ended_text,
            "ended_size": ended_size,
            "ended_code": self.ended.code,
        }
        self.environment = Environment(self.library, fields, addresses)
        declare(self.library.addresses)
        self.extensions = Extensions(self.library.addresses)
        functions = [self.library.addresses[name] for name in BY_NAME]
        self.api = PjrtApi(
            ctypes.sizeof(PjrtApi), self.extensions.address, version(),
            (ctypes.c_void_p * len(functions))(*functions),
        )  # fmt: skip
        self.background = BackgroundThread(self.environment, self.library)
        immortalize(self)
        immortalize(OBJECTS)
        immortalize(CALLS)
        immortalize(linker())
        atexit.register(self.finish)

    def finish(self) -> None:
        """Waits for programs in the background and compilations that nobody waits for.

        Whatever runs after this, in other handlers or threads, finds everything as it was.
        """
        if getattr(sys, "last_type", None) is KeyboardInterrupt:  # Ctrl-C ends the process
            self.environment.interrupt_background()
        settle()
        self.environment.await_foreign_calls()
        HELD.finish()


def version() -> object:
    """The version of the interface."""
    kind = STRUCTURE["Api_Version"]
    return kind(ctypes.sizeof(kind), None, MAJOR_VERSION, MINOR_VERSION)


@lru_cache(maxsize=1)
def interface() -> ProcessInterface:
    """The interface, built on first use."""
    return ProcessInterface()


def capsule() -> object:
    """The interface as a capsule; it lives as long as the process."""
    create = ctypes.pythonapi.PyCapsule_New
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return create(ctypes.addressof(interface().api), CAPSULE_NAME, None)
