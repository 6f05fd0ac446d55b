"""Prepares loaded executables for the native hot path."""

from __future__ import annotations

import ctypes
import time
from typing import Any, Final

from stablemate.compiler.executable import CompiledExecutable
from stablemate.fork_safety import fork_safe_lock
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.pjrt.buffers import align_size, block_bytes, inline_offset
from stablemate.pjrt.devices import Device
from stablemate.pjrt.donation import donors
from stablemate.pjrt.layouts import own_layout
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject
from stablemate.pjrt.programs import DeviceProgram

ROWS: Final = "rows: "  # how the names of the arrays begin that a program needs to run
RENEWAL: Final = fork_safe_lock()
# Shorter ones answer Ctrl-C sooner, and cost a look more often.
PAUSE: Final = 0.001  # seconds between two looks at a run that has been interrupted
SLICE: Final = 1 << 24  # ticks that a program runs before it looks for signals: a few milliseconds


def prepare(loaded: NativeObject, program: DeviceProgram, device: Device) -> bool:
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
        rows += [len(places), words(loaded, f"{ROWS}argument {number}", places)]
    results: list[int] = []
    for number, (places, result) in enumerate(
        zip(instance.result_rows.address_words, program.results, strict=True)
    ):
        rank = len(result.shape)
        results += [
            len(places), words(loaded, f"{ROWS}result {number}", places), result.size,
            result.number, rank, words(loaded, f"{ROWS}sizes {number}", result.shape),
            align_size(block_bytes(rank, result.size)),
            inline_offset(rank), own_layout(result.order), program.donors.get(number, -1) + 1,
        ]  # fmt: skip
    donated = [number in program.donated for number in range(len(program.arguments))]
    flags, _ = loaded.array("donated", ctypes.c_uint8, donated)
    loaded.keep("instance", instance)
    for name, value in {
        "table": instance.table, "state": instance.state_address,
        "arguments": words(loaded, f"{ROWS}arguments", rows),
        "results": words(loaded, f"{ROWS}results", results), "device": device.address,
        "memory": device.memories[0].address, "donated": flags if program.donated else 0,
        "slice": SLICE, "is_short": int(instance.image.is_short), "is_native": 1,
    }.items():  # fmt: skip
        loaded.words[word("executable", name)] = value
    return True


def renew(loaded: NativeObject, program: DeviceProgram, device: Device) -> None:
    """Prepares a program again whose last run was interrupted: its memory is not as it was."""
    if not loaded.words[word("executable", "is_stale")]:
        return
    with without_garbage_collection(), RENEWAL:
        if not loaded.words[word("executable", "is_stale")]:
            return
        while loaded.words[word("executable", "busy")]:
            time.sleep(PAUSE)
        loaded.words[word("executable", "is_stale")] = 0
        loaded.forget(ROWS)
        prepare(loaded, program, device)


def words(owner: NativeObject, name: str, values: Any) -> int:
    """Numbers as native words that live as long as their owner."""
    where, _ = owner.array(name, ctypes.c_int64, list(values))
    return where
