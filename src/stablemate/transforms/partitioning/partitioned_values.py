"""Values of a program and what devices hold of them: shards, or the windows that they compute.

A slice of a divided dimension, whose size devices cannot share evenly, is no shard of anything: it
is computed where an operation needs rows of it, and so are elementwise functions of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType, Type
from stablemate.transforms.partitioning.movement.row_routes import (
    RowRange,
    RowShares,
    even_rows,
    nearly_even_shares,
)
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement


@dataclass(frozen=True, slots=True)
class NeededPart:
    """The part of a tensor that each device needs.

    Attributes:
        placement: The axes along which devices need different parts of each dimension.
        rows: The rows that devices need along some dimensions; along others, their shards.
    """

    placement: TensorPlacement
    rows: tuple[tuple[int, RowRange], ...] = ()

    @property
    def by_dimension(self) -> dict[int, RowRange]:
        """Indexes the rows by their dimension."""
        return dict(self.rows)

    def is_divided(self, dimension: int) -> bool:
        """Whether devices need different rows along a dimension."""
        return bool(self.placement.dimensions[dimension])

    def rows_along(self, dimension: int, size: int) -> RowRange:
        """The rows along a divided dimension, those of a shard too."""
        count = shard_count(self.placement.dimensions[dimension])
        return self.by_dimension.get(dimension) or even_rows(size, count)

    def rows_of(self, dimension: int, size: int) -> RowRange | None:
        """The rows along a dimension, those of a shard too; None if devices need all rows."""
        return self.rows_along(dimension, size) if self.is_divided(dimension) else None

    def local(self, whole: Type) -> TensorType:
        """The type of what a device needs of a tensor."""
        assert isinstance(whole, TensorType)
        shape = [
            rows.length if (rows := self.rows_of(d, size)) else size
            for d, size in enumerate(whole.shape)
        ]
        return whole.with_shape(shape)


def window_of(axes: Sequence[Axes], rows: Mapping[int, RowRange]) -> NeededPart:
    """A window of a tensor whose dimensions are divided by axes."""
    return NeededPart(TensorPlacement(tuple(axes)), tuple(sorted(rows.items())))


Materializer: TypeAlias = Callable[[Builder, TensorPlacement], Value]
ReadWindow: TypeAlias = Callable[[Builder, NeededPart], Value]


@dataclass(frozen=True, slots=True)
class SliceView:
    """Consecutive rows of a value.

    Attributes:
        operand: The value.
        starts: The first row along each dimension.
    """

    operand: PartitionedValue
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WindowReader:
    """A value of which devices can compute any window.

    Attributes:
        read: Emits a window; rows that lie outside of the value may be anything.
        axes: The axes that divide what it is computed from, along each dimension.
        view: What it is a slice of, if it is one of stride 1.
        depth: How many operations are emitted one after the other.
        shares: The rows that each device has, or computes of what it has, along some dimensions.
        weight: How many bytes the value has whose rows these are.
    """

    read: ReadWindow
    axes: tuple[Axes, ...]
    view: SliceView | None = None
    depth: int = field(default=1)
    shares: Mapping[int, RowShares] = field(default_factory=dict[int, RowShares])
    weight: int = field(default=0)

    def shares_along(self, dimension: int, size: int) -> RowShares:
        """The rows that each device computes along a divided dimension."""
        count = shard_count(self.axes[dimension])
        return self.shares.get(dimension) or nearly_even_shares(size, count)


@dataclass(eq=False, slots=True)
class PartitionedValue:
    """A value of the program and its local counterpart on a device.

    Attributes:
        type: The type of the value.
        placement: How devices divide it; what is no tensor is replicated.
        value: The shard of a device; None if nothing has been emitted yet.
        materialize: Emits the shard by any placement, where that is cheaper than resharding.
        number: The value of all its elements, if it is a splat.
        depth: How many operations ``materialize`` emits one after the other.
        is_unreduced: Whether the program asks for its terms: they are reduced only where it asks
            for that, or where an operation is not linear.
        reader: Emits the rows that each device needs, where these may be no shards.
    """

    type: Type
    placement: TensorPlacement
    value: Value[TensorType] | None = None
    materialize: Materializer | None = None
    number: Any = None
    is_unreduced: bool = False
    depth: int = 0
    reader: WindowReader | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a tensor; what is none has no dimensions."""
        return self.type.shape if isinstance(self.type, TensorType) else ()

    @property
    def is_windowed(self) -> bool:
        """Whether devices compute windows of it only, as they cannot share it evenly."""
        return self.reader is not None and self.value is None

    @property
    def settled(self) -> TensorPlacement:
        """The placement of the tensor itself; of windows, in what devices can share evenly."""
        if self.reader is None or not self.is_windowed:
            return self.placement.reduced
        pairs = zip(self.shape, self.reader.axes, strict=True)
        return TensorPlacement(tuple(() if n % shard_count(own) else own for n, own in pairs))

    @property
    def kept(self) -> TensorPlacement:
        """The placement, with the terms only if the program asks for them."""
        return self.placement if self.is_unreduced else self.placement.reduced


def heaviest_reader(operands: Sequence[PartitionedValue]) -> WindowReader | None:
    """The reader of the windowed value whose rows are the most expensive to move."""
    readers = (operand.reader for operand in operands if operand.is_windowed)
    return max(filter(None, readers), key=lambda reader: reader.weight, default=None)
