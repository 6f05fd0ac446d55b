"""Stockham passes of a Fourier transform, each with one factor of the length.

They take it in Stockham's order, in which results come out sorted. Many rows are transformed at a
time, one in each lane, so that no lane ever needs another one. A pass goes from one memory close at
hand to another. Passes of one radix differ in strides and in how often loops run alone, so that all
of a program have one code; for that, too, an inverse transform is a forward one of numbers whose
parts are exchanged.

Source: Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 1.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.compiler.kernels.fft.butterflies import (
    RADICES,
    Number,
    butterfly,
    swap_parts,
    times,
)
from stablemate.compiler.kernels.fft.prime_butterflies import (
    PRIMES,
    PrimeButterflies,
    exponents_of,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import LoopScheduler, substitute_indices
from stablemate.numerics.elements import Array

Place = tuple[Buffer, Expression]  # a number in memory

PAGE: Final = 4096  # bytes; a load waits for a store at the same place of another page


def factors_of(length: int) -> list[int]:
    """The radices of the passes, large ones first; empty if another prime factor is left."""
    factors: list[int] = []
    rest = length
    for radix in (*RADICES, *PRIMES):
        while rest % radix == 0 and rest > 1:
            factors.append(radix)
            rest //= radix
    return sorted(factors, reverse=True) if rest == 1 else []


def numbers_of_space(length: int, number: int) -> int:
    """How many numbers a memory for passes has, at least one more than the length.

    Another such memory lies behind it. If both began at the same place of a page, loads from one
    would wait for stores to the other, whose addresses have the same low bits.

    Args:
        length: How many numbers are transformed.
        number: The size of a number of all rows, in bytes.
    """
    least = length + 1
    if least * number < PAGE:
        return least
    return least + (PAGE // 2 - least * number) % PAGE // number


def unit_roots(exponents: Array, order: int) -> Array:
    """Returns the roots of unity ``exp(-2 pi i k / order)``, for each exponent k.

    Sine and cosine are evaluated on an eighth of the circle only, so that exact results are exact.
    """
    eighths, rest = np.divmod(8 * exponents, order)
    is_far = eighths % 2 == 1
    angle = np.where(is_far, order - rest, rest) * (np.pi / (4 * order))
    near, far = np.cos(angle), np.sin(angle)
    x, y = np.where(is_far, far, near), np.where(is_far, near, far)
    quarters = eighths // 2 % 4
    real, imag = np.choose(quarters, [x, -y, -x, y]), np.choose(quarters, [y, x, -y, -x])
    return np.stack([real, -imag], -1)


class StockhamPasses:
    """Writes passes over the numbers of a few rows.

    Attributes:
        length: How many complex numbers are transformed.
        width: How many rows are transformed at a time.
        spaces: The memory that the next pass reads, and the one that it writes.
        points: What numbers are multiplied by: those of all passes in the order of their use,
            ``exp(-2 pi i p k / (r m))`` for each p and 0 < k < r, behind them the roots of large
            primes and ``more``.
        primes: Writes the butterflies of large primes; None if the length has none.
        roots: The roots of unity of each large prime.
        body: The passes.
    """

    def __init__(
        self, scheduler: LoopScheduler, register: str, length: int, width: int, more: Array
    ) -> None:
        """Begins with no passes.

        Args:
            scheduler: Makes loops.
            register: The type of parts of numbers.
            length: How many complex numbers are transformed.
            width: How many rows are transformed at a time.
            more: Other points that are needed.
        """
        self.scheduler, self.table = scheduler, scheduler.table
        self.length, self.width = length, width
        shape = (numbers_of_space(length, 2 * width * BYTES[register]), 2, width)
        self.spaces = [Buffer(f"space{i}", register, shape, "stack") for i in range(2)]
        factors = factors_of(length)
        large = sorted({factor for factor in factors if factor in PRIMES})
        self.primes = PrimeButterflies(self, register, large[-1]) if large else None
        self.roots = {radix: unit_roots(exponents_of(radix), radix) for radix in large}
        most = (max((factor for factor in factors if factor not in large), default=1), 2, width)
        self.inputs, self.outputs = (
            Buffer(name, register, most, "register") for name in ("taken", "turned")
        )
        self.twiddles = Buffer("turns", register, (most[0], 2), "register")
        self.butterflies: dict[tuple[int, bool], Sequence[Statement]] = {}
        self.factors = points_of(length)
        values = np.concatenate([*self.factors, *self.roots.values(), more])
        self.values = values.astype(np.float32 if register == "f32" else np.float64)
        self.points = Buffer("points", register, values.shape)
        self.body: list[Statement] = []

    @property
    def local_buffers(self) -> list[Buffer]:
        """The buffers on the stack and in registers."""
        own = [*self.spaces, self.inputs, self.outputs, self.twiddles]
        return own if self.primes is None else [*own, *self.primes.local_buffers]

    # Numbers

    def number(self, buffer: Buffer, place: Expression, lane: Expression) -> Number:
        """A number of each row."""
        real, imag = [
            self.table.load(buffer, (place, self.table.sum(i, ()), lane)) for i in range(2)
        ]
        return real, imag

    def stores(
        self, buffer: Buffer, place: Expression, lane: Expression, number: Number
    ) -> list[Statement]:
        """Stores a number of each row."""
        return [
            StoreElement(
                buffer, self.table.place(buffer, (place, self.table.sum(i, ()), lane)), part
            )
            for i, part in enumerate(number)
        ]

    def point(self, index: Expression) -> Number:
        """Loads the twiddle factor at an index."""
        real, imag = [
            self.table.load(self.points, (index, self.table.sum(i, ()))) for i in range(2)
        ]
        return real, imag

    def further(self, index: Expression) -> Number:
        """One of the points that are needed besides those of the passes."""
        return self.point(index + sum(map(len, (*self.factors, *self.roots.values()))))

    def in_lanes(self, lane: Expression, body: Sequence[Statement]) -> list[Statement]:
        """Statements for all rows at a time."""
        if self.width > 1:
            return [Loop(lane, self.width, "vector", body)]
        atom = lane.terms[0][0]
        return substitute_indices(body, [(atom, self.table.sum(0, ()))])

    # Passes

    def add(self, body: Sequence[Statement]) -> None:
        """Appends a pass, which exchanges source and destination."""
        self.body += body
        self.spaces.reverse()

    def transform(self, *, before: bool, after: bool) -> None:
        """Adds the passes of a forward transform.

        Args:
            before: Whether parts of numbers are exchanged before it.
            after: Whether they are exchanged after it.
        """
        done, last = 1, len(self.factors) - 1
        for number, radix in enumerate(factors_of(self.length)):
            run_pass = self.add_prime_pass if radix in self.roots else self.add_pass
            run_pass(number, radix, done, before and number == 0, after and number == last)
            done *= radix

    def add_pass(self, number: int, radix: int, done: int, before: bool, after: bool) -> None:
        """One pass: ``y[q + s (r p + k)] = w^(p k) sum_j x[q + s (p + m j)] w_r^(j k)``.

        Numbers are brought to registers and back by loops, so that their distances are strides.

        Args:
            number: Which pass it is.
            radix: The factor, r.
            done: The factors that were taken before, s.
            before: Whether parts of numbers are exchanged before.
            after: Whether they are exchanged after it.
        """
        rest = self.length // done // radix  # m
        source, target = self.spaces
        p, q, j, k = map(self.scheduler.index, (rest, done, radix, radix))
        key = radix, rest > 1
        if key not in self.butterflies:
            self.butterflies[key] = self.compute_butterfly(*key)
        body = [
            self.move_numbers(
                radix, j, (source, q + (p + j * rest) * done), (self.inputs, j), before
            ),
            *self.butterflies[key],
            self.move_numbers(
                radix, k, (self.outputs, k), (target, q + (p * radix + k) * done), after
            ),
        ]
        around: list[Statement] = [Loop(q, done, "serial", body)]
        if rest > 1:
            first = sum(map(len, self.factors[:number]))
            around.insert(0, self.loaded_turns(p * (radix - 1) + first, radix - 1))
        self.add([Loop(p, rest, "serial", around, apart=True)])

    def add_prime_pass(self, number: int, radix: int, done: int, before: bool, after: bool) -> None:
        """One pass whose factor is a large prime; see `add_pass`."""
        assert self.primes is not None
        rest = self.length // done // radix
        source, target = self.spaces
        p, q = map(self.scheduler.index, (rest, done))
        first = sum(map(len, self.factors[:number])) - 1

        def read(j: Expression, lane: Expression) -> Number:
            value = self.number(source, q + (p + j * rest) * done, lane)
            return swap_parts(value) if before else value

        def write(k: Expression, lane: Expression, value: Number) -> list[Statement]:
            if rest > 1 and (k.low, k.high) != (0, 0):
                value = times(value, self.point(p * (radix - 1) + k + first))
            place = q + (p * radix + k) * done
            return self.stores(target, place, lane, swap_parts(value) if after else value)

        body = self.primes.butterfly(radix, self.first_root(radix), read, write)
        self.add([Loop(p, rest, "serial", [Loop(q, done, "serial", body)], apart=True)])

    def first_root(self, radix: int) -> int:
        """Where the roots of a large prime begin among the points."""
        smaller = [roots for prime, roots in self.roots.items() if prime < radix]
        return sum(map(len, (*self.factors, *smaller)))

    def loaded_turns(self, first: Expression, count: int) -> Statement:
        """Loads twiddle factors into registers."""
        index = self.scheduler.index(count)
        body = [
            StoreElement(
                self.twiddles, self.table.place(self.twiddles, (index, self.table.sum(i, ()))), part
            )
            for i, part in enumerate(self.point(first + index))
        ]
        return Loop(index, count, "unroll", body)

    def move_numbers(
        self, radix: int, index: Expression, out_of: Place, into: Place, exchange: bool
    ) -> Statement:
        """Copies numbers; exchanges real and imaginary parts on request."""
        lane = self.scheduler.index(self.width)
        value = self.number(*out_of, lane)
        body = self.stores(*into, lane, swap_parts(value) if exchange else value)
        return Loop(index, radix, "unroll", self.in_lanes(lane, body))

    def compute_butterfly(self, radix: int, is_twiddled: bool) -> Sequence[Statement]:
        """Computes the butterfly in registers, and multiplies by twiddle factors on request."""
        lane, zero = self.scheduler.index(self.width), self.table.sum(0, ())
        values = butterfly([self.number(self.inputs, zero + j, lane) for j in range(radix)])
        body: list[Statement] = []
        for k, value in enumerate(values):
            if k and is_twiddled:
                value = times(value, self.twiddle_factor(k - 1))
            body += self.stores(self.outputs, zero + k, lane, value)
        return self.in_lanes(lane, body)

    def twiddle_factor(self, number: int) -> Number:
        """Loads a twiddle factor from registers."""
        constant = self.table.sum
        real, imag = [
            self.table.load(self.twiddles, (constant(number, ()), constant(i, ())))
            for i in range(2)
        ]
        return real, imag


def points_of(length: int) -> list[Array]:
    """Returns the twiddle factors, pass by pass."""
    points: list[Array] = []
    rest = length
    for radix in factors_of(length):
        rest //= radix
        exponents = np.arange(rest)[:, None] * np.arange(1, radix)
        points.append(unit_roots(exponents.ravel() if rest > 1 else np.arange(0), rest * radix))
    return points
