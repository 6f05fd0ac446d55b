"""Register tiles: blocks of results whose sums stay in registers.

A tile is ``rows`` results by ``vectors`` vectors of results. Each step of the depth takes one
element per row and one vector per column block, and multiplies each with each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.kernels.contraction.group_turns import GroupTurns
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, LoopKind, Statement, StoreElement
from stablemate.compiler.schedule.schedule import WIDE, LoopDimension, LoopScheduler
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import SizeValueError, divides, is_symbolic, typical_of


@dataclass(frozen=True, slots=True)
class RegisterFile:
    """The number of vector registers of a target, and their lanes.

    Attributes:
        all: How many there are.
        sums: Vectors of sums of an image; what is left holds a row's element and a column block.
        far: The time of a vector of an image's columns beyond that of its products, in products
            of vectors, where the nearest cache does not hold all columns. With vectors of 64 bytes
            there are so many sums that it was not seen.
    """

    all: int
    sums: int
    far: float = 0.0


FAR: Final = 0.5  # products of vectors in the time of a vector of columns, beyond a load
REGISTERS: Final[Mapping[int, RegisterFile]] = {
    64: RegisterFile(32, 28),
    32: RegisterFile(16, 12, FAR),
    16: RegisterFile(16, 12, FAR),
}
# The model of a tile's time and the sizes of its parts. More vectors reuse a factor more often,
# and need registers; larger groups read rows less often, and need more of the caches; more parts
# balance threads, and copy columns more often. ``python -m benchmarks.heuristics`` measures
# BLOCK, GROUP, FEWEST_UNITS, FEW, LATENCY and LOAD: programs with half and double of one have
# 0.97 to 1.02 of the speed (benchmarks/results/heuristics.md).
BLOCK: Final = 2  # vectors of a row, where there are enough rows
MOST_VECTORS: Final = 8
MOST_BLOCK: Final = 4  # vectors of a row of a tile of an image
GROUP: Final = 1 << 19  # bytes of columns that all rows pass over before the next ones
Finish = Callable[[Expression, Expression, Expression], Sequence[Statement]]
Factor = Callable[[Expression, Expression], Expression]  # of a row or a turn, and a column
UNITS: Final = 16  # parts of a launch, each of which copies the columns that it works on
MOST_PRODUCTS: Final = 1 << 30  # of a part with several groups: nobody waits long for its end
FEWEST_UNITS: Final = 8  # parts that are enough to be shared by threads
FEW: Final = 1 << 12  # results
SEVERAL: Final = 32  # rows or columns from which on a tile is as good for more of them
ABOUT: Final = 1.15  # times the fewest cycles
LATENCY: Final = 8  # sums that are being added to at the same time
LOAD: Final = 1.25  # products of vectors in the time of a load


@dataclass(frozen=True, slots=True)
class Tile:
    """The extents of a tile.

    Attributes:
        rows: Results in the one direction, each a factor that all lanes share.
        vectors: Vectors of results in the other direction.
        width: Lanes of a vector.
    """

    rows: int
    vectors: int
    width: int

    @property
    def columns(self) -> int:
        """The columns of results that a tile keeps in registers."""
        return self.vectors * self.width

    def starts(
        self, scheduler: LoopScheduler, extent: int, size: int
    ) -> tuple[LoopDimension, Expression]:
        """A loop over tiles along an extent, and where each begins.

        The last one begins where it ends with the extent; it repeats results.
        """
        steps = -(-extent // size)
        step = scheduler.index(steps)
        first = step * size
        if not divides(size, extent):
            first = scheduler.table.least(first, extent - size)
        return LoopDimension(step, steps), first

    def chunks(
        self, scheduler: LoopScheduler, extent: int, size: int, most: int
    ) -> tuple[LoopDimension, LoopDimension, Expression]:
        """Loops over chunks of tiles along an extent, and over the tiles of one; where each begins.

        Args:
            scheduler: Makes loops.
            extent: The extent.
            size: That of a tile.
            most: The tiles of a chunk.
        """
        count = -(-extent // size)
        chunks = -(-count // max(1, most))
        length = -(-count // chunks)
        chunk = LoopDimension(scheduler.index(chunks), chunks)
        tile = LoopDimension(scheduler.index(length), length)
        number = chunk.index * length + tile.index
        if count % length:
            number = scheduler.table.least(number, count - 1)
        first = number * size
        if extent % size:
            first = scheduler.table.least(first, extent - size)
        return chunk, tile, first

    def over_vectors(self, part: Expression, body: Sequence[Statement], *, is_square: bool) -> Loop:
        """A loop over the vectors of a row; of squares, whose code is long, it is written once."""
        kind: LoopKind = "serial" if is_square else "unroll"
        return Loop(part, self.vectors, kind, body, apart=is_square)

    def column_groups(
        self, scheduler: LoopScheduler, columns: int, depth: int
    ) -> tuple[LoopDimension, LoopDimension, Expression, Expression]:
        """Loops over groups of column tiles and over those of one; a tile's number and start.

        Args:
            scheduler: Makes the loops.
            columns: How many there are.
            depth: Bytes of the factors of one column.
        """
        count = -(-columns // self.columns)
        most = min(max(1, GROUP // (typical_of(depth) * self.columns)), count)
        length = most
        if not is_symbolic(count):
            length = next(length for length in range(most, 0, -1) if count % length == 0)
        groups = -(-count // length)
        group = LoopDimension(scheduler.index(groups), groups)
        panel = LoopDimension(scheduler.index(length), length)
        before = group.index * length
        if not divides(length, count):  # the last group begins where it ends with the columns
            before = scheduler.table.least(before, count - length)
        number = before + panel.index
        first = scheduler.table.least(number * self.columns, columns - self.columns)
        return group, panel, number, first


def tile_for(
    rows: int, columns: int, register: str, vector_bytes: int, *, spare: bool = False,
    has_products: bool = False,
) -> Tile:  # fmt: skip
    """The register tile for numbers of rows and columns: the one that takes the fewest cycles.

    Of few results, whose code takes longer to make than to run, it is the one with the fewest sums
    of those that take about as many cycles.

    Args:
        rows: How many rows the results have.
        columns: How many columns.
        register: The type of a sum.
        vector_bytes: Bytes of a vector register.
        spare: Whether registers of one more row are left for the correction of packed factors.
        has_products: Whether a register is left for products that are not added yet.
    """
    if is_symbolic(rows) or is_symbolic(columns):
        numbers = typical_of(rows), typical_of(columns)
        tile = tile_for(*numbers, register, vector_bytes, spare=spare, has_products=has_products)
        if tile.rows > rows or tile.columns > columns:
            raise SizeValueError("a tile is larger than the product")
        for number, extent in zip(numbers, (rows, columns), strict=True):
            if (number < SEVERAL) != (extent < SEVERAL):
                raise SizeValueError("a tile is chosen for products of this size")
        return tile
    registers = REGISTERS[vector_bytes]
    width = vector_bytes // max(WIDE, BYTES[register])
    while width > columns:
        width //= 2
    candidates: list[tuple[float, Tile]] = []
    for vectors in range(1, min(columns // width, MOST_VECTORS) + 1):
        most = min(rows, (registers.all - 1 - has_products) // vectors - 1 - spare)
        for size in range(most, 0, -1):
            count = -(-rows // size) * -(-columns // (vectors * width))
            cost = count * step_cost(size + spare, vectors)
            candidates.append((cost, Tile(size, vectors, width)))
    least = min(cost for cost, _ in candidates)
    if rows * columns > FEW:
        return next(tile for cost, tile in candidates if cost == least)
    near = [tile for cost, tile in candidates if cost <= least * ABOUT]
    return min(near, key=lambda tile: tile.rows * tile.vectors)


def step_cost(rows: int, vectors: int) -> float:
    """The cost of one step of a tile, in products of vectors.

    There are as many loads as products in a cycle, but they come from caches; sums are added to one
    after the other; a vector of columns is farther away than the element of a row.
    """
    return max(rows * vectors, (rows + vectors) * LOAD, LATENCY) + 1.0 + vectors * FAR


@dataclass(frozen=True, slots=True)
class ColumnShare:
    """Column tiles cut into groups, and those among the parts of a launch.

    Attributes:
        tile: The tile.
        columns: How many columns there are.
        length: Tiles of a group.
        groups: The groups of a part, one after the other.
        units: Parts of a launch.
    """

    tile: Tile
    columns: int
    length: int
    groups: int
    units: int

    @staticmethod
    def of(tile: Tile, columns: int, depth: int, launches: int, products: int) -> ColumnShare:
        """The share that repeats the least; of these, the one of the longest groups.

        Args:
            tile: The tile.
            columns: How many columns there are.
            depth: Bytes of the factors of one column.
            launches: How often all of it is done.
            products: What each column is the sum of, for all rows.
        """
        if is_symbolic(columns):
            usual = ColumnShare.of(tile, typical_of(columns), depth, launches, products)
            count = -(-columns // tile.columns)
            if count < usual.length:
                raise SizeValueError("a group is larger than the product")
            total = -(-count // usual.length)
            return replace(usual, columns=columns, units=-(-total // usual.groups))
        count = -(-columns // tile.columns)
        most = max(1, min(GROUP // (typical_of(depth) * tile.columns), count))
        if launches < FEWEST_UNITS:
            most = max(1, min(most, count // FEWEST_UNITS))

        def share(length: int) -> ColumnShare:
            total = -(-count // length)
            fitting = MOST_PRODUCTS // max(1, typical_of(products) * length * tile.columns)
            groups = min(-(-total // UNITS), max(1, fitting))
            return ColumnShare(tile, columns, length, groups, -(-total // groups))

        shares = [share(units) for units in range(most, 0, -1)]
        return min(
            shares, key=lambda candidate: candidate.units * candidate.groups * candidate.length
        )

    def first(self, unit: Expression, group: Expression, panel: Expression) -> Expression:
        """The first column of a tile; tiles overlap where the columns do not divide evenly."""
        table, size = unit.table, self.tile.columns
        count = -(-self.columns // size)
        first = (unit * self.groups + group) * self.length
        number = table.least(first, count - self.length) + panel
        return table.least(number * size, self.columns - size)


class TileNest:
    """Writes the statements of a tile."""

    def __init__(
        self,
        scheduler: LoopScheduler,
        tile: Tile,
        sums: Sums,
        accumulators: Buffer,
        turns: GroupTurns | None = None,
        start: Callable[[Expression], Expression] | None = None,
    ) -> None:
        """Writes for a tile.

        Args:
            scheduler: Makes loops.
            tile: The extents.
            sums: The arithmetic.
            accumulators: Where complete sums are: on the stack, or where they were added up.
            turns: The turns of groups that are shorter than a vector: a point has a row of sums
                for each.
            start: What the sums of a column begin with, less what packed left factors are too
                large by; None if they begin with zero, and that is subtracted from them.
        """
        self.scheduler = scheduler
        self.start = start
        self.turns = turns
        self.points = tile.rows
        if turns is not None:
            tile = replace(tile, rows=tile.rows * turns.size)
        self.tile = tile
        self.sums = sums
        self.accumulators = accumulators
        self.accumulators.shape = (tile.rows * tile.columns,)
        in_place = accumulators.scope == "register"
        self.totals = (
            accumulators
            if in_place
            else Buffer("sums", sums.register, accumulators.shape, "register")
        )
        self.line = Buffer("line", sums.register_type, (tile.columns,), "register")
        self.features: Buffer | None = None
        if turns is not None:
            shape = (self.points * tile.columns,)
            self.features = Buffer("features", sums.register_type, shape, "register")
        self.correction: Buffer | None = None
        if sums.is_corrected and start is None:
            self.correction = Buffer("correction", sums.register, (tile.columns,), "register")

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers in registers and on the stack."""
        others = [buffer for buffer in (self.correction, self.features) if buffer is not None]
        return list(dict.fromkeys((self.totals, self.line, *others, self.accumulators)))

    def over_rows(self, statements: Callable[[Expression], Sequence[Statement]]) -> Loop:
        """Unrolls statements over the rows of a tile."""
        row = self.scheduler.index(self.tile.rows)
        return Loop(row, self.tile.rows, "unroll", statements(row))

    def over_columns(self, statement: Callable[[Expression], Sequence[Statement]]) -> Loop:
        """Statements for each vector of columns."""
        part, lane = self.scheduler.index(self.tile.vectors), self.scheduler.index(self.tile.width)
        column = part * self.tile.width + lane
        vector = Loop(lane, self.tile.width, "vector", statement(column))
        return Loop(part, self.tile.vectors, "unroll", [vector])

    def place(self, row: Expression, column: Expression) -> Expression:
        """Returns the position of a sum."""
        return row * self.tile.columns + column

    def clear_sums(self) -> list[Statement]:
        """Sets all sums to what they begin with."""
        zero, start = self.sums.zero(self.scheduler.table), self.start

        def clear(row: Expression, column: Expression) -> Statement:
            value = zero if start is None else start(column)
            return StoreElement(self.totals, self.place(row, column), value)

        return [self.over_sums(clear), *self.clear_correction()]

    def clear_correction(self) -> list[Statement]:
        """Sets what is subtracted from sums to zero, if there is anything."""
        correction, zero = self.correction, self.sums.zero(self.scheduler.table)
        if correction is None:
            return []
        return [self.over_columns(lambda column: [StoreElement(correction, column, zero)])]

    def subtract_excess(self) -> list[Statement]:
        """Subtracts from all sums what left factors in memory are too large by."""
        correction, table = self.correction, self.scheduler.table
        if correction is None:
            return []

        def subtract(row: Expression, column: Expression) -> Statement:
            place = self.place(row, column)
            total, excess = table.load_at(self.totals, place), table.load_at(correction, column)
            return StoreElement(self.totals, place, table.apply("sub", total, excess))

        return [
            self.over_rows(lambda row: [self.over_columns(lambda column: [subtract(row, column)])])
        ]

    def step(
        self,
        left: Factor,
        right: Callable[[Expression], Expression],
    ) -> list[Statement]:
        """Adds one product to every sum: the factor of its row times that of its column.

        Args:
            left: The factor of a row; it may depend on the column, too.
            right: The factor of a column.
        """
        table = self.scheduler.table

        def add_row(row: Expression) -> list[Statement]:
            def add_product(column: Expression) -> list[Statement]:
                factors = left(row, column), table.load_at(self.line, column)
                return [self.sums.add_product(self.totals, self.place(row, column), *factors)]

            return [self.over_columns(add_product)]

        products: list[Statement] = [
            self.over_columns(lambda column: [StoreElement(self.line, column, right(column))]),
            self.over_rows(add_row),
        ]
        correction = self.correction
        if correction is not None:
            excess = table.bits(self.sums.correction, "i32")
            products.append(
                self.over_columns(
                    lambda column: [
                        self.sums.add_product(
                            correction, column, excess, table.load_at(self.line, column)
                        )
                    ]
                )
            )
        return products

    def products(self, left: Factor, right: Factor) -> list[Statement]:
        """Adds the products of a step, in turns if there are any.

        Args:
            left: The factor of a row and a column.
            right: The factor of a turn and a column.
        """
        if self.turns is not None:
            return self.turned_step(left, right)
        once = self.scheduler.table.sum(0, ())
        return self.step(left, lambda column: right(once, column))

    def turned_step(self, left: Factor, right: Factor) -> list[Statement]:
        """Adds the products of all turns of a step.

        Args:
            left: The factor of a point and a column.
            right: The factor of a turn and a column.
        """
        table, turns, features = self.scheduler.table, self.turns, self.features
        assert turns is not None
        assert features is not None
        columns, over_columns = self.tile.columns, self.over_columns
        point, again, turn = map(self.scheduler.index, (self.points, self.points, turns.size))

        def keep(column: Expression) -> list[Statement]:
            return [StoreElement(features, point * columns + column, left(point, column))]

        def add(column: Expression) -> list[Statement]:
            feature = table.load_at(features, again * columns + column)
            place = self.place(again * turns.size + turn, column)
            return [
                self.sums.add_product(self.totals, place, feature, table.load_at(self.line, column))
            ]

        def keep_factor(column: Expression) -> list[Statement]:
            return [StoreElement(self.line, column, right(turn, column))]

        over_points = Loop(again, self.points, "unroll", [over_columns(add)])
        return [
            Loop(point, self.points, "unroll", [over_columns(keep)]),
            Loop(turn, turns.size, "unroll", [over_columns(keep_factor), over_points]),
        ]

    def tile_loops(self, steps: Sequence[Statement], finish: Finish) -> list[Statement]:
        """Returns the loops of a tile: its sums, and the epilogue of each.

        Sums are added up apart: that code depends on strides and extents alone. Where they are
        complete in memory, what is done with them is apart as well.

        Args:
            steps: What adds all products.
            finish: What is done with a sum, given its row, its column and its value.
        """
        store, *rest = self.apply_epilogue(finish)
        once = self.scheduler.index(1)
        sums = [*self.clear_sums(), *steps, *self.subtract_excess(), store]
        return [Loop(once, 1, "serial", sums, apart=True), *rest]

    def resume(self, start: Expression, steps: Sequence[Statement]) -> list[Statement]:
        """Adds products to the sums of a tile that wait in memory.

        Args:
            start: The place of the first sum.
            steps: What adds the products.
        """
        table, shelf = self.scheduler.table, self.accumulators

        def load(row: Expression, column: Expression) -> Statement:
            place = self.place(row, column)
            return StoreElement(self.totals, place, table.load_at(shelf, start + place))

        def store(row: Expression, column: Expression) -> Statement:
            place = self.place(row, column)
            return StoreElement(shelf, start + place, table.load_at(self.totals, place))

        before = [self.over_sums(load), *self.clear_correction()]
        sums = [*before, *steps, *self.subtract_excess(), self.over_sums(store)]
        return [Loop(self.scheduler.index(1), 1, "serial", sums, apart=True)]

    def over_sums(self, statement: Callable[[Expression, Expression], Statement]) -> Loop:
        """A statement for each sum, given its row and its column."""
        return self.over_rows(
            lambda row: [self.over_columns(lambda column: [statement(row, column)])]
        )

    def apply_epilogue_from(self, start: Expression, finish: Finish) -> list[Statement]:
        """Applies the epilogue to the sums of a tile that are complete in memory.

        Args:
            start: The place of the first sum.
            finish: What is done with a sum, given its row, its column and its value.
        """
        tile, table = self.tile, self.scheduler.table
        row, part, lane = map(self.scheduler.index, (tile.rows, tile.vectors, tile.width))
        column = part * tile.width + lane
        value = table.load_at(self.accumulators, start + self.place(row, column))
        vector = Loop(lane, tile.width, "vector", finish(row, column, value))
        over_parts = nest_loops([LoopDimension(part, tile.vectors)], [vector])
        return [Loop(row, tile.rows, "serial", over_parts, apart=True)]

    def apply_epilogue(self, finish: Finish) -> list[Statement]:
        """Applies the epilogue to every sum, given its row, its column and its value.

        From memory that is written once for all sums, and takes no registers from the
        loop over the depth; in registers it is written for each.
        """
        table, tile = self.scheduler.table, self.tile
        if self.accumulators is self.totals:
            return [
                self.over_rows(
                    lambda row: [
                        self.over_columns(
                            lambda column: finish(
                                row, column, table.load_at(self.totals, self.place(row, column))
                            )
                        )
                    ]
                )
            ]

        def copy_sum(row: Expression, column: Expression) -> Sequence[Statement]:
            place = self.place(row, column)
            return [StoreElement(self.accumulators, place, table.load_at(self.totals, place))]

        row, part, lane = map(self.scheduler.index, (self.points, tile.vectors, tile.width))
        column = part * tile.width + lane
        body: list[Statement] = []
        place = self.place(row, column)
        if self.turns is not None:
            shelf = self.accumulators
            body = [self.turns.total(self.sums, shelf, row, column, tile.columns)]
            place = self.place(row * self.turns.size, column)
        body += finish(row, column, table.load_at(self.accumulators, place))
        vector = Loop(lane, tile.width, "vector", body)
        over_parts = nest_loops([LoopDimension(part, tile.vectors)], [vector])
        return [
            self.over_rows(lambda row: [self.over_columns(lambda column: copy_sum(row, column))]),
            Loop(row, self.points, "serial", over_parts, apart=True),
        ]


