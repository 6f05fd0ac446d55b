"""Scatters: a window of updates that leaves the operand changes nothing of it.

StableHLO drops the elements that are outside, XLA the whole window. Indices of such windows are
therefore moved to the end of the dimension, where no element of them is inside.

Source: XLA, operation semantics, Scatter; StableHLO specification, scatter.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ScatterDimensionNumbers
from stablemate.ir.core import Value
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32, UI32, IntegerType
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values

Array = Value[TensorType]

WIDE: Final = 32  # bits of an index that holds every position next to an end


def scatter(step: TranslationStep) -> Values:
    """Translates to ``scatter`` of inputs, indices and as many updates as inputs."""
    operands = step.arrays()
    count = len(operands) // 2
    if len(operands) != 2 * count + 1 or not count:
        step.refuse("there are as many updates as inputs, and indices", operands=len(operands))
    names = [field.name for field in dataclasses.fields(ScatterDimensionNumbers)]
    step.need("index_vector_dim")
    numbers_by_name: Fields = {name: step.get(name, ()) for name in names}
    numbers = ScatterDimensionNumbers(**numbers_by_name)
    fields: Fields = {
        "inputs": operands[:count],
        "scatter_indices": discard_partial_windows(step, operands[count], numbers),
        "updates": operands[count + 1 :],
        "scatter_dimension_numbers": numbers,
        "indices_are_sorted": step.get("indices_are_sorted", False),
        "unique_indices": step.get("unique_indices", False),
        "regions": [step.region("to_apply")],
    }
    return step.emit("stablehlo.scatter", **fields).results


def discard_partial_windows(
    step: TranslationStep, indices: Array, numbers: ScatterDimensionNumbers
) -> Array:
    """The indices, those of windows that are not inside beyond the end."""
    operands = step.arrays()
    sizes = operands[0].type.shape
    windows = window_sizes(operands[0].type, operands[-1].type, numbers)
    dimensions = numbers.scatter_dims_to_operand_dims
    vector, shape = numbers.index_vector_dim, indices.type.shape
    if windows is None or all(
        windows[dimension] <= 1 for dimension in dimensions if dimension < len(sizes)
    ):
        return indices
    if not all(0 <= dimension < len(sizes) for dimension in dimensions):
        return indices  # a constraint is broken, which the operation itself says
    element = indices.type.element_type
    if not isinstance(element, IntegerType):
        return indices
    if element.width < WIDE:
        element = UI32 if element.is_unsigned else I32
        indices = step.convert(indices, element)
    place = [vector] if vector < len(shape) else []
    if (shape[vector] if place else 1) != len(dimensions):
        return indices

    def of_each(values: list[int]) -> Array:
        listed = step.constant(values if place else values[0], element)
        return step.spread(listed, shape, place)

    def compare(rhs: list[int], direction: ComparisonDirection) -> Array:
        fields: Fields = {"lhs": indices, "rhs": of_each(rhs)}
        return step.one("stablehlo.compare", comparison_direction=direction, **fields)

    last = [sizes[dimension] - windows[dimension] for dimension in dimensions]
    inside = compare(last, ComparisonDirection.LE)
    if not element.is_unsigned:
        is_nonnegative = compare([0] * len(dimensions), ComparisonDirection.GE)
        inside = step.one("stablehlo.and", lhs=is_nonnegative, rhs=inside)
    ends = of_each([sizes[dimension] for dimension in dimensions])
    return step.one("stablehlo.select", pred=inside, on_true=indices, on_false=ends)


def window_sizes(
    operand: TensorType, updates: TensorType, numbers: ScatterDimensionNumbers
) -> list[int] | None:
    """The size of a window in each dimension of the operand; None if it is unknown."""
    single = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    others = remaining_dimensions(operand.rank, single)
    dimensions = numbers.update_window_dims
    if len(others) != len(dimensions):
        return None
    if not all(0 <= dimension < updates.rank for dimension in dimensions):
        return None
    sizes = [1] * operand.rank
    for other, dimension in zip(others, dimensions, strict=True):
        sizes[other] = updates.shape[dimension]
    return sizes


RULES: Final[Rules] = {"scatter": scatter}
