"""The loops of reductions, by the order in which they combine elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    IDENTITIES,
    PARTIALS,
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
    When,
)
from stablemate.compiler.schedule.schedule import (
    LoopDimension,
    LoopScheduler,
    loops_if_any,
    substitute_indices,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_not_zero, is_symbolic


@dataclass(frozen=True, slots=True)
class ReductionLoops:
    """``start[i] op value[i, k] op ...`` over all k.

    Attributes:
        operator: The monoid.
        register: The type that it folds in.
        start: The value that the fold begins with.
        value: What is folded into it.
    """

    operator: str
    register: str
    start: Expression
    value: Expression


def identity(scheduler: LoopScheduler, operator: str, register: str) -> Expression:
    """The identity element of an operator."""
    return scheduler.table.bits(IDENTITIES[operator][register], register)


class RowLoop:
    """A loop along a row: reductions of its elements, and stores of elements.

    Args:
        scheduler: Chooses widths.
        number: A number that makes the names of its buffers unique in the kernel.
    """

    def __init__(self, scheduler: LoopScheduler, number: int = 0) -> None:
        self.scheduler = scheduler
        self.number = number
        self.starts: list[StoreElement] = []
        self.reductions: list[Fold] = []
        self.stores: list[StoreElement] = []
        self.buffers: list[Buffer] = []

    def add_reduction(self, reduction: ReductionLoops) -> Expression:
        """Adds a reduction; returns its result, which is valid after the loop."""
        table, first = self.scheduler.table, self.scheduler.table.sum(0, ())
        name = f"fold{self.number}_{len(self.reductions)}"
        total = Buffer(name, reduction.register, (1,), "register")
        self.buffers.append(total)
        self.starts.append(StoreElement(total, first, reduction.start))
        self.reductions.append(Fold(total, first, reduction.operator, reduction.value))
        return table.load_at(total, first)

    @property
    def body(self) -> list[Statement]:
        """All expressions of the loop."""
        return [*self.starts, *self.reductions, *self.stores]

    def take(self, body: Sequence[Statement]) -> None:
        """Replaces all expressions of the loop by the same number of others."""
        count = len(self.starts)
        self.starts = [
            statement for statement in body[:count] if isinstance(statement, StoreElement)
        ]
        self.reductions = [statement for statement in body[count:] if isinstance(statement, Fold)]
        self.stores = [
            statement for statement in body[2 * count :] if isinstance(statement, StoreElement)
        ]

    def loops(self, last: LoopDimension, outer: Sequence[LoopDimension] = ()) -> list[Statement]:
        """The loops over a row.

        Args:
            last: The row.
            outer: Further reduced dimensions, around it.
        """
        inner: list[Statement] = [*self.reductions, *self.stores]
        if not inner:
            return []
        width = self.scheduler.lanes(inner, last.extent)
        if not self.reductions:
            return [self.strips(last, width)]
        kept = PARTIALS
        if not is_symbolic(last.extent):
            kept = min(PARTIALS, -(-last.extent // width) * width)
        partials = [
            Buffer(f"partials{self.number}_{k}", add_reduction.buffer.type, (kept,), "register")
            for k, add_reduction in enumerate(self.reductions)
        ]
        self.buffers += partials
        result: list[Statement] = []
        for add_reduction, buffer in zip(self.reductions, partials, strict=True):
            nothing = identity(self.scheduler, add_reduction.operator, buffer.type)
            result.append(fill_registers(self.scheduler, buffer, width, nothing))
        loops = self.segment_boxes(last, width, partials)
        for dimension in reversed(outer):
            loops = [Loop(dimension.index, dimension.extent, "serial", loops)]
        result += [*loops, *self.starts]
        for add_reduction, buffer in zip(self.reductions, partials, strict=True):
            result.append(
                CombinePartials(
                    add_reduction.buffer, add_reduction.place, add_reduction.operator, buffer, width
                )
            )
        return result

    def strips(self, last: LoopDimension, width: int) -> Loop:
        """Stores the results in strips of one vector."""
        step, index, lane = self.scheduler.strip(last.extent, width)
        lane.body = substitute_indices(self.stores, [(last.atom, index)])
        return Loop(step.index, step.extent, "serial", [lane])

    def segment_boxes(
        self, last: LoopDimension, width: int, partials: Sequence[Buffer]
    ) -> list[Statement]:
        """Reduces element i into partial result i mod 64, vector by vector."""
        scheduler, kept = self.scheduler, partials[0].elements
        blocks, rest = divmod(last.extent, kept)
        result: list[Statement] = []

        def segment_loop(
            place: Expression, index: Expression, lane: Expression, skip: int = 0
        ) -> Loop:
            body = substitute_indices([*self.reductions, *self.stores], [(last.atom, index)])
            reductions = [statement for statement in body if isinstance(statement, Fold)]
            into = [
                Fold(
                    buffer,
                    place,
                    add_reduction.operator,
                    add_reduction.value,
                    skip,
                    add_reduction.fused,
                )
                for add_reduction, buffer in zip(reductions, partials, strict=True)
            ]
            return Loop(lane, width, "vector", [*into, *body[len(reductions) :]])

        if is_not_zero(blocks):
            block = scheduler.index(blocks)
            part, lane = scheduler.index(kept // width), scheduler.index(width)
            place = part * width + lane
            inner = segment_loop(place, block * kept + place, lane)
            unrolled = Loop(part, kept // width, "unroll", [inner])
            result += loops_if_any(Loop(block, blocks, "serial", [unrolled]))
        if is_symbolic(last.extent):
            return [*result, *self.masked_rest(last, blocks * kept, width, partials)]
        for i in range(rest // width):
            lane = scheduler.index(width)
            result.append(segment_loop(lane + i * width, lane + (blocks * kept + i * width), lane))
        if rest % width:
            lane, skip = scheduler.index(width), width - rest % width
            place = lane + rest // width * width
            result.append(segment_loop(place, lane + (last.extent - width), lane, skip))
        return result

    def masked_rest(
        self, last: LoopDimension, begin: int, width: int, partials: Sequence[Buffer]
    ) -> Iterator[Statement]:
        """Reduces the elements behind the last whole block, of which the number is not known.

        Vectors that end inside the row are reduced as they are. Behind the end of the row there are
        identity elements, and stores are repeated.
        """
        scheduler, table = self.scheduler, self.scheduler.table
        end = table.sum(last.extent, ())
        for first in range(0, partials[0].elements, width):
            lane = scheduler.index(width)
            following = table.sum(begin + first, ())
            whole = table.apply("sle", following + width, end)
            some = table.apply("slt", following, end) & table.apply("slt", end, following + width)
            for condition, is_masked in ((whole, False), (some, True)):
                index = lane + (begin + first)
                inside = table.apply("slt", index, end)
                place = table.least(index, last.extent - 1) if is_masked else index
                body = substitute_indices([*self.reductions, *self.stores], [(last.atom, place)])
                statements: list[Statement] = []
                for statement, buffer in zip(body, partials, strict=False):
                    assert isinstance(statement, Fold)
                    if is_masked:
                        statement.value = self.mask_value(statement, buffer, inside)
                    statements.append(
                        Fold(
                            buffer, lane + first, statement.operator, statement.value,
                            fused=statement.fused,
                        )
                    )  # fmt: skip
                statements += body[len(partials) :]
                yield When(condition, [Loop(lane, width, "vector", statements)])

    def mask_value(self, reduction: Fold, buffer: Buffer, inside: Expression) -> Expression:
        """The value that is reduced inside the row, and one that changes nothing behind it."""
        table, value = self.scheduler.table, reduction.value
        if not reduction.fused or value.operator != "fmul":
            nothing = identity(self.scheduler, reduction.operator, buffer.type)
            return table.apply("select", inside, value, nothing)
        factors = [
            table.apply("select", inside, factor, table.constant(zero, factor.type))
            for factor, zero in zip(value.operands, (-0.0, 0.0), strict=True)
        ]
        return table.apply("fmul", *factors)


def fill_registers(scheduler: LoopScheduler, buffer: Buffer, width: int, value: Expression) -> Loop:
    """Stores a value into all elements of a register buffer."""
    part, lane = scheduler.index(buffer.elements // width), scheduler.index(width)
    store = StoreElement(buffer, part * width + lane, value)
    vector = Loop(lane, width, "vector", [store])
    return Loop(part, buffer.elements // width, "unroll", [vector])
