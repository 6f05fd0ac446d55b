"""stablehlo.convolution, and its common base with dynamic_conv."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from stablemate.dialects.stablehlo.attributes import CONV_DIMENSION_NUMBERS, PRECISION_CONFIG
from stablemate.dialects.stablehlo.baseline import expressed_type, lift_to_quantized
from stablemate.dialects.stablehlo.contraction import (
    any_quantized,
    hybrid,
    per_tensor_like,
    quantized_like,
    same_expressed,
    same_storage,
    sum_dtype,
    to_element,
    window_products,
)
from stablemate.dialects.stablehlo.ordered_sums import has_order, ordered_window_products
from stablemate.dialects.stablehlo.regions import is_promotable
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_TENSOR,
    BOOLEAN_ARRAY,
    PER_TENSOR_QUANTIZED,
    SI64,
    SI64_ARRAY,
    SI64_MATRIX,
    TENSOR,
)
from stablemate.ir.shapes import same_size
from stablemate.ir.traits import EITHER, Family, Trait, Work
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, ElementType, QuantizedType
from stablemate.numerics.rounding import converter


class AnyConvolution(Op):
    """A convolution; subclasses define the padding."""

    __slots__ = ()
    lhs = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    rhs = define.operand("I2", ANY_TENSOR)
    window_strides = define.optional_attribute("I3", SI64_ARRAY)
    lhs_dilation = define.optional_attribute("I5", SI64_ARRAY)
    rhs_dilation = define.optional_attribute("I6", SI64_ARRAY)
    window_reversal = define.optional_attribute("I7", BOOLEAN_ARRAY)
    dimension_numbers = define.attribute("I8", CONV_DIMENSION_NUMBERS)
    feature_group_count = define.attribute("I17", SI64)
    batch_group_count = define.attribute("I18", SI64)
    precision_config = define.optional_attribute("I19", PRECISION_CONFIG)
    result = define.result(ANY_TENSOR, element_type="C27", shape="C25")

    # An absent attribute has its default, and so does an empty one, as producers write it.

    def work(self) -> Work:
        """A product and a sum for each element of the result and of one padded window."""
        kernel = self.rhs.type.shape
        outputs = kernel[self.dimension_numbers.kernel_output_feature_dimension]
        return Work(2 * self.result.type.size * (math.prod(kernel) // max(outputs, 1)))

    @constraint
    def c1(self) -> Check:
        """N = rank(lhs) = rank(rhs)"""
        lhs, rhs = self.lhs.type.rank, self.rhs.type.rank
        return holds(lhs == rhs >= 2, lhs=lhs, rhs=rhs)

    @constraint
    def c12(self) -> Check:
        """size(input_spatial_dimensions) = N - 2"""
        return self.has_spatial_rank(
            input_spatial_dimensions=self.dimension_numbers.input_spatial_dimensions
        )

    @constraint
    def c17(self) -> Check:
        """size(kernel_spatial_dimensions) = N - 2"""
        return self.has_spatial_rank(
            kernel_spatial_dimensions=self.dimension_numbers.kernel_spatial_dimensions
        )

    @constraint
    def c19(self) -> Check:
        """size(output_spatial_dimensions) = N - 2"""
        return self.has_spatial_rank(
            output_spatial_dimensions=self.dimension_numbers.output_spatial_dimensions
        )

    def has_spatial_rank(self, **sequence: Sequence[object]) -> Check:
        """Whether a sequence, given by its name, has an entry per spatial dimension."""
        ((name, entries),) = sequence.items()
        spatial = self.lhs.type.rank - 2
        return holds(len(entries) == spatial, **{name: tuple(entries), "N - 2": spatial})

    @constraint
    def c13(self) -> Check:
        """is_unique(input_dimensions) and 0 <= input_dimensions < N"""
        return self.permutes(input_dimensions=self.input_dimensions)

    @constraint
    def c18(self) -> Check:
        """is_unique(kernel_dimensions) and 0 <= kernel_dimensions < N"""
        return self.permutes(kernel_dimensions=self.kernel_dimensions)

    @constraint
    def c20(self) -> Check:
        """is_unique(output_dimensions) and 0 <= output_dimensions < N"""
        return self.permutes(output_dimensions=self.output_dimensions)

    def permutes(self, **sequence: Sequence[int]) -> Check:
        """Whether a sequence, given by its name, names every dimension once."""
        ((name, dimensions),) = sequence.items()
        rank = self.lhs.type.rank
        return holds(
            sorted(dimensions) == list(range(rank)), **{name: tuple(dimensions), "N": rank}
        )

    @property
    def input_dimensions(self) -> tuple[int, ...]:
        """Batch, spatial and feature dimensions of lhs."""
        numbers = self.dimension_numbers
        return (
            numbers.input_batch_dimension,
            *numbers.input_spatial_dimensions,
            numbers.input_feature_dimension,
        )

    @property
    def kernel_dimensions(self) -> tuple[int, ...]:
        """Spatial, input feature and output feature dimensions of rhs."""
        numbers = self.dimension_numbers
        return (
            *numbers.kernel_spatial_dimensions,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )

    @property
    def output_dimensions(self) -> tuple[int, ...]:
        """Batch, spatial and feature dimensions of the result."""
        numbers = self.dimension_numbers
        return (
            numbers.output_batch_dimension,
            *numbers.output_spatial_dimensions,
            numbers.output_feature_dimension,
        )

    @constraint
    def c21(self) -> Check:
        """0 < feature_group_count"""
        return holds(self.feature_group_count > 0, feature_group_count=self.feature_group_count)

    @constraint
    def c22(self) -> Check:
        """0 < batch_group_count"""
        return holds(self.batch_group_count > 0, batch_group_count=self.batch_group_count)

    @constraint
    def c23(self) -> Check:
        """feature_group_count = 1 or batch_group_count = 1"""
        features, batches = self.feature_group_count, self.batch_group_count
        return holds(
            1 in (features, batches), feature_group_count=features, batch_group_count=batches
        )

    @constraint
    def c2(self) -> Check:
        """size(window_strides) = N - 2"""
        return (
            self.has_spatial_rank(window_strides=self.window_strides)
            if self.window_strides
            else None
        )

    @constraint
    def c3(self) -> Check:
        """0 < window_strides"""
        strides = self.window_strides or ()
        return holds(all(stride > 0 for stride in strides), window_strides=strides)

    @constraint
    def c5(self) -> Check:
        """size(lhs_dilation) = N - 2"""
        return self.has_spatial_rank(lhs_dilation=self.lhs_dilation) if self.lhs_dilation else None

    @constraint
    def c6(self) -> Check:
        """0 < lhs_dilation"""
        dilation = self.lhs_dilation or ()
        return holds(all(factor > 0 for factor in dilation), lhs_dilation=dilation)

    @constraint
    def c7(self) -> Check:
        """size(rhs_dilation) = N - 2"""
        return self.has_spatial_rank(rhs_dilation=self.rhs_dilation) if self.rhs_dilation else None

    @constraint
    def c8(self) -> Check:
        """0 < rhs_dilation"""
        dilation = self.rhs_dilation or ()
        return holds(all(factor > 0 for factor in dilation), rhs_dilation=dilation)

    @constraint
    def c9(self) -> Check:
        """size(window_reversal) = N - 2"""
        return (
            self.has_spatial_rank(window_reversal=self.window_reversal)
            if self.window_reversal
            else None
        )

    @constraint
    def c10(self) -> Check:
        """dim(lhs, input_batch_dimension) % batch_group_count = 0"""
        size = self.lhs.type.shape[self.dimension_numbers.input_batch_dimension]
        return divides(self.batch_group_count, size)

    @constraint
    def c11(self) -> Check:
        """dim(lhs, input_feature_dimension) % feature_group_count = 0"""
        size = self.lhs.type.shape[self.dimension_numbers.input_feature_dimension]
        return divides(self.feature_group_count, size)

    @constraint
    def c14(self) -> Check:
        """kernel input features = dim(lhs, input_feature_dimension) / feature_group_count"""
        lhs = self.lhs.type.shape[self.dimension_numbers.input_feature_dimension]
        rhs = self.rhs.type.shape[self.dimension_numbers.kernel_input_feature_dimension]
        groups = self.feature_group_count
        quotient = lhs if lhs == DYNAMIC else lhs // groups
        return holds(same_size(rhs, quotient), lhs=lhs, rhs=rhs, feature_group_count=groups)

    @constraint
    def c15(self) -> Check:
        """dim(rhs, kernel_output_feature_dimension) % batch_group_count = 0"""
        size = self.rhs.type.shape[self.dimension_numbers.kernel_output_feature_dimension]
        return divides(self.batch_group_count, size)

    @constraint
    def c16(self) -> Check:
        """dim(rhs, kernel_output_feature_dimension) % feature_group_count = 0"""
        size = self.rhs.type.shape[self.dimension_numbers.kernel_output_feature_dimension]
        return divides(self.feature_group_count, size)

    # Not numbered: the specification also counts windows of size 0, but no implementation does.
    @constraint
    def i2(self) -> Check:
        """0 < dim(rhs, kernel_spatial_dimensions...)"""
        shape = self.rhs.type.shape
        sizes = tuple(shape[d] for d in self.dimension_numbers.kernel_spatial_dimensions)
        return holds(0 not in sizes, sizes=sizes)

    @constraint
    def c24(self) -> Check:
        """size(precision_config) = 2"""
        # Fewer are accepted as well: a missing one is DEFAULT, and producers omit them.
        size = len(self.precision_config or ())
        return holds(size <= 2, size=size)

    @constraint
    def c26(self) -> Check:
        """rank(result) = N"""
        return holds(
            self.result.type.rank == self.lhs.type.rank,
            result=self.result.type.rank,
            N=self.lhs.type.rank,
        )

    @constraint
    def c27(self) -> Check:
        """element_type(lhs) = element_type(rhs) = element_type(result)"""
        # A result to which they can be promoted is accepted as well: producers use it to
        # accumulate in more bits.
        lhs, rhs, result = self.element_types
        if any_quantized(lhs, rhs, result):
            return None
        return holds(lhs == rhs and is_promotable(lhs, result), lhs=lhs, rhs=rhs, result=result)

    @property
    def element_types(self) -> tuple[ElementType, ElementType, ElementType]:
        """The element types of lhs, rhs and the result."""
        return self.lhs.type.element_type, self.rhs.type.element_type, self.result.type.element_type

    @constraint
    def c28(self) -> Check:
        """is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)"""
        return quantized_like(*self.element_types)

    @constraint
    def c29(self) -> Check:
        """quantization_dimension(rhs) = kernel_output_feature_dimension if it has one"""
        expected = self.dimension_numbers.kernel_output_feature_dimension
        return quantized_along(self.rhs.type.element_type, expected)

    @constraint
    def c30(self) -> Check:
        """quantization_dimension(result) = output_feature_dimension if it has one"""
        expected = self.dimension_numbers.output_feature_dimension
        return quantized_along(self.result.type.element_type, expected)

    @constraint
    def c31(self) -> Check:
        """is_quantized(lhs): storage_type(lhs) = storage_type(rhs)"""
        return same_storage(*self.element_types[:2])

    @constraint
    def c32(self) -> Check:
        """is_quantized(lhs): expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)"""
        return same_expressed(*self.element_types)

    @constraint
    def c33(self) -> Check:
        """is_quantized(lhs) and is_per_tensor_quantized(rhs): is_per_tensor_quantized(result)"""
        return per_tensor_like(*self.element_types[1:])

    @constraint
    def c34(self) -> Check:
        """!is_quantized(lhs): element_type(lhs) = expressed_type(rhs) = element_type(result)"""
        return hybrid(*self.element_types)

    def windows(self, padding: Sequence[Sequence[int]], sizes: Sequence[int]) -> WindowDimensions:
        """The windows on the spatial dimensions, absent attributes filled in."""
        pairs = [(low, high) for low, high in padding]
        return WindowDimensions.of_attributes(
            sizes, self.window_strides, pairs, self.lhs_dilation, self.rhs_dilation
        )

    def result_type(self, counts: Sequence[int]) -> TensorType | None:
        """C25: the shape for a number of windows; None if the element type is still open."""
        batch, features = self.lhs.type.shape[self.input_dimensions[0]], self.kernel_dimensions[-1]
        batches = batch if batch == DYNAMIC else batch // self.batch_group_count
        sizes = (batches, *counts, self.rhs.type.shape[features])
        shape = [0] * len(sizes)
        for d, size in zip(self.output_dimensions, sizes, strict=True):
            shape[d] = size
        # C27 and, for quantized ones, C28 to C34 speak of a declared element type.
        element = (self.results[0] if self.results else self.lhs).type.element_type
        if not self.results and isinstance(element, QuantizedType):
            return None
        return TensorType(tuple(shape), element)

    def convolve(
        self, lhs: Array, rhs: Array, windows: WindowDimensions, *, is_fast: bool = False
    ) -> Array:
        """The convolution of arrays, quantized ones in the arithmetic of their expressed type.

        ``windows`` fits the shapes of the arrays. Sums are in the order of the reference
        interpreter, unless they are to be fast.
        """
        left, right, result = self.element_types
        element = expressed_type(result)
        is_in_order = not is_fast and has_order(element)
        numbers = self.convolve_in_order if is_in_order else self.convolve_numbers
        function = partial(numbers, windows, element)
        if any_quantized(left, right, result):
            return np.asarray(lift_to_quantized(function, (left, right), result)(lhs, rhs))
        return function(lhs, rhs)

    def convolve_numbers(
        self, windows: WindowDimensions, element: ElementType, lhs: Array, rhs: Array
    ) -> Array:
        """The convolution of arrays that are not quantized, in the arithmetic of a type."""
        left, right, _ = self.element_types
        sums = sum_dtype(element, expressed_type(left), expressed_type(right))
        if sums.kind in "fc":  # narrow elements are converted before they are copied to windows
            lhs, rhs = lhs.astype(sums, copy=False), rhs.astype(sums, copy=False)
        x, kernel = self.split_groups(lhs, rhs)
        if self.reversal:
            kernel = np.flip(kernel, self.reversal)  # which comes to reversing the windows
        counts = windows.counts(x.shape[1:-2])
        products = window_products(windows.pad(x, 0, 1), kernel, windows, counts, sums)
        return to_element(self.join_groups(products), element)

    def convolve_in_order(
        self, windows: WindowDimensions, element: ElementType, lhs: Array, rhs: Array
    ) -> Array:
        """The convolution in the order of the reference interpreter, rounded at every step."""
        left, right, _ = map(expressed_type, self.element_types)
        x, kernel = self.split_groups(converter(left, element)(lhs), converter(right, element)(rhs))
        counts = windows.counts(x.shape[1:-2])
        padded = windows.pad(x, 0, 1)
        return self.join_groups(
            ordered_window_products(padded, kernel, windows, counts, self.reversal)
        )

    @property
    def reversal(self) -> tuple[int, ...]:
        """The spatial dimensions in which windows are reversed."""
        return tuple(d for d, is_set in enumerate(self.window_reversal or ()) if is_set)

    def join_groups(self, products: Array) -> Array:
        """Products ``(batch, *spatial, groups, out)`` in the dimensions of the result."""
        joined = products.reshape(*products.shape[:-2], math.prod(products.shape[-2:]))
        return joined.transpose(np.argsort(self.output_dimensions))

    def split_groups(self, lhs: Array, rhs: Array) -> tuple[Array, Array]:
        """The operands as ``(batch, *spatial, groups, in)`` and ``(*spatial, in, groups, out)``.

        Group k of one goes with group k of the other. The first is a view where it can be.
        """
        x, kernel = lhs.transpose(self.input_dimensions), rhs.transpose(self.kernel_dimensions)
        if (groups := self.batch_group_count) > 1:
            x = x.reshape(groups, x.shape[0] // groups, *x.shape[1:])
            x = np.moveaxis(x, 0, -2)
        else:
            groups = self.feature_group_count
            x = x.reshape(*x.shape[:-1], groups, x.shape[-1] // groups)
        return x, kernel.reshape(*kernel.shape[:-1], groups, kernel.shape[-1] // groups)


def divides(groups: int, size: int) -> Check:
    """Whether a size is a multiple of a number of groups."""
    return holds(size == DYNAMIC or size % groups == 0, size=size, groups=groups)


def quantized_along(element: ElementType, dimension: int) -> Check:
    """Whether a per-axis quantized type has its scales along a dimension."""
    if isinstance(element, QuantizedType) and element.is_per_axis:
        actual = element.quantization_dimension
        return holds(actual == dimension, quantization_dimension=actual, expected=dimension)
    return None


@op("stablehlo.convolution", family=Family.CONTRACTION, traits=Trait.REAL_VALUED)
class Convolution(AnyConvolution):
    """Multiplies windows of ``lhs`` with slices of ``rhs`` and adds up the products.

    result[b, i, o] = sum over k, c of padded_lhs[b, i * window_strides + k * rhs_dilation, c]
    * rhs[k, c, o], where padded_lhs = pad(lhs, 0, padding[:, 0], padding[:, 1], lhs_dilation - 1)
    and i, k are indices in all spatial dimensions; k is reversed on the left where
    ``window_reversal`` is set. Feature groups split lhs and rhs by features, batch groups split
    lhs by its batch and rhs by output features; the results are concatenated along features.

    Source: StableHLO specification, convolution.
    """

    __slots__ = ()
    linearity = EITHER
    summary_attributes = ("dimension_numbers",)
    padding = define.optional_attribute("I4", SI64_MATRIX)
    assembly = (
        "`(` $lhs `,` $rhs `)` custom<ConvDimensions> `,` custom<WindowAttributes> "
        "attr-dict `:` functional-type"
    )

    @constraint
    def c4(self) -> Check:
        """shape(padding) = [N - 2, 2]"""
        if not self.padding:
            return None
        shape = len(self.padding), len(self.padding[0])
        spatial = self.lhs.type.rank - 2
        return holds(shape == (spatial, 2), shape=shape, **{"N - 2": spatial})

    def infer(self) -> TensorType | None:
        """C25, C26"""
        spatial = self.dimension_numbers.input_spatial_dimensions
        windows = self.windows_of(self.rhs.type.shape)
        return self.result_type(windows.counts([self.lhs.type.shape[d] for d in spatial]))

    def evaluate(self, *operands: Array, is_fast: bool = False, **_: object) -> Array:
        """Convolves all windows at once."""
        lhs, rhs = operands
        return self.convolve(lhs, rhs, self.windows_of(rhs.shape), is_fast=is_fast)

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """One product of matrices for all windows."""
        return partial(self.evaluate, is_fast=True)

    def windows_of(self, kernel_shape: Sequence[int]) -> WindowDimensions:
        """The windows for a shape of rhs."""
        sizes = [kernel_shape[d] for d in self.dimension_numbers.kernel_spatial_dimensions]
        return self.windows(self.padding or (), sizes)
