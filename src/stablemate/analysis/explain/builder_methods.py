"""The methods of XlaBuilder that create operations: mostly those with the operation's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stablemate.dialects.registry import names_in
from stablemate.xla.builder.builder import ModuleBuilder

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


def methods_of(name: str) -> tuple[str, ...]:
    """The methods of XlaBuilder that create an operation."""
    return tuple(sorted(method for method, created in methods() if created == name))


def methods() -> Iterator[tuple[str, str]]:
    """All methods of XlaBuilder that create an operation, with the operation."""
    yield from METHODS.items()
    own_names: set[str] = set()
    for dialect in ("stablehlo", "chlo"):
        for name in names_in(dialect):
            method = name.removeprefix(f"{dialect}.")
            if hasattr(ModuleBuilder, method) and method not in own_names | METHODS.keys():
                own_names.add(method)
                yield method, name
