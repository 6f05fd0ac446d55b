"""Builds sharding rules: factors that dimensions of operands and results have in common.

Source: Shardy, "Sharding rules": factors and their kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType

Shape = Sequence[int]
Dimension = int | None  # None: the tensor does not have the factor


class FactorKind(Enum):
    """The kind of a factor: the communication that dividing it needs.

    Attributes:
        PASS_THROUGH: Nothing.
        REDUCTION: The results are terms, which are reduced.
        NEED_REPLICATION: Operands are gathered.
        PERMUTATION: Elements move between devices.
    """

    PASS_THROUGH = "pass-through"
    REDUCTION = "reduction"
    NEED_REPLICATION = "need_replication"
    PERMUTATION = "permutation"


class RuleBuilder:
    """A sharding rule under construction.

    Attributes:
        operands: The factors of each dimension of each operand.
        results: The factors of each dimension of each result.
        sizes: The size of each factor.
    """

    def __init__(self, operands: Sequence[Shape], results: Sequence[Shape]) -> None:
        self.shapes = [*operands, *results]
        self.operands: list[list[list[int]]] = [[[] for _ in shape] for shape in operands]
        self.results: list[list[list[int]]] = [[[] for _ in shape] for shape in results]
        self.sizes: list[int] = []
        self.kinds: dict[FactorKind, list[int]] = {kind: [] for kind in FactorKind}
        self.blocked: list[int] = []

    def new(self, size: int, kind: FactorKind, *, is_blocked: bool) -> int:
        """Adds a factor of a size and kind, and returns its number."""
        factor = len(self.sizes)
        self.sizes.append(size)
        self.kinds[kind].append(factor)
        if is_blocked:
            self.blocked.append(factor)
        return factor

    def factor(
        self,
        size: int,
        operands: Sequence[Dimension],
        results: Sequence[Dimension],
        kind: FactorKind = FactorKind.PASS_THROUGH,
        *,
        is_blocked: bool = False,
    ) -> None:
        """Adds a factor.

        Args:
            size: Its size.
            operands: The dimension of each operand that it is a factor of.
            results: The dimension of each result.
            kind: What dividing it costs.
            is_blocked: Whether shardings are not propagated along it.
        """
        factor = self.new(size, kind, is_blocked=is_blocked)
        tensors = [*self.operands, *self.results]
        for tensor, dimension in zip(tensors, [*operands, *results], strict=True):
            if dimension is not None and (size > 1 or not tensor[dimension]):
                tensor[dimension].append(factor)

    def common(
        self,
        dimension: int,
        size: int,
        kind: FactorKind = FactorKind.PASS_THROUGH,
        *,
        is_blocked: bool = False,
    ) -> None:
        """Adds a factor that this dimension of all tensors has; scalars do not have it."""
        factor = self.new(size, kind, is_blocked=is_blocked)
        for tensor in [*self.operands, *self.results]:
            if tensor:
                tensor[dimension].append(factor)

    def pointwise(
        self,
        shape: Shape,
        kind_of: Callable[[int], FactorKind] = lambda _: FactorKind.PASS_THROUGH,
    ) -> None:
        """Adds a common factor for each dimension."""
        for dimension, size in enumerate(shape):
            self.common(dimension, size, kind_of(dimension))

    def rule(self) -> OpShardingRule:
        """The rule; a dimension without factors has one of its own."""
        count = len(self.operands)
        tensors = [*self.operands, *self.results]
        for tensor, shape in zip(tensors, self.shapes, strict=True):
            for factors, size in zip(tensor, shape, strict=True):
                if not factors:
                    factors.append(self.new(size, FactorKind.PASS_THROUGH, is_blocked=False))
        mappings: list[TensorMapping] = [tuple(map(tuple, tensor)) for tensor in tensors]
        return OpShardingRule(
            tuple(self.sizes),
            tuple(mappings[:count]),
            tuple(mappings[count:]),
            reduction=tuple(self.kinds[FactorKind.REDUCTION]),
            need_replication=tuple(self.kinds[FactorKind.NEED_REPLICATION]),
            permutation=tuple(self.kinds[FactorKind.PERMUTATION]),
            blocked_propagation=tuple(self.blocked),
        )


def shape_of(value: Value[object]) -> Shape:
    """The shape of a tensor; what is none has no dimensions."""
    return value.type.shape if isinstance(value.type, TensorType) else ()


def builder_of(operation: Operation) -> RuleBuilder:
    """A rule builder for the operands and results of an operation."""
    return RuleBuilder(
        [shape_of(value) for value in operation.operands],
        [shape_of(value) for value in operation.results],
    )


def identity_rule(shape: Shape, operands: int = 1, results: int = 1) -> OpShardingRule:
    """The rule of tensors of one shape that have the same sharding."""
    builder = RuleBuilder([shape] * operands, [shape] * results)
    builder.pointwise(shape)
    return builder.rule()
