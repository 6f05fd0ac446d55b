"""Whether two values are computed in the same way.

Elementwise operations that are equal are not merged in the graph, since kernels compute them where
they are used.
"""

from __future__ import annotations

from math import inf
from typing import Final

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.rewrites.attention.softmax import splat_value
from stablemate.compiler.rewrites.simplify import is_pure

EXACT: Final = (0.0, inf, -inf)  # numbers that no conversion between floats rounds
# It bounds the time of the search.
MOST_PAIRS: Final = 64  # of values that are compared


def are_equal(one: Tensor, other: Tensor) -> bool:
    """Whether two values are the same, or results of equal operations on equal values."""
    pending, seen = [(one, other)], set[tuple[Tensor, Tensor]]()
    while pending:
        pair = pending.pop()
        if pair[0] is pair[1] or pair in seen:
            continue
        seen.add(pair)
        if len(seen) > MOST_PAIRS or not are_operations_equal(*pair):
            return False
        nodes = pair[0].node, pair[1].node
        assert nodes[0] is not None
        assert nodes[1] is not None
        if splat_of(nodes[0]) is None and not are_exact_splats(*pair):
            pending += zip(nodes[0].operands, nodes[1].operands, strict=True)
    return True


def are_operations_equal(one: Tensor, other: Tensor) -> bool:
    """Whether the operations of two values are equal, without their operands."""
    first, second = one.node, other.node
    if first is None or second is None or one.type != other.type:
        return False
    if are_exact_splats(one, other):
        return True
    splats = splat_of(first), splat_of(second)
    if splats[0] is not None and splats[1] is not None:
        return bool(splats[0].tobytes() == splats[1].tobytes())
    if first.operation.name != second.operation.name or first.regions or second.regions:
        return False
    if len(first.operands) != len(second.operands) or len(first.results) != 1:
        return False
    if not is_pure(first) or not is_pure(second):
        return False
    return bool(first.operation.attributes == second.operation.attributes)


def are_exact_splats(one: Tensor, other: Tensor) -> bool:
    """Whether two values are the same number everywhere, which may be converted on the way."""
    numbers = splat_value(one), splat_value(other)
    return numbers[0] in EXACT and numbers[0] == numbers[1]
