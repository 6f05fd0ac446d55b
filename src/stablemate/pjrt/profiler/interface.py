"""The profiler of the plugin: what ``jax.profiler.trace`` records of programs on this backend.

Source: the header ``profiler_c_api.h`` of XLA, version 1.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.analysis.timeline.events import events_of
from stablemate.compiler.runtime.run_trace import LaunchRecorder
from stablemate.pjrt.native.calls import settle
from stablemate.pjrt.objects import NativeObject, object_at, release
from stablemate.pjrt.profiler.xspace import xspace

PROFILER: Final = 1  # PJRT_Extension_Type
# The functions of PLUGIN_Profiler_Api after struct_size and a private word. Errors are those of the
# interface, whose functions take the same arguments.
ERROR_FUNCTIONS: Final = ("Error_Destroy", "Error_Message", "Error_GetCode")


class ProfilerArguments(ctypes.Structure):
    """The arguments of functions that take a profiler only."""

    _fields_ = (("struct_size", ctypes.c_size_t), ("profiler", ctypes.c_void_p))


class CreateArguments(ctypes.Structure):
    """``PLUGIN_Profiler_Create_Args``."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("options", ctypes.c_void_p),
        ("options_size", ctypes.c_size_t),
        ("profiler", ctypes.c_void_p),
    )


class CollectArguments(ctypes.Structure):
    """``PLUGIN_Profiler_CollectData_Args``."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("profiler", ctypes.c_void_p),
        ("buffer", ctypes.c_void_p),
        ("buffer_size_in_bytes", ctypes.c_size_t),
    )


class Profiler(NativeObject):
    """``PLUGIN_Profiler``.

    Attributes:
        trace: What is recorded, or was; None before it starts.
        epoch: The nanoseconds from the UNIX epoch to the zero of the clock of the trace.
        content: What was recorded, as an ``XSpace``; None while it is not asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trace: LaunchRecorder | None = None
        self.epoch = 0
        self.content: Any = None


def create(address: int) -> None:
    """Stores the address of a new profiler, which records nothing before it is started."""
    CreateArguments.from_address(address).profiler = Profiler().address


def destroy(address: int) -> None:
    """Destroys a profiler; what it was recording is dropped."""
    where = ProfilerArguments.from_address(address).profiler
    if where:
        profiler = object_at(where, Profiler)
        if profiler.trace is not None:
            profiler.trace.stop()
        release(where)


def start(address: int) -> None:
    """Begins to record.

    Raises:
        UnsupportedError: This process already records a trace.
    """
    profiler = object_at(ProfilerArguments.from_address(address).profiler, Profiler)
    settle()
    trace = LaunchRecorder()
    trace.start()
    profiler.trace, profiler.content = trace, None
    profiler.epoch = time.time_ns() - time.perf_counter_ns()


def stop(address: int) -> None:
    """Ends the recording, after the program in the background."""
    profiler = object_at(ProfilerArguments.from_address(address).profiler, Profiler)
    settle()
    if profiler.trace is not None:
        profiler.trace.stop()


def collect(address: int) -> None:
    """Stores the size of what was recorded, and its bytes in the buffer of the caller.

    A caller without a buffer gets ours, which lives as long as the profiler. Older versions of
    jaxlib ask for the size in this way, and call again with a buffer.
    """
    arguments = CollectArguments.from_address(address)
    profiler = object_at(arguments.profiler, Profiler)
    if profiler.content is None:
        events = [] if profiler.trace is None else events_of(profiler.trace)
        content = xspace(events, profiler.epoch)
        profiler.content = ctypes.create_string_buffer(content, len(content))
    size = len(profiler.content)
    arguments.buffer_size_in_bytes = size
    if arguments.buffer:
        ctypes.memmove(arguments.buffer, profiler.content, size)
    else:
        arguments.buffer = ctypes.addressof(profiler.content)


IMPLEMENTATIONS: Final[Mapping[str, Callable[[int], None]]] = {
    "Profiler_Create": create,
    "Profiler_Destroy": destroy,
    "Profiler_Start": start,
    "Profiler_Stop": stop,
    "Profiler_CollectData": collect,
}


def profiler_interface(library: Mapping[str, int]) -> ctypes.Array[ctypes.c_uint64]:
    """``PLUGIN_Profiler_Api`` in memory.

    Args:
        library: Addresses of native functions by name.
    """
    functions = [library[name] for name in (*ERROR_FUNCTIONS, *IMPLEMENTATIONS)]
    count = 2 + len(functions)
    return (ctypes.c_uint64 * count)(8 * count, 0, *functions)
