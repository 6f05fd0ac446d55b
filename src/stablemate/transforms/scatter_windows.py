"""Scatters in which a window of updates that leaves the operand changes nothing, as in XLA.

StableHLO drops the elements of a window that are outside, XLA the whole window. The indices of such
windows are therefore replaced by the sizes of the operand, where no element of a window is inside.

Source: XLA, operation semantics, Scatter; StableHLO specification, scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.elementwise import And
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import I32, UI32, IntegerType
from stablemate.transforms.decompositions.einsum import convert_elements
from stablemate.xla.translate.to_stablehlo.rules.scatters import window_sizes

WIDE: Final = 32  # bits of an index that holds every position next to an end


def discard_partial_windows(module: Module) -> Module:
    """The module with such scatters; itself if windows are single elements of what is indexed."""
    if not any(
        isinstance(operation, Scatter) and last_starts(operation) is not None
        for operation in module.operation.walk()
    ):
        return module
    return module.with_operation(WholeWindows({}).copy_operation(module.operation))


class WholeWindows(Rewriting):
    """Copies a module; scatters get the indices of windows that are inside."""

    def place(self, operation: Operation, block: Block) -> None:
        """Puts an operation at the end of a new block; before a scatter, its indices."""
        last = last_starts(operation) if isinstance(operation, Scatter) else None
        if last is None:
            super().place(operation, block)
            return
        copy: Any = self.copy_operation(operation)
        indices = inside_or_end(copy, last, Builder(block, operation.location, operation.span))
        position = len(copy.inputs)
        new = type(copy)(
            [*copy.operands[:position], indices, *copy.operands[position + 1 :]],
            [value.type for value in copy.results],
            copy.attributes,
            [self.copied_region(region) for region in operation.regions],
            discardable=copy.discardable,
            location=copy.location,
            span=copy.span,
        )
        block.append(new)
        self.values.update(zip(operation.results, new.results, strict=True))


def last_starts(operation: Scatter) -> list[int] | None:
    """The last index of each indexed dimension whose window is inside.

    Returns:
        None if every window is a single position of what is indexed, or sizes are unknown.
    """
    indices, numbers = operation.scatter_indices.type, operation.scatter_dimension_numbers
    operand, updates = operation.inputs[0].type, operation.updates[0].type
    if not all(value.is_static for value in (indices, operand, updates)):
        return None
    if not isinstance(indices.element_type, IntegerType):
        return None
    windows = window_sizes(operand, updates, numbers)
    dimensions: Sequence[int] = numbers.scatter_dims_to_operand_dims
    if windows is None or all(windows[d] <= 1 for d in dimensions):
        return None
    return [operand.shape[d] - windows[d] for d in dimensions]


def inside_or_end(scatter: Scatter, last: list[int], builder: Builder) -> Value[Type]:
    """The indices; those of windows that are not inside are the sizes of the operand."""
    indices: Value = scatter.scatter_indices
    numbers = scatter.scatter_dimension_numbers
    sizes = [scatter.inputs[0].type.shape[d] for d in numbers.scatter_dims_to_operand_dims]
    element = indices.type.element_type
    is_unsigned = element.is_unsigned
    if element.width < WIDE:
        indices = convert_elements(builder, indices, UI32 if is_unsigned else I32)
    declared: TensorType = indices.type

    def each(values: list[int]) -> Value:
        vector = numbers.index_vector_dim
        return spread(values, declared, [vector] if vector < declared.rank else [], builder)

    def compare(rhs: list[int], direction: ComparisonDirection) -> Value:
        return builder.create(
            Compare, lhs=indices, rhs=each(rhs), comparison_direction=direction
        ).results[0]

    inside = compare(last, ComparisonDirection.LE)
    if not is_unsigned:
        positive = compare([0] * len(last), ComparisonDirection.GE)
        inside = builder.create(And, lhs=positive, rhs=inside).results[0]
    return builder.create(Select, pred=inside, on_true=indices, on_false=each(sizes)).results[0]


def spread(values: list[int], like: TensorType, dimensions: list[int], builder: Builder) -> Value:
    """A tensor of a type: one value everywhere, or one for each position of a dimension."""
    numbers = np.array(values if dimensions else values[0], like.element_type.dtype)
    value = dense_elements(like.with_shape(numbers.shape), numbers)
    constant = builder.create(Constant, value=value, results=[value.type]).results[0]
    return builder.create(
        BroadcastInDim, operand=constant, broadcast_dimensions=dimensions, results=[like]
    ).results[0]
