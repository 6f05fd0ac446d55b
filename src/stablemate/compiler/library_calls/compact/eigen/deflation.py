"""Splits matrices in Hessenberg form where an element below the diagonal is negligible.

The criterion is that of LAPACK's lahqr. The magnitude of a complex number is the sum of those of
its parts, as LAPACK's is.

Source: Ahues and Tisseur, A new deflation criterion for the QR algorithm, LAPACK Working Note 122.
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.eigen.schur_forms import (
    PRECISION,
    ActiveRows,
    smallest_of,
)
from stablemate.compiler.library_calls.compact.items import ElementMatrix, T
from stablemate.compiler.library_calls.compact.vectors import (
    Mask,
    Word,
    downwards,
    integers,
    larger,
    number,
    smaller,
)


def deflate(h: ElementMatrix[T], n: Word, window: ActiveRows, done_rows: int) -> None:
    """Moves windows up, until each has more rows than are done, or its matrix is done.

    Args:
        h: The matrices.
        n: Their order.
        window: The windows.
        done_rows: The rows of the largest window whose eigenvalues are known.
    """
    text = h.text
    rest, done = integers(text, done_rows - 1), integers(text, -1)
    with text.repeat() as leave_if:
        find_top(h, n, window)
        bottom = window.bottom.get()
        is_small = (window.top.get() + rest).compare("sge", bottom) & bottom.compare("sgt", done)
        leave_if(text.value(f"xor i1 {is_small.any()}, true"))
        above = window.top.get() + done
        window.bottom.set(is_small.choose_integers(above, bottom))
        window.sweeps.set(is_small.choose_integers(integers(text, 0), window.sweeps.get()))


def find_top(h: ElementMatrix[T], n: Word, window: ActiveRows) -> None:
    """Finds the last negligible element below the diagonal in each window, which becomes zero."""
    text, none = h.text, integers(h.text, 0)
    window.top.set(none)
    bottom = window.bottom.get()
    with downwards(text, 1, n) as k:
        here, before = integers(text, k), text.add(k, -1)
        waits = window.top.get().compare("eq", none) & here.compare("sle", bottom)
        found = waits & is_negligible(h, k)
        window.top.set(found.choose_integers(here, window.top.get()))
        item = h[k, before]
        h[k, before] = item.zero().where(found, item)


def is_negligible(h: ElementMatrix[T], k: Word) -> Mask:
    """Whether the element below the diagonal in row k is zero but for rounding."""
    text, before = h.text, h.text.add(k, -1)
    precision = number(text, PRECISION[text.letter])
    smallest = number(text, smallest_of(text))
    places: tuple[tuple[Word, Word], ...] = ((before, before), (k, k), (k, before), (before, k))
    above, here, size, opposite = (h[place].sum_of_sizes() for place in places)
    beside = [h[before, text.add(k, -2)].sum_of_sizes(), h[text.add(k, 1), k].sum_of_sizes()]
    scale = above + here
    scale = scale.is_zero().choose(beside[0] + beside[1], scale)
    difference = (h[before, before] - h[k, k]).sum_of_sizes()
    most, least = larger(size, opposite), smaller(size, opposite)
    diagonal, rest = larger(here, difference), smaller(here, difference)
    total = diagonal + most
    bound = larger(smallest, precision * (rest * (diagonal / total)))
    is_small = size.compare("ole", precision * scale)
    is_small_beside_gap = (least * (most / total)).compare("ole", bound)
    return size.compare("ole", smallest) | (is_small & is_small_beside_gap)
