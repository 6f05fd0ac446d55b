"""Dots of narrow numbers in tile registers.

Rows are read where they are if the depth is consecutive there, else copied; columns are copied in
panels as wide as a block, words of neighbors in the depth side by side. What depends on constants
alone is copied once.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ALIAS,
    ComputedMatrix,
    ConsecutiveRows,
    Panels,
    PanelsAhead,
    linear_index,
)
from stablemate.compiler.kernels.contraction.matrix_products import (
    MatrixProduct,
    ProductBuilder,
    ProductKernel,
)
from stablemate.compiler.kernels.contraction.matrix_tiles import (
    FEWEST_WORDS,
    MatrixTiles,
    TileRows,
    block_for,
    starts_kernel,
    words_of_step,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import tile_sums
from stablemate.compiler.kernels.contraction.register_tiles import nest_loops
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.numerics.symbolic_sizes import is_symbolic, typical_of

# Rows in place save their copy, and collide in a cache if they are far apart
# (docs/adr/0036-products-in-tile-registers.md).
FEW: Final = 8  # rows whose places in a cache do not collide
FEWEST_ROWS: Final = 4  # that are worth the copy of columns


def tiled_dot(
    product: MatrixProduct, kept: Container[Tensor], machine: Machine, name: str
) -> TiledDot | None:
    """The kernels of a dot in tile registers; None if it is not worth it or not possible."""
    sums = tile_sums(product.node, product.sums, machine.instructions)
    depth = [operand.sizes(operand.depth)[-1:] for operand in (product.lhs, product.rhs)]
    if sums is None or depth[0] != depth[1] or not depth[0]:
        return None
    product = replace(product, sums=sums)
    sizes = (product.columns, *depth[0])
    if any(map(is_symbolic, sizes)) or depth[0][0] % sums.factors:
        return None
    is_small = min(typical_of(product.rows), product.columns) < FEWEST_ROWS
    if is_small or words_of_step(product.depth) < FEWEST_WORDS:
        return None
    return TiledDot(product, kept, machine, name)


class TiledDot(ProductBuilder):
    """Builds the kernels of one dot."""

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        product = self.product
        kernel = ProductKernel(self, reads_rows=self.reads_rows, reads_columns=False)
        builder, scheduler = kernel.kernel_builder, kernel.kernel_builder.scheduler
        block = block_for(product.rows, product.columns)
        words = words_of_step(product.depth)
        results = block.results
        row_tiles, first_row = results.starts(scheduler, product.rows, results.rows)
        size = product.depth * BYTES[product.sums.storage]
        group, panel, number, first_column = results.column_groups(scheduler, product.columns, size)
        panels = Panels.of(product.rhs, product.sums, results)
        kernel.before.append(
            panels.build_kernel(self.kernel_builder(product.rhs), f"{self.name}_rhs")
        )
        kernel.intermediates.append((panels.scratch, panels.buffer))
        tiles = MatrixTiles(
            scheduler, block, words, product.sums, product.epilogue.accumulators(product.sums)
        )
        step = scheduler.index(product.depth // words)
        rows = self.row_reader(kernel)

        def left_rows(row: int) -> TileRows:
            return rows(first_row + row, step * words)

        def right_rows(column: int) -> TileRows:
            place = (*kernel.batch, number, step * words, builder.table.sum(column, ()))
            first = builder.table.place(panels.buffer, place)
            return TileRows(panels.buffer, first, results.columns)

        def finish(row: Expression, column: Expression, value: Expression) -> list[Statement]:
            return kernel.stores(first_row + row, first_column + column, value)

        ahead = PanelsAhead.of(group, row_tiles, panel)
        products = [
            *tiles.step(left_rows, right_rows),
            *ahead.fetches(panels.buffer, kernel.batch, step * words, words),
        ]
        steps = nest_loops([LoopDimension(step, product.depth // words)], products)
        body = tiles.block_loops(steps, finish, self.starts(kernel, first_column))
        return kernel.build_kernels([group, row_tiles, panel], body, [tiles.totals], tiles.shapes)

    @property
    def reads_rows(self) -> bool:
        """Whether rows are read in place: they are elements in memory, the depth consecutive."""
        left = self.matrix(self.product.lhs)
        far = left.stride(left.free) * BYTES[self.product.sums.storage]
        is_aliased = typical_of(self.product.rows) > FEW and far and far % ALIAS == 0
        return left.is_plain and not is_aliased and left.stride(left.depth) == 1

    def row_reader(self, kernel: ProductKernel) -> Callable[[Expression, Expression], TileRows]:
        """Reads rows from a row and a step on."""
        product, builder = self.product, kernel.kernel_builder
        if kernel.reads_rows:
            matrix = ComputedMatrix(builder, product.lhs, product.sums, kernel.batch)

            def in_place(row: Expression, step: Expression) -> TileRows:
                load = matrix.factor(row, step)
                return TileRows(load.detail, load.operands[0], matrix.stride(matrix.free))

            return in_place
        rows = ConsecutiveRows.of(product.lhs, product.sums)
        kernel.before.append(
            rows.build_kernel(self.kernel_builder(product.lhs), f"{self.name}_lhs")
        )
        kernel.intermediates.append((rows.scratch, rows.buffer))
        return lambda row, step: TileRows(
            rows.buffer,
            builder.table.place(rows.buffer, (*kernel.batch, row, step)),
            rows.buffer.strides[-2],
        )

    def starts(
        self, kernel: ProductKernel, first_column: Expression
    ) -> Callable[[int], TileRows] | None:
        """Initial values of sums: products of all columns with the zero point, subtracted."""
        product, builder = self.product, self.kernel_builder(self.product.rhs)
        sums = product.sums
        if not sums.zero_point:
            return None
        buffer = Buffer("starts", sums.register, (*product.batch, product.columns))
        scratch = Scratch(buffer.bytes)
        index, loops = builder.dimensions((*product.batch, *product.rhs.sizes(product.rhs.free)))
        batch, free = index[: len(product.batch)], index[len(product.batch) :]
        depth, steps = builder.dimensions(product.rhs.sizes(product.rhs.depth))
        scalar = sums.scalar_factors
        value = product.rhs.factor(builder, scalar, batch, free, depth)
        column = linear_index(free, product.rhs.sizes(product.rhs.free), builder)
        start = starts_kernel(
            builder,
            f"{self.name}_start",
            sums,
            (scratch, buffer),
            (*batch, column),
            value,
            loops,
            steps,
        )
        kernel.before.append(start)
        kernel.intermediates.append((scratch, buffer))
        table = kernel.kernel_builder.table
        return lambda column: TileRows(
            buffer, table.place(buffer, (*kernel.batch, first_column + column)), 0
        )
