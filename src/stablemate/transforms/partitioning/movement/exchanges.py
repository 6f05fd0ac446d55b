"""Plans all_to_alls and a permutation that convert one placement of a tensor into another.

Source: Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation Graphs" (2021),
section 3.4, "Resharding".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.axes import AxisRange, with_minor, without_minor
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    axes_after,
    free_axes,
    join_axes,
    shared_start,
)


@dataclass(frozen=True, slots=True)
class AxesMove:
    """An all_to_all: axes divide another dimension.

    Attributes:
        source: The dimension that they divide before.
        target: The dimension that they divide after.
        axes: The axes, which are the minor ones of both.
    """

    source: int
    target: int
    axes: Axes

    def apply(self, placement: TensorPlacement) -> TensorPlacement:
        """The placement after the move."""
        kept = without_minor(placement.dimensions[self.source], self.axes)
        assert kept is not None
        joined = with_minor(placement.dimensions[self.target], self.axes)
        return placement.with_axes(self.source, tuple(kept)).with_axes(self.target, tuple(joined))


@dataclass(frozen=True, slots=True)
class ShardExchange:
    """How shards get from one placement to another.

    Attributes:
        cut: The placement after each device has cut its part out of what it has.
        moves: What is exchanged then.
        permuted: The placement after shards are permuted.
    """

    cut: TensorPlacement
    moves: Sequence[AxesMove]
    permuted: TensorPlacement

    def messages_to(self, after: TensorPlacement) -> int:
        """How many collective operations there are, with what the caller gathers."""
        at = self.cut
        for move in self.moves:
            at = move.apply(at)
        gathered = zip(self.permuted.dimensions, after.dimensions, strict=True)
        return len(self.moves) + (at != self.permuted) + sum(own != goal for own, goal in gathered)


def is_refined(shape: Sequence[int], before: TensorPlacement, after: TensorPlacement) -> bool:
    """Whether each piece of one placement is within a piece of another one."""
    counts = zip(before.counts, after.counts, strict=True)
    return is_divisible(shape, after) and all(fine % coarse == 0 for coarse, fine in counts)


def plan_exchange(
    shape: Sequence[int], before: TensorPlacement, after: TensorPlacement
) -> ShardExchange | None:
    """Plans the exchange; None if gathering moves no more, or sizes do not allow it."""
    if not gathers_in_vain(before, after):
        return None
    cut, permuted = with_axes_of(before, after), with_axes_of(after, before)
    placements = (cut, permuted)
    if any(prod(cut.counts) != prod(other.counts) for other in placements):
        return None
    if not all(is_divisible(shape, placement) for placement in placements):
        return None
    moves = list(moves_between(cut, permuted))
    at = cut
    for move in moves:
        at = move.apply(at)
        if not is_divisible(shape, at):
            return None
    return ShardExchange(cut, moves, permuted) if at.counts == permuted.counts else None


def gathers_in_vain(before: TensorPlacement, after: TensorPlacement) -> bool:
    """Whether gathering would bring elements together that are divided again."""
    gathered: list[AxisRange] = []
    is_divided_anew = False
    for own, requested in zip(before.dimensions, after.dimensions, strict=True):
        start = shared_start(own, requested)
        gathered += axes_after(own, start)
        is_divided_anew = is_divided_anew or start != requested
    return bool(gathered) and is_divided_anew


def with_axes_of(placement: TensorPlacement, other: TensorPlacement) -> TensorPlacement:
    """The placement, divided also by the axes that only another one has, as minor ones."""
    used = [part for axes in placement.dimensions for part in axes]
    return placement.with_dimensions(
        tuple(
            join_axes(own, free_axes(axes, used))
            for own, axes in zip(placement.dimensions, other.dimensions, strict=True)
        )
    )


def is_divisible(shape: Sequence[int], placement: TensorPlacement) -> bool:
    """Whether all shards have the same size."""
    return all(size % count == 0 for size, count in zip(shape, placement.counts, strict=True))


def moves_between(before: TensorPlacement, after: TensorPlacement) -> Iterator[AxesMove]:
    """Moves after which dimensions are divided into as many shards as they must be.

    They end earlier where no axis has a part of the right size.
    """
    at = before
    while (move := next_move(at, after)) is not None:
        yield move
        at = move.apply(at)


def next_move(at: TensorPlacement, after: TensorPlacement) -> AxesMove | None:
    """A move from a dimension with too many shards to one with too few."""
    pairs = list(zip(at.counts, after.counts, strict=True))
    for source, (own, requested) in enumerate(pairs):
        excess = own // gcd(own, requested)
        if excess == 1:
            continue
        last = at.dimensions[source][-1]
        for target, (count, needed) in enumerate(pairs):
            size = gcd(excess, needed // gcd(count, needed), last.size)
            if target != source and size > 1:
                part = AxisRange(last.name, last.end // size, last.end)
                return AxesMove(source, target, (part,))
    return None


def moved_axes(
    shape: Sequence[int], placement: TensorPlacement, source: int, target: int
) -> TensorPlacement | None:
    """The placement whose axes of one dimension divide another; None if sizes do not allow it."""
    axes = placement.dimensions[source]
    moved = placement.with_axes(source, ()).with_axes(
        target, join_axes(placement.dimensions[target], axes)
    )
    fits = shape[target] % shard_count(moved.dimensions[target]) == 0
    return moved if fits else None
