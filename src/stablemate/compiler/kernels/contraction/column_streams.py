"""Few rows times a large matrix whose rows are consecutive in memory.

The lanes of a vector are neighboring columns. The sums of a block of columns stay in the nearest
cache; each pass over them adds the products of several steps of the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.code_tables import ENTRIES, OPERATOR, CodeTables
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.streamed_matrix import StreamedMatrix, Values
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Fold,
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler
from stablemate.deferred_dataclasses import dataclass

# ``python -m benchmarks.decoding products`` measures what these trade, for one row and a few.
FACTORS: Final = 24  # factors of rows that registers hold
STEPS: Final = 8  # steps of the depth that one pass adds at most
FEWEST_STEPS: Final = 4  # that pay for the passes over the sums, even of many rows
SHORT: Final = 3072  # bytes of a row of the matrix: processors fetch one after the other best
FEW: Final = 2  # rows whose sums cost little to be loaded and stored at each step
BLOCK: Final = 16384  # bytes of sums of a block of columns, all rows together
NARROWEST: Final = 512  # columns of a block of many rows, as far as there are so many

RowFactor = Callable[[int, Values], Expression]  # of a row, at the values of digits
Finish = Callable[[Expression, Values, Expression], Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class ColumnStream:
    """The extents of a block of sums.

    Attributes:
        rows: How many rows there are.
        columns: Neighboring columns of a block, whole vectors.
        width: Lanes of a vector.
        steps: Steps of the depth that a pass adds.
    """

    rows: int
    columns: int
    width: int
    steps: int


def column_stream_for(
    rows: int, matrix: StreamedMatrix, register: str, vector_bytes: int
) -> ColumnStream | None:
    """The block for a number of rows; None if none pays."""
    columns = matrix.lane.extent
    width = matrix.vector_width(register, vector_bytes)
    if width is None:
        return None
    parts = len(matrix.column_parts)
    most = max(BLOCK // (BYTES[register] * rows * parts), NARROWEST)
    blocks = -(-columns // most)
    size = columns + 1
    while size > columns:
        size = -(-columns // (blocks * width)) * width
        blocks += 1
    is_short = columns * matrix.element_bytes <= SHORT and rows <= FEW
    steps = 1 if is_short else max(min(STEPS, FACTORS // rows), FEWEST_STEPS)
    steps //= len(matrix.depth_parts)
    return ColumnStream(rows, size, width, max(steps, 1))


class ColumnStreamLoops:
    """Writes the statements of a block."""

    def __init__(
        self, scheduler: LoopScheduler, stream: ColumnStream, sums: Sums, matrix: StreamedMatrix,
        instructions: Container[str] = (),
    ) -> None:  # fmt: skip
        """Writes for a block.

        Args:
            scheduler: Makes loops.
            stream: The extents of the block.
            sums: The arithmetic.
            matrix: What is read.
            instructions: The operators that are instructions of the machine.
        """
        self.tables = CodeTables(scheduler, sums.register)
        self.has_tables = OPERATOR in instructions and stream.width == ENTRIES
        self.scheduler = scheduler
        self.stream = stream
        self.sums = sums
        self.matrix = matrix
        parts, register = len(matrix.column_parts), sums.register
        self.totals = Buffer("totals", register, (parts, stream.rows, stream.columns), "stack")
        self.partials = Buffer("part", register, (parts, stream.rows, stream.width), "register")

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        return [self.totals, *self.tables.buffers.values(), self.partials]

    def blocks(self) -> tuple[LoopDimension, Expression]:
        """A loop over blocks, and the first of the columns of each.

        The last one ends with the columns.
        """
        extent, columns = self.matrix.lane.extent, self.stream.columns
        count = -(-extent // columns)
        block = self.scheduler.index(count)
        return LoopDimension(block, count), self.scheduler.table.least(
            block * columns, extent - columns
        )

    def body(self, first: Expression, left: RowFactor, finish: Finish) -> list[Statement]:
        """The body of a block.

        Args:
            first: The first of the columns, as a value of the digit of the lanes.
            left: The factor of a row.
            finish: Stores what is made of the sum of a row and the digits of a column.
        """
        self.first, self.left = first, left
        self.right = self.factors()
        stores = self.tables.stores
        return [
            self.over_columns(self.clear_sums),
            *stores,
            *self.passes(),
            *self.store_results(finish),
        ]

    def factors(self) -> list[list[Expression]]:
        """The factors of each part of the columns, for each part of the depth."""
        matrix = self.matrix
        factors = [
            [matrix.at(columns, depth) for depth in matrix.depth_parts]
            for columns in matrix.column_parts
        ]
        if not self.has_tables:
            return factors
        loops = [digit.atom for digit in matrix.depth_loops]
        return self.tables.all_looked_up(factors, matrix.lane.atom, loops)

    def over_columns(
        self, statements: Callable[[Expression, Expression], Sequence[Statement]]
    ) -> Loop:
        """Statements for each vector of columns, given the column and its lane."""
        width = self.stream.width
        step, lane = self.scheduler.index(self.stream.columns // width), self.scheduler.index(width)
        vector = Loop(lane, width, "vector", statements(step * width + lane, lane))
        return Loop(step, self.stream.columns // width, "serial", [vector])

    def over_sums(
        self, statement: Callable[[Expression, Expression], Statement]
    ) -> Iterator[Statement]:
        """A statement for each part of the columns and each row."""
        table = self.scheduler.table
        for part in range(len(self.matrix.column_parts)):
            for row in range(self.stream.rows):
                yield statement(table.sum(part, ()), table.sum(row, ()))

    def clear_sums(self, column: Expression, _: Expression) -> list[Statement]:
        """Sets the sums of columns to zero."""
        table = self.scheduler.table
        zero = self.sums.zero(table)
        return list(
            self.over_sums(
                lambda part, row: StoreElement(
                    self.totals, table.place(self.totals, (part, row, column)), zero
                )
            )
        )

    def passes(self) -> list[Statement]:
        """All passes over the sums."""
        scheduler, table = self.scheduler, self.scheduler.table
        *outer, last = self.matrix.depth_loops or [LoopDimension(scheduler.index(1), 1)]
        steps = self.stream.steps
        whole, rest = divmod(last.extent, steps)
        loops: list[Statement] = []
        if whole:
            block = scheduler.index(whole)
            added = self.add_products(last, block * steps, steps)
            loops.append(Loop(block, whole, "serial", [added]))
        if rest:
            loops.append(self.add_products(last, table.sum(whole * steps, ()), rest))
        for digit in reversed(outer):
            loops = [Loop(digit.index, digit.extent, "serial", loops)]
        return loops

    def add_products(self, last: LoopDimension, begin: Expression, count: int) -> Loop:
        """Adds the products of several steps to the totals, which stay in registers."""
        table = self.scheduler.table
        totals, partials = self.totals, self.partials

        def statements(column: Expression, lane: Expression) -> list[Statement]:
            step = self.scheduler.index(count)
            values = {
                last.atom: begin + step,
                self.matrix.lane.atom: self.first + column,
                self.tables.lane.atom: lane,
            }

            def total_place(part: Expression, row: Expression) -> Expression:
                return table.place(totals, (part, row, column))

            def partial_place(part: Expression, row: Expression) -> Expression:
                return table.place(partials, (part, row, lane))

            def load(part: Expression, row: Expression) -> Statement:
                total = table.load_at(totals, total_place(part, row))
                return StoreElement(partials, partial_place(part, row), total)

            def store(part: Expression, row: Expression) -> Statement:
                total = table.load_at(partials, partial_place(part, row))
                return StoreElement(totals, total_place(part, row), total)

            products = list(self.products(lane, values))
            return [
                *self.over_sums(load),
                Loop(step, count, "unroll", products),
                *self.over_sums(store),
            ]

        return self.over_columns(statements)

    def products(self, lane: Expression, values: Values) -> Iterator[Statement]:
        """Adds the products of a step."""
        table = self.scheduler.table
        for number, depth in enumerate(self.matrix.depth_parts):
            factors = [self.left(row, {**depth, **values}) for row in range(self.stream.rows)]
            for part, parts in enumerate(self.right):
                right = substitute_expression(parts[number], values, {})
                for row, factor in enumerate(factors):
                    index = (table.sum(part, ()), table.sum(row, ()), lane)
                    yield Fold(
                        self.partials, table.place(self.partials, index), self.sums.add,
                        self.sums.product(factor, right), fused=True,
                    )  # fmt: skip

    def store_results(self, finish: Finish) -> Iterator[Statement]:
        """Stores what is made of all sums."""
        for part, values in enumerate(self.matrix.column_parts):
            yield self.finished_part(part, values, finish)

    def finished_part(self, part: int, values: Values, finish: Finish) -> Loop:
        """Stores what is made of the sums of one part of the columns."""
        table, row = self.scheduler.table, self.scheduler.index(self.stream.rows)

        def store(column: Expression, _: Expression) -> Sequence[Statement]:
            total = table.load(self.totals, (table.sum(part, ()), row, column))
            return finish(row, {**values, self.matrix.lane.atom: self.first + column}, total)

        return Loop(row, self.stream.rows, "serial", [self.over_columns(store)])
