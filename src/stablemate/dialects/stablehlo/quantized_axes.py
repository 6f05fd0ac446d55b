"""Element types of results that rearrange the dimensions of a quantized operand.

The rules per axis are the specification's; blocks of sub-channel quantization move likewise: each
element keeps its scale and zero point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, TypeGuard

import numpy as np

from stablemate.ir.shapes import same_size
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, ElementType, QuantizedType

UNBLOCKED: Final[dict[str, Any]] = {"blocks": (), "block_shape": ()}


def is_per_axis(element_type: ElementType) -> TypeGuard[QuantizedType]:
    """Whether slices along one dimension have a scale each."""
    return isinstance(element_type, QuantizedType) and element_type.is_per_axis


def is_sub_channel(element_type: ElementType) -> TypeGuard[QuantizedType]:
    """Whether blocks have a scale each."""
    return isinstance(element_type, QuantizedType) and element_type.is_sub_channel


def dimension_of(element_type: QuantizedType) -> int:
    """The dimension whose slices have a scale each."""
    assert element_type.quantization_dimension is not None
    return element_type.quantization_dimension


def same_but_dimension(operand: ElementType, result: ElementType) -> bool:
    """Whether two element types are equal, quantization dimensions and blocks aside."""
    if is_per_axis(operand) and is_per_axis(result):
        return replace(operand, quantization_dimension=result.quantization_dimension) == result
    if is_sub_channel(operand) and is_sub_channel(result):
        return replace(operand, **UNBLOCKED) == replace(result, **UNBLOCKED)
    return operand == result


def same_but_parameters(operand: ElementType, result: ElementType) -> bool:
    """As ``same_but_dimension``, with scales and zero points of slices and blocks aside too."""
    if (is_per_axis(operand) and is_per_axis(result)) or (
        is_sub_channel(operand) and is_sub_channel(result)
    ):
        scales, zero_points = result.scales, result.zero_points
        operand = replace(operand, scales=scales, zero_points=zero_points)
    return same_but_dimension(operand, result)


# ---- reshape


def keeps_slices(operand: TensorType, result: TensorType) -> bool:
    """Whether equal positions in row-major order lie in slices or blocks with equal scales.

    Also true if dynamic sizes leave it open, or if one of the types has no slices or blocks.
    """
    if is_sub_channel(operand.element_type) and is_sub_channel(result.element_type):
        is_open = DYNAMIC in (*operand.shape, *result.shape)  # C1 compares the parameters
        return is_open or runs(operand) == runs(result)
    before, after = operand.element_type, result.element_type
    if not (is_per_axis(before) and is_per_axis(after)):
        return True
    return all(
        same_size(a, b)
        for a, b in zip(
            sizes_around(operand.shape, dimension_of(before)),
            sizes_around(result.shape, dimension_of(after)),
            strict=True,
        )
    )


def sizes_around(shape: Sequence[int], dimension: int) -> tuple[int, int, int]:
    """The number of elements before, along and after a dimension; DYNAMIC where unknown."""
    parts = (shape[:dimension], shape[dimension : dimension + 1], shape[dimension + 1 :])
    before, along, after = (DYNAMIC if DYNAMIC in part else math.prod(part) for part in parts)
    return before, along, after


def runs(tensor: TensorType) -> list[tuple[bool, int]]:
    """How the scales of a static sub-channel quantized tensor change in row-major order.

    Factors of the number of elements, outermost first, and whether the scale changes along them.
    Two tensors with equal scales and factors have equal scales at equal positions.
    """
    element = tensor.element_type
    assert is_sub_channel(element)
    sizes = dict(element.blocks)

    def factors() -> Iterator[tuple[bool, int]]:
        for d, size in enumerate(tensor.shape):
            yield from (
                ((True, size // sizes[d]), (False, sizes[d])) if d in sizes else ((False, size),)
            )

    changing = groupby(
        (factor for factor in factors() if factor[1] != 1), key=lambda factor: factor[0]
    )
    return [(changes, math.prod(size for _, size in group)) for changes, group in changing]


# ---- transpose


def transpose_type(element: ElementType, permutation: Sequence[int]) -> ElementType:
    """The element type of a tensor whose dimensions are reordered."""
    if is_per_axis(element) and dimension_of(element) in permutation:
        moved = permutation.index(dimension_of(element))
        return replace(element, quantization_dimension=moved)
    if not is_sub_channel(element) or tuple(permutation) == tuple(range(len(permutation))):
        return element
    blocks = sorted((permutation.index(d), size) for d, size in element.blocks)
    return of_grids(element, tuple(blocks), lambda grid: grid.transpose(permutation))


def of_grids(
    element: QuantizedType, blocks: tuple[tuple[int, int], ...], moved: Callable[[Array], Array]
) -> QuantizedType:
    """A sub-channel type with other blocks, their scales and zero points moved by a function."""
    scales, zero_points = (moved(grid) for grid in grids(element))
    return replace(
        element,
        blocks=blocks,
        block_shape=scales.shape,
        scales=tuple(scales.reshape(-1).tolist()),
        zero_points=tuple(zero_points.reshape(-1).tolist()),
    )


def grids(element: QuantizedType) -> tuple[Array, Array]:
    """The scales and the zero points of blocks, in the blocks' places."""
    shape = element.block_shape
    return np.reshape(element.scales, shape), np.reshape(element.zero_points, shape)


# ---- broadcasts


def repeats_parameters(operand: TensorType, result: TensorType, dimensions: Sequence[int]) -> bool:
    """Whether slices or blocks of a result have the scales of the operand's that they repeat."""
    a, b = operand.element_type, result.element_type
    if is_sub_channel(a) and is_sub_channel(b):
        return repeats_blocks(operand, result, dimensions)
    if not is_per_axis(b):
        return True
    if not is_per_axis(a):
        return False
    source, target = dimension_of(a), dimension_of(b)
    if source >= operand.rank or target != dimensions[source]:
        return False
    repeated = operand.shape[source] == 1
    return not repeated or (
        set(b.scales) <= set(a.scales[:1]) and set(b.zero_points) <= set(a.zero_points[:1])
    )


def repeats_blocks(operand: TensorType, result: TensorType, dimensions: Sequence[int]) -> bool:
    """Whether the blocks of a result repeat those of the operand along the other dimensions."""
    a, b = operand.element_type, result.element_type
    assert is_sub_channel(a)
    assert is_sub_channel(b)
    source, target = dict(a.blocks), dict(b.blocks)
    if any(
        size != 1 and source.get(d) != target.get(r)
        for d, (r, size) in enumerate(zip(dimensions, operand.shape, strict=True))
    ):
        return False
    spread = [1] * result.rank
    for d, r in enumerate(dimensions):
        spread[r] = a.block_shape[d]
    if not all(x in (1, y) for x, y in zip(spread, b.block_shape, strict=True)):
        return False
    order = sorted(range(operand.rank), key=dimensions.__getitem__)
    return all(
        bool(np.all(x.transpose(order).reshape(spread) == y))
        for x, y in zip(grids(a), grids(b), strict=True)
    )
