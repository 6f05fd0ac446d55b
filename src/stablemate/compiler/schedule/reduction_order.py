"""The order in which a reduction combines elements; it depends on its shape alone.

Neither what is fused with it, nor how wide vectors are, nor how many threads work changes the
order, and so none of them changes a bit of the result.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from typing import Final, Literal

from stablemate.compiler.schedule.schedule import SHORT
from stablemate.deferred_dataclasses import dataclass

# The order of a fold decides its bits, so it does not depend on the machine. Longer blocks leave
# fewer partial results to combine, and less work for several threads:
# ``python -m benchmarks.heuristics`` measures BLOCK.
BLOCK: Final = 1 << 16  # elements that are folded by themselves: a partial result is 1 of so many
LARGE: Final = 4 * BLOCK  # elements of a tensor whose columns are folded in blocks
MANY: Final = 1 << 14  # results that are enough to be worked on at the same time
WORTHWHILE: Final = 128  # elements of a row that is cut into pieces, if they are folded in order
FOLDED: Final = 16  # pieces of a row that is not long
PIECE: Final = 1040  # elements of a piece at most; neighbors are in different lines of a cache
LEAST: Final = 64  # elements of a column that a block has at least


@dataclass(frozen=True, slots=True)
class ReductionOrder:
    """How the elements of each result are combined.

    Along ``rows``, element i of a block goes into partial result i mod 64, and those are combined
    by halves. Along ``columns``, elements are combined one after the other. Blocks are combined
    one after the other.

    Attributes:
        form: ``rows`` or ``columns``.
        reduced: The reduced dimensions that a block is a piece of, innermost last.
        outer: The reduced dimensions around them, which are walked one element after the other.
        extent: The elements of ``reduced``.
        block: How many of them are combined by themselves.
    """

    form: Literal["rows", "columns"]
    reduced: tuple[int, ...]
    outer: tuple[int, ...]
    extent: int
    block: int

    @property
    def is_blocked(self) -> bool:
        """Whether there are several blocks."""
        return self.block < self.extent


def reduction_order(shape: Sequence[int], dimensions: Collection[int]) -> ReductionOrder:
    """The order in which a reduction over some dimensions of a shape combines elements."""
    long = [d for d, size in enumerate(shape) if size > 1]
    reduced = tuple([d for d in long if d in dimensions])
    row = trailing_dimensions(long, reduced)
    extent = prod(shape[d] for d in row)
    if extent >= SHORT:
        outer = reduced[: len(reduced) - len(row)]
        return ReductionOrder("rows", row, outer, extent, min(extent, BLOCK))
    extent = prod(shape[d] for d in reduced)
    block = column_block(shape, long, reduced, extent)
    return ReductionOrder("columns", reduced, (), extent, block)


@dataclass(frozen=True, slots=True)
class RowSegments:
    """How a row is cut whose elements are combined in order.

    Attributes:
        count: How many pieces there are.
        length: The elements of each.
        rest: The elements behind the last piece.
    """

    count: int
    length: int
    rest: int


def row_segments(shape: Sequence[int], dimensions: Collection[int]) -> RowSegments | None:
    """The segments of rows that are reduced in order; None if a row is one segment."""
    long = [d for d, size in enumerate(shape) if size > 1]
    reduced = tuple([d for d in long if d in dimensions])
    row = trailing_dimensions(long, reduced)
    extent = prod(shape[d] for d in row)
    if row != reduced or extent < WORTHWHILE:
        return None
    count, length = FOLDED, extent // FOLDED
    if length > PIECE:
        count, length = extent // PIECE, PIECE
    return RowSegments(count, length, extent - count * length)


def trailing_dimensions(long: Sequence[int], reduced: Sequence[int]) -> tuple[int, ...]:
    """The last dimensions, as far as all of them are reduced."""
    row: list[int] = []
    for d in reversed(long):
        if d not in reduced:
            break
        row.insert(0, d)
    return tuple(row)


def column_block(
    shape: Sequence[int], long: Sequence[int], reduced: Sequence[int], extent: int
) -> int:
    """How many elements of a column are combined by themselves: all, unless columns are few."""
    size = prod(shape)
    results = size // max(extent, 1)
    if not reduced or size < LARGE or results > MANY:
        return extent
    if tuple([d for d in long if reduced[0] <= d <= reduced[-1]]) != reduced:
        return extent  # other dimensions stand between the reduced ones
    columns = prod(shape[d] for d in long if d > reduced[-1])
    return min(extent, max(LEAST, BLOCK // columns))
