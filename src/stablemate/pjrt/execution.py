"""Execution in Python: on grids of devices, with requests to the host, and by the interpreter."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

import numpy as np

from stablemate.pjrt.buffers import DeviceBuffer, require_live
from stablemate.pjrt.callbacks.python_callbacks import HELD
from stablemate.pjrt.devices import Device
from stablemate.pjrt.events import ALWAYS_READY, EventError, ReadyEvent
from stablemate.pjrt.executables import PjrtLoadedExecutable
from stablemate.pjrt.fast_path import renew
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import STRUCTURE, Structure
from stablemate.pjrt.layouts import own_layout
from stablemate.pjrt.objects import array_at, object_at
from stablemate.pjrt.programs import DeviceProgram, ProgramValue
from stablemate.pjrt.status import ErrorCode, PjrtError, PjrtStatus
from stablemate.pjrt.transfers.incomplete_buffers import call_native, error_buffer


def retain_buffer(stack: ExitStack, address: int) -> DeviceBuffer:
    """A buffer whose elements are held until the stack is left."""
    buffer = require_live(address)
    call_native("Buffer_IncreaseExternalReferenceCount", address)
    stack.callback(call_native, "Buffer_DecreaseExternalReferenceCount", address)
    return buffer


def argument(buffer: DeviceBuffer, operand: ProgramValue) -> object:
    """The value of an argument; None for a token."""
    return None if operand.is_token else buffer.physical


def run(loaded: PjrtLoadedExecutable, rows: Sequence[Sequence[object]]) -> list[tuple[Any, ...]]:
    """The results of each device of this process.

    Args:
        loaded: The program.
        rows: The arguments of each.
    """
    program, own = loaded.program, loaded.addressable
    executable = program.executable
    if program.grid.size == 1:
        outcomes = [executable(*rows[0])]
    elif len(own) < program.grid.size:
        if program.ordered is not None:
            message = "devices of several processes are in an order that no mesh has"
            raise PjrtError(ErrorCode.UNIMPLEMENTED, message)
        entries: list[tuple[Any, ...]] = [()] * program.grid.size
        for position, row in zip(own, rows, strict=True):
            entries[position] = tuple(row)
        ranks = [device.description.process for device in loaded.devices]
        results = executable.run_grid(entries, program.grid, carrier="mpi", ranks=ranks)
        outcomes = [results[position] for position in own]
    else:
        orders = None if program.ordered is None else program.ordered.arguments
        outcomes = executable.run_grid(reorder_values(rows, orders), program.grid)
    if not program.results:
        return [()] * len(rows)
    values = [outcome if len(program.results) > 1 else (outcome,) for outcome in outcomes]
    if program.ordered is None:
        return values
    inverse = [order and [*np.argsort(order)] for order in program.ordered.results]
    return reorder_values(values, inverse)


def reorder_values(
    rows: Sequence[Sequence[object]], orders: Sequence[Sequence[int] | None] | None
) -> list[tuple[object, ...]]:
    """The values of each place of a grid.

    Args:
        rows: Those of each device.
        orders: For each value, the devices by place; None if they are in the order of the places.
    """
    if orders is None:
        return [tuple(row) for row in rows]
    return [
        tuple(
            rows[place if order is None else order[place]][position]
            for position, order in enumerate(orders)
        )
        for place in range(len(rows))
    ]


def result(value: object, operand: ProgramValue, device: Device) -> int:
    """The address of a new buffer for a result."""
    array = np.zeros((), bool) if operand.is_token else np.asarray(value, operand.dtype)
    memory = device.memory(operand.memory_kind)
    if operand.order is not None:
        array = array.transpose(np.argsort(operand.order))
    layout = own_layout(operand.order)
    return DeviceBuffer.copy_of(
        array.reshape(operand.shape), operand.number, memory, layout
    ).address


@implements("LoadedExecutable_Execute")
def loaded_executable_execute(a: Structure) -> None:
    """Runs a program on all its devices."""
    loaded = object_at(a.executable, PjrtLoadedExecutable)
    program = loaded.program
    if loaded.is_deleted:
        raise PjrtError(ErrorCode.FAILED_PRECONDITION, "the executable has been deleted")
    renew(loaded, program, loaded.devices[0])
    lists = array_at(a.argument_lists, ctypes.c_void_p, a.num_devices)
    addresses = [array_at(list_address, ctypes.c_void_p, a.num_args) for list_address in lists]
    donated = donated_positions(program, a.options)
    reject_second_uses(addresses, donated)
    with ExitStack() as stack:
        stack.callback(HELD.of(loaded.address).copy)  # a run holds them to its end
        try:
            buffers = [[retain_buffer(stack, address) for address in row] for row in addresses]
        except EventError as failed:
            return fill_errors(loaded, a, failed.status)
        rows = [
            [argument(*pair) for pair in zip(row, program.arguments, strict=True)]
            for row in buffers
        ]
        results = run(loaded, rows)
        for (device, output), values in zip(outputs_of(loaded, a), results, strict=True):
            fill_results(program, values, device, output)
        for row in addresses:
            for position in donated:
                call_native("Buffer_Delete", row[position])
    if a.device_complete_events:
        events = (ctypes.c_void_p * a.num_devices).from_address(a.device_complete_events)
        events[:] = [ALWAYS_READY.address] * a.num_devices


def outputs_of(loaded: PjrtLoadedExecutable, a: Structure) -> list[tuple[Device, int]]:
    """The devices of this process, and where the caller wants the buffers of their results."""
    outputs = array_at(a.output_lists, ctypes.c_void_p, a.num_devices)
    asked = object_at(a.execute_device, Device) if a.execute_device else None
    devices = [asked or loaded.devices[number] for number in loaded.addressable]
    return list(zip(devices, outputs, strict=True))


def fill_results(
    program: DeviceProgram, values: Sequence[object], device: Device, output: int
) -> None:
    """Writes the buffers of a device's results where the caller wants them."""
    if not program.results:
        return
    slots = (ctypes.c_void_p * len(program.results)).from_address(output)
    for number, (value, operand) in enumerate(zip(values, program.results, strict=True)):
        slots[number] = result(value, operand, device)


