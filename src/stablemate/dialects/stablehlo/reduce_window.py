"""stablehlo.reduce_window."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from stablemate.dialects.stablehlo.ordered_sums import fold, has_order
from stablemate.dialects.stablehlo.reduce import SCALAR, add
from stablemate.dialects.stablehlo.reducers import combiners, monoid
from stablemate.dialects.stablehlo.regions import (
    ArrayFunction,
    accumulator_elements,
    on_arrays,
    reduce_in_order,
    reduces,
    to_destination_type,
)
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.core import Region
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
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, SI64_MATRIX, TENSOR
from stablemate.ir.shapes import bound_dimensions, same_sizes
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import F32, Array, ElementType, FloatType
from stablemate.numerics.rounding import round_float


@op(
    "stablehlo.reduce_window",
    segments="same",
    family=Family.REDUCTION,
    traits=Trait.IMPLICIT_TERMINATOR | Trait.PROMOTING,
)
class ReduceWindow(Op):
    """Reduces windows of ``inputs`` and ``init_values`` with the function ``body``.

    results...[i] = the in-order fold of init_values... and padded_inputs...[k], for all
    k = i * window_strides + j * window_dilations, 0 <= j < window_dimensions, where
    padded_inputs = pad(inputs, init_values, padding[:, 0], padding[:, 1], base_dilations - 1)

    The specification leaves the shape of the fold open. Here it is that of the reference
    interpreter: the initial value first, then one element of the window after another, in row-major
    order, each result rounded. In the fast order, the elements of a window are combined along the
    last dimension first, adjacent ones pairwise, and the initial value, on the left, with the
    outcome; sums and products of floats that are narrower than 32 bits are formed in 32 bits and
    rounded once.

    Source: StableHLO specification, reduce_window.
    """

    __slots__ = ()
    summary_attributes = ("window_dimensions",)
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    init_values = define.variadic("I2", SCALAR)
    window_dimensions = define.attribute("I3", SI64_ARRAY)
    window_strides = define.optional_attribute("I4", SI64_ARRAY)
    base_dilations = define.optional_attribute("I5", SI64_ARRAY)
    window_dilations = define.optional_attribute("I6", SI64_ARRAY)
    padding = define.optional_attribute("I7", SI64_MATRIX)
    body = define.region("I8")
    results_ = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C16", shape="C15"
    )

    # An absent attribute has its default, and so does an empty one.

    @constraint
    def c1(self) -> Check:
        """0 < size(inputs) = size(init_values) = size(results) = N"""
        sizes = len(self.inputs), len(self.init_values), len(self.results)
        return holds(
            sizes[0] > 0 and len(set(sizes)) == 1,
            inputs=sizes[0],
            init_values=sizes[1],
            results=sizes[2],
        )

    @constraint
    def c2(self) -> Check:
        """same(shape(inputs...))"""
        types = [value.type for value in self.inputs]
        shapes = [tensor.shape for tensor in types]
        return holds(all(same_sizes(types[0], tensor) for tensor in types), shapes=shapes)

    @constraint
    def c3(self) -> Check:
        """element_type(inputs...) = element_type(init_values...)"""
        inputs = [str(value.type.element_type) for value in self.inputs]
        init_values = [str(value.type.element_type) for value in self.init_values]
        return holds(inputs == init_values, inputs=inputs, init_values=init_values)

    @constraint
    def c4(self) -> Check:
        """size(window_dimensions) = rank(inputs[0])"""
        size, rank = len(self.window_dimensions), self.inputs[0].type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c5(self) -> Check:
        """0 < window_dimensions"""
        return positive(window_dimensions=self.window_dimensions)

    @constraint
    def c6(self) -> Check:
        """size(window_strides) = rank(inputs[0])"""
        return self.has_entries(self.window_strides)

    @constraint
    def c7(self) -> Check:
        """0 < window_strides"""
        return positive(window_strides=self.window_strides or ())

    @constraint
    def c8(self) -> Check:
        """size(base_dilations) = rank(inputs[0])"""
        return self.has_entries(self.base_dilations)

    @constraint
    def c9(self) -> Check:
        """0 < base_dilations"""
        return positive(base_dilations=self.base_dilations or ())

    @constraint
    def c10(self) -> Check:
        """size(window_dilations) = rank(inputs[0])"""
        return self.has_entries(self.window_dilations)

    @constraint
    def c11(self) -> Check:
        """0 < window_dilations"""
        return positive(window_dilations=self.window_dilations or ())

    @constraint
    def c12(self) -> Check:
        """shape(padding) = [rank(inputs[0]), 2]"""
        return has_complete_padding(self.padding or (), self.inputs[0].type.rank)

    def has_entries(self, entries: Sequence[int] | None) -> Check:
        """Whether an attribute has an entry per dimension."""
        rank = self.inputs[0].type.rank
        size = len(entries or ())
        return holds(not entries or size == rank, size=size, rank=rank)

    @constraint
    def c13(self) -> Check:
        """body: (tensor<E>..., tensor<E>...) -> tensor<E>..., is_promotable(inputs..., E...)"""
        return reduces(self.body, [value.type.element_type for value in self.inputs])

    @constraint
    def c14(self) -> Check:
        """same(shape(results...))"""
        types = [value.type for value in self.results]
        shapes = [tensor.shape for tensor in types]
        return holds(all(same_sizes(types[0], tensor) for tensor in types), shapes=shapes)

    @property
    def windows(self) -> WindowDimensions:
        """The windows, absent attributes filled in."""
        return WindowDimensions.of_attributes(
            self.window_dimensions,
            self.window_strides,
            [(low, high) for low, high in self.padding or ()],
            self.base_dilations,
            self.window_dilations,
        )

    def region_executions(self) -> Sequence[int]:
        """Once for each element of the result and of one window."""
        return (self.results[0].type.size * math.prod(self.window_dimensions),)

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """The inputs together, if the monoid of the terms reduces them."""
        return [range(len(self.inputs))] if set(combiners(self.body)) == {monoid} else ()

    def terms_once(self) -> Sequence[int]:
        """The initial values, which the sum over devices contains once."""
        return range(len(self.inputs), len(self.operands))

    def infer(self) -> Sequence[TensorType]:
        """C14, C15, C16; a bound becomes the number of windows in a dimension of that size."""
        elements = accumulator_elements(self.body)
        return [
            self.count_windows(value.type).with_element(element)
            for value, element in zip(self.inputs, elements, strict=False)
        ]

    def count_windows(self, operand: TensorType) -> TensorType:
        """An operand with the number of windows in place of each size and bound."""
        counts = self.windows.counts
        bounds = counts(operand.bounds or (DYNAMIC,) * operand.rank)
        return bound_dimensions(operand.with_shape(counts(operand.shape)), bounds)

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> object:
        """The folds of all windows."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """One call of the body for each position in a window, unless the order is of no account."""
        if is_order_free(self.body):
            return self.prepare_fast(regions)
        windows, n = self.windows, len(self.inputs)
        sources = [value.type.element_type for value in self.inputs]
        elements = accumulator_elements(self.body)
        body, is_sum = on_arrays(self.body, regions[0]), monoid(self.body) == "add"

        def reduce_window(*operands: Array) -> object:
            converted = [
                to_destination_type(np.asarray(x), source, element)
                for x, source, element in zip(operands, sources * 2, elements * 2, strict=True)
            ]
            inputs, init_values = converted[:n], converted[n:]
            counts = windows.counts(operands[0].shape)
            if 0 in counts:  # whatever the size of a window
                return pack_results([np.broadcast_to(init, counts) for init in init_values])
            if is_sum and is_zero(init_values[0]):
                d = prefix_dimension(windows, counts)
                if d is not None:
                    return prefix_sums(inputs[0], init_values[0], d)
            pairs = zip(inputs, init_values, strict=True)
            arrays = [windows.pad(x, init) for x, init in pairs]
            starts = [np.broadcast_to(init, counts) for init in init_values]
            terms = (
                [windows.at(x, counts, position) for x in arrays]
                for position in windows.positions()
            )
            return pack_results(fold(body, starts, terms))

        return reduce_window

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Selects once how the body is called and the accumulation type."""
        windows, n = self.windows, len(self.inputs)
        sources = [value.type.element_type for value in self.inputs]
        elements = accumulator_elements(self.body)
        wide = wide_reducer(monoid(self.body), elements[0])
        body = wide or on_arrays(self.body, regions[0])

        def reduce_window(*operands: Array) -> object:
            converted = [
                to_destination_type(np.asarray(x), source, element)
                for x, source, element in zip(operands, sources * 2, elements * 2, strict=True)
            ]
            if wide:
                converted = [x.astype(F32.dtype) for x in converted]
            init_values = converted[n:]
            counts = windows.counts(operands[0].shape)
            if 0 in counts:
                empty = [np.broadcast_to(init, counts) for init in init_values]
                return pack_results(body(*empty, *empty))
            pairs = zip(converted[:n], init_values, strict=True)
            arrays = [windows.pad(x, init) for x, init in pairs]
            folded = fold_windows(body, arrays, windows, counts)
            starts = [np.broadcast_to(init, np.shape(folded[0])) for init in init_values]
            results = body(*starts, *folded)
            if wide and isinstance(element := elements[0], FloatType):
                return round_float(np.asarray(results[0]), element)
            return pack_results(results)

        return reduce_window


