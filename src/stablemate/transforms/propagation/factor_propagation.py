"""Propagates shardings along the factors of one operation, with aggressive conflict resolution.

Source: Shardy, "Aggressive propagation": conflicts within a factor end the axes that are
propagated; conflicts between factors are decided by the size of the tensor that an axis comes from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import IntFlag

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.transforms.partitioning.placement import Axes
from stablemate.transforms.propagation.factor_shardings import (
    FactorSharding,
    TensorFactors,
    is_prefix,
    is_prefix_of_axis,
    is_strict_prefix,
    prefix_without_overlap,
)


class PropagationDirections(IntFlag):
    """The directions in which shardings are propagated through an operation."""

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    BOTH = 3


@dataclass(slots=True)
class FactorPropagation:
    """One propagation through one operation.

    Attributes:
        operands: The factors of the operands.
        results: The factors of the results.
        sizes: The size of each factor.
        is_elementwise: Whether the operation is elementwise.
    """

    operands: Sequence[TensorFactors]
    results: Sequence[TensorFactors]
    sizes: Sequence[int]
    is_elementwise: bool

    def run(self, directions: Sequence[PropagationDirections]) -> list[TensorFactors]:
        """Propagates, along each factor in its directions.

        Returns:
            The tensors whose factors have changed.
        """
        axes = [self.compatible_axes(*pair) for pair in enumerate(directions)]
        if not any(axes):
            return []
        order = self.order(axes)
        changed = [
            tensor for tensor in self.results if self.extend(tensor, axes, order, is_operand=False)
        ]
        return changed + [
            tensor for tensor in self.operands if self.extend(tensor, axes, order, is_operand=True)
        ]

    # ---- the axes of a factor

    def compatible_axes(self, factor: int, direction: PropagationDirections) -> Axes:
        """The axes on which the tensors of a factor agree, those that only some have included."""
        if direction is PropagationDirections.NONE:
            return ()
        first, second = self.operands, self.results
        if direction is PropagationDirections.BACKWARD:
            first, second = second, first
        axes: Axes = ()
        can_extend = True
        for tensors, extends in ((first, True), (second, direction is PropagationDirections.BOTH)):
            can_extend = can_extend and extends
            for tensor in tensors:
                if factor in tensor.factors:
                    own = tensor.factors[factor].axes
                    axes, can_extend = common_axes(axes, own, can_extend=can_extend)
        return axes

    def order(self, axes: Sequence[Axes]) -> list[int]:
        """The factors, those of the largest sources first."""
        sources = [(-1, -1)] * len(self.sizes)
        for i, tensor in enumerate([*self.operands, *self.results]):
            size = math.prod(self.sizes[factor] for factor in tensor.factors)
            for factor, sharding in tensor.factors.items():
                is_source = bool(axes[factor]) and is_prefix(axes[factor], sharding.axes)
                if is_source and size > sources[factor][0]:
                    sources[factor] = size, i

        def key(factor: int) -> tuple[int, int, int, int]:
            size, source = sources[factor]
            shards = shard_count(axes[factor]) if self.is_elementwise else 0
            return -size, -shards, source, factor

        return sorted(range(len(self.sizes)), key=key)

    # ---- the factors of a tensor

    def extend(
        self, tensor: TensorFactors, axes: Sequence[Axes], order: Sequence[int], *, is_operand: bool
    ) -> bool:
        """Extends the factors of a tensor; returns whether any has changed."""
        changed = False
        for factor in order:
            if factor not in tensor.factors:
                continue
            further = self.extension(tensor, factor, axes[factor])
            if further and is_operand and self.is_elementwise:
                further = self.as_results(factor, further)
            changed = (bool(further) and tensor.expand(factor, further)) or changed
        return changed

    def as_results(self, factor: int, axes: Axes) -> Axes:
        """The axes that the result of an elementwise operation took over."""
        for result in self.results:
            sharding = result.factors.get(factor)
            if sharding is not None and is_strict_prefix(sharding.axes, axes):
                axes = sharding.axes
        return axes

    def extension(self, tensor: TensorFactors, factor: int, axes: Axes) -> Axes:
        """The axes that a factor of a tensor can have; empty if it cannot be extended."""
        own = tensor.factors[factor]
        fixed = (*tensor.sharding.replicated, *tensor.sharding.unreduced)

        def within(axis: AxisRange, count: int) -> AxisRange | None:
            free = prefix_without_overlap(axis, fixed)
            return free and self.divisible(free, own, count, self.sizes[factor])

        inside = truncate_axes(axes, within)
        if not is_strict_prefix(own.axes, inside):
            return ()
        others = [
            axis
            for number, sharding in tensor.factors.items()
            if number != factor
            for axis in (*sharding.overflow, *sharding.axes)
        ]
        return truncate_axes(inside, lambda axis, _: prefix_without_overlap(axis, others))

    def divisible(
        self, axis: AxisRange, own: FactorSharding, count: int, size: int
    ) -> AxisRange | None:
        """The major part of an axis by which a factor is, or may be, divided."""
        if any(contains(part, axis) for part in own.axes):
            return axis
        if not own.is_closed and not own.overflow:
            if own.is_minor:
                return axis
            common = math.gcd(size // count, axis.size) if size % count == 0 else 1
            if common == axis.size:
                return axis
            if common != 1:
                return AxisRange(axis.name, axis.start, axis.start * common)
        last = own.axes[-1] if own.axes else None
        return last if last is not None and is_prefix_of_axis(last, axis) else None


def contains(axis: AxisRange, part: AxisRange) -> bool:
    """Whether an axis contains a part."""
    return axis.name == part.name and axis.start <= part.start and part.end <= axis.end


def truncate_axes(axes: Axes, allowed: Callable[[AxisRange, int], AxisRange | None]) -> Axes:
    """The axes up to the first that is not allowed.

    Args:
        axes: The axes.
        allowed: The major part of an axis that is allowed, given the number of shards before it.
    """
    kept: list[AxisRange] = []
    count = 1
    for axis in axes:
        part = allowed(axis, count)
        if part is None:
            break
        kept.append(part)
        if part != axis:
            break
        count *= part.size
    return tuple(kept)


def common_axes(old: Axes, new: Axes, *, can_extend: bool) -> tuple[Axes, bool]:
    """The axes on which two lists agree, and whether further lists may extend them.

    One list may extend the other: the new one only if ``can_extend`` says so.
    """
    common: list[AxisRange] = []
    for i, (before, after) in enumerate(zip(old, new, strict=False)):
        if before == after:
            common.append(before)
        elif is_prefix_of_axis(after, before):
            if i + 1 < len(new):
                return (*common, after), False
            common.append(before)
        elif is_prefix_of_axis(before, after):
            if not can_extend or i + 1 < len(old):
                return (*common, before), False
            common.append(after)
        else:
            return tuple(common), False
    shared = min(len(old), len(new))
    further = (*old[shared:], *(new[shared:] if can_extend else ()))
    return (*common, *further), can_extend
