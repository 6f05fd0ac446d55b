"""The sharding rule of reshape: factors that dimensions before and after have in common.

Source: Shardy, its registry of sharding rules, reshape.
"""

from __future__ import annotations

import math

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.transforms.propagation.rule_builder import Shape, builder_of, shape_of


@dataclass(slots=True)
class FactorCursor:
    """How far the dimensions of a shape are divided into factors.

    Attributes:
        shape: The shape.
        dimension: The dimension whose factors come next.
        sizes: The product of the dimensions up to this one.
        factors: The product of the factors so far.
    """

    shape: Shape
    dimension: int = 0
    sizes: int = 1
    factors: int = 1

    @property
    def is_at_end(self) -> bool:
        """Whether all dimensions are divided."""
        return self.dimension == len(self.shape)

    @property
    def is_at_one(self) -> bool:
        """Whether the next dimension has size 1."""
        return not self.is_at_end and self.shape[self.dimension] == 1

    @property
    def remaining(self) -> int:
        """The remaining size of the dimension."""
        return self.sizes // self.factors

    def begin(self) -> None:
        """Enters the dimension, if its factors have not begun."""
        if not self.is_at_end and self.sizes == self.factors:
            self.sizes *= self.shape[self.dimension]

    def take(self, factor: int) -> int:
        """Takes a factor of the dimension; returns the dimension."""
        taken = self.dimension
        self.factors *= factor
        if self.factors == self.sizes:
            self.dimension += 1
        return taken

    def factor_towards(self, other: FactorCursor, common: int) -> int:
        """The next factor of the side that is behind the other one."""
        if (
            other.factors % self.factors == 0
            and self.remaining % (other.factors // self.factors) == 0
        ):
            return other.factors // self.factors  # both sides agree again after it
        return self.remaining // common if self.remaining > common else self.remaining


def reshape(operation: DynamicReshape | Reshape) -> OpShardingRule | None:
    """Factors that both shapes have, the major ones first; None if there are no elements."""
    source, target = (
        FactorCursor(shape_of(operation.operand)),
        FactorCursor(shape_of(operation.result)),
    )
    if 0 in source.shape:
        return None
    builder = builder_of(operation)
    while not (source.is_at_end and target.is_at_end):
        if source.is_at_one:
            builder.factor(1, [source.dimension], [None])
            source.dimension += 1
            continue
        if target.is_at_one:
            builder.factor(1, [None], [target.dimension])
            target.dimension += 1
            continue
        source.begin()
        target.begin()
        common = math.gcd(source.remaining, target.remaining)
        if source.factors == target.factors and common > 1:
            builder.factor(common, [source.take(common)], [target.take(common)])
        elif source.factors == target.factors:
            size = source.remaining
            builder.factor(size, [source.take(size)], [None])
            size = target.remaining
            builder.factor(size, [None], [target.take(size)])
        elif source.factors < target.factors:
            size = source.factor_towards(target, common)
            builder.factor(size, [source.take(size)], [None])
        else:
            size = target.factor_towards(source, common)
            builder.factor(size, [None], [target.take(size)])
    return builder.rule()
