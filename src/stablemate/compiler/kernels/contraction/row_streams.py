"""Few rows times a large matrix whose columns are consecutive in memory.

The lanes of a vector are neighbours in the depth. Each vector of a column is computed once and
multiplied by all rows; the partial sums of a few columns stay in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.compiler.kernels.contraction.code_tables import ENTRIES, OPERATOR, CodeTables
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.register_tiles import REGISTERS
from stablemate.compiler.kernels.contraction.streamed_matrix import StreamedMatrix, Values
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.schedule.reduction_loops import fill_registers
from stablemate.compiler.schedule.schedule import Scheduler

COLUMNS: Final = (4, 2, 1)  # of a block
STRIPS: Final = 4  # vectors of a column that are added up without a jump
LEAST_WIDTH: Final = 4  # lanes of the shortest vectors that pay

RowFactor = Callable[[int, Values], Expression]  # of a row, at the values of digits
Finish = Callable[[Expression, Expression, Expression], Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class RowStream:
    """The extents of a block.

    Attributes:
        rows: How many rows there are.
        columns: Columns of a block.
        width: Lanes of a vector.
    """

    rows: int
    columns: int
    width: int


def row_stream_for(
    rows: int, columns: int, lanes: int, register: str, vector_bytes: int
) -> RowStream | None:
    """The block for numbers of rows, columns and neighbours in memory; None if none pays."""
    width = vector_bytes // max(4, BYTES[register])
    while width > lanes:
        width //= 2
    sums = REGISTERS[vector_bytes].sums
    size = next((n for n in COLUMNS if n <= columns and n * rows <= sums), None)
    return None if size is None or width < LEAST_WIDTH else RowStream(rows, size, width)


class RowStreamLoops:
    """Writes the statements of a block of columns."""

    def __init__(
        self, scheduler: Scheduler, stream: RowStream, sums: Sums, matrix: StreamedMatrix,
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
                Buffer(f"part{row}_{column}", register, (stream.width,), "register")
                for column in range(stream.columns)
            ]
            for row in range(stream.rows)
        ]

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        partials = [buffer for row in self.partials for buffer in row]
        return [self.totals, *self.tables.buffers.values(), *partials]

    def body(
        self, left: RowFactor, column_values: Callable[[int], Values], finish: Finish
    ) -> list[Statement]:
        """The body of a block.

        Args:
            left: The factor of a row.
            column_values: The digits of a column of the block.
            finish: Stores what is made of the sum of a row and a column.
        """
        table, scheduler = self.scheduler.table, self.scheduler
        zero = self.sums.zero(table)
        self.right = self.factors(column_values)
        self.left = left
        result: list[Statement] = [
            fill_registers(scheduler, buffer, self.stream.width, zero)
            for row in self.partials
            for buffer in row
        ]
        loops = [*self.tables.stores, *self.strips()]
        for digit in reversed(self.matrix.depth_loops):
            loops = [Loop(digit.index, digit.extent, "serial", loops)]
        return [*result, *loops, *self.combined(zero), *self.finished(finish)]

    def factors(self, column_values: Callable[[int], Values]) -> list[list[Expression]]:
        """The factors of each column, for each part of the depth."""
        matrix = self.matrix
        factors = [
            [matrix.at(column_values(column), part) for part in matrix.depth_parts]
            for column in range(self.stream.columns)
        ]
        return self.tables.all_looked_up(factors, matrix.lane.atom) if self.has_tables else factors

    def strips(self) -> list[Statement]:
        """All vectors along the digit of the lanes."""
        width, extent = self.stream.width, self.matrix.lane.extent
        table, scheduler = self.scheduler.table, self.scheduler
        whole, rest = divmod(extent, width)
        blocks, more = divmod(whole, STRIPS)
        result: list[Statement] = []
        if blocks:
            block, strip = scheduler.index(blocks), scheduler.index(STRIPS)
            vector = self.vector((block * STRIPS + strip) * width)
            unrolled = Loop(strip, STRIPS, "unroll", [vector])
            result.append(Loop(block, blocks, "serial", [unrolled]))
        for number in range(blocks * STRIPS, blocks * STRIPS + more):
            result.append(self.vector(table.sum(number * width, ())))
        if rest:
            result.append(self.vector(table.sum(extent - width, ()), width - rest))
        return result

    def vector(self, first: Expression, skip: int = 0) -> Loop:
        """Adds the products of a vector of the depth, without those of the first lanes."""
        lane = self.scheduler.index(self.stream.width)
        values = {self.matrix.lane.atom: first + lane, self.tables.lane.atom: lane}
        return Loop(lane, self.stream.width, "vector", list(self.products(lane, values, skip)))

    def products(self, lane: Expression, values: Values, skip: int) -> Iterator[Statement]:
        """Adds the products of all columns and rows."""
        for number, part in enumerate(self.matrix.depth_parts):
            digits = {**part, **values}
            factors = [self.left(row, digits) for row in range(self.stream.rows)]
            for column in range(self.stream.columns):
                right = substitute_expression(self.right[column][number], values, {})
                for row, factor in enumerate(factors):
                    product = self.sums.product(factor, right)
                    partial = self.partials[row][column]
                    yield Fold(partial, lane, self.sums.add, product, skip, fused=True)

    def combined(self, zero: Expression) -> Iterator[Statement]:
        """Adds up the lanes of all partial sums."""
        table = self.scheduler.table
        for row, buffers in enumerate(self.partials):
            for column, partial in enumerate(buffers):
                place = table.sum(row * self.stream.columns + column, ())
                yield StoreElement(self.totals, place, zero)
                yield CombinePartials(self.totals, place, self.sums.add, partial, self.stream.width)

    def finished(self, finish: Finish) -> list[Statement]:
        """Stores what is made of all sums."""
        row, column = (
            self.scheduler.index(size) for size in (self.stream.rows, self.stream.columns)
        )
        total = self.scheduler.table.load(self.totals, (row, column))
        vector = Loop(column, self.stream.columns, "vector", finish(row, column, total))
        return [Loop(row, self.stream.rows, "serial", [vector])]
