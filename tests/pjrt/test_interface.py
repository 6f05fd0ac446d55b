"""The declared table: offsets as the header has them, and answers to callers of other versions."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from stablemate.compiler.runtime.instance import aligned_memory
from stablemate.pjrt.capsule import interface
from stablemate.pjrt.events import CALLBACK
from stablemate.pjrt.executables import deserialize
from stablemate.pjrt.interface.element_types import NUMBERS
from stablemate.pjrt.interface.structures import BY_NAME, PjrtApi
from stablemate.pjrt.native.calls import native
from stablemate.pjrt.native.records import COPIED_BYTES
from stablemate.pjrt.objects import object_at
from stablemate.pjrt.plugin import make_client
from stablemate.pjrt.status import ErrorCode, PjrtError, PjrtStatus


def called(name: str, size: int | None = None) -> tuple[Any, PjrtStatus | None]:
    """The arguments of a call that passes nothing but a size, and the error it returns."""
    interface()
    arguments = BY_NAME[name].arguments()
    arguments.struct_size = BY_NAME[name].size if size is None else size
    error = native(name)(ctypes.addressof(arguments))
    return arguments, None if not error else object_at(error, PjrtStatus)


@pytest.mark.parametrize(
    ("name", "slot", "size"),
    [
        ("Error_Destroy", 0, 24),
        ("Event_IsReady", 6, 25),
        ("Client_BufferFromHostBuffer", 22, 120),
        ("LoadedExecutable_Execute", 55, 80),
        ("TopologyDescription_GetMemorySpaceKindIds", 137, 40),
    ],
)
def test_functions_have_the_slot_and_size_of_the_header(name: str, slot: int, size: int) -> None:
    assert (BY_NAME[name].slot, BY_NAME[name].size) == (slot, size)


def test_the_structure_has_every_function() -> None:
    functions = list(interface().api.functions)
    assert all(functions)
    assert interface().api.struct_size == ctypes.sizeof(PjrtApi)


def test_an_unimplemented_function_answers_with_its_name() -> None:
    _, error = called("Client_DmaMap")
    assert error is not None
    assert error.code == ErrorCode.UNIMPLEMENTED
    assert error.text == "stablemate does not implement PJRT_Client_DmaMap"


def test_arguments_that_are_too_short_are_rejected() -> None:
    _, error = called("Client_Create", 24)
    assert error is not None
    assert error.code == ErrorCode.INVALID_ARGUMENT


def test_arguments_of_an_older_caller_are_filled_in() -> None:
    function = BY_NAME["Client_Create"]
    assert function.least_size < function.size
    arguments, error = called("Client_Create", function.least_size)
    assert error is None
    assert arguments.client


def test_a_field_that_old_callers_do_not_count_is_filled_in() -> None:
    function = BY_NAME["Plugin_Attributes"]
    assert function.counted_size < function.least_size  # jaxlib 0.6 counts all but the last field
    arguments, error = called("Plugin_Attributes", function.counted_size)
    assert error is None
    assert arguments.attributes
    assert arguments.num_attributes > 0
    _, error = called("Plugin_Attributes", function.counted_size - 1)
    assert error is not None


def test_an_event_calls_everyone_who_waits_for_it_in_order() -> None:
    client, _ = called("Client_Create")
    devices = call_with("Client_AddressableDevices", {"client": client.client})
    values = aligned_memory(COPIED_BYTES)  # an array that is shared: not done before it is freed
    sizes = (ctypes.c_int64 * 1)(len(values))
    given = {
        "client": client.client, "data": values.ctypes.data, "type": NUMBERS[values.dtype],
        "dims": ctypes.addressof(sizes), "num_dims": 1, "host_buffer_semantics": 2,
        "device": ctypes.c_void_p.from_address(devices.addressable_devices).value,
    }  # fmt: skip
    shared = call_with("Client_BufferFromHostBuffer", given)
    event = shared.done_with_host_buffer
    seen: list[int] = []

    def note(error: int | None, number: int) -> None:
        seen.append(number)

    callback = CALLBACK(note)
    address = ctypes.cast(callback, ctypes.c_void_p).value

    def wait(number: int) -> None:
        call_with("Event_OnReady", {"event": event, "callback": address, "user_arg": number})

    for number in (1, 2, 3):
        wait(number)
    assert seen == []
    call_with("Buffer_Destroy", {"buffer": shared.buffer})
    assert seen == [1, 2, 3]
    wait(4)
    assert seen == [1, 2, 3, 4]
    call_with("Event_Destroy", {"event": event})


def call_with(name: str, fields: Mapping[str, object]) -> Any:
    """The structure of a call without an error, after the call."""
    arguments = BY_NAME[name].arguments()
    arguments.struct_size = BY_NAME[name].size
    for field, value in fields.items():
        setattr(arguments, field, value)
    assert not native(name)(ctypes.addressof(arguments))
    return arguments


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"cos\nsystem",
        b"stablemate-executable-1\n{}\n",
        b'stablemate-executable-1\n{"format": "mlir", "sizes": [9, 0]}\nx',
    ],
)
def test_bytes_that_are_no_executable_are_rejected(content: bytes) -> None:
    with pytest.raises(PjrtError, match="no executable that stablemate has serialized"):
        deserialize(content)


def test_windows_is_refused_with_what_works_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(RuntimeError, match=r"POSIX threads.*sm\.from_jax and sm\.compile work"):
        make_client()
