"""stablehlo.dot_general."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.attributes import (
    DOT_ALGORITHM,
    DOT_DIMENSION_NUMBERS,
    PRECISION_CONFIG,
    DotDimensionNumbers,
    Precision,
)
from stablemate.dialects.stablehlo.baseline import expressed_type, lift_to_quantized
from stablemate.dialects.stablehlo.contraction import (
    any_quantized,
    hybrid,
    matrix_products,
    per_tensor_like,
    quantized_like,
    same_expressed,
    same_kind,
    same_storage,
)
from stablemate.dialects.stablehlo.dot_algorithms import algorithm_products, is_known
from stablemate.dialects.stablehlo.ordered_sums import (
    MatrixProducts,
    ordered_products,
    product_of,
)
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.shapes import (
    bound_dimensions,
    most_specific,
    remaining_dimensions,
    same_shape,
    same_sizes,
)
from stablemate.ir.traits import EITHER, Family, Trait, Work
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, ElementType, FloatType, QuantizedType

Product: TypeAlias = Callable[[Array, Array], Array]  # of matrices (..., m, k) and (..., k, n)
Contraction: TypeAlias = Callable[[Product, Array, Array], Array]


class AnyDot(Op):
    """A dot; subclasses define the dimension numbers."""

    __slots__ = ()
    lhs = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    rhs = define.operand("I2", ANY_TENSOR)

    @property
    @abstractmethod
    def numbers(self) -> DotDimensionNumbers:
        """Which dimensions are batching and contracting."""

    @property
    def element_types(self) -> tuple[ElementType, ElementType, ElementType]:
        """The element types of lhs, rhs and the result."""
        result: TensorType = self.results[0].type
        return self.lhs.type.element_type, self.rhs.type.element_type, result.element_type

    def work(self) -> Work:
        """A product and a sum for each element of the result and of the contracted dimensions."""
        contracted = self.numbers.lhs_contracting_dimensions
        depth = math.prod(self.lhs.type.shape[dimension] for dimension in contracted)
        return Work(2 * self.results[0].type.size * depth)

    def infer(self) -> TensorType | None:
        """The batching dimensions, then the remaining ones of lhs and rhs, with their bounds."""
        numbers, lhs, rhs = self.numbers, self.lhs.type, self.rhs.type
        lhs_result, rhs_result = result_dimensions(numbers, lhs.rank, rhs.rank)
        batching = most_specific(
            [
                select_dimensions(lhs, numbers.lhs_batching_dimensions),
                select_dimensions(rhs, numbers.rhs_batching_dimensions),
            ]
        )
        parts = [batching, select_dimensions(lhs, lhs_result), select_dimensions(rhs, rhs_result)]
        if not self.results and isinstance(lhs.element_type, QuantizedType):
            return None  # scale and zero point are free
        element = (self.results[0] if self.results else self.lhs).type.element_type
        bounds = [bound for part in parts for bound in part.bounds or (DYNAMIC,) * part.rank]
        shape = [size for part in parts for size in part.shape]
        return bound_dimensions(TensorType(tuple(shape), element), bounds)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Batches of products of matrices."""
        return self.prepare(())(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """Selects the layout of operands as matrices and their product, once."""
        return self.contraction_by(ordered_products)

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """The same with sums in the order of NumPy, which multiplies matrices by BLAS."""
        return self.contraction_by(matrix_products)

    def contraction_by(self, products: MatrixProducts) -> Callable[..., Array]:
        """The function of the operands that multiplies matrices in this way."""
        left, right, result = self.element_types
        if not same_kind(expressed_type(left), expressed_type(right), expressed_type(result)):
            message = f"{self.name} of {left} and {right} as {result}"
            raise UnsupportedError(message, span=self.span)
        dot = contraction(self.numbers, self.lhs.type.rank, self.rhs.type.rank)
        function = partial(dot, self.product(expressed_type(result), products))
        if any_quantized(left, right, result):
            return lift_to_quantized(function, (left, right), result)
        return function

    def product(self, element: ElementType, products: MatrixProducts) -> Product:
        """The product of matrices with results of a type."""
        left, right, _ = self.element_types
        return product_of(expressed_type(left), expressed_type(right), element, products)


@op("stablehlo.dot_general", family=Family.CONTRACTION, traits=Trait.REAL_VALUED)
class DotGeneral(AnyDot):
    """Multiplies elements of ``lhs`` and ``rhs`` and adds up along the contracting dimensions.

    result[b..., i..., j...] = sum over k... of lhs[b..., i..., k...] * rhs[b..., k..., j...]
    with batching dimensions b, contracting dimensions k and all others, i and j, in their order.

    Source: StableHLO specification, dot_general.
    """

    __slots__ = ()
    linearity = EITHER
    opcodes = ("dot",)
    summary_attributes = ("dot_dimension_numbers",)
    dot_dimension_numbers = define.attribute("I3", DOT_DIMENSION_NUMBERS)
    precision_config = define.optional_attribute("I7", PRECISION_CONFIG)
    algorithm = define.optional_attribute("I8", DOT_ALGORITHM)
    result = define.result(ANY_TENSOR, shape="C12")
    assembly = (
        "$lhs `,` $rhs custom<DotDimensions> (`,` `precision` `=` $precision_config)? "
        "custom<DotAlgorithm> attr-dict `:` functional-type"
    )

    @property
    def numbers(self) -> DotDimensionNumbers:
        """Which dimensions are batching and contracting."""
        return self.dot_dimension_numbers

    @constraint
    def c1(self) -> Check:
        """size(lhs_batching_dimensions) = size(rhs_batching_dimensions)"""
        numbers = self.dot_dimension_numbers
        lhs, rhs = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        return holds(len(lhs) == len(rhs), lhs_batching_dimensions=lhs, rhs_batching_dimensions=rhs)

    @constraint
    def c2(self) -> Check:
        """size(lhs_contracting_dimensions) = size(rhs_contracting_dimensions)"""
        numbers = self.dot_dimension_numbers
        lhs, rhs = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
        return holds(
            len(lhs) == len(rhs), lhs_contracting_dimensions=lhs, rhs_contracting_dimensions=rhs
        )

    @constraint
    def c3(self) -> Check:
        """is_unique(lhs_batching_dimensions + lhs_contracting_dimensions)"""
        numbers = self.dot_dimension_numbers
        dimensions = numbers.lhs_batching_dimensions + numbers.lhs_contracting_dimensions
        return holds(len(set(dimensions)) == len(dimensions), dimensions=dimensions)

    @constraint
    def c4(self) -> Check:
        """is_unique(rhs_batching_dimensions + rhs_contracting_dimensions)"""
        numbers = self.dot_dimension_numbers
        dimensions = numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions
        return holds(len(set(dimensions)) == len(dimensions), dimensions=dimensions)

    @constraint
    def c5(self) -> Check:
        """0 <= lhs_batching_dimensions < rank(lhs)"""
        dimensions = self.dot_dimension_numbers.lhs_batching_dimensions
        return within(self.lhs.type, lhs_batching_dimensions=dimensions)

    @constraint
    def c6(self) -> Check:
        """0 <= lhs_contracting_dimensions < rank(lhs)"""
        dimensions = self.dot_dimension_numbers.lhs_contracting_dimensions
        return within(self.lhs.type, lhs_contracting_dimensions=dimensions)

    @constraint
    def c7(self) -> Check:
        """0 <= rhs_batching_dimensions < rank(rhs)"""
        dimensions = self.dot_dimension_numbers.rhs_batching_dimensions
        return within(self.rhs.type, rhs_batching_dimensions=dimensions)

    @constraint
    def c8(self) -> Check:
        """0 <= rhs_contracting_dimensions < rank(rhs)"""
        dimensions = self.dot_dimension_numbers.rhs_contracting_dimensions
        return within(self.rhs.type, rhs_contracting_dimensions=dimensions)

    @constraint
    def c9(self) -> Check:
        """dim(lhs, lhs_batching_dimensions...) = dim(rhs, rhs_batching_dimensions...)"""
        numbers = self.dot_dimension_numbers
        lhs = select_dimensions(self.lhs.type, numbers.lhs_batching_dimensions)
        rhs = select_dimensions(self.rhs.type, numbers.rhs_batching_dimensions)
        return holds(same_sizes(lhs, rhs), lhs=lhs.shape, rhs=rhs.shape)

    @constraint
    def c10(self) -> Check:
        """dim(lhs, lhs_contracting_dimensions...) = dim(rhs, rhs_contracting_dimensions...)"""
        numbers = self.dot_dimension_numbers
        lhs = [self.lhs.type.shape[d] for d in numbers.lhs_contracting_dimensions]
        rhs = [self.rhs.type.shape[d] for d in numbers.rhs_contracting_dimensions]
        return holds(same_shape(lhs, rhs), lhs=lhs, rhs=rhs)

    @constraint
    def c11(self) -> Check:
        """size(precision_config) = 2"""
        # Fewer are accepted as well: a missing one is DEFAULT, and producers omit them.
        size = len(self.precision_config or ())
        return holds(size <= 2, size=size)

    @constraint
    def c13(self) -> Check:
        """element_type(lhs) = element_type(rhs)"""
        # Two floats of 8 bits are accepted as well: producers multiply E4M3 with E5M2.
        lhs, rhs, _ = self.element_types
        fits = lhs == rhs or (is_8_bit_float(lhs) and is_8_bit_float(rhs))
        return holds(fits or any_quantized(*self.element_types), lhs=lhs, rhs=rhs)

    @constraint
    def c14(self) -> Check:
        """is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)"""
        return quantized_like(*self.element_types)

    @constraint
    def c15(self) -> Check:
        """zero_points(rhs) = 0"""
        rhs = self.rhs.type.element_type
        zero_points = rhs.zero_points if isinstance(rhs, QuantizedType) else ()
        return holds(not any(zero_points), zero_points=zero_points)

    @constraint
    def c16(self) -> Check:
        """quantization_dimension(rhs) not in rhs_contracting_dimensions, if it has one"""
        rhs = self.rhs.type.element_type
        contracting = self.dot_dimension_numbers.rhs_contracting_dimensions
        dimension = rhs.quantization_dimension if isinstance(rhs, QuantizedType) else None
        return holds(
            dimension not in contracting,
            quantization_dimension=dimension,
            rhs_contracting_dimensions=contracting,
        )

    @constraint
    def c17(self) -> Check:
        """is_quantized(lhs): storage_type(lhs) = storage_type(rhs)"""
        return same_storage(*self.element_types[:2])

    @constraint
    def c18(self) -> Check:
        """is_quantized(lhs): expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)"""
        return same_expressed(*self.element_types)

    @constraint
    def c19(self) -> Check:
        """is_quantized(lhs) and is_per_tensor_quantized(rhs): is_per_tensor_quantized(result)"""
        return per_tensor_like(*self.element_types[1:])

    @constraint
    def c20(self) -> Check:
        """!is_quantized(lhs): element_type(lhs) = expressed_type(rhs) = element_type(result)"""
        return hybrid(*self.element_types)

    @constraint
    def c21(self) -> Check:
        """If an algorithm is given: precision_config... = DEFAULT"""
        config = [precision.value for precision in self.precision_config or ()]
        fits = self.algorithm is None or all(value == Precision.DEFAULT.value for value in config)
        return holds(fits, precision_config=config)

    @constraint
    def c22(self) -> Check:
        """0 < lhs_component_count"""
        count = self.algorithm.lhs_component_count if self.algorithm else 1
        return holds(count > 0, lhs_component_count=count)

    @constraint
    def c23(self) -> Check:
        """0 < rhs_component_count"""
        count = self.algorithm.rhs_component_count if self.algorithm else 1
        return holds(count > 0, rhs_component_count=count)

    @constraint
    def c24(self) -> Check:
        """0 < num_primitive_operations"""
        count = self.algorithm.num_primitive_operations if self.algorithm else 1
        return holds(count > 0, num_primitive_operations=count)

    @constraint
    def i8(self) -> Check:
        """is_known(algorithm)"""
        return holds(self.algorithm is None or is_known(self.algorithm), algorithm=self.algorithm)

    def product(self, element: ElementType, products: MatrixProducts) -> Product:
        """The product of matrices with results of a type; an algorithm is for floats."""
        if self.algorithm is not None and isinstance(element, FloatType):
            return algorithm_products(self.algorithm, element, products)
        return super().product(element, products)


def is_8_bit_float(element: ElementType) -> bool:
    """Whether this is one of the floating-point types of 8 bits."""
    return isinstance(element, FloatType) and element.bits == 8


def within(operand: TensorType, **sequence: Sequence[int]) -> Check:
    """Whether dimensions, given by their name, are dimensions of an operand."""
    ((name, dimensions),) = sequence.items()
    fits = all(0 <= d < operand.rank for d in dimensions)
    return holds(fits, **{name: tuple(dimensions)}, rank=operand.rank)


def select_dimensions(operand: TensorType, dimensions: Iterable[int]) -> TensorType:
    """The type with only some of the dimensions, in the given order, and their bounds."""
    selected_dims = tuple(dimensions)
    bounds = operand.bounds or (DYNAMIC,) * operand.rank
    shape = tuple(operand.shape[d] for d in selected_dims)
    return bound_dimensions(operand.with_shape(shape), [bounds[d] for d in selected_dims])


def result_dimensions(
    numbers: DotDimensionNumbers, lhs_rank: int, rhs_rank: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dimensions of lhs and of rhs that are neither batching nor contracting."""
    lhs_used = numbers.lhs_batching_dimensions + numbers.lhs_contracting_dimensions
    rhs_used = numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions
    return remaining_dimensions(lhs_rank, lhs_used), remaining_dimensions(rhs_rank, rhs_used)


def contraction(numbers: DotDimensionNumbers, lhs_rank: int, rhs_rank: int) -> Contraction:
    """The function that arranges operands as matrices, multiplies them and arranges the result."""
    lhs_result, rhs_result = result_dimensions(numbers, lhs_rank, rhs_rank)
    lhs_order = (*numbers.lhs_batching_dimensions, *lhs_result, *numbers.lhs_contracting_dimensions)
    rhs_order = (*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions, *rhs_result)
    batching, rows = len(numbers.lhs_batching_dimensions), len(lhs_result)
    inner = len(numbers.rhs_contracting_dimensions)
    are_matrices = rows == inner == len(rhs_result) == 1

    def contract(product: Product, lhs: Array, rhs: Array) -> Array:
        left, right = lhs.transpose(lhs_order), rhs.transpose(rhs_order)
        if are_matrices:
            return product(left, right)
        batch = left.shape[:batching]
        row_sizes, sizes = left.shape[batching : batching + rows], left.shape[batching + rows :]
        column_sizes, depth = right.shape[batching + inner :], math.prod(sizes)
        flat = product(
            left.reshape(*batch, math.prod(row_sizes), depth),
            right.reshape(*batch, depth, math.prod(column_sizes)),
        )
        return flat.reshape((*batch, *row_sizes, *column_sizes))

    return contract
