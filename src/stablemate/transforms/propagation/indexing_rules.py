"""Sharding rules of gather and scatter.

Source: Shardy, its registry of sharding rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.attributes import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.reducers import combiners
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.ir.shapes import remaining_dimensions
from stablemate.transforms.propagation.rule_builder import (
    Dimension,
    FactorKind,
    RuleBuilder,
    Shape,
    builder_of,
    shape_of,
)

NEED_REPLICATION: Final = FactorKind.NEED_REPLICATION
PASS_THROUGH: Final = FactorKind.PASS_THROUGH
REDUCTION: Final = FactorKind.REDUCTION


@dataclass(frozen=True, slots=True)
class IndexingRule:
    """The dimension numbers that gather and scatter share.

    Attributes:
        input_shape: The shape of the tensor that is read or updated.
        indices_shape: The shape of the indices.
        slices_shape: The shape of the result of a gather, or of the updates of a scatter.
        index_vector_dimension: The dimension of the indices in which an index lies.
        window: The dimensions of the slices that are dimensions of the input.
        collapsed: The dimensions of the input that slices do not have.
        input_batch: Batch dimensions of the input.
        indices_batch: The same of the indices.
        scatter_kind: The kind of batch dimensions of a scatter; None for a gather.
        inputs: How many tensors are read or updated.
        builder: Takes the factors.
    """

    input_shape: Shape
    indices_shape: Shape
    slices_shape: Shape
    index_vector_dimension: int
    window: Sequence[int]
    collapsed: Sequence[int]
    input_batch: Sequence[int]
    indices_batch: Sequence[int]
    scatter_kind: FactorKind | None
    inputs: int
    builder: RuleBuilder

    def add_factors(self) -> None:
        """Adds a factor for each dimension of the slices, collapsed dimension and index vector."""
        gone = (*self.collapsed, *self.input_batch)
        windowed = iter(remaining_dimensions(len(self.input_shape), gone))
        window = frozenset(self.window)
        batching = dict(zip(self.indices_batch, self.input_batch, strict=True))
        rows = iter(d for d in range(len(self.indices_shape)) if d != self.index_vector_dimension)
        for d, size in enumerate(self.slices_shape):
            if d in window:
                self.add_window(next(windowed), d, size)
            else:
                row = next(rows)
                self.add_batch(batching.get(row), row, d, size)
        for d in self.collapsed:
            self.add(self.input_shape[d], d, None, None, self.collapsed_kind(d))
        if self.index_vector_dimension < len(self.indices_shape):
            size = self.indices_shape[self.index_vector_dimension]
            self.add(size, None, self.index_vector_dimension, None, NEED_REPLICATION)

    def add(
        self, size: int, own: Dimension, row: Dimension, slices: Dimension, kind: FactorKind, *,
        is_blocked: bool = False,
    ) -> None:  # fmt: skip
        """Adds a factor, given the dimensions of the input, the indices and the slices."""
        if self.scatter_kind is None:
            operands, results = [own, row], [slices]
        else:
            operands = [*[own] * self.inputs, row, *[slices] * self.inputs]
            results = [own] * self.inputs
        self.builder.factor(size, operands, results, kind, is_blocked=is_blocked)

    def add_window(self, dimension: int, slices_dimension: int, slice_size: int) -> None:
        """Adds the factors of a dimension that the input and slices have."""
        size = self.input_shape[dimension]
        if size == slice_size:
            self.add(size, dimension, None, slices_dimension, PASS_THROUGH)
        elif self.scatter_kind is None and slice_size > 1:
            kind = NEED_REPLICATION
            self.add(size, dimension, None, slices_dimension, kind, is_blocked=True)
        else:
            kind = REDUCTION if self.scatter_kind is None else NEED_REPLICATION
            self.add(size, dimension, None, None, kind)
            self.add(slice_size, None, None, slices_dimension, NEED_REPLICATION)

    def add_batch(self, own: Dimension, row: int, slices_dimension: int, size: int) -> None:
        """Adds the factor of a dimension that the indices and slices have, and maybe the input."""
        kind = PASS_THROUGH if own is not None else self.scatter_kind or PASS_THROUGH
        self.add(size, own, row, slices_dimension, kind)

    def collapsed_kind(self, dimension: int) -> FactorKind:
        """The kind of a dimension that slices do not have."""
        if self.scatter_kind is not None:
            return PASS_THROUGH
        return NEED_REPLICATION if self.input_shape[dimension] == 1 else REDUCTION


def gather(operation: DynamicGather | Gather) -> OpShardingRule:
    """Batch and window dimensions; what is collapsed is reduced over."""
    numbers: GatherDimensionNumbers = operation.dimension_numbers
    builder = builder_of(operation)

    IndexingRule(
        input_shape=shape_of(operation.operand),
        indices_shape=shape_of(operation.start_indices),
        slices_shape=shape_of(operation.result),
        index_vector_dimension=numbers.index_vector_dim,
        window=numbers.offset_dims,
        collapsed=numbers.collapsed_slice_dims,
        input_batch=numbers.operand_batching_dims,
        indices_batch=numbers.start_indices_batching_dims,
        scatter_kind=None,
        inputs=1,
        builder=builder,
    ).add_factors()
    return builder.rule()


def scatter(operation: Scatter) -> OpShardingRule:
    """Dimensions of the inputs; indices are reduced over, if the computation is a monoid."""
    numbers: ScatterDimensionNumbers = operation.scatter_dimension_numbers
    builder, count = builder_of(operation), len(operation.inputs)

    names = combiners(operation.regions[0])
    is_monoid = bool(names) and all(name not in (None, "x", "y") for name in names)
    IndexingRule(
        input_shape=shape_of(operation.inputs[0]),
        indices_shape=shape_of(operation.scatter_indices),
        slices_shape=shape_of(operation.updates[0]),
        index_vector_dimension=numbers.index_vector_dim,
        window=numbers.update_window_dims,
        collapsed=numbers.inserted_window_dims,
        input_batch=numbers.input_batching_dims,
        indices_batch=numbers.scatter_indices_batching_dims,
        scatter_kind=REDUCTION if is_monoid else NEED_REPLICATION,
        inputs=count,
        builder=builder,
    ).add_factors()
    return builder.rule()
