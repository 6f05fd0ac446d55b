"""Compares the memory that a run needs with what the machine has, before any of it is used."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from stablemate.analysis.quantities import size_text
from stablemate.cli.input.array_literals import has_storage
from stablemate.cli.input.tensor_slots import TensorSlot
from stablemate.cli.options import has_option
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError

ANNOUNCED: Final = 1 << 30  # bytes: a run that needs more than this prints how much
LISTED: Final = 3  # of the largest arrays
MEMORY_INFORMATION: Final = Path("/proc/meminfo")
CONTROL_GROUP: Final = Path("/sys/fs/cgroup")
UNLIMITED: Final = 1 << 60  # control groups without a limit state a number near 2^63


def available_memory() -> int | None:
    """The bytes that a process can use without swapping; None if the system does not report it.

    It is what the kernel estimates as available, within the limit of the control group.
    """
    sizes = [*kernel_estimate(), *control_group_rest()]
    return min(sizes) if sizes else None


def kernel_estimate() -> Iterator[int]:
    """The bytes that the kernel reports as available, if it does."""
    with suppress(OSError, ValueError):
        for line in MEMORY_INFORMATION.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) << 10
                return
    with suppress(AttributeError, OSError, ValueError):  # not on every system
        yield os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def control_group_rest() -> Iterator[int]:
    """The bytes that are left of the limit of the control group, if there is one."""
    for limit, usage in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):
            most = int((CONTROL_GROUP / limit).read_text())
            if most < UNLIMITED:
                yield max(most - int((CONTROL_GROUP / usage).read_text()), 0)


def bytes_of(slot: TensorSlot) -> int:
    """The bytes of an array; 0 if its shape is not known."""
    if not slot.type.is_static or not has_storage(slot.type):
        return 0
    return math.prod(slot.type.shape) * slot.type.element_type.dtype.itemsize


def bytes_of_all(slots: Iterable[TensorSlot]) -> int:
    """The bytes of arrays, without those whose shapes are not known."""
    return sum(map(bytes_of, slots))


def drawing_bytes(slots: Iterable[TensorSlot]) -> int:
    """The bytes that drawing the largest of some arrays takes beside the array itself.

    Random numbers are drawn in 64 bits and then rounded.
    """
    return max((8 * bytes_of(slot) // slot.type.element_type.dtype.itemsize
                for slot in slots if bytes_of(slot)), default=0)  # fmt: skip


def check_arrays(
    function: str, arguments: Sequence[TensorSlot], results: Sequence[TensorSlot], *,
    drawn: Sequence[TensorSlot] = (), limit: int | None = None,
) -> None:  # fmt: skip
    """Prints the memory of arguments and results if it is large; rejects more than there is.

    Args:
        function: The name of the function.
        arguments: The arguments of all processes that run here.
        results: Their results.
        drawn: The arguments whose elements are random.
        limit: The most bytes; by default what is available.

    Raises:
        LimitError: They need more; the error names the largest arrays.
    """
    own, drawing = bytes_of_all(results), drawing_bytes(drawn)
    needed = bytes_of_all(arguments) + max(own, drawing)
    if needed < ANNOUNCED and limit is None:
        return
    largest = sorted([*arguments, *results], key=bytes_of, reverse=True)[:LISTED]
    notes = [f"{slot.what} takes {size_text(bytes_of(slot))}: {slot.type}" for slot in largest]
    if drawing > own:
        notes.append(f"drawing random elements takes {size_text(drawing)} for a while")
    check_bytes(f"the arguments and results of {function}", needed, limit, notes)


def check_bytes(what: str, needed: int, limit: int | None, notes: Sequence[str] = ()) -> None:
    """Prints that something needs memory if it is much; rejects more than there is.

    Raises:
        LimitError: It needs more than the limit, or else than what is available.
    """
    most = available_memory() if limit is None else limit
    if most is None or needed <= most:
        if needed >= ANNOUNCED:
            click.echo(f"note: {what} need {size_text(needed)} of memory", err=True)
        return
    rest = (
        f"{size_text(most)} are available" if limit is None else f"the limit is {size_text(most)}"
    )
    message = f"{what} need {size_text(needed)} of memory, but {rest}"
    hint = "--limit-memory=BYTES, such as 64GiB, sets the limit of what a run may need"
    notes = [*notes, *[hint] * has_option("--limit-memory")]
    values = {"bytes": needed, "limit": most}
    lines = tuple(Diagnostic(note) for note in notes)
    raise LimitError(Diagnostic(message, "limits.memory", None, values, lines))
