"""Replaces everything that is computed from scores, as in the gradient of attention.

A cluster is the scores, and what is computed from them element by element: exponentials, weights,
their gradients. It ends in sinks: reductions over keys, dots that sum over keys or over queries.
If the cluster has no other users, the reductions become one operation, and the dots another one,
which compute the scores again in tiles; the matrices of the cluster are never in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Final

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node
from stablemate.compiler.rewrites.attention.clusters import (
    ScoreMatrixUses,
    ScoreUse,
    are_computed_from,
    cluster_of,
    groups_of,
    read_by,
)
from stablemate.compiler.rewrites.attention.forward import (
    DOTS,
    FEWEST_KEYS,
    FEWEST_QUERIES,
    Match,
    Matcher,
    ScoreAxes,
    Users,
    layout_in,
    scores_of,
)
from stablemate.compiler.rewrites.attention.score_nodes import SinkBuilder
from stablemate.compiler.rewrites.attention.softmax import (
    Softmax,
    softmax_of,
)
from stablemate.compiler.rewrites.attention.statistics import statistics_of
from stablemate.compiler.rewrites.attention.weights import weights_of
from stablemate.compiler.rewrites.simplify import is_pure

# Queries times keys. Scores are computed twice instead of once: of fewer scores, which caches hold,
# it takes longer than to read them.
FEWEST_SCORES_OF_CLUSTERS: Final = 1 << 19


def replace_clusters(graph: Graph, new_tensor: NewTensor, users: Users) -> bool:
    """Replaces all clusters of a graph that can be; returns whether there were some."""
    order = {node: number for number, node in enumerate(graph.nodes)}
    replaced: dict[Node, Node] = {}
    removed: set[Node] = set()
    for scores in possible_scores(graph):
        if scores in removed:
            continue
        cluster = cluster_of(scores, users, order)
        matches = None if cluster is None else matches_of(cluster, new_tensor, users, order)
        if cluster is None or matches is None:
            continue
        gone = {*cluster.dots, *cluster.inner, *(sink.node for sink in cluster.sinks)}
        for sink, match in matches.items():
            replaced[sink] = match.node
            gone |= match.replaced
        removed |= gone
        for node in gone:
            del order[node]
    if replaced:
        nodes = [
            replaced.get(node, node)
            for node in graph.nodes
            if node in replaced or node not in removed
        ]
        graph.nodes = in_order(nodes)
    return bool(replaced)


def possible_scores(graph: Graph) -> list[Node]:
    """The dots with as many elements as an exponential, and so many that tiles pay.

    In a cluster with a softmax all matrices have the same number of elements. Others are not
    followed, which takes long where many layers add to one value.
    """
    exponentials = [n for n in graph.nodes if n.operation.name == "stablehlo.exponential"]
    sizes = {prod(node.results[0].shape) for node in exponentials}
    large = {size for size in sizes if size >= FEWEST_SCORES_OF_CLUSTERS}
    dots = [node for node in graph.nodes if node.operation.name in DOTS]
    return [node for node in dots if prod(node.results[0].shape) in large] if large else []


def in_order(nodes: Sequence[Node]) -> list[Node]:
    """Nodes in an order in which values are computed before they are used.

    Nodes that are not pure stay in order.
    """
    makers = {result: node for node in nodes for result in node.results}
    done: dict[Node, None] = {}
    last_effect: list[Node] = []
    before: dict[Node, list[Node]] = {}
    for node in nodes:
        before[node] = [makers[t] for t in read_by(node) if t in makers and makers[t] is not node]
        if not is_pure(node):
            before[node] += last_effect
            last_effect = [node]
    for node in nodes:
        pending = [node]
        while pending:
            last = pending[-1]
            missing = [] if last in done else [n for n in before[last] if n not in done]
            if missing:
                pending += missing[::-1]
            else:
                done[pending.pop()] = None
    return list(done)


def matches_of(
    cluster: ScoreMatrixUses, new_tensor: NewTensor, users: Users, order: Mapping[Node, int]
) -> dict[Node, Match] | None:
    """Finds a replacement for each use of a cluster with a softmax; None if one has none."""
    exponentials = [n for n in cluster.inner if n.operation.name == "stablehlo.exponential"]
    softmaxes = [softmax for node in exponentials if (softmax := softmax_of(node)) is not None]
    if len(softmaxes) != 1:
        return None
    first = next((dot for dot in scores_of(softmaxes[0].logits) if dot in cluster.dots), None)
    axes = None if first is None else ScoreAxes.of(first)
    if first is None or axes is None:
        return None
    dots = (first, *(dot for dot in cluster.dots if dot is not first))
    cluster = replace(cluster, dots=dots)
    query_first = side_of_keys(axes, cluster.dots[0], softmaxes[0], new_tensor)
    if query_first is None or not is_large(axes, query_first=query_first):
        return None
    builder = SinkBuilder(cluster, axes, query_first, softmaxes[0].exponentials, new_tensor)
    if not softmaxes[0].is_computed_in(builder.register):
        return None
    matches: dict[Node, Match] = {}
    forward = forward_of(cluster, softmaxes[0], new_tensor, users, order)
    done = set[Node]() if forward is None else {forward[0], *forward[1].replaced}
    statistics = None if forward is not None else statistics_of(builder, softmaxes[0])
    if statistics is not None:
        match = Match(statistics[0], {sink.node for sink in statistics[1]})
        if not is_circular(match, order):
            matches[statistics[1][0].node] = match
            done |= match.replaced
    rest: list[ScoreUse] = []
    for sink in (sink for sink in cluster.sinks if sink.node not in done or sink.is_whole):
        reduction = builder.reduction(sink) if sink.is_reduction else None
        if reduction is None:
            rest.append(sink)
        else:
            matches[sink.node] = Match(reduction, {sink.node})
    for group in groups_of(rest, order):
        node = builder.products(group)
        if node is None:
            if forward is not None:
                restore(forward[1])
            return None
        matches[group[0].node] = Match(node, {sink.node for sink in group})
    if forward is not None:
        matches[forward[0]] = forward[1]
    for match in matches.values():
        for result in match.node.results:
            result.node = match.node
    return matches


def restore(match: Match) -> None:
    """Lets values be results of the nodes again that a match would have replaced."""
    for node in match.replaced:
        for result in node.results:
            result.node = node


def side_of_keys(
    axes: ScoreAxes, scores: Node, softmax: Softmax, new_tensor: NewTensor
) -> bool | None:
    """Whether the right operand of the first dot has the keys, over which the softmax reduces."""
    (result,) = scores.results
    reduced = layout_in(softmax.largest.reduced, result, axes, new_tensor)
    logits = layout_in(softmax.logits, result, axes, new_tensor)
    if reduced is None or logits is None:
        return None
    return axes.reduced_side(softmax.largest, reduced, logits)


def is_large(axes: ScoreAxes, *, query_first: bool) -> bool:
    """Whether there are so many scores that tiles pay."""
    queries, keys = (axes.left, axes.right) if query_first else (axes.right, axes.left)
    if queries.size < FEWEST_QUERIES or keys.size < FEWEST_KEYS:
        return False
    return queries.size * keys.size >= FEWEST_SCORES_OF_CLUSTERS


def forward_of(
    cluster: ScoreMatrixUses, softmax: Softmax, new_tensor: NewTensor, users: Users,
    order: Mapping[Node, int],
) -> tuple[Node, Match] | None:  # fmt: skip
    """The dot that multiplies weights with values, and its match; None if there is none.

    Weights of a gradient are none that the operation computes: their factors are other matrices of
    the cluster, and sums of them that are computed from its statistics.
    """
    for sink in cluster.sinks:
        if not sink.is_dot or sink.operand is None:
            continue
        weights = weights_of(sink.matrix)
        if weights is None or weights.total is None:
            continue
        if weights.exponential is not softmax.exponentials.node:
            continue
        matcher = Matcher(
            sink.node, sink.operand, cluster.dots[0], softmax, weights, weights.total, new_tensor
        )
        match = matcher.match(order, users, cluster=True)
        if match is None:
            continue
        restore(match)
        gone = {*cluster.dots, *cluster.inner}
        reads_gone = any(operand.node in gone for operand in match.node.operands)
        if not (reads_gone or is_circular(match, order)):
            for result in match.node.results:
                result.node = match.node
            return sink.node, match
    return None


def is_circular(match: Match, order: Mapping[Node, int]) -> bool:
    """Whether a node would read what is computed from its own results."""
    first = min(order[node] for node in match.replaced)
    return are_computed_from(
        match.node.operands, match.replaced, lambda node: order.get(node, first) < first
    )
