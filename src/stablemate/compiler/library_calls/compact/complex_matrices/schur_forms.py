"""The Schur form of complex matrices in Hessenberg form, by QR iteration with single shifts.

Shifts, starts and the criterion of negligible elements are those of LAPACK's zlahqr, so that
eigenvalues have its order: elements below the diagonal are real before and after each sweep. Each
lane has a window of its own and waits when its matrix is done; see ``eigen.quasi_triangular``.

Source: LAPACK Users' Guide, hseqr; Golub and Van Loan, Matrix Computations, 4th edition, 7.5
(deflation, shifts, the implicit QR step).
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.complex_shifts import (
    ComplexSweepStart,
    choose_shift,
    choose_start,
)
from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexMatrix,
    constant,
)
from stablemate.compiler.library_calls.compact.complex_matrices.reflectors import is_zero
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.eigen.iteration import clear_below, iterate_windows
from stablemate.compiler.library_calls.compact.eigen.schur_forms import ActiveRows
from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    Mask,
    Vector,
    Word,
    integers,
    larger,
    number,
    power_of_two,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComplexSchur:
    """Complex matrices on their way to Schur form.

    Attributes:
        n: Their order.
        h: The Hessenberg form, with zeros around it as ``eigen.schur_forms.Schur`` has them.
        z: What is multiplied by the transformations.
        z_rows: How many rows that has: none if no vectors are wanted.
    """

    n: Word
    h: ComplexMatrix
    z: ComplexMatrix
    z_rows: Word

    @property
    def text(self) -> LlvmFunctionBuilder:
        """The function to which instructions are appended."""
        return self.h.text


def iterate(m: ComplexSchur, limit: Word) -> Integers:
    """Replaces Hessenberg form with a real diagonal below the main one by Schur form.

    Args:
        m: The matrices.
        limit: The largest number of sweeps for an eigenvalue.

    Returns:
        0, or the number of the row, counted from 1, whose eigenvalue was not found.
    """

    def step(window: ActiveRows, active: Mask) -> None:
        shift = choose_shift(m.h, m.n, window)
        sweep(m, window, active, choose_start(m.h, m.n, window, active, shift))
        make_last_real(m, window, active)

    clear_below(m.h, m.n, constant(m.text, 0))
    return iterate_windows(m.h, m.n, limit, 1, step).get()


def sweep(m: ComplexSchur, window: ActiveRows, active: Mask, start: ComplexSweepStart) -> None:
    """Reflectors of two rows from the start to the end of each window."""
    text, bottom = m.text, window.bottom.get()
    with text.loop(0, text.add(m.n, -1)) as k:
        here = integers(text, k)
        is_on = active & here.compare("sge", start.row) & here.compare("slt", bottom)
        with text.when(is_on.any()):
            reflect_two(m, k, is_on, window, start)


def reflect_two(
    m: ComplexSchur, k: Word, is_on: Mask, window: ActiveRows, start: ComplexSweepStart
) -> None:
    """A step of a sweep: a reflector of rows k and k + 1."""
    text, h = m.text, m.h
    here, before, after = integers(text, k), text.add(k, -1), text.add(k, 1)
    is_first = here.compare("eq", start.row)
    first = choose(is_first, start.first, h[k, before])
    second = is_first.choose(start.second, h[after, before].real)
    beta, tau, below = reflector_of_two(first, second)
    follows, zero = is_on & ~is_first, constant(text, 0)
    h[k, before] = choose(follows, ComplexElement(beta, zero.real), h[k, before])
    h[after, before] = choose(follows, zero, h[after, before])
    product = (tau * below).real
    left, right = (tau.conjugate(), product, below), (tau, product, below.conjugate())
    with text.loop(k, m.n) as j:
        reflect_items(h, ((k, j), (after, j)), left, is_on)
    with text.loop(0, text.least(text.add(k, 3), m.n)) as i:
        reflect_items(h, ((i, k), (i, after)), right, is_on)
    with text.loop(0, m.z_rows) as i:
        reflect_items(m.z, ((i, k), (i, after)), right, is_on)
    is_inside = is_on & is_first & window.top.get().compare("slt", here)
    with text.when(is_inside.any()):
        keep_real(m, k, is_inside, window, tau)


def reflect_items(
    a: ComplexMatrix,
    places: tuple[tuple[Word, Word], tuple[Word, Word]],
    factors: tuple[ComplexElement, Vector, ComplexElement],
    lanes: Mask,
) -> None:
    """Replaces two elements by (x - s, y - s v) with s = t x + u y in some lanes.

    In other lanes they keep their bits.

    Args:
        a: The matrix.
        places: The places of x and of y.
        factors: t, the real number u, and v.
        lanes: The lanes.
    """
    tau, product, below = factors
    x, y = a[places[0]], a[places[1]]
    total = y.times(product).plus_product(tau, x)
    a[places[0]] = choose(lanes, x - total, x)
    a[places[1]] = choose(lanes, y.minus_product(below, total), y)


def reflector_of_two(
    first: ComplexElement, second: Vector
) -> tuple[Vector, ComplexElement, ComplexElement]:
    """The reflector of a complex number and a real one; see ``reflectors.reflector``.

    Returns:
        The real beta, tau, and the last element of v.
    """
    text = second.text
    one, none = number(text, 1), constant(text, 0)
    scale, inverse = power_of_two(larger(first.size(), abs(second)))
    a, b = first.times(scale), second * scale
    keeps = b.is_zero() & a.imaginary.is_zero()
    beta = -a.square_plus(b * b).sqrt().with_sign_of(a.real)
    difference = choose(keeps, constant(text, 1), ComplexElement(a.real - beta, a.imaginary))
    below = difference.conjugate().times(b / difference.square())
    divisor = keeps.choose(one, beta)
    tau = ComplexElement((beta - a.real) / divisor, -a.imaginary / divisor)
    beta = keeps.choose(first.real, beta * inverse)
    return beta, choose(keeps, none, tau), choose(keeps, none, below)


def keep_real(
    m: ComplexSchur, k: Word, lanes: Mask, window: ActiveRows, tau: ComplexElement
) -> None:
    """Turns rows and columns after a start inside of the window.

    The element before row k, which the reflector would turn, stays as it is.
    """
    text, h = m.text, m.h
    phase = phase_of(constant(text, 1) - tau)
    after, further = text.add(k, 1), text.add(k, 2)
    bottom = window.bottom.get()
    h[after, k] = choose(lanes, h[after, k] * phase.conjugate(), h[after, k])
    has_third = lanes & integers(text, further).compare("sle", bottom)
    h[further, after] = choose(has_third, h[further, after] * phase, h[further, after])
    with text.loop(k, m.n) as j:
        here = integers(text, j)
        turned = lanes & here.compare("sle", bottom) & here.compare("ne", integers(text, after))
        turn(m, j, turned, phase)


def make_last_real(m: ComplexSchur, window: ActiveRows, active: Mask) -> None:
    """Turns the last row and column of each window, so that the element before them is real."""
    text, h, bottom = m.text, m.h, window.bottom.get()
    with text.loop(1, m.n) as k:
        item = h[k, text.add(k, -1)]
        is_last = active & integers(text, k).compare("eq", bottom)
        turned = is_last & ~item.imaginary.is_zero()
        with text.when(turned.any()):
            size = ComplexElement(item.modulus(), number(text, 0))
            h[k, text.add(k, -1)] = choose(turned, size, item)
            turn(m, k, turned, phase_of(item).conjugate())


def phase_of(value: ComplexElement) -> ComplexElement:
    """A number divided by its magnitude; one for zero."""
    text = value.real.text
    scale, _ = power_of_two(value.size())
    scaled, vanishes = value.times(scale), is_zero(value)
    length = vanishes.choose(number(text, 1), scaled.square().sqrt())
    phase = ComplexElement(scaled.real / length, scaled.imaginary / length)
    return choose(vanishes, constant(text, 1), phase)


def turn(m: ComplexSchur, j: Word, lanes: Mask, phase: ComplexElement) -> None:
    """Multiplies row j after the diagonal by a phase, and column j above it by the conjugate."""
    text, h, back = m.text, m.h, phase.conjugate()
    with text.loop(text.add(j, 1), m.n) as c:
        h[j, c] = choose(lanes, h[j, c] * phase, h[j, c])
    with text.loop(0, j) as i:
        h[i, j] = choose(lanes, h[i, j] * back, h[i, j])
    with text.loop(0, m.z_rows) as i:
        m.z[i, j] = choose(lanes, m.z[i, j] * back, m.z[i, j])
