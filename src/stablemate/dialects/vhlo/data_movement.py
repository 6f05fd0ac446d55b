"""Operations that move or create elements: slices, gathers, shapes, constants, random bits.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

UNARY: Final = "operand -> result"
DYNAMIC_GATHER: Final = {
    "collapsed_slice_dims": kinds.NUMBERS,
    "index_vector_dim": kinds.I64,
    "indices_are_sorted": kinds.BOOLEAN,
    "offset_dims": kinds.NUMBERS,
    "start_index_map": kinds.NUMBERS,
}
GATHER: Final = {**DYNAMIC_GATHER, "slice_sizes": kinds.NUMBERS}
BATCHING: Final = {
    "operand_batching_dims": kinds.NUMBERS,
    "start_indices_batching_dims": kinds.NUMBERS,
}

OPERATIONS: Final = (
    revision("broadcast_v1", UNARY, attributes={"broadcast_sizes": kinds.NUMBERS}),
    revision("broadcast_in_dim_v1", UNARY, attributes={"broadcast_dimensions": kinds.NUMBERS}),
    revision("concatenate_v1", "inputs* -> result", attributes={"dimension": kinds.I64}),
    revision("constant_v1", "-> output", attributes={"value": kinds.TENSOR}),
    revision(
        "dynamic_broadcast_in_dim_v1",
        "operand, output_dimensions -> result",
        attributes={
            "broadcast_dimensions": kinds.NUMBERS,
            "known_expanding_dimensions": kinds.NUMBERS,
            "known_nonexpanding_dimensions": kinds.NUMBERS,
        },
    ),
    revision(
        "dynamic_gather_v1",
        "operand, start_indices, slice_sizes -> result",
        until="1.0.0",
        attributes=DYNAMIC_GATHER,
    ),
    revision(
        "dynamic_gather_v2",
        "operand, start_indices, slice_sizes -> result",
        since="1.1.0",
        attributes={**DYNAMIC_GATHER, **BATCHING},
    ),
    revision("dynamic_iota_v1", "output_shape -> result", attributes={"iota_dimension": kinds.I64}),
    revision(
        "dynamic_pad_v1",
        "operand, padding_value, edge_padding_low, edge_padding_high, interior_padding -> result",
    ),
    revision("dynamic_reshape_v1", "operand, output_shape -> result"),
    revision(
        "dynamic_slice_v1",
        "operand, start_indices* -> result",
        attributes={"slice_sizes": kinds.NUMBERS},
    ),
    revision("dynamic_update_slice_v1", "operand, update, start_indices* -> result"),
    revision("gather_v1", "operand, start_indices -> result", until="1.0.0", attributes=GATHER),
    revision(
        "gather_v2",
        "operand, start_indices -> result",
        since="1.1.0",
        attributes={**GATHER, **BATCHING},
    ),
    revision("get_dimension_size_v1", UNARY, attributes={"dimension": kinds.I64}),
    revision("iota_v1", "-> output", attributes={"iota_dimension": kinds.I64}),
    revision(
        "pad_v1",
        "operand, padding_value -> result",
        attributes={
            "edge_padding_high": kinds.NUMBERS,
            "edge_padding_low": kinds.NUMBERS,
            "interior_padding": kinds.NUMBERS,
        },
    ),
    revision("real_dynamic_slice_v1", "operand, start_indices, limit_indices, strides -> result"),
    revision("reshape_v1", UNARY),
    revision("reverse_v1", UNARY, attributes={"dimensions": kinds.NUMBERS}),
    revision(
        "rng_v1", "a, b, shape -> result", attributes={"rng_distribution": kinds.DISTRIBUTION}
    ),
    revision(
        "rng_bit_generator_v1",
        "initial_state -> output_state, output",
        attributes={"rng_algorithm": kinds.ALGORITHM},
    ),
    revision(
        "set_dimension_size_v1", "operand, size -> result", attributes={"dimension": kinds.I64}
    ),
    revision(
        "slice_v1",
        UNARY,
        attributes={
            "limit_indices": kinds.NUMBERS,
            "start_indices": kinds.NUMBERS,
            "strides": kinds.NUMBERS,
        },
    ),
    revision(
        "torch_index_select_v1",
        "operand, index -> result",
        attributes={"batch_dims": kinds.I64, "dim": kinds.I64},
    ),
    revision("transpose_v1", UNARY, attributes={"permutation": kinds.NUMBERS}),
)
