"""stablehlo.map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from stablemate.dialects.stablehlo.regions import (
    accumulator_elements,
    agree,
    function_type,
    on_arrays,
    require_one_shape,
    with_shape_check,
)
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, TENSOR
from stablemate.ir.shapes import most_specific
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.map", family=Family.REDUCTION, traits=Trait.SHARDED_ALIKE)
class Map(Op):
    """Applies ``computation`` to corresponding elements of ``inputs``.

    result[result_index] = computation(inputs...[result_index])

    Source: StableHLO specification, map.
    """

    __slots__ = ()
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    dimensions = define.attribute("I2", SI64_ARRAY)
    computation = define.region("I3")
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C4", shape="C1")

    @constraint
    def c2(self) -> Check:
        """0 < size(inputs) = N"""
        return holds(len(self.inputs) > 0, size=len(self.inputs))

    @constraint
    def c1(self) -> Check:
        """shape(inputs...) = shape(result)"""
        shapes = [value.type.shape for value in self.inputs]
        return holds(agree(shapes), shapes=shapes)

    @constraint
    def c3(self) -> Check:
        """Dimensions = range(rank(inputs[0]))"""
        rank = self.inputs[0].type.rank
        fits = self.dimensions == tuple(range(rank))
        return holds(fits, dimensions=self.dimensions, rank=rank)

    @constraint
    def c4(self) -> Check:
        """Computation has type (tensor<E0>, ..., tensor<EN-1>) -> tensor<E'>"""
        actual = function_type(self.computation)
        elements = [value.type.element_type for value in self.inputs]
        fits = (
            actual.inputs == tuple(TensorType((), element) for element in elements)
            and len(actual.results) == 1
            and isinstance(actual.results[0], TensorType)
            and not actual.results[0].shape
        )
        return holds(fits, computation=actual, element_types=[str(element) for element in elements])

    def region_executions(self) -> Sequence[int]:
        """Once for each element of the first operand."""
        return (self.inputs[0].type.size,)

    def infer(self) -> TensorType:
        """C1, C4: the shape of the inputs, the elements of the computation."""
        shape = most_specific([value.type for value in self.inputs])
        return shape.with_element(accumulator_elements(self.computation)[0])

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> Array:
        """The computation on all elements."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """Decides once how the computation is called."""
        computation = on_arrays(self.computation, regions[0])

        def apply(*inputs: Array) -> Array:
            return computation(*inputs)[0]

        return with_shape_check(self, apply, partial(require_one_shape, self, "C1"))
