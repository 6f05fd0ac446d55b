"""stablehlo.set_dimension_size."""

from __future__ import annotations

import numpy as np

from stablemate.dialects.stablehlo.dynamism import known_integers, largest_shape
from stablemate.dialects.stablehlo.get_dimension_size import SIZE
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64, TENSOR
from stablemate.ir.shapes import bound_dimensions
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.set_dimension_size", family=Family.MOVEMENT, traits=Trait.FREE | Trait.DYNAMIC)
class SetDimensionSize(Op):
    """Sets the size of one dimension to ``size``, with its former size as the bound.

    result[result_index] = operand[result_index]

    Source: XLA operation semantics, SetDimensionSize; the StableHLO specification does not list
    the operation, so the numbers are our own.
    """

    __slots__ = ()
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    size = define.operand("I2", SIZE)
    dimension = define.attribute("I3", SI64)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C2", shape="C3")
    assembly = "$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """0 <= dimension < rank(operand)"""
        dimension, rank = self.dimension, self.operand.type.rank
        return holds(0 <= dimension < rank, dimension=dimension, rank=rank)

    def infer(self) -> TensorType:
        """C2, C3: the dimension is dynamic within its bound, static if set to just that."""
        operand, dimension = self.operand.type, self.dimension
        bounds = list(largest_shape(operand))
        shape = list(operand.shape)
        is_bound = known_integers(self.size) == (bounds[dimension],)
        shape[dimension] = bounds[dimension] if is_bound else DYNAMIC
        return bound_dimensions(operand.with_shape(shape), bounds)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view of the first elements.

        The size may grow again up to the bound; elements that were cut off are then zero. A program
        that does not read beyond the size cannot observe this.
        """
        operand, size_array = operands
        size, dimension = int(size_array), self.dimension
        bound = largest_shape(self.operand.type)[dimension]
        message = "0 <= size <= the bound of the dimension"
        fits = size >= 0 and (size <= bound or bound == DYNAMIC)
        require(self, fits, "C3", message, size=size, bound=bound)
        present = min(size, operand.shape[dimension])
        present_part = operand[(slice(None),) * dimension + (slice(0, present),)]
        shape = (*present_part.shape[:dimension], size, *present_part.shape[dimension + 1 :])
        require_shape(self, shape, "C3")
        if present_part.shape == shape:
            return present_part
        missing = (*shape[:dimension], size - present, *shape[dimension + 1 :])
        return np.concatenate((present_part, np.zeros(missing, operand.dtype)), dimension)
