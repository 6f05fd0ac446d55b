"""Prepares loaded executables for the native hot path."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from stablemate.compiler.executable import CompiledExecutable
from stablemate.pjrt.buffers import aligned, block_bytes, inline_offset
from stablemate.pjrt.devices import Device
from stablemate.pjrt.donation import donors
from stablemate.pjrt.layouts import own_layout
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject
from stablemate.pjrt.programs import Program

LONG: Final = 1 << 40  # ticks: nothing looks at signals while a program runs


def prepare(loaded: NativeObject, program: Program, device: Device) -> bool:
    """Fills in the record of a program that native code can run by itself.

    That is one for one device that asks nothing of Python, has no tokens, and keeps its results in
    the memory of the device. Returns whether it is.
    """
    executable = program.executable
    values = [*program.arguments, *program.results]
    if program.options.num_devices > 1 or not isinstance(executable, CompiledExecutable):
        return False
    if executable.runs_as_process or any(
        value.is_token or value.memory_kind != "device" for value in values
    ):
        return False
    instance = executable.instance()
    if instance.image.requests:
        return False
    instance.start_workers()
    program.donors = donors(program.donated, instance.image.reusable_pairs)
    rows: list[int] = []
    for number, places in enumerate(instance.argument_rows.address_words):
        rows += [len(places), words(loaded, f"argument {number}", places)]
    results: list[int] = []
    for number, (places, result) in enumerate(
        zip(instance.result_rows.address_words, program.results, strict=True)
    ):
        rank = len(result.shape)
        results += [
            len(places), words(loaded, f"result {number}", places), result.size, result.number,
            rank,
            words(loaded, f"sizes {number}", result.shape), aligned(block_bytes(rank, result.size)),
            inline_offset(rank), own_layout(result.order), program.donors.get(number, -1) + 1,
        ]  # fmt: skip
    donated = [number in program.donated for number in range(len(program.arguments))]
    flags, _ = loaded.array("donated", ctypes.c_uint8, donated)
    loaded.keep("instance", instance)
    for name, value in {
        "is_native": 1, "table": instance.table, "state": instance.state_address,
        "arguments": words(loaded, "argument rows", rows),
        "results": words(loaded, "result rows", results), "device": device.address,
        "memory": device.memories[0].address, "donated": flags if program.donated else 0,
        "slice": LONG, "is_short": int(instance.image.is_short),
    }.items():  # fmt: skip
        loaded.words[word("executable", name)] = value
    return True


def words(owner: NativeObject, name: str, values: Any) -> int:
    """Numbers as native words that live as long as their owner."""
    where, _ = owner.array(name, ctypes.c_int64, list(values))
    return where
