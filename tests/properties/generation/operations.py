"""What an operation is: its name, its element types, and the kind of function it computes."""

from __future__ import annotations

from typing import Any, Final

from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import ElementType


def base_name(operation: Operation) -> str:
    """The name without its dialect; of operations that broadcast what they do then."""
    dialect, _, name = operation.name.partition(".")
    return name.removeprefix("broadcast_") if dialect == "chlo" else name


def element_of(value: Any) -> ElementType | None:
    """The element type of a tensor; None for other values."""
    return value.type.element_type if isinstance(value.type, TensorType) else None


MOVES: Final = frozenset(
    [
        "bitcast_convert",
        "broadcast",
        "broadcast_in_dim",
        "concatenate",
        "constant",
        "dynamic_broadcast_in_dim",
        "dynamic_gather",
        "dynamic_iota",
        "dynamic_pad",
        "dynamic_reshape",
        "dynamic_slice",
        "dynamic_update_slice",
        "gather",
        "get_dimension_size",
        "get_tuple_element",
        "iota",
        "optimization_barrier",
        "pad",
        "real_dynamic_slice",
        "reshape",
        "reverse",
        "rng_bit_generator",
        "select",
        "slice",
        "torch_index_select",
        "transpose",
        "tuple",
        "imag",
        "real",
        "complex",
    ]
)

# Functions that no executor rounds correctly, with the distance allowed from XLA and from the
# reference, in units in the last place: XLA has approximations of its own in f32; the reference
# calls the C library in f64 and rounds to narrower types.
FUNCTIONS: Final = frozenset(
    [
        "atan2",
        "cbrt",
        "cosine",
        "exponential",
        "exponential_minus_one",
        "log",
        "log_plus_one",
        "logistic",
        "power",
        "rsqrt",
        "sine",
        "tan",
        "tanh",
    ]
)
# Those of CHLO are made of others: several roundings, and other formulas elsewhere.
COMPOSED: Final = frozenset(
    [
        "_asin_acos_kernel",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "bessel_i1e",
        "cosh",
        "digamma",
        "erf",
        "erf_inv",
        "erfc",
        "lgamma",
        "polygamma",
        "sinh",
        "square",
        "zeta",
    ]
)
SUMS: Final = frozenset(
    [
        "reduce",
        "reduce_window",
        "select_and_scatter",
        "scatter",
        "dot_general",
        "dot",
        "einsum",
        "unary_einsum",
        "convolution",
        "ragged_dot",
    ]
)
ALGORITHMS: Final = frozenset(
    [
        "batch_norm_grad",
        "batch_norm_inference",
        "batch_norm_training",
        "cholesky",
        "fft",
        "triangular_solve",
    ]
)


def combiner(operation: Operation, index: int) -> str:
    """The operation by which a reducing operation combines the values of one result."""
    region = operation.regions[-1]
    value = region.block.terminator.operands[index]
    maker = getattr(value, "operation", None)
    return "" if maker is None else base_name(maker)
