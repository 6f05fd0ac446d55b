"""``XLA_FFI_Api``: the functions that handlers call."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.pjrt.foreign_functions.structures import (
    API,
    MAJOR_VERSION,
    MINOR_VERSION,
    Version,
)
from stablemate.pjrt.interface.structures import Structure
from stablemate.pjrt.status import ErrorCode

ENTRY: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
TASK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
SYSTEM: Final = ctypes.CDLL(None)
NUMBERS: Final = itertools.count(1)


@dataclass(eq=False, slots=True)
class FfiError:
    """``XLA_FFI_Error``.

    Attributes:
        code: Its code.
        message: What it says.
    """

    code: int
    message: bytes


@dataclass(eq=False, slots=True)
class Context:
    """``XLA_FFI_ExecutionContext``: a call of a program.

    Attributes:
        number: Stands for its address.
        states: What handlers keep for later stages, by stage.
    """

    number: int = field(default_factory=lambda: next(NUMBERS))
    states: dict[int, int] = field(default_factory=dict[int, int])


@dataclass(eq=False, slots=True)
class FfiFuture:
    """``XLA_FFI_Future``.

    Attributes:
        is_ready: Whether what it stands for is over.
        failure: How that failed; None if it did not.
    """

    is_ready: bool = False
    failure: FfiError | None = None


class FfiApi:
    """The table of functions.

    Errors, contexts and futures are known to handlers by numbers.

    Attributes:
        failures: Errors that exist, by number.
        contexts: Contexts that exist, by number.
        futures: Futures that exist, by number.
    """

    def __init__(self) -> None:
        self.failures: dict[int, FfiError] = {}
        self.contexts: dict[int, Context] = {}
        self.futures: dict[int, FfiFuture] = {}
        self.messages: dict[int, object] = {}
        self.type_ids: dict[bytes, int] = {}
        self.entries = [ENTRY(self.entry(name, view)) for name, view in API.items()]

    def entry(self, name: str, view: type[Structure]) -> Callable[[int], int | None]:
        """The native entry of a function; one that is not implemented returns an error."""
        function = IMPLEMENTATIONS.get(name)

        def call(address: int) -> int | None:
            if function is None:
                return self.add_error(ErrorCode.UNIMPLEMENTED, f"XLA_FFI_{name} is not implemented")
            return function(self, view.from_address(address))

        return call

    @cached_property
    def memory(self) -> Any:
        """The bytes of ``XLA_FFI_Api``: size, version, and a pointer for each entry."""
        version = ctypes.sizeof(Version)
        size = 8 * 2 + version + 8 + 8 * len(self.entries)
        header = (ctypes.c_uint64 * 2)(size, 0)
        numbers = Version(version, 0, MAJOR_VERSION, MINOR_VERSION)
        pointers = [ctypes.cast(entry, ctypes.c_void_p).value for entry in self.entries]
        table = (ctypes.c_void_p * (1 + len(pointers)))(0, *pointers)
        return ctypes.create_string_buffer(bytes(header) + bytes(numbers) + bytes(table), size)

    @property
    def address(self) -> int:
        """The address of the table, which handlers get in their call frames."""
        return ctypes.addressof(self.memory)

    def add_error(self, code: int, message: str) -> int:
        """The number of a new error."""
        number = next(NUMBERS)
        self.failures[number] = FfiError(code, message.encode())
        return number


def error_create(api: FfiApi, a: Structure) -> int:
    """The number of a new error with the caller's code and message (``XLA_FFI_Error_Create``)."""
    return api.add_error(a.errc, ctypes.string_at(a.message).decode("utf-8", "replace"))


def error_get_message(api: FfiApi, a: Structure) -> None:
    """The message of an error."""
    message = api.messages[a.error] = ctypes.create_string_buffer(api.failures[a.error].message)
    a.message = ctypes.addressof(message)


def error_destroy(api: FfiApi, a: Structure) -> None:
    """Frees an error and its message; one that is unknown is ignored."""
    api.failures.pop(a.error, None)
    api.messages.pop(a.error, None)


