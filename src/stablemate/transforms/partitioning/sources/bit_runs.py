"""Random bits of a shard as runs of neighbors, each of which a generator makes by itself.

The counters of neighbors follow one another, so that a run is what the generator makes of a state
that is advanced to its first counter. No value on the way is as large as the shard.
"""

from __future__ import annotations

from math import prod
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import UI64
from stablemate.numerics.random_bits import halved_dimension
from stablemate.transforms.partitioning.movement.row_routes import even_rows
from stablemate.transforms.partitioning.movement.splats import splat_constant
from stablemate.transforms.partitioning.placement import TensorPlacement
from stablemate.transforms.partitioning.reductions import combine_tensors
from stablemate.transforms.partitioning.sources.shard_of_bits import ShardOfBits

NUMBER: Final = tensor(UI64)
FEW_RUNS: Final = 64  # that cost some microseconds, however short they are
LONG_RUN: Final = 8  # counters of a run: rounds of a whole shard at once take longer from here on


@dataclass(frozen=True, slots=True)
class BitRuns:
    """The runs of a shard.

    Attributes:
        bits: The whole output.
        placement: Which part of it is the shard.
    """

    bits: ShardOfBits
    placement: TensorPlacement

    @property
    def local(self) -> TensorType:
        """The type of the shard."""
        return self.placement.local(self.bits.operation.output.type)

    @property
    def dimension(self) -> int:
        """The last dimension that is divided: what follows it is in one run."""
        return max(d for d, axes in enumerate(self.placement.dimensions) if axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a run, of the rank of the output."""
        return (*[1] * self.dimension, *self.local.shape[self.dimension :])

    @property
    def count(self) -> int:
        """How many runs there are."""
        return prod(self.local.shape[: self.dimension])

    @property
    def pays(self) -> bool:
        """Whether runs are whole counters, and few or long enough to be made one by one."""
        counters = prod(self.shape) // self.bits.words
        return self.has_whole_counters and (self.count <= FEW_RUNS or counters >= LONG_RUN)

    @property
    def has_whole_counters(self) -> bool:
        """Whether the words of each counter are in one run, in the order of a run by itself."""
        bits = self.bits
        if bits.words == 1:
            return True
        if self.dimension > bits.dimension or self.shape[bits.dimension] % bits.words:
            return False
        return not bits.is_threefry or halved_dimension(self.shape) == bits.dimension

    @property
    def rows(self) -> TensorType:
        """The type of all runs, one after the other."""
        return self.local.with_shape([self.count, *self.shape[self.dimension :]])

    def emit(self, at: Builder) -> Value:
        """Emits the bits of the shard: of one run, or of a loop over runs."""
        first = self.first_number(at)
        if self.count == 1:
            return self.generate_run(at, first)
        types = [NUMBER, self.rows]

        def condition(inner: Builder, number: Value[TensorType], _: Value) -> None:
            end = splat_constant(inner, NUMBER, self.count)
            compared = inner.create(
                Compare, lhs=number, rhs=end, comparison_direction=ComparisonDirection.LT
            )
            inner.create(Return, values=compared.results)

        def body(inner: Builder, number: Value[TensorType], filled: Value) -> None:
            own = combine_tensors(inner, "add", first, self.number_of_run(inner, number))
            values = self.with_run(inner, filled, self.generate_run(inner, own), number)
            following = combine_tensors(inner, "add", number, splat_constant(inner, NUMBER, 1))
            inner.create(Return, values=[following, values])

        state = [splat_constant(at, value_type, 0) for value_type in types]
        regions = [at.region(types, condition), at.region(types, body)]
        _, values = at.create(While, operand=state, regions=regions).results
        return at.create(Reshape, operand=values, results=[self.local]).results[0]

    def with_run(
        self, at: Builder, filled: Value, run: Value, number: Value[TensorType]
    ) -> Value[TensorType]:
        """The runs with that of a number replaced."""
        row = self.rows.with_shape([1, *self.rows.shape[1:]])
        update = at.create(Reshape, operand=run, results=[row]).results[0]
        zero = splat_constant(at, NUMBER, 0)
        starts = [number, *[zero] * (len(row.shape) - 1)]
        return at.create(
            DynamicUpdateSlice, operand=filled, update=update, start_indices=starts
        ).results[0]

    def first_number(self, at: Builder) -> Value[TensorType]:
        """The number of the first counter of the shard."""
        total = splat_constant(at, NUMBER, 0)
        for d, axes in enumerate(self.placement.dimensions):
            if not axes:
                continue
            length = self.bits.words if d == self.bits.dimension else 1
            rows = even_rows(self.bits.shape[d], shard_count(axes))
            starts = tuple(start // length for start in rows.starts)
            place = self.bits.place(at, axes, starts)
            total = combine_tensors(at, "add", total, self.scale(at, place, self.stride(d)))
        return total

    def number_of_run(self, at: Builder, number: Value[TensorType]) -> Value[TensorType]:
        """The number of the first counter of a run, after that of the shard."""
        total = splat_constant(at, NUMBER, 0)
        outer = self.local.shape[: self.dimension]
        for d, size in enumerate(outer):
            inside = prod(outer[d + 1 :])
            place = combine_tensors(at, "divide", number, splat_constant(at, NUMBER, inside))
            place = combine_tensors(at, "remainder", place, splat_constant(at, NUMBER, size))
            total = combine_tensors(at, "add", total, self.scale(at, place, self.stride(d)))
        return total

    def stride(self, dimension: int) -> int:
        """How many counters neighbors along a dimension are apart."""
        return prod(self.bits.counters[dimension + 1 :])

    def scale(self, at: Builder, value: Value[TensorType], factor: int) -> Value[TensorType]:
        """A number times a factor."""
        return combine_tensors(at, "multiply", value, splat_constant(at, NUMBER, factor))

    def generate_run(self, at: Builder, number: Value[TensorType]) -> Value:
        """The run that begins with a counter."""
        bits = self.bits
        state = bits.advanced_state(at, number)
        types = [state.type, self.local.with_shape(self.shape)]
        return bits.partitioner.copy_as(bits.operation, at, [state], types).results[1]