def tile_of_images(
    sizes: tuple[int, int],
    columns: int,
    register: str,
    vector_bytes: int,
    *,
    spare: bool = False,
    has_products: bool = False,
    turns: int = 1,
    is_near: bool = False,
) -> tuple[Tile, int]:
    """The tile for results at the points of an image, and how many points of a line it has.

    For symbolic sizes it is that of typical ones, if it is no larger than any image.

    Args:
        sizes: Lines, and points of a line.
        columns: The results of a point.
        register: The type of a sum.
        vector_bytes: Bytes of a vector register.
        spare: Whether registers of one more row are left for the correction of packed factors.
        has_products: Whether a register is left for products that are not added yet; adding them
            takes time in which a row more is loaded.
        turns: The sums of a result.
        is_near: Whether the nearest cache holds the factors of all columns.
    """
    if is_symbolic(sizes[0]) or is_symbolic(sizes[1]):
        typical = typical_of(sizes[0]), typical_of(sizes[1])
        tile, points = tile_of_images(
            typical, columns, register, vector_bytes, spare=spare, has_products=has_products,
            turns=turns, is_near=is_near,
        )  # fmt: skip
        if tile.rows // points > sizes[0] or points > sizes[1]:
            raise SizeValueError("a tile is larger than an image")
        return tile, points
    width = vector_bytes // max(WIDE, BYTES[register])
    while width > columns:
        width //= 2
    registers = REGISTERS[vector_bytes]
    far = 0.0 if is_near or turns > 1 else registers.far
    best: tuple[float, Tile, int] | None = None
    for vectors in range(1, min(MOST_BLOCK if turns == 1 else 1, columns // width) + 1):
        most = (registers.all - 1 - has_products) // vectors - 1 - spare
        most = min(registers.sums // BLOCK + has_products, most)
        if turns > 1:  # each point has its sums and its features in registers
            most = (registers.all - 1) // (turns + 1)
        for points in range(1, min(most, sizes[1]) + 1):
            for lines in range(1, min(most // points, sizes[0]) + 1):
                rows = lines * points
                count = -(-sizes[0] // lines) * -(-sizes[1] // points)
                steps = count * -(-columns // (vectors * width))
                loads = (rows + turns) * LOAD if turns > 1 else 0.0
                products = max(rows * vectors * turns, loads, LATENCY)
                cost = steps * (products + 1.0 + vectors * far)
                if best is None or cost <= best[0]:
                    best = cost, Tile(rows, vectors, width), points
    assert best is not None
    return best[1:]


def nest_loops(dimensions: Sequence[LoopDimension], body: Sequence[Statement]) -> list[Statement]:
    """Serial loops, the first one outermost."""
    result: list[Statement] = list(body)
    for dimension in reversed(dimensions):
        result = [Loop(dimension.index, dimension.extent, "serial", result)]
    return result
