"""Eigenvectors of complex matrices in Schur form, by substitution, from both sides.

They are scaled on the way, so that they do not overflow where eigenvalues are nearly equal. In the
end their length is one, and the first one of their largest elements is real and positive.

Source: LAPACK Users' Guide, trevc and geev; Golub and Van Loan, Matrix Computations, 4th edition,
7.6.4 (eigenvectors by substitution).
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.complex_shifts import (
    ComplexVariable,
)
from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexArray,
    ComplexMatrix,
    constant,
)
from stablemate.compiler.library_calls.compact.complex_matrices.schur_forms import ComplexSchur
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.eigen.balancing import Balance, restore_rows
from stablemate.compiler.library_calls.compact.eigen.eigenvectors import (
    LARGEST_ITEM,
    not_smaller,
)
from stablemate.compiler.library_calls.compact.eigen.schur_forms import PRECISION, smallest_of
from stablemate.compiler.library_calls.compact.vectors import (
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


@dataclass(frozen=True, slots=True)
class ComplexSubstitution:
    """The computation of a vector.

    Attributes:
        m: The Schur form.
        x: The vector in the basis of the Schur form.
        value: The eigenvalue.
        span: The items that may not be zero, from the first one up to, but without, the second one.
        is_left: Whether it is a left vector.
    """

    m: ComplexSchur
    x: ComplexArray
    value: ComplexElement
    span: tuple[Word, Word]
    is_left: bool

    def item(self, row: Word, column: Word) -> ComplexElement:
        """An element of the matrix whose right vector this is."""
        return self.m.h[column, row].conjugate() if self.is_left else self.m.h[row, column]

    def substitute(self, k: Word, known: tuple[Word, Word]) -> None:
        """Computes item k of the vector from those of a span."""
        text, x = self.m.text, self.x
        total = ComplexVariable.zero(text)
        with text.loop(*known) as c:
            following = total.get().minus_product(self.item(k, c), x[c])
            total.real.set(following.real)
            total.imaginary.set(following.imaginary)
        right = total.get()
        right = right.times(self.scale_if_large(right.size()))
        size = self.value.sum_of_sizes()
        precision, smallest = PRECISION[text.letter], smallest_of(text)
        least = larger(size * number(text, precision), number(text, smallest))
        difference = not_smaller(self.m.h[k, k] - self.value, least)
        x[k] = right / (difference.conjugate() if self.is_left else difference)
        self.scale_if_large(x[k].size())

    def scale_if_large(self, size: Vector) -> Vector:
        """Scales the vector where a number is large; returns the factors."""
        text, x = self.m.text, self.x
        factor = variable(text, number(text, 1))
        is_large = size.compare("ogt", number(text, LARGEST_ITEM))
        with text.when(is_large.any()):
            scale, _ = power_of_two(size)
            factor.set(is_large.choose(scale, factor.get()))
            with text.loop(*self.span) as i:
                x[i] = x[i].times(factor.get())
        return factor.get()

    def store(self, out: ComplexArray) -> None:
        """Stores the vector in the basis of the matrix."""
        text, z = self.m.text, self.m.z
        with text.loop(0, self.m.n) as i:
            total = ComplexVariable.zero(text)
            with text.loop(*self.span) as c:
                following = total.get().plus_product(z[i, c], self.x[c])
                total.real.set(following.real)
                total.imaginary.set(following.imaginary)
            out[i] = total.get()


def eigenvectors(
    m: ComplexSchur, x: ComplexArray, balance: Balance, out: ComplexMatrix, *, left: bool
) -> None:
    """Computes all vectors of a side.

    Args:
        m: The Schur form.
        x: Memory for a vector.
        balance: What was done before the Schur form was computed.
        out: Where the vectors are stored as columns.
        left: Whether they are left vectors: v^H A = value v^H.
    """
    text, n = m.text, m.n
    zero, one = constant(text, 0), constant(text, 1)
    with text.loop(0, n) as j:
        after = text.add(j, 1)
        span: tuple[Word, Word] = (j, n) if left else (0, after)
        with text.loop(*span) as i:
            x[i] = zero
        x[j] = one
        at = ComplexSubstitution(m, x, m.h[j, j], span, left)
        if left:
            with text.loop(after, n) as k:
                at.substitute(k, (j, k))
        else:
            with downwards(text, 0, j) as k:
                at.substitute(k, (text.add(k, 1), after))
        at.store(out.column_of(j))
    restore_rows(out, n, balance, left=left)
    with text.loop(0, n) as j:
        normalize(out.column_of(j), n)


def normalize(v: ComplexArray, n: Word) -> None:
    """Makes the norm of a vector one, and its largest item real."""
    text = v.text
    zero, one = number(text, 0), number(text, 1)
    largest = variable(text, zero)
    with text.loop(0, n) as i:
        largest.set(larger(v[i].size(), largest.get()))
    scale, _ = power_of_two(largest.get())
    total, most = variable(text, zero), variable(text, -one)
    item_there = ComplexVariable.zero(text)
    place = integer_variable(text, integers(text, 0))
    with text.loop(0, n) as i:
        item = v[i].times(scale)
        v[i] = item
        square = item.square()
        total.set(total.get() + square)
        is_larger = square.compare("ogt", most.get())
        most.set(is_larger.choose(square, most.get()))
        item_there.set_where(is_larger, item)
        place.set(is_larger.choose_integers(integers(text, i), place.get()))
    inverse = one / (most.get().sqrt() * total.get().sqrt())
    factor = item_there.get().conjugate().times(inverse)
    with text.loop(0, n) as i:
        item = v[i] * factor
        is_place = integers(text, i).compare("eq", place.get())
        v[i] = choose(is_place, ComplexElement(item.real, zero), item)
