"""stablehlo.uniform_quantize."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.stablehlo.baseline import expressed_type, number
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import (
    QUANTIZED,
    is_float,
    is_quantized_per_axis,
    is_quantized_per_tensor,
    tensor_of,
)
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import Family, Trait, Work
from stablemate.numerics.elements import Array, QuantizedType
from stablemate.numerics.quantization import quantize

FLOAT_OR_QUANTIZED: Final = tensor_of(
    "tensor of floating-point or quantized type",
    is_float,
    is_quantized_per_tensor,
    is_quantized_per_axis,
)


@op(
    "stablehlo.uniform_quantize",
    family=Family.ELEMENTWISE,
    work=Work(flops=3),
    traits=Trait.ELEMENTWISE,
)
class UniformQuantize(Op):
    """The quantized elements that represent floats, or other quantized elements.

    result = round_nearest_even(clamp(storage_min, operand / scale + zero_point, storage_max))

    Source: StableHLO specification, uniform_quantize.
    """

    __slots__ = ()
    operand = define.operand("I1", FLOAT_OR_QUANTIZED)
    result = define.result(QUANTIZED)
    assembly = "$operand attr-dict `:` same-type"

    @constraint
    def c1(self) -> Check:
        """shape(operand) = shape(result)"""
        operand, result = self.operand.type.shape, self.result.type.shape
        return holds(same_shape(operand, result), operand=operand, result=result)

    @constraint
    def c2(self) -> Check:
        """expressed_type(result) = element_type(operand) or, if quantized, its expressed_type"""
        operand, result = self.operand.type.element_type, self.result.type.element_type
        return holds(
            expressed_type(operand) == expressed_type(result), operand=operand, result=result
        )

    def known_shape(self) -> Sequence[int] | None:
        """C1: the shape of the operand."""
        return self.operand.type.shape

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The formula for all elements at once."""
        result = self.result.type.element_type
        assert isinstance(result, QuantizedType)
        return quantize(number(operands[0], self.operand.type.element_type), result)
