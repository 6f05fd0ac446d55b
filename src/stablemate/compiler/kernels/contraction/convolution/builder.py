"""Convolutions: sums of products in register tiles, of output points by output features.

The image is read where it is if no window leaves it and its neighbors are well apart, else copied
with its padding, features last. The kernel is read where it is if its output features are
consecutive and it is small, else copied in panels as wide as a tile. A result whose features are
not consecutive is made in memory where they are, and copied into its own order at the end.
Depthwise, lanes are groups: each has an element of the image and of the kernel of its own. Of
groups of a few features, lanes are the features of several (``group_turns``).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.convolution.factors import ConvolutionFactors
from stablemate.compiler.kernels.contraction.convolution.filters import ConvolutionFilter
from stablemate.compiler.kernels.contraction.convolution.images import ConvolutionImage
from stablemate.compiler.kernels.contraction.convolution.layouts import geometry_of
from stablemate.compiler.kernels.contraction.convolution.line_words import WordTile
from stablemate.compiler.kernels.contraction.convolution.narrow_images import narrow_load
from stablemate.compiler.kernels.contraction.convolution.tiled import (
    TiledDepth,
    image_block,
    rows_of,
    stride_of,
)
from stablemate.compiler.kernels.contraction.depth_blocks import DepthBlocks, tiles_on_shelf
from stablemate.compiler.kernels.contraction.epilogues import Epilogue
from stablemate.compiler.kernels.contraction.matrix_operands import NEAREST, linear_index
from stablemate.compiler.kernels.contraction.matrix_tiles import MatrixTiles, TileRows
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums, sums_of
from stablemate.compiler.kernels.contraction.register_tiles import (
    Tile,
    TileNest,
    nest_loops,
    tile_of_images,
)
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Statement, StoreElement, substitute_expression
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic, typical_of


def is_known(node: Node) -> bool:
    """Whether kernels exist for the element types of a convolution."""
    return sums_of(node) is not None


def convolution_to(
    node: Node, value: Tensor, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """Returns the kernels of a convolution fused with its epilogue; only the epilogue is stored."""
    sums = sums_of(node)
    assert sums is not None
    epilogue = Epilogue(node.results[0], value)
    factors = ConvolutionFactors(geometry_of(node), sums, kept, machine, name)
    return ConvolutionBuilder(factors, epilogue).build_kernels()


def reads_image_in_place(node: Node, machine: Machine) -> bool:
    """Whether the kernel of a convolution reads its image where it is in memory."""
    sums = sums_of(node)
    if sums is None:
        return False
    factors = ConvolutionFactors(geometry_of(node), sums, node.operands, machine, "k")
    return ConvolutionImage(factors).is_in_place()


@register_builder("stablehlo.convolution", admits=is_known, inlines=True, builds_to=convolution_to)
def convolution(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of a convolution: those that copy operands, the products, the result's order."""
    return convolution_to(node, node.results[0], kept, machine, name)


@dataclass(frozen=True, slots=True)
class SumOfProducts:
    """The sum of products at each point of the result, before it is tiled.

    Attributes:
        group: The index of the feature group.
        outer: The loops over groups.
        loops: The loops over batch and output points.
        indices: The indices of the summed dimensions, in the order of their loops.
        depth: The same indices, in the order of the kernel's dimensions.
        steps: The loops over the summed dimensions.
        column: The index of the output feature in its group.
        slot: The index of the sum in a tile.
        accumulators: The registers of a tile.
        nowhere: The register that holds a factor.
        memory: What is stored, and where.
        body: The factor of the image, and the stores of the complete sum.
    """

    group: Expression
    outer: Sequence[LoopDimension]
    loops: Sequence[LoopDimension]
    indices: Sequence[Expression]
    depth: Sequence[Expression]
    steps: Sequence[LoopDimension]
    column: Expression
    slot: Expression
    accumulators: Buffer
    nowhere: Buffer
    memory: tuple[Tensor | Scratch, Buffer]
    body: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class TileLoops:
    """The loops over the tiles of a convolution.

    Attributes:
        shared: Those that threads share.
        together: Those over tiles that pass over a block of the depth, before the next block; none
            if each tile passes over the whole depth.
        panel: The number of the panel of a tile.
        first: The first column of a tile.
        line: Its first line.
        point: Its first point of a line.
    """

    shared: Sequence[LoopDimension]
    together: Sequence[LoopDimension]
    panel: Expression
    first: Expression
    line: Expression
    point: Expression


