"""Transforms of any length as a convolution, which transforms of a longer length compute.

With ``w[j] = exp(-pi i j^2 / n)`` the transform of n numbers is
``X[k] = w[k] sum over j of (x[j] w[j]) conj(w[k - j])``. Two transforms of m >= 2 n - 1 numbers,
a length whose prime factors have passes, give this sum for all k.

Source: Bluestein, "A linear filtering approach to the computation of discrete Fourier transform",
1970.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from stablemate.compiler.kernels.fft.butterflies import Number, swap_parts, times
from stablemate.compiler.kernels.fft.stockham import StockhamPasses, factors_of, unit_roots
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop
from stablemate.numerics.elements import Array

PADDED_PRIMES: Final = (2, 3, 5)  # the prime factors of lengths of convolutions


@cache
def passes_length(count: int) -> int:
    """The length of the passes that transform so many numbers: itself, or that of a convolution."""
    if count == 1 or factors_of(count):
        return count
    lengths = [m for m in range(2 * count - 1, 4 * count) if is_smooth(m)]
    return min(lengths, key=lambda m: m * len(factors_of(m)))


def is_smooth(number: int) -> bool:
    """Whether a number has small prime factors only."""
    for prime in PADDED_PRIMES:
        while number % prime == 0:
            number //= prime
    return number == 1


def convolution_points(count: int) -> Array:
    """The points ``w``, and the transform of their conjugates, divided by its length m."""
    length = passes_length(count)
    points = unit_roots(np.arange(count) ** 2 % (2 * count), 2 * count)
    chirp = points[:, 0] - 1j * points[:, 1]
    periodic = np.zeros(length, np.complex128)
    periodic[:count] = chirp
    periodic[length - count + 1 :] = chirp[:0:-1]
    spectrum = np.fft.fft(periodic) / length
    return np.concatenate([points, np.stack([spectrum.real, spectrum.imag], -1)])


class ConvolutionPasses:
    """Adds the passes of a transform that is computed as a convolution.

    Args:
        passes: The passes, of the length of the convolution.
        count: How many numbers are transformed.
        first: Which of the further points of the passes is the first of ``convolution_points``.
    """

    def __init__(self, passes: StockhamPasses, count: int, first: int) -> None:
        self.passes = passes
        self.count = count
        self.first = first

    def transform(self, *, before: bool, after: bool) -> None:
        """Adds the passes of a forward transform.

        Args:
            before: Whether parts of numbers are exchanged before it.
            after: Whether they are exchanged after it.
        """
        n, m = self.count, self.passes.length

        def begin(k: Expression, number: Number) -> Number:
            return times(swap_parts(number) if before else number, self.point(k))

        def middle(k: Expression, number: Number) -> Number:
            return swap_parts(times(number, self.point(k + n)))

        def end(k: Expression, number: Number) -> Number:
            result = times(swap_parts(number), self.point(k))
            return swap_parts(result) if after else result

        self.add_pass(n, begin, zeros=m - n)
        self.passes.transform(before=False, after=False)
        self.add_pass(m, middle)
        self.passes.transform(before=False, after=False)
        self.add_pass(n, end)

    def point(self, index: Expression) -> Number:
        """A point of the convolution."""
        return self.passes.further(index + self.first)

    def add_pass(
        self, count: int, function: Callable[[Expression, Number], Number], zeros: int = 0
    ) -> None:
        """Adds a pass of a function of each number and its index, and zeros after these numbers."""
        passes = self.passes
        source, target = passes.spaces
        lane, k = passes.scheduler.index(passes.width), passes.scheduler.index(count)
        value = function(k, passes.number(source, k, lane))
        body = passes.in_lanes(lane, passes.stores(target, k, lane, value))
        loops = [Loop(k, count, "serial", body, apart=True)]
        if zeros:
            none = passes.table.constant(0.0, source.type)
            j = passes.scheduler.index(zeros)
            fill = passes.in_lanes(lane, passes.stores(target, j + count, lane, (none, none)))
            loops.append(Loop(j, zeros, "serial", fill, apart=True))
        passes.add(loops)
