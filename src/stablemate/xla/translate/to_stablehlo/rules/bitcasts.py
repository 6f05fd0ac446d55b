"""Bitcasts: the same bytes read in another shape.

An array lies in memory as its layout says: dimensions in some order, in tiles. Each layout is a
chain of moves from the logical array to what lies in memory; a bitcast goes forth by one chain and
back by another.

Source: XLA, "Tiled layout"; XLA, operation semantics, BitcastConvertType.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, UI8
from stablemate.xla.layout import COMBINED, Layout, Tile
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.step import Rules, TranslationStep, Values

Sizes: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reorder:
    """Dimensions in another order."""

    order: Sizes


@dataclass(frozen=True, slots=True)
class Regroup:
    """Dimensions of other sizes, elements in the same order."""

    before: Sizes
    after: Sizes


@dataclass(frozen=True, slots=True)
class Fill:
    """Dimensions that are filled up at their ends."""

    before: Sizes
    after: Sizes


Move: TypeAlias = Reorder | Regroup | Fill


def bitcast(step: TranslationStep) -> Values:
    """The operand's memory, read as the result's."""
    operand, result = step.operands[0], step.declared_shape
    value, target = step.array(0), step.result_type
    if value.type == target and order_of(operand.shape) == order_of(result):
        return [value]
    if not (operand.shape.is_static and result.is_static):
        step.refuse_unsupported(
            "memory of dynamic size is not read in another shape", result=result
        )
    for shape in (operand.shape, result):
        if sorted(order_of(shape).minor_to_major) != list(range(shape.rank)):
            step.refuse("minor_to_major is a permutation of the dimensions", shape=shape)
    there, back = moves(operand.shape), moves(result)
    for move in there:
        value = forth(step, value, move)
    value = reread(step, value, target)
    size, expected = math.prod(value.type.shape), math.prod(memory(result, back))
    if size != expected:
        step.refuse("operand and result take the same memory", operand=size, result=expected)
    value = step.reshape(value, memory(result, back))
    for move in reversed(back):
        value = source_of_move(step, value, move)
    return [value]


def reread(
    step: TranslationStep, value: Value[TensorType], target: TensorType
) -> Value[TensorType]:
    """The elements in memory as elements of another type; ``pred`` takes a byte."""
    element = target.element_type
    if value.type.element_type == element:
        return value
    if value.type.element_type == BOOLEAN:
        value = step.convert(value, UI8)
    final = UI8 if element == BOOLEAN else element
    old, new = value.type.element_type.bits, final.bits
    flat = step.reshape(value, (math.prod(value.type.shape),))
    (count,) = flat.type.shape
    if old > new:
        shape: Sizes = (count, old // new)
    elif old < new:
        rows, rest = divmod(count * old, new)
        if rest:
            step.refuse("operand and result take the same memory", operand=value.type)
        flat = step.reshape(flat, (rows, new // old))
        shape = (rows,)
    else:
        shape = (count,)
    if flat.type.element_type != final:
        results = [TensorType(shape, final)]
        flat = step.one("stablehlo.bitcast_convert", results=results, operand=flat)
    return step.convert(flat, element)


def order_of(shape: Shape) -> Layout:
    """The layout of an array; the default one if none is stated."""
    return shape.layout or Layout.row_major(shape.rank)


def memory(shape: Shape, chain: list[Move]) -> Sizes:
    """The sizes at the end of a chain of moves."""
    sizes = shape.dimensions
    for move in chain:
        sizes = tuple(sizes[d] for d in move.order) if isinstance(move, Reorder) else move.after
    return sizes


def moves(shape: Shape) -> list[Move]:
    """The transposes and reshapes that lead to a layout."""
    layout = order_of(shape)
    order = layout.minor_to_major[::-1]
    chain: list[Move] = [Reorder(order)]
    sizes = tuple(shape.dimensions[d] for d in order)
    for tile in layout.tiles:
        steps, sizes = tiling(sizes, tile)
        chain += steps
    return chain


def tiling(sizes: Sizes, tile: Tile) -> tuple[list[Move], Sizes]:
    """How a tile changes an array, and the sizes that it has then."""
    wide = (1,) * (len(tile) - len(sizes)) + sizes
    first = len(wide) - len(tile)
    extents, tiled = combine_tile_extents(wide[first:], tile)
    counts = [-(-size // extent) for size, extent in zip(tiled, extents, strict=True)]
    whole, pairs = wide[:first], list(zip(counts, extents, strict=True))
    merged = (*whole, *tiled)
    filled = (*whole, *(count * extent for count, extent in pairs))
    split = (*whole, *(size for pair in pairs for size in pair))
    order = (*range(first), *range(first, len(split), 2), *range(first + 1, len(split), 2))
    chain: list[Move] = [
        Regroup(sizes, merged),
        Fill(merged, filled),
        Regroup(filled, split),
        Reorder(order),
    ]
    return chain, (*whole, *counts, *extents)


def combine_tile_extents(sizes: Sizes, tile: Tile) -> tuple[list[int], list[int]]:
    """The extents of a tile that are numbers, and the sizes of the dimensions that they divide.

    A dimension without a number of its own is merged with the next one.
    """
    extents: list[int] = []
    tiled: list[int] = []
    carried = 1
    for size, extent in zip(sizes, tile, strict=True):
        carried *= size
        if extent != COMBINED:
            extents.append(extent)
            tiled.append(carried)
            carried = 1
    return extents, tiled


def forth(step: TranslationStep, value: Value[TensorType], move: Move) -> Value[TensorType]:
    """The array after a move."""
    match move:
        case Reorder():
            return step.transpose(value, move.order)
        case Regroup():
            return step.reshape(value, move.after)
        case Fill():
            return filled_up(step, value, move)


def source_of_move(
    step: TranslationStep, value: Value[TensorType], move: Move
) -> Value[TensorType]:
    """The array before a move."""
    match move:
        case Reorder():
            order = sorted(range(len(move.order)), key=move.order.__getitem__)
            return step.transpose(value, order)
        case Regroup():
            return step.reshape(value, move.before)
        case Fill():
            return without_padding(step, value, move)


def filled_up(step: TranslationStep, value: Value[TensorType], move: Fill) -> Value[TensorType]:
    """The array padded with zeros."""
    if move.before == move.after:
        return value
    none = [0] * len(move.before)
    return step.one(
        "stablehlo.pad",
        operand=value,
        padding_value=step.constant(0, value.type.element_type),
        edge_padding_low=none,
        edge_padding_high=[a - b for a, b in zip(move.after, move.before, strict=True)],
        interior_padding=none,
    )


def without_padding(
    step: TranslationStep, value: Value[TensorType], move: Fill
) -> Value[TensorType]:
    """The array without what fills it up."""
    if move.before == move.after:
        return value
    return step.one(
        "stablehlo.slice",
        operand=value,
        start_indices=[0] * len(move.before),
        limit_indices=move.before,
        strides=[1] * len(move.before),
    )


RULES: Final[Rules] = {"bitcast": bitcast}
