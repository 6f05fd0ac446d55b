"""Other placements of operands, where an operation cannot be divided as they are.

Axes of a dimension along which the operation cannot be divided divide another dimension, by an
all_to_all; the tensor is gathered along those that fit nowhere.

Source: Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation Graphs" (2021),
section 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.ir.core import Operation
from stablemate.transforms.partitioning.division import FactorAxes
from stablemate.transforms.partitioning.factors import shape_of
from stablemate.transforms.partitioning.movement.exchanges import moved_axes
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    replicated_placement,
)


def accepted_placements(
    operation: Operation, rule: OpShardingRule, placements: Sequence[TensorPlacement]
) -> list[TensorPlacement]:
    """The placements of the operands by which the operation can be divided, each on its own.

    Args:
        operation: The operation.
        rule: Its sharding rule.
        placements: How its operands are divided.
    """
    return [
        accepted_placement(operation, rule, i, placement) for i, placement in enumerate(placements)
    ]


def accepted_placement(
    operation: Operation, rule: OpShardingRule, operand: int, placement: TensorPlacement
) -> TensorPlacement:
    """The placement of an operand by which the operation can be divided."""
    shape = shape_of(operation.operands[operand])
    accepted = replicated_placement(len(shape))
    for dimension, axes in enumerate(placement.dimensions):
        if not axes:
            continue
        own = accepted.with_axes(dimension, axes)
        terms = terms_of(operation, rule, operand, accepted)
        if terms_of(operation, rule, operand, own) is not None:
            accepted = own
            continue
        moved = moved_placements(shape, own, dimension)
        fitting = (t for t in moved if terms_of(operation, rule, operand, t) == terms)
        accepted = next(fitting, accepted)
    return accepted


def moved_placements(
    shape: Sequence[int], placement: TensorPlacement, dimension: int
) -> Iterator[TensorPlacement]:
    """The placements in which the axes of a dimension divide another one."""
    for target in range(len(shape)):
        moved = moved_axes(shape, placement, dimension, target) if target != dimension else None
        if moved is not None:
            yield moved


def terms_of(
    operation: Operation, rule: OpShardingRule, operand: int, placement: TensorPlacement
) -> Axes | None:
    """The axes along which results are in terms, if an operation is divided as one operand is.

    None if it cannot be divided so.
    """
    axes = FactorAxes(operation, rule)
    try:
        for reducing in (False, True):
            axes.follow(operand, placement, reducing=reducing)
        own = axes.placement(rule.operands[operand])
        for mapping in rule.results:
            axes.placement(mapping)
    except UnsupportedError:
        return None
    return axes.terms if own == placement else None
