"""Fourier transforms of rows, as many rows at a time as a vector has lanes.

Rows are transposed into memory close at hand, one vector for the same element of all of them; there
passes transform them. A real row of 2n numbers is a complex one of n, and a last (an inverse: a
first) pass.

Source: Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.fft.butterflies import (
    Number,
    conjugate,
    exchanged,
    minus,
    plus,
    quarter,
    times,
    times_conjugate,
    turned_back,
)
from stablemate.compiler.kernels.fft.stockham import Passes, factors_of, unit_roots
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    Fixed,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, Store
from stablemate.compiler.lowering.elements import buffer_of, represented
from stablemate.compiler.schedule.schedule import Scheduler, substitute_indices
from stablemate.dialects.stablehlo.attributes import FftType

MOST: Final = (1 << 19) + (
    1 << 10
)  # bytes of the elements of all rows that are transformed at a time
SIDE: Final = 16  # bytes that vectors are made of: what is exchanged among them costs least
LEAST_LANES: Final = 4  # rows that are transformed at a time at least, where there are so many
INVERSE: Final = (FftType.IFFT, FftType.IRFFT)


def complex_length(node: Node) -> int:
    """How many complex numbers the passes transform."""
    operation = node.operation
    (length,) = operation.fft_length
    return int(length) if operation.fft_type in (FftType.FFT, FftType.IFFT) else length // 2


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


@register_builder("stablehlo.fft", admits=is_known)
def fft(node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> Sequence[BuiltKernel]:
    """A kernel that transforms all rows."""
    return [Transform(node, kept, vector_bytes).build_kernel(name)]


class Transform:
    """Writes the kernel of one operation."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int) -> None:
        (self.operand,), (self.result,) = node.operands, node.results
        self.kind = node.operation.fft_type
        self.is_real = self.kind in (FftType.RFFT, FftType.IRFFT)
        self.length = complex_length(node)
        self.builder = KernelBuilder(node.operands, kept, vector_bytes)
        self.register = represented(self.operand).storage
        self.rows = prod(self.operand.shape[:-1])
        self.width = self.lanes(vector_bytes)
        more = np.arange(1, self.length // 2 + 1 if self.is_real else 1)
        self.passes = Passes(
            self.scheduler,
            self.register,
            self.length,
            self.width,
            unit_roots(more, 2 * self.length),
        )
        self.body = self.passes.body

    def lanes(self, vector_bytes: int) -> int:
        """How many rows are transformed at a time."""
        size = BYTES[self.register]
        width = vector_bytes // size
        while width > self.rows or 2 * (self.length + self.is_real) * size * width > MOST:
            width //= 2
        return width

    @property
    def scheduler(self) -> Scheduler:
        """The scheduler that builds the loops."""
        return self.builder.scheduler

    def build_kernel(self, name: str) -> BuiltKernel:
        """The kernel."""
        table, width = self.builder.table, self.width
        blocks = -(-self.rows // width)
        block = self.scheduler.index(blocks)
        first = table.least(block * width, self.rows - width)
        self.loaded(first)
        if self.kind is FftType.IRFFT:
            self.pack_pairs()
        is_inverse = self.kind in INVERSE
        self.passes.transform(before=self.kind is FftType.IFFT, after=is_inverse)
        if self.kind is FftType.RFFT:
            self.split()
        output = buffer_of(self.result, "y")
        self.stored(first, output)
        body = [Loop(block, blocks, "serial", self.body, parallel=True)]
        memory: list[tuple[Tensor | Scratch | Fixed, Buffer]] = [
            (Fixed(self.passes.values), self.passes.points),
            (self.result, output),
        ]
        return self.builder.build_kernel(name, body, memory, self.passes.local_buffers)

    # From rows to vectors, and back

    def loaded(self, first: Expression) -> None:
        """All elements of some rows, transposed."""
        (source,) = self.builder.buffers.values()
        columns = source.elements // self.rows
        self.transposed(
            columns,
            lambda row, column: Store(
                self.passes.spaces[0],
                column * self.width + row,
                self.builder.table.load_at(source, (first + row) * columns + column),
            ),
            along_rows=True,
        )

    def stored(self, first: Expression, output: Buffer) -> None:
        """All elements of some rows, transposed back."""
        columns = output.elements // self.rows
        scale = 1.0 / self.length if self.kind is FftType.IFFT else 1.0

        def store(row: Expression, column: Expression) -> Store:
            value = self.builder.table.load_at(self.passes.spaces[0], column * self.width + row)
            return Store(output, (first + row) * columns + column, value * scale)

        self.transposed(columns, store, along_rows=False)

    def transposed(
        self,
        columns: int,
        store: Callable[[Expression, Expression], Store],
        *,
        along_rows: bool,
    ) -> None:
        """Squares of elements: loads are consecutive in the one direction, stores in the other.

        Loads are so short that vectors of them are transposed inside of what processors exchange
        at once.
        """
        width = self.width
        if columns < width or width == 1:
            column, row = self.scheduler.index(columns), self.scheduler.index(width)
            inner = self.passes.in_lanes(row, [store(row, column)])
            self.body.append(Loop(column, columns, "serial", inner))
            return
        step, column, lane = self.scheduler.strip(columns, width)
        row = self.scheduler.index(width)
        side = min(width, SIDE // BYTES[self.register])
        part, near = self.scheduler.index(width // side), self.scheduler.index(side)
        along, across = (lane.index, row) if along_rows else (row, lane.index)
        body = substitute_indices([store(row, column)], [(along.terms[0][0], part * side + near)])
        square = Loop(across, width, "unroll", [Loop(near, side, "vector", body)])
        parts = Loop(part, width // side, "serial", [square], apart=True)
        self.body.append(Loop(step.index, step.extent, "serial", [parts]))

    # Real rows

    def split(self) -> None:
        """Separates the transform of packed pairs of real numbers into that of all of them."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, zero = self.scheduler.index(self.width), self.builder.table.sum(0, ())
        real, imag = passes.number(source, zero, lane)
        none = self.builder.table.constant(0.0, self.register)
        ends = [
            *passes.stores(target, zero, lane, (real + imag, none)),
            *passes.stores(target, zero + n, lane, (real - imag, none)),
        ]
        self.add_pairs(passes.in_lanes(lane, ends), self.split_pair)

    def split_pair(self, one: Number, partner: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of real numbers from those of pairs."""
        even = scaled(plus(one, conjugate(partner)), 0.5)
        odd = times(quarter(scaled(minus(one, conjugate(partner)), 0.5)), point)
        return plus(even, odd), conjugate(minus(even, odd))

    def pack_pairs(self) -> None:
        """The packed input of an inverse real transform, times half the scale; parts exchanged."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, zero = self.scheduler.index(self.width), self.builder.table.sum(0, ())
        (first, _), (last, _) = (passes.number(source, zero + i, lane) for i in (0, n))
        scale = 0.5 / n
        pair = (first - last) * scale, (first + last) * scale
        self.add_pairs(
            passes.in_lanes(lane, passes.stores(target, zero, lane, pair)), self.join_pair
        )

    def join_pair(self, one: Number, partner: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of pairs from those of real numbers."""
        scale = 0.5 / self.length
        even = scaled(plus(one, conjugate(partner)), scale)
        odd = turned_back(times_conjugate(scaled(minus(one, conjugate(partner)), scale), point))
        near, far = plus(even, odd), conjugate(minus(even, odd))
        return exchanged(near), exchanged(far)

    def add_pairs(
        self,
        ends: Sequence[Statement],
        pair: Callable[[Number, Number, Number], tuple[Number, Number]],
    ) -> None:
        """Adds a pass over frequencies k and n - k, after the special cases at both ends."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, count = self.scheduler.index(self.width), n // 2
        index = self.scheduler.index(count) if count > 1 else self.builder.table.sum(0, ())
        k = index + 1
        near, far = (passes.number(source, position, lane) for position in (k, n - k))
        one, partner = pair(near, far, passes.further(index))
        body = passes.in_lanes(
            lane,
            [*passes.stores(target, k, lane, one), *passes.stores(target, n - k, lane, partner)],
        )
        if count > 1:
            body = [Loop(index, count, "serial", body, apart=True)]
        passes.add([*ends, *(body if count else ())])


def scaled(number: Number, factor: float) -> Number:
    """A number times a real one."""
    return number[0] * factor, number[1] * factor
