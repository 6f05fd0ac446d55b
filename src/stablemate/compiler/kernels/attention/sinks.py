"""The kernels of reductions and dots of a matrix that is computed from scores.

The matrix is computed in tiles and never in memory as a whole. A reduction over keys and a dot that
sums over keys take a block of queries and pass over the keys; a dot that sums over queries takes a
block of keys and passes over the queries. Source: Dao, "FlashAttention-2", 2023, algorithm 2, with
the three gradients apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.forward import (
    RegionElements,
    Strip,
    at_numbers,
    atom_of,
    operand_of,
    ranges_of,
    renamed,
)
from stablemate.compiler.kernels.attention.masked_blocks import may_contribute
from stablemate.compiler.kernels.attention.operation import ATTENTION_SINK, row_major_number
from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.kernels.attention.sink_form import ScoreDot, SinkForm
from stablemate.compiler.kernels.attention.tiling import (
    QUERIES,
    UNIT,
    KeyBlock,
    best_tile,
    blocks_of,
    key_blocks,
)
from stablemate.compiler.kernels.contraction.matrix_operands import Matrix, Operand, Panels
from stablemate.compiler.kernels.contraction.register_tiles import Tile, TileNest, nested
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Loop,
    Reduce,
    Statement,
    Store,
    When,
    substitute_expression,
)
from stablemate.compiler.lowering.elements import buffer_of
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.schedule import WIDE, Dimension, substitute_indices

COLUMNS: Final = 96  # keys of a block whose queries are passed over
STARTS: Final = {"maximum": -float("inf"), "fadd": -0.0}


def is_known(node: Node) -> bool:
    """Every node of this kind was made for these kernels."""
    return isinstance(node.operation.form, SinkForm)


@register_builder(ATTENTION_SINK, admits=is_known, inlines=True)
def attention_sink(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of a reduction or a dot of what is computed from scores."""
    kind = ColumnKernel if node.operation.form.kind == "columns" else RowKernel
    return kind(node, kept, machine, name).build_kernels()


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
    row: Operand
    column: Operand
    rows: Buffer
    values: Buffer

    @property
    def depth(self) -> int:
        """The features that are summed over."""
        return max(1, prod(self.row.sizes(self.dot.row.depth)))


