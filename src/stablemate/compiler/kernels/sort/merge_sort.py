"""Stable merge sort by any comparator that is an elementwise expression.

Runs of 1, 2, 4, ... elements are merged from one row of places to another. One loop runs through
all elements of a row: where two new runs begin, it sets the places of their heads; then it takes
the one head or the other. No iteration branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from stablemate.compiler.kernels.reduction.ordered_reductions import ReductionRegisters
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopScheduler
from stablemate.numerics.size_functions import merge_rounds
from stablemate.numerics.symbolic_sizes import SymbolicSize

PLACE: Final = "i64"  # what counts elements of a row
Precedes = Callable[[Expression, Expression], Expression]  # of two indices, whether the first does


def rounds_of(count: Any) -> Any:
    """How often the runs of a row are merged there and back; of one whose size may be symbolic."""
    if not isinstance(count, SymbolicSize):
        return merge_rounds(count)
    typical = merge_rounds(count.typical)
    return count.assumptions.result_of("merge_rounds", (count,), typical)


class MergeSort:
    """Writes the merges of a row.

    Attributes:
        registers: The lengths of the runs, and the heads of the two that are merged.
    """

    def __init__(
        self, scheduler: LoopScheduler, rows: Sequence[Expression], count: int, precedes: Precedes
    ) -> None:
        self.scheduler = scheduler
        self.table = scheduler.table
        self.rows = rows
        self.count = count
        self.precedes = precedes
        zero = self.table.bits(0, PLACE)
        self.lengths = ReductionRegisters(scheduler, [(zero,)], "length")
        self.heads = ReductionRegisters(scheduler, [(zero,), (zero,)], "head")

    @property
    def buffers(self) -> list[Buffer]:
        """The buffers of a row."""
        return [*self.lengths.buffers, *self.heads.buffers]

    def statements(self, first: Buffer, second: Buffer) -> list[Statement]:
        """Fills a row of places in order; they end where they began, in the first buffer."""
        begin = self.scheduler.index(self.count)
        count = rounds_of(self.count)
        start = StoreElement(first, self.place(first, begin), self.narrow(self.table.number(begin)))
        rounds = self.scheduler.index(count)
        body = [*self.merge_runs(first, second), *self.merge_runs(second, first)]
        statements: list[Statement] = [
            Loop(begin, self.count, "serial", [start]),
            *self.lengths.start([(self.table.bits(1, PLACE),)]),
            *self.heads.start([(self.table.bits(0, PLACE),)] * 2),
            Loop(rounds, count, "serial", body),
        ]
        return self.heads.at_first(self.lengths.at_first(statements))

    def merge_runs(self, source: Buffer, target: Buffer) -> list[Statement]:
        """Merges neighboring runs, and doubles their lengths."""
        table = self.table
        index = self.scheduler.index(self.count)
        here, end = table.number(index), table.size(self.count)
        ((length,),) = self.lengths.values
        begins = here & (length + length - 1)
        start = here - begins
        middle = table.apply("smin", start + length, end)
        last = table.apply("smin", middle + length, end)
        is_new = table.apply("eq", begins, table.bits(0, PLACE))
        (left,), (right,) = self.heads.values
        heads = self.heads.assign(
            [
                (table.apply("select", is_new, start, left),),
                (table.apply("select", is_new, middle, right),),
            ]
        )
        places = [self.element(source, position) for position in (left, right)]
        lesser = self.precedes(*map(self.position, reversed(places)))
        is_left_empty = table.apply("sle", middle, left)
        is_right_left = table.apply("slt", right, last)
        from_right = is_right_left & (is_left_empty | lesser)
        step = table.convert("zext", from_right, PLACE)
        merged = StoreElement(
            target,
            self.place(target, index),
            table.apply("select", from_right, places[1], places[0]),
        )
        moved = self.heads.assign([(left + (1 - step),), (right + step,)])
        return [
            Loop(index, self.count, "serial", [*heads, merged, *moved]),
            *self.lengths.assign([(length + length,)]),
        ]

    def place(self, buffer: Buffer, index: Expression) -> Expression:
        """Where an element of the row is."""
        return self.table.place(buffer, (*self.rows, index))

    def element(self, buffer: Buffer, place: Expression) -> Expression:
        """The element of the row at a place, or the last one."""
        return self.table.load(buffer, (*self.rows, self.position(place)))

    def position(self, place: Expression) -> Expression:
        """A place as an index."""
        return self.table.position(place, self.count - 1)

    def narrow(self, place: Expression) -> Expression:
        """A place as it is kept in memory."""
        return self.table.convert("trunc", place, "i32")
