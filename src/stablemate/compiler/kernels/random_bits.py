"""Counter-based random bits: a loop over counters, each of which yields several elements.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011. The order in which
outputs become elements, and how the state advances, is XLA's.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, register_builder
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.lowering.elements import buffer_of, element_type, represent_elements
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.dialects.stablehlo.attributes import RngAlgorithm
from stablemate.numerics.symbolic_sizes import is_symbolic, surely_at_most

Words = tuple[Expression, ...]  # of 32 bits

THREEFRY_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
THREEFRY_GROUPS: Final = 5  # of four rounds
THREEFRY_PARITY: Final = 0x1BD11BDA  # Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
PHILOX_ROUNDS: Final = 10  # as many as Salmon et al. recommend
PHILOX_MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
PHILOX_WEYL: Final = (0x9E3779B9, 0xBB67AE85)


def is_threefry(node: Node) -> bool:
    """Whether bits are Threefry's; else they are Philox's, also by default."""
    return node.operation.rng_algorithm is RngAlgorithm.THREE_FRY


def has_known_state(node: Node) -> bool:
    """Whether the state is a key and a counter of a size that the algorithm has."""
    (size,) = node.operands[0].shape
    return size == 2 or (size == 3 and not is_threefry(node))


@register_builder("stablehlo.rng_bit_generator", admits=has_known_state)
def rng_bit_generator(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """A kernel that fills the output, and one that advances the state."""
    build = threefry if is_threefry(node) else philox
    builder = KernelBuilder(node.operands, kept, vector_bytes)
    count, build_kernel = build(node, builder, name)
    return [
        *([build_kernel] if count else []),
        counter_update_kernel(node, kept, vector_bytes, f"{name}_state", count),
    ]


def counter_update_kernel(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str, count: int
) -> BuiltKernel:
    """The kernel that adds the number of values drawn to the counter."""
    builder = KernelBuilder(node.operands, kept, vector_bytes)
    table, state = builder.table, node.results[0]
    words = state_words(builder, node)
    low = words[1] + table.size(count)
    new = [words[0], low]
    if len(words) > 2:
        new.append(words[2] + table.convert("zext", table.apply("ult", low, words[1]), "i64"))
    output = buffer_of(state, "s")
    body = [StoreElement(output, table.sum(i, ()), value) for i, value in enumerate(new)]
    return builder.build_kernel(name, body, [(state, output)])


def state_words(builder: KernelBuilder, node: Node) -> list[Expression]:
    """The words of the state, of 64 bits."""
    (state,) = node.operands
    return [
        builder.elements.at(state, [builder.table.sum(i, ())])[0] for i in range(state.shape[0])
    ]


def threefry(node: Node, builder: KernelBuilder, name: str) -> tuple[int, BuiltKernel]:
    """The number of counters used, and the kernel that fills the output.

    Elements of 64 bits are one counter's words. Narrower ones that have one counter's words are
    neighbors along the dimension that is halved.
    """
    (_, output) = node.results
    table, buffer = builder.table, flat(output)
    is_wide = element_type(output).bits == 64
    outer, size, inner = split_shape(output.shape, is_wide)
    half = size if is_wide else -(-size // 2)
    (o, h, i), loops = builder.dimensions([outer, half, inner])
    key, counter = state_words(builder, node)
    number = table.number((o * half + h) * inner + i)
    words = threefry_2x32(words_of(key), words_of(counter + number))
    if is_wide:
        body = [store_bits(output, buffer, (o * size + h) * inner + i, bits_of(*words))]
    else:
        # Of an odd size the last word has no place: the one before it is stored twice.
        last = table.least(h * 2 + 1, size - 1)
        places = [(o * size + position) * inner + i for position in (h * 2, last)]
        values = words[0], in_place(h * 2 + 1, size, words[1], words[0])
        body = [
            store_bits(output, buffer, place, word)
            for place, word in reversed(list(zip(places, values, strict=True)))
        ]
    return outer * half * inner, counter_kernel(builder, name, loops, body, output, buffer)


def split_shape(shape: Sequence[int], is_wide: bool) -> tuple[int, int, int]:
    """Returns the sizes before, of and after the dimension that is split in halves.

    That is the first even one, else the first of largest size.
    """
    if is_wide or not shape:
        return 1, prod(shape), 1
    even = [d for d, size in enumerate(shape) if size % 2 == 0]
    d = even[0] if even else max(range(len(shape)), key=lambda d: shape[d])
    return prod(shape[:d]), shape[d], prod(shape[d + 1 :])


def threefry_2x32(key: Words, counter: Words) -> Words:
    """Two words of 32 random bits by Threefry-2x32 of 20 rounds (Salmon et al., 2011)."""
    keys = (*key, key[0] ^ key[1] ^ THREEFRY_PARITY)
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for group in range(THREEFRY_GROUPS):
        for distance in THREEFRY_ROTATIONS[group % 2]:
            x = x + y
            y = rotate_left(y, distance) ^ x
        x = x + keys[(group + 1) % 3]
        y = y + keys[(group + 2) % 3] + (group + 1)
    return x, y


def rotate_left(word: Expression, distance: int) -> Expression:
    """The bits of a word, rotated to the left."""
    table = word.table
    left = table.apply("shl", word, table.bits(distance, "i32"))
    return left | table.apply("lshr", word, table.bits(32 - distance, "i32"))


def philox(node: Node, builder: KernelBuilder, name: str) -> tuple[int, BuiltKernel]:
    """The number of counters used, and the kernel that fills the output, four words at a time."""
    (_, output) = node.results
    table, buffer = builder.table, flat(output)
    is_wide = element_type(output).bits == 64
    size, words_per_step = buffer.elements, 2 if is_wide else 4
    count = -(-size // words_per_step)
    (c,), loops = builder.dimensions([count])
    key, first, *high = state_words(builder, node)
    low = first + table.number(c)
    carry = table.convert("zext", table.apply("ult", low, first), "i64")
    second = (high[0] if high else key) + carry
    words = philox_4x32(words_of(key), (*words_of(low), *words_of(second)))
    values = (bits_of(*words[:2]), bits_of(*words[2:])) if is_wide else words
    # In the place of words that have none the last element is stored again.
    last = select_by_number(values, (size - 1) % words_per_step) if size else values[0]
    body: list[StoreElement] = []
    for k in reversed(range(words_per_step)):
        place = c * words_per_step + k
        word = in_place(place, size, values[k], last)
        body.append(store_bits(output, buffer, table.least(place, size - 1), word))
    return count, counter_kernel(builder, name, loops, body, output, buffer)


def select_by_number(values: Words, number: int) -> Expression:
    """One of some values, by a number that may be symbolic."""
    if not is_symbolic(number):
        return values[number]
    table, value = values[0].table, values[0]
    for k, other in enumerate(values[1:], start=1):
        is_other = table.apply("eq", table.size(number), table.size(k))
        value = table.apply("select", is_other, other, value)
    return value


def philox_4x32(key: Words, counter: Words) -> Words:
    """Four words of 32 random bits by Philox-4x32 of 10 rounds (Salmon et al., 2011)."""
    words, (first, second) = counter, key
    for _ in range(PHILOX_ROUNDS):
        low_0, high_0 = product(words[0], PHILOX_MULTIPLIERS[0])
        low_1, high_1 = product(words[2], PHILOX_MULTIPLIERS[1])
        words = (high_1 ^ words[1] ^ first, low_1, high_0 ^ words[3] ^ second, low_0)
        first, second = first + PHILOX_WEYL[0], second + PHILOX_WEYL[1]
    return words


def product(word: Expression, factor: int) -> Words:
    """Returns the low and the high word of a product."""
    return words_of(word.table.convert("zext", word, "i64") * factor)


def words_of(word: Expression) -> Words:
    """Returns the low and the high half of 64 bits."""
    table = word.table
    high = table.apply("lshr", word, table.bits(32, "i64"))
    return table.convert("trunc", word, "i32"), table.convert("trunc", high, "i32")


def bits_of(low: Expression, high: Expression) -> Expression:
    """Returns the 64 bits with these halves."""
    table = low.table
    upper = table.apply("shl", table.convert("zext", high, "i64"), table.bits(32, "i64"))
    return table.convert("zext", low, "i64") | upper


def flat(tensor: Tensor) -> Buffer:
    """The buffer of a tensor, as one row."""
    return Buffer("y", represent_elements(tensor).storage, (prod(tensor.shape),))


def in_place(place: Expression, size: int, word: Expression, last: Expression) -> Expression:
    """The word if its place is inside a size, else the last one that has a place.

    All iterations store the same there. The question is not one that dimensions are cut at: the
    code is long, and a choice is cheap.
    """
    table = place.table
    if surely_at_most(place.high + 1, size):
        return word
    inside = table.apply("ult", table.number(place), table.size(size))
    return table.apply("select", inside, word, last)


def store_bits(tensor: Tensor, buffer: Buffer, place: Expression, word: Expression) -> StoreElement:
    """The store of as many bits as an element has."""
    table, bits = word.table, element_type(tensor).bits
    if bits < 8:
        word = word & ((1 << bits) - 1)
    width = BITS[buffer.type]
    if width < BITS[word.type]:
        word = table.convert("trunc", word, f"i{width}")
    return StoreElement(buffer, place, table.convert("bitcast", word, buffer.type))


def counter_kernel(
    builder: KernelBuilder,
    name: str,
    loops: Sequence[LoopDimension],
    body: Sequence[Statement],
    output: Tensor,
    buffer: Buffer,
) -> BuiltKernel:
    """The kernel that runs these statements for each counter."""
    return builder.build_kernel(
        name, builder.scheduler.elementwise(loops, body), [(output, buffer)]
    )
