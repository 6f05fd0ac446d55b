"""The kernels of dots of matrices that are computed from scores: one pass for all of them.

A block of keys passes over blocks of queries. For each pair the scores, and what else has their
shape, are computed once; dots that sum over queries are complete after the last block of queries,
dots that sum over keys are added to in memory. So that several threads work on a batch, its blocks
of keys are dealt to groups, each with sums of its own, which a second kernel adds up; how many
groups there are does not depend on the threads. Source: Dao, "FlashAttention-2", 2023, algorithm 2.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import (
    ProductsForm,
    ScoreMatrixProduct,
)
from stablemate.compiler.kernels.attention.matrix_sums import MatrixTotal, SumKernel
from stablemate.compiler.kernels.attention.numbering import at_numbers, operand_of, rename_memory
from stablemate.compiler.kernels.attention.operation import ATTENTION_PRODUCTS
from stablemate.compiler.kernels.attention.product_tiles import (
    Place,
    ScoreProduct,
    features_of,
)
from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.kernels.attention.score_tiles import TileOf
from stablemate.compiler.kernels.attention.tiling import (
    FEWEST_KEYS,
    QUERIES,
    UNIT,
    KeyBlock,
    best_tile,
    blocks_of,
)
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ComputedMatrix,
    ContractionOperand,
    Panels,
)
from stablemate.compiler.kernels.contraction.register_tiles import nest_loops
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, Scratch, register_builder
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Kernel,
    Loop,
    Statement,
    StoreElement,
    When,
    substitute_expression,
)
from stablemate.compiler.lowering.elements import buffer_of
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension

# ``python -m benchmarks.attention`` measures gradients, too (docs/adr/0029-attention-in-tiles.md).
KEYS_OF_BLOCKS: Final = (192, 96, 32)  # the largest one for which caches hold the features
BLOCK_BYTES: Final = 1 << 16  # of the features of a block of keys, at most
FEWEST_UNITS: Final = 8  # batches times groups


def is_known(node: Node) -> bool:
    """Every node of this kind was made for these kernels."""
    return isinstance(node.operation.form, ProductsForm)


@register_builder(ATTENTION_PRODUCTS, admits=is_known, inlines=True)
def attention_gradient(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of dots of what is computed from scores."""
    return GradientKernel(node, kept, machine, name).build_kernels()


