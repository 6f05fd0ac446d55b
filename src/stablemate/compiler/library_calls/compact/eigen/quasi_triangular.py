"""The real Schur form of matrices in Hessenberg form, by QR iteration with double shifts.

The shifts, the criterion by which elements below the diagonal are negligible, and the form of
blocks of two rows are those of LAPACK's lahqr and lanv2, so that eigenvalues have its order. Each
lane has a window of its own and waits when its matrix is done. Blocks of two rows are brought to
their final form at the end, which changes nothing for the rows above them.

Source: LAPACK Users' Guide, hseqr; Golub and Van Loan, Matrix Computations, 4th edition, 7.5.1
(deflation), 7.5.4 to 7.5.6 (Francis QR step and algorithm); Ahues and Tisseur, A new deflation
criterion for the QR algorithm, LAPACK Working Note 122.
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.columns import rotate
from stablemate.compiler.library_calls.compact.eigen.iteration import clear_below, iterate_windows
from stablemate.compiler.library_calls.compact.eigen.schur_forms import (
    ActiveRows,
    Schur,
)
from stablemate.compiler.library_calls.compact.eigen.shifts import (
    SweepStart,
    choose_shifts,
    choose_start,
)
from stablemate.compiler.library_calls.compact.eigen.standard_blocks import standard_block
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    integers,
    larger,
    number,
    power_of_two,
)


def iterate(m: Schur, limit: Word) -> Integers:
    """Replaces Hessenberg form, below which anything may stand, by Schur form.

    Args:
        m: The matrices.
        limit: The largest number of sweeps for an eigenvalue.

    Returns:
        0, or the number of the row, counted from 1, whose eigenvalue was not found.
    """

    def step(window: ActiveRows, active: Mask) -> None:
        sweep(m, window, active, choose_start(m, window, active, choose_shifts(m, window)))

    clear_below(m.h, m.n, number(m.text, 0))
    failed = iterate_windows(m.h, m.n, limit, 2, step)
    standardize(m)
    return failed.get()


def sweep(m: Schur, window: ActiveRows, active: Mask, start: SweepStart) -> None:
    """Reflectors of three rows from the start to the end of each window."""
    text = m.text
    bottom = window.bottom.get()
    with text.loop(0, text.add(m.n, -1)) as k:
        here = integers(text, k)
        is_on = active & here.compare("sge", start.row) & here.compare("slt", bottom)
        with text.when(is_on.any()):
            reflect_three(m, k, is_on, window, start)


def reflect_three(m: Schur, k: Word, is_on: Mask, window: ActiveRows, start: SweepStart) -> None:
    """A step of a sweep: a reflector of rows k to k + 2, or of two rows at the end."""
    text, h, zero = m.text, m.h, number(m.text, 0)
    here, before = integers(text, k), text.add(k, -1)
    rows = [k, text.add(k, 1), text.add(k, 2)]
    is_first = here.compare("eq", start.row)
    has_three = (here + integers(text, 1)).compare("slt", window.bottom.get())
    items = [is_first.choose(v, h[r, before]) for v, r in zip(start.vector, rows, strict=True)]
    items[2] = has_three.choose(items[2], zero)
    beta, tau, second, third = reflector_of_three(*items)
    follows = is_on & ~is_first
    is_inside = is_on & is_first & window.top.get().compare("slt", here)
    old = h[k, before]
    h[k, before] = follows.choose(beta, is_inside.choose(old - old * tau, old))
    h[rows[1], before] = follows.choose(zero, h[rows[1], before])
    h[rows[2], before] = (follows & has_three).choose(zero, h[rows[2], before])
    factors = (tau, second, third)
    with text.loop(k, m.n) as j:
        reflect_items(h, [(row, j) for row in rows], factors, is_on)
    with text.loop(0, text.least(text.add(k, 4), m.n)) as i:
        reflect_items(h, [(i, row) for row in rows], factors, is_on)
    with text.loop(0, m.n) as i:
        reflect_items(m.z, [(i, row) for row in rows], factors, is_on)


def reflect_items(
    a: LaneMatrix,
    places: list[tuple[Word, Word]],
    factors: tuple[Vector, Vector, Vector],
    lanes: Mask,
) -> None:
    """Multiplies three elements by 1 - tau v v^T in some lanes; in others they keep their bits."""
    tau, second, third = factors
    x, y, z = (a[place] for place in places)
    product = tau * third.times_plus(z, second.times_plus(y, x))
    a[places[0]] = lanes.choose(x - product, x)
    a[places[1]] = lanes.choose(y.minus_product(second, product), y)
    a[places[2]] = lanes.choose(z.minus_product(third, product), z)


def reflector_of_three(
    first: Vector, second: Vector, third: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """The reflector of three numbers; see ``reflectors.reflector``.

    Returns:
        beta, tau, and the last two elements of v.
    """
    zero, one = number(first.text, 0), number(first.text, 1)
    scale, inverse = power_of_two(larger(abs(first), larger(abs(second), abs(third))))
    a, b, c = first * scale, second * scale, third * scale
    squares = b.times_plus(b, c * c)
    keeps = second.is_zero() & third.is_zero()
    beta = -a.times_plus(a, squares).sqrt().with_sign_of(a)
    divisor = keeps.choose(one, a - beta)
    tau = keeps.choose(zero, (beta - a) / keeps.choose(one, beta))
    b, c = (keeps.choose(zero, value / divisor) for value in (b, c))
    return keeps.choose(first, beta * inverse), tau, b, c


def standardize(m: Schur) -> None:
    """Makes blocks of two rows either triangular, or gives them equal diagonal elements."""
    text, h = m.text, m.h
    with text.loop(1, m.n) as k:
        before, after = text.add(k, -1), text.add(k, 1)
        is_block = ~h[k, before].is_zero()
        with text.when(is_block.any()):
            places: list[tuple[Word, Word]] = [(before, before), (before, k), (k, before), (k, k)]
            old = [h[place] for place in places]
            block, cosine, sine = standard_block(*old)
            factors = cosine, -sine
            for place, item, value in zip(places, block, old, strict=True):
                h[place] = is_block.choose(item, value)
            rest, count = h.part(0, after), text.subtract(m.n, after)
            rotate(rest.row_of(before), rest.row_of(k), count, factors, is_block)
            rotate(h.column_of(before), h.column_of(k), before, factors, is_block)
            rotate(m.z.column_of(before), m.z.column_of(k), m.n, factors, is_block)
