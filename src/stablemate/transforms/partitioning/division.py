"""Which axes divide which factors of an operation, given how its operands are divided.

Dimensions of the result come first, what is reduced last; among them the largest operand stays as
it is, and the others follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from math import prod
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    disjoint_prefix,
    join_axes,
    starts_with,
    text_of,
)

IsKnown: TypeAlias = Callable[[int, TensorPlacement], bool]


@dataclass(slots=True)
class FactorAxes:
    """The axes of each factor of a rule.

    Attributes:
        operation: Whose rule it is.
        rule: The rule.
        axes: The axes by factor.
    """

    operation: Operation
    rule: OpShardingRule
    axes: dict[int, Axes] = field(default_factory=dict[int, Axes])

    def follow(self, operand: int, placement: TensorPlacement, *, reducing: bool) -> None:
        """Divides the factors as an operand is, as far as others have not decided otherwise.

        Args:
            operand: Its number.
            placement: How it is divided.
            reducing: Whether this is about factors over which the operation reduces, or all others.

        Raises:
            UnsupportedError: The operation cannot be divided as the operand is.
        """
        listed = zip(self.rule.operands[operand], placement.dimensions, strict=True)
        for dimension, (factors, axes) in enumerate(listed):
            spread = self.spread(factors, axes, operand, dimension)
            for factor, own in spread:
                if (factor in self.rule.reduction) == reducing:
                    self.divide(factor, own)

    def follow_result(self, placement: TensorPlacement) -> None:
        """Divides the factors as the only result is divided.

        Raises:
            UnsupportedError: The operation cannot be divided so.
        """
        for factors, axes in zip(self.rule.results[0], placement.dimensions, strict=True):
            for factor, own in self.spread(factors, axes, 0, 0):
                self.divide(factor, own)

    def divide_further(self, placement: TensorPlacement) -> None:
        """Divides factors that no operand divides as the only result is divided.

        Devices cut the operands without messages, and have smaller terms.
        """
        for factors, own in zip(self.rule.results[0], placement.dimensions, strict=True):
            size = prod(self.rule.sizes[factor] for factor in factors)
            is_whole = not any(self.axes.get(factor) for factor in factors)
            is_fitting = len(factors) == 1 and size % shard_count(own) == 0
            if is_whole and is_fitting and not {*factors} & {*self.rule.need_replication}:
                self.divide(factors[0], own)

    def spread(
        self, factors: Sequence[int], axes: Axes, operand: int, dimension: int
    ) -> list[tuple[int, Axes]]:
        """The axes of a dimension, spread over its factors, the major ones first."""
        spread_axes: list[tuple[int, Axes]] = []
        rest = list(axes)
        for factor in factors:
            own: list[AxisRange] = []
            size = self.rule.sizes[factor]
            while rest and size > 1 and (fitting_axis := dividing_axis(rest[0], size)) is not None:
                own.append(fitting_axis)
                size //= fitting_axis.size
                left = AxisRange(rest[0].name, fitting_axis.end, rest[0].end)
                rest[:1] = [left] if left.size > 1 else []
            if own and factor in self.rule.need_replication:
                raise self.refusal(operand, dimension, axes)
            spread_axes.append((factor, tuple(own)))
            if size > 1:
                break
        if rest:
            raise self.refusal(operand, dimension, axes)
        return spread_axes

    def divide(self, factor: int, axes: Axes) -> None:
        """Divides a factor by axes that no other factor has."""
        others = [part for f, axis in self.axes.items() if f != factor for part in axis]
        free = disjoint_prefix(axes, others)
        if free and starts_with(free, self.axes.get(factor, ())):
            self.axes[factor] = free

    def refusal(self, operand: int, dimension: int, axes: Axes) -> UnsupportedError:
        """The error that names the operation, the dimension and what divides it."""
        value = self.operation.operands[operand]
        size = value.type.shape[dimension]
        text = (
            f"operand {operand} is divided by {{{text_of(axes)}}} along dimension {dimension}, "
            "along which the operation cannot be divided"
        )
        note = Diagnostic("a sharding_constraint in front of it, without these axes, gathers it")
        values = {"size": size, "pieces": shard_count(axes)}
        return UnsupportedError(
            Diagnostic(text, self.operation.name, self.operation.span, values, (note,))
        )

    def placement(self, mapping: TensorMapping) -> TensorPlacement:
        """How a tensor of these factors is divided.

        Raises:
            UnsupportedError: A dimension is merged from factors so that its pieces are no ranges.
        """
        return TensorPlacement(tuple(self.dimension_axes(factors) for factors in mapping))

    def dimension_axes(self, factors: Sequence[int]) -> Axes:
        """The axes of a dimension: a minor factor is divided only where major ones are used up."""
        axes: Axes = ()
        is_complete = True
        for factor in factors:
            own = self.axes.get(factor, ())
            if own and not is_complete:
                text = (
                    f"a dimension is merged from one that is divided by {{{text_of(own)}}} "
                    "and a larger one in front of it: its pieces would not be ranges"
                )
                raise UnsupportedError(Diagnostic(text, self.operation.name, self.operation.span))
            axes = join_axes(axes, own)
            is_complete = is_complete and shard_count(own) == self.rule.sizes[factor]
        return axes

    def keeps(self, operand: int, placement: TensorPlacement) -> bool:
        """Whether an operand stays divided as it is, in dimensions that are factors."""
        return all(
            len(factors) != 1 or self.axes.get(factors[0], ()) == own
            for factors, own in zip(self.rule.operands[operand], placement.dimensions, strict=True)
            if own
        )

    @property
    def used(self) -> list[AxisRange]:
        """The axes that divide any factor."""
        return [part for axes in self.axes.values() for part in axes]

    @property
    def terms(self) -> Axes:
        """The axes along which the results are in terms."""
        return join_axes(*(self.axes.get(factor, ()) for factor in self.rule.reduction))


def dividing_axis(part: AxisRange, size: int) -> AxisRange | None:
    """The major part of an axis that divides a size; None if there is none."""
    if size % part.size == 0:
        return part
    if part.size % size == 0:
        return AxisRange(part.name, part.start, part.start * size)
    return None


def divide_factors(
    operation: Operation,
    rule: OpShardingRule,
    placements: Sequence[TensorPlacement],
    first: Sequence[tuple[int, Axes]] = (),
) -> FactorAxes:
    """The axes of the factors, given how operands are divided; what is whole follows others.

    Args:
        operation: The operation.
        rule: Its rule.
        placements: How its operands are divided.
        first: Factors and axes that come before those of all operands.

    Raises:
        UnsupportedError: An operand is divided as the operation cannot be.
    """
    factor_axes = FactorAxes(operation, rule)
    for factor, axes in first:
        factor_axes.divide(factor, axes)
    order = sorted(range(len(placements)), key=lambda i: -bytes_of(operation, i))
    for reducing in (False, True):
        for i in order:
            factor_axes.follow(i, placements[i], reducing=reducing)
    return factor_axes


def divide_as_result(
    axes: FactorAxes,
    placements: Sequence[TensorPlacement],
    target: TensorPlacement,
    is_known: IsKnown,
) -> FactorAxes:
    """Other axes of the factors, where operands disagree: those that divide the result afterwards.

    The axes stay if that moves less.

    Args:
        axes: The axes by the largest operand.
        placements: How the operands are divided.
        target: How the only result is divided afterwards.
        is_known: Whether devices have an operand by a placement already.
    """
    rule = axes.rule
    wanted = {
        factors[0]: own
        for factors, own in zip(rule.results[0], target.dimensions, strict=True)
        if len(factors) == 1
    }
    agreed = [
        (factors[0], own)
        for mapping, placement in zip(rule.operands, placements, strict=True)
        for factors, own in zip(mapping, placement.dimensions, strict=True)
        if own and len(factors) == 1 and starts_with(wanted.get(factors[0], ()), own)
    ]
    other = divide_factors(axes.operation, rule, placements, agreed)
    moved = [received_bytes(each, placements, target, is_known) for each in (other, axes)]
    return other if moved[0] < moved[1] else axes


def received_bytes(
    axes: FactorAxes,
    placements: Sequence[TensorPlacement],
    target: TensorPlacement,
    is_known: IsKnown,
) -> int:
    """About how many bytes a device receives to divide operands, and the result afterwards."""
    operation, rule = axes.operation, axes.rule
    result = axes.placement(rule.results[0])
    total = moved_bytes(operation.results[0], result, target)
    if axes.terms:
        total += 2 * local_bytes(operation.results[0], result)
    for i, (value, placement) in enumerate(zip(operation.operands, placements, strict=True)):
        own = axes.placement(rule.operands[i])
        if not is_known(i, own):
            total += moved_bytes(value, placement, own)
    return total


def moved_bytes(value: Value, before: TensorPlacement, after: TensorPlacement) -> int:
    """About how many bytes a device receives to divide a tensor otherwise."""
    if divides(before, after):
        return 0
    kept = local_bytes(value, before) if divides(after, before) else 0
    return local_bytes(value, after) - kept


def divides(placement: TensorPlacement, finer: TensorPlacement) -> bool:
    """Whether shards by a placement contain those by a finer one on the same device."""
    pairs = zip(finer.dimensions, placement.dimensions, strict=True)
    return all(starts_with(fine, own) for fine, own in pairs)


def local_bytes(value: Value, placement: TensorPlacement) -> int:
    """The bytes of a shard."""
    return placement.local(value.type).bytes if isinstance(value.type, TensorType) else 0


def bytes_of(operation: Operation, operand: int) -> int:
    """The size of an operand."""
    value_type = operation.operands[operand].type
    return value_type.bytes if isinstance(value_type, TensorType) else 0


def gathers_less(gathered: TensorType, reduced: TensorType) -> bool:
    """Whether an all_gather moves less than an all_reduce, which moves each element twice.

    Args:
        gathered: What a device has after the all_gather.
        reduced: What it has after the all_reduce.
    """
    return gathered.bytes < 2 * reduced.bytes
