"""Radix sort: passes over the keys of a row, each by a digit, least digit first.

Each pass is stable. What moves is the key and the place that its element had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopScheduler

# ``python -m benchmarks.breadth`` measures what these trade: jnp.sort, jnp.argsort.
NARROW: Final = 8  # bits of a digit
WIDE: Final = 11  # bits of a digit: 3 passes over 32 bits instead of 4, with 2^11 counts each
MOST_COUNTS: Final = 3 << WIDE  # of digits in one pass over the keys: they fit into the first cache
MOST_DIGITS: Final = 4  # that are counted in one pass: with more, rows of counts share lines of it


class SortPasses:
    """Writes the passes over the keys of a row."""

    def __init__(
        self, scheduler: LoopScheduler, rows: Sequence[Expression], count: int, counts: Buffer
    ) -> None:
        self.scheduler = scheduler
        self.table = scheduler.table
        self.rows = rows
        self.count = count
        self.counts = counts
        self.size = counts.shape[1]
        rows_of_counts = range(counts.shape[0])
        self.before = [Buffer(f"before{k}", "i32", (1,), "register") for k in rows_of_counts]
        self.own = Buffer("own", "i32", (1,), "register")

    def count_digits(self, keys: Buffer, shifts: Sequence[int]) -> list[Statement]:
        """Counts the digits of some passes, and finds where each begins.

        Args:
            keys: The keys, in any order.
            shifts: Where the digits stand in a key.
        """
        table, counts, size = self.table, self.counts, self.size
        zero, one, origin = table.bits(0, "i32"), table.bits(1, "i32"), table.sum(0, ())
        clear, begin = self.scheduler.index(len(shifts) * size), self.scheduler.index(size)
        tally = self.scheduler.index(self.count)
        digits = [self.digit(keys, tally, shift, k) for k, shift in enumerate(shifts)]
        sums: list[Statement] = []
        for k, before in enumerate(self.before[: len(shifts)]):
            place, total = begin + k * size, table.load_at(before, origin)
            sums += [
                StoreElement(self.own, origin, table.load_at(counts, place)),
                StoreElement(counts, place, total),
                StoreElement(before, origin, total + table.load_at(self.own, origin)),
            ]
        return [
            Loop(clear, len(shifts) * size, "serial", [StoreElement(counts, clear, zero)]),
            Loop(
                tally,
                self.count,
                "serial",
                [
                    StoreElement(counts, digit, table.load_at(counts, digit) + one)
                    for digit in digits
                ],
            ),
            StoreElement(self.own, origin, zero),
            *[StoreElement(before, origin, zero) for before in self.before[: len(shifts)]],
            Loop(begin, size, "serial", sums),
        ]

    def move_keys(
        self,
        source: tuple[Buffer, Buffer],
        target: tuple[Buffer, Buffer],
        shift: int,
        number: int,
        *,
        is_first: bool,
    ) -> list[Statement]:
        """One pass: moves keys and their places to where their digits begin.

        Args:
            source: The keys and places.
            target: Where they are moved to.
            shift: Where the digit stands in a key.
            number: The row of its counts.
            is_first: Whether places are those of the elements.
        """
        table, counts = self.table, self.counts
        move = self.scheduler.index(self.count)
        here = self.digit(source[0], move, shift, number)
        to = table.position(table.load_at(counts, here), self.count - 1)
        key = table.load(source[0], (*self.rows, move))
        place = table.load(source[1], (*self.rows, move))
        if is_first:
            place = table.convert("trunc", table.number(move), "i32")
        return [
            Loop(
                move,
                self.count,
                "serial",
                [
                    StoreElement(target[0], table.place(target[0], (*self.rows, to)), key),
                    StoreElement(target[1], table.place(target[1], (*self.rows, to)), place),
                    StoreElement(counts, here, table.load_at(counts, here) + table.bits(1, "i32")),
                ],
            ),
        ]

    @property
    def buffers(self) -> list[Buffer]:
        """The buffers of a row: counts of digits, and scalars."""
        return [self.counts, *self.before, self.own]

    def digit(self, keys: Buffer, index: Expression, shift: int, number: int) -> Expression:
        """The place of the count of a digit, in this row of counts."""
        table = self.table
        key = table.load(keys, (*self.rows, index))
        moved = table.apply("lshr", key, table.bits(shift, key.type))
        last = self.size - 1
        digit = table.position(table.convert("trunc", moved & last, "i32"), last)
        return digit + number * self.size
