"""Programs of a few operations drawn at random: what the builder accepts, XLA computes alike."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.builder.handle import XlaOp
from tests.oracle.client import Oracle
from tests.xla.builder.execution import agree

OPERATIONS = 12
Make = Callable[[random.Random, ModuleBuilder, XlaOp], XlaOp]


def order(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> list[int]:
    """A permutation of the dimensions."""
    numbers = list(range(b.shape(x).rank))
    choose.shuffle(numbers)
    return numbers


def some(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> list[int]:
    """Some of the dimensions, some of them as negative numbers."""
    rank = b.shape(x).rank
    numbers = choose.sample(range(rank), choose.randint(0, rank))
    return [n - rank if choose.random() < 0.5 else n for n in numbers]


def broadcast_binary(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """A binary operation with an operand of some of the dimensions, ones among them."""
    numbers = sorted(n % b.shape(x).rank for n in some(choose, b, x)) if b.shape(x).rank else []
    sizes = [choose.choice([1, b.shape(x).dimensions[n]]) for n in numbers]
    other = b.iota(b.shape(x).element_type.name, int(np.prod(sizes, dtype=int)))
    other = b.reshape(other, sizes)
    method = choose.choice([b.add, b.sub, b.mul, b.max, b.min])
    if len(numbers) == b.shape(x).rank:
        return method(x, other)
    left_first = choose.random() < 0.5
    return method(x, other, numbers) if left_first else method(other, x, numbers)


def reduced(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """Some dimensions folded by a maximum."""
    low = -(2**15)
    return b.reduce(x, low, lambda p, q: p.builder.operator("max", p, q), some(choose, b, x))


def padded(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """Edges added or cropped, elements put apart."""
    config = [
        (choose.randint(-1, 2) if size > 2 else 0, choose.randint(0, 1), choose.randint(0, 1))
        for size in b.shape(x).dimensions
    ]
    return b.pad(x, 7, config)


def sliced(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """A part of the elements."""
    parts = []
    for size in b.shape(x).dimensions:
        start = choose.randint(0, size - 1) if size else 0
        parts.append(slice(start, choose.randint(start + 1, size) if size else 0, 2))
    return x[tuple(parts)] if parts else x


def windowed(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """Sums of windows."""
    sizes = [choose.randint(1, 2) for _ in b.shape(x).dimensions]
    strides = [choose.randint(1, 2) for _ in sizes]
    padding = choose.choice(["SAME", "VALID"])
    return b.reduce_window(x, 0, lambda p, q: p + q, sizes, strides, padding)


def flattened(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """Some neighboring dimensions as one."""
    rank = b.shape(x).rank
    first = choose.randint(0, rank)
    return b.collapse(x, list(range(first, choose.randint(first, rank))))


def sorted_along(choose: random.Random, b: ModuleBuilder, x: XlaOp) -> XlaOp:
    """The elements in order along a dimension."""
    rank = b.shape(x).rank
    return b.sort(x, dimension=choose.randrange(-rank, rank)) if rank else x


STEPS: tuple[Make, ...] = (
    broadcast_binary,
    reduced,
    padded,
    sliced,
    windowed,
    flattened,
    sorted_along,
    lambda choose, b, x: b.transpose(x, order(choose, b, x)),
    lambda choose, b, x: b.rev(x, some(choose, b, x)),
    lambda choose, b, x: b.broadcast(x, [choose.randint(1, 2)]) if b.shape(x).rank < 4 else x,
    lambda choose, b, x: b.concat_in_dim([x, x], -1) if b.shape(x).rank else x,
    lambda choose, b, x: b.reshape(x, [*b.shape(x).dimensions, 1]) if b.shape(x).rank < 4 else x,
    lambda choose, b, x: b.clamp(-9, x, 40),
    lambda choose, b, x: b.select(x > 3, x, x * 2),
    lambda choose, b, x: b.convert_element_type(x, choose.choice(["s32", "f32", "s16"])),
    lambda choose, b, x: b.map(x, lambda e: e + 1),
    lambda choose, b, x: b.call(lambda e: -e, x),
    lambda choose, b, x: b.conditional(True, x, lambda e: e, x, lambda e: e * 2),
)


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(oracle: Oracle, seed: int) -> None:
    choose = random.Random(seed)
    b = ModuleBuilder(f"random_{seed}")
    sizes = [choose.randint(1, 4) for _ in range(choose.randint(0, 3))]
    x = b.iota("s32", int(np.prod(sizes, dtype=int)))
    x = b.reshape(x, sizes)
    for _ in range(OPERATIONS):
        if np.prod(b.shape(x).dimensions, dtype=int) < 2000:
            x = choose.choice(STEPS)(choose, b, x)
    b.tuple([x])
    agree(oracle, b)
