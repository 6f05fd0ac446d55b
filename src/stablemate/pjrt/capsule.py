"""The capsule: a ``PJRT_Api`` in memory, as jaxlib takes it."""

from __future__ import annotations

import atexit
import ctypes
from functools import lru_cache
from typing import Any, Final

from stablemate.compiler.executable import runtime
from stablemate.pjrt import devices, events, executables, execution, extensions
from stablemate.pjrt.buffers import item_sizes
from stablemate.pjrt.entries import entry_of
from stablemate.pjrt.events import ALWAYS_READY
from stablemate.pjrt.extensions import Extensions
from stablemate.pjrt.interface.structures import BY_NAME, STRUCTURE, Api
from stablemate.pjrt.interface.table import MAJOR_VERSION, MINOR_VERSION
from stablemate.pjrt.layouts import LAYOUT_TABLE
from stablemate.pjrt.native.background_thread import BackgroundThread
from stablemate.pjrt.native.calls import await_sleep, declare, settle
from stablemate.pjrt.native.library import EXTENSION_ENTRIES, Environment, load_library
from stablemate.pjrt.transfers import managers

CAPSULE_NAME: Final = b"pjrt_c_api"
# The modules whose functions implement the interface; importing them registers these.
IMPLEMENTATIONS: Final = (
    devices,
    events,
    executables,
    execution,
    extensions,
    managers,
)


class Interface:
    """The interface of this process, with everything that it points to.

    Attributes:
        api: The structure.
    """

    def __init__(self) -> None:
        self.library = load_library()
        self.entries = [
            *[entry_of(function) for function in BY_NAME.values()],
            *[extensions.entry_of(name) for name in EXTENSION_ENTRIES],
        ]
        self.sizes = item_sizes()
        addresses = [ctypes.cast(entry, ctypes.c_void_p).value or 0 for entry in self.entries]
        fields = {
            "walk": runtime().code.addresses["walk"],
            "item_sizes": ctypes.addressof(self.sizes),
            "ready": ALWAYS_READY.address,
            "layouts": ctypes.addressof(LAYOUT_TABLE),
        }
        self.environment = Environment(self.library, fields, addresses)
        declare(self.library.addresses)
        self.extensions = Extensions(self.library.addresses)
        functions = [self.library.addresses[name] for name in BY_NAME]
        self.api = Api(
            ctypes.sizeof(Api), self.extensions.address, version(),
            (ctypes.c_void_p * len(functions))(*functions),
        )  # fmt: skip
        self.background = BackgroundThread(self.environment, self.library)
        atexit.register(self.end)

    def end(self) -> None:
        """Ends calls of Python: the interpreter ends."""
        settle()
        self.environment.end()
        await_sleep()


def version() -> Any:
    """The version of the interface."""
    kind = STRUCTURE["Api_Version"]
    return kind(ctypes.sizeof(kind), None, MAJOR_VERSION, MINOR_VERSION)


@lru_cache(maxsize=1)
def interface() -> Interface:
    """The interface, built on first use."""
    return Interface()


def capsule() -> Any:
    """The interface as a capsule; it lives as long as the process."""
    create = ctypes.pythonapi.PyCapsule_New
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return create(ctypes.addressof(interface().api), CAPSULE_NAME, None)
