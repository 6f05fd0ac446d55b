"""What XLA does not compute for a CPU, or computes in ways that are known to be its alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import ml_dtypes
import numpy as np

from stablemate.ir.core import Operation
from stablemate.numerics.elements import (
    BOOLEAN,
    ComplexType,
    FloatType,
    IntegerType,
)
from tests.properties.generation.executor_limits import (
    REDUCING,
    Arrays,
    Limit,
    assumes_identity,
    beyond_poles,
    elements,
    floats,
    has_nan,
    logistic_overflows,
    not_legalized,
    quantized,
    unordered_keys,
)
from tests.properties.generation.operations import MOVES, base_name, element_of
from tests.properties.generation.tolerances import SATURATING, is_flushable, wide, widest

MISSING: Final = frozenset(
    [
        "dynamic_gather",
        "dynamic_pad",
        "mulhi",
        "ragged_dot",
        "real_dynamic_slice",
        "unary_einsum",
    ]
)
# Where XLA mixes up packed bits with the bytes that they stand in.
PACKED: Final = frozenset(
    [
        "bitcast_convert",
        "concatenate",
        "convolution",
        "count_leading_zeros",
        "dot",
        "dot_general",
        "einsum",
        "popcnt",
        "sort",
        "top_k",
    ]
)


def partial_windows(operation: Operation, arrays: Arrays) -> bool:
    """Windows of scatter that lie in and out of bounds: XLA skips them, the specification only
    the elements that lie outside.
    """
    if base_name(operation) != "scatter":
        return False
    numbers = cast(Any, operation.attributes["scatter_dimension_numbers"])
    n = len(operation.operands) // 2
    shape, updates = (operation.operands[i].type.shape for i in (0, n + 1))
    indices = arrays[operation.operands[n]]
    dropped = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    kept = iter(updates[d] for d in numbers.update_window_dims)
    window = [1 if d in dropped else next(kept) for d in range(len(shape))]
    if numbers.index_vector_dim == indices.ndim:
        indices = indices[..., np.newaxis]
    starts = np.moveaxis(indices, numbers.index_vector_dim, 0).astype(object)
    is_in, is_out = np.ones(starts.shape[1:], bool), np.zeros(starts.shape[1:], bool)
    for start, d in zip(starts, numbers.scatter_dims_to_operand_dims, strict=True):
        is_in &= (start < shape[d]) & (start + window[d] > 0)
        is_out |= (start < 0) | (start + window[d] > shape[d])
    return bool((is_in & is_out).any())


def missing_in_xla(operation: Operation, arrays: Arrays) -> bool:
    """Types and operations without code for a CPU."""
    if any(str(element).startswith("f6") for element in elements(operation)):
        return True
    name = base_name(operation)
    is_complex = isinstance(element_of(operation.results[0]), ComplexType)
    is_packed = any(element.bits < 8 and element != BOOLEAN for element in elements(operation))
    return (
        name in MISSING
        or not_legalized(operation)
        or (name == "cbrt" and is_complex)
        or (name == "bitcast_convert" and is_complex)
        or (name in PACKED and is_packed)
    )


def mixed_floats(operation: Operation, arrays: Arrays) -> bool:
    """Floats of several types in one operation with a region: XLA's own verifier says no."""
    if base_name(operation) not in ("map", "sort", "scatter", *REDUCING):
        return False
    parts = {e.element if isinstance(e, ComplexType) else e for e in elements(operation)}
    return len([part for part in parts if isinstance(part, FloatType)]) > 1


def mixed_layouts(operation: Operation, arrays: Arrays) -> bool:
    """Packed and whole bytes in one reduction: the layouts differ, which XLA asserts against."""
    if base_name(operation) != "reduce":
        return False
    types = [element_of(value) for value in operation.operands]
    return len({value_type.bits < 8 and value_type != BOOLEAN for value_type in types}) > 1


def flushes_denormals(operation: Operation, arrays: Arrays) -> bool:
    """Denormals that are computed with: XLA takes them for zeros on a CPU."""
    if base_name(operation) in MOVES:
        return False
    return any(bool(is_flushable(x).any()) for x in floats(arrays))


def large_exponents(operation: Operation, arrays: Arrays) -> bool:
    """Integer powers with exponents from 64 on, of which XLA sees the last six bits, or whose
    exponents it takes for negative.
    """
    exponents = arrays.get(operation.operands[-1]) if operation.operands else None
    return (
        base_name(operation) == "power"
        and isinstance(element_of(operation.results[0]), IntegerType)
        and exponents is not None
        and bool((exponents.astype(object) >= 64).any())
    )


def nan_without_mantissa(operation: Operation, arrays: Arrays) -> bool:
    """NaN rounded to no bits of a mantissa is infinity, but not in XLA's code for a CPU."""
    return (
        base_name(operation) == "reduce_precision"
        and cast(Any, operation).mantissa_bits == 0
        and has_nan(arrays)
    )


def ends_of_saturating_formats(operation: Operation, arrays: Arrays) -> bool:
    """The largest number of f4E2M1FN as an integer: XLA compares with the largest integer, rounded
    to the same number, and takes it for too large.
    """
    if base_name(operation) != "convert" or str(element_of(operation.operands[0])) != "f4E2M1FN":
        return False
    return isinstance(element_of(operation.results[0]), IntegerType)


