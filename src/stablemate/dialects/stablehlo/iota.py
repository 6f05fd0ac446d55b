"""stablehlo.iota and dynamic_iota."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.dynamism import (
    STATIC_DIMENSION_TENSOR,
    integers,
    known_integers,
    shape_operand_fits,
)
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import (
    PER_TENSOR_QUANTIZED,
    SI64,
    TypeConstraint,
    is_complex,
    is_float,
    is_integer,
    tensor_of,
)
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I64, Array, ElementType, QuantizedType
from stablemate.numerics.quantization import quantize
from stablemate.numerics.rounding import converter

NUMBERS: Final = (
    tensor_of(
        "tensor of integer, floating-point, or complex type", is_integer, is_float, is_complex
    )
    | PER_TENSOR_QUANTIZED
)
STATIC_NUMBERS: Final[TypeConstraint[TensorType]] = TypeConstraint(
    f"statically shaped {NUMBERS.description}",
    lambda candidate: NUMBERS.accepts(candidate) and candidate.is_static,
)


@op("stablehlo.iota", family=Family.MOVEMENT, work=NO_WORK)
class Iota(Op):
    """Numbers that count from zero along ``iota_dimension``.

    output[i0, ..., iR-1] = i_iota_dimension, in the element type of the output

    Source: StableHLO specification, iota.
    """

    __slots__ = ()
    summary_attributes = ("iota_dimension",)
    iota_dimension = define.attribute("I1", SI64)
    output = define.result(STATIC_NUMBERS)
    assembly = "`dim` `=` $iota_dimension attr-dict `:` result-type"

    @constraint
    def c1(self) -> Check:
        """0 <= iota_dimension < rank(output)"""
        dimension, rank = self.iota_dimension, self.output.type.rank
        return holds(0 <= dimension < rank, iota_dimension=dimension, rank=rank)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """One row of numbers, broadcast: read-only, a view."""
        output = self.output.type
        return iota_array(output.shape, self.iota_dimension, output.element_type)


@op("stablehlo.dynamic_iota", family=Family.MOVEMENT, work=NO_WORK, traits=Trait.DYNAMIC)
class DynamicIota(Op):
    """``iota`` of the shape in ``output_shape``.

    Source: StableHLO specification, dynamic_iota.
    """

    __slots__ = ()
    output_shape = define.operand("I1", STATIC_DIMENSION_TENSOR).as_sizes()
    iota_dimension = define.attribute("I2", SI64)
    result = define.result(NUMBERS)
    assembly = "$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """0 <= iota_dimension < size(output_shape)"""
        dimension, size = self.iota_dimension, self.output_shape.type.shape[0]
        return holds(0 <= dimension < size, iota_dimension=dimension, size=size)

    @constraint
    def c2(self) -> Check:
        """rank(result) = size(output_shape), and output_shape = shape(result)"""
        result = self.result.type
        return shape_operand_fits("output_shape", self.output_shape, result, result.shape)

    def known_shape(self) -> Sequence[int] | None:
        """The sizes in ``output_shape``, if that is a constant."""
        return known_integers(self.output_shape)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """One row of numbers, broadcast: read-only, a view."""
        shape = integers(operands[0])
        require(self, min(shape) >= 0, "C2", "0 <= output_shape", output_shape=shape)
        require_shape(self, shape, "C2")
        return iota_array(shape, self.iota_dimension, self.result.type.element_type)


def iota_array(shape: Sequence[int], dimension: int, element: ElementType) -> Array:
    """Numbers that count along a dimension."""
    numbers = np.arange(shape[dimension])
    if isinstance(element, QuantizedType):
        row = quantize(converter(I64, element.expressed)(numbers), element)
    else:
        row = converter(I64, element)(numbers)
    return np.broadcast_to(row.reshape(-1, *[1] * (len(shape) - dimension - 1)), shape)
