"""top_k: a stable sort in descending total order, of which the beginning is taken."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.chlo.top_k import TopK
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.iota import DynamicIota, Iota
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.sort import Sort
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32, ComplexType, FloatType
from stablemate.transforms.chlo.shapes import concatenated_sizes, integers, shape_of, size_of


def top_k(operation: TopK, builder: Builder) -> Sequence[Value[TensorType]]:
    """The pattern of top_k; NaN is the largest number, as in XLA."""
    operand = operation.operand
    element = operand.type.element_type
    if isinstance(element, ComplexType):
        raise UnsupportedError(f"chlo.top_k: {element} has no total order", span=operation.span)
    sort = builder.create(
        Sort,
        inputs=[operand, positions(builder, operand)],
        dimension=operand.type.rank - 1,
        is_stable=operation.is_stable,
        regions=[
            builder.region(
                [
                    scalar
                    for scalar_type in (element, I32)
                    for scalar in (TensorType((), scalar_type),) * 2
                ],
                greater,
            )
        ],
    )
    return [
        beginning(builder, value, operation.k, result.type)
        for value, result in zip(sort.results, operation.results, strict=True)
    ]


def greater(
    builder: Builder, lhs: Value[TensorType], rhs: Value[TensorType], *_: Value[TensorType]
) -> None:
    """The body of a comparator: whether the first value is larger than the second."""
    is_float = isinstance(lhs.type.element_type, FloatType)
    compared = builder.create(
        Compare,
        lhs=lhs,
        rhs=rhs,
        comparison_direction=ComparisonDirection.GT,
        compare_type=ComparisonType.TOTALORDER if is_float else None,
    )
    builder.create(Return, values=compared.results)


def positions(builder: Builder, operand: Value[TensorType]) -> Value[TensorType]:
    """The position of each element along the last dimension."""
    index_type, dimension = operand.type.with_element(I32), operand.type.rank - 1
    if index_type.is_static:
        return builder.create(Iota, iota_dimension=dimension, results=[index_type]).results[0]
    shape = shape_of(builder, operand)
    return builder.create(
        DynamicIota, output_shape=shape, iota_dimension=dimension, results=[index_type]
    ).results[0]


def beginning(
    builder: Builder, value: Value[TensorType], k: int, result: TensorType
) -> Value[TensorType]:
    """The first k elements along the last dimension, as a value of a type."""
    rank, shape = value.type.rank, value.type.shape
    if value.type.is_static:
        return builder.create(
            Slice,
            operand=value,
            start_indices=[0] * rank,
            limit_indices=[*shape[:-1], k],
            strides=[1] * rank,
            results=[result],
        ).results[0]
    sizes = [size_of(builder, value, d) for d in range(rank - 1)]
    return builder.create(
        RealDynamicSlice,
        operand=value,
        start_indices=integers(builder, [0] * rank),
        limit_indices=concatenated_sizes(builder, [*sizes, integers(builder, k)]),
        strides=integers(builder, [1] * rank),
        results=[result],
    ).results[0]
