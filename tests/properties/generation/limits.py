"""What the other executors do not compute, or compute in ways that are known to be theirs alone.

An operation that is left out is not compared with that executor; programs go on behind it with our
value. Each entry says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonType, FftType
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType, TupleType
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from tests.properties.generation import bodies
from tests.properties.generation.rules import (
    MOVES,
    base_name,
    combiner,
    element_of,
    is_float,
    is_flushable,
    widest,
)

Arrays = Mapping[Value[Any], Array]  # what the values that an operation uses hold
Limit = Callable[[Operation, Arrays], bool]

# Where XLA mixes up packed bits with the bytes that they stand in.
PACKED: Final = frozenset(
    [
        "bitcast_convert",
        "concatenate",
        "count_leading_zeros",
        "dot",
        "dot_general",
        "popcnt",
        "sort",
    ]
)
ROUNDINGS: Final = frozenset(("ceil", "floor", "round_nearest_afz", "round_nearest_even"))
INDEXING: Final = frozenset(
    ["gather", "dynamic_gather", "scatter", "dynamic_slice", "dynamic_update_slice"]
)
REDUCING: Final = frozenset(("reduce", "reduce_window", "select_and_scatter"))


def elements(operation: Operation) -> Iterator[ElementType]:
    """The element types of all operands and results, those in regions included."""
    for each in operation.walk():
        for value in (*each.operands, *each.results):
            types = value.type.types if isinstance(value.type, TupleType) else (value.type,)
            yield from (t.element_type for t in types if isinstance(t, TensorType))


def names(operation: Operation) -> set[str]:
    """The names of an operation and those in its regions."""
    return {base_name(each) for each in operation.walk()}


def floats(arrays: Arrays) -> list[Array]:
    """The arrays of floats."""
    return [x for x in arrays.values() if is_float(x.dtype) or x.dtype.kind == "c"]


# ---- both


def unordered_keys(operation: Operation, arrays: Arrays) -> bool:
    """A comparator of floats that puts NaN nowhere: the order is open."""
    if base_name(operation) not in ("sort", "scatter", *REDUCING) or not has_nan(arrays):
        return False
    compares = [each for each in operation.walk() if base_name(each) == "compare"]
    return any(
        is_plain_float(each) for each in compares if each.operands[0] is not each.operands[1]
    )


def is_plain_float(compare: Operation) -> bool:
    """Whether this compares floats, and not in their total order."""
    mode = getattr(compare.attributes.get("compare_type"), "value", None)
    is_total = mode is ComparisonType.TOTALORDER
    return isinstance(element_of(compare.operands[0]), FloatType) and not is_total


def has_nan(arrays: Arrays) -> bool:
    """Whether there is a NaN."""
    return any(bool(np.isnan(widest(x)).any()) for x in floats(arrays))


# ---- XLA


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
        name in ("dynamic_gather", "dynamic_pad", "real_dynamic_slice")
        or (name == "cbrt" and is_complex)
        or (name == "bitcast_convert" and is_complex)
        or (name in PACKED and is_packed)
    )


def mixed_floats(operation: Operation, arrays: Arrays) -> bool:
    """Floats of several types in one operation with a region: XLA's own verifier says no."""
    if base_name(operation) not in ("map", "sort", "scatter", *REDUCING):
        return False
    parts = {e.element if isinstance(e, ComplexType) else e for e in elements(operation)}
    return len([each for each in parts if isinstance(each, FloatType)]) > 1


def flushes_denormals(operation: Operation, arrays: Arrays) -> bool:
    """Denormals that are computed with: XLA takes them for zeros on a CPU."""
    if base_name(operation) in MOVES:
        return False
    return any(bool(is_flushable(x).any()) for x in floats(arrays))


def assumes_identity(operation: Operation, arrays: Arrays) -> bool:
    """Initial values that are no identity: XLA uses them any number of times."""
    if base_name(operation) not in REDUCING:
        return False
    body = operation.regions[-1]
    n = len(body.block.arguments) // 2
    return any(
        not is_identity(arrays[init], bodies.identity(body, i))
        for i, init in enumerate(operation.operands[-n:])
    )


