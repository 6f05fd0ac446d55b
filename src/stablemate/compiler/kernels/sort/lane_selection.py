"""Selection in many rows at once, each in a lane of vectors.

A key of at most 32 bits and the place of its element are one number of 64 bits, so that no two are
equal and their order is that of a stable sort. The smallest numbers so far are in registers, in
order; a new one moves those behind it by one: each is the minimum of itself and the maximum of the
one before it and the new one. Nothing branches, so this takes the same time for all values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from stablemate.compiler.kernels.reduction.ordered_reductions import (
    ReductionRegisters,
    reduced_operand,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler

# A row in each lane needs no jumps, but registers for what is kept, and looks at every element:
# ``python -m benchmarks.breadth`` measures it, lax.top_k.
MOST_KEPT: Final = 16  # numbers in registers
LONGEST: Final = 4096  # elements of a row; in longer ones most blocks hold nothing new
FEWEST_ROWS: Final = 8  # that fill the lanes of a vector, one row in each
NOTHING: Final = -1  # greater than each key with its place
PLACE_BITS: Final = 32  # of the 64 bits that hold a key and its place

KeyAt = Callable[[Expression], Expression]  # the key of an element, an unsigned integer
Stores = Callable[[int, Expression], Sequence[Statement]]  # of a selected element at a place


def pays_in_lanes(rows: int, count: int, kept: int, element: str) -> bool:
    """Whether rows are selected from in lanes.

    Args:
        rows: How many rows there are.
        count: How many elements a row has.
        kept: How many of them are selected.
        element: The type of keys.
    """
    is_narrow = element == "i32" and kept <= MOST_KEPT
    return is_narrow and rows >= FEWEST_ROWS and count <= LONGEST


def select_in_lanes(
    scheduler: LoopScheduler, rows: Sequence[LoopDimension], count: int, kept: int,
    key_at: KeyAt, stores: Stores,
) -> tuple[list[Statement], list[Buffer]]:  # fmt: skip
    """The loops over rows, and the registers that they need.

    Args:
        scheduler: Makes loops.
        rows: The loops over rows.
        count: How many elements a row has.
        kept: How many of them are selected.
        key_at: The key of an element of a row.
        stores: What is done with each selected element.
    """
    table = scheduler.table
    index = scheduler.index(count) if count > 1 else table.sum(0, ())
    steps = [LoopDimension(index, count)] if count > 1 else []
    nothing = table.bits(NOTHING, "i64")
    start = [(nothing,) for _ in range(kept)]
    registers = ReductionRegisters(scheduler, start)
    key = table.convert("zext", key_at(index), "i64")
    number = table.apply("shl", key, table.bits(PLACE_BITS, "i64")) | table.number(index)
    old = [value for (value,) in registers.values]
    new = [table.apply("umin", old[0], number)]
    new += [
        table.apply("umin", value, table.apply("umax", before, number))
        for before, value in pairwise(old)
    ]
    begin = registers.start(start)
    change = registers.assign([(value,) for value in new])
    end: list[Statement] = []
    for k, value in enumerate(old):
        place = value & table.bits((1 << PLACE_BITS) - 1, "i64")
        end += stores(k, table.position(place, count - 1))
    rows, body = scheduler.collapse(rows, [*begin, *change, *end])
    first, last = len(begin), len(begin) + len(change)
    bodies = body[:first], body[first:last], body[last:]
    loops = reduced_operand(scheduler, rows, steps, registers, bodies, vectors=1)
    return loops, registers.buffers
