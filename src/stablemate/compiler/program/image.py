"""The program image: a plan as words that are ready to be loaded; the disk cache stores it.

All words are in one array: the records of the steps, then the arrays of pointers that launches pass
to kernels, then the tables of branches. Words that are addresses are listed as relocations by what
they are relative to: the array itself, the arena, a constant, a function, or an operand of the
call, whose address each call writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.core import Operation
from stablemate.numerics.elements import Array

COPY_BLOCKS: Final = "copy_blocks"
# The origin of a slot, and a number: of the argument, result or constant; the offset in the arena;
# for "moving", a slot that exchanges its memory, the word that holds its address; for "hosted",
# a slot at the beginning of a result, the number of the result.
Place = tuple[str, int]


class RequestRecord(NamedTuple):
    """A request.

    Attributes:
        operation: The number of the operation, among all of the program.
        operands: The places of its operands.
        results: The places of its results.
        is_host_request: Whether it needs an answer from the host or from other processes.
    """

    operation: int
    operands: Sequence[Place]
    results: Sequence[Place]
    is_host_request: bool = False


@dataclass(slots=True)
class ProgramImage:
    """A plan as numbers.

    Attributes:
        words: Records, pointers and tables.
        steps: The number of records.
        arena: The size of the arena in bytes.
        functions: The names of the functions that are called.
        constants: The constants.
        word_relocations: The words that are addresses of words.
        arena_relocations: The words that are addresses in the arena.
        function_relocations: The words that are addresses of functions.
        constant_relocations: The words that are addresses of constants.
        operand_relocations: The words that are addresses of operands: arguments first, then
            results.
        operand_numbers: For each of these words, the operand.
        reusable_arguments: Pairs of an argument and a result that may be written over it, one after
            the other.
        requests: The requests, by step.
        loops: The operations of the loops whose iterations are counted, by step.
        is_short: Whether it ends so soon that it need not poll for signals, and makes no requests.
        is_parallel: Whether some launch has work for several threads.
        report: The first word of the report of checked kernels; 0 if they are not checked.
    """

    words: Array
    steps: int
    arena: int
    functions: list[str]
    constants: list[Array]
    word_relocations: Array
    arena_relocations: Array
    function_relocations: Array
    constant_relocations: Array
    operand_relocations: Array
    operand_numbers: Array
    reusable_arguments: Array
    requests: Mapping[int, RequestRecord] = field(default_factory=dict[int, RequestRecord])
    loops: Mapping[int, int] = field(default_factory=dict[int, int])
    is_short: bool = False
    is_parallel: bool = False
    report: int = 0

    @property
    def reusable_pairs(self) -> list[tuple[int, int]]:
        """The pairs of an argument and a result that may be written over it."""
        rows = self.reusable_arguments.reshape(-1, 2)
        return [(int(argument), int(result)) for argument, result in rows]

    @property
    def has_host_requests(self) -> bool:
        """Whether the program makes host requests, and therefore runs as a process."""
        return any(request.is_host_request for request in self.requests.values())


def operations_of(functions: Mapping[str, Any]) -> Iterator[Operation]:
    """All operations of functions, in order."""
    for function in functions.values():
        yield from function.walk()
