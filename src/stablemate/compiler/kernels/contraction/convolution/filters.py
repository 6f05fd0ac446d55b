"""The kernel of a convolution, its filter: read where it is, or copied in panels or words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Final

from stablemate.compiler.kernels.contraction.convolution.factors import ConvolutionFactors
from stablemate.compiler.kernels.contraction.convolution.line_words import WordTile
from stablemate.compiler.kernels.contraction.matrix_operands import (
    bytes_ahead,
    linear_index,
    packed_factors,
)
from stablemate.compiler.kernels.contraction.matrix_tiles import TileRows, starts_kernel
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.register_tiles import Tile
from stablemate.compiler.kernels.kernel_builder import KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopDimension, subexpressions, substitute_indices

# Of how many points, and of how large a kernel, a copy in panels pays: it is read in one
# direction, but written first. ``python -m benchmarks.heuristics`` measures FEW and NEAR.
FEW: Final = 40  # points that do not pay for a copy of the kernel
NEAR: Final = 1 << 17  # bytes of a kernel that stay near without a copy


class ConvolutionFilter:
    """Reads the kernel of a convolution, or a copy of it, and sums its products with a zero point.

    Attributes:
        factors: What the convolution multiplies.
        geometry: Its dimensions.
        sums: Its arithmetic.
    """

    def __init__(self, factors: ConvolutionFactors) -> None:
        self.factors = factors
        self.geometry = factors.geometry
        self.sums = factors.sums

    def value(
        self,
        builder: KernelBuilder,
        group: Expression,
        depth: Sequence[Expression],
        column: Expression,
    ) -> Expression:
        """The factor of the kernel: an element, or those of several features in an ``i32``."""
        geometry, sums = self.geometry, self.sums
        *steps, feature = depth
        group, output = self.factors.split(builder, group, column)
        if self.factors.turns is not None:
            turn, feature = feature, column % self.factors.turns.size
            output = self.factors.turns.output(column, turn)

        def factor(feature: Expression) -> Expression:
            place, is_one = feature, None
            if self.factors.is_widened:
                place, is_one = self.factors.feature_place(builder, feature)
            index = geometry.kernel_index(group, steps, place, output)
            element = builder.elements.at(geometry.kernel, index)[0]
            value = sums.factor(element, geometry.kernel)
            if is_one is None:
                return value
            return value.table.apply("select", is_one, value, value.table.bits(0, value.type))

        if not sums.packing:
            return factor(feature)
        return packed_factors(builder, sums, feature, factor)

    def is_in_place(self) -> bool:
        """Whether the kernel is read where it is."""
        geometry = self.geometry
        if self.factors.turns is not None:
            return False
        builder = self.factors.builder(geometry.kernel)
        column = builder.scheduler.index(self.factors.columns)
        group = builder.scheduler.index(self.factors.groups)
        depth = [builder.scheduler.index(size) for size in self.factors.depth_sizes]
        value = self.value(builder, group, depth, column)
        if value.operator != "load":
            return False
        terms = dict(terms_of(value.operands[0])[1])
        if any(atom.operator != "index" for atom in terms):
            return False
        size = prod(self.factors.depth_sizes) * self.factors.columns * BYTES[self.sums.register]
        few = geometry.batch * prod(geometry.counts) <= FEW
        return terms.get(terms_of(column)[1][0][0], 0) == 1 and (few or size <= NEAR)

    def panels(self, tile: Tile) -> Buffer:
        """The kernel in panels, ``(group, panel, step, column)``, by a launch before."""
        geometry = self.geometry
        builder = self.factors.builder(geometry.kernel)
        scheduler = builder.scheduler
        count = -(-self.factors.columns // tile.columns)
        steps = prod(self.factors.depth_sizes)
        shape = (self.factors.groups, count, steps, tile.columns)
        panels = Buffer("kernel", self.sums.storage, shape)
        if self.factors.turns is None:  # otherwise its panels are short
            panels.ahead = bytes_ahead(panels)
        scratch = Scratch(panels.bytes)
        (group,), outer = builder.dimensions((self.factors.groups,))
        panel, first = tile.starts(scheduler, self.factors.columns, tile.columns)
        order = self.factors.depth_order
        sizes = [self.factors.depth_sizes[i] for i in order]
        indices, loops = builder.dimensions(sizes)
        depth = [indices[order.index(i)] for i in range(len(order))]
        part, lane = scheduler.index(tile.vectors), scheduler.index(tile.width)
        column = part * tile.width + lane
        value = self.value(builder, group, depth, first + column)
        step = linear_index(indices, sizes, builder)
        place = builder.table.place(panels, (group, panel.index, step, column))
        is_square = False
        loops, body = scheduler.collapse(
            loops, [StoreElement(panels, place, self.sums.to_memory(value))]
        )
        (store,) = body
        assert isinstance(store, StoreElement)
        if loops and is_consecutive(store.value, loops[-1]) and loops[-1].extent >= tile.width > 1:
            strip, index, vector = scheduler.strip(loops[-1].extent, tile.width)
            vector.body = substitute_indices(body, [(loops[-1].atom, index)])
            loops = [*loops[:-1], strip]
            body, is_square = [Loop(lane, tile.width, "unroll", [vector])], True
        else:
            body = [Loop(lane, tile.width, "vector", body)]
        copied = tile.over_vectors(part, body, is_square=is_square)
        statements = scheduler.parallel([*outer, panel, *loops], [copied])
        self.factors.add_launch(builder, "rhs", statements, (scratch, panels))
        self.factors.intermediates.append((scratch, panels))
        return panels

    def words(self, tile: WordTile, sums: Sums) -> Buffer:
        """The kernel in words, ``(panel, point, word, line, feature)``, by a launch before."""
        geometry, builder = self.geometry, self.factors.builder(self.geometry.kernel)
        table, points = builder.table, geometry.windows.sizes[1]
        panels = -(-self.factors.columns // tile.width)
        shape = (panels, points, tile.words, tile.lines, tile.width)
        buffer = Buffer("kernel", sums.storage, shape)
        scratch = Scratch(buffer.bytes)
        block = Tile(1, 1, tile.width)
        panel, first = block.starts(builder.scheduler, self.factors.columns, tile.width)
        (point,), loops = builder.dimensions((points,))
        lane, zero = builder.scheduler.index(tile.width), table.sum(0, ())

        def factor(row: int) -> Expression:
            index = geometry.kernel_index(first + lane, [table.sum(row, ()), point], zero, zero)
            value = sums.factor(builder.elements.at(geometry.kernel, index)[0], geometry.kernel)
            return sums.narrow_factor(value)

        stores: list[Statement] = []
        for word, line in product(range(tile.words), range(tile.lines)):
            if tile.has_factors(word, line):
                place = table.place(
                    buffer, (panel.index, point, table.sum(word, ()), table.sum(line, ()), lane)
                )
                stores.append(StoreElement(buffer, place, tile.word_of_factors(word, line, factor)))
        body = [Loop(lane, tile.width, "vector", stores)]
        statements = builder.scheduler.parallel([panel, *loops], body)
        self.factors.add_launch(builder, "rhs", statements, (scratch, buffer))
        self.factors.intermediates.append((scratch, buffer))
        return buffer

    @property
    def has_starts(self) -> bool:
        """Whether sums begin with what is subtracted from them, which a launch before computes.

        Of a constant kernel it is computed when a program is compiled.
        """
        return self.sums.is_corrected and (
            self.sums.is_in_tiles or self.factors.has_constant_kernel
        )

    def start_of(
        self, table: Expressions, sums: Sums, group: Expression, first: Expression
    ) -> Callable[[Expression], Expression]:
        """The start of the sums of a column: products of the kernel with the zero point.

        Args:
            table: Makes the expressions of the kernel that multiplies.
            sums: The arithmetic.
            group: The index of the feature group.
            first: The first column of a tile; what is returned takes the one of a sum in it.
        """
        geometry, builder = self.geometry, self.factors.builder(self.geometry.kernel)
        buffer = Buffer("starts", sums.register, (self.factors.groups, self.factors.columns))
        scratch = Scratch(buffer.bytes)
        (kernel_group, column), loops = builder.dimensions(buffer.shape)
        sizes = (*geometry.windows.sizes, geometry.inputs)
        (*steps, feature), depth = builder.dimensions(sizes)
        kernel_group_, output = self.factors.split(builder, kernel_group, column)
        index = geometry.kernel_index(kernel_group_, steps, feature, output)
        value = sums.factor(builder.elements.at(geometry.kernel, index)[0], geometry.kernel)
        start = starts_kernel(
            builder,
            f"{self.factors.name}_start",
            sums,
            (scratch, buffer),
            (kernel_group, column),
            value,
            loops,
            depth,
        )
        self.factors.before.append(start)
        self.factors.intermediates.append((scratch, buffer))
        return lambda lane: table.load(buffer, (group, first + lane))

    def start(
        self, table: Expressions, group: Expression, first: Expression
    ) -> Callable[[Expression], Expression] | None:
        """As ``start_of``; None if sums do not begin with what a launch before computes."""
        return self.start_of(table, self.sums, group, first) if self.has_starts else None

    def starts(
        self, table: Expressions, group: Expression, first: Expression
    ) -> Callable[[int], TileRows] | None:
        """Where the initial values of sums are, from a column of a block on; None if all are zero.

        Args:
            table: Makes the places of the kernel that multiplies.
            group: The index of the feature group.
            first: The first column of the block.
        """
        start = self.start(table, group, first)
        if start is None:
            return None

        def rows(column: int) -> TileRows:
            load = start(table.sum(column, ()))
            return TileRows(load.detail, load.operands[0], 0)

        return rows


def is_consecutive(value: Expression, loop: LoopDimension) -> bool:
    """Whether a value is loaded from neighbors along a loop."""
    loads = [expression for expression in subexpressions([value]) if expression.operator == "load"]
    strides = [dict(terms_of(load.operands[0])[1]).get(loop.atom) for load in loads]
    return strides == [1]
