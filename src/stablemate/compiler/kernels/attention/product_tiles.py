"""Sums of dots of matrices of scores, in register tiles, and the results of these dots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import prod

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.attention.gradient_forms import ScoreMatrixProduct
from stablemate.compiler.kernels.attention.numbering import at_numbers
from stablemate.compiler.kernels.attention.score_tiles import ScoreKernel
from stablemate.compiler.kernels.contraction.matrix_operands import ContractionOperand
from stablemate.compiler.kernels.contraction.register_tiles import Tile, TileNest, nest_loops
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices
from stablemate.deferred_dataclasses import dataclass

Place = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ScoreProduct:
    """A dot that the kernel computes.

    Attributes:
        form: Its parameters.
        result: Its result.
        other: The operand that is no matrix of scores.
        tile: The register tile of results.
        matrix: A block of the matrix.
        others: The other operand's part for a block: keys in panels, or rows of queries.
        sums: The results: those of a block of keys, or of a group.
    """

    form: ScoreMatrixProduct
    result: Tensor
    other: ContractionOperand
    tile: Tile
    matrix: Buffer
    others: Buffer
    sums: Buffer

    @property
    def features(self) -> int:
        """The features of the result."""
        return features_of(self.other)


def features_of(other: ContractionOperand) -> int:
    """The features of an operand."""
    return max(1, prod(other.sizes(other.free)))


class ScoreProductKernel(ScoreKernel):
    """Adds to the results of dots, and stores them; the base of the kernel of gradients."""

    def matrix_indices(
        self, form: ScoreMatrixProduct, dimensions: Sequence[int]
    ) -> tuple[list[Expression], list[Expression]]:
        """The indices of the batch and of other dimensions of a matrix."""
        index = form.matrix.index(self.table, self.number)
        return [index[d] for d in form.roles.batch], [index[d] for d in dimensions]

    def first_feature(self, product: ScoreProduct, panel: Expression) -> Expression:
        """The first feature of a panel of results."""
        columns = product.tile.columns
        return self.table.least(panel * columns, product.features - columns)

    def accumulate_products(
        self,
        product: ScoreProduct,
        extents: tuple[int, int],
        place: Place,
        left: Callable[[Expression, Expression], Expression],
        right: Callable[[Expression, Expression, Expression], Expression],
    ) -> list[Statement]:
        """Adds products to sums, in register tiles that do not overlap.

        Args:
            product: The dot.
            extents: The rows of results, and the steps of the sum.
            place: The leading indices of the sums, and their first row; empty: there are none.
            left: The factor of a row at a step.
            right: The factor of a column of a panel at a step.
        """
        rows, size = extents[0], product.tile.rows
        *leading, begin = place or (self.table.sum(0, ()),)
        statements: list[Statement] = []
        for first, count, tile in (
            (0, rows // size, product.tile),
            (rows - rows % size, 1, replace(product.tile, rows=rows % size)),
        ):
            if not tile.rows or not count:
                continue
            number, panels = self.scheduler.index(count), product.sums.shape[-3]
            panel, row = self.scheduler.index(panels), number * tile.rows + first
            lead = (*leading, panel, begin + row)
            body = self.accumulated_tile(
                product, tile, lead, row, extents[1], left, partial(right, panel)
            )
            statements += nest_loops(
                [LoopDimension(panel, panels), LoopDimension(number, count)], body
            )
        return statements

    def accumulated_tile(
        self,
        product: ScoreProduct,
        tile: Tile,
        place: Place,
        row: Expression,
        steps: int,
        left: Callable[[Expression, Expression], Expression],
        right: Callable[[Expression, Expression], Expression],
    ) -> list[Statement]:
        """Adds products to the sums of one register tile.

        Args:
            product: The dot.
            tile: The register tile.
            place: The indices of the first row of sums.
            row: The first row.
            steps: The steps of the sum.
            left: The factor of a row at a step.
            right: The factor of a column at a step.
        """
        sums = product.form.sums
        nest = TileNest(self.scheduler, tile, sums, Buffer("shelf", sums.register, (), "register"))
        step = self.scheduler.index(steps)
        products = nest.step(lambda r, _: left(row + r, step), partial(right, step))
        *leading, first = place

        def begin(r: Expression, c: Expression) -> Statement:
            old = self.load(product.sums, *leading, first + r, c)
            return StoreElement(nest.totals, nest.place(r, c), old)

        def store_total(r: Expression, c: Expression) -> Statement:
            total = self.table.load_at(nest.totals, nest.place(r, c))
            return self.store(product.sums, total, *leading, first + r, c)

        def of_all(statement: Callable[[Expression, Expression], Statement]) -> Statement:
            return nest.over_rows(lambda r: [nest.over_columns(lambda c: [statement(r, c)])])

        body = [
            of_all(begin),
            *nest_loops([LoopDimension(step, steps)], products),
            of_all(store_total),
        ]
        self.local_buffers += nest.local_buffers
        once = self.scheduler.index(1)
        return [Loop(once, 1, "serial", body, apart=True)]

    def store_results(
        self,
        product: ScoreProduct,
        output: Buffer,
        total: Callable[[Expression, Expression, Expression], Expression],
        rows: tuple[Expression, int],
        loops: Sequence[LoopDimension],
    ) -> list[Statement]:
        """Stores the results of a block.

        Args:
            product: The dot.
            output: The buffer of the result.
            total: A sum, given its panel, its row in the block and its column.
            rows: The number of the first row, and how many there are.
            loops: The dimensions that rows number.
        """
        form, tile, (first, count) = product.form, product.tile, rows
        free, free_loops = self.builder.dimensions(product.other.sizes(form.other.free))
        batch, row_index = self.matrix_indices(form, form.roles.free)
        index = [*batch, *free, *row_index] if form.other_first else [*batch, *row_index, *free]
        panels = product.sums.shape[-3]
        row, panel = self.scheduler.index(count), self.scheduler.index(panels)
        strip = self.strip_of(tile.columns)
        feature = self.first_feature(product, panel) + strip.index
        value = form.sums.round_sum(total(panel, row, strip.index), product.result)
        stored = stores(self.table, product.result, output, index, (value,))
        at = at_numbers(loops, first + row) | at_numbers(free_loops, feature)
        body = strip.around(substitute_indices(stored, list(at.items())))
        return [Loop(row, count, "serial", nest_loops([LoopDimension(panel, panels)], body))]
