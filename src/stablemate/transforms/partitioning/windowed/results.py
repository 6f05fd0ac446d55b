"""Records results that are computed by windows: shards, or a reader where they are uneven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.partitioned_values import NeededPart, WindowReader
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    replicated_placement,
)

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
    from stablemate.transforms.partitioning.partitioner import Partitioner


def axes_of(operand: PartitionedValue) -> tuple[Axes, ...]:
    """The axes that divide a value, or what it is computed from."""
    if operand.reader is not None and operand.value is None:
        return operand.reader.axes
    return operand.placement.dimensions


def common_axes(operands: Sequence[PartitionedValue]) -> tuple[Axes, ...]:
    """The axes that divide the first of some values that is divided."""
    every = [axes_of(operand) for operand in operands]
    return next((axes for axes in every if any(axes)), every[0])


def is_even(size: int, axes: Axes) -> bool:
    """Whether devices can share a dimension evenly."""
    return size % shard_count(axes) == 0


def record_windowed(
    self: Partitioner, builder: Builder, result: Value, reader: WindowReader
) -> None:
    """Records a result: shards if devices can share it evenly, else the reader."""
    shape = result.type.shape
    if all(is_even(size, axes) for size, axes in zip(shape, reader.axes, strict=True)):
        placement = TensorPlacement(reader.axes)
        self.record(result, reader.read(builder, NeededPart(placement)), placement).reader = reader
        return

    def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
        return reader.read(at, NeededPart(placement))

    recorded = self.record(result, None, replicated_placement(len(shape)))
    recorded.materialize, recorded.reader = materialize, reader
    recorded.depth = reader.depth
