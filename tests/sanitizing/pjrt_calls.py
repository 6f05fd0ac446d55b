"""Calls of the PJRT interface from several threads, as jaxlib makes them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from stablemate.pjrt.capsule import interface
from stablemate.pjrt.events import CALLBACK
from stablemate.pjrt.interface.structures import BY_NAME, STRUCTURE
from stablemate.pjrt.native.calls import native

SIZE: Final = 96
F32: Final = 11
CALLERS: Final = 6
ROUNDS: Final = 12
TENSOR: Final = f"tensor<{SIZE}x{SIZE}xf32>"
LONG: Final = f"""
func.func @main(%a: {TENSOR}) -> {TENSOR} {{
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({TENSOR}, {TENSOR}) -> {TENSOR}
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : ({TENSOR}, {TENSOR}) -> {TENSOR}
  return %1 : {TENSOR}
}}
"""
SHORT: Final = f"""
func.func @main(%a: {TENSOR}) -> {TENSOR} {{
  %0 = stablehlo.add %a, %a : {TENSOR}
  return %0 : {TENSOR}
}}
"""


def call(name: str, **fields: Any) -> Any:
    """The arguments of a call, after it."""
    arguments = BY_NAME[name].arguments()
    arguments.struct_size = ctypes.sizeof(arguments)
    for field, value in fields.items():
        setattr(arguments, field, value)
    assert not native(name)(ctypes.addressof(arguments)), name
    return arguments


def compiled(client: int, text: str) -> int:
    """A loaded program."""
    code, kind = text.encode(), b"mlir"
    kept = [ctypes.create_string_buffer(part, len(part)) for part in (code, kind)]
    program = STRUCTURE["Program"]()
    program.code, program.code_size = ctypes.addressof(kept[0]), len(code)
    program.format, program.format_size = ctypes.addressof(kept[1]), len(kind)
    a = call(
        "Client_Compile", client=client, program=ctypes.addressof(program),
        compile_options=ctypes.addressof(kept[0]), compile_options_size=0,
    )  # fmt: skip
    return int(a.executable)


class Caller:
    """Calls programs on a device.

    Attributes:
        ready: How many results became ready.
    """

    def __init__(self) -> None:
        interface()
        self.client = call("Client_Create").client
        device = call("Client_LookupAddressableDevice", client=self.client, local_hardware_id=0)
        self.device = int(device.addressable_device)
        self.programs = [compiled(self.client, text) for text in (LONG, SHORT)]
        self.host = np.full((SIZE, SIZE), 1 / SIZE, np.float32)
        self.ready = 0
        self.on_ready = CALLBACK(self.count)
        self.pointer = ctypes.cast(self.on_ready, ctypes.c_void_p).value

    def count(self, error: int | None, _: int | None) -> None:
        """Counts a result."""
        assert not error
        self.ready += 1

    def argument(self) -> int:
        """A buffer of numbers of the host."""
        sizes = (ctypes.c_int64 * 2)(SIZE, SIZE)
        a = call(
            "Client_BufferFromHostBuffer", client=self.client, data=self.host.ctypes.data,
            type=F32, dims=ctypes.addressof(sizes), num_dims=2, device=self.device,
        )  # fmt: skip
        call("Event_Destroy", event=a.done_with_host_buffer)
        return int(a.buffer)

    def transferred(self) -> int:
        """A buffer whose elements another thread writes, in two pieces, while this one goes on."""
        sizes = (ctypes.c_int64 * 2)(SIZE, SIZE)
        spec = STRUCTURE["ShapeSpec"](ctypes.sizeof(STRUCTURE["ShapeSpec"]))
        spec.dims, spec.num_dims, spec.element_type = ctypes.addressof(sizes), 2, F32
        memory = call("Device_DefaultMemory", device=self.device).memory
        manager = call(
            "Client_CreateBuffersForAsyncHostToDevice", client=self.client, memory=memory,
            shape_specs=ctypes.addressof(spec), num_shape_specs=1,
        ).transfer_manager  # fmt: skip
        handle = "AsyncHostToDeviceTransferManager_"
        buffer = call(f"{handle}RetrieveBuffer", transfer_manager=manager, buffer_index=0)
        half = self.host.nbytes // 2

        def write() -> None:
            for piece in range(2):
                call(
                    f"{handle}TransferData", transfer_manager=manager, buffer_index=0,
                    data=self.host.ctypes.data, offset=piece * half, transfer_size=half,
                    is_last_transfer=piece == 1,
                )  # fmt: skip
            call(f"{handle}Destroy", transfer_manager=manager)

        threading.Thread(target=write).start()
        return int(buffer.buffer_out)

    def run(self, program: int, buffer: int) -> int:
        """The result of a program."""
        options = STRUCTURE["ExecuteOptions"]()
        options.struct_size = ctypes.sizeof(options)
        inputs, outputs = (ctypes.c_void_p * 1)(buffer), (ctypes.c_void_p * 1)()
        rows = [(ctypes.c_void_p * 1)(ctypes.addressof(row)) for row in (inputs, outputs)]
        call(
            "LoadedExecutable_Execute", executable=program, options=ctypes.addressof(options),
            argument_lists=ctypes.addressof(rows[0]), num_devices=1, num_args=1,
            output_lists=ctypes.addressof(rows[1]),
        )  # fmt: skip
        return int(outputs[0] or 0)

    def round(self) -> None:
        """A chain of calls whose results are waited for, copied or dropped."""
        first = self.transferred()
        second = self.run(self.programs[0], first)
        third = self.run(self.programs[1], second)
        fourth = self.run(self.programs[0], third)
        event = call("Buffer_ReadyEvent", buffer=fourth).event
        call("Event_OnReady", event=event, callback=self.pointer)
        call("Event_Destroy", event=event)
        copied = np.zeros_like(self.host)
        a = call("Buffer_ToHostBuffer", src=third, dst=copied.ctypes.data, dst_size=copied.nbytes)
        call("Event_Destroy", event=a.event)
        np.testing.assert_allclose(copied, 2 / SIZE, rtol=1e-4)
        other = self.argument()
        fifth = self.run(self.programs[1], other)
        for buffer in (second, first, third, fourth, other, fifth):
            call("Buffer_Destroy", buffer=buffer)


def rounds() -> None:
    """Rounds of several callers at the same time."""
    caller, failures = Caller(), list[BaseException]()

    def work() -> None:
        try:
            for _ in range(ROUNDS):
                caller.round()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def pjrt(_: object) -> Iterator[tuple[str, Callable[[], object]]]:
    """Callers of the interface."""
    yield "pjrt", rounds
