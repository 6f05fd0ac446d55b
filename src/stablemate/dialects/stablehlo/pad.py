"""stablehlo.pad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.dynamism import largest_shape, shape_fact
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import (
    PER_TENSOR_QUANTIZED,
    SI64_ARRAY,
    TENSOR,
    TypeConstraint,
)
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import FIRST, SELECTED_ELEMENT, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array

PADDING_VALUE: Final[TypeConstraint[TensorType]] = TypeConstraint(
    "0-dimensional tensor or per-tensor quantized tensor",
    lambda candidate: (TENSOR | PER_TENSOR_QUANTIZED).accepts(candidate) and candidate.rank == 0,
)


@op("stablehlo.pad", family=Family.MOVEMENT, work=SELECTED_ELEMENT, traits=Trait.FOLDABLE)
class Pad(Op):
    """Puts ``padding_value`` around and between the elements of ``operand``.

    result[result_index] = operand[operand_index] if
    result_index = edge_padding_low + operand_index * (interior_padding + 1), else padding_value

    Source: StableHLO specification, pad.
    """

    __slots__ = ()
    linearity = FIRST
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    padding_value = define.operand("I2", PADDING_VALUE)
    edge_padding_low = define.attribute("I3", SI64_ARRAY)
    edge_padding_high = define.attribute("I4", SI64_ARRAY)
    interior_padding = define.attribute("I5", SI64_ARRAY)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C4")
    assembly = (
        "$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` "
        "$edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """element_type(operand) = element_type(padding_value) = element_type(result)"""
        operand, padding = self.operand.type.element_type, self.padding_value.type.element_type
        return holds(operand == padding, operand=operand, padding_value=padding)

    @constraint
    def c2(self) -> Check:
        """size(edge_padding_low) = size(edge_padding_high) = size(interior_padding) =
        rank(operand)
        """
        sizes = [len(padding) for padding in self.paddings()]
        rank = self.operand.type.rank
        return holds(all(size == rank for size in sizes), sizes=sizes, rank=rank)

    @constraint
    def c3(self) -> Check:
        """0 <= interior_padding"""
        interior = self.interior_padding
        return holds(all(size >= 0 for size in interior), interior_padding=interior)

    @constraint
    def c4(self) -> Check:
        """shape(result) = shape(operand) + edge_padding_low +
        max(shape(operand) - 1, 0) * interior_padding + edge_padding_high
        """
        limits = largest_shape(self.operand.type)
        padded = padded_shape(limits, *self.paddings())
        fits = all(
            size == DYNAMIC or result >= 0 for size, result in zip(limits, padded, strict=True)
        )
        return holds(fits, shape=shape_fact(limits), result=padded)

    def moved_operands(self) -> Sequence[int]:
        """The operand, and the padding value between its elements."""
        return (0, 1)

    def terms_once(self) -> Sequence[int]:
        """The padding value, which the sum over devices contains once."""
        return (1,)

    def infer(self) -> TensorType:
        """C1, C4: sizes and bounds with padding."""
        operand = self.operand.type
        padded = padded_shape(largest_shape(operand), *self.paddings())
        sizes = zip(operand.shape, padded, strict=True)
        shape = [DYNAMIC if size == DYNAMIC else result for size, result in sizes]
        return bound_dimensions(operand.with_shape(shape), padded)

    def paddings(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Low, high and interior padding."""
        return self.edge_padding_low, self.edge_padding_high, self.interior_padding

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The operand's elements laid out on the padding value."""
        operand, padding_value = operands
        shape = padded_shape(operand.shape, *self.paddings())
        fits = all(size >= 0 for size in shape)
        require(self, fits, "C4", "0 <= shape(result)", operand=operand.shape, result=shape)
        return padder(operand.shape, *self.paddings())(operand, padding_value)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """With a static operand the places of its elements are computed once."""
        operand = self.operand.type
        return padder(operand.shape, *self.paddings()) if operand.is_static else self.evaluate


def padded_shape(
    shape: Sequence[int], low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> tuple[int, ...]:
    """The shape with padding; DYNAMIC where it is, and negative where too much is removed."""
    return tuple(
        DYNAMIC if size == DYNAMIC else size + before + max(size - 1, 0) * gap + after
        for size, before, after, gap in zip(shape, low, high, interior, strict=True)
    )


def padder(
    shape: Sequence[int], low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Callable[[Array, Array], Array]:
    """The function that pads arrays of a shape; the result's sizes are not negative."""
    result_shape = padded_shape(shape, low, high, interior)
    paddings = zip(shape, result_shape, low, interior, strict=True)
    ranges = [kept_range(*padding) for padding in paddings]
    source = tuple(slice(first, first + count) for first, count, _ in ranges)
    target = tuple(
        slice(start, start + count * (1 + gap), 1 + gap) if count else slice(0, 0)
        for (_, count, start), gap in zip(ranges, interior, strict=True)
    )
    if result_shape == tuple(count for _, count, _ in ranges):  # nothing is added
        return lambda operand, padding_value: operand[source]

    def pad(operand: Array, padding_value: Array) -> Array:
        result = np.empty(result_shape, operand.dtype)
        result[...] = padding_value
        result[target] = operand[source]
        return result

    return pad


def kept_range(size: int, result_size: int, low: int, interior: int) -> tuple[int, int, int]:
    """The elements of a dimension that remain: first, number, and place of the first."""
    step = interior + 1
    first = max(0, -(low // step))  # ceil(-low / step)
    end = min(size, -((low - result_size) // step))
    return first, max(0, end - first), low + first * step
