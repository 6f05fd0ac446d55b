"""Complex numbers in vector lanes, as pairs of real vectors."""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.vectors import (
    LaneArray,
    Mask,
    Vector,
    Word,
    larger,
    number,
    power_of_two,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComplexElement:
    """A complex number in each lane."""

    real: Vector
    imaginary: Vector

    def __add__(self, other: ComplexElement) -> ComplexElement:
        return ComplexElement(self.real + other.real, self.imaginary + other.imaginary)

    def __sub__(self, other: ComplexElement) -> ComplexElement:
        return ComplexElement(self.real - other.real, self.imaginary - other.imaginary)

    def __mul__(self, other: ComplexElement) -> ComplexElement:
        a, b, c, d = self.real, self.imaginary, other.real, other.imaginary
        return ComplexElement(a.times_plus(c, -(b * d)), a.times_plus(d, b * c))

    def __truediv__(self, other: ComplexElement) -> ComplexElement:
        """The quotient; the divisor is scaled before it is squared."""
        scale, _ = power_of_two(other.size())
        divisor = other.times(scale)
        product, square = self * divisor.conjugate(), divisor.square()
        return ComplexElement(product.real / square, product.imaginary / square).times(scale)

    def times(self, factor: Vector) -> ComplexElement:
        """The product with a real number."""
        return ComplexElement(self.real * factor, self.imaginary * factor)

    def plus_product(self, one: ComplexElement, other: ComplexElement) -> ComplexElement:
        """``self + one * other``; four operations, each of which is rounded once."""
        a, b, c, d = one.real, one.imaginary, other.real, other.imaginary
        real = a.times_plus(c, self.real).minus_product(b, d)
        return ComplexElement(real, a.times_plus(d, b.times_plus(c, self.imaginary)))

    def minus_product(self, one: ComplexElement, other: ComplexElement) -> ComplexElement:
        """``self - one * other``; see ``plus_product``."""
        a, b, c, d = one.real, one.imaginary, other.real, other.imaginary
        real = b.times_plus(d, self.real.minus_product(a, c))
        return ComplexElement(real, self.imaginary.minus_product(b, c).minus_product(a, d))

    def conjugate(self) -> ComplexElement:
        """The complex conjugate: the imaginary part with the other sign, in all lanes."""
        return ComplexElement(self.real, -self.imaginary)

    def square(self) -> Vector:
        """The square of the magnitude."""
        return self.real.times_plus(self.real, self.imaginary * self.imaginary)

    def square_plus(self, summand: Vector) -> Vector:
        """The sum of the square of the magnitude and a number."""
        partial = self.imaginary.times_plus(self.imaginary, summand)
        return self.real.times_plus(self.real, partial)

    def where(self, lanes: Mask, other: ComplexElement) -> ComplexElement:
        """This number where a mask holds, ``other`` elsewhere."""
        return choose(lanes, self, other)

    def zero(self) -> ComplexElement:
        """Returns 0 in the function of this element."""
        return zero_of(self.real)

    def modulus(self) -> Vector:
        """The magnitude; the parts are scaled before they are squared."""
        scale, inverse = power_of_two(self.size())
        return self.times(scale).square().sqrt() * inverse

    def sum_of_sizes(self) -> Vector:
        """The sum of the magnitudes of both parts."""
        return abs(self.real) + abs(self.imaginary)

    def size(self) -> Vector:
        """The larger one of the magnitudes of both parts."""
        return larger(abs(self.real), abs(self.imaginary))


def choose(mask: Mask, one: ComplexElement, other: ComplexElement) -> ComplexElement:
    """``one`` where a mask holds, ``other`` elsewhere."""
    return ComplexElement(
        mask.choose(one.real, other.real), mask.choose(one.imaginary, other.imaginary)
    )


@dataclass(frozen=True, slots=True)
class Items:
    """A complex vector in memory."""

    real: LaneArray
    imaginary: LaneArray

    def __getitem__(self, index: Word) -> ComplexElement:
        return ComplexElement(self.real[index], self.imaginary[index])

    def __setitem__(self, index: Word, value: ComplexElement) -> None:
        self.real[index], self.imaginary[index] = value.real, value.imaginary

    def scale(self, n: Word, factor: Vector) -> None:
        """Multiplies it by a number."""
        with self.real.text.loop(0, n) as i:
            self[i] = self[i].times(factor)


def zero_of(value: Vector) -> ComplexElement:
    """Returns the complex number 0 in the function of ``value``."""
    zero = number(value.text, 0)
    return ComplexElement(zero, zero)
