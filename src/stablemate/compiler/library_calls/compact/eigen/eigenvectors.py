"""Eigenvectors of real matrices in Schur form, by back substitution.

Vectors begin as those of LAPACK's trevc, from which they have their signs. They are scaled on the
way, so that they do not overflow where eigenvalues are nearly equal.

Source: LAPACK Users' Guide, trevc and geev; Golub and Van Loan, Matrix Computations, 4th edition,
7.6.4 (eigenvectors by substitution).
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, Items, choose
from stablemate.compiler.library_calls.compact.eigen.balancing import Balance, restore_rows
from stablemate.compiler.library_calls.compact.eigen.schur_forms import (
    PRECISION,
    Schur,
    eigenvalues,
    smallest_of,
)
from stablemate.compiler.library_calls.compact.vectors import (
    LaneMatrix,
    Mask,
    Vector,
    Word,
    downwards,
    integer_variable,
    integers,
    larger,
    number,
    power_of_two,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

LARGEST_ITEM: Final = 2.0**20  # of a vector and of right-hand sides; larger ones are scaled


@dataclass(frozen=True, slots=True)
class BackSubstitution:
    """The computation of a vector.

    Attributes:
        m: The Schur form.
        j: The row of the eigenvalue.
        x: The vector in the basis of the Schur form.
        value: The eigenvalue.
    """

    m: Schur
    j: Word
    x: Items
    value: ComplexElement

    @property
    def smallest(self) -> Vector:
        """The least divisor, which replaces smaller ones."""
        text = self.m.text
        size = abs(self.value.real) + abs(self.value.imaginary)
        precision, smallest = PRECISION[text.letter], smallest_of(text)
        return larger(size * number(text, precision), number(text, smallest))

    def scale_if_large(self, size: Vector) -> Vector:
        """Scales the vector where a number is large; returns the factors."""
        text = self.m.text
        factor = variable(text, number(text, 1))
        is_large = size.compare("ogt", number(text, LARGEST_ITEM))
        with text.when(is_large.any()):
            scale, _ = power_of_two(size)
            factor.set(is_large.choose(scale, factor.get()))
            self.x.scale(text.add(self.j, 1), factor.get())
        return factor.get()


def eigenvectors(
    m: Schur, x: Items, balance: Balance, out: tuple[LaneMatrix, LaneMatrix], *, left: bool
) -> None:  # fmt: skip
    """Computes all vectors; their norms are one.

    Args:
        m: The Schur form.
        x: Memory for a vector.
        balance: What was done before the Schur form was computed.
        out: Where real and imaginary parts of the vectors are stored as columns.
        left: Whether they are left vectors of the matrix, whose Schur form was turned around.
    """
    text, n, h = m.text, m.n, m.h
    with downwards(text, 0, n) as j:
        real, imaginary = eigenvalues(h, j)
        at = BackSubstitution(m, j, x, ComplexElement(real, abs(imaginary)))
        is_pair = ~h[j, text.add(j, -1)].is_zero()
        begin(at, is_pair, left=left)
        with downwards(text, 0, j) as k:
            substitute(at, k)
        store(at, is_pair, out)
    for part in out:
        restore_rows(part, n, balance, left=left)
    with text.loop(0, n) as j:
        is_real = eigenvalues(h, j)[1].is_zero()
        normalize(Items(*(part.column_of(j) for part in out)), n, is_real)


def begin(at: BackSubstitution, is_pair: Mask, *, left: bool) -> None:
    """Gives a vector its last item that is not zero, or its last two.

    These are those of LAPACK, which are -i times as large for left vectors.
    """
    text, h, x, j = at.m.text, at.m.h, at.x, at.j
    zero, one = number(text, 0), number(text, 1)
    x[j] = ComplexElement(one, zero)
    with text.when(is_pair.any()):
        before = text.add(j, -1)
        upper, lower = h[before, j], h[j, before]
        is_upper = abs(upper).compare("oge", abs(lower))
        above = is_upper.choose(one, -at.value.imaginary / lower)
        below = is_upper.choose(at.value.imaginary / upper, one)
        last = ComplexElement(below, zero) if left else ComplexElement(zero, below)
        x[j] = choose(is_pair, last, x[j])
        # which others replace
        x[before] = ComplexElement(zero, -above) if left else ComplexElement(above, zero)


def substitute(at: BackSubstitution, k: Word) -> None:
    """Computes item k of a vector, and item k - 1 if both rows are a block."""
    text, h, x = at.m.text, at.m.h, at.x
    before, after = text.add(k, -1), text.add(k, 1)
    is_done = ~h[after, k].is_zero()
    is_block = ~h[k, before].is_zero() & ~is_done
    right, above = residual(at, k, after), residual(at, before, after)
    size = larger(right.size(), is_block.choose(above.size(), number(text, 0)))
    factor = at.scale_if_large(size)
    right, above = right.times(factor), above.times(factor)
    own = h[k, k]
    difference = ComplexElement(own - at.value.real, -at.value.imaginary)
    single = right / not_smaller(difference, at.smallest)
    with text.when((~is_done).any()):
        x[k] = choose(is_done, x[k], single)
    with text.when(is_block.any()):
        first, second = solve_block(
            difference, (h[before, k], h[k, before]), (above, right), at.smallest
        )
        x[k] = choose(is_block, second, x[k])
        x[before] = choose(is_block, first, x[before])
        at.scale_if_large(is_block.choose(x[before].size(), number(text, 0)))
    at.scale_if_large(is_done.choose(number(text, 0), x[k].size()))


def residual(at: BackSubstitution, row: Word, start: Word) -> ComplexElement:
    """The residual of a row when the items from ``start`` on are known."""
    text, h, x = at.m.text, at.m.h, at.x
    real, imaginary = variable(text, number(text, 0)), variable(text, number(text, 0))
    with text.loop(start, text.add(at.j, 1)) as c:
        item, factor = x[c], h[row, c]
        real.set(real.get().minus_product(factor, item.real))
        imaginary.set(imaginary.get().minus_product(factor, item.imaginary))
    return ComplexElement(real.get(), imaginary.get())


def not_smaller(value: ComplexElement, smallest: Vector) -> ComplexElement:
    """A number, or ``smallest`` if it is smaller."""
    is_small = (abs(value.real) + abs(value.imaginary)).compare("olt", smallest)
    return choose(is_small, ComplexElement(smallest, number(smallest.text, 0)), value)


def solve_block(
    p: ComplexElement,
    beside: tuple[Vector, Vector],
    right: tuple[ComplexElement, ComplexElement],
    smallest: Vector,
) -> tuple[ComplexElement, ComplexElement]:
    """The solution of ((p, b), (c, p)) x = right, with complete pivoting."""
    zero = number(smallest.text, 0)
    swaps = abs(beside[1]).compare("ogt", abs(beside[0]))
    b = ComplexElement(swaps.choose(beside[1], beside[0]), zero)
    c = ComplexElement(swaps.choose(beside[0], beside[1]), zero)
    first, second = choose(swaps, right[1], right[0]), choose(swaps, right[0], right[1])
    is_diagonal = p.size().compare("oge", abs(b.real))
    pivot = not_smaller(choose(is_diagonal, p, b), smallest)
    beside_pivot, below = choose(is_diagonal, b, p), choose(is_diagonal, c, p)
    corner = choose(is_diagonal, p, c)
    ratio = beside_pivot / pivot
    rest = not_smaller(corner - below * ratio, smallest)
    last = (second - (below / pivot) * first) / rest
    leading = first / pivot - ratio * last
    one, other = choose(is_diagonal, leading, last), choose(is_diagonal, last, leading)
    return choose(swaps, other, one), choose(swaps, one, other)


def store(at: BackSubstitution, is_pair: Mask, out: tuple[LaneMatrix, LaneMatrix]) -> None:
    """Stores a vector in the basis of the matrix, and that of the conjugate eigenvalue."""
    text, j, n, z, x = at.m.text, at.j, at.m.n, at.m.z, at.x
    zero, before = number(text, 0), text.add(j, -1)
    is_done = ~at.m.h[text.add(j, 1), j].is_zero()
    with text.loop(0, n) as i:
        real, imaginary = variable(text, zero), variable(text, zero)
        with text.loop(0, text.add(j, 1)) as c:
            item, factor = x[c], z[i, c]
            real.set(factor.times_plus(item.real, real.get()))
            imaginary.set(factor.times_plus(item.imaginary, imaginary.get()))
        value = ComplexElement(real.get(), is_pair.choose(imaginary.get(), zero))
        conjugate = ComplexElement(value.real, is_pair.choose(-value.imaginary, zero))
        old = ComplexElement(out[0][i, j], out[1][i, j])
        stored = choose(is_done, old, conjugate)
        out[0][i, j], out[1][i, j] = stored.real, stored.imaginary
        with text.when(is_pair.any()):
            out[0][i, before], out[1][i, before] = value.real, value.imaginary


def normalize(v: Items, n: Word, is_real: Mask) -> None:
    """Makes the norm of a vector one, and its largest item real."""
    text = v.real.text
    zero, one = number(text, 0), number(text, 1)
    largest = variable(text, zero)
    with text.loop(0, n) as i:
        largest.set(larger(v[i].size(), largest.get()))
    scale, _ = power_of_two(largest.get())
    v.scale(n, scale)
    total, most = variable(text, zero), variable(text, -one)
    real, imaginary = variable(text, one), variable(text, zero)
    place = integer_variable(text, integers(text, 0))
    with text.loop(0, n) as i:
        item = v[i]
        square = item.real.times_plus(item.real, item.imaginary * item.imaginary)
        total.set(total.get() + square)
        is_larger = square.compare("ogt", most.get())
        most.set(is_larger.choose(square, most.get()))
        real.set(is_larger.choose(item.real, real.get()))
        imaginary.set(is_larger.choose(item.imaginary, imaginary.get()))
        place.set(is_larger.choose_integers(integers(text, i), place.get()))
    inverse = one / total.get().sqrt()
    length = most.get().sqrt().with_sign_of(real.get())
    cosine = is_real.choose(one, abs(real.get() / length)) * inverse
    sine = is_real.choose(zero, imaginary.get() / length) * inverse
    with text.loop(0, n) as i:
        item = v[i]
        is_place = is_real | integers(text, i).compare("eq", place.get())
        rotated = cosine.times_plus(item.imaginary, -(sine * item.real))
        turned = cosine.times_plus(item.real, sine * item.imaginary)
        v[i] = ComplexElement(turned, is_place.choose(zero, rotated))