def type_register(api: FfiApi, a: Structure) -> None:
    """Returns the id of a type, the same for the same name."""
    name = ctypes.string_at(a.name, a.name_size)
    number = ctypes.c_int64.from_address(a.type_id)
    number.value = api.type_ids.setdefault(name, number.value or len(api.type_ids) + 1)


def state_set(api: FfiApi, a: Structure) -> int | None:
    """Stores the state for later stages."""
    states = api.contexts[a.ctx].states
    if a.stage in states:
        return api.add_error(
            ErrorCode.FAILED_PRECONDITION, "the state of this stage is already set"
        )
    states[a.stage] = a.state
    return None


def state_get(api: FfiApi, a: Structure) -> int | None:
    """Returns the state of an earlier stage."""
    states = api.contexts[a.ctx].states
    if a.stage not in states:
        return api.add_error(ErrorCode.NOT_FOUND, "the state of this stage is not set")
    a.state = states[a.stage]
    return None


def device_memory_allocate(api: FfiApi, a: Structure) -> int | None:
    """Allocates memory, which the handler frees."""
    alignment = max(a.alignment, 64)
    size = -(-max(a.size, 1) // alignment) * alignment
    SYSTEM.aligned_alloc.restype = ctypes.c_void_p
    a.data = SYSTEM.aligned_alloc(ctypes.c_size_t(alignment), ctypes.c_size_t(size))
    if not a.data:
        return api.add_error(ErrorCode.RESOURCE_EXHAUSTED, f"there is no memory for {a.size} bytes")
    return None


def device_memory_free(api: FfiApi, a: Structure) -> None:
    """Frees scratch memory that ``device_memory_allocate`` has given to a handler."""
    SYSTEM.free(ctypes.c_void_p(a.data))


def thread_pool_schedule(api: FfiApi, a: Structure) -> None:
    """Runs a task, on the thread of the handler."""
    TASK(a.task)(a.data)


def thread_pool_num_threads(api: FfiApi, a: Structure) -> None:
    """How many tasks run at the same time."""
    ctypes.c_int64.from_address(a.num_threads).value = 1


def future_create(api: FfiApi, a: Structure) -> None:
    """Stores the number of a new future, which a handler completes when its results are there."""
    a.future = next(NUMBERS)
    api.futures[a.future] = FfiFuture()


def future_set_available(api: FfiApi, a: Structure) -> None:
    """Completes a future: the results of its handler are there."""
    api.futures[a.future].is_ready = True


def future_set_error(api: FfiApi, a: Structure) -> None:
    """Ends a future with an error."""
    future = api.futures[a.future]
    future.failure, future.is_ready = api.failures.pop(a.error, None), True


def run_id_get(api: FfiApi, a: Structure) -> None:
    """The number of a run."""
    a.run_id = a.ctx


def device_ordinal_get(api: FfiApi, a: Structure) -> None:
    """The number of the device."""
    a.device_ordinal = 0


IMPLEMENTATIONS: Final[Mapping[str, Callable[[FfiApi, Structure], int | None]]] = {
    "Error_Create": error_create,
    "Error_GetMessage": error_get_message,
    "Error_Destroy": error_destroy,
    "Type_Register": type_register,
    "State_Set": state_set,
    "State_Get": state_get,
    "DeviceMemory_Allocate": device_memory_allocate,
    "DeviceMemory_Free": device_memory_free,
    "ThreadPool_Schedule": thread_pool_schedule,
    "ThreadPool_NumThreads": thread_pool_num_threads,
    "Future_Create": future_create,
    "Future_SetAvailable": future_set_available,
    "Future_SetError": future_set_error,
    "RunId_Get": run_id_get,
    "DeviceOrdinal_Get": device_ordinal_get,
}
APIS: Final[list[FfiApi]] = []


def api() -> FfiApi:
    """The table of this process."""
    if not APIS:
        APIS.append(FfiApi())
    return APIS[0]
