"""Lowers data movement: the operand element at each index of the result."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.lowering.conversions import convert_register, part_of
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
)
from stablemate.compiler.lowering.quantized import nearest
from stablemate.compiler.lowering.representation import Parts
from stablemate.numerics.elements import QuantizedType
from stablemate.numerics.symbolic_sizes import is_symbolic


def integers(node: Node, name: str) -> list[int]:
    """An attribute that is a list of integers."""
    attribute: Any = getattr(node.operation, name)
    return [number if is_symbolic(number) else int(number) for number in attribute]


@lowers("stablehlo.broadcast_in_dim")
def broadcast_in_dim(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[j]``: j is i at the broadcast dimensions, 0 where the size is 1."""
    (operand,) = node.operands
    dimensions = integers(node, "broadcast_dimensions")
    zero = elements.constant(0)
    source = [
        zero if size == 1 else index[d] for d, size in zip(dimensions, operand.shape, strict=True)
    ]
    return elements.at(operand, source)


@lowers("stablehlo.transpose")
def transpose(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[j]``: i is j in the order of the permutation."""
    (operand,) = node.operands
    source: list[Expression] = [elements.constant(0)] * len(index)
    for i, d in enumerate(integers(node, "permutation")):
        source[d] = index[i]
    return elements.at(operand, source)


@lowers("stablehlo.reshape")
def reshape(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[j]``: i and j have the same number in row-major order."""
    (operand,) = node.operands
    return elements.at(
        operand, reshape_index(elements, index, node.results[0].shape, operand.shape)
    )


def reshape_index(
    elements: KernelElements, index: Index, shape: tuple[int, ...], source: tuple[int, ...]
) -> list[Expression]:
    """The index in a shape that has the same row-major number as one in another shape."""
    number = elements.constant(0)
    for i, size in zip(index, shape, strict=True):
        number = number * size + i
    result: list[Expression] = []
    rest = prod(source)
    for size in source:
        rest //= max(size, 1)
        result.append((number // rest) % size if rest else number)
    return result


@lowers("stablehlo.slice")
def slice_(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[start + i * stride]``."""
    (operand,) = node.operands
    starts, strides = integers(node, "start_indices"), integers(node, "strides")
    return elements.at(operand, [i * k + s for i, s, k in zip(index, starts, strides, strict=True)])


@lowers("stablehlo.reverse")
def reverse(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``result[i] = operand[size - 1 - i]`` in the reversed dimensions."""
    (operand,) = node.operands
    reversed_ = set(integers(node, "dimensions"))
    return elements.at(
        operand,
        [
            i * -1 + (size - 1) if d in reversed_ else i
            for d, (i, size) in enumerate(zip(index, operand.shape, strict=True))
        ],
    )


@lowers("stablehlo.concatenate")
def concatenate(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The input that contains the index along the dimension, after the inputs before it."""
    dimension: int = int(node.operation.dimension)
    table, place = elements.table, index[dimension]
    result: Parts | None = None
    end = sum(operand.shape[dimension] for operand in node.operands)
    for operand in reversed(node.operands):
        size = operand.shape[dimension]
        end -= size
        if size == 0 or place.high < end or place.low >= end + size:
            continue
        source = list(index)
        source[dimension] = table.clamp(place - end, size - 1)
        value = elements.at(operand, source)
        if result is None:
            result = value
            continue
        before = table.inside(place, 0, end + size - 1)
        result = tuple(
            [table.apply("select", before, *pair) for pair in zip(value, result, strict=True)]
        )
    assert result is not None
    return result


@lowers("stablehlo.pad")
def pad(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The operand's element where there is one, else the padding value."""
    operand, padding = node.operands
    lows = integers(node, "edge_padding_low")
    steps = [integer + 1 for integer in integers(node, "interior_padding")]
    return pad_element(elements, operand, elements.at(padding, ()), index, lows, steps)


def pad_element(
    elements: KernelElements,
    operand: Tensor,
    fill: Parts,
    index: Index,
    lows: Sequence[int],
    steps: Sequence[int],
) -> Parts:
    """An element of an operand with the stride ``steps``, after ``lows`` elements of padding."""
    table = elements.table
    if 0 in operand.shape:
        return fill
    place, inside = padded_place(table, operand.shape, index, lows, steps)
    value = elements.at(operand, place)
    return tuple([table.apply("select", inside, *pair) for pair in zip(value, fill, strict=True)])


def padded_place(
    table: Expressions,
    shape: Sequence[int],
    index: Index,
    lows: Sequence[int],
    steps: Sequence[int],
) -> tuple[list[Expression], Expression]:
    """The source index of an element of a padded tensor, and whether it is no padding."""
    source: list[Expression] = []
    inside = table.bits(1, "i1")
    for i, low, step, size in zip(index, lows, steps, shape, strict=True):
        place = i - low
        last = (size - 1) * step
        inside = inside & table.inside(place, 0, last)
        place = table.clamp(place, last)
        if step > 1:
            zero = table.constant(0, "index")
            inside = inside & table.apply("eq", place % step, zero)
            place = place // step
        source.append(place)
    return source, inside


@lowers("stablehlo.iota")
def iota(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The index along the dimension."""
    table, (result,) = elements.table, node.results
    kind = represent_elements(result)
    number = table.number(index[int(node.operation.iota_dimension)])
    element = element_type(result)
    if isinstance(element, QuantizedType):
        return (nearest(convert_register(number, "signed", element.expressed), element, index),)
    value = convert_register(number, "signed", part_of(element))
    return (value, *[table.bits(0, kind.register)] * (kind.parts - 1))


@lowers("stablehlo.get_dimension_size")
def get_dimension_size(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The size of a dimension, which is known when kernels are launched."""
    (operand,) = node.operands
    size = operand.shape[int(node.operation.dimension)]
    number = elements.table.number(elements.table.sum(size, ()))
    return (convert_register(number, "signed", part_of(element_type(node.results[0]))),)
