"""Limits on the resources that untrusted input may use."""

from __future__ import annotations

import os

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on what reading and running a program may take.

    Attributes:
        nesting: Depth of nested regions, types, attributes and literals while reading.
        tensor_bytes: Bytes that one tensor which the program computes must stay below; constants
            that hold their elements, such as weights, may be larger.
        input_bytes: Size of the program text or file.
        calls: Depth of nested function calls while running.
        iterations: Number of iterations of any one ``while``; None for no bound.
        operations: Number of operations of a program whose calls are inlined.
        arena_bytes: Bytes that a compiled program may need for all values on the way to results.
    """

    nesting: int = 100
    tensor_bytes: int = 1_000_000_000
    input_bytes: int = 1 << 34
    calls: int = 200
    iterations: int | None = None
    operations: int = 1 << 20
    arena_bytes: int = 1 << 36


DEFAULT_LIMITS = Limits()


def limits_of_machine() -> Limits:
    """The limits of a program that its caller trusts: a tensor may be as large as the memory."""
    try:
        memory = memory_of_machine()
    except (AttributeError, OSError, ValueError):  # not on every system
        return DEFAULT_LIMITS
    return Limits(tensor_bytes=max(memory, DEFAULT_LIMITS.tensor_bytes))


def memory_of_machine() -> int:
    """The bytes of the memory of the machine.

    Raises:
        AttributeError, OSError, ValueError: The system does not tell.
    """
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def limits_or_default(limits: Limits | None) -> Limits:
    """The limits that a caller passes; the default ones for None.

    Raises:
        ArgumentTypeError: They are no ``Limits``.
    """
    if limits is None:
        return DEFAULT_LIMITS
    if not hasattr(limits, "input_bytes"):
        raise ArgumentTypeError(f"limits are a stablemate.Limits, not {type(limits).__name__}")
    return limits
