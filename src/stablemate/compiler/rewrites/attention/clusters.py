"""Clusters: values computed from scores element by element, and their uses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.rewrites.attention.forward import (
    DOTS,
    Users,
    scores_of,
)
from stablemate.compiler.rewrites.attention.score_regions import (
    is_elementwise,
    is_native,
)
from stablemate.deferred_dataclasses import dataclass

REDUCE: Final = "stablehlo.reduce"


@dataclass(frozen=True, slots=True)
class ScoreUse:
    """A use of a cluster that is no matrix of scores.

    Attributes:
        node: The reduction or the dot; or the node of the cluster whose result is used as it is.
        operand: Which of its operands is from the cluster; None if its result is.
    """

    node: Node
    operand: int | None

    @property
    def is_whole(self) -> bool:
        """Whether the matrix is used as it is."""
        return self.operand is None

    @property
    def is_reduction(self) -> bool:
        """Whether it is a reduction."""
        name: str = self.node.operation.name
        return name == REDUCE and not self.is_whole

    @property
    def is_dot(self) -> bool:
        """Whether it is a dot."""
        return not self.is_whole and not self.is_reduction

    @property
    def matrix(self) -> Tensor:
        """The value of the cluster."""
        if self.operand is None:
            return self.node.results[0]
        return self.node.operands[self.operand]

    @property
    def others(self) -> tuple[Tensor, ...]:
        """The other operand of a dot; none of other uses."""
        if self.operand is None or not self.is_dot:
            return ()
        return (self.node.operands[1 - self.operand],)


@dataclass(frozen=True, slots=True)
class ScoreMatrixUses:
    """The values that are computed from scores.

    Attributes:
        dots: The dots with the shape of scores; the first one is that of the scores.
        inner: The elementwise operations.
        sinks: The other users.
    """

    dots: tuple[Node, ...]
    inner: frozenset[Node]
    sinks: tuple[ScoreUse, ...]


def cluster_of(scores: Node, users: Users, order: Mapping[Node, int]) -> ScoreMatrixUses | None:
    """The cluster of scores; None if other operations use the scores, or any value of one dot."""
    if not all(map(is_native, (*scores.operands, *scores.results))):
        return None
    size = prod(scores.results[0].shape)
    dots: dict[Node, None] = {scores: None}
    inner: dict[Node, None] = {}
    sinks: dict[Node, ScoreUse] = {}
    wholes: dict[Tensor, None] = {}
    seen: set[Tensor] = set()
    pending = list(scores.results)
    while pending:
        tensor = pending.pop()
        for user in users.get(tensor, ()):
            if user is None or user not in order:
                wholes[tensor] = None
            elif user.operation.name == REDUCE or user.operation.name in DOTS:
                if user in sinks or user.operands.count(tensor) != 1:
                    return None
                sinks[user] = ScoreUse(user, user.operands.index(tensor))
            elif user in inner:
                continue
            elif is_elementwise(user) and prod(user.results[0].shape) == size:
                inner[user] = None
                pending += user.results
                same = [other for other in user.operands if prod(other.shape) == size]
                for dot in (dot for other in same for dot in scores_of(other, seen)):
                    if dot not in dots:
                        dots[dot] = None
                        pending += dot.results
            else:
                wholes[tensor] = None
    if not sinks or not dots.keys().isdisjoint(sinks):
        return None
    used = [ScoreUse(tensor.node, None) for tensor in wholes if tensor.node is not None]
    cluster = ScoreMatrixUses(tuple(dots), frozenset(inner), (*sinks.values(), *used))
    if used and (len(dots) < 2 or not may_be_results(cluster, used)):
        return None
    return cluster


def may_be_results(cluster: ScoreMatrixUses, used: Sequence[ScoreUse]) -> bool:
    """Whether matrices of a cluster may be results of the operation that computes its dots.

    Nothing that the operation reads may be computed from them.
    """
    inside = {*cluster.dots, *cluster.inner}
    wholes = [sink.node for sink in used]
    if not cluster.inner.issuperset(wholes):
        return False
    read = [tensor for node in inside for tensor in node.operands if tensor.node not in inside]
    read += [tensor for sink in cluster.sinks for tensor in sink.others]
    return not are_computed_from(read, wholes)


def groups_of(sinks: Sequence[ScoreUse], order: Mapping[Node, int]) -> list[list[ScoreUse]]:
    """The sinks that become one operation each: all, if none depends on another one.

    Dots come first.
    """
    ordered = sorted(sinks, key=lambda sink: not sink.is_dot)
    if are_independent([sink.node for sink in ordered if not sink.is_whole], order):
        return [ordered] if ordered else []
    return [[sink] for sink in ordered]


def are_independent(nodes: Sequence[Node], order: Mapping[Node, int]) -> bool:
    """Whether no node of a graph is computed from the results of another one."""
    first = min(map(order.__getitem__, nodes), default=0)
    read = [tensor for node in nodes for tensor in read_by(node)]
    return not are_computed_from(read, nodes, lambda node: order.get(node, first) < first)


def are_computed_from(
    tensors: Sequence[Tensor], nodes: Collection[Node],
    is_before: Callable[[Node], bool] | None = None,
) -> bool:  # fmt: skip
    """Whether a value is computed from the result of a node.

    Args:
        tensors: The values.
        nodes: The nodes.
        is_before: Whether a node is computed before all of these.
    """
    seen: set[Tensor] = set()
    pending = list(tensors)
    while pending:
        tensor = pending.pop()
        node = tensor.node
        if tensor in seen or node is None or (is_before is not None and is_before(node)):
            continue
        if node in nodes:
            return True
        seen.add(tensor)
        pending += read_by(node)
    return False


def read_by(node: Node) -> Iterator[Tensor]:
    """The values that a node and its regions read."""
    yield from node.operands
    for region in node.regions:
        yield from region.results
        for inner in region.nodes:
            yield from read_by(inner)