def positive(**sequence: Sequence[int]) -> Check:
    """Whether all entries of a sequence, given by its name, are above zero."""
    ((name, entries),) = sequence.items()
    return holds(all(entry > 0 for entry in entries), **{name: tuple(entries)})


def has_complete_padding(padding: Sequence[Sequence[int]], rank: int) -> Check:
    """Whether a padding, if there is one, has a low and a high end for every dimension."""
    shape = (len(padding), len(padding[0])) if padding else (rank, 2)
    return holds(shape == (rank, 2), shape=shape, rank=rank)


def is_order_free(body: Region) -> bool:
    """Whether the elements of a window may be combined in any order with the same result."""
    name, elements = monoid(body), accumulator_elements(body)
    return name is not None and (name not in ("add", "multiply") or not has_order(elements[0]))


def prefix_dimension(windows: WindowDimensions, counts: Sequence[int]) -> int | None:
    """The dimension of which windows hold all elements up to their own; None if there is none.

    Such windows have all the elements on their left as padding.
    """
    long = [d for d, size in enumerate(windows.sizes) if size != 1]
    (d,) = long if len(long) == 1 else (0,)
    padding = [(size - 1, 0) for size in windows.sizes]
    steps = (*windows.strides, *windows.base_dilations, *windows.window_dilations)
    fits = len(long) == 1 and counts[d] == windows.sizes[d] and {*steps} == {1}
    return d if fits and list(windows.padding) == padding else None


