"""Products of few rows with a large matrix, as a model of language needs for each token.

The time is that of reading the matrix. It is read once, in the order of memory, by all threads; its
elements are computed in registers, whatever they are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial, reduce
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.contraction.column_streams import (
    ColumnStreamLoops,
    Finish,
    column_stream_for,
)
from stablemate.compiler.kernels.contraction.matrix_operands import ALIAS, LINE
from stablemate.compiler.kernels.contraction.matrix_products import (
    MatrixProduct,
    ProductBuilder,
    ProductKernel,
)
from stablemate.compiler.kernels.contraction.register_tiles import FEWEST_UNITS
from stablemate.compiler.kernels.contraction.row_streams import RowStreamLoops, row_stream_for
from stablemate.compiler.kernels.contraction.streamed_matrix import (
    StreamedMatrix,
    Values,
    element_at,
    streamed_matrix,
)
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic

# A streamed product reads the matrix once, without a copy, but each element of it is used for
# these rows alone; more shares of the depth occupy more threads, and their sums are added up at
# the end. ``python -m benchmarks.heuristics`` measures these.
MOST_ROWS: Final = 16
LEAST_ELEMENTS: Final = 1 << 15  # of a matrix that does not stay near
LEAST_COLUMNS: Final = 32
# Columns that are neighbors in memory are passed over by register tiles, from a few rows on, as
# long as caches hold the matrix. Time in tiles by time of a stream, floats, two cores of an EPYC
# with AVX-512: 1,024 x 1,024 for 4 rows 1.18, 8 rows 0.46, 16 rows 0.35; 128 x 512 for 4 rows
# 0.97, 16 rows 0.38; 1,024 x 4,096 for 8 rows 0.39; 2,048 x 4,096 for 8 rows 2.36. Where the depth
# is innermost, a stream is faster at nearly all of these sizes (8 rows 0.7 to 2.3).
MOST_ABREAST: Final = 4  # rows
MOST_CACHED: Final = 1 << 24  # bytes of the matrix
FEW: Final = 3  # rows whose places in a cache do not collide
SHARES: Final = 8  # of a launch at most, where the depth is cut
LEAST_SHARE: Final = 32  # steps of the depth of a share for each row

RowFactor = Callable[[int, Values], Expression]


def streamed_product(
    product: MatrixProduct, kept: Container[Tensor], machine: Machine, name: str
) -> StreamedProduct | None:
    """The kernels of a product with a matrix that is read once; None if that is no such product."""
    if product.sums.multiply != "fmul":
        return None
    sizes = (product.rows, product.columns, product.depth)
    if any(map(is_symbolic, sizes)):
        return None
    product = product.swapped if product.columns < product.rows else product
    is_large = product.columns * product.depth >= LEAST_ELEMENTS
    if product.rows > MOST_ROWS or product.columns < LEAST_COLUMNS or not is_large:
        return None
    builder = StreamedProduct(product, kept, machine, name)
    return builder if builder.is_possible else None


class StreamedProduct(ProductBuilder):
    """Builds the kernels of one product."""

    @property
    def is_possible(self) -> bool:
        """Whether the matrix has an order in memory for which there are loops."""
        builder = self.kernel_builder(self.product.rhs)
        batch, _ = builder.dimensions(self.product.batch)
        matrix = streamed_matrix(builder, self.product.rhs, self.product.sums, batch)
        if matrix is None:
            return False
        register = self.product.sums.register
        rows, columns = self.product.rows, self.product.columns
        if matrix.is_along_depth:
            return row_stream_for(rows, columns, matrix, register, self.machine) is not None
        if rows > MOST_ABREAST and self.is_cached:
            return False
        return column_stream_for(rows, matrix, register, self.machine) is not None

    @property
    def is_cached(self) -> bool:
        """Whether the elements of the matrix are factors as they are, and caches hold them."""
        product = self.product
        size = product.columns * product.depth * BYTES[product.sums.register]
        is_stored = product.sums.storage == product.sums.register
        return is_stored and size <= MOST_CACHED and self.matrix(product.rhs).is_plain

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        product = self.product
        kernel = ProductKernel(self, reads_rows=self.reads_rows, reads_columns=True)
        matrix = streamed_matrix(kernel.kernel_builder, product.rhs, product.sums, kernel.batch)
        assert matrix is not None
        if not matrix.is_along_depth:
            matrix = self.share_depth(matrix, kernel)
        left = self.row_reader(kernel, matrix)
        along = self.along_depth if matrix.is_along_depth else self.along_columns
        return along(kernel, matrix, left)

    def share_depth(self, matrix: StreamedMatrix, kernel: ProductKernel) -> StreamedMatrix:
        """The matrix with its depth in shares, if there are too few blocks of columns."""
        product, scheduler = self.product, kernel.kernel_builder.scheduler
        stream = column_stream_for(product.rows, matrix, product.sums.register, self.machine)
        assert stream is not None
        loops = [*kernel.outer, *matrix.column_loops]
        blocks = prod(loop.extent for loop in loops) * -(-matrix.lane.extent // stream.columns)
        most = min(SHARES, product.depth // (LEAST_SHARE * product.rows))
        return matrix if blocks >= FEWEST_UNITS else matrix.in_shares(scheduler, most)

    @property
    def reads_rows(self) -> bool:
        """Whether rows are read in place: they are as registers hold them, one after the other."""
        product = self.product
        rows = self.matrix(product.lhs)
        if not rows.is_plain or rows.stride(rows.depth) != 1:
            return False
        far = rows.stride(rows.free) * BYTES[product.sums.register]
        if product.rows > FEW and far % ALIAS == 0:
            return False
        builder = self.kernel_builder(product.rhs)
        batch, _ = builder.dimensions(product.batch)
        matrix = streamed_matrix(builder, product.rhs, product.sums, batch)
        assert matrix is not None
        return not matrix.is_along_depth or matrix.depth.digits[-1].atom is matrix.lane.atom

    def row_reader(self, kernel: ProductKernel, matrix: StreamedMatrix) -> RowFactor:
        """Reads the factor of a row at the values of the digits of the depth."""
        product, builder = self.product, kernel.kernel_builder
        table = builder.table
        if self.reads_rows:

            def in_place(row: int, values: Values) -> Expression:
                depth = matrix.depth.number_of(values)
                return element_at(
                    builder, product.lhs, product.sums, kernel.batch, table.sum(row, ()), depth
                )

            return in_place
        rows = DigitRows.of(product, matrix)
        kernel.before.append(
            rows.build_kernel(self.kernel_builder(product.lhs), f"{self.name}_lhs")
        )
        kernel.intermediates.append((rows.scratch, rows.buffer))
        return lambda row, values: rows.factor(builder, kernel.batch, row, values)

    def along_depth(
        self, kernel: ProductKernel, matrix: StreamedMatrix, left: RowFactor
    ) -> list[BuiltKernel]:
        """Blocks of columns, each of which is consecutive in memory."""
        product, scheduler = self.product, kernel.kernel_builder.scheduler
        stream = row_stream_for(
            product.rows, product.columns, matrix, product.sums.register, self.machine
        )
        assert stream is not None
        nest = RowStreamLoops(scheduler, stream, product.sums, matrix, self.machine.instructions)
        count = -(-product.columns // stream.columns)
        block = scheduler.index(count)
        first = scheduler.table.least(block * stream.columns, product.columns - stream.columns)
        body = nest.body(
            left,
            lambda column: digits_of(first + column, matrix.columns.digits),
            lambda row, column, total: kernel.stores(row, first + column, total),
        )
        return kernel.build_kernels([LoopDimension(block, count)], body, nest.local_buffers)

    def along_columns(
        self, kernel: ProductKernel, matrix: StreamedMatrix, left: RowFactor
    ) -> list[BuiltKernel]:
        """Blocks of columns; all rows of the matrix are streamed through each block."""
        product, scheduler = self.product, kernel.kernel_builder.scheduler
        stream = column_stream_for(product.rows, matrix, product.sums.register, self.machine)
        assert stream is not None
        nest = ColumnStreamLoops(scheduler, stream, product.sums, matrix, self.machine.instructions)
        block, first = nest.blocks()

        def finish(row: Expression, values: Values, total: Expression) -> Sequence[Statement]:
            return kernel.stores(row, matrix.columns.number_of(values), total)

        loops = [*matrix.column_loops, block]
        if matrix.share is None:
            return kernel.build_kernels(loops, nest.body(first, left, finish), nest.local_buffers)
        parts = PartialSums.of(product, matrix.share)
        body = nest.body(first, left, parts.stores(kernel, matrix))
        summed = parts.build_kernel(
            kernel, f"{self.name}_parts", [matrix.share, *loops], body, nest.local_buffers
        )
        return [*kernel.before, summed, *parts.addition_kernels(self)]


@dataclass(frozen=True, slots=True)
class PartialSums:
    """The sums of the shares of the depth.

    Attributes:
        product: The product.
        share: The loop over shares.
        buffer: Memory, ``(shares, batch..., rows, columns)``.
        scratch: The same for the planner.
    """

    product: MatrixProduct
    share: LoopDimension
    buffer: Buffer
    scratch: Scratch

    @staticmethod
    def of(product: MatrixProduct, share: LoopDimension) -> PartialSums:
        """Memory for the sums of all shares."""
        shape = (share.extent, *product.batch, product.rows, product.columns)
        buffer = Buffer("parts", product.sums.register, shape)
        return PartialSums(product, share, buffer, Scratch(buffer.bytes))

    def stores(self, kernel: ProductKernel, matrix: StreamedMatrix) -> Finish:
        """Stores the sum of a share."""
        table = kernel.kernel_builder.table

        def finish(row: Expression, values: Values, total: Expression) -> Sequence[Statement]:
            column = matrix.columns.number_of(values)
            place = table.place(self.buffer, (self.share.index, *kernel.batch, row, column))
            return [StoreElement(self.buffer, place, total)]

        return finish

    def build_kernel(
        self, kernel: ProductKernel, name: str, loops: Sequence[LoopDimension],
        body: Sequence[Statement], local_buffers: Sequence[Buffer],
    ) -> BuiltKernel:  # fmt: skip
        """The kernel that computes the sums of all shares."""
        builder = kernel.kernel_builder
        statements = builder.scheduler.parallel([*kernel.outer, *loops], body)
        memory = [*kernel.intermediates, (self.scratch, self.buffer)]
        return builder.build_kernel(name, statements, memory, local_buffers)

    def addition_kernels(self, builder: ProductBuilder) -> list[BuiltKernel]:
        """The kernel that adds up the sums of all shares, in their order."""
        product, sums = self.product, self.product.sums
        kernel = ProductKernel(builder, reads_rows=False, reads_columns=False)
        table, scheduler = kernel.kernel_builder.table, kernel.kernel_builder.scheduler
        width = builder.machine // max(WIDE, BYTES[sums.register])
        step, column, lane = scheduler.strip(product.columns, min(width, product.columns))
        row = scheduler.index(product.rows)
        total = Buffer("total", sums.register, (lane.extent,), "stack")
        values = [
            table.load(self.buffer, (table.sum(number, ()), *kernel.batch, row, column))
            for number in range(self.share.extent)
        ]
        summed = reduce(partial(table.apply, sums.add), values)
        lane.body = [
            StoreElement(total, lane.index, summed),
            *kernel.stores(row, column, table.load_at(total, lane.index)),
        ]
        kernel.intermediates.append((self.scratch, self.buffer))
        return kernel.build_kernels([LoopDimension(row, product.rows), step], [lane], [total])


def digits_of(number: Expression, digits: Sequence[LoopDimension]) -> dict[Expression, Expression]:
    """The values of all digits of a number."""
    weight, result = prod(digit.extent for digit in digits), dict[Expression, Expression]()
    for digit in digits:
        weight //= digit.extent
        result[digit.atom] = (number // weight) % digit.extent
    return result


@dataclass(frozen=True, slots=True)
class DigitRows:
    """A copy of rows as registers hold them, the digit of the lanes innermost.

    Attributes:
        product: The product.
        digits: The digits of the depth, in the order of memory.
        matrix: The matrix that the rows are multiplied with.
        buffer: Memory, ``(batch..., rows, depth)``.
        scratch: The same for the planner.
    """

    product: MatrixProduct
    digits: Sequence[LoopDimension]
    matrix: StreamedMatrix
    buffer: Buffer
    scratch: Scratch

    @staticmethod
    def of(product: MatrixProduct, matrix: StreamedMatrix) -> DigitRows:
        """Memory for the rows of a product, at distances that fill a cache evenly."""
        digits = sorted(matrix.depth.digits, key=lambda digit: digit.atom is matrix.lane.atom)
        size, depth = BYTES[product.sums.register], product.depth
        padded = depth + LINE // size if depth * size % ALIAS == 0 else depth
        shape = (*product.batch, product.rows, padded)
        buffer = Buffer("rows", product.sums.register, shape)
        return DigitRows(product, digits, matrix, buffer, Scratch(buffer.bytes))

    def place(
        self, builder: KernelBuilder, batch: Sequence[Expression], row: Expression, values: Values
    ) -> Expression:
        """The place of the factor of a row at the values of digits."""
        step = builder.table.sum(0, ())
        for digit in self.digits:
            step = step * digit.extent + values.get(digit.atom, digit.index)
        return builder.table.place(self.buffer, (*batch, row, step))

    def factor(
        self, builder: KernelBuilder, batch: Sequence[Expression], row: int, values: Values
    ) -> Expression:
        """The factor of a row at the values of digits."""
        place = self.place(builder, batch, builder.table.sum(row, ()), values)
        return builder.table.load_at(self.buffer, place)

    def build_kernel(self, builder: KernelBuilder, name: str) -> BuiltKernel:
        """Builds the kernel that copies rows of the left operand in the order of the digits."""
        product, operand = self.product, self.product.lhs
        batch, outer = builder.dimensions(product.batch)
        (row,), rows = builder.dimensions([product.rows])
        indices, steps = builder.dimensions([digit.extent for digit in self.digits])
        values = {digit.atom: index for digit, index in zip(self.digits, indices, strict=True)}
        depth = self.matrix.depth.number_of(values)
        value = element_at(builder, operand, product.sums, batch, row, depth)
        store = StoreElement(self.buffer, self.place(builder, batch, row, values), value)
        loops = builder.scheduler.elementwise([*outer, *rows, *steps], [store])
        return builder.build_kernel(name, loops, [(self.scratch, self.buffer)])
