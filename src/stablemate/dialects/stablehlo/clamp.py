"""stablehlo.clamp."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.baseline import (
    expressed_type,
    lift_to_quantized,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.elementwise import Maximum, Minimum
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from stablemate.numerics.quantization import baseline
from stablemate.numerics.size_arithmetic import SizeFunction, clamp


@op(
    "stablehlo.clamp",
    family=Family.ELEMENTWISE,
    work=Work(flops=2),
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class Clamp(Op):
    """Elements of ``operand``, limited to the range from ``min`` to ``max``.

    result[i] = minimum(maximum(operand[i], low), high),
    low = min[] if rank(min) = 0, else min[i]; high = max[] if rank(max) = 0, else max[i]

    Source: StableHLO specification, clamp.
    """

    __slots__ = ()
    min = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    operand = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    max = define.operand("I3", TENSOR | PER_TENSOR_QUANTIZED)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C4", shape="C4")
    assembly = "$min `,` $operand `,` $max attr-dict `:` same-type"

    @constraint
    def c1(self) -> Check:
        """rank(min) = 0 or shape(min) = shape(operand)"""
        end, operand = self.min.type, self.operand.type
        fits = end.rank == 0 or same_shape(end.shape, operand.shape)
        return holds(fits, min=end.shape, operand=operand.shape)

    @constraint
    def c2(self) -> Check:
        """rank(max) = 0 or shape(max) = shape(operand)"""
        end, operand = self.max.type, self.operand.type
        fits = end.rank == 0 or same_shape(end.shape, operand.shape)
        return holds(fits, max=end.shape, operand=operand.shape)

    @constraint
    def c3(self) -> Check:
        """same(baseline_element_type(x) for x in [min, operand, max])"""
        elements = [value.type.element_type for value in (self.min, self.operand, self.max)]
        fits = len({baseline(element) for element in elements}) == 1
        return holds(fits, min=elements[0], operand=elements[1], max=elements[2])

    def infer(self) -> TensorType:
        """C4: the type of the operand, quantization parameters aside."""
        return with_declared_parameters(self, self.operand.type)

    def size_function(self) -> SizeFunction:
        """The limits of one size."""
        return clamp

    def function(self) -> Function:
        """The function of arrays that computes the operation."""
        elements = [value.type.element_type for value in self.operands]
        element = expressed_type(elements[0])
        maximum, minimum = (cls.functions.of(element) for cls in (Maximum, Minimum))
        assert maximum is not None
        assert minimum is not None

        def clamp_arrays(low: Array, operand: Array, high: Array) -> object:
            return minimum(maximum(operand, low), high)

        if element != elements[0]:
            return lift_to_quantized(clamp_arrays, elements, self.result.type.element_type)
        return clamp_arrays

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The function of arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The function of all elements at once."""
        return self.function()(*operands)
