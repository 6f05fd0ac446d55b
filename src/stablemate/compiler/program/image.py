"""The program image: a plan as words that are ready to be loaded; the disk cache stores it.

All words stand in one array: the records of the steps, then the arrays of pointers that launches
hand to kernels, then the tables that choices look into. Where a word is an address, it is listed
what it is relative to: the array itself, the arena, a constant, a function, or an operand of the
call, which each call writes anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from stablemate.ir.core import Operation
from stablemate.numerics.elements import Array

COPY_BLOCKS: Final = "copy_blocks"
# Origin, and which argument, result or constant; or where in the arena; or which word says where in
# memory, for what exchanges its memory with others.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request.

    Attributes:
        operation: The number of the operation, among all of the program.
        operands: Where its operands are.
        results: Where its results go.
        asks: Whether it asks the world instead of computing.
    """

    operation: int
    operands: Sequence[Place]
    results: Sequence[Place]
    asks: bool = False


@dataclass(slots=True)
class ProgramImage:
    """A plan as numbers.

    Attributes:
        words: Records, pointers and tables.
        steps: How many records there are.
        arena: Bytes of the arena.
        functions: The names of the functions that are called.
        constants: The values that stay where they are.
        inner: Which words are addresses of words.
        local: Which words are addresses in the arena.
        called: Which words are functions.
        held: Which words are addresses of constants.
        handed: Which words are addresses of operands: arguments first, then results.
        operands: For each of these words, the operand.
        requests: The requests, by step.
        loops: The operations of the loops that are counted, by step.
        is_brief: Whether it ends at once and asks for nothing.
        is_cut: Whether there is work for several threads.
        report: The first word of what checked kernels report; 0 if they are not checked.
    """

    words: Array
    steps: int
    arena: int
    functions: list[str]
    constants: list[Array]
    inner: Array
    local: Array
    called: Array
    held: Array
    handed: Array
    operands: Array
    requests: Mapping[int, RequestRecord] = field(default_factory=dict[int, RequestRecord])
    loops: Mapping[int, int] = field(default_factory=dict[int, int])
    is_brief: bool = False
    is_cut: bool = False
    report: int = 0

    @property
    def asks(self) -> bool:
        """Whether the program asks the world, so that it runs as a process."""
        return any(request.asks for request in self.requests.values())


def operations_of(functions: Mapping[str, Any]) -> Iterator[Operation]:
    """All operations of functions, in order."""
    for function in functions.values():
        yield from function.walk()
