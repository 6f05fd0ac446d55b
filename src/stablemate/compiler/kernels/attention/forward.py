"""The kernel of attention: blocks of queries pass over blocks of keys.

For each query the largest score, the sum of exponentials and the sum of values that they weight are
kept. A block of keys changes the first, and the others are multiplied by the exponential of the
difference (online softmax). Source: Milakov, Gimelshein, "Online normalizer calculation for
softmax", 2018; Dao, "FlashAttention-2", 2023, algorithm 1.

Keys and values are copied to panels before; the queries of a block are copied to the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial
from math import prod

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.masked_blocks import may_be_masked, may_contribute
from stablemate.compiler.kernels.attention.numbering import (
    Strip,
    at_numbers,
    atom_of,
    operand_of,
    ranges_of,
    rename_memory,
    size_of,
)
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION,
    AttentionForm,
    row_major_number,
)
from stablemate.compiler.kernels.attention.region_elements import RegionElements
from stablemate.compiler.kernels.attention.running_softmax import RunningSoftmax
from stablemate.compiler.kernels.attention.tiling import KeyBlock, Tiling, tiling_of
from stablemate.compiler.kernels.contraction.matrix_operands import (
    Panels,
)
from stablemate.compiler.kernels.contraction.register_tiles import TileNest, nest_loops
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
    Statement,
    StoreElement,
    When,
    substitute_expression,
)
from stablemate.compiler.lowering.elements import buffer_of
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension, substitute_indices

INFINITY = float("inf")


def is_known(node: Node) -> bool:
    """Every node of this kind was made for this kernel."""
    return isinstance(node.operation.form, AttentionForm)


@register_builder(ATTENTION, admits=is_known, inlines=True)
def attention(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of attention: two that copy keys and values, and the one that computes."""
    return AttentionKernel(node, kept, machine, name).build_kernels()


