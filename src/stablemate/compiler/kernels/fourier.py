"""Fourier transforms of rows, as many rows at a time as a vector has lanes.

Rows are transposed into memory close at hand, one vector for the same element of all of them, so
that no lane ever needs another one. Passes go from one such memory to another and back, each with
one factor of the length (Stockham's order: results come out sorted). A real row of 2n numbers is a
complex one of n, and a last (an inverse: a first) pass.

Source: Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 1.7 and 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.graph import Node, Tensor
from stablemate.compiler.kernels.butterflies import (
    RADICES,
    Number,
    butterfly,
    conjugate,
    minus,
    plus,
    quarter,
    times,
)
from stablemate.compiler.kernels.drafts import Draft, Fixed, Scratch, Workshop, builds
from stablemate.compiler.lowering.elements import buffer_of, represented
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.expressions import Expression
from stablemate.compiler.nest.operators import BYTES
from stablemate.compiler.nest.statements import Loop, Statement, Store
from stablemate.compiler.schedule import Scheduler, with_index
from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.numerics.elements import Array

MOST: Final = (1 << 19) + (
    1 << 10
)  # bytes of the elements of all rows that are transformed at a time
LEAST_LANES: Final = 4  # rows that are transformed at a time at least, where there are so many
INVERSE: Final = (FftType.IFFT, FftType.IRFFT)


def complex_length(node: Node) -> int:
    """How many complex numbers the passes transform."""
    operation = node.operation
    (length,) = operation.fft_length
    return int(length) if operation.fft_type in (FftType.FFT, FftType.IFFT) else length // 2


def factors_of(length: int) -> list[int]:
    """The factors that passes take one by one, large ones first; empty if there is another one."""
    found: list[int] = []
    rest = length
    for radix in RADICES:
        while rest % radix == 0 and rest > 1:
            found.append(radix)
            rest //= radix
    return sorted(found, reverse=True) if rest == 1 else []


def is_known(node: Node) -> bool:
    """Whether rows are short enough, and of a length that passes know."""
    operation = node.operation
    if len(operation.fft_length) != 1 or prod(node.results[0].shape) == 0:
        return False
    (length,) = operation.fft_length
    is_real = operation.fft_type in (FftType.RFFT, FftType.IRFFT)
    if is_real and length % 2:
        return False
    count = complex_length(node)
    size = 2 * (count + is_real) * BYTES[represented(node.operands[0]).storage]
    return size * LEAST_LANES <= MOST and bool(factors_of(count))


@builds("stablehlo.fft", admits=is_known)
def fft(node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> Sequence[Draft]:
    """A kernel that transforms all rows."""
    return [Transform(node, kept, vector_bytes).draft(name)]


class Transform:
    """Writes the kernel of one operation."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int) -> None:
        (self.operand,), (self.result,) = node.operands, node.results
        self.kind = node.operation.fft_type
        self.is_real = self.kind in (FftType.RFFT, FftType.IRFFT)
        self.is_inverse = self.kind in INVERSE
        self.length = complex_length(node)
        self.shop = Workshop(node.operands, kept, vector_bytes)
        self.register = represented(self.operand).storage
        self.rows = prod(self.operand.shape[:-1])
        self.width = self.lanes(vector_bytes)
        shape = (self.length + self.is_real, 2, self.width)
        self.spaces = [Buffer(f"space{i}", self.register, shape, "stack") for i in range(2)]
        self.turns = self.length * (2 if self.is_real else 1)  # of a whole circle
        self.circle = Buffer("circle", self.register, (self.turns, 2))
        self.body: list[Statement] = []

    def lanes(self, vector_bytes: int) -> int:
        """How many rows are transformed at a time."""
        size = BYTES[self.register]
        width = vector_bytes // size
        while width > self.rows or 2 * (self.length + self.is_real) * size * width > MOST:
            width //= 2
        return width

    @property
    def scheduler(self) -> Scheduler:
        """What makes loops."""
        return self.shop.scheduler

    def draft(self, name: str) -> Draft:
        """The kernel."""
        table, width = self.shop.table, self.width
        blocks = -(-self.rows // width)
        block = self.scheduler.index(blocks)
        first = table.least(block * width, self.rows - width)
        self.loaded(first)
        if self.kind is FftType.IRFFT:
            self.joined()
        done = 1
        for radix in factors_of(self.length):
            self.passed(radix, done)
            done *= radix
        if self.kind is FftType.RFFT:
            self.split()
        output = buffer_of(self.result, "y")
        self.stored(first, output)
        body = [Loop(block, blocks, "serial", self.body, parallel=True)]
        made: list[tuple[Tensor | Scratch | Fixed, Buffer]] = [
            (Fixed(self.points()), self.circle),
            (self.result, output),
        ]
        return self.shop.draft(name, body, made, self.spaces)

    def points(self) -> Array:
        """The points of the circle that factors are taken from, ``exp(-2 pi i t / turns)``.

        Those of an inverse transform go round the other way. Sine and cosine are taken of at most
        an eighth of the circle: so they are exact where they ought to be.
        """
        eighths, rest = np.divmod(8 * np.arange(self.turns), self.turns)
        is_far = eighths % 2 == 1
        angle = np.where(is_far, self.turns - rest, rest) * (np.pi / (4 * self.turns))
        near, far = np.cos(angle), np.sin(angle)
        x, y = np.where(is_far, far, near), np.where(is_far, near, far)
        quarters = eighths // 2
        real = np.choose(quarters, [x, -y, -x, y])
        imag = np.choose(quarters, [y, x, -y, -x])
        parts = [real, imag if self.is_inverse else -imag]
        return np.stack(parts, -1).astype(np.float32 if self.register == "f32" else np.float64)

    # From rows to vectors, and back

    def loaded(self, first: Expression) -> None:
        """All elements of some rows, transposed."""
        (source,) = self.shop.buffers.values()
        columns = source.elements // self.rows
        self.transposed(
            columns,
            lambda row, column: (
                column * self.width + row,
                self.shop.table.load_at(source, (first + row) * columns + column),
                self.spaces[0],
            ),
            along_rows=True,
        )

    def stored(self, first: Expression, output: Buffer) -> None:
        """All elements of some rows, transposed back."""
        columns = output.elements // self.rows
        scale = 1.0 / self.length if self.kind is FftType.IFFT else 1.0

        def store(row: Expression, column: Expression) -> tuple[Expression, Expression, Buffer]:
            value = self.shop.table.load_at(self.spaces[0], column * self.width + row)
            return (first + row) * columns + column, value * scale, output

        self.transposed(columns, store, along_rows=False)

    def transposed(
        self,
        columns: int,
        store: Callable[[Expression, Expression], tuple[Expression, Expression, Buffer]],
        *,
        along_rows: bool,
    ) -> None:
        """Squares of elements: loads are consecutive in the one direction, stores in the other."""
        width = self.width
        if columns < width or width == 1:
            column, row = self.scheduler.index(columns), self.scheduler.index(width)
            place, value, buffer = store(row, column)
            inner = self.in_lanes(row, [Store(buffer, place, value)])
            self.body.append(Loop(column, columns, "serial", inner))
            return
        step, column, lane = self.scheduler.strip(columns, width)
        row = self.scheduler.index(width)
        place, value, buffer = store(row, column)
        body: list[Statement] = [Store(buffer, place, value)]
        if along_rows:
            lane.body = body
            square = Loop(row, width, "unroll", [lane])
        else:
            square = Loop(lane.index, width, "unroll", [Loop(row, width, "vector", body)])
        self.body.append(Loop(step.index, step.extent, "serial", [square]))

    def in_lanes(self, lane: Expression, body: Sequence[Statement]) -> list[Statement]:
        """Statements for all rows at a time."""
        if self.width > 1:
            return [Loop(lane, self.width, "vector", body)]
        atom = lane.terms[0][0]
        return with_index(body, [(atom, self.shop.table.sum(0, ()))])

    # Passes

    def number(self, place: Expression, lane: Expression) -> Number:
        """A number of each row."""
        table, source = self.shop.table, self.spaces[0]
        parts = [table.load(source, (place, table.sum(i, ()), lane)) for i in range(2)]
        return parts[0], parts[1]

    def stores(self, place: Expression, lane: Expression, number: Number) -> list[Statement]:
        """Stores a number of each row."""
        table, target = self.shop.table, self.spaces[1]
        return [
            Store(target, table.place(target, (place, table.sum(i, ()), lane)), part)
            for i, part in enumerate(number)
        ]

    def point(self, turns: Expression) -> Number:
        """A point of the circle."""
        table = self.shop.table
        parts = [table.load(self.circle, (turns, table.sum(i, ()))) for i in range(2)]
        return parts[0], parts[1]

    def add(self, loops: Sequence[tuple[Expression, int]], body: Sequence[Statement]) -> None:
        """Adds a pass, which goes from the one memory to the other."""
        for index, extent in reversed(loops):
            if extent > 1:
                body = [Loop(index, extent, "serial", body)]
        self.body += body
        self.spaces.reverse()

    def passed(self, radix: int, done: int) -> None:
        """Takes one factor: ``y[q + s (r p + k)] = w^(p k) sum_j x[q + s (p + m j)] w_r^(j k)``.

        Args:
            radix: The factor, r.
            done: The factors that were taken before, s.
        """
        table = self.shop.table
        rest = self.length // done // radix  # m
        p = self.scheduler.index(rest) if rest > 1 else table.sum(0, ())
        q = self.scheduler.index(done) if done > 1 else table.sum(0, ())
        lane = self.scheduler.index(self.width)
        inputs = [self.number(q + (p + j * rest) * done, lane) for j in range(radix)]
        body: list[Statement] = []
        step = self.turns // self.length * done
        for k, value in enumerate(butterfly(inputs, is_inverse=self.is_inverse)):
            turned = times(value, self.point(p * (k * step))) if k and rest > 1 else value
            body += self.stores(q + (p * radix + k) * done, lane, turned)
        self.add([(p, rest), (q, done)], self.in_lanes(lane, body))

    def split(self) -> None:
        """What a transform of pairs of real numbers says of all of them."""
        table, n = self.shop.table, self.length
        lane, zero = self.scheduler.index(self.width), table.sum(0, ())
        real, imag = self.number(zero, lane)
        none = table.constant(0.0, self.register)
        ends = [
            *self.stores(zero, lane, (real + imag, none)),
            *self.stores(zero + n, lane, (real - imag, none)),
        ]
        self.body += self.in_lanes(lane, ends)
        self.add_pairs(lambda one, other, point: self.split_pair(one, other, point))

    def split_pair(self, one: Number, other: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of real numbers from those of pairs."""
        even = half(plus(one, conjugate(other)))
        odd = quarter(half(minus(one, conjugate(other))), is_inverse=False)
        odd = times(odd, point)
        return plus(even, odd), conjugate(minus(even, odd))

    def joined(self) -> None:
        """What a transform of pairs has to begin with, times half the scale."""
        table, n = self.shop.table, self.length
        lane, zero = self.scheduler.index(self.width), table.sum(0, ())
        (first, _), (last, _) = self.number(zero, lane), self.number(zero + n, lane)
        scale = 0.5 / n
        ends = self.stores(zero, lane, ((first + last) * scale, (first - last) * scale))
        self.body += self.in_lanes(lane, ends)
        self.add_pairs(lambda one, other, point: self.join_pair(one, other, point))

    def join_pair(self, one: Number, other: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of pairs from those of real numbers."""
        scale = 0.5 / self.length
        even = scaled(plus(one, conjugate(other)), scale)
        odd = times(scaled(minus(one, conjugate(other)), scale), point)
        turned = quarter(odd, is_inverse=True)
        return plus(even, turned), conjugate(minus(even, turned))

    def add_pairs(self, pair: Callable[[Number, Number, Number], tuple[Number, Number]]) -> None:
        """Adds a pass over frequencies k and n - k."""
        n = self.length
        lane = self.scheduler.index(self.width)
        count = n // 2
        if count == 0:
            self.spaces.reverse()
            return
        index = self.scheduler.index(count) if count > 1 else self.shop.table.sum(0, ())
        k = index + 1
        one, other = pair(self.number(k, lane), self.number(n - k, lane), self.point(k))
        body = [*self.stores(k, lane, one), *self.stores(n - k, lane, other)]
        self.add([(index, count)], self.in_lanes(lane, body))


def half(number: Number) -> Number:
    """Half of a number."""
    return scaled(number, 0.5)


def scaled(number: Number, factor: float) -> Number:
    """A number times a real one."""
    return number[0] * factor, number[1] * factor
