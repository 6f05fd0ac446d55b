"""Butterflies of primes that are too large for registers: loops over pairs of numbers.

Numbers j and r - j have conjugate factors. Their sums ``p[j]`` and differences ``d[j]`` are kept
in memory close at hand. With ``a = sum of p[j] cos(2 pi j k / r)`` and
``b = sum of d[j] sin(2 pi j k / r)`` over 0 < j < r / 2, result k is ``x[0] + a - i b`` and result
r - k is ``x[0] + a + i b``. A few k are computed at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np

from stablemate.compiler.kernels.fft.butterflies import (
    Number,
    minus,
    plus,
    turned_back,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement
from stablemate.compiler.schedule.schedule import LoopScheduler
from stablemate.numerics.elements import Array
from stablemate.numerics.functions.arithmetic import multiply_add

PRIMES: Final = (37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113)
# Results that are summed at a time, by the bytes of a vector: their sums, four vectors each, fit
# into the registers: AVX2 has 16, AVX-512 and Arm have 32.
TOGETHER: Final = {32: 3}
USUAL: Final = 4


Read = Callable[[Expression, Expression], Number]
Write = Callable[[Expression, Expression, Number], list[Statement]]


class RowNumbers(Protocol):
    """Reads and writes numbers of several rows: what `Passes` offers."""

    scheduler: LoopScheduler
    width: int

    def number(self, buffer: Buffer, place: Expression, lane: Expression) -> Number:
        """A number of each row."""
        ...

    def stores(
        self, buffer: Buffer, place: Expression, lane: Expression, number: Number
    ) -> list[Statement]:
        """Stores a number of each row."""
        ...

    def point(self, index: Expression) -> Number:
        """A point of the table of the kernel."""
        ...

    def in_lanes(self, lane: Expression, body: Sequence[Statement]) -> list[Statement]:
        """Statements for all rows at a time."""
        ...


def exponents_of(radix: int) -> Array:
    """The exponents ``j k`` of the roots of unity that a butterfly needs, row by row of j."""
    half = np.arange(1, radix // 2 + 1)
    exponents: Array = np.outer(half, half).ravel() % radix
    return exponents


class PrimeButterflies:
    """Writes the butterflies of the large primes of one length.

    Attributes:
        numbers: Reads and writes numbers.
        together: How many results are summed at a time.
        pairs: Memory of the sums of pairs, and behind them of their differences times i.
        sums: Registers of the two sums of each of a few results.
        registers: Registers of ``x[0]`` and of the sum of all numbers.
    """

    def __init__(self, numbers: RowNumbers, register: str, largest: int) -> None:
        """Creates the buffers for primes up to the largest one."""
        self.numbers = numbers
        self.none = numbers.scheduler.table.constant(0.0, register)
        width = numbers.width
        self.together = TOGETHER.get(numbers.scheduler.vector_bytes, USUAL)
        self.pairs = Buffer("pairs", register, (largest - 1, 2, width), "stack")
        self.sums = Buffer("sums", register, (2 * self.together, 2, width), "register")
        self.registers = Buffer("totals", register, (2, 2, width), "register")

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        return [self.pairs, self.sums, self.registers]

    def butterfly(self, radix: int, roots: int, read: Read, write: Write) -> list[Statement]:
        """One butterfly.

        Args:
            radix: A prime, r.
            roots: Where the roots of unity of ``exponents_of`` begin in the table of the kernel.
            read: The number j of each row.
            write: Stores the result k of each row.
        """
        return [*self.form_pairs(radix, read, write), *self.sum_results(radix, roots, write)]

    def form_pairs(self, radix: int, read: Read, write: Write) -> list[Statement]:
        """The pairs, and the result 0, which is the sum of all numbers."""
        numbers, half = self.numbers, radix // 2
        lane, j = numbers.scheduler.index(numbers.width), numbers.scheduler.index(half)
        zero = numbers.scheduler.table.sum(0, ())
        first, total = read(zero, lane), numbers.number(self.registers, zero + 1, lane)
        near, far = read(j + 1, lane), read(j * -1 + (radix - 1), lane)
        begin = [
            *numbers.stores(self.registers, zero, lane, first),
            *numbers.stores(self.registers, zero + 1, lane, first),
        ]
        pair = [
            *numbers.stores(self.pairs, j, lane, plus(near, far)),
            *numbers.stores(self.pairs, j + half, lane, turned_back(minus(near, far))),
            *numbers.stores(self.registers, zero + 1, lane, plus(total, plus(near, far))),
        ]
        return [
            *numbers.in_lanes(lane, begin),
            Loop(j, half, "serial", numbers.in_lanes(lane, pair)),
            *numbers.in_lanes(lane, write(zero, lane, total)),
        ]

    def sum_results(self, radix: int, roots: int, write: Write) -> list[Statement]:
        """The other results, a few at a time; the last few repeat some."""
        numbers, half = self.numbers, radix // 2
        scheduler = numbers.scheduler
        lane, j, i = map(scheduler.index, (numbers.width, half, self.together))
        steps = -(-half // self.together)
        step = scheduler.index(steps)
        start = scheduler.table.least(step * self.together, half - self.together)
        zero = scheduler.table.sum(0, ())
        even, odd = (numbers.number(self.sums, i * 2 + side, lane) for side in range(2))
        plain, turned = (numbers.number(self.pairs, j + side * half, lane) for side in range(2))
        cosine, sine = numbers.point(j * half + start + i + roots)
        begin = [
            *numbers.stores(self.sums, i * 2, lane, numbers.number(self.registers, zero, lane)),
            *numbers.stores(self.sums, i * 2 + 1, lane, (self.none, self.none)),
        ]
        add = [
            *numbers.stores(self.sums, i * 2, lane, add_product(plain, cosine, even)),
            *numbers.stores(self.sums, i * 2 + 1, lane, add_product(turned, sine, odd)),
        ]
        end = [
            *write(start + i + 1, lane, plus(even, odd)),
            *write((start + i) * -1 + (radix - 1), lane, minus(even, odd)),
        ]

        def few(body: Sequence[Statement]) -> Statement:
            return Loop(i, self.together, "unroll", numbers.in_lanes(lane, body))

        body = [few(begin), Loop(j, half, "serial", [few(add)]), few(end)]
        return [Loop(step, steps, "serial", body)]


def add_product(x: Number, factor: Expression, total: Number) -> Number:
    """``x`` times a real factor, added to a total."""
    return multiply_add(x[0], factor, total[0]), multiply_add(x[1], factor, total[1])
