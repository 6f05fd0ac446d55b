"""Products of many rows with a panel of columns, block by block of the depth.

Each tile of rows reads the whole panel. One that the second cache does not hold beside all else
comes from a farther one each time, and from memory at first, while nothing is multiplied. So the
depth is cut into blocks that the nearest cache holds. All tiles pass over a block before the next
one, of which each fetches a share meanwhile. Sums wait in memory between blocks. They are added up
in the same order as without blocks, and have the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from stablemate.compiler.kernels.contraction.matrix_operands import LINE
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.register_tiles import (
    Finish,
    Tile,
    TileNest,
    nest_loops,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Fetch,
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.schedule.schedule import (
    LoopDimension,
    LoopScheduler,
    subexpressions,
    substitute_indices,
)

# Bytes of a panel from which on blocks pay. Convolutions of 3 x 3 points, two cores of Sapphire
# Rapids, in turns: 512 features at 7 x 7 points (576 KiB) 1.07 to 1.15 times as fast, at 8 x 8
# points 1.15 to 1.2; 128 at 28 x 28 (147 KiB) and 64 at 56 x 56 (74 KiB) 0.9 to 0.95. A tile of
# vectors of 32 bytes has fewer sums for each vector of a panel that it reads: 512 at 7 x 7 points
# (442 KiB) 1.21, 256 at 14 x 14 (221 KiB) 1.12, 128 at 28 x 28 (110 KiB) 1.03 times as fast.
FAR: Final = 1 << 19
FAR_OF_SHORT_VECTORS: Final = 1 << 16
LONG_VECTOR: Final = 64  # bytes
BLOCK_BYTES: Final = 3 << 13  # of factors: half of the nearest cache; rows and sums have the rest
SHELF_BYTES: Final = 1 << 15  # of sums that wait
FEWEST_STEPS: Final = 32  # of a block, in which sums are loaded and stored once
FEWEST_TILES: Final = 3  # that pass over a block


def tiles_on_shelf(tile: Tile, sums: Sums) -> int:
    """How many tiles have sums that wait at the same time."""
    return SHELF_BYTES // (tile.rows * tile.columns * BYTES[sums.register])


def steps_of_block(extent: int, columns: int, size: int) -> int:
    """The steps of a block, a divisor of those of a loop; 0 if no divisor suits.

    Args:
        extent: The steps of the loop.
        columns: The columns of a panel.
        size: Bytes of a factor.
    """
    most = min(BLOCK_BYTES // (columns * size), extent)
    suitable = range(most, FEWEST_STEPS - 1, -1)
    return next((steps for steps in suitable if extent % steps == 0), 0)


class DepthBlocks:
    """Writes the statements of tiles that pass over a panel block by block.

    Attributes:
        block: The loop over the blocks of the innermost loop of the depth.
        step: The loop over the steps of a block.
        whole: The loop that is cut.
    """

    def __init__(
        self, scheduler: LoopScheduler, whole: LoopDimension, steps: int,
        tiles: Sequence[LoopDimension],
    ) -> None:  # fmt: skip
        """Cuts a loop.

        Args:
            scheduler: Makes loops.
            whole: The innermost loop of the depth.
            steps: The steps of a block.
            tiles: The loops over tiles.
        """
        self.scheduler = scheduler
        self.whole = whole
        blocks = whole.extent // steps
        self.block = LoopDimension(scheduler.index(blocks), blocks)
        self.step = LoopDimension(scheduler.index(steps), steps)
        self.tiles = tiles
        self.count = prod(loop.extent for loop in tiles)

    @staticmethod
    def pay(tile: Tile, sums: Sums, depth: int, innermost: int, tiles: int) -> bool:
        """Whether blocks are faster.

        Args:
            tile: The tile.
            sums: The arithmetic.
            depth: The steps of the depth.
            innermost: Those of its innermost loop.
            tiles: How many tiles of rows there are.
        """
        size = BYTES[sums.storage]
        is_long = tile.width * BYTES[sums.register] >= LONG_VECTOR
        is_far = depth * tile.columns * size > (FAR if is_long else FAR_OF_SHORT_VECTORS)
        is_cut = steps_of_block(innermost, tile.columns, size) > 0
        return is_far and is_cut and tiles >= FEWEST_TILES

    @staticmethod
    def of(
        scheduler: LoopScheduler, tile: Tile, sums: Sums, whole: LoopDimension,
        tiles: Sequence[LoopDimension],
    ) -> DepthBlocks:  # fmt: skip
        """The blocks of a loop whose innermost dimension can be cut."""
        steps = steps_of_block(whole.extent, tile.columns, BYTES[sums.storage])
        return DepthBlocks(scheduler, whole, steps, tiles)

    @property
    def number(self) -> Expression:
        """The number of a tile."""
        number = self.scheduler.table.sum(0, ())
        for loop in self.tiles:
            number = number * loop.extent + loop.index
        return number

    def cut(
        self, steps: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> tuple[list[LoopDimension], list[Statement]]:
        """The loops over the depth, of which the innermost one is cut, and what is in them."""
        index = self.block.index * self.step.extent + self.step.index
        loops = [*steps[:-1], self.block, self.step]
        return loops, substitute_indices(body, [(self.whole.atom, index)])

    def statements(
        self,
        nest: TileNest,
        steps: Sequence[LoopDimension],
        products: Sequence[Statement],
        factor: Expression,
        finish: Finish,
    ) -> list[Statement]:
        """Clears the sums, adds up all blocks, and applies the epilogue to complete sums.

        Args:
            nest: Writes the statements of a tile; its complete sums are in memory.
            steps: The loops over the depth, cut.
            products: What adds the products of a step.
            factor: The first factor of a panel at a step.
            finish: What is done with a sum, given its row, its column and its value.
        """
        size = nest.tile.rows * nest.tile.columns
        shelf, start = nest.accumulators, self.number * size
        shelf.shape = (self.count * size,)
        step = nest_loops([self.step], [*products, *self.fetches(nest, factor)])
        return [
            self.clear_sums(nest),
            *nest_loops([*steps[:-1], *self.tiles], nest.resume(start, step)),
            *nest_loops(self.tiles, nest.apply_epilogue_from(start, finish)),
        ]

    def clear_sums(self, nest: TileNest) -> Loop:
        """Sets all sums to what they begin with."""
        shelf, width = nest.accumulators, nest.tile.width
        vectors = shelf.elements // width
        vector, lane = self.scheduler.index(vectors), self.scheduler.index(width)
        value = nest.sums.zero(self.scheduler.table)
        if nest.start is not None:
            value = nest.start(vector % nest.tile.vectors * width + lane)
        stores = [StoreElement(shelf, vector * width + lane, value)]
        return Loop(vector, vectors, "serial", [Loop(lane, width, "vector", stores)])

    def fetches(self, nest: TileNest, factor: Expression) -> list[Fetch]:
        """Fetches what of the next block is the share of a step of a tile."""
        columns = nest.tile.columns
        (load,) = [part for part in subexpressions([factor]) if part.operator == "load"]
        buffer: Buffer = load.detail
        buffer.ahead = 0
        zero = self.scheduler.table.sum(0, ())
        begin = substitute_expression(load.operands[0], {self.step.atom: zero}, {})
        share = -(-columns // self.count)
        turn = self.number * self.step.extent + self.step.index
        first = begin + columns * self.step.extent + turn * share
        return [Fetch(buffer, first + i) for i in range(0, share, LINE // BYTES[buffer.type])]
