"""The shifts of QR iteration of complex matrices, and where a sweep begins; see ``schur_forms``."""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexMatrix,
    constant,
)
from stablemate.compiler.library_calls.compact.complex_matrices.reflectors import is_zero
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.eigen.schur_forms import PRECISION, ActiveRows
from stablemate.compiler.library_calls.compact.eigen.shifts import (
    EXCEPTIONAL_FACTORS,
    EXCEPTIONAL_SWEEPS,
)
from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    Mask,
    Variable,
    Vector,
    Word,
    downwards,
    integer_variable,
    integers,
    number,
    power_of_two,
    variable,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComplexSweepStart:
    """Where a sweep begins.

    Attributes:
        row: The first row.
        first: The first element of the first column of the shifted matrix, but for a factor.
        second: The second one, which is real.
    """

    row: Integers
    first: ComplexElement
    second: Vector


@dataclass(frozen=True, slots=True)
class ComplexVariable:
    """A complex number that changes."""

    real: Variable
    imaginary: Variable

    @staticmethod
    def zero(text: LlvmFunctionBuilder) -> ComplexVariable:
        """A variable that is zero."""
        return ComplexVariable(variable(text, number(text, 0)), variable(text, number(text, 0)))

    def set_where(self, lanes: Mask, value: ComplexElement) -> None:
        """Gives it a value in some lanes."""
        new = choose(lanes, value, self.get())
        self.real.set(new.real)
        self.imaginary.set(new.imaginary)

    def get(self) -> ComplexElement:
        """Loads the real and the imaginary part of all lanes."""
        return ComplexElement(self.real.get(), self.imaginary.get())


def choose_shift(h: ComplexMatrix, n: Word, window: ActiveRows) -> ComplexElement:
    """The shift of a sweep: the eigenvalue of the last two rows that is nearer to the last element.

    After some sweeps in vain it is arbitrary.
    """
    text = h.text
    above, right, below, last, begin, second = (ComplexVariable.zero(text) for _ in range(6))
    top, bottom = window.top.get(), window.bottom.get()
    with text.loop(1, n) as k:
        here, before = integers(text, k), text.add(k, -1)
        is_last = here.compare("eq", bottom)
        is_second = here.compare("eq", top + integers(text, 1))
        with text.when((is_last | is_second).any()):
            above.set_where(is_last, h[before, before])
            right.set_where(is_last, h[before, k])
            below.set_where(is_last, h[k, before])
            last.set_where(is_last, h[k, k])
            begin.set_where(is_second, h[before, before])
            second.set_where(is_second, h[k, before])
    shift = nearer_eigenvalue(above.get(), right.get(), below.get(), last.get())
    sweeps, zero = window.sweeps.get(), integers(text, 0)
    at_end = sweeps.remainder(2 * EXCEPTIONAL_SWEEPS).compare("eq", zero)
    is_exceptional = sweeps.remainder(EXCEPTIONAL_SWEEPS).compare("eq", zero)
    beside, diagonal = choose(at_end, below.get(), second.get()), choose(
        at_end, last.get(), begin.get()
    )  # fmt: skip
    size = number(text, EXCEPTIONAL_FACTORS[0]) * abs(beside.real)
    return choose(is_exceptional, ComplexElement(diagonal.real + size, diagonal.imaginary), shift)


def nearer_eigenvalue(
    a: ComplexElement, b: ComplexElement, c: ComplexElement, d: ComplexElement
) -> ComplexElement:
    """The eigenvalue of ((a, b), (c, d)) that is nearer to d."""
    text = d.real.text
    root = square_root(b) * square_root(c)
    half = (a - d).times(number(text, 0.5))
    size = root.sum_of_sizes()
    size = half.sum_of_sizes().compare("ogt", size).choose(half.sum_of_sizes(), size)
    scale, inverse = power_of_two(size)
    x, u = half.times(scale), root.times(scale)
    y = square_root(x * x + u * u).times(inverse)
    product = half.real.times_plus(y.real, half.imaginary * y.imaginary)
    is_opposite = product.compare("olt", number(text, 0))
    y = choose(is_opposite, ComplexElement(-y.real, -y.imaginary), y)
    keeps = is_zero(root)
    divisor = choose(keeps, constant(text, 1), half + y)
    return choose(keeps, d, d - root * (root / divisor))


def square_root(value: ComplexElement) -> ComplexElement:
    """The square root whose real part is not negative."""
    text = value.real.text
    zero, half = number(text, 0), number(text, 0.5)
    scale, inverse = power_of_two(value.size())
    scaled = value.times(scale)
    length = (half * (abs(scaled.real) + scaled.square().sqrt())).sqrt()
    vanishes = length.is_zero()
    other = half * abs(scaled.imaginary) / vanishes.choose(number(text, 1), length)
    is_left = scaled.real.compare("olt", zero)
    real, imaginary = is_left.choose(other, length), is_left.choose(length, other)
    root = ComplexElement(real, imaginary.with_sign_of(value.imaginary)).times(inverse.sqrt())
    return choose(vanishes, constant(text, 0), root)


def choose_start(
    h: ComplexMatrix, n: Word, window: ActiveRows, active: Mask, shift: ComplexElement
) -> ComplexSweepStart:  # fmt: skip
    """The row where a sweep begins: the last one before which two small elements are."""
    text = h.text
    row = integer_variable(text, integers(text, -1))
    first, second = ComplexVariable.zero(text), variable(text, number(text, 0))
    precision = number(text, PRECISION[text.letter])
    top, bottom = window.top.get(), window.bottom.get()
    with downwards(text, 0, text.add(n, -1)) as k:
        here, before, after = integers(text, k), text.add(k, -1), text.add(k, 1)
        waits = row.get().compare("slt", integers(text, 0)) & active
        searches = waits & here.compare("sge", top) & here.compare("slt", bottom)
        with text.when(searches.any()):
            own, below = h[k, k], h[after, k].real
            shifted = own - shift
            size = shifted.sum_of_sizes() + abs(below)
            size = size.is_zero().choose(number(text, 1), size)
            shifted, below = (
                ComplexElement(shifted.real / size, shifted.imaginary / size),
                below / size,
            )
            first.set_where(searches, shifted)
            second.set(searches.choose(below, second.get()))
            diagonal = own.sum_of_sizes() + h[after, after].sum_of_sizes()
            bound = precision * (shifted.sum_of_sizes() * diagonal)
            change = abs(h[k, before].real) * abs(below)
            stops = here.compare("eq", top) | change.compare("ole", bound)
            row.set((searches & stops).choose_integers(here, row.get()))
    return ComplexSweepStart(row.get(), first.get(), second.get())
