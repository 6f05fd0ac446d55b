"""Selection: the first elements of an order, without sorting the others.

The keys of the best so far are kept in order. A block of keys is looked at as a whole: where the
least of them comes behind all that are kept, none of its elements does anything. An element that
does is put behind those that are equal to it, as in a stable sort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
    When,
)
from stablemate.compiler.schedule.schedule import LoopScheduler

# A larger block is passed over with one test, but contains a key to insert more often:
# ``python -m benchmarks.breadth`` measures it, lax.top_k.
BLOCK: Final = 64  # keys that are looked at together
KeyAt = Callable[[Expression], Expression]  # the key of an element, an unsigned integer


class SelectionKernel:
    """Writes the selection from one row."""

    def __init__(
        self, scheduler: LoopScheduler, count: int, kept: int, element: str, key_at: KeyAt
    ) -> None:
        """Starts with an empty selection.

        Args:
            scheduler: What makes loops.
            count: How many elements a row has.
            kept: How many of them are selected.
            element: The type of keys.
            key_at: The key of an element of the row.
        """
        self.scheduler = scheduler
        self.table = scheduler.table
        self.count = count
        self.kept = kept
        self.key_at = key_at
        self.keys = Buffer("keys", element, (kept,), "stack")
        self.places = Buffer("places", "i32", (kept,), "stack")
        self.least = Buffer("least", element, (1,), "register")
        self.width = max(1, min(scheduler.vector_bytes // 8, BLOCK))
        self.partials = Buffer("partials", element, (self.width,), "register")

    @property
    def buffers(self) -> list[Buffer]:
        """The buffers of a row."""
        return [self.keys, self.places, self.least, self.partials]

    def statements(self) -> list[Statement]:
        """Finds the places of the selected elements, in order."""
        table, scheduler = self.table, self.scheduler
        clear, begin = scheduler.index(self.kept), scheduler.index(self.kept)
        cleared = [
            StoreElement(buffer, clear, table.bits(0, buffer.type))
            for buffer in (self.keys, self.places)
        ]
        blocks, rest = divmod(self.count - self.kept, BLOCK)
        body: list[Statement] = [
            Loop(clear, self.kept, "serial", cleared),
            Loop(begin, self.kept, "serial", self.insert(begin, table.number(begin))),
        ]
        if blocks:
            block = scheduler.index(blocks)
            body.append(Loop(block, blocks, "serial", self.block(block * BLOCK + self.kept)))
        if rest:
            last = scheduler.index(rest)
            tail = self.consider(last + (self.kept + blocks * BLOCK))
            body.append(Loop(last, rest, "serial", tail))
        return body

    def block(self, first: Expression) -> list[Statement]:
        """Looks at a block; where its least key comes first, at each of its elements."""
        table, scheduler = self.table, self.scheduler
        origin, every = table.sum(0, ()), table.bits(-1, self.keys.type)
        part, lane = scheduler.index(BLOCK // self.width), scheduler.index(self.width)
        key = self.key_at(first + part * self.width + lane)
        minimum_loop = Loop(lane, self.width, "vector", [Fold(self.partials, lane, "umin", key)])
        start, index = scheduler.index(self.width), scheduler.index(BLOCK)
        matters = table.apply("ult", table.load_at(self.least, origin), self.last())
        return [
            Loop(start, self.width, "vector", [StoreElement(self.partials, start, every)]),
            Loop(part, BLOCK // self.width, "unroll", [minimum_loop]),
            StoreElement(self.least, origin, every),
            CombinePartials(self.least, origin, "umin", self.partials, self.width),
            When(matters, [Loop(index, BLOCK, "serial", self.consider(first + index))]),
        ]

    def last(self) -> Expression:
        """The last key that is kept."""
        return self.table.load_at(self.keys, self.table.sum(self.kept - 1, ()))

    def consider(self, place: Expression) -> list[Statement]:
        """Inserts an element into the selection if it comes before the last selected one."""
        condition = self.table.apply("ult", self.key_at(place), self.last())
        return [When(condition, self.insert(place, self.table.bits(self.kept, "i64")))]

    def insert(self, place: Expression, filled: Expression) -> list[Statement]:
        """Inserts an element into a selection of a given size."""
        table = self.table
        step = self.scheduler.index(self.kept)
        here = table.sum(self.kept - 1, ()) - step
        before = table.greatest(here - 1, 0)
        number, key = table.number(here), self.key_at(place)
        local_buffers = table.convert("trunc", table.number(place), "i32")
        is_first = table.apply("eq", number, table.bits(0, "i64"))
        moves = table.apply("ult", key, table.load_at(self.keys, here)) | table.apply(
            "sle", filled, number
        )
        shifts = table.apply("ult", key, table.load_at(self.keys, before)) | table.apply(
            "slt", filled, number
        )
        shifts = table.apply("select", is_first, table.bits(0, "i1"), shifts)

        def change(buffer: Buffer, value: Expression) -> StoreElement:
            old, other = table.load_at(buffer, here), table.load_at(buffer, before)
            new = table.apply("select", shifts, other, value)
            return StoreElement(buffer, here, table.apply("select", moves, new, old))

        body: Sequence[Statement] = [change(self.places, local_buffers), change(self.keys, key)]
        return [Loop(step, self.kept, "serial", body)]
