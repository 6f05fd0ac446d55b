"""Dots: products of matrices, batch by batch.

Operands become matrices ``lhs[b..., m, k]`` and ``rhs[b..., k, n]``: read where they are if one
index counts their rows (columns) and one their depth, else copied by a launch of their own, which
computes once what is not in memory. Results are made in register tiles, every sum in the order
of k. Where vectors of columns do not pay, each result is a fold by itself, with lanes along k.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from stablemate.compiler.graph import Node, Tensor
from stablemate.compiler.kernels.drafts import Draft, Scratch, Workshop, builds
from stablemate.compiler.kernels.matrices import ALIAS, Matrix, Operand, Panels, Rows
from stablemate.compiler.kernels.products import Sums, sums_of
from stablemate.compiler.kernels.tiles import Tile, TileNest, nested, tile_for
from stablemate.compiler.lowering.elements import buffer_of, represented
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.expressions import Expression
from stablemate.compiler.nest.operators import BYTES
from stablemate.compiler.nest.statements import Fold, Statement, Store, walk
from stablemate.compiler.schedule import Dimension, Reduction
from stablemate.dialects.stablehlo.dot_general import AnyDot, result_dimensions

FEW: Final = 3  # tiles that read a factor so often do not pay for a copy of it
NEAR: Final = 1 << 17  # bytes of columns that stay near without a copy
GROUP: Final = 1 << 19  # bytes of columns that all rows pass over before the next ones


@dataclass(frozen=True, slots=True)
class Product:
    """A dot as a product of matrices.

    Attributes:
        node: The operation.
        sums: Its arithmetic.
        lhs: The operand whose rows are the results' rows.
        rhs: The operand whose columns are the results' columns.
    """

    node: Node
    sums: Sums
    lhs: Operand
    rhs: Operand

    @property
    def result(self) -> Tensor:
        """What the dot makes."""
        return self.node.results[0]

    @property
    def batch(self) -> tuple[int, ...]:
        """The sizes of the batching dimensions."""
        return self.lhs.sizes(self.lhs.batch)

    @property
    def rows(self) -> int:
        """How many rows the results have."""
        return prod(self.lhs.sizes(self.lhs.free))

    @property
    def columns(self) -> int:
        """How many columns the results have."""
        return prod(self.rhs.sizes(self.rhs.free))

    @property
    def depth(self) -> int:
        """How many products a sum has."""
        return prod(self.lhs.sizes(self.lhs.depth))

    def store(self, buffer: Buffer, place: Expression, value: Expression) -> list[Statement]:
        """The end of a sum: what is stored of its value."""
        return [Store(buffer, place, self.sums.result(value, self.result))]


def product_of(node: Node, sums: Sums) -> Product:
    """The matrices of a dot."""
    operation: AnyDot = node.operation
    numbers = operation.numbers
    lhs, rhs = node.operands
    rows, columns = result_dimensions(numbers, len(lhs.shape), len(rhs.shape))
    return Product(
        node,
        sums,
        Operand(lhs, numbers.lhs_batching_dimensions, rows, numbers.lhs_contracting_dimensions),
        Operand(rhs, numbers.rhs_batching_dimensions, columns, numbers.rhs_contracting_dimensions),
    )


def is_known(node: Node) -> bool:
    """Whether the arithmetic of a dot is known."""
    return sums_of(node) is not None


@builds("stablehlo.dot_general", "stablehlo.dot", admits=is_known, inlines=True)
def dot(node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> Sequence[Draft]:
    """The kernels of a dot: those that copy operands, and the one that multiplies."""
    sums = sums_of(node)
    assert sums is not None
    return DotBuilder(product_of(node, sums), kept, vector_bytes, name).drafts()


class DotBuilder:
    """Builds the kernels of one dot."""

    def __init__(
        self, product: Product, kept: Container[Tensor], vector_bytes: int, name: str
    ) -> None:
        self.product = product
        self.kept = kept
        self.vector_bytes = vector_bytes
        self.name = name

    def shop(self, *operands: Operand) -> Workshop:
        """A workshop for a kernel that reads operands."""
        return Workshop([each.tensor for each in operands], self.kept, self.vector_bytes)

    def matrix(self, operand: Operand) -> Matrix:
        """How an operand would be read."""
        shop = self.shop(operand)
        batch, _ = shop.dimensions(self.product.batch)
        return Matrix(shop, operand, self.product.sums, batch)

    def drafts(self) -> list[Draft]:
        """All kernels, in the order of their launches."""
        product = self.product
        if product.depth == 0:
            return [self.empty_sums()]
        left, right = self.matrix(product.lhs), self.matrix(product.rhs)
        if self.folds_each(left, right):
            return [self.folds()]
        tile = tile_for(product.rows, product.columns, product.sums.register, self.vector_bytes)
        return self.tiles(tile, self.reads_rows(left, tile), self.reads_columns(right, tile))

    # Forms

    def folds_each(self, left: Matrix, right: Matrix) -> bool:
        """Whether each result is best folded by itself."""
        product = self.product
        if product.columns == 1:
            return True
        along = left.stride(left.depth) == right.stride(right.depth) == 1
        return along and product.rows <= FEW and product.depth * 4 >= self.vector_bytes

    def reads_rows(self, left: Matrix, tile: Tile) -> bool:
        """Whether rows are read where they are: each element of one goes to all lanes."""
        product = self.product
        if left.load is None:
            return False
        uses = -(-product.columns // tile.columns)
        stride = left.stride(left.free) * BYTES[product.sums.register]
        aliased = tile.rows > FEW and stride and stride % ALIAS == 0
        return uses <= FEW or (left.is_plain and not aliased)

    def reads_columns(self, right: Matrix, tile: Tile) -> bool:
        """Whether columns are read where they are: neighbours in the lanes of a vector."""
        product = self.product
        if right.load is None or right.stride(right.free) != 1:
            return False
        uses = -(-product.rows // tile.rows)
        size = product.depth * product.columns * BYTES[product.sums.register]
        return uses <= FEW or (right.is_plain and size <= NEAR)

    # Kernels

    def empty_sums(self) -> Draft:
        """Stores sums of nothing."""
        product, shop = self.product, self.shop()
        output = buffer_of(product.result, "y")
        index, loops = shop.dimensions(product.result.shape)
        body = product.store(
            output, shop.table.place(output, index), product.sums.zero(shop.table)
        )
        loops_ = shop.scheduler.elementwise(loops, body)
        return shop.draft(self.name, loops_, [(product.result, output)])

    def folds(self) -> Draft:
        """Each result by itself."""
        product, sums = self.product, self.product.sums
        shop = self.shop(product.lhs, product.rhs)
        output = buffer_of(product.result, "y")
        index, loops = shop.dimensions(product.result.shape)
        depth, steps = shop.dimensions(product.lhs.sizes(product.lhs.depth))
        batch, free = index[: len(product.batch)], index[len(product.batch) :]
        rows = len(product.lhs.free)
        left = product.lhs.factor(shop, sums, batch, free[:rows], depth)
        right = product.rhs.factor(shop, sums, batch, free[rows:], depth)

        def finish(value: Expression) -> Sequence[Statement]:
            return product.store(output, shop.table.place(output, index), value)

        value, start = sums.product(left, right), sums.zero(shop.table)
        reduction = Reduction(sums.add, sums.register, start, value, finish)
        body, own = shop.scheduler.reduction(loops, steps, reduction)
        for each in walk(body):
            if isinstance(each, Fold):
                each.fused = True
        return shop.draft(self.name, body, [(product.result, output)], own)

    def tiles(self, tile: Tile, reads_rows: bool, reads_columns: bool) -> list[Draft]:
        """Register tiles, and before them copies of operands that are not read where they are."""
        product, sums = self.product, self.product.sums
        result: list[Draft] = []
        made: list[tuple[Tensor | Scratch, Buffer]] = []
        read = [
            each
            for each, is_read in ((product.lhs, reads_rows), (product.rhs, reads_columns))
            if is_read
        ]
        shop = self.shop(*read)
        batch, outer = shop.dimensions(product.batch)
        row_tiles, first_row = tile.starts(shop.scheduler, product.rows, tile.rows)
        group, panel, number, first_column = self.column_tiles(shop, tile)
        if reads_rows:
            left = Matrix(shop, product.lhs, sums, batch).factor
        else:
            rows = Rows.of(product.lhs, sums)
            result.append(rows.draft(self.shop(product.lhs), f"{self.name}_lhs"))
            made.append((rows.scratch, rows.buffer))
            left = rows.reader(shop, batch)
        if reads_columns:
            columns = Matrix(shop, product.rhs, sums, batch)

            def right(column: Expression, step: Expression) -> Expression:
                return columns.factor(first_column + column, step)
        else:
            panels = Panels.of(product.rhs, sums, tile)
            result.append(panels.draft(self.shop(product.rhs), f"{self.name}_rhs"))
            made.append((panels.scratch, panels.buffer))
            right = panels.reader(shop, batch, number)
        kind = represented(product.result)
        output = Buffer("y", kind.storage, (*product.batch, product.rows, product.columns))
        nest = TileNest(shop.scheduler, tile, sums)
        step = shop.scheduler.index(product.depth)

        def finish(row: Expression, column: Expression, value: Expression) -> list[Statement]:
            index = (*batch, first_row + row, first_column + column)
            return product.store(output, shop.table.place(output, index), value)

        products = nest.step(
            lambda row: left(first_row + row, step), lambda column: right(column, step)
        )
        steps = nested([Dimension(step, product.depth)], products)
        body = [nest.cleared(), *steps, nest.finished(finish)]
        statements = shop.scheduler.parallel([*outer, group, row_tiles, panel], body)
        made.append((product.result, output))
        return [*result, shop.draft(self.name, statements, made, nest.own)]

    def column_tiles(
        self, shop: Workshop, tile: Tile
    ) -> tuple[Dimension, Dimension, Expression, Expression]:
        """Loops over groups of column tiles and over the tiles of one; their number and start."""
        product = self.product
        count = -(-product.columns // tile.columns)
        size = product.depth * tile.columns * BYTES[product.sums.register]
        most = max(1, min(GROUP // size, count))
        length = next(each for each in range(most, 0, -1) if count % each == 0)
        group = Dimension(shop.scheduler.index(count // length), count // length)
        panel = Dimension(shop.scheduler.index(length), length)
        number = group.index * length + panel.index
        first = shop.table.least(number * tile.columns, product.columns - tile.columns)
        return group, panel, number, first
