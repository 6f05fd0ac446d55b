"""stablehlo.get_dimension_size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, SI64, tensor_of
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import I32, Array

SIZE: Final = tensor_of("0-dimensional tensor of type si32", lambda element: element == I32, rank=0)


@op("stablehlo.get_dimension_size", family=Family.MOVEMENT, traits=Trait.FREE | Trait.DYNAMIC)
class GetDimensionSize(Op):
    """The size of one dimension.

    result = dim(operand, dimension)

    Source: StableHLO specification, get_dimension_size.
    """

    __slots__ = ()
    summary_attributes = ("dimension",)
    operand = define.operand("I1", ANY_TENSOR)
    dimension = define.attribute("I2", SI64)
    result = define.result(SIZE)
    assembly = "$operand `,` `dim` `=` $dimension attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """0 <= dimension < rank(operand)"""
        dimension, rank = self.dimension, self.operand.type.rank
        return holds(0 <= dimension < rank, dimension=dimension, rank=rank)

    def infer(self) -> TensorType:
        """The one type that the result may have."""
        return TensorType((), I32)

    def evaluate(self, *operands: Array, **_: object) -> np.int32:
        """The size of the array that arrives."""
        (operand,) = operands
        return self.size_value(operand.shape[self.dimension])

    def size_value(self, size: int) -> np.int32:
        """A size as a value of the result.

        Raises:
            EvaluationError: It has more bits.
        """
        require(self, size < 1 << 31, "", "a size is a value of i32", size=size)
        return np.int32(size)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], np.int32]:
        """A static size is known."""
        size = self.operand.type.shape[self.dimension]
        if size == DYNAMIC or size >= 1 << 31:
            return self.evaluate
        result = np.int32(size)
        return lambda x: result
