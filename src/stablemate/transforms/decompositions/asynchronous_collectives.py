"""Collectives that start and are done in custom calls, as the operations that they stand for.

``jax.lax.psum_start`` and its like are such calls from JAX 0.12 on: what the operation says besides
its operand is text of JSON in a frontend attribute.

Source: JAX, jax.lax (asynchronous collectives); StableHLO specification, all_gather, all_reduce,
all_to_all, collective_permute, reduce_scatter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from stablemate.dialects.func import FuncOp
from stablemate.dialects.mhlo.frontend_attributes import frontend_text
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.all_reduce import AllReduce
from stablemate.dialects.stablehlo.all_to_all import AllToAll
from stablemate.dialects.stablehlo.attributes import ChannelHandle
from stablemate.dialects.stablehlo.channels import ChannelType
from stablemate.dialects.stablehlo.collective_permute import CollectivePermute
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.definition import Op, definition_of
from stablemate.ir.types import Type
from stablemate.transforms.refinement.custom_calls import body_of

CONFIGURATION: Final = "async_collective_config"
STARTED: Final[Mapping[str, type[Op]]] = {
    "all-gather-start": AllGather,
    "all-reduce-start": AllReduce,
    "all-to-all-start": AllToAll,
    "collective-permute-start": CollectivePermute,
    "reduce-scatter-start": ReduceScatter,
}
DONE: Final = frozenset(target.replace("-start", "-done") for target in STARTED)
# Names of attributes for which the configuration has others.
NAMES: Final = {
    "all_gather_dim": "all_gather_dimension",
    "channel_handle": "channel_id",
    "source_target_pairs": "permutation",
}


def configuration_of(call: CustomCall) -> Mapping[str, object] | None:
    """The fields of the collective that a custom call starts; None if it starts none."""
    text = frontend_text(call.discardable, CONFIGURATION)
    if call.call_target_name not in STARTED or text is None:
        return None
    try:
        settings: object = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, object]", settings) if isinstance(settings, dict) else None


def started_collective(
    call: CustomCall, functions: Mapping[str, FuncOp], builder: Builder
) -> Sequence[Value[Type]] | None:
    """The results of the collective that a call starts; None if it starts none.

    Args:
        call: The call.
        functions: The functions of its module, of which one may be the computation.
        builder: Where the operation is created.
    """
    configuration = configuration_of(call)
    if configuration is None:
        return None
    cls = STARTED[call.call_target_name]
    (operands,) = definition_of(cls).operands
    fields: dict[str, object] = {
        operands.name: call.inputs[0] if operands.arity == "one" else call.inputs
    }
    for name in definition_of(cls).attributes:
        value = configuration.get(NAMES.get(name, name))
        if name == "channel_handle" and isinstance(value, int):
            value = ChannelHandle(value, ChannelType.DEVICE_TO_DEVICE)
        fields[name] = value
    return builder.create(
        cls,
        **fields,
        regions=[body_of(functions[name]) for name in call.called_computations],
        results=[value.type for value in call.results],
    ).results
