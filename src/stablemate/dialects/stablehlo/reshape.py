"""stablehlo.reshape."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.dynamism import STATIC_OR_BOUNDED_TENSOR, shape_fact
from stablemate.dialects.stablehlo.quantized_axes import keeps_slices, same_but_dimension
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.reshape", family=Family.MOVEMENT, work=NO_WORK, traits=Trait.FOLDABLE)
class Reshape(Op):
    """Reshapes ``operand``, in row-major order.

    result[result_index] = operand[operand_index], where both indices have the same position
    in the lexicographic order of their index spaces

    Source: StableHLO specification, reshape.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    operand = define.operand("I1", ANY_TENSOR)
    result = define.result(STATIC_OR_BOUNDED_TENSOR)
    assembly = "$operand attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """element_type(result) = element_type(operand), but for quantization_dimension"""
        # Upstream compares less here when a shape is dynamic.
        operand, result = self.operand.type.element_type, self.result.type.element_type
        return holds(same_but_dimension(operand, result), operand=operand, result=result)

    @constraint
    def c2(self) -> Check:
        """size(operand) = size(result)"""
        return same_count(self.operand.type, self.result.type)

    @constraint
    def c3(self) -> Check:
        """is_per_axis_quantized(operand): dimensions before, at and behind
        quantization_dimension have the same sizes in operand and result
        """
        # Upstream compares only static shapes; here known sizes are checked too.
        operand, result = self.operand.type, self.result.type
        return holds(keeps_slices(operand, result), operand=operand, result=result)

    def known_shape(self) -> Sequence[int] | None:
        """The declared shape, with its one dynamic size computed from the number of elements."""
        operand, result = self.operand.type, self.result.type
        if not operand.is_static or result.shape.count(DYNAMIC) != 1:
            return None
        return complete(result.shape, operand.size)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The same elements; a view where the layout permits it."""
        (operand,) = operands
        shape = complete(self.result.type.shape, operand.size)
        require(
            self,
            math.prod(shape) == operand.size,
            "C2",
            "size(operand) = size(result)",
            operand=operand.shape,
            result=shape_fact(self.result.type.shape),
        )
        return operand.reshape(shape)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], Array]:
        """With static shapes C2 has been checked."""
        shape = self.result.type.shape
        if not (self.operand.type.is_static and self.result.type.is_static):
            return self.evaluate
        if shape == self.operand.type.shape:
            return lambda x: x
        return lambda x: x.reshape(shape)


def same_count(operand: TensorType, result: TensorType) -> Check:
    """Whether two types have equally many elements, as far as that is known."""
    if not (operand.is_static and result.is_static):
        return None
    return holds(operand.size == result.size, operand=operand.size, result=result.size)


def complete(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """The shape with its one dynamic size, if any, such that it has ``size`` elements."""
    count = math.prod(extent for extent in shape if extent != DYNAMIC)
    return tuple(size // max(count, 1) if extent == DYNAMIC else extent for extent in shape)
