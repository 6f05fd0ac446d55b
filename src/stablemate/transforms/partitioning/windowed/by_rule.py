"""Operations on values of which devices compute windows, by their sharding rules.

Devices compute the rows of the result that belong to the rows that they have. Where an operation
reduces over rows, each device has rows of its own and identities in the place of others; the
results are terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.division import FactorAxes
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import RowRange, RowShares
from stablemate.transforms.partitioning.movement.splats import splat_constant, spread
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    WindowReader,
    heaviest_reader,
    window_of,
)
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    are_disjoint,
    join_axes,
)
from stablemate.transforms.partitioning.reductions import IDENTITIES, emit_terms, monoids_of
from stablemate.transforms.partitioning.rules import user_rule
from stablemate.transforms.partitioning.windowed.reading import read_window
from stablemate.transforms.partitioning.windowed.results import is_even, record_windowed

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
    from stablemate.transforms.partitioning.partitioner import Partitioner

# Operations that are partitioned in a way of their own, but follow their rules here.
RULED: Final = (
    "stablehlo.broadcast_in_dim",
    "stablehlo.gather",
    "stablehlo.reduce",
    "stablehlo.scatter",
)


def by_rule(self: Partitioner, operation: Operation, builder: Builder) -> bool:
    """Partitions an operation of whose operands devices compute windows; returns whether."""
    windows = windows_of(self, operation)
    if windows is None:
        return False
    if windows.reduced:
        return windows.reduce(builder)
    if not windows.kept:
        return False
    windows.record(builder)
    return True


def windows_of(self: Partitioner, operation: Operation) -> RuledWindows | None:
    """The windows of an operation; None if it has no rule, or one that merges dimensions."""
    if len(operation.results) != 1 or user_rule(operation) is not None:
        return None
    if operation.name in self.special and operation.name not in RULED:
        return None
    if self.has_free_operands(operation):
        return None
    try:
        rule = self.rule(operation)
    except UnsupportedError:
        return None
    if not all(len(factors) == 1 for row in (*rule.operands, *rule.results) for factors in row):
        return None
    return divided_windows(self, operation, rule)


def divided_windows(
    self: Partitioner, operation: Operation, rule: OpShardingRule
) -> RuledWindows | None:
    """The axes of the factors: those of the heaviest windowed operand, then those of others."""
    operands = [self.partitioned[value] for value in operation.operands]
    reader = heaviest_reader(operands)
    if reader is None:
        return None
    axes, shares = FactorAxes(operation, rule), dict[int, RowShares]()
    lead = next(i for i, operand in enumerate(operands) if operand.reader is reader)
    for d, ((factor,), own) in enumerate(zip(rule.operands[lead], reader.axes, strict=True)):
        if own and may_be_divided(rule, factor):
            axes.axes[factor] = own
            if not is_even(rule.sizes[factor], own):
                shares[factor] = reader.shares_along(d, rule.sizes[factor])
    for operand, mapping in zip(operands, rule.operands, strict=True):
        if not operand.is_windowed:
            follow(axes, mapping, operand.placement)
    return RuledWindows(self, operation, axes, shares, reader.weight)


def may_be_divided(rule: OpShardingRule, factor: int) -> bool:
    """Whether devices may have different parts of a factor, which the result has or sums."""
    is_kept = factor in rule.reduction or (factor,) in rule.results[0]
    return is_kept and factor not in rule.need_replication


def follow(axes: FactorAxes, mapping: TensorMapping, placement: TensorPlacement) -> None:
    """Divides further factors as an operand is, as far as axes are free."""
    for (factor,), own in zip(mapping, placement.dimensions, strict=True):
        is_free = factor not in axes.axes and are_disjoint(own, axes.used)
        is_fitting = may_be_divided(axes.rule, factor) and is_even(axes.rule.sizes[factor], own)
        if own and is_free and is_fitting:
            axes.axes[factor] = own


@dataclass(frozen=True, slots=True)
class RuledWindows:
    """The windows of an operation whose dimensions are one factor each.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
        axes: The axes of the factors.
        shares: The rows that devices compute of the factors that they cannot share evenly.
        weight: The weight of the operand whose rows these are.
    """

    partitioner: Partitioner
    operation: Operation
    axes: FactorAxes
    shares: Mapping[int, RowShares]
    weight: int

    @property
    def rule(self) -> OpShardingRule:
        """The rule of the operation."""
        return self.axes.rule

    @property
    def operands(self) -> list[PartitionedValue]:
        """The partitioned values that the operation reads."""
        return [self.partitioner.partitioned[value] for value in self.operation.operands]

    @property
    def reduced(self) -> list[int]:
        """The factors of uneven shares over which the operation reduces."""
        return [factor for factor in self.shares if factor in self.rule.reduction]

    @property
    def kept(self) -> dict[int, RowShares]:
        """The shares of the result along its dimensions."""
        return {
            d: self.shares[factor]
            for d, (factor,) in enumerate(self.rule.results[0])
            if factor in self.shares
        }

    # ---- results that are windows

    def record(self, builder: Builder) -> None:
        """Records the result: what devices compute of it where that is needed.

        Products, and what has regions, are computed at once.
        """
        operation, result = self.operation, self.operation.results[0]
        own = tuple(self.axes.placement(self.rule.results[0]).dimensions)
        depth = 1 + max(operand.depth for operand in self.operands)
        record_windowed(
            self.partitioner,
            builder,
            result,
            WindowReader(self.read, own, None, depth, self.kept, self.weight),
        )
        is_computed_once = isinstance(operation, DotGeneral) or (
            operation.regions and not has_trait(operation, Trait.ELEMENTWISE)
        )
        if is_computed_once:
            rows = {d: shares.rows for d, shares in self.kept.items()}
            value = self.partitioner.partitioned[result]
            read_window(self.partitioner, builder, value, window_of(own, rows))

    def read(self, at: Builder, window: NeededPart) -> Value[TensorType]:
        """Emits a window of the result."""
        result = self.operation.results[0]
        rows = window.by_dimension
        axes = {f: window.placement.dimensions[d] for d, (f,) in enumerate(self.rule.results[0])}
        ranges = {f: rows[d] for d, (f,) in enumerate(self.rule.results[0]) if d in rows}
        values = self.values(at, axes, ranges)
        copy = self.partitioner.copy_as(self.operation, at, values, [window.local(result.type)])
        return copy.results[0]

    def values(
        self, at: Builder, axes: Mapping[int, Axes], ranges: Mapping[int, RowRange]
    ) -> list[Value[Any]]:
        """The parts of the operands, given axes and rows of the factors."""
        return [
            read_window(self.partitioner, at, operand, part_of(mapping, axes, ranges))
            for operand, mapping in zip(self.operands, self.rule.operands, strict=True)
        ]

    # ---- results that are terms

    def reduce(self, builder: Builder) -> bool:
        """Emits the operation on the rows that devices have, with identities beside them."""
        operation = self.operation
        if isinstance(operation, Reduce):
            if len(monoids_of(operation.body)) < len(operation.inputs):
                return False
        elif not isinstance(operation, DotGeneral):
            return False
        axes = {
            factor: own
            for factor, own in self.axes.axes.items()
            if factor not in self.shares or factor in self.rule.reduction
        }
        ranges = {factor: self.shares[factor].rows for factor in self.reduced}
        values = self.values(builder, axes, ranges)
        values = [self.mask_rows(builder, i, value) for i, value in enumerate(values)]
        terms = join_axes(*(axes.get(factor, ()) for factor in self.rule.reduction))
        operands = [part_of(mapping, axes, {}).placement for mapping in self.rule.operands]
        results = [part_of(mapping, axes, {}).placement for mapping in self.rule.results]
        if isinstance(operation, Reduce):
            emit_terms(self.partitioner, operation, builder, values, (operands, results), terms)
        else:
            in_terms = [TensorPlacement(result.dimensions, terms) for result in results]
            self.partitioner.emit(operation, builder, values, operands, in_terms)
        return True

    def mask_rows(
        self, builder: Builder, operand: int, value: Value[TensorType]
    ) -> Value[TensorType]:
        """The rows of an operand, with identities in the place of those of other devices."""
        for d, (factor,) in enumerate(self.rule.operands[operand]):
            if factor in self.reduced:
                shares = self.shares[factor]
                exchange = RowExchange(
                    self.partitioner.resharder, builder, d, self.axes.axes[factor]
                )
                mask = exchange.between(value.type, shares.first, shares.limit)
                fill = self.identity(builder, operand, value.type)
                value = exchange.select(mask, value, fill)
        return value

    def identity(self, builder: Builder, operand: int, local: TensorType) -> Value[TensorType]:
        """The element that changes no result: 0, or the identity of the reduction."""
        operation = self.operation
        if not isinstance(operation, Reduce):
            return splat_constant(builder, local, 0)
        monoid = monoids_of(operation.body)[operand]
        if monoid in IDENTITIES:
            return splat_constant(builder, local, IDENTITIES[monoid])
        init = self.operands[len(operation.inputs) + operand]
        return spread(builder, self.partitioner.replicate(builder, init), local)


def part_of(
    mapping: TensorMapping, axes: Mapping[int, Axes], ranges: Mapping[int, RowRange]
) -> NeededPart:
    """The part of a tensor, given axes and rows of the factors of its dimensions."""
    own = [axes.get(factor, ()) for (factor,) in mapping]
    rows = {d: ranges[factor] for d, (factor,) in enumerate(mapping) if factor in ranges}
    return window_of(own, rows)