def infinities_of_saturating_formats(operation: Operation, arrays: Arrays) -> bool:
    """Infinities where a format has neither them nor NaN: XLA compares with one all the same."""
    asked = base_name(operation) in ("is_inf", "is_neg_inf", "is_pos_inf")
    return asked and str(element_of(operation.operands[0])) in SATURATING


def reversed_whole(operation: Operation, arrays: Arrays) -> bool:
    """Convolutions with a single reversed window: XLA computes a dot and forgets to reverse."""
    if base_name(operation) != "convolution":
        return False
    actual = cast(Any, operation)
    dimensions = actual.dimension_numbers.output_spatial_dimensions
    return any(actual.window_reversal or ()) and all(
        actual.result.type.shape[d] == 1 for d in dimensions
    )


def rounds_through_f16(operation: Operation, arrays: Arrays) -> bool:
    """Roots and quotients in f8E3M4: XLA rounds to f16 first, which has too few bits for that."""
    is_rounded = base_name(operation) in ("sqrt", "divide")
    return is_rounded and str(element_of(operation.results[0])) == "f8E3M4"


def reciprocals_of_broadcasts(operation: Operation, arrays: Arrays) -> bool:
    """Quotients by what is broadcast: XLA multiplies by the reciprocals, which it rounds first."""
    if operation.name != "chlo.broadcast_divide":
        return False
    divisor, quotient = arrays[operation.operands[1]], operation.results[0]
    return divisor.shape != cast(Any, quotient.type).shape


def sorted_by_negative_dimension(operation: Operation, arrays: Arrays) -> bool:
    """A sort along dimension -2 and below: XLA leaves everything unsorted."""
    return base_name(operation) == "sort" and cast(Any, operation).dimension < -1


def sorted_twice(operation: Operation, arrays: Arrays) -> bool:
    """A sort that is given one value twice: XLA may leave everything unsorted."""
    return base_name(operation) == "sort" and len(set(operation.operands)) < len(operation.operands)


def sums_of_scales(operation: Operation, arrays: Arrays) -> bool:
    """Products in f8E8M0FNU, which has no zero for XLA to begin their sums with."""
    is_sum = base_name(operation) in ("convolution", "dot", "dot_general", "einsum")
    return is_sum and str(element_of(operation.results[0])) == "f8E8M0FNU"


def neighbors_without_sign(operation: Operation, arrays: Arrays) -> bool:
    """Neighbors in f8E8M0FNU, where XLA takes a bit of the exponent for a sign; above the largest
    negative number where zero has no sign: XLA gives the bits of -0, which are NaN there.
    """
    if base_name(operation) != "next_after":
        return False
    element = str(element_of(operation.results[0]))
    if not element.endswith("FNUZ"):
        return element == "f8E8M0FNU"
    x = arrays[operation.operands[0]]
    return bool((wide(x) == -float(ml_dtypes.finfo(x.dtype).smallest_subnormal)).any())


def zeros_between_groups(operation: Operation, arrays: Arrays) -> bool:
    """Convolutions in groups of what is not finite: XLA multiplies it by the zeros of a kernel for
    all groups at once.
    """
    if base_name(operation) != "convolution":
        return False
    actual = cast(Any, operation)
    groups = actual.feature_group_count * actual.batch_group_count
    return groups > 1 and not all(np.isfinite(widest(x)).all() for x in floats(arrays))


def tied_selection(operation: Operation, arrays: Arrays) -> bool:
    """Equal elements in windows of several dimensions: the first is to be kept or the last, but
    XLA goes through windows in another order.
    """
    if base_name(operation) != "select_and_scatter":
        return False
    operand = arrays[operation.operands[0]]
    sizes = cast(Any, operation).window_dimensions
    return sum(size > 1 for size in sizes) > 1 and len(np.unique(operand)) < operand.size


def ordered_by_real_part(operation: Operation, arrays: Arrays) -> bool:
    """Complex numbers with equal real parts: XLA compares nothing else."""
    if base_name(operation) not in ("maximum", "minimum"):
        return False
    lhs, rhs = (arrays[value] for value in operation.operands)
    return lhs.dtype.kind == "c" and bool(np.isin(lhs.real, rhs.real).any())


def no_index_components(operation: Operation, arrays: Arrays) -> bool:
    """A scatter whose index vectors are empty: XLA makes only the last update, or fails."""
    if base_name(operation) != "scatter":
        return False
    return not cast(Any, operation).scatter_dimension_numbers.scatter_dims_to_operand_dims


LIMITS: Final[Sequence[Limit]] = (
    quantized,
    beyond_poles,
    unordered_keys,
    missing_in_xla,
    mixed_floats,
    mixed_layouts,
    flushes_denormals,
    assumes_identity,
    partial_windows,
    large_exponents,
    no_index_components,
    nan_without_mantissa,
    ends_of_saturating_formats,
    logistic_overflows,
    infinities_of_saturating_formats,
    reversed_whole,
    rounds_through_f16,
    reciprocals_of_broadcasts,
    sorted_by_negative_dimension,
    sorted_twice,
    sums_of_scales,
    neighbors_without_sign,
    zeros_between_groups,
    tied_selection,
    ordered_by_real_part,
)
