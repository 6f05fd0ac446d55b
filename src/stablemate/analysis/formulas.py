"""How much each operation computes: one row an operation; all sizes are known here.

Source: StableHLO specification, the semantics of each operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from stablemate.dialects.chlo import broadcasting
from stablemate.dialects.chlo import elementwise as chlo
from stablemate.dialects.stablehlo import elementwise as stablehlo
from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.dialects.stablehlo.convolution import AnyConvolution
from stablemate.dialects.stablehlo.dot_general import AnyDot
from stablemate.dialects.stablehlo.fft import Fft
from stablemate.execution.custom_calls.annotations import TARGETS as REMARKS
from stablemate.execution.custom_calls.shape_assertion import TARGETS as ASSERTIONS
from stablemate.ir.core import Operation, Value


class Work(NamedTuple):
    """Arithmetic operations, and transcendental functions of one element."""

    flops: int = 0
    transcendentals: int = 0


def qualify_names(names: str) -> frozenset[str]:
    """Names of StableHLO with the dialect."""
    return frozenset(f"stablehlo.{name}" for name in names.split())


# What only says which regions are executed, and how often.
STRUCTURE: Final = qualify_names("while if case async_start") | {
    "sdy.manual_computation",
    "sdy.named_computation",
}
# What gives names to values, or is known before the program runs.
FREE: Final = qualify_names(
    "constant return tuple get_tuple_element optimization_barrier after_all create_token "
    "async_done get_dimension_size set_dimension_size replica_id partition_id"
) | {"chlo.constant", "chlo.constant_like"}
FREE_DIALECTS: Final = frozenset({"builtin", "func", "shape", "tensor", "arith", "check", "sdy"})
# Targets of custom calls that say something about values and compute nothing.
ANNOTATIONS: Final = frozenset({*REMARKS, *ASSERTIONS})
# What moves elements: it reads and writes, and computes nothing but indices.
MOVEMENT: Final = qualify_names(
    "all_gather all_to_all bitcast_convert broadcast broadcast_in_dim collective_broadcast "
    "collective_permute complex concatenate dynamic_broadcast_in_dim dynamic_gather dynamic_iota "
    "dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice gather imag infeed iota "
    "outfeed pad real real_dynamic_slice recv reshape reverse send slice torch_index_select "
    "transpose unary_einsum"
)
# Operations an element of the first result, besides those of the classes below.
PER_ELEMENT: Final[Mapping[str, int]] = {
    **dict.fromkeys(qualify_names("compare convert cross-replica-sum is_finite"), 1),
    **dict.fromkeys(qualify_names("reduce_precision select"), 1),
    "stablehlo.clamp": 2,  # a minimum and a maximum
    "stablehlo.uniform_dequantize": 2,  # minus the zero point, times the scale
    "stablehlo.uniform_quantize": 3,  # by the scale, rounded, plus the zero point
    "stablehlo.batch_norm_inference": 4,  # minus mean, by deviation, times scale, plus offset
    "stablehlo.batch_norm_training": 8,  # the same; two sums, a difference and its square
    "stablehlo.batch_norm_grad": 14,  # what is the same for a whole feature is left out
    "chlo.broadcast_select": 1,
    "chlo.conj": 1,
    "chlo.mulhi": 1,
    "chlo.next_after": 1,
    "chlo.square": 1,
}
ONE_AN_ELEMENT: Final = (stablehlo.Elementwise, broadcasting.BroadcastBinary, chlo.Predicate)
TRANSCENDENTAL: Final = (stablehlo.Transcendental, chlo.Unary, chlo.Binary)
TRANSCENDENTAL_NAMES: Final = qualify_names("atan2 power") | {
    f"chlo.broadcast_{name}" for name in ("atan2", "polygamma", "power", "zeta")
}


def size_of(value: Any) -> int:
    """The number of elements of a tensor."""
    size: int = value.type.size
    return size


# ---- operations with formulas of their own


def dot(operation: AnyDot) -> int:
    """A product and a sum for each element of the result and of the contracted dimensions."""
    contracted = operation.numbers.lhs_contracting_dimensions
    depth = math.prod(operation.lhs.type.shape[dimension] for dimension in contracted)
    return 2 * size_of(operation.results[0]) * depth


def convolution(operation: AnyConvolution) -> int:
    """A product and a sum for each element of the result and of one window, padding included."""
    kernel = operation.rhs.type.shape
    outputs = kernel[operation.dimension_numbers.kernel_output_feature_dimension]
    return 2 * size_of(operation.results[0]) * (math.prod(kernel) // max(outputs, 1))


def fft(operation: Fft) -> int:
    """5 n log2(n) for each transform of n complex numbers, half of that for real ones."""
    size = max(size_of(operation.operands[0]), size_of(operation.results[0]))
    flops = 5 * size * math.log2(max(math.prod(operation.fft_length), 1))
    is_real = operation.fft_type in (FftType.RFFT, FftType.IRFFT)
    return round(flops / 2 if is_real else flops)


def cholesky(operation: Any) -> int:
    """A third of the cube of the rows, for each matrix."""
    shape = operation.a.type.shape
    return size_of(operation.a) * int(shape[-1]) // 3


def triangular_solve(operation: Any) -> int:
    """A product and a difference for each element of b and half the rows of a."""
    return size_of(operation.b) * int(operation.a.type.shape[-1])


FORMULAS: Final[Mapping[str, Callable[[Any], int]]] = {
    "stablehlo.dot": dot,
    "stablehlo.dot_general": dot,
    "stablehlo.convolution": convolution,
    "stablehlo.dynamic_conv": convolution,
    "stablehlo.fft": fft,
    "stablehlo.cholesky": cholesky,
    "stablehlo.triangular_solve": triangular_solve,
}


# ---- operations that execute regions: how often each of them


def every_element(operation: Operation) -> Sequence[int]:
    """Once for each element of the first operand."""
    return (size_of(operation.operands[0]),)


def every_operand(operation: Any) -> Sequence[int]:
    """Once for each element of each operand: what one process adds to the others."""
    return (sum(size_of(operand) for operand in operation.operands),)


def every_update(operation: Any) -> Sequence[int]:
    """Once for each update."""
    return (size_of(operation.updates[0]),)


def every_window(operation: Any) -> Sequence[int]:
    """Once for each element of the result and of one window."""
    return (size_of(operation.results[0]) * math.prod(operation.window_dimensions),)


def every_source(operation: Any) -> Sequence[int]:
    """The selection for each element of each window, the scatter for each window."""
    windows = size_of(operation.source)
    return (windows * math.prod(operation.window_dimensions or ()), windows)


def comparisons(operation: Any) -> Sequence[int]:
    """The length times its logarithm, rounded up, for each line that is sorted."""
    value_type = operation.inputs[0].type
    length = value_type.shape[operation.dimension] if value_type.rank else 1
    return (size_of(operation.inputs[0]) * max(length - 1, 0).bit_length(),)


REGION_FORMULAS: Final[Mapping[str, Callable[[Any], Sequence[int]]]] = {
    "stablehlo.map": every_element,
    "stablehlo.reduce": every_element,
    "stablehlo.reduce_window": every_window,
    "stablehlo.select_and_scatter": every_source,
    "stablehlo.scatter": every_update,
    "stablehlo.sort": comparisons,
    "stablehlo.all_reduce": every_operand,
    "stablehlo.reduce_scatter": every_operand,
    "stablehlo.collective_reduce": every_operand,
}


# ---- operations that touch only a part of an operand: the values of which they move the bytes


def slice_traffic(operation: Operation) -> Sequence[Value[Any]]:
    """The slice is read and written; the indices are read."""
    return (*operation.results, *operation.results, *operation.operands[1:])


def put(operation: Operation) -> Sequence[Value[Any]]:
    """What is put there is read and written in place; the indices are read."""
    return (operation.operands[1], *operation.operands[1:])


def update_traffic(operation: Any) -> Sequence[Value[Any]]:
    """Updates are read, and what they are combined with is read and written."""
    return (operation.scatter_indices, *operation.updates, *operation.updates, *operation.updates)


SLICES: Final[Mapping[str, Callable[[Any], Sequence[Value[Any]]]]] = {
    **dict.fromkeys(
        qualify_names("dynamic_gather dynamic_slice gather real_dynamic_slice"), slice_traffic
    ),
    **dict.fromkeys(qualify_names("slice torch_index_select"), slice_traffic),
    "stablehlo.dynamic_update_slice": put,
    "stablehlo.scatter": update_traffic,
}


# ---- any operation


def has_formula(operation: Operation) -> bool:
    """Whether it is known what an operation without regions computes."""
    return (
        operation.name in MOVEMENT
        or operation.name in PER_ELEMENT
        or operation.name in FORMULAS
        or isinstance(operation, ONE_AN_ELEMENT + TRANSCENDENTAL)
    )


def work_of(operation: Any) -> Work:
    """What an operation without regions computes; it has a formula."""
    name: str = operation.name
    if name in MOVEMENT:
        return Work()
    if name in FORMULAS:
        return Work(FORMULAS[name](operation))
    size = size_of(operation.results[0])
    if name in PER_ELEMENT:
        return Work(PER_ELEMENT[name] * size)
    if name in TRANSCENDENTAL_NAMES:
        return Work(transcendentals=size)
    if isinstance(operation, TRANSCENDENTAL) and not isinstance(operation, chlo.Predicate):
        return Work(transcendentals=size)
    return Work(size)
