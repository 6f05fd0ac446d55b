"""Operands of dots as matrices: read in place, or packed into a better layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import Packing, Sums, side_by_side
from stablemate.compiler.kernels.contraction.register_tiles import Tile
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer, Scope
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BITS, BYTES
from stablemate.compiler.loops.statements import (
    Fetch,
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.schedule.schedule import LoopDimension, subexpressions, substitute_indices
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import typical_of

Reader = Callable[[Expression, Expression], Expression]  # free index, depth index -> factor
# To compute an element for each tile that reads it saves a copy of the matrix, for so many
# instructions a time.
CHEAP: Final = 6  # operations of an element that may be computed several times
ALIAS: Final = 2048  # bytes: rows at a multiple of it fall into few sets of a cache
LINE: Final = 64  # bytes of a line of a cache
# Bytes between a vector of factors that is loaded and what is fetched: processors look ahead within
# a page of 4,096 bytes only.
AHEAD: Final = 4096
NEAREST: Final = 1 << 15  # bytes that stay in the nearest cache
SECOND: Final = 1 << 20  # bytes that stay in the second one


@dataclass(frozen=True, slots=True)
class ContractionOperand:
    """An operand and the roles of its dimensions in the product.

    Attributes:
        tensor: The operand.
        batch: Its batching dimensions.
        free: The dimensions that the result has from it.
        depth: Its contracting dimensions.
        is_left: Whether it holds the left factors, which may have a bias.
    """

    tensor: Tensor
    batch: Sequence[int]
    free: Sequence[int]
    depth: Sequence[int]
    is_left: bool = False

    def sizes(self, dimensions: Sequence[int]) -> tuple[int, ...]:
        """The sizes of some of its dimensions."""
        return tuple([self.tensor.shape[d] for d in dimensions])

    def steps(self, sums: Sums) -> tuple[int, ...]:
        """The sizes of its contracting dimensions; packed factors share a step of the last one."""
        sizes = self.sizes(self.depth)
        return (*sizes[:-1], sizes[-1] // sums.factors) if sizes else ()

    def factor(
        self,
        builder: KernelBuilder,
        sums: Sums,
        batch: Sequence[Expression],
        free: Sequence[Expression],
        depth: Sequence[Expression],
    ) -> Expression:
        """An element in the type of products, or neighbors in the depth in an ``i32``."""
        if sums.packing:
            *outer, last = depth
            scalar = sums.scalar_factors
            packed = packed_factors(
                builder, sums, last,
                lambda step: self.factor(builder, scalar, batch, free, (*outer, step)),
            )  # fmt: skip
            return sums.add_bias(packed) if self.is_left else packed
        index: list[Expression] = [builder.elements.constant(0)] * len(self.tensor.shape)
        dimensions = (*self.batch, *self.free, *self.depth)
        for d, dimension in zip(dimensions, (*batch, *free, *depth), strict=True):
            index[d] = dimension
        (element,) = builder.elements.at(self.tensor, index)
        factor = sums.left_factor if self.is_left else sums.factor
        return factor(element, self.tensor)


class ComputedMatrix:
    """An operand whose elements are computed where they are read.

    Attributes:
        value: An element, as a factor.
        free: The loops that count rows or columns; at most one if this is a matrix.
        depth: The loops that count products of a sum; at most one if this is a matrix.
    """

    def __init__(
        self,
        builder: KernelBuilder,
        operand: ContractionOperand,
        sums: Sums,
        batch: Sequence[Expression],
    ) -> None:
        free, self.free = builder.dimensions(operand.sizes(operand.free))
        depth, self.depth = builder.dimensions(operand.steps(sums))
        value = operand.factor(builder, sums, batch, free, depth)
        self.free, value = builder.scheduler.as_one(self.free, value)
        self.depth, self.value = builder.scheduler.as_one(self.depth, value)

    @property
    def load(self) -> Expression | None:
        """The load of an element, widened at most, at a position that is linear in all indices."""
        if len(self.free) > 1 or len(self.depth) > 1:
            return None
        parts = [
            expression for expression in subexpressions([self.value]) if expression.type != "index"
        ]
        loads = [part for part in parts if part.operator == "load"]
        if len(loads) != 1 or len(parts) > CHEAP:
            return None
        atoms = [atom for atom, _ in terms_of(loads[0].operands[0])[1]]
        return loads[0] if all(atom.operator == "index" for atom in atoms) else None

    @property
    def is_plain(self) -> bool:
        """Whether its factors are elements in memory."""
        return self.load is self.value

    def stride(self, loops: Sequence[LoopDimension]) -> int:
        """The stride in memory along loops; 0 if the position is not linear in them."""
        load = self.load
        if load is None or not loops:
            return 0
        return dict(terms_of(load.operands[0])[1]).get(loops[0].atom, 0)

    def factor(self, free: Expression, depth: Expression) -> Expression:
        """An element of the matrix."""
        places = {dimension.atom: free for dimension in self.free} | {
            e.atom: depth for e in self.depth
        }
        return substitute_expression(self.value, places, {})


@dataclass(frozen=True, slots=True)
class ConsecutiveRows:
    """A copy of an operand whose rows are consecutive.

    Attributes:
        operand: The operand.
        sums: The arithmetic.
        buffer: Memory, ``(batch..., rows, depth)``.
        scratch: The same for the planner.
    """

    operand: ContractionOperand
    sums: Sums
    buffer: Buffer
    scratch: Scratch

    @staticmethod
    def of(operand: ContractionOperand, sums: Sums) -> ConsecutiveRows:
        """Memory for the rows of an operand, at distances that fill a cache evenly."""
        size = BYTES[sums.storage]
        batch, depth = operand.sizes(operand.batch), prod(operand.steps(sums))
        rows = prod(operand.sizes(operand.free))
        padded = depth + LINE // size if depth * size % ALIAS == 0 else depth
        buffer = Buffer("rows", sums.storage, (*batch, rows, padded))
        return ConsecutiveRows(operand, sums, buffer, Scratch(buffer.bytes))

    def build_kernel(self, builder: KernelBuilder, name: str) -> BuiltKernel:
        """Builds the kernel that copies rows to consecutive, possibly packed, memory."""
        operand, table, sums = self.operand, builder.table, self.sums
        buffer = scalar_view(self.buffer, sums.packing) if sums.packing else self.buffer
        batch, outer = builder.dimensions(operand.sizes(operand.batch))
        free, rows = builder.dimensions(operand.sizes(operand.free))
        depth, steps = builder.dimensions(operand.sizes(operand.depth))
        value = operand.factor(builder, sums.scalar_factors, batch, free, depth)
        value = sums.left_stored(value)
        row = linear_index(free, operand.sizes(operand.free), builder)
        step = linear_index(depth, operand.sizes(operand.depth), builder)
        store = StoreElement(buffer, table.place(buffer, (*batch, row, step)), value)
        body = builder.scheduler.elementwise([*outer, *rows, *steps], [store])
        return builder.build_kernel(name, body, [(self.scratch, buffer)])

    def reader(self, builder: KernelBuilder, batch: Sequence[Expression]) -> Reader:
        """Returns a function that loads the copy's element at (free, depth)."""
        return lambda free, depth: self.sums.from_memory(
            builder.table.load(self.buffer, (*batch, free, depth))
        )