class GradientKernel(SumKernel):
    """Builds the kernels of one node."""

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        form: ProductsForm = node.operation.form
        self.products_form = form
        dots = form.scores.dots
        row, column = node.operands[:2]
        self.query_count = prod(row.shape[d] for d in dots[0].row.free)
        keys = prod(column.shape[d] for d in dots[0].column.free)
        others = [
            operand_of(tensor, product.other)
            for tensor, product in zip(node.operands[2 * len(dots) :], form.products, strict=False)
        ]
        self.key_blocks = tuple(blocks_of(keys, block_keys(others), FEWEST_KEYS))
        self.query_blocks = tuple(blocks_of(self.query_count, QUERIES, UNIT))
        most_queries = max(block.extent for block in self.query_blocks)
        super().__init__(
            node, form.scores, list(node.operands), kept, machine, name,
            most_queries, max(block.extent for block in self.key_blocks),
        )  # fmt: skip
        self.serial = self.loops_of_sums()
        self.parallel = [loop for loop in self.outer if loop not in self.serial]
        batches = prod(loop.extent for loop in self.parallel)
        blocks = sum(block.count for block in self.key_blocks)
        self.group_count = min(blocks, -(-FEWEST_UNITS // batches))
        (self.group,), self.group_loops = self.builder.dimensions([self.group_count])
        self.panels = [self.key_panels(tile, i) for i, tile in enumerate(self.tiles)]
        self.blocks_of_matrices = self.matrices()
        self.products_of = [
            self.product(product, operand, result, self.blocks_of_matrices[product.number], i)
            for i, (product, operand, result) in enumerate(
                zip(form.products, others, node.results, strict=False)
            )
        ]
        self.sums_of = [
            MatrixTotal(
                total, result, self.blocks_of_matrices[total.number], buffer_of(result, f"z{i}")
            )
            for i, (total, result) in enumerate(
                zip(form.sums, node.results[len(form.products) :], strict=True)
            )
        ]

    # Buffers

    def key_panels(self, tile: TileOf, number: int) -> Panels:
        """Memory on the stack for the keys of a block, in panels."""
        count = -(-tile.values.shape[1] // self.tile.columns)
        panels = Panels.among(tile.column, tile.dot.sums, self.tile, (count,), "stack")
        buffer = rename_memory(panels.buffer, f"keys{number}")
        self.local_buffers.append(buffer)
        return replace(panels, buffer=buffer)

    def matrices(self) -> list[Buffer]:
        """A block of each matrix; the last one replaces the results of the last dot."""
        count = self.matrix_count
        shape = self.tiles[0].values.shape
        return [
            *(self.stack(f"matrix{i}", *shape) for i in range(count - 1)), self.tiles[-1].values
        ]  # fmt: skip

    def product(
        self,
        form: ScoreMatrixProduct,
        other: ContractionOperand,
        result: Tensor,
        matrix: Buffer,
        number: int,
    ) -> ScoreProduct:
        """A dot with its buffers."""
        features, (queries, keys) = features_of(other), matrix.shape
        rows = keys if form.over == "queries" else queries
        width = self.machine // max(WIDE, BYTES[self.form.sums.register])
        while width > features:
            width //= 2
        tile = best_tile(rows // UNIT * UNIT, features, width, self.machine, exact=False)
        panels, name = -(-features // tile.columns), f"sums{number}"
        if form.over == "queries":
            sums = self.stack(name, panels, rows, tile.columns)
            others = self.same_rows(form, other)
            others = others or self.stack(f"others{number}", queries, features)
        else:
            batch = [loop.extent for loop in self.outer]
            shape = (*batch, self.group_count, panels, self.query_count, tile.columns)
            sums = Buffer(name, self.form.sums.register, shape)
            others = self.stack(f"others{number}", panels, keys, tile.columns)
        return ScoreProduct(form, result, other, tile, matrix, others, sums)

    def same_rows(self, form: ScoreMatrixProduct, other: ContractionOperand) -> Buffer | None:
        """The rows of queries of a dot that has the same operand; None if none has."""
        along, _ = self.builder.dimensions(other.sizes(other.free))
        value = self.query_features(form, other, along)
        for tile in self.tiles:
            if tile.row.sizes(tile.row.depth) == other.sizes(other.free):
                batch, rows, _ = self.sides_of(tile.dot)
                if tile.row.factor(self.builder, tile.dot.sums, batch, rows, along) is value:
                    return tile.rows
        return None

    def query_features(
        self, form: ScoreMatrixProduct, other: ContractionOperand, along: Sequence[Expression]
    ) -> Expression:
        """An element of the other operand of a dot that sums over queries."""
        batch, rows = self.matrix_indices(form, form.roles.depth)
        return other.factor(self.builder, form.sums, batch, along, rows)

    # Kernels

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        outputs = [buffer_of(p.result, f"y{i}") for i, p in enumerate(self.products_of)]
        memory: list[tuple[Tensor | Scratch, Buffer]] = []
        sums_of: list[BuiltKernel] = []
        body: list[Statement] = []
        for number, (product, output) in enumerate(zip(self.products_of, outputs, strict=True)):
            if product.form.over == "queries":
                memory.append((product.result, output))
                continue
            scratch = Scratch(product.sums.bytes)
            memory.append((scratch, product.sums))
            body += self.cleared_group(product)
            sums_of.append(self.sum_of_groups(product, output, scratch, number))
        for block in self.key_blocks:
            body += self.over_key_blocks(block, outputs)
        zeros = [s for block in self.key_blocks for s in self.cleared_keys(block)]
        statements = self.scheduler.parallel(
            [*self.parallel, *self.group_loops], [*zeros, *nest_loops(self.serial, body)]
        )
        memory += [(total.result, total.output) for total in self.sums_of]
        buffers = list(dict.fromkeys(self.local_buffers))
        return [self.builder.build_kernel(self.name, statements, memory, buffers), *sums_of]

    def group_sums(self, group: Expression) -> Place:
        """The leading indices of the sums of a group."""
        return (*(loop.index for loop in self.outer), group)

    def cleared_group(self, product: ScoreProduct) -> list[Statement]:
        """Sets the sums of a group to zero."""
        panel = LoopDimension(self.scheduler.index(product.sums.shape[-3]), product.sums.shape[-3])
        zero = self.table.sum(0, ())
        begin = self.table.place(
            product.sums, (*self.group_sums(self.group), panel.index, zero, zero)
        )
        strip = self.strip_of(prod(product.sums.shape[-2:]))
        value = self.table.constant(-0.0, product.sums.type)
        return nest_loops(
            [panel], strip.around([StoreElement(product.sums, begin + strip.index, value)])
        )

    def sum_of_groups(
        self, product: ScoreProduct, output: Buffer, scratch: Scratch, number: int
    ) -> BuiltKernel:
        """The kernel that adds up the sums of all groups and stores the result of a dot."""
        block = min(QUERIES, self.query_count)
        loop = LoopDimension(
            self.scheduler.index(-(-self.query_count // block)), -(-self.query_count // block)
        )
        first = self.table.least(loop.index * block, self.query_count - block)

        def total(panel: Expression, row: Expression, column: Expression) -> Expression:
            value, *others = [
                self.load(
                    product.sums, *self.group_sums(self.table.sum(group, ())),
                    panel, first + row, column,
                )
                for group in range(self.group_count)
            ]  # fmt: skip
            for other in others:
                value = value + other
            return value

        body = self.store_results(product, output, total, (first, block), self.row_loops)
        statements = self.scheduler.parallel([*self.outer, loop], body)
        kernel = Kernel(f"{self.name}_sum{number}", [product.sums, output], statements)
        return BuiltKernel(kernel, [scratch, product.result])

    def over_key_blocks(self, block: KeyBlock, outputs: Sequence[Buffer]) -> list[Statement]:
        """The blocks of keys of one extent that a group has."""
        number, loops = self.block_of_group(block)
        first = number * block.extent + block.begin
        body = self.copied_keys(block, first)
        for query_block in self.query_blocks:
            body += self.over_query_blocks(query_block, block, first)
        for product, output in zip(self.products_of, outputs, strict=True):
            if product.form.over == "queries":
                body += self.store_results(
                    product, output, partial(self.load, product.sums), (first, block.extent),
                    self.column_loops,
                )  # fmt: skip
        return self.over_blocks_of_group(block, number, loops, body)

    def over_blocks_of_group(
        self, block: KeyBlock, number: Expression, loops: Sequence[LoopDimension],
        body: list[Statement],
    ) -> list[Statement]:  # fmt: skip
        """The loops over the blocks of keys of a group, which may have one less than others."""
        if block.count % self.group_count:
            last = self.table.sum(block.count - 1, ())
            body = [When(self.table.apply("sle", number, last), body)]
        return nest_loops(loops, body)

    def block_of_group(self, block: KeyBlock) -> tuple[Expression, list[LoopDimension]]:
        """The number of a block of keys, and the loop over those of a group."""
        count = -(-block.count // self.group_count)
        (step,), loops = self.builder.dimensions([count])
        # The blocks of a short extent follow the others: the next group has them.
        before = block.begin // max(1, self.key_blocks[0].extent)
        shift = -before % self.group_count if block is not self.key_blocks[0] else 0
        group = self.group if not shift else (self.group + shift) % self.group_count
        return step * self.group_count + group, loops

    def copied_keys(self, block: KeyBlock, first: Expression) -> list[Statement]:
        """Initializes a block of keys: copies the keys, and sets sums to zero."""
        statements: list[Statement] = []
        for tile, panels in zip(self.tiles, self.panels, strict=True):
            batch, _, _ = self.sides_of(tile.dot)
            matrix = ComputedMatrix(self.builder, tile.column, tile.dot.sums, batch)
            count = -(-block.extent // self.tile.columns)
            panel = self.scheduler.index(count)
            begin = self.table.least(panel * self.tile.columns, block.extent - self.tile.columns)
            steps, copied = panels.copies(self.builder, matrix, (panel,), first + begin)
            statements += nest_loops([LoopDimension(panel, count), *steps], copied)
        for product in self.products_of:
            if product.form.over == "queries":
                statements += self.fill_buffer(product.sums, -0.0)
            else:
                statements += self.copied_others(product, block, first)
        return statements

    def copied_others(
        self, product: ScoreProduct, block: KeyBlock, first: Expression
    ) -> list[Statement]:
        """Copies the other operand of a dot that sums over keys: panels of features."""
        form, other, tile = product.form, product.other, product.tile
        batch, keys = self.matrix_indices(form, form.roles.depth)
        along, loops = self.builder.dimensions(other.sizes(other.free))
        value = other.factor(self.builder, form.sums, batch, along, keys)
        count = product.others.shape[0]
        panel, key = self.scheduler.index(count), self.scheduler.index(block.extent)
        strip = self.strip_of(tile.columns)
        feature = self.first_feature(product, panel) + strip.index
        at = at_numbers(self.column_loops, first + key) | at_numbers(loops, feature)
        value = substitute_expression(value, at, {})
        store = self.store(product.others, value, panel, key, strip.index)
        dimensions = [LoopDimension(panel, count), LoopDimension(key, block.extent)]
        return nest_loops(dimensions, strip.around([store]))

    def cleared_keys(self, block: KeyBlock) -> list[Statement]:
        """Sets sums over queries to zero, for the keys of a group."""
        number, loops = self.block_of_group(block)
        first = self.table.sum(0, ()), number * block.extent + block.begin
        sums = [total for total in self.sums_of if self.sums_queries(total)]
        body = self.cleared_sums(sums, first, (self.query_count, block.extent))
        return self.over_blocks_of_group(block, number, loops, body) if body else []

    # Pairs of blocks

    def over_query_blocks(
        self, block: KeyBlock, keys: KeyBlock, first_key: Expression
    ) -> list[Statement]:
        """The loop over blocks of queries of one extent."""
        number = self.scheduler.index(block.count)
        first = number * block.extent + block.begin
        extents = block.extent, keys.extent
        body = self.copied_rows(first, block.extent)
        for tile, panels in zip(self.tiles, self.panels, strict=True):
            body += self.products(tile, *extents, partial(self.load, panels.buffer))
        body += self.computed_matrices((first, first_key), extents)
        for product in self.products_of:
            if product.form.over == "queries":
                body += self.copied_queries(product, first, block.extent)
                body += self.added_over_queries(product, extents)
            else:
                body += self.added_over_keys(product, first, extents)
        body += self.added_to_sums((first, first_key), extents)
        condition = self.visibility((first, first_key), extents)
        zeros = self.cleared_blocks((first, first_key), extents, condition)
        body = body if condition is None else [When(condition, body)]
        body = [*self.lowest_of(first, block.extent), *zeros, *body]
        return nest_loops([LoopDimension(number, block.count)], body)

    def copied_queries(
        self, product: ScoreProduct, first: Expression, count: int
    ) -> list[Statement]:
        """Copies the other operand of a dot that sums over queries, if that is not done yet."""
        if any(product.others is tile.rows for tile in self.tiles):
            return []
        along, loops = self.builder.dimensions(product.other.sizes(product.other.free))
        value = self.query_features(product.form, product.other, along)
        return self.copy_rows(value, loops, product.others, first, count)

    def computed_matrices(
        self, first: tuple[Expression, Expression], extents: tuple[int, int]
    ) -> list[Statement]:
        """Computes a block of all matrices."""
        rows, keys = extents
        row = self.scheduler.index(rows)
        elements = [
            (self.blocks_of_matrices[number], self.element_at(number, layout, first, row))
            for number, layout in sorted(self.products_form.layouts.items())
        ]
        values = self.tiles[0].values
        begin = self.table.place(values, (row, self.table.sum(0, ())))
        row_pass = RowPass(self.scheduler, values, keys, None, "partial")
        body = row_pass.statements(
            lambda column: [
                StoreElement(buffer, begin + column, element(column))
                for buffer, element in elements
            ]
        )
        return [Loop(row, rows, "serial", body)]

    def added_over_queries(
        self, product: ScoreProduct, extents: tuple[int, int]
    ) -> list[Statement]:
        """Adds the products of a block of queries to the results of a block of keys."""
        queries, keys = extents
        return self.accumulate_products(
            product, (keys, queries), (),
            lambda row, step: self.load(product.matrix, step, row),
            lambda panel, step, c: self.load(
                product.others, step, self.first_feature(product, panel) + c
            ),
        )  # fmt: skip

    def added_over_keys(
        self, product: ScoreProduct, first: Expression, extents: tuple[int, int]
    ) -> list[Statement]:
        """Adds the products of a block of keys to the sums of a group."""
        return self.accumulate_products(
            product, extents, (*self.group_sums(self.group), first),
            lambda row, step: self.load(product.matrix, row, step),
            lambda panel, step, c: self.load(product.others, panel, step, c),
        )  # fmt: skip


def block_keys(others: Sequence[ContractionOperand]) -> int:
    """The keys of a block, so that caches hold what is kept of it."""
    features = max(map(features_of, others), default=1)
    return next(
        (keys for keys in KEYS_OF_BLOCKS if keys * features * 4 <= BLOCK_BYTES), KEYS_OF_BLOCKS[-1]
    )
