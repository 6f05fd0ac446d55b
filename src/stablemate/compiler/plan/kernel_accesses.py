"""The arguments that a kernel reads and writes."""

from __future__ import annotations

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Kernel,
    MoveTile,
    StoreElement,
    When,
    stored_buffers,
    walk_statements,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelAccesses:
    """The arguments that a kernel accesses.

    Attributes:
        read: The buffers that it only reads.
        written: The buffers that it writes.
    """

    read: frozenset[Buffer]
    written: frozenset[Buffer]


def kernel_accesses(kernel: Kernel) -> KernelAccesses:
    """The arguments that a kernel accesses."""
    read: set[Buffer] = set()
    for statement in walk_statements(kernel.body):
        match statement:
            case StoreElement(_, place, value) | Fold(_, place, _, value):
                read |= place.reads | value.reads
            case CombinePartials(_, place):
                read |= place.reads
            case MoveTile(_, buffer, place):
                read |= {buffer, *place.reads}
            case When(condition):
                read |= condition.reads
            case _:
                pass
    written = stored_buffers(kernel.body)
    arguments = frozenset(kernel.arguments)
    return KernelAccesses((frozenset(read) - written) & arguments, written & arguments)