@dataclass(frozen=True, slots=True)
class Panels:
    """A copy of an operand in panels: the columns of a tile side by side, step after step.

    Attributes:
        operand: The operand.
        sums: The arithmetic.
        tile: The tile whose columns are those of a panel.
        buffer: Memory, ``(..., panel, step, column)``.
        scratch: The same for the planner.
    """

    operand: ContractionOperand
    sums: Sums
    tile: Tile
    buffer: Buffer
    scratch: Scratch

    @staticmethod
    def of(operand: ContractionOperand, sums: Sums, tile: Tile) -> Panels:
        """Memory for all panels of an operand."""
        panels = -(-prod(operand.sizes(operand.free)) // tile.columns)
        return Panels.among(operand, sums, tile, (*operand.sizes(operand.batch), panels))

    @staticmethod
    def among(
        operand: ContractionOperand,
        sums: Sums,
        tile: Tile,
        shape: Sequence[int],
        scope: Scope = "argument",
    ) -> Panels:
        """Memory for so many panels."""
        depth = prod(operand.steps(sums))
        buffer = Buffer("panels", sums.storage, (*shape, depth, tile.columns), scope)
        buffer.ahead = bytes_ahead(buffer)
        return Panels(operand, sums, tile, buffer, Scratch(buffer.bytes))

    def build_kernel(self, builder: KernelBuilder, name: str) -> BuiltKernel:
        """The kernel that copies all panels."""
        operand, tile = self.operand, self.tile
        batch, outer = builder.dimensions(operand.sizes(operand.batch))
        columns = prod(operand.sizes(operand.free))
        panels, first = tile.starts(builder.scheduler, columns, tile.columns)
        matrix = ComputedMatrix(builder, operand, self.sums, batch)
        steps, copied = self.copies(builder, matrix, (*batch, panels.index), first)
        return builder.build_kernel(
            name,
            builder.scheduler.parallel([*outer, panels, *steps], copied),
            [(self.scratch, self.buffer)],
        )

    def copies(
        self,
        builder: KernelBuilder,
        matrix: ComputedMatrix,
        panel: Sequence[Expression],
        first: Expression,
    ) -> tuple[list[LoopDimension], list[Statement]]:
        """The loops over the depth, with the copies of each iteration into a panel.

        Args:
            builder: Makes the kernel.
            matrix: The operand as the kernel reads it.
            panel: Which panel of the buffer.
            first: The first of its columns.
        """
        tile, scheduler = self.tile, builder.scheduler
        part, lane = scheduler.index(tile.vectors), scheduler.index(tile.width)
        column = part * tile.width + lane
        value = matrix.value
        numbers = delinearized_indices(first + column, matrix.free)
        atoms = [dimension.atom for dimension in matrix.free]
        value = substitute_expression(value, dict(zip(atoms, numbers, strict=True)), {})
        step = linear_index(
            [dimension.index for dimension in matrix.depth], extents(matrix.depth), builder
        )
        place = builder.table.place(self.buffer, (*panel, step, column))
        body: Sequence[Statement] = [StoreElement(self.buffer, place, self.sums.to_memory(value))]
        depth = matrix.depth
        is_square = matrix.stride(depth) == 1 and depth[0].extent >= tile.width > 1
        if is_square:
            strip, index, vector = scheduler.strip(depth[0].extent, tile.width)
            vector.body = substitute_indices(body, [(depth[0].atom, index)])
            body, depth = [Loop(lane, tile.width, "unroll", [vector])], [strip]
        else:
            body = [Loop(lane, tile.width, "vector", body)]
        return depth, [tile.over_vectors(part, body, is_square=is_square)]

    def reader(self, builder: KernelBuilder, panel: Sequence[Expression]) -> Reader:
        """Reads a panel of the copy."""
        return lambda column, depth: self.sums.from_memory(
            builder.table.load(self.buffer, (*panel, depth, column))
        )


@dataclass(frozen=True, slots=True)
class PanelsAhead:
    """What tiles fetch while they multiply: the panels that are read after those of their group.

    All tiles of rows pass over a group of panels. Panels of a large matrix come from memory, and
    the first tile of rows would wait for them, while the others read them from the second cache.

    Attributes:
        first: The number of the first panel after the group.
        turn: The number of a tile among those that pass over the group.
        passes: How many tiles read a panel.
    """

    first: Expression
    turn: Expression
    passes: int

    @staticmethod
    def of(group: LoopDimension, rows: LoopDimension, panel: LoopDimension) -> PanelsAhead:
        """What tiles fetch in loops over groups of panels, tiles of rows, and panels of a group."""
        turn = rows.index * panel.extent + panel.index
        return PanelsAhead((group.index + 1) * panel.extent, turn, rows.extent)

    def fetches(
        self, panels: Buffer, batch: Sequence[Expression], step: Expression, steps: int = 1
    ) -> list[Statement]:
        """Fetches the share of steps of a tile; none of panels that the second cache holds.

        Args:
            panels: All panels, ``(batch..., panel, step, column)``.
            batch: The index of the batch.
            step: The first step.
            steps: How many.
        """
        passes = typical_of(self.passes)
        if passes == 1 or typical_of(panels.bytes) <= SECOND:
            return []
        *_, depth, columns = panels.shape
        share = -(-columns // passes)
        zero = step.table.sum(0, ())
        first = step.table.place(panels, (*batch, self.first, zero, zero))
        first += (self.turn * depth + step) * share
        line = LINE // BYTES[panels.type]
        return [Fetch(panels, first + i) for i in range(0, share * steps, line)]


def packed_factors(
    builder: KernelBuilder, sums: Sums, step: Expression, factor: Callable[[Expression], Expression]
) -> Expression:
    """The factors of a step in an ``i32``, given the factor at each index of their dimension."""
    first = step * sums.factors
    return loaded_at_once(
        builder, sums.pack_factors([factor(first + i) for i in range(sums.factors)])
    )


def loaded_at_once(builder: KernelBuilder, packed: Expression) -> Expression:
    """Packed factors as one load of all, if they are neighbors in memory."""
    loads = [load for load in subexpressions([packed]) if load.operator == "load"]
    count = len(loads)
    if count < 2 or BITS["i32"] != count * BITS[loads[0].type]:
        return packed
    loads.sort(key=lambda load: terms_of(load.operands[0])[0])
    (place,) = loads[0].operands
    constant, terms = terms_of(place)
    is_aligned = not any(number % count for number in (constant, *(c for _, c in terms)))
    if not is_aligned or packed is not side_by_side(loads):
        return packed
    if any(
        load.detail is not loads[0].detail or load.operands[0] is not place + i
        for i, load in enumerate(loads)
    ):
        return packed
    return builder.table.load_at(
        builder.view(loads[0].detail, "i32"), builder.table.quotient(place, count)
    )


def bytes_ahead(factors: Buffer) -> int:
    """How far ahead factors in memory are fetched that are read in their order."""
    is_far = factors.scope == "argument" and typical_of(factors.bytes) > NEAREST
    return AHEAD if is_far else 0


def scalar_view(buffer: Buffer, packing: Packing) -> Buffer:
    """Returns the buffer of packed factors as a buffer of single ones."""
    *shape, last = buffer.shape
    strides = [stride * packing.count for stride in buffer.strides[:-1]]
    shape.append(packing.count * last)
    return Buffer(buffer.name, packing.element, shape, strides=(*strides, 1))


def extents(loops: Sequence[LoopDimension]) -> list[int]:
    """Returns the extents of loops."""
    return [loop.extent for loop in loops]


def linear_index(
    indices: Sequence[Expression], sizes: Sequence[int], builder: KernelBuilder
) -> Expression:
    """The row-major number of an index."""
    number = builder.elements.constant(0)
    for index, size in zip(indices, sizes, strict=True):
        number = number * size + index
    return number


def delinearized_indices(number: Expression, loops: Sequence[LoopDimension]) -> list[Expression]:
    """The index of a row-major number."""
    result: list[Expression] = []
    rest = prod(extents(loops))
    for loop in loops:
        rest //= loop.extent
        result.append((number // rest) % loop.extent)
    return result
