"""Operands of different sizes: scalars, ones that stretch, dimensions that are named.

Source: XLA, "Broadcasting".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from stablemate.xla.builder.argument_types import Integers, Operand, array_shape
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.handle import XlaOp


def binary_operands(core: Core, lhs: Operand, rhs: Operand) -> tuple[XlaOp, XlaOp]:
    """Two operands as handles; a number becomes a constant of the other's type."""
    if isinstance(lhs, XlaOp):
        return core.handle(lhs), core.handle(rhs, lhs)
    if isinstance(rhs, XlaOp):
        return core.handle(lhs, rhs), core.handle(rhs)
    first = core.handle(lhs)
    return first, core.handle(rhs, first)


def broadcast_operands(
    core: Core, lhs: Operand, rhs: Operand, broadcast_dimensions: Integers, rule: str
) -> tuple[XlaOp, XlaOp]:
    """Both operands in the shape of the result of a binary operation."""
    first, second = binary_operands(core, lhs, rhs)
    a, b = core.array(first, rule), core.array(second, rule)
    same = a.element_type is b.element_type
    core.require(same, "both operands have one element type", rule, lhs=a, rhs=b)
    low, high = (a, b) if a.rank < b.rank else (b, a)
    numbers = tuple(core.dimension(n, high.rank, rule) for n in broadcast_dimensions)
    if a.rank == b.rank:
        identity = tuple(range(a.rank))
        message = "operands of one rank have no broadcast_dimensions but 0, 1, ..., rank-1"
        dimensions = tuple(broadcast_dimensions)
        core.require(numbers in ((), identity), message, rule, broadcast_dimensions=dimensions)
        numbers = identity
    elif low.rank or numbers:
        dimensions = tuple(broadcast_dimensions)
        message = "broadcast_dimensions places each dimension of the operand of lower rank"
        counts = len(numbers) == low.rank
        core.require(counts, message, rule, broadcast_dimensions=dimensions, lhs=a, rhs=b)
        message = "broadcast_dimensions increases strictly"
        increasing = all(x < y for x, y in pairwise(numbers))
        core.require(increasing, message, rule, broadcast_dimensions=dimensions)
    sizes = list(high.dimensions)
    for own, number in zip(low.dimensions, numbers, strict=True):
        message = "sizes are equal, or one of them is 1"
        fits = own == sizes[number] or 1 in (own, sizes[number])
        core.require(fits, message, rule, lhs=a, rhs=b, dimension=number)
        sizes[number] = own if sizes[number] == 1 else sizes[number]
    full = tuple(range(high.rank))
    first_numbers, second_numbers = (
        (full, full) if a.rank == b.rank else ((numbers, full) if low is a else (full, numbers))
    )
    return (
        stretch(core, first, sizes, first_numbers),
        stretch(core, second, sizes, second_numbers),
    )


def stretch(core: Core, operand: XlaOp, sizes: Sequence[int], numbers: Sequence[int]) -> XlaOp:
    """The operand with its dimensions at these numbers of the sizes; ones stretch."""
    shape = core.shape(operand)
    if shape.dimensions == tuple(sizes):
        return operand
    pairs = list(zip(shape.dimensions, numbers, strict=True))
    kept = [number for size, number in pairs if size == sizes[number]]
    dynamic = [number for number, flag in zip(numbers, shape.dynamic, strict=False) if flag]
    flags = [number in dynamic for number in range(len(sizes))]
    if len(kept) < shape.rank:
        remaining = [flags[number] for number in kept]
        left = array_shape(shape.element_type, [sizes[number] for number in kept], remaining)
        operand = core.add_instruction("reshape", [operand], {}, left)
    return core.add_instruction(
        "broadcast",
        [operand],
        {"dimensions": tuple(kept)},
        array_shape(shape.element_type, sizes, flags),
    )
