"""Tiles of matrices that are computed from scores: what the kernels of gradients share."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from math import prod

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import ScoreDot, ScoreForm
from stablemate.compiler.kernels.attention.masked_blocks import may_contribute
from stablemate.compiler.kernels.attention.numbering import (
    Strip,
    at_numbers,
    atom_of,
    operand_of,
    ranges_of,
)
from stablemate.compiler.kernels.attention.operation import DimensionMap, row_major_number
from stablemate.compiler.kernels.attention.region_elements import RegionElements
from stablemate.compiler.kernels.attention.tiling import (
    UNIT,
    best_tile,
)
from stablemate.compiler.kernels.contraction.matrix_operands import ContractionOperand
from stablemate.compiler.kernels.contraction.register_tiles import TileNest, nest_loops
from stablemate.compiler.kernels.kernel_builder import (
    KernelBuilder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Fold,
    Loop,
    Statement,
    StoreElement,
    When,
    substitute_expression,
)
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TileOf:
    """A dot whose tiles a kernel computes.

    Attributes:
        dot: The dot.
        row: The operand with queries.
        column: The operand with keys.
        rows: The features of a block of queries, on the stack.
        values: The results for a block.
    """

    dot: ScoreDot
    row: ContractionOperand
    column: ContractionOperand
    rows: Buffer
    values: Buffer

    @property
    def depth(self) -> int:
        """The features that are summed over."""
        return max(1, prod(self.row.sizes(self.dot.row.depth)))


class ScoreKernel:
    """Computes tiles of matrices from scores; the base of the kernels that use them."""

    def __init__(
        self, node: Node, scores: ScoreForm, inputs: Sequence[Tensor], kept: Container[Tensor],
        machine: Machine, name: str, queries: int, keys: int,
    ) -> None:  # fmt: skip
        """Prepares the kernel of a node.

        Args:
            node: The node; its first operands are those of the dots.
            scores: The dots.
            inputs: The operands that the kernel itself reads.
            kept: The values in memory.
            machine: The machine.
            name: What the kernel is called.
            queries: The queries of the largest block.
            keys: The keys of the largest block.
        """
        self.node = node
        self.kept = kept
        self.machine = machine
        self.name = name
        self.form = scores
        form = self.form
        count = len(form.dots)
        self.pairs = [(node.operands[2 * i], node.operands[2 * i + 1]) for i in range(count)]
        self.builder = KernelBuilder(inputs, kept, machine)
        self.table, self.scheduler = self.builder.table, self.builder.scheduler
        first = form.dots[0]
        ends = (
            len(first.row.batch),
            len(first.row.batch) + len(first.row.free if first.row_first else first.column.free),
        )
        parts = [form.shape[: ends[0]], form.shape[ends[0] : ends[1]], form.shape[ends[1] :]]
        self.batch, self.outer = self.builder.dimensions(parts[0])
        left, left_loops = self.builder.dimensions(parts[1])
        right, right_loops = self.builder.dimensions(parts[2])
        pair = (left_loops, right_loops) if first.row_first else (right_loops, left_loops)
        self.row_loops, self.column_loops = pair
        self.number = row_major_number(self.table, [*self.batch, *left, *right], form.shape)
        self.local_buffers: list[Buffer] = []
        self.lowest = self.stack("lowest", 1)
        self.tiles: list[TileOf] = []
        for i, (dot, (row, column)) in enumerate(zip(form.dots, self.pairs, strict=True)):
            depth = max(1, prod(row.shape[d] for d in dot.row.depth))
            rows = self.stack(f"queries{i}", queries, depth)
            values = self.stack(f"scores{i}", queries, keys)
            operands = operand_of(row, dot.row), operand_of(column, dot.column)
            self.tiles.append(TileOf(dot, *operands, rows, values))
        self.tile = best_tile(
            UNIT, keys // 32 * 32, machine // max(WIDE, BYTES[form.sums.register]),
            machine, exact=True,
        )  # fmt: skip

    # Parts of kernels

    def stack(self, name: str, *shape: int) -> Buffer:
        """A buffer on the stack."""
        buffer = Buffer(name, self.form.sums.register, shape, "stack")
        self.local_buffers.append(buffer)
        return buffer

    def load(self, buffer: Buffer, *index: Expression) -> Expression:
        """An element of a buffer."""
        return self.table.load(buffer, index)

    def store(self, buffer: Buffer, value: Expression, *index: Expression) -> StoreElement:
        """Stores an element of a buffer."""
        return StoreElement(buffer, self.table.place(buffer, index), value)

    def strip_of(self, extent: int) -> Strip:
        """Vectors along an extent; the last one may repeat elements."""
        width = self.scheduler.vector_bytes // max(WIDE, BYTES[self.form.sums.register])
        while width > extent:
            width //= 2
        step, index, lane = self.scheduler.strip(extent, width)
        return Strip(step, index, lane)

    def fill_buffer(self, buffer: Buffer, value: float) -> list[Statement]:
        """Stores a number in all elements of a buffer."""
        strip = self.strip_of(buffer.elements)
        number = self.table.constant(value, buffer.type)
        return strip.around([StoreElement(buffer, strip.index, number)])

    def at(self, row: Expression, column: Expression) -> dict[Expression, Expression]:
        """Substitutes the indices of a score, given the numbers of its query and its key."""
        return at_numbers(self.row_loops, row) | at_numbers(self.column_loops, column)

    def sides_of(
        self, dot: ScoreDot
    ) -> tuple[Sequence[Expression], Sequence[Expression], Sequence[Expression]]:
        """The indices of the batch, of queries and of keys in the result of a dot."""
        index = dot.layout.index(self.table, self.number)
        batch, count = len(dot.row.batch), len((dot.row if dot.row_first else dot.column).free)
        first, second = index[batch : batch + count], index[batch + count :]
        rows, columns = (first, second) if dot.row_first else (second, first)
        return index[:batch], rows, columns

    def copied_rows(self, first: Expression, count: int) -> list[Statement]:
        """Copies the features of a block of queries, for each dot."""
        statements: list[Statement] = []
        for tile in self.tiles:
            batch, rows, _ = self.sides_of(tile.dot)
            along, loops = self.builder.dimensions(tile.row.sizes(tile.dot.row.depth))
            value = tile.row.factor(self.builder, tile.dot.sums, batch, rows, along)
            statements += self.copy_rows(value, loops, tile.rows, first, count)
        return statements

    def copy_rows(
        self, value: Expression, loops: Sequence[LoopDimension], into: Buffer, first: Expression,
        count: int,
    ) -> list[Statement]:  # fmt: skip
        """Copies what an operand has for a block of queries: a row for each.

        Args:
            value: An element of the operand.
            loops: The dimensions along a row.
            into: The rows.
            first: The first query.
            count: How many there are.
        """
        row, strip = self.scheduler.index(count), self.strip_of(into.shape[-1])
        at = at_numbers(self.row_loops, first + row) | at_numbers(loops, strip.index)
        store = self.store(into, substitute_expression(value, at, {}), row, strip.index)
        return [Loop(row, count, "serial", strip.around([store]))]

    def products(
        self,
        tile_of: TileOf,
        rows: int,
        keys: int,
        column: Callable[[Expression, Expression, Expression], Expression],
    ) -> list[Statement]:
        """The results of a dot for a block, in register tiles.

        Args:
            tile_of: The dot.
            rows: The queries of the block.
            keys: Its keys.
            column: An operand's element, given the number of a panel in the block, a step and a
                column of the panel.
        """
        tile, sums, table = self.tile, tile_of.dot.sums, self.table
        count = -(-keys // tile.columns)
        panel = LoopDimension(self.scheduler.index(count), count)
        row_tiles, row = tile.starts(self.scheduler, rows, tile.rows)
        first = table.least(panel.index * tile.columns, keys - tile.columns)
        nest = TileNest(self.scheduler, tile, sums, Buffer("shelf", sums.register, (), "register"))
        step = self.scheduler.index(tile_of.depth)
        products = nest.step(
            lambda r, _: self.load(tile_of.rows, row + r, step),
            lambda c: column(panel.index, step, c),
        )

        def finish(r: Expression, c: Expression, value: Expression) -> list[Statement]:
            return [self.store(tile_of.values, value, row + r, first + c)]

        body = nest.tile_loops(nest_loops([LoopDimension(step, tile_of.depth)], products), finish)
        self.local_buffers += nest.local_buffers
        return nest_loops([panel, row_tiles], body)

    def element(self, number: int, matrix: DimensionMap) -> tuple[Expression, list[Expression]]:
        """An element of a matrix, and the indices of places from which it takes scores.

        Args:
            number: Which result of the region the matrix is.
            matrix: Its layout in the scores.
        """
        slots = [self.scheduler.index(tile.values.elements) for tile in self.tiles]
        values: dict[Tensor, Parts] = {}
        graph = self.node.regions[0]
        for tile, slot, argument in zip(self.tiles, slots, graph.arguments, strict=True):
            value = self.table.load_at(tile.values, slot)
            values[argument] = (tile.dot.sums.round_sum(value, argument),)
        index = matrix.index(self.table, self.number)
        (part,) = self.region_elements(values).at(graph.results[number], index)
        return part, [atom_of(slot) for slot in slots]

    def element_at(
        self,
        number: int,
        matrix: DimensionMap,
        first: tuple[Expression, Expression],
        row: Expression,
    ) -> Callable[[Expression], Expression]:
        """Returns a function that gives the elements of a row of a matrix in a block.

        Args:
            number: Which result of the region the matrix is.
            matrix: Its layout in the scores.
            first: The first query and the first key of the block.
            row: The row, in the block.
        """
        element, slots = self.element(number, matrix)
        begin = self.table.place(self.tiles[0].values, (row, self.table.sum(0, ())))

        def at(column: Expression) -> Expression:
            indices = self.at(first[0] + row, first[1] + column)
            indices |= dict.fromkeys(slots, begin + column)
            return substitute_expression(element, indices, {})

        return at

    @property
    def matrix_count(self) -> int:
        """How many results of the region are matrices that the operation uses."""
        exponentials = 0 if self.form.exponentials is None else 3
        return len(self.node.regions[0].results) - exponentials

    def region_elements(self, values: Mapping[Tensor, Parts]) -> RegionElements:
        """The elements of the region, given those of its arguments."""
        (exponentials, *_) = (*self.node.regions[0].results[self.matrix_count :], None)
        totals = [self.node.operands[-number] for number in self.form.totals]
        buffers = self.builder.elements.buffers
        return RegionElements(self.table, buffers, values, exponentials, totals)

    def when_visible(
        self, body: list[Statement], first: tuple[Expression, Expression],
        extents: tuple[int, int],
    ) -> list[Statement]:  # fmt: skip
        """Statements that are left out for blocks in which all exponentials are zero.

        Args:
            body: The statements of a block.
            first: The first query and the first key.
            extents: How many there are.
        """
        condition = self.visibility(first, extents)
        return body if condition is None else [When(condition, body)]

    def visibility(
        self, first: tuple[Expression, Expression], extents: tuple[int, int]
    ) -> Expression | None:
        """Whether an exponential of a block may be another number than zero; None: it may.

        Args:
            first: The first query and the first key.
            extents: How many there are.
        """
        difference = self.difference()
        if difference is None:
            return None
        ranges = ranges_of(self.row_loops, first[0], extents[0])
        ranges |= ranges_of(self.column_loops, first[1], extents[1])
        lowest = self.table.load_at(self.lowest, self.table.sum(0, ()))
        return may_contribute(difference[0], ranges, lowest)

    def difference(self) -> tuple[Expression, Expression] | None:
        """A logit, and the largest one of its row; None if exponentials are not known."""
        graph, layout = self.node.regions[0], self.form.exponentials
        if layout is None:
            return None
        zero = self.table.constant(0.0, self.form.sums.register)
        elements = self.region_elements(dict.fromkeys(graph.arguments, (zero,)))
        index = layout.index(self.table, self.number)
        (logit,), (largest,) = (elements.at(operand, index) for operand in graph.results[-2:])
        return logit, largest

    def lowest_of(self, first: Expression, count: int) -> list[Statement]:
        """The least of the largest logits of a block of queries."""
        difference = self.difference()
        if difference is None:
            return []
        row, zero = self.scheduler.index(count), self.table.sum(0, ())
        at = self.at(first + row, zero)
        value = substitute_expression(difference[1], at, {})
        start = self.table.constant(float("inf"), self.lowest.type)
        return [
            StoreElement(self.lowest, zero, start),
            Loop(row, count, "serial", [Fold(self.lowest, zero, "minimum", value)]),
        ]
