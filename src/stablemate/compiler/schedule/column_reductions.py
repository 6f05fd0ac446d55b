"""Reduces columns: neighboring results in vector lanes, each in sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Fold, Loop, Statement, StoreElement
from stablemate.compiler.schedule.reduction_loops import ReductionLoops, RowLoop
from stablemate.compiler.schedule.schedule import (
    SHORT,
    LoopDimension,
    LoopScheduler,
    loops_if_any,
    subexpressions,
    substitute_indices,
    vectors_of,
)
from stablemate.numerics.symbolic_sizes import divides, is_not_zero, is_symbolic

# ``python -m benchmarks.breadth`` measures what these trade: jnp.sum, jnp.max and jnp.all, axis 0.
VECTORS: Final = 4  # of neighboring results that are kept in registers
UNROLLED_ROWS: Final = 4  # rows that are folded into results in memory at once
MIN_ROWS_IN_MEMORY: Final = 16  # rows that are worth having results in memory
NEAR: Final = 1 << 14  # bytes of results in memory: half of the nearest cache

Nest = tuple[list[Statement], list[Buffer]]
Finish = Callable[[Sequence[Expression]], Sequence[Statement]]


class ColumnReductions:
    """Reductions over the same elements, each with its accumulators.

    Args:
        scheduler: Chooses widths.
        reductions: The reduction statements.
        finish: Stores what is made of the final values.
    """

    def __init__(
        self, scheduler: LoopScheduler, reductions: Sequence[ReductionLoops], finish: Finish
    ) -> None:
        self.scheduler = scheduler
        self.table = scheduler.table
        slot = scheduler.index(1 << 20)  # which accumulator: the loops that are chosen say
        self.slot = terms_of(slot)[1][0][0]
        self.buffers = [
            Buffer(f"folds{k}", reduction.register, (1,), "register")
            for k, reduction in enumerate(reductions)
        ]
        self.starts: list[Statement] = []
        self.reductions: list[Statement] = []
        for buffer, reduction in zip(self.buffers, reductions, strict=True):
            self.starts.append(StoreElement(buffer, slot, reduction.start))
            self.reductions.append(Fold(buffer, slot, reduction.operator, reduction.value))
        self.ends = list(finish([self.table.load_at(buffer, slot) for buffer in self.buffers]))

    def nest(
        self,
        results: Sequence[LoopDimension],
        reduced: Sequence[LoopDimension],
        *,
        memory: bool = True,
    ) -> Nest:
        """Loops over results, each reduced over the reduced dimensions, and the buffers they need.

        Args:
            results: The results.
            reduced: What is folded for each.
            memory: Whether accumulators may be in memory.
        """
        scheduler = self.scheduler
        results, body = scheduler.collapse(results, [*self.starts, *self.reductions, *self.ends])
        reduced, body = scheduler.collapse(reduced, body)
        reduced = reduced or [LoopDimension(scheduler.index(1), 1)]
        count = len(self.buffers)
        self.starts, self.reductions, self.ends = (
            body[:count],
            body[count : 2 * count],
            body[2 * count :],
        )
        *outer, last = results or [LoopDimension(scheduler.index(1), 1)]
        width = scheduler.lanes(body, last.extent)
        rows = prod(dimension.extent for dimension in reduced)
        are_many = is_symbolic(rows) or rows >= MIN_ROWS_IN_MEMORY
        if memory and are_many and last.extent > VECTORS * width:
            return self.in_memory(outer, last, reduced, width), self.buffers
        return self.in_registers(outer, last, reduced, width), self.buffers

    def in_registers(
        self,
        outer: Sequence[LoopDimension],
        last: LoopDimension,
        reduced: Sequence[LoopDimension],
        width: int,
    ) -> list[Statement]:
        """A few vectors of results at a time."""
        scheduler = self.scheduler
        vectors = vectors_of(last.extent, width, VECTORS)
        kept = vectors * width
        for buffer in self.buffers:
            buffer.shape = (kept,)
        step, first = block_loop(scheduler, last.extent, kept)

        def in_lanes(statements: Sequence[Statement]) -> Loop:
            part, lane = scheduler.index(vectors), scheduler.index(width)
            place = part * width + lane
            replacements = [(last.atom, first + place), (self.slot, place)]
            vector = Loop(lane, width, "vector", substitute_indices(statements, replacements))
            return Loop(part, vectors, "unroll", [vector])

        reductions: list[Statement] = [in_lanes(self.reductions)]
        for dimension in reversed(reduced):
            reductions = [Loop(dimension.index, dimension.extent, "serial", reductions)]
        loops = [in_lanes(self.starts), *reductions, in_lanes(self.ends)]
        return scheduler.parallel([*outer, step], loops)

    def in_memory(
        self,
        outer: Sequence[LoopDimension],
        last: LoopDimension,
        reduced: Sequence[LoopDimension],
        width: int,
    ) -> list[Statement]:
        """Many results at a time, so that rows are read from one end to the other."""
        scheduler = self.scheduler
        limit = NEAR // sum(BYTES[buffer.type] for buffer in self.buffers)
        kept = block_size(last.extent, limit, width)
        for buffer in self.buffers:
            buffer.shape, buffer.scope = (kept,), "stack"
        step, first = block_loop(scheduler, last.extent, kept)

        def in_lanes(statements: Sequence[Statement]) -> Loop:
            part, lane = scheduler.index(kept // width), scheduler.index(width)
            place = part * width + lane
            replacements = [(last.atom, first + place), (self.slot, place)]
            vector = Loop(lane, width, "vector", substitute_indices(statements, replacements))
            return Loop(part, kept // width, "serial", [vector])

        *around, row = reduced
        reductions: list[Statement] = []
        whole, rest = divmod(row.extent, UNROLLED_ROWS)
        if is_not_zero(whole):
            several, statements = scheduler.index(whole), self.row_reductions(row)
            body = substitute_indices(statements, [(row.atom, several * UNROLLED_ROWS)])
            reductions += loops_if_any(Loop(several, whole, "serial", [in_lanes(body)]))
        if is_not_zero(rest):
            one = scheduler.index(rest)
            body = substitute_indices(self.reductions, [(row.atom, one + whole * UNROLLED_ROWS)])
            reductions += loops_if_any(Loop(one, rest, "serial", [in_lanes(body)]))
        for dimension in reversed(around):
            reductions = [Loop(dimension.index, dimension.extent, "serial", reductions)]
        loops = [in_lanes(self.starts), *reductions, in_lanes(self.ends)]
        return scheduler.parallel([*outer, step], loops)

    def row_reductions(self, row: LoopDimension) -> list[Statement]:
        """The reduction statements of some rows, from the one at the row index on."""
        result: list[Statement] = []
        for reduction in self.reductions:
            assert isinstance(reduction, Fold)
            total = self.table.load_at(reduction.buffer, reduction.place)
            for i in range(UNROLLED_ROWS):
                (moved,) = substitute_indices([reduction], [(row.atom, row.index + i)])
                assert isinstance(moved, Fold)
                total = self.table.apply(reduction.operator, total, moved.value)
            result.append(StoreElement(reduction.buffer, reduction.place, total))
        return result


def block_loop(
    scheduler: LoopScheduler, extent: int, kept: int
) -> tuple[LoopDimension, Expression]:
    """A loop over blocks of a dimension, and where each begins: the last ends with it."""
    steps = -(-extent // kept)
    step = scheduler.index(steps)
    first = step * kept
    if not divides(kept, extent):
        first = scheduler.table.least(first, extent - kept)
    return LoopDimension(step, steps), first


def block_size(extent: int, limit: int, width: int) -> int:
    """A multiple of the width, at most limit and extent, that covers the extent in few pieces."""
    if is_symbolic(extent):
        kept = limit // width * width
        while kept > extent:
            kept = kept // 2 // width * width
        return kept
    segment_boxes = 1
    while True:
        segment_length = -(-extent // segment_boxes)
        segment_length = -(-segment_length // width) * width
        if segment_length <= min(extent, limit):
            return segment_length
        segment_boxes += 1


def reduced_dimensions_of(
    scheduler: LoopScheduler,
    results: Sequence[LoopDimension],
    reduced: Sequence[LoopDimension],
    reduction: ReductionLoops,
    finish: Callable[[Expression], Sequence[Statement]],
) -> Nest:
    """Loops over results, each reduced in registers along the contiguous dimension.

    The order is theirs whose elements are products: it depends on how operands are stored.
    """
    row = RowLoop(scheduler)
    end = finish(row.add_reduction(reduction))
    count = len(row.body)
    results_, body = scheduler.collapse(results, [*row.body, *end])
    reduced_, body = scheduler.collapse(reduced, body)
    if not reduced_ or not is_along(reduced_[-1], body[1]):
        reductions = ColumnReductions(scheduler, [reduction], lambda values: finish(values[0]))
        return reductions.nest(results, reduced, memory=False)
    row.take(body[:count])
    *outer, last = reduced_
    loops = [*row.loops(last, outer), *body[count:]]
    return scheduler.parallel(results_, loops), row.buffers


def is_along(last: LoopDimension, reduction: Statement) -> bool:
    """Whether lanes are best neighbors in the last reduced dimension."""
    assert isinstance(reduction, Fold)
    loads = [
        expression
        for expression in subexpressions([reduction.value])
        if expression.operator == "load"
    ]
    strides = [dict(terms_of(load.operands[0])[1]).get(last.atom, 0) for load in loads]
    return last.extent >= SHORT and 1 in strides
