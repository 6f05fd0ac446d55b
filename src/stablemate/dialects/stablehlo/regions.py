"""Types of regions, and functions of regions on whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

import numpy as np

from stablemate.dialects.stablehlo.reducers import is_elementwise, returned_values
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Operation, Region
from stablemate.ir.definition import Check, RegionFunction, holds
from stablemate.ir.shapes import bound_dimensions, compatible
from stablemate.ir.types import DYNAMIC, FunctionType, TensorType, Type
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.quantization import dequantize, quantize
from stablemate.numerics.rounding import converter

ResultT = TypeVar("ResultT")

# The ufuncs of operations by which regions combine integers, booleans and floats.
UFUNCS: Final[dict[str, np.ufunc]] = {
    "add": np.add,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}

ArrayFunction: TypeAlias = Callable[
    ..., Sequence[Array]
]  # takes arrays of one shape, returns such arrays


def function_type(region: Region) -> FunctionType:
    """The types that a region of one block takes and returns."""
    arguments = region.block.arguments if region.blocks else ()
    return FunctionType(
        tuple(argument.type for argument in arguments),
        tuple(value.type for value in returned_values(region)),
    )


def is_promotable(x: ElementType, y: ElementType) -> bool:
    """Whether an element of type x can become one of type y to be reduced.

    Source: StableHLO specification, "Functions on types".
    """
    match x, y:
        case (IntegerType(), IntegerType()):
            return x.is_boolean == y.is_boolean and x.bits <= y.bits
        case (FloatType(), FloatType()) | (ComplexType(), ComplexType()):
            return x.bits <= y.bits
        case (QuantizedType(), QuantizedType()):
            return x.expressed == y.expressed and x.storage.bits <= y.storage.bits
        case _:
            return False


def reduces(body: Region, elements: Sequence[ElementType], *, name: str = "body") -> Check:
    """Whether a region combines two groups of scalars to which these elements can be promoted.

    Its type is ``(tensor<E0>, ..., tensor<E0>, ...) -> (tensor<E0>, ...)`` and
    ``is_promotable(elements[i], Ei)``. More lenient verifiers exist: they permit reducing floats in
    a narrower type, booleans in an integer type and whole tensors by regions on tensors, all
    contrary to the specification's ``is_promotable`` and ``tensor<E>``.
    """
    actual = function_type(body)
    fits = (
        actual.inputs == (*actual.results, *actual.results)
        and len(actual.results) == len(elements)
        and all(
            isinstance(result, TensorType)
            and not result.shape
            and is_promotable(element, result.element_type)
            for element, result in zip(elements, actual.results, strict=True)
        )
    )
    return holds(fits, **{name: actual, "element_types": [str(element) for element in elements]})


def accumulator_elements(body: Region) -> list[ElementType]:
    """The element type of each value that a reducer returns."""
    return [value.type.element_type for value in returned_values(body)]


def to_destination_type(x: Array, source: ElementType, destination: ElementType) -> Array:
    """The elements of x in a type to which they can be promoted; x itself if it is the same.

    Source: StableHLO specification, "Functions on values".
    """
    if source == destination:
        return x
    if isinstance(source, QuantizedType) and isinstance(destination, QuantizedType):
        result: Array = quantize(dequantize(x, source), destination)
        return result
    converted: Array = converter(source, destination)(x)
    return converted


def agree(shapes: Sequence[Sequence[int]]) -> bool:
    """Whether all these shapes can be equal at run time: no dimension has two static sizes."""
    ranks = {len(shape) for shape in shapes}
    return len(ranks) <= 1 and all(
        len(set(sizes) - {DYNAMIC}) <= 1 for sizes in zip(*shapes, strict=True)
    )


def same_types(a: Sequence[Type], b: Sequence[Type]) -> bool:
    """Whether values of these types can be of those types at run time."""
    return len(a) == len(b) and all(compatible(x, y) for x, y in zip(a, b, strict=True))


def least_specific(types: Sequence[Type]) -> Type:
    """The least specific of compatible types: that of a value of any of them."""
    first = types[0]
    if not isinstance(first, TensorType) or all(other == first for other in types):
        return first
    tensors = [value_type for value_type in types if isinstance(value_type, TensorType)]
    limits = [[size_or_bound(tensor, d) for tensor in tensors] for d in range(first.rank)]
    sizes = [{tensor.shape[d] for tensor in tensors} for d in range(first.rank)]
    shape = [size.pop() if len(size) == 1 else DYNAMIC for size in sizes]
    bounds = [DYNAMIC if DYNAMIC in limit else max(limit) for limit in limits]
    return bound_dimensions(first.with_shape(shape), bounds)


def size_or_bound(tensor_type: TensorType, d: int) -> int:
    """The size of a dimension, or its bound; DYNAMIC if it has neither."""
    size = tensor_type.shape[d]
    return tensor_type.bounds[d] if size == DYNAMIC and tensor_type.bounds else size


def with_shape_check(
    op: Operation, function: Callable[..., ResultT], guard: Callable[[Sequence[Array]], None]
) -> Callable[..., ResultT]:
    """The function, after a check of its operands if sizes are known only at run time."""
    if all(value.type.is_static for value in op.operands):
        return function

    def check_and_call(*operands: Array) -> ResultT:
        guard(operands)
        return function(*operands)

    return check_and_call


def require_one_shape(op: Operation, rule: str, operands: Sequence[Array]) -> None:
    """Ends the run unless all operands have one shape.

    Raises:
        EvaluationError: Their shapes differ.
    """
    shapes = [np.shape(operand) for operand in operands]
    require(op, len(set(shapes)) <= 1, rule, "the shapes are the same", shapes=shapes)


def on_arrays(region: Region, function: RegionFunction) -> ArrayFunction:
    """The function of a region on scalars, as a function on arrays of one shape.

    It is called once for whole arrays if the region is elementwise, else once per element in
    row-major order.
    """
    dtypes = [element.dtype for element in accumulator_elements(region)]

    def at_once(*arrays: Array) -> Sequence[Array]:
        shape = np.shape(arrays[0]) if arrays else ()
        return [np.broadcast_to(result, shape) for result in function(*arrays)]

    def one_by_one(*arrays: Array) -> Sequence[Array]:
        shape = np.shape(arrays[0]) if arrays else ()
        results = [np.empty(shape, dtype) for dtype in dtypes]
        for index in np.ndindex(*shape):
            values = function(*[np.asarray(array)[index] for array in arrays])
            for result, value in zip(results, values, strict=True):
                result[index] = value
        return results

    return at_once if is_elementwise(region) else one_by_one


def reduce_in_order(body: ArrayFunction, windows: Sequence[Array]) -> Sequence[Array]:
    """Combines the slices along the first dimension, pairwise and in order.

    Args:
        body: Takes two groups of arrays, returns one.
        windows: One array for each value that the body returns; ``(k, ...)`` with k > 0.

    Returns:
        The combined slices; ``(...)``.
    """
    rest: list[Sequence[Array]] = []  # slices still to be combined, the last one first
    while (size := len(windows[0])) > 1:
        if size % 2:
            rest.append([window[-1] for window in windows])
        end = size - size % 2
        left = [window[0:end:2] for window in windows]
        windows = body(*left, *(window[1:end:2] for window in windows))
    result: Sequence[Array] = [window[0] for window in windows]
    for last in reversed(rest):
        result = body(*result, *last)
    return result
