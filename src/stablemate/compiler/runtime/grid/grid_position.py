"""The position of a program instance among the processes of its grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import Final, Protocol

from stablemate.compiler.program.image import Place, ProgramImage
from stablemate.compiler.runtime.native.runtime import OperandRows
from stablemate.compiler.runtime.native.step_table import (
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
        table: The address of the words.
        state: Its state.
        argument_rows: The expected arguments, with the words that hold their addresses.
        result_rows: The same for results.
        report: The report of checked kernels; None if they are not checked.
    """

    image: ProgramImage
    words: Array
    table: int
    state: Array
    argument_rows: OperandRows
    result_rows: OperandRows
    report: Array | None


class GridPosition:
    """The position of a program instance in its grid, and in its steps.

    Attributes:
        grid: The grid of the process that runs it; None while it is not bound.
        position: The number of this process in the grid.
    """

    def __init__(self, program: ProgramInMemory) -> None:
        self.program = program
        self.number = next(INSTANCE_NUMBERS)
        self.grid: Grid | None = None
        self.position = 0
        self.address_words_by_step: dict[int, Sequence[int] | None] = {}

    def bind(self, grid: Grid, process: ProcessId) -> bool:
        """Sets the process that runs it, and returns whether that has changed."""
        before = self.grid, self.position
        self.grid, self.position = grid, grid.flattened_id(process)
        return before != (self.grid, self.position)

    def has_fixed_memory(self) -> bool:
        """Whether the memory that the current request lends is determined by words."""
        step = int(self.program.state[STEP])
        if step not in self.address_words_by_step:
            record = self.program.image.requests[step]
            words = [self.word_of(place) for place in (*record.operands, *record.results)]
            is_checked = (
                self.program.report is not None
            )  # checked programs return to Python at every request
            self.address_words_by_step[step] = (
                None if is_checked or None in words else [e for e in words if e]
            )
        return self.address_words_by_step[step] is not None

    def word_of(self, place: Place) -> int | None:
        """The word that holds the address of a place; 0 if it is fixed, None if none does."""
        origin, number = place
        if origin == "moving":
            return number
        results = self.program.result_rows
        rows = {"argument": self.program.argument_rows, "result": results, "hosted": results}.get(
            origin
        )
        if rows is None:
            return 0
        places = rows.address_words[number]
        return (places[0] - self.program.table) >> 3 if places else None

    def key(self) -> Hashable | None:
        """Identifies the current request and its memory; None if it is not at such a request."""
        state, words = self.program.state, self.program.words
        step = int(state[STEP])
        address_words = self.address_words_by_step.get(step)
        if address_words is None or state[REASON] != REACHED_REQUEST:
            return None
        return self.number, step, *[int(words[word]) for word in address_words]

    def advance(self) -> None:
        """Continues after the current request."""
        state = self.program.state
        state[STEP] += 1
        state[TIME_SLICE], state[REASON] = CLOCK.ticks, TIME_SLICE_OVER
