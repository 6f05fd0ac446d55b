"""Element types of results that rearrange the dimensions of a per-axis quantized operand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from stablemate.ir.shapes import same_size
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import ElementType, QuantizedType


def is_per_axis(element_type: ElementType) -> TypeGuard[QuantizedType]:
    """Whether slices along one dimension have a scale each."""
    return isinstance(element_type, QuantizedType) and element_type.is_per_axis


def dimension_of(element_type: QuantizedType) -> int:
    """The dimension whose slices have a scale each."""
    assert element_type.quantization_dimension is not None
    return element_type.quantization_dimension


def same_but_dimension(operand: ElementType, result: ElementType) -> bool:
    """Whether two element types are equal, quantization dimensions of per-axis ones aside."""
    if is_per_axis(operand) and is_per_axis(result):
        return replace(operand, quantization_dimension=result.quantization_dimension) == result
    return operand == result


def same_but_parameters(operand: ElementType, result: ElementType) -> bool:
    """As ``same_but_dimension``, with scales and zero points of per-axis ones aside too."""
    if is_per_axis(operand) and is_per_axis(result):
        scales, zero_points = result.scales, result.zero_points
        operand = replace(operand, scales=scales, zero_points=zero_points)
    return same_but_dimension(operand, result)


def keeps_slices(operand: TensorType, result: TensorType) -> bool:
    """Whether equal positions in row-major order lie in slices with equal scales.

    True as well if dynamic sizes leave it open, or if one of the types is not per-axis quantized.
    """
    if not (is_per_axis(operand.element_type) and is_per_axis(result.element_type)):
        return True
    before = sizes_around(operand.shape, dimension_of(operand.element_type))
    after = sizes_around(result.shape, dimension_of(result.element_type))
    return all(same_size(a, b) for a, b in zip(before, after, strict=True))


def sizes_around(shape: Sequence[int], dimension: int) -> tuple[int, int, int]:
    """The number of elements before, along and behind a dimension; DYNAMIC where unknown."""
    parts = (shape[:dimension], shape[dimension : dimension + 1], shape[dimension + 1 :])
    before, along, behind = (DYNAMIC if DYNAMIC in part else math.prod(part) for part in parts)
    return before, along, behind
