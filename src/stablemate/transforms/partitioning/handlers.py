"""Operations that are partitioned in a way of their own; all others have a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.transforms.partitioning import (
    constraints,
    control,
    custom_calls,
    indexing,
    manual,
    reductions,
)
from stablemate.transforms.partitioning.partitioner import Handler
from stablemate.transforms.partitioning.sources import local_sources, random_bits

HANDLERS: Final[Mapping[str, Handler]] = {
    "func.call": control.call,
    "sdy.all_gather": constraints.reshard,
    "sdy.all_reduce": constraints.reshard,
    "sdy.all_slice": constraints.reshard,
    "sdy.all_to_all": constraints.reshard,
    "sdy.collective_permute": constraints.reshard,
    "sdy.constant": local_sources.constant,
    "sdy.data_flow_edge": constraints.reshard,
    "sdy.manual_computation": manual.manual_computation,
    "sdy.named_computation": control.named_computation,
    "sdy.propagation_barrier": constraints.forward,
    "sdy.reduce_scatter": constraints.reshard,
    "sdy.replicated_to_unreduced": constraints.reshard,
    "sdy.reshard": constraints.reshard,
    "sdy.sharded_to_unreduced": constraints.reshard,
    "sdy.sharding_constraint": constraints.reshard,
    "sdy.sharding_group": constraints.ignore,
    "stablehlo.after_all": constraints.token,
    "stablehlo.broadcast_in_dim": local_sources.broadcast_in_dim,
    "stablehlo.case": control.branches,
    "stablehlo.composite": control.composite,
    "stablehlo.constant": local_sources.constant,
    "stablehlo.create_token": constraints.token,
    "stablehlo.custom_call": custom_calls.custom_call,
    "stablehlo.gather": indexing.gather,
    "stablehlo.get_dimension_size": local_sources.get_dimension_size,
    "stablehlo.if": control.branches,
    "stablehlo.iota": local_sources.iota,
    "stablehlo.optimization_barrier": constraints.barrier,
    "stablehlo.reduce": reductions.reduce,
    "stablehlo.rng": local_sources.rng,
    "stablehlo.rng_bit_generator": random_bits.rng_bit_generator,
    "stablehlo.scatter": indexing.scatter,
    "stablehlo.while": control.while_,
}
