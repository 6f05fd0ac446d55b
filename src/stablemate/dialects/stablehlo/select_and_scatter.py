"""stablehlo.select_and_scatter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from stablemate.dialects.stablehlo.reduce import SCALAR
from stablemate.dialects.stablehlo.reduce_window import has_complete_padding, positive
from stablemate.dialects.stablehlo.regions import (
    accumulator_elements,
    function_type,
    on_arrays,
    reduces,
    same_types,
    to_destination_type,
)
from stablemate.dialects.stablehlo.runtime import require
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, SI64_MATRIX, TENSOR
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import BOOLEAN_SCALAR, FunctionType, TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.select_and_scatter",
    family=Family.REDUCTION,
    traits=Trait.IMPLICIT_TERMINATOR | Trait.PROMOTING,
)
class SelectAndScatter(Op):
    """Scatters ``source`` to the elements that ``select`` selects from windows on ``operand``.

    result[k] = the in-order fold with ``scatter`` of init_value and source[i], for all i whose
    window on operand selects k: the one that remains when from two elements a, b of the window, in
    row-major order, a is kept if select(a, b), else b. Padding is never selected, and a window
    without elements selects nothing, which the specification leaves open.

    Source: StableHLO specification, select_and_scatter.
    """

    __slots__ = ()
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    source = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    init_value = define.operand("I3", SCALAR)
    window_dimensions = define.default_attribute("I4", SI64_ARRAY, ())
    window_strides = define.optional_attribute("I5", SI64_ARRAY)
    padding = define.optional_attribute("I6", SI64_MATRIX)
    select = define.region("I7")
    scatter = define.region("I8")
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C12", shape="C11")

    # An absent attribute has its default, and so does an empty one.

    @constraint
    def c1(self) -> Check:
        """element_type(operand) = element_type(source)"""
        operand, source = self.operand.type.element_type, self.source.type.element_type
        return holds(operand == source, operand=operand, source=source)

    @constraint
    def c3(self) -> Check:
        """element_type(init_value) = element_type(operand)"""
        init_value, operand = self.init_value.type.element_type, self.operand.type.element_type
        return holds(init_value == operand, init_value=init_value, operand=operand)

    @constraint
    def c4(self) -> Check:
        """size(window_dimensions) = rank(operand)"""
        size, rank = len(self.window_dimensions), self.operand.type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c5(self) -> Check:
        """0 < window_dimensions"""
        return positive(window_dimensions=self.window_dimensions)

    @constraint
    def c6(self) -> Check:
        """size(window_strides) = rank(operand)"""
        size, rank = len(self.window_strides or ()), self.operand.type.rank
        return holds(size in (0, rank), size=size, rank=rank)

    @constraint
    def c7(self) -> Check:
        """0 < window_strides"""
        return positive(window_strides=self.window_strides or ())

    @constraint
    def c8(self) -> Check:
        """shape(padding) = [rank(operand), 2]"""
        return has_complete_padding(self.padding or (), self.operand.type.rank)

    @constraint
    def c2(self) -> Check:
        """shape(source) = num_windows"""
        shape, counts = self.source.type.shape, self.windows.counts(self.operand.type.shape)
        return holds(same_shape(shape, counts), source=shape, num_windows=counts)

    @constraint
    def c9(self) -> Check:
        """select: (tensor<E>, tensor<E>) -> tensor<i1>, E = element_type(operand)"""
        scalar = TensorType((), self.operand.type.element_type)
        expected = FunctionType((scalar, scalar), (BOOLEAN_SCALAR,))
        actual = function_type(self.select)
        fits = same_types(actual.inputs, expected.inputs)
        fits = fits and same_types(actual.results, expected.results)
        return holds(fits, select=actual, expected=expected)

    @constraint
    def c10(self) -> Check:
        """scatter: (tensor<E>, tensor<E>) -> tensor<E>, is_promotable(element_type(operand), E)"""
        return reduces(self.scatter, [self.operand.type.element_type], name="scatter")

    @property
    def windows(self) -> WindowDimensions:
        """The windows, absent attributes filled in."""
        padding = [(low, high) for low, high in self.padding or ()]
        return WindowDimensions.of_attributes(self.window_dimensions, self.window_strides, padding)

    def region_executions(self) -> Sequence[int]:
        """The selection for each element of each window, the scatter for each window."""
        windows = self.source.type.size
        return (windows * math.prod(self.window_dimensions), windows)

    def infer(self) -> TensorType:
        """C11, C12: the shape of the operand, the elements of ``scatter``."""
        return self.operand.type.with_element(accumulator_elements(self.scatter)[0])

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> Array:
        """The folds of what was selected."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """Calls both regions for one position in all windows at a time."""
        windows = self.windows
        source_type, (element,) = self.operand.type.element_type, accumulator_elements(self.scatter)
        select, scatter = on_arrays(self.select, regions[0]), on_arrays(self.scatter, regions[1])

        def select_and_scatter(operand: Array, source: Array, init_value: Array) -> Array:
            counts = windows.counts(np.shape(operand))
            fits = np.shape(source) == counts
            require(self, fits, "C2", "shape(source) = num_windows", num_windows=counts)
            meetings = list(windows.meetings(np.shape(operand), counts))
            operand = np.asarray(operand)
            best = np.zeros(
                counts, operand.dtype
            )  # the element that each window has selected so far
            selected = np.full(counts, -1)  # and its position in the window
            for number, (elements, seen) in enumerate(meetings):
                old, new, position = best[seen], operand[elements], selected[seen]
                is_kept = select(old, new)[0] & (position >= 0)
                best[seen] = np.where(is_kept, old, new)
                selected[seen] = np.where(is_kept, position, number)
            values = to_destination_type(np.asarray(source), source_type, element)
            init = to_destination_type(init_value, source_type, element)
            result = np.full(operand.shape, init, element.dtype)
            # An element is at later positions of earlier windows.
            for number, (elements, seen) in reversed(list(enumerate(meetings))):
                old = result[elements]
                (new,) = scatter(old, values[seen])
                result[elements] = np.where(selected[seen] == number, new, old)
            return result

        return select_and_scatter