def is_zero(init: Array) -> bool:
    """Whether an initial value is a zero, which stays the same when it is added to itself."""
    return bool(np.all(init == 0))


def prefix_sums(x: Array, init: Array, d: int) -> Array:
    """The sums of a zero and the elements up to each one, in order, along a dimension."""
    along = np.moveaxis(x, d, 0)
    chain = np.concatenate([np.full((1, *along.shape[1:]), init, x.dtype), along])
    return np.moveaxis(np.add.accumulate(chain, axis=0, dtype=x.dtype)[1:], 0, d)


def wide_reducer(name: str | None, element: ElementType) -> ArrayFunction | None:
    """The function that forms sums or products of narrow floats in 32 bits; None for others."""
    is_narrow = isinstance(element, FloatType) and element.precision < F32.precision
    match name:
        case "add" if is_narrow:
            return add
        case "multiply" if is_narrow:
            return multiply
        case _:
            return None


def multiply(x: Array, y: Array) -> Sequence[Array]:
    """The product, as the body of a fold."""
    return (np.multiply(x, y),)


def fold_windows(
    body: ArrayFunction, padded: Sequence[Array], windows: WindowDimensions, counts: Sequence[int]
) -> Sequence[Array]:
    """Combines the elements of each window, dimension by dimension from the last one on.

    So the elements of a window are combined in order, and overlapping windows share partial
    results.

    Args:
        body: Combines two groups of arrays.
        padded: An array for each value that the body returns.
        windows: On all dimensions.
        counts: Number of windows along each dimension.
    """
    arrays = padded
    for d in reversed(range(len(counts))):
        along = [np.moveaxis(x, d, 0) for x in arrays]
        folded = fold_along(body, along, windows.dimension(d), counts[d])
        arrays = [np.moveaxis(x, 0, d) for x in folded]
    return arrays


def fold_along(
    body: ArrayFunction, arrays: Sequence[Array], windows: WindowDimensions, count: int
) -> Sequence[Array]:
    """Combines the elements of windows along the first dimension; ``(count, ...)``.

    Windows with little overlap are combined separately. Otherwise windows are combined from windows
    of half the size, each computed once: so n windows of size k cost n * log(k), not n * k.
    """
    (size,), (stride,), (dilation,) = windows.sizes, windows.strides, windows.window_dilations
    if size <= 2 * stride or count == 0:
        return reduce_in_order(body, [windows.view(x, (count,)).swapaxes(0, 1) for x in arrays])
    combined: Sequence[Array] = ()  # the first elements of all windows, combined
    start, parts = (
        0,
        arrays,
    )  # parts: windows of this power of two, combined from every position on
    for bit in range(size.bit_length()):
        width = 1 << bit
        if bit:
            shift = width // 2 * dilation
            parts = body(*(x[:-shift] for x in parts), *(x[shift:] for x in parts))
        if size & width:
            part = [windows.at(x, (count,), (start,)) for x in parts]
            combined = body(*combined, *part) if combined else part
            start += width
    return combined
