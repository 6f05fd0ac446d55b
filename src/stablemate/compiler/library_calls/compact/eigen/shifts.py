"""The shifts of QR iteration, and where a sweep begins; see ``quasi_triangular``."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.eigen.schur_forms import PRECISION, ActiveRows, Schur
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    downwards,
    integer_variable,
    integers,
    number,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

EXCEPTIONAL_SWEEPS: Final = 10  # after so many sweeps for an eigenvalue a shift is arbitrary
EXCEPTIONAL_FACTORS: Final = (0.75, -0.4375)


@dataclass(frozen=True, slots=True)
class SweepStart:
    """Where a sweep begins.

    Attributes:
        row: The first row.
        vector: The first column of the shifted product, but for a factor.
    """

    row: Integers
    vector: tuple[Vector, Vector, Vector]


def choose_shifts(m: Schur, window: ActiveRows) -> tuple[Vector, Vector, Vector]:
    """The shifts of a sweep: the eigenvalues of the last two rows of the window.

    Returns:
        The real parts of both, and the imaginary part of the first one, which is that of the second
        one but for its sign.
    """
    text = m.text
    zero, one, half = number(text, 0), number(text, 1), number(text, 0.5)
    a, b, c, d = last_block(m, window)
    scale = abs(a) + abs(b) + abs(c) + abs(d)
    is_zero = scale.is_zero()
    inverse = one / is_zero.choose(one, scale)
    a, b, c, d = (value * inverse for value in (a, b, c, d))
    middle = (a + d) * half
    determinant = (a - middle) * (d - middle) - b * c
    root = abs(determinant).sqrt()
    is_pair = determinant.compare("oge", zero)
    first, second = middle + root, middle - root
    nearer = abs(first - d).compare("ole", abs(second - d)).choose(first, second)
    real = is_zero.choose(zero, is_pair.choose(middle, nearer) * scale)
    imaginary = is_zero.choose(zero, is_pair.choose(root, zero) * scale)
    return real, real, imaginary


def last_block(m: Schur, window: ActiveRows) -> tuple[Vector, Vector, Vector, Vector]:
    """The last two rows and columns of each window, or others after some sweeps in vain."""
    text, h, zero = m.text, m.h, number(m.text, 0)
    block = [variable(text, zero) for _ in range(4)]
    bottom, sweeps = window.bottom.get(), window.sweeps.get()
    with text.loop(1, m.n) as k:
        at, before = integers(text, k).compare("eq", bottom), text.add(k, -1)
        places = ((before, before), (before, k), (k, before), (k, k))
        for item, place in zip(block, places, strict=True):
            item.set(at.choose(h[place], item.get()))
    is_exceptional = sweeps.remainder(EXCEPTIONAL_SWEEPS).compare("eq", integers(text, 0))
    with text.when(is_exceptional.any()):
        at_end = sweeps.remainder(2 * EXCEPTIONAL_SWEEPS).compare("eq", integers(text, 0))
        size, diagonal = exceptional_numbers(m, window, at_end)
        first, second = (number(text, factor) for factor in EXCEPTIONAL_FACTORS)
        shifted = first.times_plus(size, diagonal)
        for item, value in zip(block, (shifted, second * size, size, shifted), strict=True):
            item.set(is_exceptional.choose(value, item.get()))
    a, b, c, d = (item.get() for item in block)
    return a, b, c, d


def exceptional_numbers(m: Schur, window: ActiveRows, at_end: Mask) -> tuple[Vector, Vector]:
    """The size of two elements below the diagonal, and the diagonal element beside them.

    They are at the end of the window, or at its begin.
    """
    text, h, zero = m.text, m.h, number(m.text, 0)
    size, diagonal = variable(text, zero), variable(text, zero)
    top, bottom = window.top.get(), window.bottom.get()
    with text.loop(0, m.n) as k:
        here, before, after = integers(text, k), text.add(k, -1), text.add(k, 1)
        ends = here.compare("eq", bottom) & at_end
        begins = here.compare("eq", top) & ~at_end
        own, next_one = abs(h[k, before]), abs(h[after, k])
        with text.when((ends | begins).any()):
            further = abs(h[text.least(text.add(k, 2), m.n), after])
            farther = abs(h[before, text.add(k, -2)])
            size.set(ends.choose(own + farther, size.get()))
            size.set(begins.choose(next_one + further, size.get()))
        diagonal.set((ends | begins).choose(h[k, k], diagonal.get()))
    return size.get(), diagonal.get()


def choose_start(
    m: Schur, window: ActiveRows, active: Mask, shifts: tuple[Vector, Vector, Vector]
) -> SweepStart:
    """The row where a sweep begins: the last one before which two small elements are."""
    text, zero = m.text, number(m.text, 0)
    row = integer_variable(text, integers(text, -1))
    vector = [variable(text, zero) for _ in range(3)]
    top, bottom = window.top.get(), window.bottom.get()
    with downwards(text, 0, text.add(m.n, -2)) as k:
        here = integers(text, k)
        waits = row.get().compare("slt", integers(text, 0)) & active
        is_inside = here.compare("sge", top) & (here + integers(text, 2)).compare("sle", bottom)
        searches = waits & is_inside
        with text.when(searches.any()):
            column = first_column(m.h, k, shifts)
            for item, value in zip(vector, column, strict=True):
                item.set(searches.choose(value, item.get()))
            stops = here.compare("eq", top) | is_small_before(m.h, k, column)
            row.set((searches & stops).choose_integers(here, row.get()))
    first, second, third = (item.get() for item in vector)
    return SweepStart(row.get(), (first, second, third))


def first_column(
    h: LaneMatrix, k: Word, shifts: tuple[Vector, Vector, Vector]
) -> tuple[Vector, Vector, Vector]:
    """The first column of (H - s1)(H - s2) from row k on, whose magnitudes have the sum one."""
    text, one = h.text, number(h.text, 1)
    real, other, imaginary = shifts
    after, next_one = text.add(k, 1), text.add(k, 2)
    here, below = h[k, k], h[after, k]
    scale = positive(abs(here - other) + abs(imaginary) + abs(below))
    ratio = below / scale
    first = (here - real).times_plus((here - other) / scale, imaginary * (imaginary / scale))
    first = ratio.times_plus(h[k, after], first)
    second = ratio * (here + h[after, after] - real - other)
    third = ratio * h[next_one, after]
    inverse = one / positive(abs(first) + abs(second) + abs(third))
    return first * inverse, second * inverse, third * inverse


def positive(value: Vector) -> Vector:
    """A number, or one in the place of zero."""
    return value.is_zero().choose(number(value.text, 1), value)


def is_small_before(h: LaneMatrix, k: Word, column: tuple[Vector, Vector, Vector]) -> Mask:
    """Whether a sweep from row k on changes nothing before it but for rounding."""
    text = h.text
    before, after = text.add(k, -1), text.add(k, 1)
    first, second, third = (abs(item) for item in column)
    diagonal = abs(h[before, before]) + abs(h[k, k]) + abs(h[after, after])
    change = abs(h[k, before]) * (second + third)
    return change.compare("ole", number(text, PRECISION[text.letter]) * first * diagonal)
