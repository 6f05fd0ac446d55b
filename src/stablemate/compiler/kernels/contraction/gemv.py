"""Few rows times a large matrix (gemv), which is read once, in memory order.

The sums of a block of columns stay in the nearest cache; each pass over them adds the products of
several steps of the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Fold, Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import Scheduler

FACTORS: Final = 24  # factors of rows that registers hold
STEPS: Final = 8  # steps of the depth that one pass adds at most
BLOCK: Final = 8192  # bytes of sums of a block of columns, all rows together
MOST_ROWS: Final = 8

Finish = Callable[[Expression, Expression, Expression], Sequence[Statement]]
Factor = Callable[[Expression, Expression], Expression]  # at (row or column, step)


@dataclass(frozen=True, slots=True)
class GemvTile:
    """The extents of a block of sums.

    Attributes:
        rows: How many rows there are.
        columns: Columns of a block, whole vectors.
        width: Lanes of a vector.
    """

    rows: int
    columns: int
    width: int


def stream_for(rows: int, columns: int, register: str, vector_bytes: int) -> GemvTile:
    """The block size for numbers of rows and columns that are larger than a vector."""
    width = vector_bytes // max(4, BYTES[register])
    most = max(BLOCK // (BYTES[register] * rows), width)
    blocks = -(-columns // most)
    size = columns + 1
    while size > columns:
        size = -(-columns // (blocks * width)) * width
        blocks += 1
    return GemvTile(rows, size, width)


class GemvLoops:
    """Writes the statements of a block."""

    def __init__(self, scheduler: Scheduler, stream: GemvTile, sums: Sums, depth: int) -> None:
        self.scheduler = scheduler
        self.stream = stream
        self.sums = sums
        self.depth = depth
        self.totals = Buffer("totals", sums.register, (stream.rows, stream.columns), "stack")
        self.partials = Buffer("part", sums.register, (stream.rows, stream.width), "register")

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        return [self.totals, self.partials]

    def over_columns(
        self, statements: Callable[[Expression, Expression], Sequence[Statement]]
    ) -> Loop:
        """Statements for each vector of columns, given the column and its lane."""
        width = self.stream.width
        step, lane = self.scheduler.index(self.stream.columns // width), self.scheduler.index(width)
        vector = Loop(lane, width, "vector", statements(step * width + lane, lane))
        return Loop(step, self.stream.columns // width, "serial", [vector])

    def over_rows(self, statements: Callable[[Expression], Sequence[Statement]]) -> Loop:
        """Statements for each row."""
        row = self.scheduler.index(self.stream.rows)
        return Loop(row, self.stream.rows, "unroll", statements(row))

    def body(
        self,
        left: Factor,
        right: Factor,
        finish: Finish,
    ) -> list[Statement]:
        """The body of a block, given the factors at (row, step) and at (column, step)."""
        table = self.scheduler.table
        length = min(STEPS, FACTORS // self.stream.rows)
        place, full_blocks = table.place, self.depth // length
        zero = self.sums.zero(table)
        result: list[Statement] = [
            self.over_columns(
                lambda column, _: [
                    self.over_rows(
                        lambda row: [
                            StoreElement(self.totals, place(self.totals, (row, column)), zero)
                        ]
                    )
                ]
            )
        ]
        if full_blocks:
            block = self.scheduler.index(full_blocks)
            steps = self.steps(block * length, length, left, right)
            result.append(Loop(block, full_blocks, "serial", [steps]))
        if self.depth % length:
            rest = self.depth % length
            result.append(self.steps(table.sum(full_blocks * length, ()), rest, left, right))
        result.append(
            self.over_columns(
                lambda column, _: [
                    self.over_rows(
                        lambda row: finish(row, column, table.load(self.totals, (row, column)))
                    )
                ]
            )
        )
        return result

    def steps(self, first: Expression, count: int, left: Factor, right: Factor) -> Loop:
        """Adds the products of several steps to the totals, which stay in registers."""
        table = self.scheduler.table
        place = table.place

        def statements(column: Expression, lane: Expression) -> list[Statement]:
            step = self.scheduler.index(count)

            def at(row: Expression) -> Expression:
                return place(self.totals, (row, column))

            def partial_place(row: Expression) -> Expression:
                return place(self.partials, (row, lane))

            def add_product(row: Expression) -> list[Statement]:
                product = self.sums.product(left(row, first + step), right(column, first + step))
                return [Fold(self.partials, partial_place(row), self.sums.add, product, fused=True)]

            return [
                self.over_rows(
                    lambda row: [
                        StoreElement(
                            self.partials, partial_place(row), table.load_at(self.totals, at(row))
                        )
                    ]
                ),
                Loop(step, count, "unroll", [self.over_rows(add_product)]),
                self.over_rows(
                    lambda row: [
                        StoreElement(
                            self.totals, at(row), table.load_at(self.partials, partial_place(row))
                        )
                    ]
                ),
            ]

        return self.over_columns(statements)
