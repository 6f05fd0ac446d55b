"""The position of a program instance among the processes of its grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import Final, Protocol

from stablemate.compiler.program.image import Place, ProgramImage
from stablemate.compiler.runtime.native.runtime import OperandRows
from stablemate.compiler.runtime.native.step_loop import (
    REACHED_REQUEST,
    REASON,
    STEP,
    TIME_SLICE,
    TIME_SLICE_OVER,
)
from stablemate.compiler.runtime.signal_polling import CLOCK
from stablemate.ir.grid import Grid, ProcessId
from stablemate.numerics.elements import Array

INSTANCE_NUMBERS: Final = count()


class ProgramInMemory(Protocol):
    """A program in memory.

    Attributes:
        image: The program.
        words: Its words.
        table: Where they are.
        state: Its state.
        taken: Where the addresses of arguments are written.
        result_rows: Where the addresses of results are.
        report: What checked kernels report; None if they are not checked.
    """

    image: ProgramImage
    words: Array
    table: int
    state: Array
    taken: OperandRows
    result_rows: OperandRows
    report: Array | None


class GridPosition:
    """Where a program in memory stands.

    Attributes:
        grid: The grid of the process that goes on with it; None while nobody has said so.
        position: Which process of it that is.
    """

    def __init__(self, program: ProgramInMemory) -> None:
        self.program = program
        self.number = next(INSTANCE_NUMBERS)
        self.grid: Grid | None = None
        self.position = 0
        self.known: dict[int, Sequence[int] | None] = {}

    def settle(self, grid: Grid, process: ProcessId) -> bool:
        """Which process goes on with it; whether that is another one than before."""
        before = self.grid, self.position
        self.grid, self.position = grid, grid.flattened_id(process)
        return before != (self.grid, self.position)

    def is_exact(self) -> bool:
        """Whether words say where the memory is that the request lends at which it stands."""
        step = int(self.program.state[STEP])
        if step not in self.known:
            asked = self.program.image.requests[step]
            words = [self.word_of(place) for place in (*asked.operands, *asked.results)]
            stops = self.program.report is not None  # what is checked stops at every request
            self.known[step] = None if stops or None in words else [e for e in words if e]
        return self.known[step] is not None

    def word_of(self, place: Place) -> int | None:
        """The word that says where something is; 0 if it is always there, None if there is none."""
        origin, number = place
        if origin == "moving":
            return number
        rows = {"argument": self.program.taken, "result": self.program.result_rows}.get(origin)
        if rows is None:
            return 0
        places = rows.places[number]
        return (places[0] - self.program.table) >> 3 if places else None

    def key(self) -> Hashable | None:
        """At which request it stands, with what memory; None if not at one that is known so."""
        state, words = self.program.state, self.program.words
        step = int(state[STEP])
        words_ = self.known.get(step)
        if words_ is None or state[REASON] != REACHED_REQUEST:
            return None
        return self.number, step, *[int(words[word]) for word in words_]

    def pass_on(self) -> None:
        """Lets it go on behind the request at which it stands."""
        state = self.program.state
        state[STEP] += 1
        state[TIME_SLICE], state[REASON] = CLOCK.ticks, TIME_SLICE_OVER
