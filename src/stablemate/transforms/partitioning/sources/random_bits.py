"""Random bits: each device computes those of its own shard, whatever the sharding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement
from stablemate.transforms.partitioning.sources.bit_runs import BitRuns
from stablemate.transforms.partitioning.sources.shard_of_bits import ShardOfBits

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
    from stablemate.transforms.partitioning.partitioner import Partitioner


def rng_bit_generator(self: Partitioner, operation: RngBitGenerator, builder: Builder) -> None:
    """Each device computes the bits of its shard; all compute the state."""
    state = self.replicate(builder, self.partitioned[operation.initial_state])
    output = operation.output
    bits = ShardOfBits(self, operation, state)
    whole = replicated_placement(output.type.rank)

    def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
        if not placement.is_whole and bits.is_supported:
            runs = BitRuns(bits, placement)
            return runs.emit(at) if runs.pays else bits.emit(at, placement)
        types = [state.type, output.type]
        generated = self.copy_as(operation, at, [state], types).results[1]
        return self.resharder.reshard(at, generated, whole, placement)

    self.record(output, None, whole).materialize = materialize
    if bits.is_supported:
        next_state = bits.next_state(builder)
    else:
        types = [state.type, output.type]
        next_state = self.copy_as(operation, builder, [state], types).results[0]
    self.record(operation.output_state, next_state, replicated_placement(1))