class AttentionKernel:
    """Builds the kernels of one node.

    Attributes:
        batch: The index of the batch, in the dimensions of the first dot.
    """

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        self.node = node
        self.kept = kept
        self.machine = machine
        self.name = name
        self.form: AttentionForm = node.operation.form
        form = self.form
        self.query = operand_of(node.operands[0], form.query)
        self.key = operand_of(node.operands[1], form.key)
        self.value = operand_of(node.operands[2], form.value)
        self.builder = KernelBuilder([self.query.tensor, *node.operands[3:]], kept, machine)
        self.table = self.builder.table
        self.scheduler = self.builder.scheduler
        self.batch, self.outer = self.builder.dimensions(self.query.sizes(form.query.batch))
        rows, self.row_loops = self.builder.dimensions(self.query.sizes(form.query.free))
        columns, self.column_loops = self.builder.dimensions(self.key.sizes(form.key.free))
        pair = (rows, columns) if form.query_first else (columns, rows)
        self.number = row_major_number(self.table, [*self.batch, *pair[0], *pair[1]], form.scores)
        loops = [*self.row_loops, *self.column_loops]
        self.tiling: Tiling = tiling_of(
            size_of(self.row_loops), size_of(self.column_loops), self.features,
            form.sums.register, machine,
            masked=may_be_masked(self.logits(self.constant(0.0)), loops),
        )  # fmt: skip
        self.local_buffers: list[Buffer] = []
        block = self.tiling.queries
        self.queries = self.stack("queries", block, self.depth)
        self.scores = self.stack("scores", block, self.tiling.most_keys)
        tile = self.tiling.results
        self.panels = -(-self.features // tile.columns)
        self.results = self.stack("results", self.panels, block, tile.columns)
        self.softmax = RunningSoftmax.of(self.scheduler, self.scores, form.sums.register)
        block_loop = LoopDimension(
            self.scheduler.index(-(-self.query_count // block)), -(-self.query_count // block)
        )
        self.block_loop = block_loop
        self.first_query = self.table.least(block_loop.index * block, self.query_count - block)

    # Sizes

    @property
    def query_count(self) -> int:
        """How many queries a batch has."""
        return size_of(self.row_loops)

    @property
    def depth(self) -> int:
        """The features of queries and keys."""
        return max(1, prod(self.query.sizes(self.form.query.depth)))

    @property
    def features(self) -> int:
        """The features of values and results."""
        return max(1, prod(self.value.sizes(self.form.value.free)))

    def stack(self, name: str, *shape: int) -> Buffer:
        """A buffer on the stack."""
        buffer = Buffer(name, self.form.sums.register, shape, "stack")
        self.local_buffers.append(buffer)
        return buffer

    def strip_of(self, extent: int) -> Strip:
        """Vectors along an extent; the last one may repeat elements."""
        width = self.scheduler.vector_bytes // max(WIDE, BYTES[self.form.sums.register])
        while width > extent:
            width //= 2
        step, index, lane = self.scheduler.strip(extent, width)
        return Strip(step, index, lane)

    def load(self, buffer: Buffer, *index: Expression) -> Expression:
        """An element of a buffer."""
        return self.table.load(buffer, index)

    def store(self, buffer: Buffer, value: Expression, *index: Expression) -> StoreElement:
        """Stores an element of a buffer."""
        return StoreElement(buffer, self.table.place(buffer, index), value)

    def constant(self, value: float) -> Expression:
        """A number of the type of scores."""
        return self.table.constant(value, self.form.sums.register)

    # Kernels

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        form, tiling = self.form, self.tiling
        self.keys = Panels.of(self.key, form.sums, tiling.products)
        self.values = Panels.of(self.value, form.value_sums, tiling.results)
        self.key_buffer = rename_memory(self.keys.buffer, "keys")
        self.value_buffer = rename_memory(self.values.buffer, "values")
        copies = [
            panels.build_kernel(
                KernelBuilder([operand.tensor], self.kept, self.machine), f"{self.name}_{suffix}"
            )
            for panels, operand, suffix in (
                (self.keys, self.key, "keys"), (self.values, self.value, "values"),
            )
        ]  # fmt: skip
        result, *statistics = self.node.results
        output = buffer_of(result, "y")
        outputs = [buffer_of(tensor, f"s{i}") for i, tensor in enumerate(statistics)]
        body = [
            *self.copied_queries(),
            *self.clear_state(),
            *(s for block in tiling.keys for s in self.key_blocks(block)),
            *self.store_results(output),
            *self.stored_statistics(outputs),
        ]
        statements = self.scheduler.parallel([*self.outer, self.block_loop], body)
        memory: list[tuple[Tensor | Scratch, Buffer]] = [
            (self.keys.scratch, self.key_buffer),
            (self.values.scratch, self.value_buffer),
            (result, output),
            *zip(statistics, outputs, strict=True),
        ]
        local_buffers = list(dict.fromkeys([*self.local_buffers, *self.softmax.local_buffers]))
        return [
            *copies, self.builder.build_kernel(self.name, statements, memory, local_buffers)
        ]  # fmt: skip

    # Before and after the loops over keys

    def copied_queries(self) -> list[Statement]:
        """Copies the queries of a block."""
        free, rows = self.builder.dimensions(self.query.sizes(self.form.query.free))
        depth, steps = self.builder.dimensions(self.query.sizes(self.form.query.depth))
        value = self.query.factor(self.builder, self.form.sums, self.batch, free, depth)
        row, step = self.scheduler.index(self.tiling.queries), self.strip_of(self.depth)
        at = at_numbers(rows, self.first_query + row) | at_numbers(steps, step.index)
        store = self.store(self.queries, substitute_expression(value, at, {}), row, step.index)
        return [Loop(row, self.tiling.queries, "serial", step.around([store]))]

    def clear_state(self) -> list[Statement]:
        """The state before the first key."""
        strip = self.strip_of(self.results.elements)
        store = StoreElement(self.results, strip.index, self.constant(-0.0))
        return [*self.softmax.clear_state(), *strip.around([store])]

    def store_results(self, output: Buffer) -> list[Statement]:
        """Stores the results of a block."""
        form, tile, result = self.form, self.tiling.results, self.node.results[0]
        free, loops = self.builder.dimensions(self.value.sizes(form.value.free))
        weighted = form.weighted.index(self.table, self.number)
        roles = form.weighted_roles
        batch, rows = ([weighted[d] for d in dims] for dims in (roles.batch, roles.free))
        parts = (free, rows) if form.value_first else (rows, free)
        number = row_major_number(self.table, [*batch, *parts[0], *parts[1]], form.product)
        index = form.result.index(self.table, number)
        row = self.scheduler.index(self.tiling.queries)
        panel, lane = self.scheduler.index(self.panels), self.scheduler.index(tile.columns)
        first = self.table.least(panel * tile.columns, self.features - tile.columns)
        total = self.load(self.results, panel, row, lane) / self.load(self.softmax.totals, row)
        if form.is_guarded:
            zero = self.constant(0.0)
            is_empty = self.table.apply("feq", self.load(self.softmax.totals, row), zero)
            total = self.table.apply("select", is_empty, zero, total)
        value = form.value_sums.round_sum(total, result)
        at = at_numbers(self.row_loops, self.first_query + row) | at_numbers(loops, first + lane)
        (store,) = stores(self.table, result, output, index, (value,))
        (store,) = substitute_indices([store], list(at.items()))
        strip = self.strip_of(tile.columns)
        body = substitute_indices([store], [(atom_of(lane), strip.index)])
        panels = nest_loops([LoopDimension(panel, self.panels)], strip.around(body))
        return [Loop(row, self.tiling.queries, "serial", panels)]

    def stored_statistics(self, outputs: Sequence[Buffer]) -> list[Statement]:
        """Stores the largest logits and sums of exponentials of a block, if they are results."""
        if not outputs:
            return []
        row = self.scheduler.index(self.tiling.queries)
        at = list(at_numbers(self.row_loops, self.first_query + row).items())
        body: list[Statement] = []
        for tensor, output, values, (layout, kept) in zip(
            self.node.results[1:], outputs, (self.softmax.maxima, self.softmax.totals),
            self.form.statistics,
            strict=True,
        ):  # fmt: skip
            index = layout.index(self.table, self.number)
            position = [index[d] for d in kept]
            body += stores(self.table, tensor, output, position, (self.load(values, row),))
        return [Loop(row, self.tiling.queries, "serial", substitute_indices(body, at))]

    # Blocks of keys

    def key_blocks(self, block: KeyBlock) -> list[Statement]:
        """The loop over blocks of keys of one extent."""
        number = self.scheduler.index(block.count)
        begin = self.table.sum(block.begin, ())
        first = begin if block.padded is not None else number * block.extent + begin
        body = self.key_block(block, first)
        condition = self.may_contribute(first, block.extent)
        if condition is not None:
            body = list[Statement]([When(condition, body)])
        return (
            body
            if block.padded is not None
            else nest_loops([LoopDimension(number, block.count)], body)
        )

    def may_contribute(self, first: Expression, extent: int) -> Expression | None:
        """Whether a score of a block may have a weight that is not zero; None if it always may."""
        logits = self.logits(self.constant(0.0))
        rows = ranges_of(self.row_loops, self.first_query, self.tiling.queries)
        columns = ranges_of(self.column_loops, first, extent)
        lowest = self.load(self.softmax.lowest, self.table.sum(0, ()))
        return may_contribute(logits, rows | columns, lowest)

    def key_block(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """Scores, weights and results of a block of keys."""
        return [
            *self.products(block, first),
            *self.replaced_by_logits(block, first),
            *self.softmax.rescale_sums(),
            *self.replaced_by_weights(block, first),
            *self.weighted_values(block, first),
        ]

    def products(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """The scores of a block, in register tiles."""
        tile, sums, table = self.tiling.products, self.form.sums, self.table
        count = -(-block.extent // tile.columns)
        panel = LoopDimension(self.scheduler.index(count), count)
        row_tiles, row = tile.starts(self.scheduler, self.tiling.queries, tile.rows)
        column = table.least(panel.index * tile.columns, block.extent - tile.columns)
        number = self.panel_of(block, first, panel.index)
        nest = TileNest(self.scheduler, tile, sums, Buffer("shelf", sums.register, (), "register"))
        step = self.scheduler.index(self.depth)
        products = nest.step(
            lambda r, _: self.load(self.queries, row + r, step),
            lambda c: self.load(self.key_buffer, *self.batch, number, step, c),
        )

        def finish(r: Expression, c: Expression, value: Expression) -> list[Statement]:
            return [self.store(self.scores, value, row + r, column + c)]

        body = nest.tile_loops(nest_loops([LoopDimension(step, self.depth)], products), finish)
        self.local_buffers += nest.local_buffers
        return nest_loops([panel, row_tiles], body)

    def panel_of(self, block: KeyBlock, first: Expression, panel: Expression) -> Expression:
        """The number of the panel of keys with a number in its block."""
        columns = self.tiling.products.columns
        assert block.begin % columns == 0, "a block begins with a panel"
        return self.table.quotient(first, columns) + panel

    def logits(self, score: Expression) -> Expression:
        """The operand of the softmax that is computed from a score."""
        return self.apply_region(0, score, self.form.logits.index(self.table, self.number))

    def apply_region(
        self, region: int, value: Expression, index: Sequence[Expression]
    ) -> Expression:
        """The result of a region at an index, computed from its argument's element there."""
        graph = self.node.regions[region]
        (argument,), (result,) = graph.arguments, graph.results
        elements = RegionElements(self.table, self.builder.elements.buffers, {argument: (value,)})
        (part,) = elements.at(result, index)
        return part

    def at(self, row: Expression, column: Expression) -> dict[Expression, Expression]:
        """Substitutes the indices of a score, given the numbers of its query and its key."""
        rows = at_numbers(self.row_loops, self.first_query + row)
        return rows | at_numbers(self.column_loops, column)

    def replaced_by_logits(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """Replaces scores by operands of the softmax, and takes the largest of each row."""
        slot = self.scheduler.index(self.scores.elements)
        logits = self.logits(self.rounded_score(self.table.load_at(self.scores, slot)))

        def new(row: Expression, column: Expression, place: Expression) -> Expression:
            at = self.at(row, first + self.clip_column(block, column)) | {atom_of(slot): place}
            logit = substitute_expression(logits, at, {})
            return self.inside(block, column, logit, -INFINITY)

        return self.softmax.replaced_by_logits(block.columns, new)

    def clip_column(self, block: KeyBlock, column: Expression) -> Expression:
        """A column of a block; the last one of its extent for those that are after it."""
        return column if block.padded is None else self.table.least(column, block.extent - 1)

    def inside(
        self, block: KeyBlock, column: Expression, value: Expression, otherwise: float
    ) -> Expression:
        """The value of a column, and another one for columns after the extent of the block."""
        if block.padded is None:
            return value
        end = self.table.sum(block.extent, ())
        condition = self.table.apply("slt", column, end)
        return self.table.apply("select", condition, value, self.constant(otherwise))

    def rounded_score(self, score: Expression) -> Expression:
        """A score in the type that the program gives it."""
        return self.form.sums.round_sum(score, self.node.regions[0].arguments[0])

    def replaced_by_weights(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """Replaces operands of the softmax by their exponentials, and sums those of each row."""
        weigh = partial(self.weigh, block, first) if self.form.is_weighted else None
        return self.softmax.replaced_by_exponentials(block.columns, weigh)

    def weigh(
        self,
        block: KeyBlock,
        first: Expression,
        row: Expression,
        column: Expression,
        value: Expression,
    ) -> Expression:
        """The weight that a program makes of an exponential."""
        slot = self.scheduler.index(1)
        exponential = self.table.load_at(Buffer("weight", value.type, (1,)), slot)
        index = self.form.weighted.index(self.table, self.number)
        weight = self.apply_region(1, exponential, index)
        key = first + self.clip_column(block, column)
        at = self.at(row, key) | {atom_of(slot): self.table.sum(0, ())}
        return substitute_expression(weight, at | {exponential: value}, {})

    def weighted_values(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """Adds the values of a block of keys, times their weights, to the results."""
        tile, sums = self.tiling.results, self.form.value_sums
        panel = LoopDimension(self.scheduler.index(self.panels), self.panels)
        row_tiles, row = tile.starts(self.scheduler, self.tiling.queries, tile.rows)
        nest = TileNest(self.scheduler, tile, sums, Buffer("shelf", sums.register, (), "register"))
        step = self.scheduler.index(block.extent)
        weighted = self.form.weighted.index(self.table, self.number)
        batch = [weighted[d] for d in self.form.weighted_roles.batch]
        products = nest.step(
            lambda r, _: self.load(self.scores, row + r, step),
            lambda c: self.load(self.value_buffer, *batch, panel.index, first + step, c),
        )

        def begin(r: Expression, c: Expression) -> Statement:
            old = self.load(self.results, panel.index, row + r, c)
            return StoreElement(
                nest.totals, nest.place(r, c), old * self.load(self.softmax.factors, row + r)
            )

        def store_total(r: Expression, c: Expression) -> Statement:
            total = self.table.load_at(nest.totals, nest.place(r, c))
            return self.store(self.results, total, panel.index, row + r, c)

        def of_all(statement: Callable[[Expression, Expression], Statement]) -> Statement:
            return nest.over_rows(lambda r: [nest.over_columns(lambda c: [statement(r, c)])])

        body = [
            of_all(begin),
            *nest_loops([LoopDimension(step, block.extent)], products),
            of_all(store_total),
        ]
        self.local_buffers += nest.local_buffers
        once = self.scheduler.index(1)
        return nest_loops([panel, row_tiles], [Loop(once, 1, "serial", body, apart=True)])
