"""stablehlo.dynamic_reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stablemate.dialects.stablehlo.dynamism import (
    STATIC_DIMENSION_TENSOR,
    integers,
    known_integers,
    shape_fact,
    shape_operand_fits,
)
from stablemate.dialects.stablehlo.quantized_axes import keeps_slices, same_but_dimension
from stablemate.dialects.stablehlo.reshape import same_count
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.numerics.elements import Array


@op(
    "stablehlo.dynamic_reshape",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.DYNAMIC,
)
class DynamicReshape(Op):
    """``reshape`` to the shape in ``output_shape``.

    shape(result) = output_shape

    Source: StableHLO specification, dynamic_reshape.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    opcodes = ("dynamic-reshape", "reshape")
    operand = define.operand("I1", ANY_TENSOR)
    output_shape = define.operand("I2", STATIC_DIMENSION_TENSOR).as_sizes()
    result = define.result(ANY_TENSOR)
    assembly = "$operand `,` $output_shape attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """element_type(result) = element_type(operand), but for quantization_dimension"""
        # Upstream compares less here when both element types are quantized.
        operand, result = self.operand.type.element_type, self.result.type.element_type
        return holds(same_but_dimension(operand, result), operand=operand, result=result)

    @constraint
    def c4(self) -> Check:
        """size(output_shape) = rank(result), and output_shape = shape(result)"""
        result = self.result.type
        return shape_operand_fits(
            "output_shape", self.output_shape, result, shape_fact(result.shape)
        )

    @constraint
    def c2(self) -> Check:
        """size(operand) = size(result)"""
        operand, result = self.operand.type, self.result.type
        constant_shape = known_integers(self.output_shape)
        return same_count(
            operand, result if constant_shape is None else result.with_shape(constant_shape)
        )

    @constraint
    def c3(self) -> Check:
        """is_per_axis_quantized(operand): dimensions before, at and behind
        quantization_dimension have the same sizes in operand and result
        """
        # Upstream compares only static shapes; here known sizes are checked too.
        operand, result = self.operand.type, self.result.type
        return holds(keeps_slices(operand, result), operand=operand, result=result)

    def known_shape(self) -> Sequence[int] | None:
        """The sizes in ``output_shape``, if that is a constant."""
        return known_integers(self.output_shape)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """``reshape`` to the shape that the second operand holds."""
        operand, output_shape = operands
        shape = integers(output_shape)
        require(self, min(shape, default=0) >= 0, "C4", "0 <= output_shape", output_shape=shape)
        require_shape(self, shape, "C4")
        require(
            self,
            math.prod(shape) == operand.size,
            "C2",
            "size(operand) = size(result)",
            operand=operand.shape,
            result=shape,
        )
        return operand.reshape(shape)
