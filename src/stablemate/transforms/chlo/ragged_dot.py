"""ragged_dot: one dot for each group, of masked operands or with masked rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, UnsupportedError
from stablemate.dialects.chlo.ragged_dot import RaggedDot, RaggedMode
from stablemate.dialects.stablehlo.attributes import (
    ComparisonDirection,
    DotDimensionNumbers,
    Precision,
)
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.elementwise import Add, And
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.select import Select
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I64

MAX_GROUPS: Final = 1 << 12  # each is several operations


def ragged_dot(operation: RaggedDot, builder: Builder) -> Value[TensorType]:
    """Rewrites ``chlo.ragged_dot`` as plain dots, by its mode."""
    dots = RaggedDots(operation, builder)
    if operation.mode is RaggedMode.BATCHING:
        return dots.dot(operation.lhs, operation.rhs, operation.result.type)
    if not all(value.type.is_static for value in (*operation.operands, operation.result)):
        message = f"chlo.ragged_dot with {operation.mode.value} groups needs static shapes"
        raise UnsupportedError(message, span=operation.span)
    return dots.by_rows() if operation.mode is RaggedMode.FREE else dots.by_terms()


class RaggedDots:
    """The decomposition of one ragged_dot.

    Attributes:
        operation: The ragged_dot.
        builder: Creates the operations.
    """

    def __init__(self, operation: RaggedDot, builder: Builder) -> None:
        self.operation = operation
        self.builder = builder

    def create(self, cls: type[Operation], **fields: object) -> Value[TensorType]:
        """The result of a new operation."""
        return self.builder.create(cls, **fields).results[0]

    def by_rows(self) -> Value[TensorType]:
        """Rows of lhs in groups: each group's rows of the dot with its own slice of rhs.

        From the last group to the first one, rows up to the group's end are replaced.
        """
        operation = self.operation
        result, prefix = operation.result.type, operation.prefix_dimensions
        (group_dimension,) = operation.numbers.rhs_group_dimensions
        position = self.create(Iota, iota_dimension=len(prefix), results=[result.with_element(I64)])
        rows = self.zeros(result)
        ends = self.ends()
        for group in reversed(range(len(ends))):
            rhs = self.section(operation.rhs, group_dimension, group)
            dot = self.dot(operation.lhs, rhs, result)
            end = self.spread(ends[group], range(len(prefix)), result)
            rows = self.create(Select, pred=self.less(position, end), on_true=dot, on_false=rows)
        return rows

    def by_terms(self) -> Value[TensorType]:
        """Terms in groups: a dot for each, of operands that are zero outside of it."""
        operation, numbers = self.operation, self.operation.numbers
        result = operation.result.type
        row_type = result.with_shape(result.shape[1:])
        row = result.with_shape((1, *row_type.shape))
        contracting = numbers.lhs_contracting_dimensions
        place = contracting.index(operation.ragged)
        rhs_prefix = numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions[:place]
        rhs_ragged = numbers.rhs_contracting_dimensions[place]
        lhs_prefix, lhs_ragged = operation.prefix_dimensions, operation.ragged
        dots: list[Value[TensorType]] = []
        start: Value[TensorType] | None = None
        for end in self.ends():
            lhs = self.mask_rows(operation.lhs, lhs_ragged, lhs_prefix, start, end)
            rhs = self.mask_rows(operation.rhs, rhs_ragged, rhs_prefix, start, end)
            dot = self.dot(lhs, rhs, row_type)
            dots.append(self.create(Reshape, operand=dot, results=[row]))
            start = end
        return self.create(Concatenate, inputs=dots, dimension=0, results=[result])

    def dot(
        self, lhs: Value[TensorType], rhs: Value[TensorType], result: TensorType
    ) -> Value[TensorType]:
        """The dot of all of lhs with a tensor like rhs, without the dimension of groups."""
        operation, numbers = self.operation, self.operation.numbers
        kept = remaining_dimensions(operation.rhs.type.rank, numbers.rhs_group_dimensions)
        position = {dimension: number for number, dimension in enumerate(kept)}
        config = operation.precision_config
        return self.create(
            DotGeneral,
            lhs=lhs,
            rhs=rhs,
            dot_dimension_numbers=DotDimensionNumbers(
                numbers.lhs_batching_dimensions,
                tuple(position[d] for d in numbers.rhs_batching_dimensions),
                numbers.lhs_contracting_dimensions,
                tuple(position[d] for d in numbers.rhs_contracting_dimensions),
            ),
            precision_config=config and [Precision(precision.value) for precision in config],
            results=[result],
        )

    def ends(self) -> list[Value[TensorType]]:
        """Where each group ends: sums of sizes, one for each element of the prefix."""
        group_sizes = self.operation.group_sizes
        wide = group_sizes.type.with_element(I64)
        counts = self.create(Convert, operand=group_sizes, results=[wide])
        last = wide.rank - 1
        if wide.shape[last] > MAX_GROUPS:
            message = f"a ragged dot has at most {MAX_GROUPS} groups"
            values = {"group_sizes": wide}
            raise LimitError(Diagnostic(message, self.operation.name, self.operation.span, values))
        ends: list[Value[TensorType]] = []
        for group in range(wide.shape[last]):
            size = self.section(counts, last, group)
            ends.append(self.create(Add, lhs=ends[-1], rhs=size) if ends else size)
        return ends

    def section(self, value: Value[TensorType], dimension: int, index: int) -> Value[TensorType]:
        """The part of a value at an index of a dimension, without that dimension."""
        shape = value.type.shape
        starts, limits = [0] * len(shape), list(shape)
        starts[dimension], limits[dimension] = index, index + 1
        part = self.create(
            Slice,
            operand=value,
            start_indices=starts,
            limit_indices=limits,
            strides=[1] * len(shape),
        )
        kept = value.type.with_shape(shape[:dimension] + shape[dimension + 1 :])
        return self.create(Reshape, operand=part, results=[kept])

    def mask_rows(
        self,
        value: Value[TensorType],
        dimension: int,
        prefix: Sequence[int],
        start: Value[TensorType] | None,
        end: Value[TensorType],
    ) -> Value[TensorType]:
        """A value with zeros outside of a group along a dimension."""
        position = self.create(
            Iota, iota_dimension=dimension, results=[value.type.with_element(I64)]
        )
        inside = self.less(position, self.spread(end, prefix, value.type))
        if start is not None:
            first = self.spread(start, prefix, value.type)
            from_start = self.create(
                Compare, lhs=position, rhs=first, comparison_direction=ComparisonDirection.GE
            )
            inside = self.create(And, lhs=inside, rhs=from_start)
        zeros = self.zeros(value.type)
        return self.create(Select, pred=inside, on_true=value, on_false=zeros)

    def less(self, lhs: Value[TensorType], rhs: Value[TensorType]) -> Value[TensorType]:
        """``lhs < rhs``."""
        direction = ComparisonDirection.LT
        return self.create(Compare, lhs=lhs, rhs=rhs, comparison_direction=direction)

    def spread(
        self, value: Value[TensorType], dimensions: Sequence[int], like: TensorType
    ) -> Value[TensorType]:
        """Integers that belong to some dimensions of a shape, in that shape."""
        return self.create(
            BroadcastInDim,
            operand=value,
            broadcast_dimensions=dimensions if value.type.rank else (),
            results=[like.with_element(I64)],
        )

    def zeros(self, tensor_type: TensorType) -> Value[TensorType]:
        """Creates a constant of zeros, stored as one element."""
        zero = np.zeros((1,), tensor_type.element_type.dtype)
        return self.create(Constant, value=dense_elements(tensor_type, zero))
