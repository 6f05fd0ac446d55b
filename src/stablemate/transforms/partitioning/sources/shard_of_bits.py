"""The random bits of a shard, computed as tensors of words, and the states of generators.

A generator of counters computes each word from its number, so that a device needs no others. The
words of one counter are neighbors along one dimension; of the first and the last counter of a
shard, a device may need some words only.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011; the order of the words
is that of ``numerics.random_bits``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, RngAlgorithm
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, UI32, UI64, ElementType, IntegerType
from stablemate.numerics.random_bits import (
    PHILOX_MULTIPLIERS,
    PHILOX_ROUNDS,
    PHILOX_WEYL,
    THREEFRY_PARITY,
    THREEFRY_ROTATIONS,
    halved_dimension,
)
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import RowRange, even_rows
from stablemate.transforms.partitioning.movement.splats import splat_constant, spread
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement
from stablemate.transforms.partitioning.reductions import combine_tensors

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
    from stablemate.transforms.partitioning.partitioner import Partitioner

Words: TypeAlias = Sequence[Value]
HALF: Final = 32
LOW: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class ShardOfBits:
    """The random bits of one device.

    Attributes:
        partitioner: Emits operations.
        operation: The generator.
        state: Its state: key and counter.
    """

    partitioner: Partitioner
    operation: RngBitGenerator
    state: Value

    @property
    def is_threefry(self) -> bool:
        """Whether the generator is Threefry, which makes two words of a counter, not four."""
        return self.operation.rng_algorithm is RngAlgorithm.THREE_FRY

    @property
    def element(self) -> ElementType:
        """The element type of the bits."""
        return self.operation.output.type.element_type

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole output."""
        return tuple(self.operation.output.type.shape)

    @property
    def dimension(self) -> int:
        """The dimension along which the words of one counter are neighbors."""
        return halved_dimension(self.shape) if self.is_threefry else len(self.shape) - 1

    @property
    def words(self) -> int:
        """How many elements one counter makes."""
        return (2 if self.is_threefry else 4) // (2 if self.element.bits == 64 else 1)

    @property
    def counters(self) -> tuple[int, ...]:
        """The shape of the counters of the whole output."""
        sizes = list(self.shape)
        sizes[self.dimension] //= self.words
        return tuple(sizes)

    @property
    def is_supported(self) -> bool:
        """Whether each counter makes neighbors along one dimension."""
        return (
            bool(self.shape)
            and self.element.bits in (8, 16, 32, 64)
            and self.shape[self.dimension] % self.words == 0
        )

    # ---- states

    def word(self, at: Builder, index: int) -> Value[TensorType]:
        """A word of the state."""
        one = tensor(UI64, 1)
        limits = {"start_indices": [index], "limit_indices": [index + 1], "strides": [1]}
        word = at.create(Slice, operand=self.state, results=[one], **limits).results[0]
        return at.create(Reshape, operand=word, results=[tensor(UI64)]).results[0]

    def next_state(self, at: Builder) -> Value[TensorType]:
        """The state after all counters have been used."""
        count = splat_constant(at, tensor(UI64), prod(self.counters))
        words = self.advanced_words(at, count)
        return self.join_words(at, words[: self.state.type.shape[0]])

    def advanced_state(self, at: Builder, count: Value[TensorType]) -> Value[TensorType]:
        """The state of a generator that begins some counters later."""
        return self.join_words(at, self.advanced_words(at, count)[: 2 if self.is_threefry else 3])

    def advanced_words(self, at: Builder, count: Value[TensorType]) -> list[Value[TensorType]]:
        """Key and counter after some counters; without a high word, the counter's is the key."""
        key, low = self.word(at, 0), self.word(at, 1)
        high = self.word(at, 2) if self.state.type.shape[0] == 3 else key
        next_low = combine_tensors(at, "add", low, count)
        return [key, next_low, self.carry(at, high, next_low, low)]

    def join_words(self, at: Builder, words: Words) -> Value[TensorType]:
        """Joins scalars of type ``ui64`` to a state (words,)."""
        one, state = tensor(UI64, 1), tensor(UI64, len(words))
        rows = [at.create(Reshape, operand=word, results=[one]).results[0] for word in words]
        return at.create(Concatenate, inputs=rows, dimension=0, results=[state]).results[0]

    def carry(
        self, at: Builder, high: Value[TensorType], low: Value[TensorType], before: Value
    ) -> Value[TensorType]:
        """The high word of a counter whose low word has grown."""
        is_less = at.create(
            Compare,
            lhs=low,
            rhs=before,
            comparison_direction=ComparisonDirection.LT,
            results=[low.type.with_element(BOOLEAN)],
        ).results[0]
        return combine_tensors(at, "add", high, convert(at, is_less, UI64))

    # ---- bits

    def emit(self, at: Builder, placement: TensorPlacement) -> Value:
        """Emits the bits of a shard."""
        local = placement.local(self.operation.output.type)
        rows = even_rows(self.shape[self.dimension], placement.counts[self.dimension])
        held = rows_of_counters(rows, self.words)
        numbers = self.numbers(at, placement, local.with_element(UI64), held)
        key = spread(at, self.word(at, 0), numbers.type)
        first = spread(at, self.word(at, 1), numbers.type)
        low = combine_tensors(at, "add", first, numbers)
        if self.is_threefry:
            words = threefry(at, halves(at, key), halves(at, low))
        else:
            index = 2 if self.state.type.shape[0] == 3 else 0
            high = spread(at, self.word(at, index), numbers.type)
            high = self.carry(at, high, low, first)
            words = philox(at, halves(at, key), [*halves(at, low), *halves(at, high)])
        if self.element.bits == 64:
            words = [join(at, *pair) for pair in zip(words[::2], words[1::2], strict=True)]
        exchange = RowExchange(
            self.partitioner.resharder, at, self.dimension, placement.dimensions[self.dimension]
        )
        pairs = zip(rows.starts, held.starts, strict=True)
        starts = tuple(start - first * self.words for start, first in pairs)
        neighbors = exchange.rows_at(self.interleave(at, words), starts, rows.length)
        return self.as_elements(at, neighbors, local)

    def numbers(
        self, at: Builder, placement: TensorPlacement, local: TensorType, held: RowRange
    ) -> Value:
        """The number of each counter of a shard, of which ``held`` are along the dimension."""
        shape = list(local.shape)
        shape[self.dimension] = held.length
        result = local.with_shape(shape)
        total = splat_constant(at, result, 0)
        for d, axes in enumerate(placement.dimensions):
            starts = held if d == self.dimension else even_rows(self.shape[d], shard_count(axes))
            own = at.create(Iota, iota_dimension=d, results=[result]).results[0]
            start = spread(at, self.place(at, axes, starts.starts), result)
            index = combine_tensors(at, "add", own, start)
            step = splat_constant(at, result, prod(self.counters[d + 1 :]))
            total = combine_tensors(at, "add", total, combine_tensors(at, "multiply", index, step))
        return total

    def place(self, at: Builder, axes: Axes, numbers: tuple[int, ...]) -> Value[TensorType]:
        """The number of the device, by its place along some axes."""
        return convert(at, self.partitioner.resharder.table(axes, numbers), UI64)

    def interleave(self, at: Builder, words: Words) -> Value[TensorType]:
        """The words of each counter, one after the other."""
        if len(words) == 1:
            return words[0]
        counters = list(words[0].type.shape)
        place = self.dimension + 1
        row = words[0].type.with_shape([*counters[:place], 1, *counters[place:]])
        rows = [at.create(Reshape, operand=word, results=[row]).results[0] for word in words]
        wide = row.with_shape([*counters[:place], len(words), *counters[place:]])
        joined = at.create(Concatenate, inputs=rows, dimension=place, results=[wide]).results[0]
        counters[self.dimension] *= len(words)
        return at.create(Reshape, operand=joined, results=[row.with_shape(counters)]).results[0]

    def as_elements(
        self, at: Builder, words: Value[TensorType], local: TensorType
    ) -> Value[TensorType]:
        """Words as elements: their low bits."""
        bits = self.element.bits
        if bits < HALF:
            mask = splat_constant(at, words.type, (1 << bits) - 1)
            low = combine_tensors(at, "and", words, mask)
            words = convert(at, low, IntegerType(bits, "unsigned"))
        if words.type == local:
            return words
        return at.create(BitcastConvert, operand=words, results=[local]).results[0]


