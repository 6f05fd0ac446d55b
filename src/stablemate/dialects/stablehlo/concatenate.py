"""stablehlo.concatenate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from stablemate.dialects.stablehlo.dynamism import largest_size, shape_fact
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64, TENSOR
from stablemate.ir.shapes import bound_dimensions, compatible, most_specific
from stablemate.ir.traits import SELECTED_ELEMENT, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.concatenate", family=Family.MOVEMENT, work=SELECTED_ELEMENT, traits=Trait.FOLDABLE)
class Concatenate(Op):
    """Concatenates ``inputs`` along ``dimension``.

    result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1], id = d0 + ... + dk-1 + kd

    Source: StableHLO specification, concatenate.
    """

    __slots__ = ()
    summary_attributes = ("dimension",)
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    dimension = define.attribute("I2", SI64)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C5", shape="C6")
    assembly = "$inputs `,` `dim` `=` $dimension attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """same(element_type(inputs...))"""
        types = [str(value.type.element_type) for value in self.inputs]
        return holds(len(set(types)) <= 1, element_types=types)

    @constraint
    def c3(self) -> Check:
        """0 < size(inputs)"""
        return holds(len(self.inputs) > 0, size=len(self.inputs))

    @constraint
    def c4(self) -> Check:
        """0 <= dimension < rank(inputs[0])"""
        rank = self.inputs[0].type.rank
        return holds(0 <= self.dimension < rank, dimension=self.dimension, rank=rank)

    @constraint
    def c2(self) -> Check:
        """same(shape(inputs...)) except for dim(inputs..., dimension)"""
        shapes = [value.type.shape for value in self.inputs]
        elsewhere = self.types_elsewhere()
        fits = len({len(shape) for shape in shapes}) == 1
        if fits:
            common = most_specific(elsewhere)
            fits = all(compatible(common, tensor) for tensor in elsewhere)
        return holds(fits, dimension=self.dimension, shapes=[shape_fact(shape) for shape in shapes])

    def types_elsewhere(self) -> list[TensorType]:
        """The types of the inputs with a dynamic size along the dimension, each once."""
        types = {id(operand.type): operand.type for operand in self.inputs}  # many may share one
        return [
            replace(tensor, shape=with_size(tensor.shape, self.dimension, DYNAMIC))
            for tensor in types.values()
        ]

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """All operands together: their elements are only moved."""
        return [range(len(self.inputs))]

    def infer(self) -> TensorType:
        """C5, C6: sizes add up along the dimension, and so do bounds."""
        types, d = [value.type for value in self.inputs], self.dimension
        if len(types) == 1:
            return types[0]
        others = most_specific(self.types_elsewhere())
        sizes = [tensor.shape[d] for tensor in types]
        limits = [largest_size(tensor, d) for tensor in types]
        total = DYNAMIC if DYNAMIC in sizes else sum(sizes)
        bound = DYNAMIC if DYNAMIC in limits else sum(limits)
        bounds = others.bounds or (DYNAMIC,) * others.rank
        result = others.with_shape(with_size(others.shape, d, total))
        return bound_dimensions(result, with_size(bounds, d, bound))

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """One copy of every input, side by side."""
        d, shapes = self.dimension, [operand.shape for operand in operands]
        fits = len({with_size(shape, d, DYNAMIC) for shape in shapes}) == 1
        message = "same(shape(inputs...)) except for dim(inputs..., dimension)"
        require(self, fits, "C2", message, dimension=d, shapes=shapes)
        return np.concatenate(operands, d)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """With static shapes C2 has been checked."""
        dimension = self.dimension
        if not all(value.type.is_static for value in self.inputs):
            return self.evaluate

        def concatenate(*inputs: Array) -> Array:
            return np.concatenate(inputs, dimension)

        return concatenate


def with_size(shape: Sequence[int], dimension: int, size: int) -> tuple[int, ...]:
    """The shape with another size in one dimension."""
    return (*shape[:dimension], size, *shape[dimension + 1 :])