def fill_errors(loaded: PjrtLoadedExecutable, a: Structure, error: PjrtStatus) -> None:
    """Makes results that carry the error of an argument."""
    results = loaded.program.results
    for device, output in outputs_of(loaded, a) if results else []:
        slots = (ctypes.c_void_p * len(results)).from_address(output)
        for position, operand in enumerate(results):
            memory = device.memory(operand.memory_kind)
            slots[position] = error_buffer(
                operand.shape, operand.number, memory, PjrtStatus(error.code, error.text)
            ).address
    if a.device_complete_events:
        events = (ctypes.c_void_p * a.num_devices).from_address(a.device_complete_events)
        events[:] = [
            ReadyEvent(PjrtStatus(error.code, error.text)).address for _ in range(a.num_devices)
        ]


def donated_positions(program: DeviceProgram, options: int) -> list[int]:
    """The arguments that are donated, but for those that the caller wants to keep."""
    if not program.donated:
        return []
    options_ = STRUCTURE["ExecuteOptions"].from_address(options)
    kept = array_at(
        options_.non_donatable_input_indices,
        ctypes.c_int64,
        options_.num_non_donatable_input_indices,
    )
    return [position for position in program.donated if position not in kept]


def reject_second_uses(addresses: Sequence[Sequence[int]], donated: Sequence[int]) -> None:
    """Rejects calls that donate a buffer and pass it as another argument too.

    Raises:
        PjrtError: This is such a call.
    """
    for partition, row in enumerate(addresses):
        for position in donated:
            uses = [i for i, address in enumerate(row) if address == row[position]]
            if len(uses) > 1:
                text = second_use_text(uses, donated, partition)
                raise PjrtError(ErrorCode.INVALID_ARGUMENT, text)


def second_use_text(uses: Sequence[int], donated: Sequence[int], partition: int) -> str:
    """The message of XLA's clients about arguments that are one buffer, which is donated."""
    first, *others = uses
    second = others[0] if first in donated else next(use for use in others if use in donated)
    what, example = SECOND_USES[first in donated, second in donated]
    return (
        f"Attempt to {what} Execute() (flattened argument {second}, replica 0, partition "
        f"{partition}, first use: {first}). Toy example for this bug: `{example}`."
    )


# What a call does with a buffer that is two arguments, by whether the first and the second of them
# are donated.
SECOND_USES: Final[Mapping[tuple[bool, bool], tuple[str, str]]] = {
    (True, True): ("donate the same buffer twice in", "f(donate(a), donate(a))"),
    (True, False): (
        "use a buffer that was previously donated in the same call to",
        "f(donate(a), a)",
    ),
    (False, True): ("donate a buffer which is also used by the same call to", "f(a, donate(a))"),
}
