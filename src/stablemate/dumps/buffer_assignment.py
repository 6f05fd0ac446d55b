"""Buffer assignments of XLA: which values share which memory.

The file lists allocations, each followed by the values in it::

    allocation 30: size 896, preallocated-temp:
     value: <45 pad_bitcast_fusion @0> (size=448,offset=0): f32[7,16]{1,0}

Source: the files ``*-buffer-assignment.txt`` and ``*-memory-usage-report.txt`` of XLA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ParseError

LINE: Final = 1 << 16  # characters of a line that are looked at
ALLOCATION: Final = re.compile(r"allocation (\d{1,18}): (?:\S+ )?size (\d{1,18})(.*)")
VALUE: Final = re.compile(
    r" value: <\d{1,18} (\S+?)(?:\{([\d,]*)\})? @\d{1,18}>"
    r" \(size=(\d{1,18}),offset=(\d{1,18})\): (.*)"
)
TOTAL: Final = re.compile(r"Total bytes(?: used)?: (\d{1,18})")
PARAMETER: Final = re.compile(r"parameter (\d{1,9})")
# How the kinds of allocations are told apart, in this order.
KINDS: Final = {
    "thread-local": "thread-local",
    "constant": "constants",
    "parameter": "parameters",
    "maybe-live-out": "results",
    "preallocated-temp": "temporaries",
}


@dataclass(frozen=True, slots=True)
class AllocatedValue:
    """A value in an allocation.

    Attributes:
        name: The instruction that defines it.
        bytes: Its size.
        offset: Where it begins in the allocation, in bytes.
        shape: Its shape, with its layout.
    """

    name: str
    bytes: int
    offset: int
    shape: str


@dataclass(frozen=True, slots=True)
class BufferAllocation:
    """A piece of memory.

    Attributes:
        number: Its number.
        bytes: Its size.
        kind: ``parameters``, ``results``, ``temporaries``, ``constants``, ``thread-local``; or
            ``others``.
        parameter: The number of the parameter; None if it is none.
        values: The values in it, which share it.
    """

    number: int
    bytes: int
    kind: str
    parameter: int | None
    values: Sequence[AllocatedValue]

    @property
    def largest(self) -> AllocatedValue | None:
        """The largest value; None without any."""
        return max(self.values, key=lambda value: value.bytes, default=None)


@dataclass(frozen=True, slots=True)
class BufferAssignment:
    """The memory of a compiled program.

    Attributes:
        allocations: Its pieces, in the order of their numbers.
    """

    allocations: Sequence[BufferAllocation]

    @property
    def bytes(self) -> int:
        """The size of all pieces; those of threads are on their stacks."""
        return sum(item.bytes for item in self.allocations if item.kind != "thread-local")

    @property
    def by_kind(self) -> dict[str, int]:
        """The bytes of each kind, those that take most first."""
        sizes: dict[str, int] = {}
        for allocation in self.allocations:
            if allocation.kind != "thread-local":
                sizes[allocation.kind] = sizes.get(allocation.kind, 0) + allocation.bytes
        return dict(sorted(sizes.items(), key=lambda item: -item[1]))

    @property
    def largest_values(self) -> list[tuple[BufferAllocation, AllocatedValue]]:
        """The values, largest first; of those that share memory in a piece all are listed."""
        pairs = [(piece, value) for piece in self.allocations for value in piece.values]
        return sorted(pairs, key=lambda pair: (-pair[1].bytes, pair[0].number, pair[1].offset))


def buffer_assignment_of(text: str, name: str) -> BufferAssignment:
    """The buffer assignment in a file of XLA.

    Args:
        text: The text of the file.
        name: What messages call it.

    Raises:
        ParseError: It is no buffer assignment, or a line of it is damaged.
    """
    return BufferAssignment(list(allocations_in(text, name)))


def allocations_in(text: str, name: str) -> Iterator[BufferAllocation]:
    """The allocations in a text.

    Raises:
        ParseError: A line is damaged, or there is no allocation.
    """
    head: re.Match[str] | None = None
    values: list[AllocatedValue] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("allocation "):
            if head is not None:
                yield allocation_of(head, values)
            head, values = match_line(ALLOCATION, line, name, number), []
        elif line.startswith(" value: ") and head is not None:
            found = match_line(VALUE, line, name, number)
            values.append(AllocatedValue(found[1], int(found[3]), int(found[4]), found[5]))
        elif head is not None and not line.strip():
            break  # what follows repeats the largest ones
    if head is None:
        raise ParseError(f"{name}: this is no buffer assignment of XLA: it has no allocation")
    yield allocation_of(head, values)


def match_line(pattern: re.Pattern[str], line: str, name: str, number: int) -> re.Match[str]:
    """The match of a line.

    Raises:
        ParseError: The line does not match.
    """
    found = pattern.match(line[:LINE])
    if found is None:
        shown = line if len(line) <= 60 else f"{line[:60]}..."
        raise ParseError(f"{name}:{number}: this is no line of a buffer assignment: {shown!r}")
    return found


def allocation_of(head: re.Match[str], values: Sequence[AllocatedValue]) -> BufferAllocation:
    """An allocation by its line and the values below."""
    rest = head[3]
    kind = next((kind for word, kind in KINDS.items() if word in rest), "others")
    parameter = PARAMETER.search(rest)
    number = None if parameter is None else int(parameter[1])
    return BufferAllocation(int(head[1]), int(head[2]), kind, number, values)


def reported_bytes(text: str) -> int | None:
    """The bytes that a report of the use of memory states; None if it states none."""
    sizes = [int(found[1]) for found in TOTAL.finditer(text)]
    return sum(sizes) if sizes else None
