"""Balancing of matrices: permutations that isolate eigenvalues, and scaling by powers of two.

Both are those of LAPACK's gebal, so that eigenvalues have its order.

Source: LAPACK Users' Guide, gebal and gebak; James, Langou and Lowery, On matrix balancing and
eigenvector computation, 2014 (the norm of columns and rows).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.compiler.library_calls.compact.items import ElementMatrix, ElementRow, T
from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    IntegerVariable,
    LaneArray,
    LaneIntegers,
    Mask,
    Variable,
    Vector,
    Word,
    downwards,
    integer_variable,
    integers,
    larger,
    number,
    power_of_two,
    smaller,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

# The smallest factor of LAPACK: the smallest normal number by the precision.
SMALLEST_FACTOR: Final = {"s": 2.0**-103, "d": 2.0**-970}
ENOUGH: Final = float(np.float32(0.95))  # norms that shrink by less are left as they are
ROUNDS: Final = 100  # far more than any matrix takes


@dataclass(frozen=True, slots=True)
class Balance:
    """The scalings and permutations of balanced matrices.

    Attributes:
        n: Their order.
        low: The first row of the part whose eigenvalues are not isolated.
        high: Its last row.
        order: The row that was exchanged with each of the others.
        scales: The factor of each row of the part.
    """

    n: Word
    low: IntegerVariable
    high: IntegerVariable
    order: LaneIntegers
    scales: LaneArray


def balance_at(text: LlvmFunctionBuilder, n: Word, order: str, scales: str) -> Balance:
    """A balance that has changed nothing yet, with memory for the order and the scales."""
    low = integer_variable(text, integers(text, 0))
    high = integer_variable(text, integers(text, text.add(n, -1)))
    balance = Balance(n, low, high, LaneIntegers(text, order), LaneArray(text, scales))
    with text.loop(0, n) as i:
        balance.order[i] = integers(text, i)
        balance.scales[i] = number(text, 1)
    return balance


def isolate_eigenvalues(a: ElementMatrix[T], balance: Balance) -> None:
    """Moves rows and columns with zeros beside the diagonal to the end and to the begin."""
    text, n = a.text, balance.n
    with text.repeat() as leave_if:
        moved = integer_variable(text, integers(text, 0))
        with downwards(text, 0, n) as i:
            move_row(a, balance, i, moved)
        leave_if(none_of(moved))
    with text.repeat() as leave_if:
        moved = integer_variable(text, integers(text, 0))
        with text.loop(0, n) as j:
            move_column(a, balance, j, moved)
        leave_if(none_of(moved))


def none_of(moved: IntegerVariable) -> str:
    """Whether a number is zero in all lanes."""
    text = moved.text
    some = moved.get().compare("ne", integers(text, 0)).any()
    return text.value(f"xor i1 {some}, true")


def has_zeros(line: ElementRow[T], own: Word, balance: Balance) -> Mask:
    """Whether all elements of a row or column but its own are zero, from ``low`` to ``high``."""
    text, zero = line.text, number(line.text, 0)
    total = variable(text, zero)
    with text.loop(0, balance.n) as k:
        here = integers(text, k)
        is_other = here.compare("ne", integers(text, own)) & is_inside(here, balance)
        total.set(is_other.choose(larger(line[k].size(), total.get()), total.get()))
    return total.get().is_zero()


def is_inside(here: Integers, balance: Balance) -> Mask:
    """Whether a row is from ``low`` to ``high``."""
    return here.compare("sge", balance.low.get()) & here.compare("sle", balance.high.get())


def move_row(a: ElementMatrix[T], balance: Balance, i: Word, moved: IntegerVariable) -> None:
    """Moves row i to the end if its eigenvalue is isolated."""
    text = a.text
    one, high = integers(text, 1), balance.high.get()
    waits = is_inside(integers(text, i), balance) & balance.low.get().compare("slt", high)
    found = waits & has_zeros(a.row_of(i), i, balance)
    with text.when(found.any()):
        exchange(a, balance, i, found, high)
        balance.high.set(found.choose_integers(high + integers(text, -1), high))
        moved.set(found.choose_integers(one, moved.get()))


def move_column(a: ElementMatrix[T], balance: Balance, j: Word, moved: IntegerVariable) -> None:
    """Moves column j to the begin if its eigenvalue is isolated."""
    text = a.text
    one, low = integers(text, 1), balance.low.get()
    waits = is_inside(integers(text, j), balance) & low.compare("slt", balance.high.get())
    found = waits & has_zeros(a.column_of(j), j, balance)
    with text.when(found.any()):
        exchange(a, balance, j, found, low)
        balance.low.set(found.choose_integers(low + one, low))
        moved.set(found.choose_integers(one, moved.get()))


def exchange(a: ElementMatrix[T], balance: Balance, i: Word, lanes: Mask, target: Integers) -> None:
    """Exchanges rows and columns i and ``target``, which differs between the lanes."""
    text, n = a.text, balance.n
    with text.loop(0, n) as k:
        is_target = lanes & target.compare("eq", integers(text, k))
        with text.when(is_target.any()):
            order = is_target.choose_integers(integers(text, i), balance.order[k])
            balance.order[k] = order
            swap(a.row_of(i), a.row_of(k), n, is_target)
            swap(a.column_of(i), a.column_of(k), n, is_target)


def swap(one: ElementRow[T], other: ElementRow[T], count: Word, lanes: Mask) -> None:
    """Exchanges two rows or columns in some lanes."""
    text = one.text
    with text.loop(0, count) as k:
        x, y = one[k], other[k]
        one[k], other[k] = y.where(lanes, x), x.where(lanes, y)


def scale_rows(a: ElementMatrix[T], balance: Balance) -> None:
    """Makes the norms of rows and columns about equal."""
    text = a.text
    count = text.variable("i64")
    text.do(f"store i64 0, ptr {count}")
    with text.repeat() as leave_if:
        changed = integer_variable(text, integers(text, 0))
        with text.loop(0, balance.n) as i:
            scale_row(a, balance, i, changed)
        leave_if(none_of(changed))
        rounds = text.add(text.value(f"load i64, ptr {count}"), 1)
        text.do(f"store i64 {rounds}, ptr {count}")
        leave_if(text.value(f"icmp sgt i64 {rounds}, {ROUNDS}"))


@dataclass(frozen=True, slots=True)
class Norms:
    """The norms of a column and of its row, as a factor changes them.

    Attributes:
        factor: The factor of the column.
        column: The norm of the column.
        row: That of the row.
        largest_of_column: The largest element of the column.
        largest_of_row: That of the row.
    """

    factor: Variable
    column: Variable
    row: Variable
    largest_of_column: Variable
    largest_of_row: Variable

    def scale(self, lanes: Mask, up: Vector, down: Vector) -> None:
        """Scales the column by ``up`` and the row by ``down`` in some lanes."""
        for item, factor in (
            (self.factor, up), (self.column, up), (self.largest_of_column, up),
            (self.row, down), (self.largest_of_row, down),
        ):  # fmt: skip
            item.set(lanes.choose(item.get() * factor, item.get()))


def scale_row(a: ElementMatrix[T], balance: Balance, i: Word, changed: IntegerVariable) -> None:
    """Scales a column, and its row inversely, until their norms differ by less than two."""
    text, one = a.text, number(a.text, 1)
    smallest, largest = (number(text, SMALLEST_FACTOR[text.letter] ** power) for power in (1, -1))
    column, column_items = norm(a.column_of(i), balance)
    row, row_items = norm(a.row_of(i), balance)
    before = column + row
    lanes = is_inside(integers(text, i), balance) & ~column.is_zero() & ~row.is_zero()
    values = one, column, row, column_items, row_items
    norms = Norms(*(variable(text, value) for value in values))
    grow(norms, lanes)
    shrink(norms, lanes)
    factor, scale = norms.factor.get(), balance.scales[i]
    pays = (norms.column.get() + norms.row.get()).compare("olt", before * number(text, ENOUGH))
    is_tiny = factor.compare("olt", one) & scale.compare("olt", one)
    is_tiny = is_tiny & (factor * scale).compare("ole", smallest)
    is_huge = factor.compare("ogt", one) & scale.compare("ogt", one)
    is_huge = is_huge & scale.compare("oge", largest / factor)
    lanes = lanes & pays & ~is_tiny & ~is_huge
    with text.when(lanes.any()):
        factor = lanes.choose(factor, one)
        inverse = one / factor
        balance.scales[i] = scale * factor
        changed.set(lanes.choose_integers(integers(text, 1), changed.get()))
        with text.loop(0, balance.n) as k:
            a[i, k] = a[i, k].times(inverse)
        with text.loop(0, balance.n) as k:
            a[k, i] = a[k, i].times(factor)


def norm(line: ElementRow[T], balance: Balance) -> tuple[Vector, Vector]:
    """The norm of the part of a row or column, and its largest element at all."""
    text, zero = line.text, number(line.text, 0)
    largest = variable(text, zero)
    with text.loop(0, balance.n) as k:
        largest.set(larger(line[k].size(), largest.get()))
    scale, inverse = power_of_two(largest.get())
    total = variable(text, zero)
    with text.loop(0, balance.n) as k:
        sum_with_item = line[k].times(scale).square_plus(total.get())
        total.set(is_inside(integers(text, k), balance).choose(sum_with_item, total.get()))
    return total.get().sqrt() * inverse, largest.get()


def grow(norms: Norms, lanes: Mask) -> None:
    """Doubles the column while its norm is less than half of that of the row."""
    text = norms.factor.text
    two, half = number(text, 2), number(text, 0.5)
    smallest = number(text, 2 * SMALLEST_FACTOR[text.letter])
    largest = number(text, 0.5 / SMALLEST_FACTOR[text.letter])
    with text.repeat() as leave_if:
        bound = norms.row.get() * half
        most = larger(norms.factor.get(), larger(norms.column.get(), norms.largest_of_column.get()))
        least = smaller(norms.row.get(), smaller(bound, norms.largest_of_row.get()))
        more = lanes & norms.column.get().compare("olt", bound)
        more = more & most.compare("olt", largest) & least.compare("ogt", smallest)
        leave_if(text.value(f"xor i1 {more.any()}, true"))
        norms.scale(more, two, half)


def shrink(norms: Norms, lanes: Mask) -> None:
    """Halves the column while its norm is more than twice that of the row."""
    text = norms.factor.text
    two, half = number(text, 2), number(text, 0.5)
    smallest = number(text, 2 * SMALLEST_FACTOR[text.letter])
    largest = number(text, 0.5 / SMALLEST_FACTOR[text.letter])
    with text.repeat() as leave_if:
        bound = norms.column.get() * half
        most = larger(norms.row.get(), norms.largest_of_row.get())
        least = smaller(norms.column.get(), smaller(bound, norms.largest_of_column.get()))
        least = smaller(norms.factor.get(), least)
        more = lanes & bound.compare("oge", norms.row.get())
        more = more & most.compare("olt", largest) & least.compare("ogt", smallest)
        leave_if(text.value(f"xor i1 {more.any()}, true"))
        norms.scale(more, half, two)


def restore_rows(
    v: ElementMatrix[T], columns: Word, balance: Balance, *, left: bool = False
) -> None:
    """Makes vectors of the balanced matrix those of the matrix itself.

    Args:
        v: The vectors, as columns.
        columns: How many there are.
        balance: What was done to the matrix.
        left: Whether they are left vectors, whose rows have the inverse factors.
    """
    text = v.text
    with text.loop(0, balance.n) as i, text.loop(0, columns) as j:
        scale = balance.scales[i]
        v[i, j] = v[i, j].times(number(text, 1) / scale if left else scale)
    last = integers(text, text.add(balance.n, -1))
    low, high = balance.low.get(), balance.high.get()
    is_moved = low.compare("ne", integers(text, 0)) | high.compare("ne", last)
    with text.when(is_moved.any()):
        with downwards(text, 0, balance.n) as i:
            lanes = integers(text, i).compare("slt", low)
            restore_row(v, columns, balance, i, lanes)
        with text.loop(0, balance.n) as i:
            lanes = integers(text, i).compare("sgt", high)
            restore_row(v, columns, balance, i, lanes)


def restore_row(v: ElementMatrix[T], columns: Word, balance: Balance, i: Word, lanes: Mask) -> None:
    """Exchanges row i with the one that it was exchanged with."""
    text = v.text
    order = balance.order[i]
    with text.loop(0, balance.n) as k:
        is_source = lanes & order.compare("eq", integers(text, k))
        with text.when(is_source.any()):
            swap(v.row_of(i), v.row_of(k), columns, is_source)
