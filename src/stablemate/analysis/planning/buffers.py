"""Buffers: what a program holds in memory when it holds most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlannedBuffer:
    """A value in memory.

    Attributes:
        name: What the printed program calls it; in a plan, its slot.
        type: Its type, as text.
        bytes: What it holds.
        operation: What makes it: an operation, ``argument``, ``result`` or ``constant``.
        line: Where that stands in the text it was read from.
        file: Where the producer has it, ``f.py:3:4``, if it was read from no text.
    """

    name: str
    type: str
    bytes: int
    operation: str
    line: int | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that a program holds at a time.

    Attributes:
        order: ``program``: operations one by one as they stand, each value in a buffer of its own
            from what makes it to what last uses it. ``plan``: as the compiler arranges it, with
            operations fused and buffers used again.
        bytes: All buffers together.
        buffers: Which they are, the largest first.
        operation: What runs then.
        line: Where that stands in the text.
        arena: In a plan, the bytes of the block of memory that holds local buffers: what lives at
            the peak, and what is lost between buffers.
        unsized: How many values are not counted, because their size is known only at run time.
    """

    order: str
    bytes: int
    buffers: Sequence[PlannedBuffer]
    operation: str = ""
    line: int | None = None
    arena: int | None = None
    unsized: int = 0


def largest_first(buffers: Iterable[PlannedBuffer]) -> tuple[PlannedBuffer, ...]:
    """The buffers, the largest first; what holds nothing is left out."""
    return tuple(
        sorted((buffer for buffer in buffers if buffer.bytes), key=lambda buffer: -buffer.bytes)
    )