class ConvolutionBuilder:
    """Builds the kernels of one convolution.

    Attributes:
        factors: What it multiplies.
        geometry: Its dimensions.
        sums: Its arithmetic.
        image: Reads the image.
        filter: Reads the kernel.
        epilogue: What follows the sums.
    """

    def __init__(self, factors: ConvolutionFactors, epilogue: Epilogue) -> None:
        self.factors = factors
        self.geometry = factors.geometry
        self.sums = factors.sums
        self.image = ConvolutionImage(factors)
        self.filter = ConvolutionFilter(factors)
        self.epilogue = epilogue

    def in_lanes(self) -> Buffer:
        """Memory for the result with its features last."""
        geometry = self.geometry
        shape = (geometry.batch, *geometry.counts, geometry.groups, geometry.outputs)
        return Buffer("sums", self.sums.scalar_factors.storage, shape)

    def ordered_result(self, source: Buffer, scratch: Scratch) -> BuiltKernel:
        """The launch that copies sums into the order of the result."""
        geometry = self.geometry
        builder = self.factors.builder(*self.epilogue.inputs(self.factors.kept))
        numbers, output = geometry.numbers, self.epilogue.buffer
        spatial = len(geometry.counts)
        parts = {numbers.output_batch_dimension: [0]}
        parts[numbers.output_feature_dimension] = [spatial + 1, spatial + 2]
        parts |= {d: [1 + i] for i, d in enumerate(numbers.output_spatial_dimensions)}
        order = [i for d in sorted(parts) for i in parts[d]]
        dimensions, loops = builder.dimensions([source.shape[i] for i in order])
        batch, *points, group, output_feature = (
            dimensions[order.index(i)] for i in range(len(order))
        )
        index = geometry.result_index(group, batch, points, output_feature)
        loaded = builder.table.load(source, (batch, *points, group, output_feature))
        stores = self.epilogue.store_result(
            builder, self.sums, index, self.sums.from_memory(loaded), output
        )
        body = builder.scheduler.elementwise(loops, stores)
        return builder.build_kernel(
            f"{self.factors.name}_order", body, [(scratch, source), (self.epilogue.value, output)]
        )

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        geometry = self.geometry
        if geometry.inputs == 0 or 0 in geometry.image.shape:
            return [self.empty_sums()]
        image = None if self.image.is_in_place() else self.image.copy()
        if self.factors.words is not None:
            products = self.products_of_words(image, *self.factors.words)
            return [*self.factors.before, products]
        if self.factors.is_consecutive:
            products = self.products(image, None)
            return [*self.factors.before, products]
        output = self.in_lanes()
        scratch = Scratch(output.bytes)
        products = self.products(image, (scratch, output))
        return [*self.factors.before, products, self.ordered_result(output, scratch)]

    def sum_of_products(
        self, builder: KernelBuilder, image: Buffer | None, aside: tuple[Scratch, Buffer] | None
    ) -> SumOfProducts:
        """The loops over the points of the result, with the epilogue of each point.

        Args:
            builder: Builds the kernel.
            image: The padded copy of the image, if there is one.
            aside: Where sums are stored; None: the epilogue is stored in the result.
        """
        geometry, sums = self.geometry, self.sums
        scheduler, table = builder.scheduler, builder.table
        (group,), outer = builder.dimensions((self.factors.groups,))
        (batch, *points), loops = builder.dimensions((geometry.batch, *geometry.counts))
        order = self.factors.depth_order
        indices, steps = builder.dimensions([self.factors.depth_sizes[i] for i in order])
        depth = [indices[order.index(i)] for i in range(len(order))]
        column = scheduler.index(self.factors.columns)
        inner, feature = self.factors.split(builder, group, column)
        window_points = geometry.window_points(points, depth[:-1])
        read = depth[-1] if self.factors.turns is None else column
        if image is None:
            factor = self.image.value(builder, inner, batch, window_points, read)
        else:
            element = table.load(image, (batch, *window_points, inner, read))
            factor = (
                sums.from_memory(element)
                if self.factors.narrow is None
                else self.factors.narrow.widen_element(element)
            )
        slot = scheduler.index(1 << 20)
        accumulators = self.epilogue.accumulators(  # as large as a tile, which comes later
            sums, is_partial=self.factors.turns is not None
        )
        total = table.load_at(accumulators, slot)
        memory: tuple[Tensor | Scratch, Buffer]
        if aside is None:
            memory = self.epilogue.value, self.epilogue.buffer
            index = geometry.result_index(inner, batch, points, feature)
            final = self.epilogue.store_result(builder, sums, index, total, memory[1])
        else:
            memory = aside
            place = table.place(memory[1], [batch, *points, inner, feature])
            final = [StoreElement(memory[1], place, sums.to_memory(total))]
        nowhere = Buffer("nowhere", sums.register_type, ())
        product = StoreElement(nowhere, table.sum(0, ()), factor)
        loops, body = scheduler.collapse(loops, [product, *final])
        while len(loops) < 2:
            loops.insert(0, LoopDimension(scheduler.index(1), 1))
        return SumOfProducts(
            group,
            outer,
            loops,
            indices,
            depth,
            steps,
            column,
            slot,
            accumulators,
            nowhere,
            memory,
            body,
        )

    def tile_of(self, lines: int, points: int) -> tuple[Tile, int]:
        """The tile for lines of points, and how many points of a line it has."""
        sums, turns = self.sums, self.factors.turns.size if self.factors.turns else 1
        factors = typical_of(prod(self.factors.depth_sizes) * self.factors.columns)
        return tile_of_images(
            (lines, points), self.factors.columns, sums.register, self.factors.machine,
            spare=sums.is_corrected and not self.filter.has_starts, has_products=sums.has_products,
            turns=turns, is_near=factors * BYTES[sums.storage] <= NEAREST,
        )  # fmt: skip

    def weight(
        self, builder: KernelBuilder, total: SumOfProducts, tile: Tile, number: Expression,
        first: Expression,
    ) -> Expression:  # fmt: skip
        """The factor of the kernel at a step and a column.

        Args:
            builder: Builds the kernel that multiplies.
            total: The sum.
            tile: The tile that sums are in.
            number: The number of its panel, where the kernel is copied.
            first: Its first column.
        """
        if self.filter.is_in_place():
            return self.filter.value(builder, total.group, total.depth, total.column)
        place = total.group, number, self.step_number(builder, total), total.column - first
        return self.sums.from_memory(builder.table.load(self.filter.panels(tile), place))

    def step_number(self, builder: KernelBuilder, total: SumOfProducts) -> Expression:
        """The number of a step of the depth, in the order in which panels hold its factors."""
        sizes = [self.factors.depth_sizes[i] for i in self.factors.depth_order]
        return linear_index(total.indices, sizes, builder)

    def products(self, image: Buffer | None, aside: tuple[Scratch, Buffer] | None) -> BuiltKernel:
        """The launch that multiplies; it stores the epilogue, or sums that are stored aside."""
        geometry, sums = self.geometry, self.sums
        if sums.is_in_tiles:
            return self.tiled_products(image, aside)
        read = [geometry.image] * (image is None) + [geometry.kernel] * self.filter.is_in_place()
        read += [] if aside else self.epilogue.inputs(self.factors.kept)
        builder = self.factors.builder(*read)
        scheduler, table = builder.scheduler, builder.table
        total = self.sum_of_products(builder, image, aside)
        *_, lines, line = total.loops
        tile, across = self.tile_of(lines.extent, line.extent)
        loops = self.tile_loops(builder, total, tile, across)
        weight = self.weight(builder, total, tile, loops.panel, loops.first)
        first_product, *final = total.body
        body = [first_product, StoreElement(total.nowhere, table.sum(0, ()), weight)]
        steps, (stored, weighed) = scheduler.collapse(
            total.steps[: -1 if self.factors.turns else None], body
        )
        blocks = None
        if loops.together:
            total.accumulators.scope = "stack"
            blocks = DepthBlocks.of(scheduler, tile, sums, steps[-1], loops.together)
            steps, (stored, weighed) = blocks.cut(steps, (stored, weighed))
        assert isinstance(stored, StoreElement)
        assert isinstance(weighed, StoreElement)
        start = self.filter.start(table, total.group, loops.first)
        nest = TileNest(scheduler, tile, sums, total.accumulators, self.factors.turns, start)
        atom = terms_of(total.column)[1][0][0]

        def places(row: Expression, lane: Expression) -> list[tuple[Expression, Expression]]:
            return [
                (lines.atom, loops.line + row // across),
                (line.atom, loops.point + row % across),
                (atom, loops.first + lane),
            ]

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            slot_atom = terms_of(total.slot)[1][0][0]
            return substitute_indices(final, [(slot_atom, value.operands[0]), *places(row, lane)])

        def kernel_factor(turn: Expression, lane: Expression) -> Expression:
            values = {total.steps[-1].atom: turn} if self.factors.turns else {}
            return substitute_expression(weighed.value, {**values, atom: loops.first + lane}, {})

        products = nest.products(
            lambda row, lane: substitute_expression(stored.value, dict(places(row, lane)), {}),
            kernel_factor,
        )
        if blocks is None:
            body = nest.tile_loops(nest_loops(steps, products), finish)
        else:
            factor = kernel_factor(table.sum(0, ()), table.sum(0, ()))
            body = blocks.statements(nest, steps, products, factor, finish)
        statements = scheduler.parallel([*total.outer, *loops.shared], body)
        memory = [*self.factors.intermediates, total.memory]
        return builder.build_kernel(self.factors.name, statements, memory, nest.local_buffers)

    def tile_loops(
        self, builder: KernelBuilder, total: SumOfProducts, tile: Tile, across: int
    ) -> TileLoops:
        """The loops over tiles, and where each begins.

        Args:
            builder: Builds the kernel that multiplies.
            total: The sum.
            tile: The tile.
            across: How many points of a line it has.
        """
        scheduler, sums = builder.scheduler, self.sums
        *images, lines, line = total.loops
        point_tiles, point = tile.starts(scheduler, line.extent, across)
        size = prod(self.factors.depth_sizes) * BYTES[sums.register]
        if self.has_blocks(tile, lines.extent, line.extent):
            panel, first = tile.starts(scheduler, self.factors.columns, tile.columns)
            most = tiles_on_shelf(tile, sums) // point_tiles.extent
            chunk, line_tiles, first_line = tile.chunks(
                scheduler, lines.extent, tile.rows // across, most
            )
            shared = [panel, *images, chunk]
            together = [line_tiles, point_tiles]
            return TileLoops(shared, together, panel.index, first, first_line, point)
        group_of, panel, number, first = tile.column_groups(scheduler, self.factors.columns, size)
        line_tiles, first_line = tile.starts(scheduler, lines.extent, tile.rows // across)
        # Factors of turns are many and those of the image few: they stay near for a line.
        inner = [point_tiles, panel] if self.factors.turns is None else [panel, point_tiles]
        shared = [group_of, *images, line_tiles, *inner]
        return TileLoops(shared, [], number, first, first_line, point)

    def has_blocks(self, tile: Tile, lines: int, points: int) -> bool:
        """Whether several tiles pass over the kernel block by block of the depth."""
        if self.factors.turns is not None or self.factors.depthwise or self.filter.is_in_place():
            return False
        *_, features = [self.factors.depth_sizes[i] for i in self.factors.depth_order]
        if any(map(is_symbolic, (lines, points, features, self.factors.columns))):
            return False
        tiles = lines * points // tile.rows
        return DepthBlocks.pay(tile, self.sums, prod(self.factors.depth_sizes), features, tiles)

    def tiled_products(
        self, image: Buffer | None, aside: tuple[Scratch, Buffer] | None
    ) -> BuiltKernel:
        """As ``products``, in tile registers."""
        geometry, sums = self.geometry, self.sums
        read = [geometry.image] * (image is None)
        read += [] if aside else self.epilogue.inputs(self.factors.kept)
        builder = self.factors.builder(*read)
        scheduler, table = builder.scheduler, builder.table
        total = self.sum_of_products(builder, image, aside)
        *images, lines, line = total.loops
        points = image_block(lines.extent, line.extent, self.factors.columns)
        tile, across = points.block.results, points.across
        group_of, panel, number, first = tile.column_groups(
            scheduler, self.factors.columns, prod(self.factors.depth_sizes) * BYTES[sums.storage]
        )
        line_tiles, first_line = tile.starts(scheduler, lines.extent, points.lines)
        point_tiles, first_point = tile.starts(scheduler, line.extent, across)
        panels = self.filter.panels(tile)
        weight_step = self.step_number(builder, total)
        weight = table.load(panels, (total.group, number, weight_step, table.sum(0, ())))
        product, *final = total.body
        body = [product, StoreElement(total.nowhere, table.sum(0, ()), weight)]
        (*outer_steps, depth), (stored, weighed) = scheduler.collapse(total.steps, body)
        assert isinstance(stored, StoreElement)
        assert isinstance(weighed, StoreElement)
        inner = TiledDepth.of(scheduler, depth, stored.value)
        point_stride = stride_of(stored.value, line.atom)
        starts = self.filter.starts(table, total.group, first)

        def places(row: Expression) -> list[tuple[Expression, Expression]]:
            return [
                (lines.atom, first_line + row // across),
                (line.atom, first_point + row % across),
            ]

        def left_rows(row: int) -> TileRows:
            return rows_of(stored.value, [*places(table.sum(row, ())), inner.here], point_stride)

        def right_rows(column: int) -> TileRows:
            rows = rows_of(weighed.value, [inner.here], tile.columns)
            return TileRows(rows.buffer, rows.place + column, rows.stride)

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            slot_atom, atom = (terms_of(index)[1][0][0] for index in (total.slot, total.column))
            replacements = [(slot_atom, value.operands[0]), *places(row), (atom, first + lane)]
            return substitute_indices(final, replacements)

        tiles = MatrixTiles(scheduler, points.block, inner.words, sums, total.accumulators)
        statements = scheduler.parallel(
            [*total.outer, group_of, *images, line_tiles, point_tiles, panel],
            tiles.block_loops(
                nest_loops([*outer_steps, inner.loop], tiles.step(left_rows, right_rows)),
                finish,
                starts,
            ),
        )
        memory = [*self.factors.intermediates, total.memory]
        return builder.build_kernel(
            self.factors.name, statements, memory, [tiles.totals], tiles.shapes
        )

    def products_of_words(self, image: Buffer | None, tile: WordTile, sums: Sums) -> BuiltKernel:
        """As ``products``, of words of neighboring lines."""
        geometry, epilogue = self.geometry, self.epilogue
        output, read = epilogue.buffer, [geometry.image] * (image is None)
        builder = self.factors.builder(*read, *epilogue.inputs(self.factors.kept))
        scheduler, table = builder.scheduler, builder.table
        zero = table.sum(0, ())
        (batch,), images = builder.dimensions((geometry.batch,))
        block = Tile(tile.lines * tile.points, 1, tile.width)
        line_tiles, first_line = block.starts(scheduler, geometry.counts[0], tile.lines)
        point_tiles, first_point = block.starts(scheduler, geometry.counts[1], tile.points)
        panel, first = block.starts(scheduler, self.factors.columns, tile.width)
        start = self.filter.start_of(table, sums, zero, first) if sums.is_corrected else None
        kernel = self.filter.words(tile, sums)
        nest = TileNest(scheduler, block, sums, epilogue.accumulators(sums), None, start)
        words = Buffer("words", sums.storage, (tile.columns * tile.width,), "register")

        def word_at(word: int, column: Expression, lane: Expression) -> Expression:
            strides = geometry.windows.strides

            def load(line: int) -> Expression:
                points = [first_line * strides[0] + line, first_point * strides[1] + column]
                if image is not None:
                    return table.load(image, (batch, *points, first + lane, zero))
                value = narrow_load(self.image.value(builder, first + lane, batch, points, zero))
                assert value is not None, "the image is one of bytes"
                return value

            return tile.word_of_lines(sums, word, load)

        def factors_at(word: int, line: int, step: Expression, lane: Expression) -> Expression:
            return table.load(
                kernel, (panel.index, step, table.sum(word, ()), table.sum(line, ()), lane)
            )

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            points = [first_line + row // tile.points, first_point + row % tile.points]
            index = geometry.result_index(first + lane, batch, points, zero)
            return epilogue.store_result(builder, sums, index, value, output)

        steps = [*tile.products(nest, words, word_at, factors_at)]
        statements = scheduler.parallel(
            [*images, line_tiles, point_tiles, panel], nest.tile_loops(steps, finish)
        )
        memory = [*self.factors.intermediates, (epilogue.value, output)]
        registers = [buffer for buffer in nest.local_buffers if buffer is not nest.line]
        return builder.build_kernel(self.factors.name, statements, memory, [*registers, words])

    def empty_sums(self) -> BuiltKernel:
        """Stores the results of empty sums."""
        epilogue, builder = (
            self.epilogue,
            self.factors.builder(*self.epilogue.inputs(self.factors.kept)),
        )
        output = epilogue.buffer
        index, loops = builder.dimensions(self.geometry.result.shape)
        stores = epilogue.store_result(
            builder, self.sums, index, self.sums.zero(builder.table), output
        )
        body = builder.scheduler.elementwise(loops, stores)
        return builder.build_kernel(self.factors.name, body, [(epilogue.value, output)])
