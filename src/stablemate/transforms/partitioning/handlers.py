"""Operations that are partitioned in a way of their own; all others have a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.transforms.partitioning import (
    control,
    folds,
    indexing,
    restating,
    sources,
)
from stablemate.transforms.partitioning.partitioner import Handler

HANDLERS: Final[Mapping[str, Handler]] = {
    "func.call": control.call,
    "sdy.all_gather": restating.restated,
    "sdy.all_reduce": restating.restated,
    "sdy.all_slice": restating.restated,
    "sdy.all_to_all": restating.restated,
    "sdy.collective_permute": restating.restated,
    "sdy.constant": sources.constant,
    "sdy.data_flow_edge": restating.restated,
    "sdy.manual_computation": control.manual_computation,
    "sdy.named_computation": control.named_computation,
    "sdy.propagation_barrier": restating.passed,
    "sdy.reduce_scatter": restating.restated,
    "sdy.reshard": restating.restated,
    "sdy.sharding_constraint": restating.restated,
    "sdy.sharding_group": restating.ignored,
    "stablehlo.after_all": restating.token,
    "stablehlo.broadcast_in_dim": sources.broadcast_in_dim,
    "stablehlo.case": control.branches,
    "stablehlo.composite": control.composite,
    "stablehlo.constant": sources.constant,
    "stablehlo.create_token": restating.token,
    "stablehlo.custom_call": restating.custom_call,
    "stablehlo.gather": indexing.gather,
    "stablehlo.get_dimension_size": sources.get_dimension_size,
    "stablehlo.if": control.branches,
    "stablehlo.iota": sources.iota,
    "stablehlo.optimization_barrier": restating.barrier,
    "stablehlo.reduce": folds.reduce,
    "stablehlo.rng": sources.drawn,
    "stablehlo.scatter": indexing.scatter,
    "stablehlo.while": control.while_,
}