def rows_of_counters(rows: RowRange, words: int) -> RowRange:
    """The counters that make some rows, each of which is a word."""
    first = tuple(start // words for start in rows.starts)
    last = ((start + rows.length - 1) // words for start in rows.starts)
    return RowRange(first, max(b - a + 1 for a, b in zip(first, last, strict=True)))


# ---- generators, on tensors of words


def convert(at: Builder, value: Value[TensorType], element: ElementType) -> Value[TensorType]:
    """Numbers as elements of another type."""
    return at.create(Convert, operand=value, results=[value.type.with_element(element)]).results[0]


def with_number(at: Builder, name: str, value: Value[TensorType], number: int) -> Value[TensorType]:
    """An operation of a value and a number."""
    return combine_tensors(at, name, value, splat_constant(at, value.type, number))


def halves(at: Builder, words: Value[TensorType]) -> list[Value[TensorType]]:
    """The low and the high half of words of 64 bits."""
    low = with_number(at, "and", words, LOW)
    high = with_number(at, "shift_right_logical", words, HALF)
    return [convert(at, low, UI32), convert(at, high, UI32)]


def join(at: Builder, low: Value, high: Value) -> Value:
    """The words of 64 bits with these halves."""
    upper = with_number(at, "shift_left", convert(at, high, UI64), HALF)
    return combine_tensors(at, "or", convert(at, low, UI64), upper)


def rotate_left(at: Builder, words: Value[TensorType], distance: int) -> Value[TensorType]:
    """Words of 32 bits, rotated."""
    left = with_number(at, "shift_left", words, distance)
    right = with_number(at, "shift_right_logical", words, HALF - distance)
    return combine_tensors(at, "or", left, right)


def threefry(at: Builder, key: Words, counter: Words) -> list[Value[TensorType]]:
    """Emits Threefry-2x32 of 20 rounds: two words of random bits for each counter."""
    mixed = combine_tensors(at, "xor", key[0], key[1])
    keys = (*key, with_number(at, "xor", mixed, int(THREEFRY_PARITY)))
    x, y = (combine_tensors(at, "add", *pair) for pair in zip(counter, key, strict=True))
    for group in range(5):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            x = combine_tensors(at, "add", x, y)
            y = combine_tensors(at, "xor", rotate_left(at, y, distance), x)
        x = combine_tensors(at, "add", x, keys[(group + 1) % 3])
        y = combine_tensors(at, "add", y, keys[(group + 2) % 3])
        y = with_number(at, "add", y, group + 1)
    return [x, y]


def philox(at: Builder, key: Words, counter: Words) -> list[Value[TensorType]]:
    """Emits Philox-4x32 of 10 rounds: four words of random bits for each counter."""
    words, (first, second) = [*counter], key
    for _ in range(PHILOX_ROUNDS):
        low_0, high_0 = product(at, words[0], int(PHILOX_MULTIPLIERS[0]))
        low_1, high_1 = product(at, words[2], int(PHILOX_MULTIPLIERS[1]))
        upper = combine_tensors(at, "xor", high_1, words[1])
        lower = combine_tensors(at, "xor", high_0, words[3])
        words = [
            combine_tensors(at, "xor", upper, first),
            low_1,
            combine_tensors(at, "xor", lower, second),
            low_0,
        ]
        first = with_number(at, "add", first, int(PHILOX_WEYL[0]))
        second = with_number(at, "add", second, int(PHILOX_WEYL[1]))
    return words


def product(at: Builder, words: Value[TensorType], factor: int) -> list[Value[TensorType]]:
    """The low and the high half of products of 64 bits."""
    return halves(at, with_number(at, "multiply", convert(at, words, UI64), factor))
