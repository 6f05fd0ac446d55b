"""Operations that are partitioned in a way of their own; all others have a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.registry import rules_by_name
from stablemate.transforms.partitioning import (
    constraints,
    control,
    custom_calls,
    indexing,
    manual,
    reductions,
    top_elements,
)
from stablemate.transforms.partitioning.partitioner import Handler
from stablemate.transforms.partitioning.sources import local_sources, random_bits

HANDLERS: Final[Mapping[str, Handler]] = {
    **rules_by_name("func", control.call),
    **rules_by_name(
        "sdy",
        local_sources.constant,
        manual.manual_computation,
        control.named_computation,
        constraints.reshard,
    ),
    **rules_by_name(
        "stablehlo",
        local_sources.broadcast_in_dim,
        control.composite,
        local_sources.constant,
        custom_calls.custom_call,
        indexing.gather,
        local_sources.get_dimension_size,
        local_sources.iota,
        reductions.reduce,
        local_sources.rng,
        random_bits.rng_bit_generator,
        indexing.scatter,
        control.while_,
    ),
    "chlo.top_k": top_elements.top_k,
    "sdy.all_gather": constraints.reshard,
    "sdy.all_reduce": constraints.reshard,
    "sdy.all_slice": constraints.reshard,
    "sdy.all_to_all": constraints.reshard,
    "sdy.collective_permute": constraints.reshard,
    "sdy.data_flow_edge": constraints.reshard,
    "sdy.propagation_barrier": constraints.forward,
    "sdy.reduce_scatter": constraints.reshard,
    "sdy.replicated_to_unreduced": constraints.reshard,
    "sdy.sharded_to_unreduced": constraints.reshard,
    "sdy.sharding_constraint": constraints.reshard,
    "sdy.sharding_group": constraints.ignore,
    "stablehlo.after_all": constraints.token,
    "stablehlo.case": control.branches,
    "stablehlo.create_token": constraints.token,
    "stablehlo.if": control.branches,
    "stablehlo.optimization_barrier": constraints.barrier,
}
