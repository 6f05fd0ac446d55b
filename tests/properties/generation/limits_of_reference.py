"""What the reference interpreter does not compute, or computes in ways known to be its alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonType, FftType
from stablemate.ir.core import Operation
from stablemate.numerics.elements import (
    COMPLEX64,
    IntegerType,
)
from tests.properties.generation.executor_limits import (
    Arrays,
    Limit,
    assumes_identity,
    elements,
    floats,
    has_nan,
    logistic_overflows,
    names,
    of_chlo,
    quantized,
    unordered_keys,
)
from tests.properties.generation.operations import base_name, combiner, element_of
from tests.properties.generation.tolerances import widest

ROUNDINGS: Final = frozenset(("ceil", "floor", "round_nearest_afz", "round_nearest_even"))
INDEXING: Final = frozenset(
    ["gather", "dynamic_gather", "scatter", "dynamic_slice", "dynamic_update_slice"]
)
UNSUPPORTED: Final = frozenset(
    [
        "batch_norm_grad",
        "batch_norm_inference",
        "batch_norm_training",
        "broadcast",
        "cholesky",
        "dot",
        "einsum",
        "real_dynamic_slice",
        "rng_bit_generator",
        "torch_index_select",
        "unary_einsum",
    ]
)


def initial_value_twice(operation: Operation, arrays: Arrays) -> bool:
    """Its select_and_scatter applies the initial value once too often."""
    return base_name(operation) == "select_and_scatter" and assumes_identity(operation, arrays)


def narrow_steps(operation: Operation, arrays: Arrays) -> bool:
    """Its logistic rounds the exponential, the sum and the quotient: too often for few bits."""
    element = element_of(operation.results[0])
    return base_name(operation) == "logistic" and element is not None and element.bits <= 8


def narrow_reductions(operation: Operation, arrays: Arrays) -> bool:
    """It takes the bits of all formats for those of IEEE's when it reduces their precision."""
    element = element_of(operation.results[0])
    return base_name(operation) == "reduce_precision" and element is not None and element.bits <= 8


def narrow_roundings(operation: Operation, arrays: Arrays) -> bool:
    """It rounds no number of a format with few exponent bits to an integer."""
    element = str(element_of(operation.results[0]))
    return base_name(operation) in ROUNDINGS and element in ("f8E3M4", "f6E2M3FN", "f4E2M1FN")


def scales_made_infinite(operation: Operation, arrays: Arrays) -> bool:
    """It converts NaN of f8E8M0FNU, which has no infinity, to infinity."""
    if base_name(operation) != "convert" or not has_nan(arrays):
        return False
    return str(element_of(operation.operands[0])) == "f8E8M0FNU"


def loses_negative_zero(operation: Operation, arrays: Arrays) -> bool:
    """It adds one to complex numbers as 1 + 0i, which takes -0i, below the branch cut of the
    logarithm, to 0i above it.
    """
    if base_name(operation) != "log_plus_one":
        return False
    x = arrays[operation.operands[0]]
    return x.dtype.kind == "c" and bool((np.signbit(x.imag) & (x.imag == 0) & (x.real < -1)).any())


def missing_in_reference(operation: Operation, arrays: Arrays) -> bool:
    """Operations that end its process, or give arbitrary results."""
    name, actual = base_name(operation), cast(Any, operation)
    if name == "fft":  # the half that is not there of IRFFT is not always what it should be
        return COMPLEX64 in elements(operation) or actual.fft_type is FftType.IRFFT
    if name == "convolution":
        return swaps_outputs(actual) or removes_too_much(actual)
    if name == "dot_general":  # has no sums of nothing
        return any(0 in x.shape for x in arrays.values())
    # triangular_solve reads beyond the ends of its operands
    is_missing = bool(names(operation) & UNSUPPORTED)
    return name == "triangular_solve" or is_missing


def swaps_outputs(convolution: Any) -> bool:
    """Where it takes the batch and the features of the result for one another."""
    numbers = convolution.dimension_numbers
    return bool(numbers.output_feature_dimension < numbers.output_batch_dimension)


def removes_too_much(convolution: Any) -> bool:
    """Where padding removes more elements than there are: it ends its process."""
    dimensions = convolution.dimension_numbers.input_spatial_dimensions
    sizes = [convolution.lhs.type.shape[d] for d in dimensions]
    windows = convolution.windows_of(convolution.rhs.type.shape)
    return min(windows.padded_shape(sizes), default=0) < 0


def order_of_updates(operation: Operation, arrays: Arrays) -> bool:
    """Updates of scatter in an order that shows: it takes elements of windows before windows."""
    if base_name(operation) != "scatter":
        return False
    rank = operation.operands[-1].type.rank
    windows = cast(Any, operation).scatter_dimension_numbers.update_window_dims
    is_last = windows == tuple(range(rank - len(windows), rank))
    count = len(operation.results)
    return not is_last and any(combiner(operation, i) in ("", "subtract") for i in range(count))


def signed_indices(operation: Operation, arrays: Arrays) -> bool:
    """Unsigned indices in the upper half of their range, which it takes for negative."""
    if base_name(operation) not in INDEXING:
        return False
    return any(
        x.dtype.kind == "u" and bool((x > np.iinfo(x.dtype).max // 2).any())
        for value, x in arrays.items()
        if value in operation.operands[1:]
    )


def no_total_order(operation: Operation, arrays: Arrays) -> bool:
    """The total order of floats, which it takes for the usual one."""
    orders = any(
        getattr(item.attributes.get("compare_type"), "value", None) is ComparisonType.TOTALORDER
        for item in operation.walk()
    )
    return orders and any(
        bool((np.isnan(widest(x)) | (widest(x) == 0)).any()) for x in floats(arrays)
    )


def divides_by_zero(operation: Operation, arrays: Arrays) -> bool:
    """Integer division by zero, and of the smallest integer by -1: the process ends."""
    if base_name(operation) not in ("divide", "remainder"):
        return False
    divisor = arrays[operation.operands[1]]
    is_integer = isinstance(element_of(operation.operands[1]), IntegerType)
    return is_integer and bool(np.any(np.isin(divisor.astype(np.int64), (0, -1))))


LIMITS: Final[Sequence[Limit]] = (
    of_chlo,
    quantized,
    unordered_keys,
    missing_in_reference,
    divides_by_zero,
    initial_value_twice,
    narrow_reductions,
    narrow_roundings,
    logistic_overflows,
    narrow_steps,
    scales_made_infinite,
    loses_negative_zero,
    signed_indices,
    order_of_updates,
    no_total_order,
)
