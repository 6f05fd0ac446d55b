"""Dots: products of matrices, batch by batch.

Operands become matrices ``lhs[b..., m, k]`` and ``rhs[b..., k, n]``: read where they are if one
index counts their rows (columns) and one their depth, else copied by a launch of their own, which
computes once what is not in memory. Results are made in register tiles, every sum in the order
of k. Where vectors of columns do not pay, each result is a fold by itself, with lanes along k.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ALIAS,
    SECOND,
    ComputedMatrix,
    Panels,
    PanelsAhead,
)
from stablemate.compiler.kernels.contraction.matrix_products import (
    ProductBuilder,
    ProductKernel,
    product_of,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import packed_sums, sums_of
from stablemate.compiler.kernels.contraction.register_tiles import (
    FEWEST_UNITS,
    ColumnShare,
    Tile,
    TileNest,
    nest_loops,
    tile_for,
)
from stablemate.compiler.kernels.contraction.streamed_products import streamed_product
from stablemate.compiler.kernels.contraction.tiled_dots import tiled_dot
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, register_builder
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Fold, Statement, walk_statements
from stablemate.compiler.schedule.column_reductions import reduced_dimensions_of
from stablemate.compiler.schedule.reduction_loops import ReductionLoops
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.numerics.symbolic_sizes import is_symbolic

# A copy of columns in panels is read in one direction, but written first:
# ``python -m benchmarks.heuristics`` measures FEW and NEAR.
FEW: Final = 3  # tiles that read a factor so often do not pay for a copy of it
NEAR: Final = 1 << 17  # bytes of columns that stay near without a copy
LEAST_LANES: Final = 4  # lanes of the shortest vectors that have instructions on packed factors
# Rows past which a constant matrix is read faster in panels than in its own order. Products with
# 4,096 x 4,096 floats, GB/s in panels and in order, two cores of Zen 4: 16 rows 20 and 8, 8 rows 31
# and 16, 4 rows 29 and 27, 2 rows 17 and 26; where columns are innermost, 8 rows 23 and 20.
MOST_STREAMED: Final = 4


def is_known(node: Node) -> bool:
    """Whether kernels exist for the element types of a dot."""
    return sums_of(node) is not None


def dot_to(
    node: Node, value: Tensor, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """Returns the kernels of a dot fused with its epilogue; only the epilogue is stored."""
    sums = sums_of(node)
    assert sums is not None
    return DotBuilder(product_of(node, sums, value), kept, machine, name).build_kernels()


@register_builder(
    "stablehlo.dot_general", "stablehlo.dot", admits=is_known, inlines=True, builds_to=dot_to
)
def dot(node: Node, kept: Container[Tensor], machine: Machine, name: str) -> Sequence[BuiltKernel]:
    """The kernels of a dot: those that copy operands, and the one that multiplies."""
    return dot_to(node, node.results[0], kept, machine, name)


class DotBuilder(ProductBuilder):
    """Builds the kernels of one dot."""

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        product = self.product
        if product.depth == 0:
            return [self.empty_sums()]
        packs_columns = self.packs_constant_columns
        if not packs_columns:
            streamed = streamed_product(product, self.kept, self.machine, self.name)
            if streamed is not None:
                return streamed.build_kernels()
        tiled = tiled_dot(product, self.kept, self.machine, self.name)
        if tiled is not None:
            return tiled.build_kernels()
        left, right = self.matrix(product.lhs), self.matrix(product.rhs)
        if self.reduces_each_result(left, right):
            return [self.reduction_kernel()]
        tile = self.tile()
        if self.packs_factors(tile):
            left, right = self.matrix(self.product.lhs), self.matrix(self.product.rhs)
            product = self.product
            tile = self.tile()
        reads_rows = self.reads_rows(left, tile)
        if not packs_columns and self.reads_columns(right, tile):
            return self.tiles(tile, reads_rows=reads_rows, reads_columns=True)
        if self.has_constant_columns:
            return self.tiles(tile, reads_rows=reads_rows, reads_columns=False)
        size = product.depth * BYTES[product.sums.storage]
        products = product.rows * product.depth
        share = ColumnShare.of(tile, product.columns, size, prod(product.batch), products)
        # A copy that a kernel makes itself stays in the second cache for all rows; a larger one
        # would be read from memory, as the matrix is.
        is_near = share.length * tile.columns * size <= SECOND
        units = prod(product.batch) * share.units
        if is_near and (is_symbolic(units) or units >= FEWEST_UNITS):
            return self.shared_kernels(share, reads_rows=reads_rows)
        return self.tiles(tile, reads_rows=reads_rows, reads_columns=False)

    # Forms

    def tile(self) -> Tile:
        """The register tile of the product."""
        product = self.product
        return tile_for(
            product.rows, product.columns, product.sums.register, self.machine,
            spare=product.sums.is_corrected, has_products=product.sums.has_products,
        )  # fmt: skip

    def packs_factors(self, tile: Tile) -> bool:
        """Packs the factors, if there is an instruction for their sums, and enough rows for it."""
        product = self.product
        depth = [operand.sizes(operand.depth)[-1:] for operand in (product.lhs, product.rhs)]
        if tile.width < LEAST_LANES or product.rows <= FEW or () in depth:
            return False
        sums = packed_sums(
            product.node, product.sums, self.machine.instructions, [size for (size,) in depth]
        )
        if sums is None:
            return False
        self.product = replace(product, sums=sums)
        return True

    def reduces_each_result(self, left: ComputedMatrix, right: ComputedMatrix) -> bool:
        """Whether it is best to compute each result as a reduction of its own."""
        product = self.product
        if product.columns == 1:
            return True
        along = left.stride(left.depth) == right.stride(right.depth) == 1
        return along and product.rows <= FEW and product.depth * 4 >= self.machine

    def reads_rows(self, left: ComputedMatrix, tile: Tile) -> bool:
        """Whether rows are read in place; each element of a row is broadcast to all lanes."""
        product = self.product
        if left.load is None:
            return False
        uses = -(-product.columns // tile.columns)
        strides = left.stride(left.free), left.stride(left.depth)
        far = max(strides) * BYTES[product.sums.register]
        aliased = min(tile.rows, product.depth) > FEW and far and far % ALIAS == 0
        return not aliased and (uses <= FEW or left.is_plain)

    def reads_columns(self, right: ComputedMatrix, tile: Tile) -> bool:
        """Whether columns are read where they are: neighbors in the lanes of a vector."""
        product = self.product
        if right.load is None or right.stride(right.free) != 1:
            return False
        uses = -(-product.rows // tile.rows)
        size = product.depth * product.columns * BYTES[product.sums.register]
        return uses <= FEW or (right.is_plain and size <= NEAR)

    @property
    def has_constant_columns(self) -> bool:
        """Whether panels of columns are packed once, when the program is compiled."""
        inputs = self.kernel_builder(self.product.rhs).inputs
        return all(value.depends_on_constants for value in inputs)

    @property
    def packs_constant_columns(self) -> bool:
        """Whether few rows, too, pass over panels of a large constant matrix.

        A panel is read from one end to the other. Elements that are computed in registers stay
        narrow in memory, and are streamed.
        """
        product = self.product
        if not is_symbolic(product.rows) and product.rows <= MOST_STREAMED:
            return False
        size = product.depth * product.columns * BYTES[product.sums.register]
        if is_symbolic(size) or size <= NEAR or not self.has_constant_columns:
            return False
        return self.matrix(product.rhs).is_plain

    # Kernels

    def empty_sums(self) -> BuiltKernel:
        """Stores the results of empty sums."""
        product, kernel_builder = self.product, self.final_builder()
        output = product.epilogue.buffer
        index, loops = kernel_builder.dimensions(product.result.shape)
        zero = product.sums.zero(kernel_builder.table)
        body = product.epilogue.store_result(kernel_builder, product.sums, index, zero, output)
        loops_ = kernel_builder.scheduler.elementwise(loops, body)
        return kernel_builder.build_kernel(self.name, loops_, [(product.epilogue.value, output)])

    def reduction_kernel(self) -> BuiltKernel:
        """Returns the kernel that computes each result by a reduction of its own."""
        product, sums = self.product, self.product.sums
        kernel_builder = self.final_builder(product.lhs, product.rhs)
        output = product.epilogue.buffer
        index, loops = kernel_builder.dimensions(product.result.shape)
        depth, steps = kernel_builder.dimensions(product.lhs.sizes(product.lhs.depth))
        batch, free = index[: len(product.batch)], index[len(product.batch) :]
        rows = len(product.lhs.free)
        left = product.lhs.factor(kernel_builder, sums, batch, free[:rows], depth)
        right = product.rhs.factor(kernel_builder, sums, batch, free[rows:], depth)

        def finish(value: Expression) -> Sequence[Statement]:
            return product.epilogue.store_result(kernel_builder, sums, index, value, output)

        value, start = sums.product(left, right), sums.zero(kernel_builder.table)
        reduction = ReductionLoops(sums.add, sums.register, start, value)
        body, local_buffers = reduced_dimensions_of(
            kernel_builder.scheduler, loops, steps, reduction, finish
        )
        for statement in walk_statements(body):
            if isinstance(statement, Fold):
                statement.fused = True
        return kernel_builder.build_kernel(
            self.name, body, [(product.epilogue.value, output)], local_buffers
        )

    def tiles(self, tile: Tile, *, reads_rows: bool, reads_columns: bool) -> list[BuiltKernel]:
        """Register tiles, and before them copies of operands that are not read where they are."""
        product = self.product
        kernel = ProductKernel(self, reads_rows=reads_rows, reads_columns=reads_columns)
        scheduler = kernel.kernel_builder.scheduler
        row_tiles, first_row = tile.starts(scheduler, product.rows, tile.rows)
        size = product.depth * BYTES[product.sums.register]
        columns = tile.column_groups(scheduler, product.columns, size)
        group, panel, number, first_column = columns
        left, right = kernel.rows(), kernel.columns(tile, number, first_column)
        nest = TileNest(scheduler, tile, product.sums, product.epilogue.accumulators(product.sums))
        ahead = PanelsAhead.of(group, row_tiles, panel)
        body = kernel.tile(nest, left, right, first_row, first_column, ahead)
        return kernel.build_kernels([group, row_tiles, panel], body, nest.local_buffers)

    def shared_kernels(self, share: ColumnShare, *, reads_rows: bool) -> list[BuiltKernel]:
        """Register tiles of groups of columns, each copied just before all rows pass over it."""
        product, tile = self.product, share.tile
        kernel = ProductKernel(self, reads_rows=reads_rows, reads_columns=True)
        kernel_builder, scheduler = kernel.kernel_builder, kernel.kernel_builder.scheduler
        unit, group, panel = (
            LoopDimension(scheduler.index(extent), extent)
            for extent in (share.units, share.groups, share.length)
        )
        row_tiles, first_row = tile.starts(scheduler, product.rows, tile.rows)
        first_column = share.first(unit.index, group.index, panel.index)
        memory = Panels.among(product.rhs, product.sums, tile, (share.length,), "stack")
        place = (panel.index,)
        matrix = ComputedMatrix(kernel_builder, product.rhs, product.sums, kernel.batch)
        steps, copied = memory.copies(kernel_builder, matrix, place, first_column)
        nest = TileNest(scheduler, tile, product.sums, product.epilogue.accumulators(product.sums))
        right = memory.reader(kernel_builder, place)
        body = kernel.tile(nest, kernel.rows(), right, first_row, first_column)
        group_body = [*nest_loops([*steps, panel], copied), *nest_loops([row_tiles, panel], body)]
        return kernel.build_kernels(
            [unit], nest_loops([group], group_body), [*nest.local_buffers, memory.buffer]
        )
