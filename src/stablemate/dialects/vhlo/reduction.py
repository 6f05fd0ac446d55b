"""Operations that apply a region to elements: reductions, sort, map, scatter.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

SCATTER: Final = {
    "index_vector_dim": kinds.I64,
    "indices_are_sorted": kinds.BOOLEAN,
    "inserted_window_dims": kinds.NUMBERS,
    "scatter_dims_to_operand_dims": kinds.NUMBERS,
    "unique_indices": kinds.BOOLEAN,
    "update_window_dims": kinds.NUMBERS,
}

OPERATIONS: Final = (
    revision(
        "map_v1",
        "inputs* -> result",
        attributes={"dimensions": kinds.NUMBERS},
        regions="computation",
    ),
    revision(
        "reduce_v1",
        "inputs*, init_values* -> results*",
        attributes={"dimensions": kinds.NUMBERS},
        regions="body",
    ),
    revision(
        "reduce_window_v1",
        "inputs*, init_values* -> results*",
        attributes={
            "base_dilations": kinds.NUMBERS,
            "padding": kinds.NUMBERS,
            "window_dilations": kinds.NUMBERS,
            "window_dimensions": kinds.NUMBERS,
            "window_strides": kinds.NUMBERS,
        },
        regions="body",
    ),
    revision(
        "scatter_v1",
        "inputs*, scatter_indices, updates* -> results*",
        until="1.0.0",
        attributes=SCATTER,
        regions="update_computation",
    ),
    revision(
        "scatter_v2",
        "inputs*, scatter_indices, updates* -> results*",
        since="1.1.0",
        attributes={
            **SCATTER,
            "input_batching_dims": kinds.NUMBERS,
            "scatter_indices_batching_dims": kinds.NUMBERS,
        },
        regions="update_computation",
    ),
    revision(
        "select_and_scatter_v1",
        "operand, source, init_value -> result",
        attributes={
            "padding": kinds.NUMBERS,
            "window_dimensions": kinds.NUMBERS,
            "window_strides": kinds.NUMBERS,
        },
        regions="select, scatter",
    ),
    revision(
        "sort_v1",
        "inputs* -> results*",
        attributes={"dimension": kinds.I64, "is_stable": kinds.BOOLEAN},
        regions="comparator",
    ),
)
