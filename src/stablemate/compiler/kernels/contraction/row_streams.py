"""Few rows times a large matrix whose columns are consecutive in memory.

The lanes of a vector are neighbors in the depth. Each vector of a column is computed once and
multiplied by all rows. One column is read after the other: processors fetch what follows in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from math import prod
from typing import Final

from stablemate.compiler.kernels.contraction.code_tables import ENTRIES, OPERATOR, CodeTables
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.streamed_matrix import StreamedMatrix, Values
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.schedule.reduction_loops import fill_registers
from stablemate.compiler.schedule.schedule import WIDE, LoopScheduler
from stablemate.deferred_dataclasses import dataclass

# ``python -m benchmarks.decoding products`` measures what these trade, for one row and a few.
COLUMNS: Final = 16  # of a block, of which results are stored together
SUMS: Final = 24  # vectors of partial sums that registers hold
LONGEST: Final = 64  # bytes of the vectors of processors that hold so many
ABREAST: Final = (4, 2, 1)  # columns that share what is read of many rows
FEW: Final = 3  # rows that are read as fast as they are multiplied, from the nearest cache
# Bytes of a row of floats from which on two columns share what is read of it: the nearest cache
# does not keep it beside them. 4,096 columns of 25,088 floats, GB/s one by one and in pairs, Zen 5:
# one thread 36.9 and 41.5, two threads 75.4 and 85; of 9,216 40.6 and 47, 85.6 and 91; of 4,096
# 42.1 and 44.3, 106.9 and 106.8.
LONG: Final = 1 << 14
PAIR: Final = 2
STRIPS: Final = 4  # vectors of a column that are added up without a jump, in sums of their own
# Rows whose products hide a jump after each vector, which is a quarter of the code; more rows take
# 1.03 to 1.05 of the time so.
SHORT: Final = 10

RowFactor = Callable[[int, Values], Expression]  # of a row, at the values of digits
Finish = Callable[[Expression, Expression, Expression], Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class RowStream:
    """The extents of a block.

    Attributes:
        rows: How many rows there are.
        columns: Columns of a block.
        width: Lanes of a vector.
        sums: Vectors of partial sums of a row and a column, which are added to in turn.
        abreast: Columns that are read at the same time.
    """

    rows: int
    columns: int
    width: int
    sums: int
    abreast: int

    @property
    def partials(self) -> int:
        """Elements of the partial sums of a row and a column."""
        return self.sums * self.width


def row_stream_for(
    rows: int, columns: int, matrix: StreamedMatrix, register: str, vector_bytes: int
) -> RowStream | None:
    """The block for numbers of rows and columns; None if none pays."""
    width = matrix.vector_width(register, vector_bytes)
    if width is None:
        return None
    sums = SUMS * vector_bytes // LONGEST // rows
    abreast = next((n for n in ABREAST if n <= sums), 1) if rows > FEW else 1
    depth = prod(digit.extent for digit in matrix.depth.digits)
    if rows <= FEW and matrix.element_bytes >= WIDE and depth * WIDE >= LONG:
        abreast = PAIR
    block = COLUMNS if columns >= COLUMNS else abreast
    return RowStream(rows, block, width, max(1, min(STRIPS, sums // abreast)), abreast)


class RowStreamLoops:
    """Writes the statements of a block of columns."""

    def __init__(
        self, scheduler: LoopScheduler, stream: RowStream, sums: Sums, matrix: StreamedMatrix,
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
        self.scheduler = scheduler
        self.stream = stream
        self.sums = sums
        self.matrix = matrix
        self.tables = CodeTables(scheduler, sums.register)
        self.has_tables = OPERATOR in instructions and stream.width == ENTRIES
        register = sums.register
        self.totals = Buffer("totals", register, (stream.rows, stream.columns), "stack")
        self.partials = [
            [
                Buffer(f"part{row}_{number}", register, (stream.partials,), "register")
                for number in range(stream.abreast)
            ]
            for row in range(stream.rows)
        ]

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        return [self.totals, *self.tables.buffers.values(), *self.all_partials]

    @property
    def all_partials(self) -> list[Buffer]:
        """The partial sums of all rows and columns."""
        return [buffer for row in self.partials for buffer in row]

    def body(
        self, left: RowFactor, column_values: Callable[[Expression], Values], finish: Finish
    ) -> list[Statement]:
        """The body of a block.

        Args:
            left: The factor of a row.
            column_values: The digits of a column of the block.
            finish: Stores what is made of the sum of a row and a column.
        """
        scheduler = self.scheduler
        stream, matrix = self.stream, self.matrix
        groups = stream.columns // stream.abreast
        group = scheduler.index(groups)
        columns = [group * stream.abreast + number for number in range(stream.abreast)]
        self.left, self.right = left, self.factors([column_values(column) for column in columns])
        zero = self.sums.zero(scheduler.table)
        cleared = [
            fill_registers(scheduler, buffer, stream.width, zero) for buffer in self.all_partials
        ]
        loops = [*self.tables.stores, *self.strips()]
        for digit in reversed(matrix.depth_loops):
            loops = [Loop(digit.index, digit.extent, "serial", loops)]
        added = [*cleared, *loops, *self.combine_partials(columns)]
        nest = [Loop(group, groups, "serial", added)]
        return [*self.cleared_totals(), *nest, *self.store_results(finish)]

    def factors(self, columns: Sequence[Values]) -> list[list[Expression]]:
        """The factors of each column, for each part of the depth."""
        matrix = self.matrix
        factors = [[matrix.at(column, part) for part in matrix.depth_parts] for column in columns]
        return self.tables.all_looked_up(factors, matrix.lane.atom) if self.has_tables else factors

    def strips(self) -> list[Statement]:
        """All vectors along the digit of the lanes."""
        width, extent = self.stream.width, self.matrix.lane.extent
        table, scheduler = self.scheduler.table, self.scheduler
        whole, rest = divmod(extent, width)
        is_short = self.stream.sums == 1 and self.stream.rows <= SHORT
        strips = 1 if is_short else STRIPS
        blocks, more = divmod(whole, strips)
        result: list[Statement] = []
        if blocks:
            block = scheduler.index(blocks)
            first = block * strips * width
            vectors = [self.vector(first + strip * width, strip) for strip in range(strips)]
            result.append(Loop(block, blocks, "serial", vectors))
        for strip in range(more):
            first = table.sum((blocks * strips + strip) * width, ())
            result.append(self.vector(first, strip))
        if rest:
            first = table.sum(extent - width, ())
            result.append(self.vector(first, 0, width - rest))
        return result

    def vector(self, first: Expression, strip: int, skip: int = 0) -> Loop:
        """Adds the products of a vector of the depth, without those of the first lanes."""
        width = self.stream.width
        lane = self.scheduler.index(width)
        values = {self.matrix.lane.atom: first + lane, self.tables.lane.atom: lane}
        number = strip * len(self.matrix.depth_parts)
        products = self.products(number, lane, values, skip)
        return Loop(lane, width, "vector", list(products))

    def products(
        self, first: int, lane: Expression, values: Values, skip: int
    ) -> Iterator[Statement]:
        """Adds the products of all rows."""
        for number, part in enumerate(self.matrix.depth_parts):
            place = (first + number) % self.stream.sums * self.stream.width + lane
            left = [self.left(row, {**part, **values}) for row in range(self.stream.rows)]
            for column, parts in enumerate(self.right):
                right = substitute_expression(parts[number], values, {})
                for row, factor in enumerate(left):
                    product, partial = self.sums.product(factor, right), self.partials[row][column]
                    yield Fold(partial, place, self.sums.add, product, skip, fused=True)

    def combine_partials(self, columns: Sequence[Expression]) -> Iterator[Statement]:
        """Adds the partial sums of columns to their totals."""
        table = self.scheduler.table
        for row, partials in enumerate(self.partials):
            for column, partial in zip(columns, partials, strict=True):
                place = table.place(self.totals, (table.sum(row, ()), column))
                yield CombinePartials(self.totals, place, self.sums.add, partial, self.stream.width)

    def over_totals(
        self, statements: Callable[[Expression, Expression, Expression], Sequence[Statement]]
    ) -> list[Statement]:
        """Statements for all sums of a row, given the row, the column and the place."""
        stream = self.stream
        row, column = (self.scheduler.index(size) for size in (stream.rows, stream.columns))
        place = self.scheduler.table.place(self.totals, (row, column))
        vector = Loop(column, stream.columns, "vector", statements(row, column, place))
        return [Loop(row, stream.rows, "serial", [vector])]

    def cleared_totals(self) -> list[Statement]:
        """Sets all sums to zero."""
        zero = self.sums.zero(self.scheduler.table)
        return self.over_totals(
            lambda _row, _column, place: [StoreElement(self.totals, place, zero)]
        )

    def store_results(self, finish: Finish) -> list[Statement]:
        """Stores what is made of all sums."""
        table = self.scheduler.table
        return self.over_totals(
            lambda row, column, place: finish(row, column, table.load_at(self.totals, place))
        )
