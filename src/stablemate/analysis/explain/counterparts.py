"""What operations are called elsewhere: opcodes of HLO, methods of XlaBuilder, VHLO."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.xla.opcodes import OPCODES

DIALECTS: Final = ("stablehlo", "chlo")
# Opcodes whose names are not that of the operation, by operation.
OPCODES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "chlo.atan": ("atan", "atan2"),
    "chlo.top_k": ("topk",),
    "func.call": ("call",),
    "stablehlo.async_done": ("async-done", "all-reduce-done", "all-gather-done"),
    "stablehlo.async_start": ("async-start", "all-reduce-start", "all-gather-start"),
    "stablehlo.broadcast": ("broadcast",),
    "stablehlo.broadcast_in_dim": ("broadcast",),
    "stablehlo.case": ("conditional",),
    "stablehlo.composite": ("call",),
    "stablehlo.create_token": ("after-all",),
    "stablehlo.cross-replica-sum": ("all-reduce",),
    "stablehlo.dot": ("dot",),
    "stablehlo.dot_general": ("dot",),
    "stablehlo.dynamic_reshape": ("dynamic-reshape", "reshape"),
    "stablehlo.einsum": ("dot",),
    "stablehlo.if": ("conditional",),
    "stablehlo.optimization_barrier": ("opt-barrier",),
    "stablehlo.recv": ("recv", "recv-done"),
    "stablehlo.send": ("send", "send-done"),
    "stablehlo.torch_index_select": ("gather",),
    "stablehlo.unary_einsum": ("transpose", "reduce"),
}
# Methods of XlaBuilder whose names are not that of the operation, with the operation.
METHODS: Final[Mapping[str, str]] = {
    "all_gather_tuple": "stablehlo.all_gather",
    "all_reduce_tuple": "stablehlo.all_reduce",
    "all_to_all_tuple": "stablehlo.all_to_all",
    "and_": "stablehlo.and",
    "bitcast_convert_type": "stablehlo.bitcast_convert",
    "call": "func.call",
    "clz": "stablehlo.count_leading_zeros",
    "composite_call": "stablehlo.composite",
    "concat_in_dim": "stablehlo.concatenate",
    "conditional": "stablehlo.case",
    "conv": "stablehlo.convolution",
    "conv_general": "stablehlo.convolution",
    "conv_general_dilated": "stablehlo.convolution",
    "convert_element_type": "stablehlo.convert",
    "cos": "stablehlo.cosine",
    "cross_replica_sum": "stablehlo.cross-replica-sum",
    "div": "stablehlo.divide",
    "eq": "stablehlo.compare",
    "exp": "stablehlo.exponential",
    "expm1": "stablehlo.exponential_minus_one",
    "ge": "stablehlo.compare",
    "gt": "stablehlo.compare",
    "infeed_with_token": "stablehlo.infeed",
    "le": "stablehlo.compare",
    "log1p": "stablehlo.log_plus_one",
    "lt": "stablehlo.compare",
    "max": "stablehlo.maximum",
    "min": "stablehlo.minimum",
    "mul": "stablehlo.multiply",
    "mul_hi": "chlo.mulhi",
    "ne": "stablehlo.compare",
    "neg": "stablehlo.negate",
    "not_": "stablehlo.not",
    "or_": "stablehlo.or",
    "outfeed_with_token": "stablehlo.outfeed",
    "pad_in_dim": "stablehlo.pad",
    "population_count": "stablehlo.popcnt",
    "pow": "stablehlo.power",
    "recv_with_token": "stablehlo.recv",
    "reduce_all": "stablehlo.reduce",
    "reduce_window_with_general_padding": "stablehlo.reduce_window",
    "rem": "stablehlo.remainder",
    "rev": "stablehlo.reverse",
    "rng_normal": "stablehlo.rng",
    "rng_uniform": "stablehlo.rng",
    "round": "stablehlo.round_nearest_afz",
    "select_and_scatter_with_general_padding": "stablehlo.select_and_scatter",
    "send_with_token": "stablehlo.send",
    "sin": "stablehlo.sine",
    "slice_in_dim": "stablehlo.slice",
    "sub": "stablehlo.subtract",
    "top_k": "chlo.top_k",
    "while_": "stablehlo.while",
}
# Operations whose methods are called as they are.
SAME_METHODS: Final = (
    "abs add after_all all_gather all_reduce all_to_all atan2 batch_norm_grad "
    "batch_norm_inference batch_norm_training broadcast broadcast_in_dim cbrt ceil cholesky clamp "
    "collective_broadcast collective_permute compare complex concatenate constant create_token "
    "custom_call dot dot_general dynamic_conv dynamic_reshape dynamic_slice dynamic_update_slice "
    "fft floor gather get_dimension_size get_tuple_element imag infeed iota is_finite log logistic "
    "map optimization_barrier outfeed pad partition_id real recv reduce reduce_precision "
    "reduce_scatter reduce_window replica_id reshape rng rng_bit_generator round_nearest_afz "
    "round_nearest_even rsqrt scatter select select_and_scatter send set_dimension_size shift_left "
    "shift_right_arithmetic shift_right_logical sign slice sort sqrt tan tanh transpose "
    "triangular_solve tuple xor"
)
OF_CHLO: Final = "acos acosh asin asinh atan atanh conj cosh erf ragged_dot sinh square"


def opcodes_of(name: str) -> tuple[str, ...]:
    """The opcodes of HLO that an operation becomes."""
    if name in OPCODES_OF:
        return OPCODES_OF[name]
    dialect, _, own = name.partition(".")
    opcode = own.replace("_", "-")
    return (opcode,) if dialect in DIALECTS and opcode in OPCODES else ()


def operation_of_opcode(opcode: str) -> str | None:
    """The operation that an opcode means; None if it is one of HLO alone."""
    own = opcode.replace("-", "_")
    for dialect in DIALECTS:
        if f"{dialect}.{own}" in OPERATIONS and opcode in OPCODES:
            return "stablehlo.dot_general" if opcode == "dot" else f"{dialect}.{own}"
    matching = (name for name, opcodes in OPCODES_OF.items() if opcode in opcodes)
    return next(matching, None)


def methods_of(name: str) -> tuple[str, ...]:
    """The methods of XlaBuilder that make an operation."""
    return tuple(sorted(method for method, created in methods() if created == name))


def methods() -> Iterator[tuple[str, str]]:
    """All methods of XlaBuilder that make an operation, with the operation."""
    yield from METHODS.items()
    yield from ((part, f"stablehlo.{part}") for part in SAME_METHODS.split())
    yield from ((part, f"chlo.{part}") for part in OF_CHLO.split())


def revisions_of(name: str) -> str:
    """Since when portable artifacts know an operation, and in which revisions."""
    dialect, _, own = name.partition(".")
    revisions = REVISIONS.get(own, ()) if dialect in ("stablehlo", "func") else ()
    if not revisions:
        return ""
    oldest = min(revisions, key=lambda revision: revision.revision.number)
    names = ", ".join(
        revision.definition.name
        for revision in sorted(revisions, key=lambda revision: revision.revision.number)
    )
    return f"since {oldest.revision.since} ({names})"
