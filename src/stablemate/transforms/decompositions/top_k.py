"""Custom calls that take the first elements of slices in an order: as a sort and its beginning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.sort import Sort
from stablemate.dialects.stablehlo.tuple import Tuple
from stablemate.execution.custom_calls.call import target_call
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.rewriter import Pattern, Replacement, Rewriting
from stablemate.ir.types import TensorType, TupleType, Type, tensor
from stablemate.numerics.elements import I32, ComplexType, FloatType

Computations: TypeAlias = Sequence[FuncOp | None]

MHLO_ATTRIBUTES: Final = "mhlo.attributes"


def custom_top_k(functions: Mapping[str, FuncOp]) -> Pattern:
    """The pattern of custom calls; those that are no top-k of static shapes are left alone.

    Args:
        functions: The functions of the module, of which a call hands on its comparator.
    """

    def rewrite(operation: CustomCall, builder: Builder) -> Replacement:
        target = operation.call_target_name
        types = [*(v.type for v in operation.operands), *result_types_of(operation)]
        if target not in TARGETS or target in REGISTERED or not operation.operands:
            return None
        if not all(isinstance(t, TensorType) and t.is_static for t in types):
            return None
        computations = [
            functions.get(called_computation)
            for called_computation in operation.called_computations
        ]
        results = TARGETS[target](operation, computations, builder)
        if results is None or not returns_tuple(operation):
            return results
        return builder.create(Tuple, val=results).results

    return rewrite


def returns_tuple(operation: Operation) -> bool:
    """Whether a call has one result, a tuple."""
    return len(operation.results) == 1 and isinstance(operation.results[0].type, TupleType)


def result_types_of(operation: Operation) -> Sequence[Type]:
    """The types of the results of a call, or of the elements of the tuple that it returns."""
    if returns_tuple(operation):
        types: Sequence[Type] = operation.results[0].type.types
        return types
    return [value.type for value in operation.results]


def extremes(operation: Operation, computations: Computations, builder: Builder) -> Replacement:
    """The largest or smallest elements along the last dimension, with their places."""
    call, operand = target_call(operation, ()), operation.operands[0]
    shape, element = operand.type.shape, operand.type.element_type
    config: Mapping[str, Any] = call.attributes.get(MHLO_ATTRIBUTES) or call.config
    returned: Sequence[Any] = result_types_of(operation)
    k = config.get("k", returned[0].shape[-1] if shape and returned else 0)
    result_types = [operand.type.with_shape((*shape[:-1], k)), TensorType((*shape[:-1], k), I32)]
    if (
        not shape
        or isinstance(element, ComplexType)
        or computations
        or len(operation.operands) != 1
        or not isinstance(k, int)
        or not 0 <= k <= shape[-1]
        or list(returned) != result_types
    ):
        return None
    largest = bool(config.get("largest", True))
    scalars = [tensor(scalar) for scalar in (element, element, I32, I32)]
    places = builder.create(
        Iota, iota_dimension=len(shape) - 1, results=[operand.type.with_element(I32)]
    )
    region = builder.region(scalars, comparator(largest=largest))
    return sorted_beginnings(
        builder, [operand, places.results[0]], region, len(shape) - 1, result_types
    )


def comparator(*, largest: bool) -> Callable[..., None]:
    """Fills a comparator: whether the first of two elements comes first."""

    def body(builder: Builder, lhs: Value, rhs: Value, *_: Value) -> None:
        is_float = isinstance(lhs.type.element_type, FloatType)
        compared = builder.create(
            Compare,
            lhs=lhs,
            rhs=rhs,
            comparison_direction=ComparisonDirection.GT if largest else ComparisonDirection.LT,
            compare_type=ComparisonType.TOTALORDER if is_float else None,
        )
        builder.create(Return, values=compared.results)

    return body


def first_elements(
    operation: Operation, computations: Computations, builder: Builder
) -> Replacement:
    """The first elements of several tensors by a comparator; short slices are filled up."""
    call = target_call(operation, ())
    count = len(operation.operands) // 2
    inputs, fillers = operation.operands[:count], operation.operands[count:]
    body = comparator_of(computations[0]) if computations else None
    returned: Sequence[Any] = result_types_of(operation)
    dimension, shape = call.config.get("reduction_dim"), inputs[0].type.shape
    if (
        body is None
        or len(fillers) != count
        or len(returned) != count
        or not isinstance(dimension, int)
        or not -len(shape) <= dimension < len(shape)
        or any(value.type.shape != shape for value in inputs)
        or any(value.type.shape != () for value in fillers)
    ):
        return None
    along = dimension % len(shape)
    size = returned[0].shape[along]
    result_types = [resize_dimension(value.type, along, size) for value in inputs]
    if list(returned) != result_types:
        return None
    missing = size - shape[along]
    if missing > 0:
        sorted_ = sorted_beginnings(builder, inputs, body, along, [value.type for value in inputs])
        high = [missing if d == along else 0 for d in range(len(shape))]
        nothing = [0] * len(shape)
        return [
            builder.create(
                Pad,
                operand=value,
                padding_value=filler,
                edge_padding_low=nothing,
                edge_padding_high=high,
                interior_padding=nothing,
            ).results[0]
            for value, filler in zip(sorted_, fillers, strict=True)
        ]
    return sorted_beginnings(builder, inputs, body, along, result_types)


def comparator_of(function: FuncOp | None) -> Region | None:
    """A copy of a function that a call hands on, as a region."""
    if function is None or len(function.body.blocks) != 1:
        return None
    rewriting, old = Rewriting({}), function.body.block
    new = Block([argument.type for argument in old.arguments])
    rewriting.values.update(zip(old.arguments, new.arguments, strict=True))
    for operation in old.operations[:-1]:
        rewriting.place(operation, new)
    returned = [rewriting.values.get(operand, operand) for operand in old.terminator.operands]
    Builder(new).create(Return, values=returned)
    return Region([new])


def sorted_beginnings(
    builder: Builder,
    values: Sequence[Value],
    region: Region,
    dimension: int,
    result_types: Sequence[TensorType],
) -> list[Value[TensorType]]:
    """The first elements of tensors that are sorted together, converted to given types."""
    slices = builder.create(
        Sort, inputs=values, dimension=dimension, is_stable=True, regions=[region]
    )
    return [
        value
        if value.type == result_type
        else builder.create(
            Slice,
            operand=value,
            start_indices=[0] * result_type.rank,
            limit_indices=list(result_type.shape),
            strides=[1] * result_type.rank,
        ).results[0]
        for value, result_type in zip(slices.results, result_types, strict=True)
    ]


def resize_dimension(old: TensorType, dimension: int, size: int) -> TensorType:
    """A type with another size of a dimension."""
    return old.with_shape([size if d == dimension else n for d, n in enumerate(old.shape)])


TARGETS: Final[Mapping[str, Callable[[Any, Computations, Builder], Replacement]]] = {
    "ApproxTopK": first_elements,
    "PartialReduce": first_elements,
    "TopK": extremes,
    "__custom$TopK": extremes,
    "mhlo.topk": extremes,
}
