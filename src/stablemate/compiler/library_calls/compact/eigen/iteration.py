"""QR iteration on matrices in Hessenberg form, real or complex, until each is in Schur form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stablemate.compiler.library_calls.compact.eigen.deflation import deflate
from stablemate.compiler.library_calls.compact.eigen.schur_forms import ActiveRows
from stablemate.compiler.library_calls.compact.items import ElementMatrix, T
from stablemate.compiler.library_calls.compact.vectors import (
    IntegerVariable,
    Mask,
    Word,
    integer_variable,
    integers,
)

Step: TypeAlias = Callable[[ActiveRows, Mask], None]  # on the windows of these lanes


def clear_below(h: ElementMatrix[T], n: Word, zero: T) -> None:
    """Gives elements below Hessenberg form, where reflectors stand, the value zero."""
    text = h.text
    with text.loop(2, n) as i, text.loop(0, text.add(i, -1)) as j:
        h[i, j] = zero


def iterate_windows(
    h: ElementMatrix[T], n: Word, limit: Word, done_rows: int, step: Step
) -> IntegerVariable:
    """Repeats a step on the window of each matrix until all eigenvalues are found.

    Args:
        h: The matrices.
        n: Their order.
        limit: The largest number of steps for an eigenvalue.
        done_rows: The rows of the largest window whose eigenvalues are known.
        step: Moves the elements below the diagonal of windows towards zero.

    Returns:
        0, or the number of the row, counted from 1, whose eigenvalue was not found.
    """
    text = h.text
    none, one, done = integers(text, 0), integers(text, 1), integers(text, -1)
    last = integers(text, text.add(n, -1))
    window = ActiveRows(*(integer_variable(text, value) for value in (none, last, none)))
    failed = integer_variable(text, none)
    with text.repeat() as leave_if:
        deflate(h, n, window, done_rows)
        active = window.bottom.get().compare("sgt", done)
        leave_if(text.value(f"xor i1 {active.any()}, true"))
        count = window.sweeps.get() + one
        window.sweeps.set(count)
        fails = active & count.compare("sgt", integers(text, limit))
        failed.set(fails.choose_integers(window.bottom.get() + one, failed.get()))
        window.bottom.set(fails.choose_integers(done, window.bottom.get()))
        step(window, active & ~fails)
    return failed
