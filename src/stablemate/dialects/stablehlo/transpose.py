"""stablehlo.transpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.quantized_axes import dimension_of, is_per_axis, transpose_type
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, SI64_ARRAY
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.transpose", family=Family.MOVEMENT, work=NO_WORK, traits=Trait.FOLDABLE)
class Transpose(Op):
    """Reorders the dimensions of ``operand``.

    result[result_index] = operand[operand_index], where
    result_index[d] = operand_index[permutation[d]]

    Source: StableHLO specification, transpose.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    summary_attributes = ("permutation",)
    operand = define.operand("I1", ANY_TENSOR)
    permutation = define.attribute("I2", SI64_ARRAY)
    result = define.result(ANY_TENSOR, element_type="C1", shape="C3")
    assembly = "$operand `,` `dims` `=` $permutation attr-dict `:` functional-type"

    @constraint
    def c2(self) -> Check:
        """permutation is a permutation of range(rank(operand))"""
        permutation, rank = self.permutation, self.operand.type.rank
        fits = sorted(permutation) == list(range(rank))
        return holds(fits, permutation=permutation, rank=rank)

    @constraint
    def c4(self) -> Check:
        """is_per_axis_quantized(result): quantization_dimension(operand) =
        permutation(quantization_dimension(result))
        """
        operand, result = self.operand.type.element_type, self.result.type.element_type
        if not (is_per_axis(operand) and is_per_axis(result)):
            return None
        source, target = dimension_of(operand), dimension_of(result)
        fits = source in self.permutation and self.permutation.index(source) == target
        return holds(fits, operand=source, permutation=self.permutation, result=target)

    def infer(self) -> TensorType:
        """C1, C3, C4: sizes, bounds, the quantization dimension and blocks move along."""
        operand, permutation = self.operand.type, self.permutation
        element = transpose_type(operand.element_type, permutation)
        result = TensorType(tuple(operand.shape[d] for d in permutation), element)
        return (
            bound_dimensions(result, [operand.bounds[d] for d in permutation])
            if operand.bounds
            else result
        )

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view with the dimensions in another order."""
        (operand,) = operands
        return operand.transpose(self.permutation)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], Array]:
        """Nothing to do where the order stays."""
        permutation = self.permutation
        if permutation == tuple(range(len(permutation))):
            return lambda x: x
        return lambda x: x.transpose(permutation)
