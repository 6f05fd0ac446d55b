"""stablehlo.sort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from stablemate.dialects.stablehlo.baseline import number
from stablemate.dialects.stablehlo.reducers import order
from stablemate.dialects.stablehlo.regions import (
    agree,
    function_type,
    require_one_shape,
    same_types,
    with_shape_check,
)
from stablemate.dialects.stablehlo.stable_argsort import (
    argsort_by_comparator,
    argsort_by_keys,
    take_along_last,
)
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.kinds import BOOLEAN_KIND, PER_TENSOR_QUANTIZED, SI64, TENSOR
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import BOOLEAN_SCALAR, TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.sort", family=Family.REDUCTION, traits=Trait.IMPLICIT_TERMINATOR)
class Sort(Op):
    """Sorts slices of ``inputs`` along ``dimension`` together, by ``comparator``.

    results...[..., :, ...] = sort(inputs...[..., :, ...], comparator), always stable

    Source: StableHLO specification, sort.
    """

    __slots__ = ()
    summary_attributes = ("dimension",)
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    dimension = define.default_attribute("I2", SI64, -1)
    is_stable = define.default_attribute("I3", BOOLEAN_KIND, False)
    comparator = define.region("I4")
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C2", shape="C2"
    ).with_name("results")

    @constraint
    def c1(self) -> Check:
        """0 < size(inputs)"""
        return holds(len(self.inputs) > 0, size=len(self.inputs))

    @constraint
    def c3(self) -> Check:
        """same(shape(inputs...) + shape(results...))"""
        shapes = [value.type.shape for value in (*self.inputs, *self.results)]
        fits = agree(shapes)
        return holds(fits, shapes=shapes)

    @constraint
    def c4(self) -> Check:
        """-R <= dimension < R, where R = rank(inputs[0])"""
        rank = self.inputs[0].type.rank
        return holds(-rank <= self.dimension < rank, dimension=self.dimension, rank=rank)

    @constraint
    def c5(self) -> Check:
        """Comparator has type (tensor<E1>, tensor<E1>, ...) -> tensor<i1>"""
        actual = function_type(self.comparator)
        elements = [value.type.element_type for value in self.inputs]
        expected = tuple(TensorType((), element) for element in elements for _ in range(2))
        fits = actual.inputs == expected and same_types(actual.results, [BOOLEAN_SCALAR])
        return holds(fits, comparator=actual, element_types=[str(element) for element in elements])

    def region_executions(self) -> Sequence[int]:
        """The length times its logarithm, rounded up, for each line that is sorted."""
        value_type = self.inputs[0].type
        length = value_type.shape[self.dimension] if value_type.rank else 1
        return (value_type.size * max(length - 1, 0).bit_length(),)

    def infer(self) -> Sequence[TensorType]:
        """C2, C3: the types of the inputs."""
        return [value.type for value in self.inputs]

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> object:
        """Sorts every slice along the dimension."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Selects once whether NumPy sorts by keys or the comparator is called."""
        comparator, dimension = self.comparator, self.dimension
        elements = [value.type.element_type for value in self.inputs]
        keys = order(comparator)

        def sort(*inputs: Array) -> object:
            columns = [np.moveaxis(x, dimension, -1) for x in inputs]
            if keys:
                numbers = [number(x, element) for x, element in zip(columns, elements, strict=True)]
                places = argsort_by_keys(keys, numbers)
            else:
                places = argsort_by_comparator(comparator, regions[0], columns)
            moved = [take_along_last(x, places) for x in columns]
            return pack_results([np.moveaxis(x, -1, dimension) for x in moved])

        return with_shape_check(self, sort, partial(require_one_shape, self, "C3"))
