"""Blocks of matrices whose sums stay in tile registers.

A block is two tiles of rows by two tiles of columns at most. Each step of the depth loads a tile of
rows and one of columns for each, and multiplies each with each. Complete sums are stored on the
stack, from where the epilogue takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.register_tiles import Finish, Tile, nest_loops
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    ClearTile,
    Loop,
    MoveTile,
    MultiplyTiles,
    Statement,
    StoreElement,
    TileShape,
)
from stablemate.compiler.schedule.column_reductions import reduced_dimensions_of
from stablemate.compiler.schedule.reduction_loops import ReductionLoops
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import SizeValueError, is_symbolic, typical_of

MOST: Final = 16  # rows of a tile, and words of a row
ABREAST: Final = 2  # tiles of rows, and of columns, of a block
# A model of the time of a block on processors with AMX (docs/adr/0036).
LATENCY: Final = 9.5  # rows that an instruction takes time for at least
LOAD: Final = 0.6  # of the time for a row of a product
FEWEST_WORDS: Final = 5  # of a row for which an instruction is worth its time


@dataclass(frozen=True, slots=True)
class TileRows:
    """Where the rows of a tile are in memory.

    Attributes:
        buffer: The memory.
        place: Where the first one begins.
        stride: By how many elements each begins behind the one before.
    """

    buffer: Buffer
    place: Expression
    stride: int


def words_of_step(steps: int) -> int:
    """How many words of the depth an instruction takes: as many as divide all of them evenly."""
    return next(words for words in range(MOST, 0, -1) if steps % words == 0)


@dataclass(frozen=True, slots=True)
class TileBlock:
    """The extents of a block.

    Attributes:
        heights: The rows of each tile of rows.
        vectors: Tiles of columns.
        width: Columns of a tile.
    """

    heights: tuple[int, ...]
    vectors: int
    width: int

    @property
    def rows(self) -> int:
        """The number of rows of all tiles of the block."""
        return sum(self.heights)

    @property
    def results(self) -> Tile:
        """The extents of all results."""
        return Tile(self.rows, self.vectors, self.width)

    @property
    def cost(self) -> float:
        """The time of a step, in that of a row of an instruction."""
        products = self.vectors * sum(max(height, LATENCY) for height in self.heights)
        return max(products, (self.rows + self.vectors * MOST) * LOAD) + 1.0


def block_for(rows: int, columns: int) -> TileBlock:
    """The block for numbers of rows and columns: the one that takes the least time.

    Args:
        rows: How many rows the results have.
        columns: How many columns.

    Raises:
        SizeValueError: Rows whose number varies may be fewer than those of the block.
    """
    if is_symbolic(rows):
        block = block_for(typical_of(rows), columns)
        if block.rows > rows:
            raise SizeValueError("a block is larger than the product")
        return block

    def cost(block: TileBlock) -> float:
        count = -(-rows // block.rows) * -(-columns // (block.vectors * block.width))
        return count * block.cost

    sizes = range(min(rows, ABREAST * MOST), 0, -1)
    return min((b for size in sizes for b in blocks_of(heights_of(size), columns)), key=cost)


def blocks_of(heights: Sequence[int], columns: int) -> Iterator[TileBlock]:
    """The blocks of tiles of rows, with the most columns first."""
    width = MOST
    while width > columns:
        width //= 2
    for vectors in range(min(ABREAST, columns // width), 0, -1):
        yield TileBlock(tuple(heights), vectors, width)


def heights_of(rows: int) -> list[int]:
    """The rows of each tile of a block."""
    return [rows] if rows <= MOST else [-(-rows // ABREAST), rows // ABREAST]


class MatrixTiles:
    """Writes the statements of a block.

    Attributes:
        block: Its extents.
        totals: Where complete sums are.
    """

    def __init__(
        self, scheduler: LoopScheduler, block: TileBlock, words: int, sums: Sums, totals: Buffer
    ) -> None:
        """Writes for a block.

        Args:
            scheduler: Makes loops.
            block: Its extents.
            words: The words of the depth that an instruction takes.
            sums: The arithmetic.
            totals: Memory on the stack for complete sums; it gets as large as the block.
        """
        assert sums.packing is not None
        self.scheduler = scheduler
        self.block = block
        self.words = words
        self.operator = sums.packing.operator
        self.heights = block.heights
        self.columns = block.results.columns
        self.totals = totals
        self.totals.shape = (block.rows * self.columns,)

    @property
    def shapes(self) -> list[TileShape]:
        """The shapes of all tiles: of sums, of rows, and of columns."""
        width, parts = self.block.width, range(self.block.vectors)
        sums = [TileShape(height, width) for height in self.heights for _ in parts]
        rows = [TileShape(height, self.words) for height in self.heights]
        return [*sums, *rows, *[TileShape(self.words, width) for _ in parts]]

    def sum_tile(self, row: int, part: int) -> int:
        """The number of the tile of sums of a tile of rows and one of columns."""
        return row * self.block.vectors + part

    def first_row(self, row: int) -> int:
        """The first row of a tile of rows."""
        return sum(self.heights[:row])

    def step(
        self, left: Callable[[int], TileRows], right: Callable[[int], TileRows]
    ) -> list[Statement]:
        """Adds the products of a step to all sums.

        Args:
            left: A tile of rows, given the first one of the block.
            right: A tile of columns, given the first one of the block.
        """
        vectors = self.block.vectors
        rows = [len(self.heights) * vectors + i for i in range(len(self.heights))]
        parts = [rows[-1] + 1 + i for i in range(vectors)]

        def load(number: int, tile: TileRows) -> MoveTile:
            return MoveTile(number, tile.buffer, tile.place, tile.stride)

        statements: list[Statement] = []
        for i, row in enumerate(rows):
            statements.append(load(row, left(self.first_row(i))))
            for j, part in enumerate(parts):
                if i == 0:
                    statements.append(load(part, right(j * self.block.width)))
                statements.append(MultiplyTiles(self.operator, self.sum_tile(i, j), row, part))
        return statements

    def block_loops(
        self,
        steps: Sequence[Statement],
        finish: Finish,
        start: Callable[[int], TileRows] | None = None,
    ) -> list[Statement]:
        """The statements of a block: its sums, and the epilogue of each.

        Args:
            steps: What adds all products.
            finish: What is done with a sum, given its row, its column and its value.
            start: What sums begin with, given the first column of a tile; None: zeros.
        """
        block, table = self.block, self.scheduler.table
        tiles = [(i, j) for i in range(len(self.heights)) for j in range(block.vectors)]

        def first(i: int, j: int) -> Statement:
            number = self.sum_tile(i, j)
            if start is None:
                return ClearTile(number)
            rows = start(j * block.width)
            return MoveTile(number, rows.buffer, rows.place, rows.stride)

        def store_sum(i: int, j: int) -> Statement:
            place = table.sum(self.first_row(i) * self.columns + j * block.width, ())
            return MoveTile(self.sum_tile(i, j), self.totals, place, self.columns, stores=True)

        row, part, lane = map(self.scheduler.index, (block.rows, block.vectors, block.width))
        column = part * block.width + lane
        value = table.load_at(self.totals, row * self.columns + column)
        vector = Loop(lane, block.width, "vector", finish(row, column, value))
        over_parts = nest_loops([LoopDimension(part, block.vectors)], [vector])
        return [
            *[first(*tile) for tile in tiles],
            *steps,
            *[store_sum(*tile) for tile in tiles],
            Loop(row, block.rows, "serial", over_parts, apart=True),
        ]


def starts_kernel(
    builder: KernelBuilder, name: str, sums: Sums, memory: tuple[Scratch, Buffer],
    index: Sequence[Expression], factor: Expression, loops: Sequence[LoopDimension],
    depth: Sequence[LoopDimension],
) -> BuiltKernel:  # fmt: skip
    """The kernel that stores what sums begin with: for each column its sum times ``-excess``.

    Args:
        builder: Builds it.
        name: Its name.
        sums: The sums of products, and by what their left factors are too large.
        memory: Where the starts are stored.
        index: The place of one of them.
        factor: A factor of a column.
        loops: The loops over the columns.
        depth: The loops over the factors of a column.
    """
    (_, buffer), table = memory, builder.table

    def finish(total: Expression) -> Sequence[Statement]:
        excess = table.apply("mul", total, table.bits(-sums.excess, sums.register))
        return [StoreElement(buffer, table.place(buffer, index), excess)]

    reduction = ReductionLoops(sums.add, sums.register, sums.zero(table), factor)
    body, local_buffers = reduced_dimensions_of(builder.scheduler, loops, depth, reduction, finish)
    return builder.build_kernel(name, body, [memory], local_buffers)