class SinkKernel(ABC):
    """What both kinds of kernels have in common.

    Attributes:
        queries: The queries of the largest block.
        keys: The keys of the largest block.
    """

    def __init__(
        self, node: Node, kept: Container[Tensor], machine: Machine, name: str,
        queries: int, keys: int,
    ) -> None:  # fmt: skip
        self.node = node
        self.kept = kept
        self.machine = machine
        self.name = name
        self.form: SinkForm = node.operation.form
        form = self.form
        count = len(form.dots)
        self.pairs = [(node.operands[2 * i], node.operands[2 * i + 1]) for i in range(count)]
        more = 0 if form.kind == "reduce" else 1
        self.other = operand_of(node.operands[2 * count], form.other) if more else None
        self.leaves = node.operands[2 * count + more :]
        self.builder = KernelBuilder(self.inputs(), kept, machine)
        self.table, self.scheduler = self.builder.table, self.builder.scheduler
        first = form.dots[0]
        ends = (
            len(first.row.batch),
            len(first.row.batch) + len(first.row.free if first.row_first else first.column.free),
        )
        parts = [form.scores[: ends[0]], form.scores[ends[0] : ends[1]], form.scores[ends[1] :]]
        self.batch, self.outer = self.builder.dimensions(parts[0])
        left, left_loops = self.builder.dimensions(parts[1])
        right, right_loops = self.builder.dimensions(parts[2])
        pair = (left_loops, right_loops) if first.row_first else (right_loops, left_loops)
        self.row_loops, self.column_loops = pair
        self.number = row_major_number(self.table, [*self.batch, *left, *right], form.scores)
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

    @abstractmethod
    def inputs(self) -> list[Tensor]:
        """The operands that the kernel itself reads."""

    # Parts of kernels

    def stack(self, name: str, *shape: int) -> Buffer:
        """A buffer on the stack."""
        buffer = Buffer(name, self.form.sums.register, shape, "stack")
        self.local_buffers.append(buffer)
        return buffer

    def load(self, buffer: Buffer, *index: Expression) -> Expression:
        """An element of a buffer."""
        return self.table.load(buffer, index)

    def store(self, buffer: Buffer, value: Expression, *index: Expression) -> Store:
        """Stores an element of a buffer."""
        return Store(buffer, self.table.place(buffer, index), value)

    def strip_of(self, extent: int) -> Strip:
        """Vectors along an extent; the last one may repeat elements."""
        width = self.scheduler.vector_bytes // max(WIDE, BYTES[self.form.sums.register])
        while width > extent:
            width //= 2
        step, index, lane = self.scheduler.strip(extent, width)
        return Strip(step, index, lane)

    def filled(self, buffer: Buffer, value: float) -> list[Statement]:
        """Stores a number in all elements of a buffer."""
        strip = self.strip_of(buffer.elements)
        number = self.table.constant(value, buffer.type)
        return strip.around([Store(buffer, strip.index, number)])

    def at(self, row: Expression, column: Expression) -> dict[Expression, Expression]:
        """What stands for the indices of a score, given the numbers of its query and its key."""
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
            statements += self.copied(value, loops, tile.rows, first, count)
        return statements

    def copied(
        self, value: Expression, loops: Sequence[Dimension], into: Buffer, first: Expression,
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
        panel = Dimension(self.scheduler.index(count), count)
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

        body = nest.tile_loops(nested([Dimension(step, tile_of.depth)], products), finish)
        self.local_buffers += nest.local_buffers
        return nested([panel, row_tiles], body)

    def element(self) -> tuple[Expression, list[Expression]]:
        """An element of the matrix, and the indices of places from which it takes scores."""
        slots = [self.scheduler.index(tile.values.elements) for tile in self.tiles]
        values: dict[Tensor, Parts] = {}
        arguments = self.node.regions[0].arguments
        for tile, slot, argument in zip(self.tiles, slots, arguments, strict=True):
            value = self.table.load_at(tile.values, slot)
            values[argument] = (tile.dot.sums.rounded(value, argument),)
        matrix = self.node.regions[0].results[0]
        (part,) = self.region_elements(values).at(matrix, self.matrix_index)
        return part, [atom_of(slot) for slot in slots]

    @property
    def matrix_index(self) -> list[Expression]:
        """The index of an element of the matrix."""
        return self.form.matrix.index(self.table, self.number)

    def region_elements(self, values: Mapping[Tensor, Parts]) -> RegionElements:
        """The elements of the region, given those of its arguments."""
        exponentials = self.node.regions[0].results[1:]
        return RegionElements(self.table, self.builder.elements.buffers, values, *exponentials[:1])

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
        difference = self.difference()
        if difference is None:
            return body
        ranges = ranges_of(self.row_loops, first[0], extents[0])
        ranges |= ranges_of(self.column_loops, first[1], extents[1])
        lowest = self.table.load_at(self.lowest, self.table.sum(0, ()))
        condition = may_contribute(difference[0], ranges, lowest)
        return body if condition is None else [When(condition, body)]

    def difference(self) -> tuple[Expression, Expression] | None:
        """A logit, and the largest one of its row; None if exponentials are not known."""
        graph, layout = self.node.regions[0], self.form.exponentials
        if layout is None:
            return None
        zero = self.table.constant(0.0, self.form.sums.register)
        elements = self.region_elements(dict.fromkeys(graph.arguments, (zero,)))
        index = layout.index(self.table, self.number)
        (logit,), (largest,) = (elements.at(operand, index) for operand in graph.results[2:])
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
            Store(self.lowest, zero, start),
            Loop(row, count, "serial", [Reduce(self.lowest, zero, "minimum", value)]),
        ]

    def replaced(
        self, first: tuple[Expression, Expression], extents: tuple[int, int], into: Buffer | None
    ) -> list[Statement]:
        """Replaces the scores of a block by elements of the matrix, and reduces these by row.

        Args:
            first: The first query and the first key of the block.
            extents: How many there are.
            into: What rows are reduced into; None: they are not.
        """
        (first_row, first_column), (rows, keys) = first, extents
        element, slots = self.element()
        values = self.tiles[0].values
        row = self.scheduler.index(rows)
        begin = self.table.place(values, (row, self.table.sum(0, ())))
        operator = None if into is None else self.form.operator
        row_pass = RowPass(self.scheduler, values, keys, operator, "partial")

        def new(column: Expression) -> Expression:
            at = self.at(first_row + row, first_column + column)
            at |= dict.fromkeys(slots, begin + column)
            return substitute_expression(element, at, {})

        statements, registers = row_pass.loops(begin, new, (into or values, row))
        self.local_buffers += registers
        return [Loop(row, rows, "serial", statements)]

    def accumulated(
        self,
        tile: Tile,
        results: Buffer,
        extents: tuple[int, int],
        left: Callable[[Expression, Expression], Expression],
        right: Callable[[Expression, Expression, Expression], Expression],
    ) -> list[Statement]:
        """Adds products to results, in register tiles.

        Args:
            tile: The register tile.
            results: The sums: panel, row, column.
            extents: The rows of results, and the steps of the sum.
            left: The factor of a row at a step.
            right: The factor of a column of a panel at a step.
        """
        rows, depth = extents
        panels = results.shape[0]
        panel = Dimension(self.scheduler.index(panels), panels)
        row_tiles, row = tile.starts(self.scheduler, rows, tile.rows)
        assert rows % tile.rows == 0, "rows of results are in one tile each"
        sums = self.form.sums
        nest = TileNest(self.scheduler, tile, sums, Buffer("shelf", sums.register, (), "register"))
        step = self.scheduler.index(depth)
        products = nest.step(
            lambda r, _: left(row + r, step), lambda c: right(panel.index, step, c)
        )

        def begun(r: Expression, c: Expression) -> Statement:
            old = self.load(results, panel.index, row + r, c)
            return Store(nest.totals, nest.place(r, c), old)

        def stored(r: Expression, c: Expression) -> Statement:
            total = self.table.load_at(nest.totals, nest.place(r, c))
            return self.store(results, total, panel.index, row + r, c)

        def of_all(statement: Callable[[Expression, Expression], Statement]) -> Statement:
            return nest.over_rows(lambda r: [nest.over_columns(lambda c: [statement(r, c)])])

        body = [of_all(begun), *nested([Dimension(step, depth)], products), of_all(stored)]
        self.local_buffers += nest.local_buffers
        once = self.scheduler.index(1)
        return nested([panel, row_tiles], [Loop(once, 1, "serial", body, apart=True)])

    @property
    def features(self) -> int:
        """The features of the results of a dot."""
        assert self.other is not None
        return max(1, prod(self.other.sizes(self.form.other.free)))

    def result_tile(self, rows: int) -> Tile:
        """The register tile of results."""
        width = self.machine // max(WIDE, BYTES[self.form.sums.register])
        while width > self.features:
            width //= 2
        return best_tile(rows, self.features, width, self.machine, exact=False)

    def results_of(self, tile: Tile, rows: int) -> Buffer:
        """Sums for a block of rows: panel, row, column."""
        return self.stack("results", -(-self.features // tile.columns), rows, tile.columns)

    def finished(
        self, results: Buffer, tile: Tile, output: Buffer, loops: Sequence[Dimension],
        first: Expression,
    ) -> list[Statement]:  # fmt: skip
        """Stores the results of a block.

        Args:
            results: The sums.
            tile: The register tile.
            output: The buffer of the result.
            loops: The dimensions that the rows of results number.
            first: The number of the first one.
        """
        form, (result,) = self.form, self.node.results
        assert self.other is not None
        free, free_loops = self.builder.dimensions(self.other.sizes(form.other.free))
        matrix = form.matrix.index(self.table, self.number)
        batch, rows = ([matrix[d] for d in dims] for dims in (form.roles.batch, form.roles.free))
        index = [*batch, *free, *rows] if form.other_first else [*batch, *rows, *free]
        panels, count = results.shape[:2]
        row, strip = self.scheduler.index(count), self.strip_of(tile.columns)
        panel = self.scheduler.index(panels)
        start = self.table.least(panel * tile.columns, self.features - tile.columns)
        value = form.sums.rounded(self.load(results, panel, row, strip.index), result)
        stored = stores(self.table, result, output, index, (value,))
        at = at_numbers(loops, first + row) | at_numbers(free_loops, start + strip.index)
        body = strip.around(substitute_indices(stored, list(at.items())))
        return [Loop(row, count, "serial", nested([Dimension(panel, panels)], body))]


class RowKernel(SinkKernel):
    """A block of queries passes over all keys."""

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        form: SinkForm = node.operation.form
        row = node.operands[0]
        self.query_count = prod(row.shape[d] for d in form.dots[0].row.free)
        keys = prod(node.operands[1].shape[d] for d in form.dots[0].column.free)
        self.key_blocks = tuple(key_blocks(keys))
        block = min(QUERIES, self.query_count // UNIT * UNIT)
        super().__init__(node, kept, machine, name, block, max(b.extent for b in self.key_blocks))
        self.block = block
        count = -(-self.query_count // block)
        self.block_loop = Dimension(self.scheduler.index(count), count)
        last = self.query_count - block
        self.first_query = self.table.least(self.block_loop.index * block, last)

    def inputs(self) -> list[Tensor]:
        """The operands with queries, and what is read besides."""
        return [*(row for row, _ in self.pairs), *self.leaves]

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        self.copies: list[BuiltKernel] = []
        self.memory: list[tuple[Tensor | Scratch, Buffer]] = []
        panels = [
            self.packed(tile.column, tile.dot.sums.register, f"keys{i}", self.tile)
            for i, tile in enumerate(self.tiles)
        ]
        (result,) = self.node.results
        output = buffer_of(result, "y")
        copied = self.copied_rows(self.first_query, self.block)
        copied += self.lowest_of(self.first_query, self.block)
        body = self.dot(panels, output) if self.other else self.reduction(panels, output)
        statements = self.scheduler.parallel([*self.outer, self.block_loop], [*copied, *body])
        memory = [*self.memory, (result, output)]
        buffers = list(dict.fromkeys(self.local_buffers))
        return [
            *self.copies, self.builder.build_kernel(self.name, statements, memory, buffers)
        ]  # fmt: skip

    def packed(self, operand: Operand, register: str, name: str, tile: Tile) -> Buffer:
        """The panels of an operand, which a kernel before this one copies."""
        panels = Panels.of(operand, self.form.sums, tile)
        builder = KernelBuilder([operand.tensor], self.kept, self.machine)
        self.copies.append(panels.build_kernel(builder, f"{self.name}_{name}"))
        buffer = renamed(panels.buffer, name)
        assert buffer.type == register
        self.memory.append((panels.scratch, buffer))
        return buffer

    def over_keys(
        self, panels: Sequence[Buffer], into: Buffer | None,
        use: Callable[[KeyBlock, Expression], list[Statement]],
    ) -> list[Statement]:  # fmt: skip
        """The loops over blocks of keys: the matrix of a block, and what is done with it."""
        statements: list[Statement] = []
        for block in self.key_blocks:
            number = self.scheduler.index(block.count)
            first = number * block.extent + block.begin
            body: list[Statement] = []
            for tile, panel in zip(self.tiles, panels, strict=True):
                body += self.block_products(tile, panel, block, first)
            body += self.replaced((self.first_query, first), (self.block, block.extent), into)
            body = self.when_visible(
                [*body, *use(block, first)], (self.first_query, first), (self.block, block.extent)
            )
            statements += nested([Dimension(number, block.count)], body)
        return statements

    def block_products(
        self, tile: TileOf, panels: Buffer, block: KeyBlock, first: Expression
    ) -> list[Statement]:
        """The results of a dot for a block of keys."""
        batch, _, _ = self.sides_of(tile.dot)
        number = self.table.quotient(first, self.tile.columns)

        def column(panel: Expression, step: Expression, c: Expression) -> Expression:
            return self.load(panels, *batch, number + panel, step, c)

        return self.products(tile, self.block, block.extent, column)

    def reduction(self, panels: Sequence[Buffer], output: Buffer) -> list[Statement]:
        """Reduces each row of the matrix."""
        (result,) = self.node.results
        totals = self.stack("totals", self.block)
        row = self.scheduler.index(self.block)
        matrix = self.form.matrix.index(self.table, self.number)
        index = [matrix[d] for d in self.form.roles.free]
        stored = stores(self.table, result, output, index, (self.load(totals, row),))
        at = at_numbers(self.row_loops, self.first_query + row)
        return [
            *self.filled(totals, STARTS[self.form.operator]),
            *self.over_keys(panels, totals, lambda _block, _first: []),
            Loop(row, self.block, "serial", substitute_indices(stored, list(at.items()))),
        ]

    def dot(self, panels: Sequence[Buffer], output: Buffer) -> list[Statement]:
        """Adds up rows of the other operand, times elements of the matrix."""
        assert self.other is not None
        tile = self.result_tile(self.block)
        others = self.packed(self.other, self.form.sums.register, "others", tile)
        results = self.results_of(tile, self.block)
        matrix = self.form.matrix.index(self.table, self.number)
        batch = [matrix[d] for d in self.form.roles.batch]
        values = self.tiles[0].values

        def use(block: KeyBlock, first: Expression) -> list[Statement]:
            return self.accumulated(
                tile, results, (self.block, block.extent),
                lambda row, step: self.load(values, row, step),
                lambda panel, step, c: self.load(others, *batch, panel, first + step, c),
            )  # fmt: skip

        return [
            *self.filled(results, -0.0),
            *self.over_keys(panels, None, use),
            *self.finished(results, tile, output, self.row_loops, self.first_query),
        ]


class ColumnKernel(SinkKernel):
    """All queries pass over a block of keys."""

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        form: SinkForm = node.operation.form
        self.key_count = prod(node.operands[1].shape[d] for d in form.dots[0].column.free)
        queries = prod(node.operands[0].shape[d] for d in form.dots[0].row.free)
        self.query_blocks = tuple(blocks_of(queries, QUERIES, UNIT))
        self.block = min(COLUMNS, self.key_count // 32 * 32)
        most = max(block.extent for block in self.query_blocks)
        super().__init__(node, kept, machine, name, most, self.block)
        count = -(-self.key_count // self.block)
        self.block_loop = Dimension(self.scheduler.index(count), count)
        last = self.key_count - self.block
        self.first_key = self.table.least(self.block_loop.index * self.block, last)

    def inputs(self) -> list[Tensor]:
        """All operands."""
        return list(self.node.operands)

    def build_kernels(self) -> list[BuiltKernel]:
        """The kernel."""
        assert self.other is not None
        (result,) = self.node.results
        output = buffer_of(result, "y")
        tile = self.result_tile(self.block)
        results = self.results_of(tile, self.block)
        most = max(block.extent for block in self.query_blocks)
        others = self.stack("others", most, self.features)
        panels = [self.copied_panels(each, i) for i, each in enumerate(self.tiles)]
        body = [statement for _, copies in panels for statement in copies]
        body += self.filled(results, -0.0)
        for block in self.query_blocks:
            body += self.over_queries(block, [p for p, _ in panels], tile, results, others)
        body += self.finished(results, tile, output, self.column_loops, self.first_key)
        statements = self.scheduler.parallel([*self.outer, self.block_loop], body)
        buffers = list(dict.fromkeys(self.local_buffers))
        return [
            self.builder.build_kernel(self.name, statements, [(result, output)], buffers)
        ]  # fmt: skip

    def copied_panels(self, tile: TileOf, number: int) -> tuple[Buffer, list[Statement]]:
        """The panels of the keys of a block on the stack, and what copies them."""
        count = self.block // self.tile.columns
        panels = Panels.among(tile.column, tile.dot.sums, self.tile, (count,), "stack")
        buffer = renamed(panels.buffer, f"keys{number}")
        panels = Panels(panels.operand, panels.sums, panels.tile, buffer, panels.scratch)
        self.local_buffers.append(buffer)
        batch, _, _ = self.sides_of(tile.dot)
        panel = self.scheduler.index(count)
        matrix = Matrix(self.builder, tile.column, tile.dot.sums, batch)
        first = self.first_key + panel * self.tile.columns
        steps, copied = panels.copies(self.builder, matrix, (panel,), first)
        return buffer, nested([Dimension(panel, count), *steps], copied)

    def over_queries(
        self, block: KeyBlock, panels: Sequence[Buffer], tile: Tile, results: Buffer,
        others: Buffer,
    ) -> list[Statement]:  # fmt: skip
        """The loop over blocks of queries of one extent."""
        assert self.other is not None
        number = self.scheduler.index(block.count)
        first = number * block.extent + block.begin
        body = self.copied_rows(first, block.extent)
        for each, panel in zip(self.tiles, panels, strict=True):
            body += self.products(each, block.extent, self.block, partial(self.load, panel))
        matrix = self.form.matrix.index(self.table, self.number)
        batch, rows = (
            [matrix[d] for d in dims] for dims in (self.form.roles.batch, self.form.roles.depth)
        )
        along, loops = self.builder.dimensions(self.other.sizes(self.form.other.free))
        value = self.other.factor(self.builder, self.form.sums, batch, along, rows)
        body += self.copied(value, loops, others, first, block.extent)
        body += self.replaced((first, self.first_key), (block.extent, self.block), None)
        values = self.tiles[0].values
        body += self.accumulated(
            tile, results, (self.block, block.extent),
            lambda row, step: self.load(values, step, row),
            lambda panel, step, c: self.load(others, step, self.column_of(tile, panel) + c),
        )  # fmt: skip
        body = self.when_visible(body, (first, self.first_key), (block.extent, self.block))
        body = [*self.lowest_of(first, block.extent), *body]
        return nested([Dimension(number, block.count)], body)

    def column_of(self, tile: Tile, panel: Expression) -> Expression:
        """The first feature of a panel of results."""
        return self.table.least(panel * tile.columns, self.features - tile.columns)
