"""Loops over a row of a tile of scores: each element is replaced, and all are reduced.

An element is read and written once, so that it can be replaced in place; the end of a row whose
length is no multiple of a vector takes shorter vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    PARTIALS,
    CombinePartials,
    Fold,
    Loop,
    Statement,
    StoreElement,
)
from stablemate.compiler.schedule.reduction_loops import fill_registers, identity
from stablemate.compiler.schedule.schedule import WIDE, LoopScheduler
from stablemate.deferred_dataclasses import dataclass

Monoid = Literal["maxnum", "fadd"]
# The statements of an element, given its number, the place of its partial result, and their buffer.
Element = Callable[[Expression, Expression, Buffer], Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class RowPass:
    """A pass over the elements of a row.

    Attributes:
        scheduler: Makes loops.
        buffer: What holds the row.
        extent: Its elements.
        operator: What the elements are reduced with, if they are; a maximum ignores NaN.
        name: What its registers are called.
    """

    scheduler: LoopScheduler
    buffer: Buffer
    extent: int
    operator: Monoid | None
    name: str

    @property
    def width(self) -> int:
        """The elements of the longest vectors."""
        return self.scheduler.vector_bytes // max(WIDE, BYTES[self.buffer.type])

    def partials(self) -> list[tuple[int, int, Buffer]]:
        """The first element of each piece of the row, its vector width and its partial results."""
        pieces: list[tuple[int, int, Buffer]] = []
        begin, width = 0, self.width
        while begin < self.extent:
            while width > self.extent - begin:
                width //= 2
            count = (self.extent - begin) // width
            size = min(PARTIALS, count * width)
            name = f"{self.name}{width}"
            buffer = Buffer(name, self.buffer.type, (size,), "register")
            pieces.append((begin, width, buffer))
            begin += count * width
        return pieces

    def loops(
        self,
        first: Expression,
        new: Callable[[Expression], Expression],
        into: tuple[Buffer, Expression],
        stored: Callable[[Expression, Expression], Expression] | None = None,
    ) -> tuple[list[Statement], list[Buffer]]:
        """The statements of the pass, and its registers.

        Args:
            first: Where the row begins in its buffer.
            new: The new value of an element, given its number in the row.
            into: A scalar in memory that is combined with all of them.
            stored: What is stored instead of a new value, given its number and the value.
        """

        def element(number: Expression, place: Expression, partials: Buffer) -> list[Statement]:
            value = new(number)
            kept = value if stored is None else stored(number, value)
            store = StoreElement(self.buffer, first + number, kept)
            if self.operator is None:
                return [store]
            return [self.reduce_value(value, partials, place), store]

        pieces = self.partials()
        statements: list[Statement] = []
        for number, (begin, width, partials) in enumerate(pieces):
            if self.operator is not None:
                nothing = identity(self.scheduler, self.operator, partials.type)
                statements.append(fill_registers(self.scheduler, partials, width, nothing))
            end = pieces[number + 1][0] if number + 1 < len(pieces) else self.extent
            statements += self.piece(element, (begin, end), width, partials)
        if self.operator is None:
            return statements, []
        statements += [
            CombinePartials(*into, self.operator, partials, width) for _, width, partials in pieces
        ]
        return statements, [partials for _, _, partials in pieces]

    def statements(self, element: Callable[[Expression], Sequence[Statement]]) -> list[Statement]:
        """The statements of a pass that reduces nothing.

        Args:
            element: The statements of an element, given its number in the row.
        """
        pieces = self.partials()
        ends = [begin for begin, _, _ in pieces[1:]] + [self.extent]
        return [
            statement
            for (begin, width, partials), end in zip(pieces, ends, strict=True)
            for statement in self.piece(
                lambda number, _place, _partials: element(number), (begin, end), width, partials
            )
        ]

    def piece(
        self, element: Element, extent: tuple[int, int], width: int, partials: Buffer
    ) -> Iterator[Statement]:
        """The loops over the elements of a piece."""
        begin, end = extent
        size = partials.elements
        blocks, rest = divmod(end - begin, size)
        scheduler = self.scheduler
        if blocks:
            block = scheduler.index(blocks)
            part, lane = scheduler.index(size // width), scheduler.index(width)
            place = part * width + lane
            body = element(block * size + (place + begin), place, partials)
            vector = Loop(lane, width, "vector", body)
            unrolled = Loop(part, size // width, "unroll", [vector])
            yield Loop(block, blocks, "serial", [unrolled])
        for number in range(rest // width):
            lane = scheduler.index(width)
            place = lane + number * width
            body = element(place + (begin + blocks * size), place, partials)
            yield Loop(lane, width, "vector", body)

    def reduce_value(self, value: Expression, partials: Buffer, place: Expression) -> Statement:
        """Combines a value with a partial result."""
        if self.operator == "fadd":
            return Fold(partials, place, "fadd", value)
        table = value.table
        old = table.load_at(partials, place)
        larger = table.apply("select", table.apply("flt", old, value), value, old)
        return StoreElement(partials, place, larger)
