"""Partitions custom calls: annotations, computations on replicated values, and side effects.

What has side effects runs on one device, which broadcasts the results. The device is that of the
maximal sharding of the operation, by default the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.mhlo.frontend_attributes import frontend_attributes
from stablemate.dialects.sdy.attributes import TensorShardingPerValue
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.stablehlo.after_all import AfterAll
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.execution.custom_calls.annotations import IDENTITIES, SINKS
from stablemate.formats.hlo.sharding_attributes import sharding_of_attribute
from stablemate.ir.attributes import StringAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN
from stablemate.transforms.partitioning import tiles
from stablemate.transforms.partitioning.constraints import forward
from stablemate.transforms.partitioning.custom_partitioners import (
    CUSTOM_PARTITIONERS,
    partition_by_target,
)
from stablemate.transforms.partitioning.local_attributes import (
    batch_dimensions,
)
from stablemate.transforms.partitioning.movement.resharding import zero
from stablemate.transforms.partitioning.partitioner import Partitioner
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement
from stablemate.transforms.partitioning.requested_shardings import SHARDING
from stablemate.transforms.partitioning.rules import batched_call

# The frontend attribute of a custom call without results that computes on shards.
PARTITIONED: Final = "stablemate.partitioned"


def custom_call(self: Partitioner, operation: CustomCall, builder: Builder) -> None:
    """Applies an annotation, or asks a target; any other target computes on replicated values.

    Raises:
        UnsupportedError: An operand is divided.
    """
    target = operation.call_target_name
    if target in CUSTOM_PARTITIONERS:
        partition_by_target(self, operation, builder)
        return
    if target in SINKS and not operation.results:
        return
    if target in IDENTITIES and len(operation.results) == len(operation.operands):
        forward(self, operation, builder)
        declared = operation.discardable.get(tiles.ATTRIBUTE)
        for i, value in enumerate(operation.results):
            if isinstance(declared, StringAttribute):
                sharding = self.shardings.of_text(declared.value, value.type)
                self.require(builder, operation, i, sharding)
        return
    if is_on_shards(operation):
        shards = [self.partitioned[value].placement.reduced for value in operation.operands]
        self.emit(operation, builder, self.shards(operation, builder, shards), shards, [])
        return
    batch = batch_dimensions(operation)
    if batch and not operation.has_side_effect:
        self.by_rule(operation, builder, batched_call(operation, batch))
        return
    if not all(self.partitioned[value].placement.is_whole for value in operation.operands):
        text = f"a custom call of {target} has divided operands: they must be replicated"
        raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
    operands = replicated_placements(operation.operands)
    values = self.shards(operation, builder, operands)
    device = None if self.is_manual else device_of(self, operation)
    if device is None:
        self.emit(operation, builder, values, operands, replicated_placements(operation.results))
    else:
        on_one_device(self, operation, builder, values, device)


def is_on_shards(operation: Operation) -> bool:
    """Whether each device calls a custom call without results with its shards."""
    return PARTITIONED in frontend_attributes(operation.discardable) and not operation.results


def replicated_placements(values: Sequence[Value]) -> list[TensorPlacement]:
    """Returns a replicated placement for each value."""
    return [replicated_placement(getattr(value.type, "rank", 0)) for value in values]


def device_of(self: Partitioner, operation: CustomCall) -> int | None:
    """Returns the device that runs a custom call; None if all devices do."""
    shardings = operation.discardable.get(SHARDING)
    if isinstance(shardings, TensorShardingPerValue) and shardings.shardings:
        mesh = mesh_of(operation, shardings.shardings[0])
        if mesh is not None and not mesh.axes and len(mesh.device_ids) == 1:
            return mesh.device_ids[0]
    text = operation.discardable.get(tiles.ATTRIBUTE)
    if isinstance(text, StringAttribute):
        sharding = sharding_of_attribute(text.value)
        if sharding.kind == "maximal":
            return sharding.devices[0]
    return self.resharder.devices.ids[0] if operation.has_side_effect else None


def on_one_device(
    self: Partitioner,
    operation: Operation,
    builder: Builder,
    values: Sequence[Value],
    device: int,
) -> None:
    """Runs an operation on one device, and broadcasts its results."""
    types = [value.type for value in operation.results]
    runs = Block()
    Builder(runs).create(Return, values=copy_into(self, runs, operation, values).results)
    skips = Block()
    skip = Builder(skips)
    rest = [
        zero(skip, value_type)
        if isinstance(value_type, TensorType)
        else skip.create(AfterAll, inputs=[]).result
        for value_type in types
    ]
    skip.create(Return, values=rest)
    chosen = builder.create(
        If,
        pred=is_device(self, builder, device),
        regions=[Region([runs]), Region([skips])],
        results=types,
    )
    results: dict[Value, Value] = dict(zip(operation.results, chosen.results, strict=True))
    tensors = [value for value in operation.results if isinstance(value.type, TensorType)]
    if tensors:
        sent = self.resharder.broadcast(builder, [results[value] for value in tensors], device)
        results.update(zip(tensors, sent, strict=True))
    placements = replicated_placements(operation.results)
    for (value, result), placement in zip(results.items(), placements, strict=True):
        self.record(value, result, placement)


def copy_into(
    self: Partitioner, block: Block, operation: Operation, values: Sequence[Value]
) -> Operation:
    """Copies an operation, with other operands, to the end of a block."""
    builder = Builder(block)
    placements = replicated_placements(operation.results)
    return self.emit(operation, builder, values, replicated_placements(values), placements)


def is_device(self: Partitioner, builder: Builder, device: int) -> Value[TensorType]:
    """Returns whether this is the device of a number."""
    own = self.resharder.id
    number = dense_elements(own.type, np.array(device, own.type.element_type.dtype))
    other = builder.create(Constant, value=number, results=[own.type]).results[0]
    return builder.create(
        Compare,
        lhs=own,
        rhs=other,
        comparison_direction=ComparisonDirection.EQ,
        results=[tensor(BOOLEAN)],
    ).results[0]
