"""The softmax of rows that are seen block by block (online softmax).

For each row the largest logit and the sum of exponentials so far are kept. A block of logits
changes the first, and what was summed is multiplied by the exponential of the difference. Source:
Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import Final

from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
)
from stablemate.compiler.lowering.functions.exponential import exponential_of_negative
from stablemate.compiler.schedule.reduction_loops import fill_registers
from stablemate.compiler.schedule.schedule import LoopScheduler
from stablemate.deferred_dataclasses import dataclass

INFINITY: Final = float("inf")
# More lanes hide the latency of exponentials, and need registers:
# ``python -m benchmarks.heuristics`` measures them.
LANES: Final = 16  # rows whose factors are computed at the same time, at most
# The value of an element, given its row, its column and where it is.
Replacement = Callable[[Expression, Expression, Expression], Expression]


@dataclass(frozen=True, slots=True)
class RunningSoftmax:
    """The state of a block of rows; a number for each in every buffer but one.

    Attributes:
        scheduler: Makes loops.
        scores: A block of scores, which logits and exponentials replace: row, column.
        maxima: The largest logits.
        fresh: The same with the block that is added.
        bases: What is subtracted from logits: the largest ones, or zero for minus infinity.
        totals: The sums of exponentials.
        factors: By what sums were multiplied when the block was added.
        lowest: One number, the least of the largest logits.
        sums: Other sums that are multiplied, too.
        registers: Buffers in registers.
    """

    scheduler: LoopScheduler
    scores: Buffer
    maxima: Buffer
    fresh: Buffer
    bases: Buffer
    totals: Buffer
    factors: Buffer
    lowest: Buffer
    sums: tuple[Buffer, ...]
    registers: list[Buffer] = field(default_factory=list[Buffer])

    @staticmethod
    def of(
        scheduler: LoopScheduler, scores: Buffer, register: str, sums: Sequence[Buffer] = ()
    ) -> RunningSoftmax:
        """The state for the rows of a block of scores."""
        rows = scores.shape[0]
        maxima, fresh, bases, totals, factors = (
            Buffer(name, register, (rows,), "stack")
            for name in ("maxima", "fresh", "bases", "totals", "factors")
        )
        lowest = Buffer("lowest", register, (1,), "stack")
        return RunningSoftmax(
            scheduler, scores, maxima, fresh, bases, totals, factors, lowest, tuple(sums)
        )

    @property
    def local_buffers(self) -> list[Buffer]:
        """All buffers, without the scores."""
        return [
            self.maxima, self.fresh, self.bases, self.totals, self.factors, self.lowest,
            *self.sums, *self.registers,
        ]  # fmt: skip

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.scores.shape[0]

    def constant(self, value: float) -> Expression:
        """A number of the type of logits."""
        return self.scheduler.table.constant(value, self.maxima.type)

    def load(self, buffer: Buffer, row: Expression) -> Expression:
        """Loads the element of a buffer for a row."""
        return self.scheduler.table.load_at(buffer, row)

    def clear_state(self) -> list[Statement]:
        """The state before the first block."""
        zero = self.scheduler.table.sum(0, ())
        starts = {self.maxima: -INFINITY, **dict.fromkeys((self.totals, *self.sums), -0.0)}
        row = self.scheduler.index(self.rows)
        stores = [
            StoreElement(buffer, row, self.constant(start)) for buffer, start in starts.items()
        ]
        return [
            Loop(row, self.rows, "serial", stores),
            StoreElement(self.lowest, zero, self.constant(-INFINITY)),
        ]

    def replaced_by_logits(self, columns: int, logit: Replacement) -> list[Statement]:
        """Replaces scores by operands of the softmax, and takes the largest of each row."""
        table, row = self.scheduler.table, self.scheduler.index(self.rows)
        row_pass = RowPass(self.scheduler, self.scores, columns, "maxnum", "largest")
        begin = table.place(self.scores, (row, table.sum(0, ())))
        statements, registers = row_pass.loops(
            begin, lambda column: logit(row, column, begin + column), (self.fresh, row)
        )
        self.registers.extend(registers)
        old = StoreElement(self.fresh, row, self.load(self.maxima, row))
        return [Loop(row, self.rows, "serial", [old, *statements])]

    def rescale_sums(self) -> list[Statement]:
        """Multiplies what was summed by what the largest logits have grown by."""
        table, scheduler = self.scheduler.table, self.scheduler
        width = next(width for width in (LANES, 8, 4, 2, 1) if self.rows % width == 0)
        width = min(width, scheduler.vector_bytes // BYTES[self.maxima.type])
        count = self.rows // width
        part, lane = scheduler.index(count), scheduler.index(width)
        row = part * width + lane
        fresh, old = self.load(self.fresh, row), self.load(self.maxima, row)
        is_number = table.apply("flt", self.constant(-INFINITY), fresh)
        base = table.apply("select", is_number, fresh, self.constant(0.0))
        factor = exponential_of_negative(old - base)
        least = Buffer("least", self.maxima.type, (width,), "register")
        self.registers.append(least)
        body: list[Statement] = [
            StoreElement(self.factors, row, factor),
            *(
                StoreElement(buffer, row, self.load(buffer, row) * factor)
                for buffer in (self.totals, *self.sums)
            ),
            StoreElement(self.bases, row, base),
            Fold(least, lane, "minimum", fresh),
            StoreElement(self.maxima, row, fresh),
        ]
        zero = table.sum(0, ())
        return [
            fill_registers(scheduler, least, width, self.constant(INFINITY)),
            Loop(part, count, "serial", [Loop(lane, width, "vector", body)]),
            StoreElement(self.lowest, zero, self.constant(INFINITY)),
            CombinePartials(self.lowest, zero, "minimum", least, width),
        ]

    def replaced_by_exponentials(
        self, columns: int, weigh: Replacement | None = None
    ) -> list[Statement]:
        """Replaces logits by their exponentials, and sums those of each row.

        Args:
            columns: The columns of the block.
            weigh: What is stored instead of an exponential, given its row, its column and itself.
        """
        table, row = self.scheduler.table, self.scheduler.index(self.rows)
        row_pass = RowPass(self.scheduler, self.scores, columns, "fadd", "sum")
        begin = table.place(self.scores, (row, table.sum(0, ())))
        base = self.load(self.bases, row)

        def new(column: Expression) -> Expression:
            return exponential_of_negative(table.load_at(self.scores, begin + column) - base)

        stored = None if weigh is None else partial(weigh, row)
        statements, registers = row_pass.loops(begin, new, (self.totals, row), stored)
        self.registers.extend(registers)
        return [Loop(row, self.rows, "serial", statements)]
