"""Updates of the slice that they are computed from, such as ``x.at[i].add(y)``, in place.

Each element of the slice is read only for the element that takes its place. No vector may overlap
another one: it would read elements that are replaced already.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from math import prod
from typing import Final

from stablemate.compiler.fusion.index_maps import reads_of
from stablemate.compiler.graph.fusion_group import full_position
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.ir.shapes import surely_same_type
from stablemate.numerics.symbolic_sizes import surely_same_shape

DEEPEST: Final = 8  # operations between a start and what it is computed from that are compared
MOST_LANES: Final = 64  # of a vector


def is_slice_replaced(
    node: Node, user: Node, inlined: Container[Node], materialized: Collection[Tensor]
) -> bool:
    """Whether an update reads a slice of its operand only for the elements that it replaces.

    Args:
        node: The update.
        user: What reads its operand.
        inlined: The nodes that are computed element by element.
        materialized: The values in memory.
    """
    names = node.operation.name, user.operation.name
    if names != ("stablehlo.dynamic_update_slice", "stablehlo.dynamic_slice"):
        return False
    operand, update, *starts = node.operands
    (result,) = user.results
    inner_sizes = [prod(update.shape[d:]) for d in range(len(update.shape))]
    if (
        user.operands[0] is not operand
        or not surely_same_shape(result.shape, update.shape)
        or not all(map(is_same, starts, user.operands[1:]))
        or not all(map(is_in_whole_vectors, inner_sizes))
    ):
        return False
    position = full_position(update.shape)
    reads = reads_of([(update, position)], inlined, {*materialized, result})
    return reads.get(result) == {position} and operand not in reads


def is_in_whole_vectors(size: int) -> bool:
    """Whether vectors into which so many elements are cut do not overlap, however long they are."""
    return size & (size - 1) == 0 or size % MOST_LANES == 0


def is_same(one: Tensor, other: Tensor, depth: int = DEEPEST) -> bool:
    """Whether two values are computed alike."""
    if one is other:
        return True
    a, b = one.node, other.node
    if a is None or b is None or not depth or a.regions or len(a.operands) != len(b.operands):
        return False
    return (
        a.operation.name == b.operation.name
        and not a.operation.has_effects
        and surely_same_type(one.type, other.type)
        and a.results.index(one) == b.results.index(other)
        and a.operation.attributes == b.operation.attributes
        and all(is_same(x, y, depth - 1) for x, y in zip(a.operands, b.operands, strict=True))
    )