def is_identity(value: Array, identity: Any) -> bool:
    """Whether a value is what changes nothing, or anything may stand there."""
    return identity is None or bool(value == np.array(identity).astype(value.dtype))


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
    return lhs.dtype.kind == "c" and bool((lhs.real == rhs.real).any())


def no_index_components(operation: Operation, arrays: Arrays) -> bool:
    """A scatter whose index vectors are empty: XLA makes only the last update, or fails."""
    if base_name(operation) != "scatter":
        return False
    return not cast(Any, operation).scatter_dimension_numbers.scatter_dims_to_operand_dims


# ---- the reference interpreter

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
    ]
)


def initial_value_twice(operation: Operation, arrays: Arrays) -> bool:
    """Its select_and_scatter applies the initial value once too often."""
    return base_name(operation) == "select_and_scatter" and assumes_identity(operation, arrays)


def narrow_steps(operation: Operation, arrays: Arrays) -> bool:
    """Its logistic rounds the exponential, the sum and the quotient: too often for few bits."""
    element = element_of(operation.results[0])
    return base_name(operation) == "logistic" and element is not None and element.bits <= 8


def narrow_roundings(operation: Operation, arrays: Arrays) -> bool:
    """It rounds no number of a format with few exponent bits to an integer."""
    element = str(element_of(operation.results[0]))
    return base_name(operation) in ROUNDINGS and element in ("f8E3M4", "f6E2M3FN", "f4E2M1FN")


def missing_in_reference(operation: Operation, arrays: Arrays) -> bool:
    """Operations that end its process, or give arbitrary results."""
    name, actual = base_name(operation), cast(Any, operation)
    if name == "fft":  # the half that is not there of IRFFT is not always what it should be
        return COMPLEX64 in elements(operation) or actual.fft_type is FftType.IRFFT
    if name == "convolution":  # takes the two dimensions for one another
        numbers = actual.dimension_numbers
        return bool(numbers.output_feature_dimension < numbers.output_batch_dimension)
    if name == "dot_general":  # has no sums of nothing
        return any(0 in x.shape for x in arrays.values())
    # triangular_solve reads beyond the ends of its operands
    return name == "triangular_solve" or bool(names(operation) & UNSUPPORTED)


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
    return any(
        getattr(each.attributes.get("compare_type"), "value", None) is ComparisonType.TOTALORDER
        for each in operation.walk()
    ) and any(bool((np.isnan(widest(x)) | (widest(x) == 0)).any()) for x in floats(arrays))


def divides_by_zero(operation: Operation, arrays: Arrays) -> bool:
    """Integer division by zero, and of the smallest integer by -1: the process ends."""
    if base_name(operation) not in ("divide", "remainder"):
        return False
    divisor = arrays[operation.operands[1]]
    is_integer = isinstance(element_of(operation.operands[1]), IntegerType)
    return is_integer and bool(np.any(np.isin(divisor.astype(np.int64), (0, -1))))


LIMITS: Final[Mapping[str, Sequence[Limit]]] = {
    "xla": (
        unordered_keys,
        missing_in_xla,
        mixed_floats,
        flushes_denormals,
        assumes_identity,
        partial_windows,
        large_exponents,
        no_index_components,
        nan_without_mantissa,
        tied_selection,
        ordered_by_real_part,
    ),
    "reference": (
        unordered_keys,
        missing_in_reference,
        divides_by_zero,
        initial_value_twice,
        narrow_roundings,
        narrow_steps,
        signed_indices,
        order_of_updates,
        no_total_order,
    ),
}


def limit_of(executor: str, operation: Operation, arrays: Arrays) -> str:
    """The name of the first limit that an operation meets; empty if it is compared."""
    for limit in LIMITS[executor]:
        if limit(operation, arrays):
            return limit.__name__
    return ""


def is_cut(operation: Operation, executor: str) -> bool:
    """Whether what follows uses our value rather than theirs."""
    name = base_name(operation)
    if executor == "reference":
        return True
    results = [element_of(value) for value in operation.results]
    if name in ("rng_bit_generator", "iota", "dynamic_iota"):
        return True  # random bits are unsigned there; iotas would be computed with by its compiler
    return name not in MOVES and any(isinstance(e, FloatType | ComplexType) for e in results)
