"""The sort of one row in memory of its own: by counting digits, or by ranks where it is short.

The rank of an element is the number of elements that come before it. Vectors of ranks are counted
at once, in as many steps as there are elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from stablemate.compiler.kernels.sort.selection import KeyAt
from stablemate.compiler.kernels.sort.sort_passes import (
    MOST_DIGITS,
    NARROW,
    SortPasses,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Fold, Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopScheduler

# Ranks take comparisons of all pairs, counts a pass for each digit:
# ``python -m benchmarks.breadth`` measures them, jnp.sort of short rows.
RANKED: Final = 64  # elements for which ranks are faster than counts of 256 digits
MoveElements = Callable[[Expression, Expression], list[Statement]]  # to a place, from a place


class RowSort:
    """Writes the sort of one row.

    Attributes:
        statements: What sorts by the keys so far.
        places: The memory of the places that elements had, those of the order so far first.
        keys: The memory of keys, by their type.
    """

    def __init__(self, scheduler: LoopScheduler, count: int) -> None:
        self.scheduler = scheduler
        self.table = scheduler.table
        self.count = count
        self.statements: list[Statement] = []
        self.places = self.memory("places", "i32"), self.memory("sorted", "i32")
        self.keys: dict[str, tuple[Buffer, Buffer]] = {}
        self.counts = Buffer("counts", "i32", (MOST_DIGITS, 1 << NARROW), "stack")
        self.passes = SortPasses(scheduler, (), count, self.counts)
        self.ranks = self.memory("ranks", "i32")
        width = min(scheduler.vector_bytes // BYTES["i32"], count)
        self.rank = Buffer("rank", "i32", (1 << (width.bit_length() - 1),), "register")

    def memory(self, name: str, element: str) -> Buffer:
        """Memory for a value of each element."""
        return Buffer(name, element, (self.count,), "stack")

    @property
    def is_ranked(self) -> bool:
        """Whether the row is so short that ranks are counted, not digits."""
        return self.count <= RANKED

    def sort_by(self, key_at: KeyAt, element: str, bits: int) -> None:
        """Adds the sort by a key, which keeps the order so far where keys are equal.

        Args:
            key_at: The key of an element of the row, an unsigned integer.
            element: Its type.
            bits: How many of its bits count.
        """
        is_first = not self.statements
        pair = self.memory(f"{element}_keys", element), self.memory(f"{element}_sorted", element)
        keys = self.keys.setdefault(element, pair)

        def store_key(place: Expression) -> list[Statement]:
            return [StoreElement(keys[0], place, key_at(self.source(place, is_first=is_first)))]

        self.statements += self.vectors(store_key)
        if self.is_ranked:
            self.statements += [
                *self.rank_elements(keys[0]),
                self.place_elements(is_first=is_first),
            ]
            self.places = self.places[1], self.places[0]
        else:
            self.sort_by_digits(keys, bits, is_first=is_first)

    def source(self, index: Expression, *, is_first: bool) -> Expression:
        """The place that an element in the order so far had."""
        if is_first:
            return index
        return self.table.position(self.table.load_at(self.places[0], index), self.count - 1)

    def sort_by_digits(self, keys: tuple[Buffer, Buffer], bits: int, *, is_first: bool) -> None:
        """Adds the passes over the digits of keys."""
        shifts = range(0, bits, NARROW)
        for number, shift in enumerate(shifts):
            row = number % MOST_DIGITS
            if row == 0:
                self.statements += self.passes.count_digits(
                    keys[0], shifts[number : number + MOST_DIGITS]
                )
            pairs = (keys[0], self.places[0]), (keys[1], self.places[1])
            is_start = is_first and number == 0
            self.statements += self.passes.move_keys(*pairs, shift, row, is_first=is_start)
            keys = keys[1], keys[0]
            self.places = self.places[1], self.places[0]

    # ---- ranks

    def rank_elements(self, keys: Buffer) -> list[Statement]:
        """Counts, for a vector of elements at a time, the elements that come before each."""
        table, scheduler, width = self.table, self.scheduler, self.rank.shape[0]
        step, index, lanes = scheduler.strip(self.count, width)
        lane, other = lanes.index, scheduler.index(self.count)
        own, key = table.load_at(keys, index), table.load_at(keys, other)
        is_earlier = table.apply("slt", self.number(other), self.number(index))
        before = table.apply("ult", key, own) | (table.apply("eq", key, own) & is_earlier)
        one = table.convert("zext", before, "i32")
        rank = table.load_at(self.rank, lane)
        counting = replace(lanes, body=[Fold(self.rank, lane, "add", one)])
        body = [
            replace(lanes, body=[StoreElement(self.rank, lane, table.bits(0, "i32"))]),
            Loop(other, self.count, "serial", [counting]),
            replace(lanes, body=[StoreElement(self.ranks, index, rank)]),
        ]
        return [Loop(step.index, step.extent, "serial", body)]

    def number(self, index: Expression) -> Expression:
        """An index in 32 bits."""
        return self.table.convert("trunc", self.table.number(index), "i32")

    def place_elements(self, *, is_first: bool) -> Statement:
        """Puts the place of each element where its rank is."""
        index = self.scheduler.index(self.count)
        rank = self.table.position(self.table.load_at(self.ranks, index), self.count - 1)
        place = self.number(self.source(index, is_first=is_first))
        return Loop(index, self.count, "serial", [StoreElement(self.places[1], rank, place)])

    # ---- elements

    def move_elements(self, move: MoveElements) -> list[Statement]:
        """Moves the elements into the order."""
        return self.vectors(lambda place: move(place, self.source(place, is_first=False)))

    def vectors(self, body: Callable[[Expression], list[Statement]]) -> list[Statement]:
        """A loop over the elements of the row, a vector at a time."""
        width = self.scheduler.lanes(body(self.scheduler.index(self.count)), self.count)
        step, index, lanes = self.scheduler.strip(self.count, width)
        return [Loop(step.index, step.extent, "serial", [replace(lanes, body=body(index))])]

    @property
    def buffers(self) -> list[Buffer]:
        """The memory of a row."""
        if self.is_ranked:
            return [*(keys for keys, _ in self.keys.values()), *self.places, self.ranks, self.rank]
        keys = [buffer for pair in self.keys.values() for buffer in pair]
        return [*keys, *self.places, *self.passes.buffers]
