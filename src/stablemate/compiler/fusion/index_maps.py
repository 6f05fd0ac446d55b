"""Index maps: which elements of its operands an operation reads for an element of its result."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final

from stablemate.compiler.graph.fusion_group import Position
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.ir.definition import definition_of
from stablemate.ir.traits import Family

OperandPositions = Sequence[Position | None]


def reads_of(
    values: Sequence[tuple[Tensor, Position | None]],
    inlined: Container[Node],
    materialized: Container[Tensor],
) -> dict[Tensor, set[Position | None]]:
    """The values in memory from which elements are computed, with the positions that are read.

    Args:
        values: The values whose elements are computed, with their positions.
        inlined: The nodes of the graph that are computed element by element. What others compute,
            also those outside of a region, is in memory.
        materialized: The values in memory.
    """
    reads: dict[Tensor, set[Position | None]] = {}
    seen: set[tuple[Tensor, Position | None]] = set()
    pending = list(values)
    while pending:
        read = pending.pop()
        if read in seen:
            continue
        seen.add(read)
        tensor, position = read
        definition = tensor.node
        if definition is not None and splat_of(definition) is not None:
            continue
        if (
            definition is None
            or definition not in inlined
            or tensor in materialized
            or not definition.operands
        ):
            reads.setdefault(tensor, set()).add(position)
        else:
            pending += zip(
                definition.operands, operand_positions(definition, position), strict=True
            )
    return reads


def operand_positions(node: Node, position: Position | None) -> OperandPositions:
    """The positions at which a node reads its operands for its result's element at a position."""
    if position is None:
        return [None] * len(node.operands)
    index_map = INDEX_MAPS.get(node.operation.name)
    if index_map is not None:
        return [index_map(node, position)]
    if moves_elements(node):
        return [None] * len(node.operands)
    shape = node.results[0].shape
    return [
        position if operand.shape == shape else () if not operand.shape else None
        for operand in node.operands
    ]


def moves_elements(node: Node) -> bool:
    """Whether a node reads elements of operands at other indices than that of the result."""
    if node.operation.name == "stablehlo.bitcast_convert":
        return node.operands[0].shape != node.results[0].shape
    return definition_of(node.operation).family is Family.MOVEMENT


def through_broadcast(node: Node, position: Position) -> Position | None:
    """The position at which a broadcast reads its operand."""
    dimensions: Any = node.operation.broadcast_dimensions
    sizes = node.operands[0].shape
    return tuple(
        [position[int(d)] if size > 1 else None for d, size in zip(dimensions, sizes, strict=True)]
    )


def through_reshape(node: Node, position: Position) -> Position | None:
    """The position at which a reshape reads its operand, if it only adds or drops sizes of 1."""
    sizes, shape = node.operands[0].shape, node.results[0].shape
    if [size for size in sizes if size > 1] != [size for size in shape if size > 1]:
        return None
    remaining = iter([p for p, size in zip(position, shape, strict=True) if size > 1])
    return tuple([next(remaining) if size > 1 else None for size in sizes])


def through_transpose(node: Node, position: Position) -> Position | None:
    """The position at which a transpose reads its operand."""
    permutation: Any = node.operation.permutation
    result: list[int | None] = [None] * len(position)
    for i, d in enumerate(permutation):
        result[int(d)] = position[i]
    return tuple(result)


INDEX_MAPS: Final[Mapping[str, Callable[[Node, Position], Position | None]]] = {
    "stablehlo.broadcast_in_dim": through_broadcast,
    "stablehlo.reshape": through_reshape,
    "stablehlo.transpose": through_transpose,
}
