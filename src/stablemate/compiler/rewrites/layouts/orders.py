"""Orders of dimensions: the physical dimensions of a value, major to minor.

``order[i]`` is the dimension of the value that is physical dimension i.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.dialects.stablehlo.indexing import inverse
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.numerics.symbolic_sizes import is_symbolic

Order = tuple[int, ...]


def row_major_order(rank: int) -> Order:
    """The order in which a program writes dimensions."""
    return tuple(range(rank))


def in_order(entries: Sequence[object], order: Order) -> tuple[Any, ...]:
    """One entry for each physical dimension."""
    return tuple([entries[d] for d in order])


def order_between(source: Order, target: Order) -> Order:
    """The permutation that brings a value from one order into another."""
    positions = inverse(source)
    return tuple([positions[d] for d in target])


def keeps_sequence(order: Order, dimensions: Collection[int]) -> bool:
    """Whether some dimensions follow one another as in row-major order."""
    kept = [d for d in order if d in dimensions]
    return kept == sorted(kept)


def order_without(order: Order, dimensions: Collection[int]) -> Order:
    """The order of the dimensions that remain when some are reduced."""
    remaining = [d for d in order if d not in dimensions]
    numbers = {d: number for number, d in enumerate(sorted(remaining))}
    return tuple([numbers[d] for d in remaining])


def features_last(numbers: ConvDimensionNumbers) -> Order:
    """The order of a convolution's result in which it is computed."""
    return (
        numbers.output_batch_dimension,
        *numbers.output_spatial_dimensions,
        numbers.output_feature_dimension,
    )


def physical_numbers(
    numbers: ConvDimensionNumbers, image: Order, result: Order
) -> ConvDimensionNumbers:
    """The dimension numbers of a convolution of physical tensors; the kernel stays as it is."""
    inputs, outputs = inverse(image), inverse(result)
    return ConvDimensionNumbers(
        inputs[numbers.input_batch_dimension],
        inputs[numbers.input_feature_dimension],
        tuple([inputs[d] for d in numbers.input_spatial_dimensions]),
        numbers.kernel_input_feature_dimension,
        numbers.kernel_output_feature_dimension,
        numbers.kernel_spatial_dimensions,
        outputs[numbers.output_batch_dimension],
        outputs[numbers.output_feature_dimension],
        tuple([outputs[d] for d in numbers.output_spatial_dimensions]),
    )


def physical_windows(windows: WindowDimensions, order: Order) -> WindowDimensions:
    """Windows on a physical tensor."""
    return WindowDimensions(
        in_order(windows.sizes, order),
        in_order(windows.strides, order),
        in_order(windows.padding, order),
        in_order(windows.base_dilations, order),
        in_order(windows.window_dilations, order),
    )


def order_of_reshaped(shape: Sequence[int], reshaped: Sequence[int], order: Order) -> Order | None:
    """The order of a reshaped value whose physical elements stay where they are.

    None if there is no such order: dimensions that the reshape merges are not neighbors.
    """
    groups = list(reshape_groups(shape, reshaped))
    group_of = {d: number for number, (dimensions, _) in enumerate(groups) for d in dimensions}
    physical = [d for d in order if d in group_of]
    numbers = list(dict.fromkeys(group_of[d] for d in physical))
    if physical != [d for number in numbers for d in groups[number][0]]:
        return None
    return with_unit_dimensions([d for number in numbers for d in groups[number][1]], reshaped)


def with_unit_dimensions(dimensions: Sequence[int], shape: Sequence[int]) -> Order:
    """An order of all dimensions: each of size 1 follows the one before it."""
    result = list(dimensions)
    for d in range(len(shape)):
        if d not in dimensions:
            result.insert(result.index(d - 1) + 1 if d else 0, d)
    return tuple(result)


def reshape_groups(
    shape: Sequence[int], reshaped: Sequence[int]
) -> Iterator[tuple[list[int], list[int]]]:
    """The smallest groups of dimensions that a reshape turns into one another, without units."""
    sources = [d for d, size in enumerate(shape) if size != 1]
    targets = [d for d, size in enumerate(reshaped) if size != 1]
    while sources and targets:
        left, right = [sources.pop(0)], [targets.pop(0)]
        source, target = shape[left[0]], reshaped[right[0]]
        while source != target:
            if source < target:
                left.append(sources.pop(0))
                source *= shape[left[-1]]
            else:
                right.append(targets.pop(0))
                target *= reshaped[right[-1]]
        yield left, right


def is_plain_shape(shape: Sequence[int]) -> bool:
    """Whether all sizes are numbers other than 0."""
    return not any(is_symbolic(size) or size == 0 for size in shape)
