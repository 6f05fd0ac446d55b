"""stablehlo.dynamic_pad."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.dynamism import (
    STATIC_DIMENSION_TENSOR,
    can_have_shape,
    integers,
    known_integers,
    shape_fact,
)
from stablemate.dialects.stablehlo.pad import PADDING_VALUE, padded_shape, padder
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.numerics.elements import Array


@op(
    "stablehlo.dynamic_pad",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.DYNAMIC,
)
class DynamicPad(Op):
    """``pad`` with paddings that are operands.

    result[result_index] = operand[operand_index] if
    result_index = edge_padding_low + operand_index * (interior_padding + 1), else padding_value

    Source: StableHLO specification, dynamic_pad.
    """

    __slots__ = ()
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    padding_value = define.operand("I2", PADDING_VALUE)
    edge_padding_low = define.operand("I3", STATIC_DIMENSION_TENSOR).as_sizes()
    edge_padding_high = define.operand("I4", STATIC_DIMENSION_TENSOR).as_sizes()
    interior_padding = define.operand("I5", STATIC_DIMENSION_TENSOR).as_sizes()
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED)
    assembly = (
        "$operand `,` $padding_value `,` $edge_padding_low `,` $edge_padding_high `,` "
        "$interior_padding attr-dict `:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """element_type(operand) = element_type(padding_value) = element_type(result)"""
        operand, padding = self.operand.type.element_type, self.padding_value.type.element_type
        result = self.result.type.element_type
        fits = operand == padding == result
        return holds(fits, operand=operand, padding_value=padding, result=result)

    @constraint
    def c2(self) -> Check:
        """size(edge_padding_low) = size(edge_padding_high) = size(interior_padding) =
        rank(operand), and the three have the same type
        """
        paddings = (self.edge_padding_low, self.edge_padding_high, self.interior_padding)
        types = [str(value.type) for value in paddings]
        size, rank = self.interior_padding.type.shape[0], self.operand.type.rank
        return holds(len(set(types)) == 1 and size == rank, types=types, rank=rank)

    @constraint
    def c3(self) -> Check:
        """0 <= interior_padding"""
        interior = known_integers(self.interior_padding) or ()
        return holds(all(size >= 0 for size in interior), interior_padding=interior)

    @constraint
    def c4(self) -> Check:
        """shape(result) = shape(operand) + edge_padding_low +
        max(shape(operand) - 1, 0) * interior_padding + edge_padding_high
        """
        operand, result = self.operand.type, self.result.type
        if operand.rank != result.rank:
            return holds(False, operand=shape_fact(operand.shape), result=shape_fact(result.shape))
        low = known_integers(self.edge_padding_low)
        high = known_integers(self.edge_padding_high)
        interior = known_integers(self.interior_padding)
        if None in (low, high, interior) or not (operand.is_static and result.is_static):
            return None
        shape = padded_shape(operand.shape, low or (), high or (), interior or ())
        return holds(can_have_shape(result, shape), shape=shape, result=result.shape)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the operand with its padding, if that is constant."""
        low = known_integers(self.edge_padding_low)
        high = known_integers(self.edge_padding_high)
        interior = known_integers(self.interior_padding)
        if low is None or high is None or interior is None:
            return None
        return padded_shape(self.operand.type.shape, low, high, interior)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The operand's elements laid out on the padding value."""
        operand, padding_value, *rest = operands
        low, high, interior = map(integers, rest)
        fits = all(size >= 0 for size in interior)
        require(self, fits, "C3", "0 <= interior_padding", interior_padding=interior)
        shape = padded_shape(operand.shape, low, high, interior)
        fits = all(size >= 0 for size in shape)
        require(self, fits, "C4", "0 <= shape(result)", operand=operand.shape, result=shape)
        require_shape(self, shape, "C4")
        return padder(operand.shape, low, high, interior)(operand, padding_value)
