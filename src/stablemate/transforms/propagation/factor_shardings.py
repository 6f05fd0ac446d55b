"""Shardings of values, and their projection to the factors of a sharding rule.

Source: Shardy, "Sharding projection": axes of a dimension divide its major factors first; what
does not divide a factor is overflow, and closes the minor ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import TensorMapping
from stablemate.dialects.sdy.axes import AxisRange, overlap
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.transforms.partitioning.placement import Axes, join_axes
from stablemate.transforms.partitioning.requested_shardings import RequestedSharding


@dataclass(eq=False, slots=True)
class ValueSharding:
    """The sharding of a value, which propagation extends.

    Attributes:
        dimensions: The axes of each dimension.
        is_closed: For each dimension whether axes must not be added.
        replicated: Axes that must not divide it.
        unreduced: Axes along which devices hold terms.
        is_requested: Whether the program requests a sharding of the value.
    """

    dimensions: list[Axes]
    is_closed: list[bool]
    replicated: Axes = ()
    unreduced: Axes = ()
    is_requested: bool = False

    @staticmethod
    def unknown(rank: int) -> ValueSharding:
        """That of a value without a sharding."""
        return ValueSharding([()] * rank, [False] * rank)

    def request(self, requested: RequestedSharding) -> None:
        """Starts with the sharding that the program requests."""
        self.dimensions = list(requested.placement.dimensions)
        self.is_closed = [not is_open for is_open in requested.is_open]
        self.replicated, self.unreduced = requested.replicated, requested.placement.terms
        self.is_requested = True


@dataclass(slots=True)
class FactorSharding:
    """How one factor of one tensor is divided.

    Attributes:
        axes: The axes.
        is_closed: Whether axes must not be added.
        is_minor: Whether it is the minor-most factor of its dimension.
        overflow: Axes that divide the dimension, but not the factor.
    """

    axes: Axes = ()
    is_closed: bool = False
    is_minor: bool = True
    overflow: Axes = ()


@dataclass(slots=True)
class TensorFactors:
    """The factors of one tensor.

    Attributes:
        sharding: Its sharding.
        mapping: The factors of each dimension.
        factors: How each factor is divided.
    """

    sharding: ValueSharding
    mapping: TensorMapping
    factors: dict[int, FactorSharding] = field(default_factory=dict[int, FactorSharding])

    @staticmethod
    def of(sharding: ValueSharding, mapping: TensorMapping, sizes: Sequence[int]) -> TensorFactors:
        """Projects a sharding to the factors of a rule."""
        tensor = TensorFactors(sharding, mapping)
        for factors, axes, is_closed in zip(
            mapping, sharding.dimensions, sharding.is_closed, strict=True
        ):
            tensor.project(factors, axes, sizes, is_closed=is_closed)
        return tensor

    def project(
        self, factors: Sequence[int], axes: Axes, sizes: Sequence[int], *, is_closed: bool
    ) -> None:
        """Spreads the axes of a dimension over its factors, the major ones first."""
        rest, overflows = list(axes), False
        for factor in factors:
            is_minor = factor == factors[-1]
            sharding = self.factors[factor] = FactorSharding((), is_closed or overflows, is_minor)
            if overflows:
                continue
            if is_minor:
                sharding.axes = tuple(rest)
                continue
            sharding.axes, size = take_divisors(rest, sizes[factor])
            if size > 1 and rest:
                sharding.overflow, overflows = tuple(rest), True

    def expand(self, factor: int, axes: Axes) -> bool:
        """Extends the axes of a factor; False if these do not extend them."""
        sharding = self.factors.get(factor)
        if sharding is None or not is_strict_prefix(sharding.axes, axes):
            return False
        sharding.axes = axes
        return True

    def update(self, sizes: Sequence[int]) -> bool:
        """Writes the axes of the factors into the sharding; returns whether it has changed."""
        dimensions = [self.merge_factors(factors, sizes) for factors in self.mapping]
        if dimensions == self.sharding.dimensions:
            return False
        self.sharding.dimensions = dimensions
        return True

    def merge_factors(self, factors: Sequence[int], sizes: Sequence[int]) -> Axes:
        """The axes of a dimension: those of its factors up to one that they do not use up."""
        axes: Axes = ()
        for factor in factors:
            sharding = self.factors[factor]
            axes = join_axes(axes, sharding.axes, sharding.overflow)
            if sharding.overflow or shard_count(sharding.axes) < sizes[factor]:
                break
        return axes


def take_divisors(axes: list[AxisRange], size: int) -> tuple[Axes, int]:
    """Takes axes, or major parts of them, that divide a size.

    Returns:
        The axes, which are removed from the list, and what is left of the size.
    """
    taken: list[AxisRange] = []
    while axes and (common := math.gcd(size, axes[0].size)) > 1:
        first = axes[0]
        part = AxisRange(first.name, first.start, first.start * common)
        taken.append(part)
        size //= common
        axes[:1] = [AxisRange(first.name, part.end, first.end)] if part.end < first.end else []
    return tuple(taken), size


def is_prefix_of_axis(part: AxisRange, axis: AxisRange) -> bool:
    """Whether a part is strictly the major part of an axis."""
    return (part.name, part.start) == (axis.name, axis.start) and part.end < axis.end


def is_prefix(first: Axes, second: Axes) -> bool:
    """Whether axes begin with others, the last of which may be a part of one."""
    if len(first) > len(second):
        return False
    if not first:
        return True
    *major, last = first
    other = second[len(major)]
    return tuple(major) == second[: len(major)] and (
        last == other or is_prefix_of_axis(last, other)
    )


def is_strict_prefix(first: Axes, second: Axes) -> bool:
    """Whether the second list of axes begins with the first, and is longer."""
    return first != second and is_prefix(first, second)


def prefix_without_overlap(axis: AxisRange, others: Iterable[AxisRange]) -> AxisRange | None:
    """The major part of an axis that has nothing in common with others; None if there is none."""
    for other in others:
        if not overlap(axis, other):
            continue
        if other.start <= axis.start or other.start % axis.start:
            return None
        axis = AxisRange(axis.name, axis.start, other.start)
    return axis
