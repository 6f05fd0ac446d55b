"""Operations between processes and with the host.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

ONE: Final = "operand -> result"
SEVERAL: Final = "operands* -> results*"
REPLICAS: Final = {"channel_id": kinds.I64, "replica_groups": kinds.GROUPS}
DEVICES: Final = {**REPLICAS, "use_global_device_ids": kinds.BOOLEAN}
ALL_GATHER: Final = {"all_gather_dim": kinds.I64, **DEVICES}
ALL_TO_ALL: Final = {
    **REPLICAS,
    "concat_dimension": kinds.I64,
    "split_count": kinds.I64,
    "split_dimension": kinds.I64,
}
CHANNEL: Final = {
    "channel_id": kinds.I64,
    "channel_type": kinds.I64,
    "is_host_transfer": kinds.BOOLEAN,
}
CUSTOM_CALL: Final = {
    "api_version": kinds.API_VERSION,
    "backend_config": kinds.CONFIG,
    "call_target_name": kinds.STRING,
    "called_computations": kinds.STRINGS,
    "has_side_effect": kinds.BOOLEAN,
    "operand_layouts": kinds.LAYOUTS,
    "output_operand_aliases": kinds.ALIASES,
    "result_layouts": kinds.LAYOUTS,
}

OPERATIONS: Final = (
    revision("all_gather_v1", ONE, until="1.4.0", attributes=ALL_GATHER),
    revision("all_gather_v2", SEVERAL, since="1.5.0", attributes=ALL_GATHER),
    revision("all_reduce_v1", ONE, until="1.4.0", attributes=DEVICES, regions="computation"),
    revision("all_reduce_v2", SEVERAL, since="1.5.0", attributes=DEVICES, regions="computation"),
    revision("all_to_all_v1", ONE, until="1.4.0", attributes=ALL_TO_ALL),
    revision("all_to_all_v2", SEVERAL, since="1.5.0", attributes=ALL_TO_ALL),
    revision("async_done_v1", ONE, since="1.15.0"),
    revision("async_start_v1", "operands* -> result", since="1.15.0", regions="collective"),
    revision("collective_broadcast_v1", ONE, since="0.16.0", until="1.19.0", attributes=REPLICAS),
    revision(
        "collective_broadcast_v2",
        SEVERAL,
        since="1.20.0",
        attributes={**REPLICAS, "has_dynamic_root": kinds.BOOLEAN},
    ),
    revision(
        "collective_permute_v1",
        ONE,
        attributes={"channel_id": kinds.I64, "source_target_pairs": kinds.NUMBERS},
    ),
    revision(
        "collective_reduce_v1",
        SEVERAL,
        since="1.19.0",
        attributes={**DEVICES, "has_dynamic_root": kinds.BOOLEAN},
        regions="computation",
    ),
    revision("cross-replica-sum_v1", ONE, attributes={"replica_groups": kinds.TENSOR_GROUPS}),
    revision("custom_call_v1", "inputs* -> results*", until="1.17.0", attributes=CUSTOM_CALL),
    revision(
        "custom_call_v2",
        "inputs* -> results*",
        since="1.18.0",
        attributes={**CUSTOM_CALL, "result_tilings": kinds.ARRAY},
    ),
    revision(
        "infeed_v1",
        "token -> results*",
        attributes={"infeed_config": kinds.STRING, "layout": kinds.ARRAY},
    ),
    revision("outfeed_v1", "inputs*, token -> result", attributes={"outfeed_config": kinds.STRING}),
    revision("partition_id_v1", "-> result"),
    revision("recv_v1", "token -> results*", until="1.11.0", attributes=CHANNEL),
    revision(
        "recv_v2",
        "token -> results*",
        since="1.12.0",
        attributes={**CHANNEL, "source_target_pairs": kinds.NUMBERS},
    ),
    revision(
        "reduce_scatter_v1",
        ONE,
        attributes={**DEVICES, "scatter_dimension": kinds.I64},
        regions="computation",
    ),
    revision("replica_id_v1", "-> result"),
    revision("send_v1", "inputs*, token -> result", until="1.11.0", attributes=CHANNEL),
    revision(
        "send_v2",
        "inputs*, token -> result",
        since="1.12.0",
        attributes={**CHANNEL, "source_target_pairs": kinds.NUMBERS},
    ),
)
