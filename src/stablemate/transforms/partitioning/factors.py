"""Factors: what dimensions of operands and results have in common, one rule for each operation.

A rule says of which factors the dimensions are made. An operation can be divided along a factor by
dividing every dimension that it is in; ``reduction`` factors leave terms of the results,
``need_replication`` factors must not be divided.

Source: Shardy dialect, op_sharding_rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType

Dimensions: TypeAlias = Sequence[Sequence[int]]  # the factors of each dimension


class Factors:
    """A rule in the making.

    Attributes:
        sizes: The size of each factor so far.
        reduction: Factors over which the operation reduces.
        whole: Factors that must not be divided.
    """

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.reduction: list[int] = []
        self.need_replication: list[int] = []

    def new(self, size: int) -> int:
        """A factor that can be divided."""
        self.sizes.append(size)
        return len(self.sizes) - 1

    def new_undivided(self, size: int) -> int:
        """A factor that must not be divided."""
        self.need_replication.append(self.new(size))
        return self.need_replication[-1]

    def new_reduction(self, size: int) -> int:
        """A factor over which the operation reduces."""
        self.reduction.append(self.new(size))
        return self.reduction[-1]

    def of_each(self, shape: Sequence[int]) -> list[int]:
        """A factor for each dimension."""
        return [self.new(size) for size in shape]

    def rule(self, operands: Sequence[Dimensions], results: Sequence[Dimensions]) -> OpShardingRule:
        """The rule in which tensors have these factors in their dimensions."""
        return OpShardingRule(
            tuple(self.sizes),
            tuple(map(mapping, operands)),
            tuple(map(mapping, results)),
            tuple(self.reduction),
            tuple(self.need_replication),
        )


def mapping(dimensions: Dimensions) -> TensorMapping:
    """The factors of each dimension, frozen."""
    return tuple(map(tuple, dimensions))


def single(factors: Sequence[int]) -> list[tuple[int, ...]]:
    """Dimensions of one factor each."""
    return [(factor,) for factor in factors]


def shape_of(value: Value[object]) -> tuple[int, ...]:
    """The shape of a tensor; what is none has no dimensions."""
    return value.type.shape if isinstance(value.type, TensorType) else ()


def shapes(values: Sequence[Value[object]]) -> list[tuple[int, ...]]:
    """Lists the shapes of values."""
    return [shape_of(value) for value in values]


def replicated_rule(operation: Operation) -> OpShardingRule:
    """The rule of an operation that can be divided along nothing."""
    factors = Factors()
    operands = [
        [(factors.new_undivided(n),) for n in shape] for shape in shapes(operation.operands)
    ]
    results = [[(factors.new_undivided(n),) for n in shape] for shape in shapes(operation.results)]
    return factors.rule(operands, results)


def along(operation: Operation, kept: Sequence[bool]) -> OpShardingRule:
    """The rule of an operation whose operands and results have the same dimensions.

    Args:
        operation: The operation; scalars among its operands have no dimensions.
        kept: For each dimension whether it can be divided.
    """
    factors = Factors()
    pairs = zip(common(operation), kept, strict=True)
    shared = [factors.new(size) if is_shared else -1 for size, is_shared in pairs]

    def dimensions(shape: Sequence[int]) -> list[tuple[int, ...]]:
        pairs = zip(shape, shared, strict=True) if shape else ()
        return [(f if f >= 0 else factors.new_undivided(n),) for n, f in pairs]

    operands = [dimensions(shape) for shape in shapes(operation.operands)]
    return factors.rule(operands, [dimensions(shape) for shape in shapes(operation.results)])


def common(operation: Operation) -> tuple[int, ...]:
    """The shape of the first tensor that is no scalar."""
    every = shapes([*operation.results, *operation.operands])
    return next((shape for shape in every if shape), ())
