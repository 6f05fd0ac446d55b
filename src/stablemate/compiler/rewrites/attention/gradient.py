"""Replaces everything that is computed from scores, as in the gradient of attention.

A cluster is the scores, and what is computed from them element by element: exponentials, weights,
their gradients. It ends in sinks: reductions over keys, dots that sum over keys or over queries.
If the cluster has no other users, each sink becomes an operation of its own that computes the
scores again in tiles, and the matrices of the cluster are never in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final, Literal

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION_SINK,
    AttentionOperation,
    Layout,
    Roles,
    row_major_number,
)
from stablemate.compiler.kernels.attention.sink_form import ScoreDot, SinkForm, SinkKind
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.rewrites.attention.forward import (
    DOTS,
    FEWEST_KEYS,
    FEWEST_QUERIES,
    MOST_FEATURES,
    Match,
    Matcher,
    ScoreAxes,
    Users,
    float_sums,
    kept_dimensions,
    layout_in,
    roles_of,
    scores_of,
)
from stablemate.compiler.rewrites.attention.score_regions import (
    RegionBuilder,
    index_of,
    is_elementwise,
    is_native,
    layout_at,
    layout_of,
    plain_layout,
)
from stablemate.compiler.rewrites.attention.softmax import (
    Softmax,
    behind_conversions,
    softmax_of,
    starts_empty,
)
from stablemate.compiler.rewrites.attention.weights import weights_of
from stablemate.compiler.rewrites.simplify import is_pure

REDUCE: Final = "stablehlo.reduce"
# Queries times keys. Scores are computed five times instead of once: of fewer scores, which caches
# hold, it takes longer than to read them.
FEWEST_SCORES_OF_CLUSTERS: Final = 1 << 22


@dataclass(frozen=True, slots=True)
class Sink:
    """A use of a cluster that is no matrix of scores.

    Attributes:
        node: The reduction or the dot.
        operand: Which of its operands is from the cluster.
    """

    node: Node
    operand: int

    @property
    def matrix(self) -> Tensor:
        """The value of the cluster."""
        return self.node.operands[self.operand]


@dataclass(frozen=True, slots=True)
class Cluster:
    """What is computed from scores.

    Attributes:
        dots: The dots with the shape of scores; the first one is that of the scores.
        inner: The elementwise operations.
        sinks: The other users.
    """

    dots: tuple[Node, ...]
    inner: frozenset[Node]
    sinks: tuple[Sink, ...]


def replace_clusters(graph: Graph, new_tensor: NewTensor, users: Users) -> bool:
    """Replaces all clusters of a graph that can be; returns whether there were some."""
    order = {node: number for number, node in enumerate(graph.nodes)}
    replaced: dict[Node, Node] = {}
    removed: set[Node] = set()
    for scores in graph.nodes:
        if scores.operation.name not in DOTS or scores in removed:
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


def read_by(node: Node) -> Iterator[Tensor]:
    """The values that a node and its regions read."""
    yield from node.operands
    for region in node.regions:
        yield from region.results
        for inner in region.nodes:
            yield from read_by(inner)


def cluster_of(scores: Node, users: Users, order: Mapping[Node, int]) -> Cluster | None:
    """The cluster of scores; None if something uses a value of it as a whole."""
    if not all(map(is_native, (*scores.operands, *scores.results))):
        return None
    size = prod(scores.results[0].shape)
    dots: dict[Node, None] = {scores: None}
    inner: dict[Node, None] = {}
    sinks: dict[Node, Sink] = {}
    pending = list(scores.results)
    while pending:
        tensor = pending.pop()
        for user in users.get(tensor, ()):
            if user is None or user not in order:
                return None
            if user.operation.name == REDUCE or user.operation.name in DOTS:
                if user in sinks or user.operands.count(tensor) != 1:
                    return None
                sinks[user] = Sink(user, user.operands.index(tensor))
            elif user in inner:
                continue
            elif is_elementwise(user) and prod(user.results[0].shape) == size:
                inner[user] = None
                pending += user.results
                for dot in (dot for other in user.operands for dot in scores_of(other)):
                    if dot not in dots and prod(dot.results[0].shape) == size:
                        dots[dot] = None
                        pending += dot.results
            else:
                return None
    if not sinks or not dots.keys().isdisjoint(sinks):
        return None
    return Cluster(tuple(dots), frozenset(inner), tuple(sinks.values()))


def matches_of(
    cluster: Cluster, new_tensor: NewTensor, users: Users, order: Mapping[Node, int]
) -> dict[Node, Match] | None:
    """What replaces each sink of a cluster with a softmax; None if one cannot be replaced."""
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
    matches: dict[Node, Match] = {}
    forward = forward_of(cluster, softmaxes[0], new_tensor, users, order)
    done = set[Node]() if forward is None else {forward[0], *forward[1].replaced}
    for sink in cluster.sinks:
        if sink.node in done:
            continue
        node = builder.node(sink)
        if node is None:
            if forward is not None:
                restore(forward[1])
            return None
        matches[sink.node] = Match(node, {sink.node})
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
    cluster: Cluster, softmax: Softmax, new_tensor: NewTensor, users: Users,
    order: Mapping[Node, int],
) -> tuple[Node, Match] | None:  # fmt: skip
    """The dot that multiplies weights with values, and its match; None if there is none."""
    for sink in cluster.sinks:
        if sink.node.operation.name not in DOTS:
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
        if match is not None:
            return sink.node, match
    return None


@dataclass(frozen=True, slots=True)
class SinkBuilder:
    """Makes nodes of sinks.

    Attributes:
        cluster: The cluster.
        axes: The dimensions of scores.
        query_first: Whether the right operand of the first dot has the keys.
        exponentials: Those of the softmax.
        new_tensor: Makes values.
    """

    cluster: Cluster
    axes: ScoreAxes
    query_first: bool
    exponentials: Tensor
    new_tensor: NewTensor

    def number(self, *, keys: bool) -> Expression:
        """The row-major number of the key, or of the query, of a score."""
        side = self.axes.right if keys is self.query_first else self.axes.left
        return row_major_number(self.axes.table, side.index, side.shape)

    def node(self, sink: Sink) -> Node | None:
        """The node that replaces a sink; None if there is no kernel for it."""
        results = [dot.results[0] for dot in self.cluster.dots]
        builder = RegionBuilder(self.new_tensor, self.axes.matrix)
        region = builder.region(results, sink.matrix)
        if region is None:
            return None
        used = {operand for node in region.nodes for operand in node.operands}
        used.update(region.results)
        exponentials = self.add_exponentials(region, builder)
        pairs = [
            (dot, argument)
            for dot, argument in zip(self.cluster.dots, region.arguments, strict=True)
            if argument in used
        ]
        if not pairs or pairs[0][0] is not self.cluster.dots[0]:
            return None
        region.arguments = tuple([argument for _, argument in pairs])
        leaves = [*builder.leaves, *region.arguments]
        layouts = [layout_of(region.results[0], argument, leaves) for argument in region.arguments]
        matrix = layouts[0]
        if matrix is None:
            return None
        dots = [
            self.score_dot(dot, None if layout is None else transferred(layout, matrix, dot))
            for (dot, _), layout in zip(pairs, layouts, strict=True)
        ]
        form = self.form(sink, matrix, [dot for dot in dots if dot is not None])
        if form is None or len(form.dots) != len(dots):
            return None
        form = replace(form, exponentials=exponentials)
        operands: list[Tensor] = []
        for (dot, _), score_dot in zip(pairs, form.dots, strict=True):
            operands += dot.operands if score_dot.row_first else dot.operands[::-1]
        if form.kind != "reduce":
            operands.append(sink.node.operands[1 - sink.operand])
        originals = (*(dot.operation for dot, _ in pairs), sink.node.operation)
        operation = AttentionOperation(ATTENTION_SINK, form, originals)
        return Node(operation, (*operands, *builder.leaves), sink.node.results, (region,))

    def add_exponentials(self, region: Graph, builder: RegionBuilder) -> Layout | None:
        """Makes exponentials results of a region if its result is zero where they are.

        Returns:
            Their layout in the scores; None if they are no results.
        """
        weights = weights_of(region.results[0])
        copy = builder.copies.get(self.exponentials)
        if weights is None or copy is None or weights.exponential is not copy.node:
            return None
        subtraction = behind_conversions(weights.exponential.operands[0]).node
        leaves = [*builder.leaves, *region.arguments]
        layout = layout_of(copy, region.arguments[0], leaves)
        if layout is not None and subtraction is not None:
            region.results += (copy, *subtraction.operands)
        return layout

    def score_dot(self, dot: Node, layout: Layout | None) -> ScoreDot | None:
        """A dot with the shape of scores; None if its sides are not queries and keys."""
        sums = float_sums(dot)
        if layout is None or sums is None:
            return None
        left, right = roles_of(dot)
        index = layout.index(self.axes.table, self.axes.number)
        batch, end = len(left.batch), len(left.batch) + len(left.free)
        sides = (index[batch:end], layout.shape[batch:end]), (index[end:], layout.shape[end:])
        keys = self.number(keys=True)
        row_first = row_major_number(self.axes.table, *sides[1]) is keys
        if not row_first and row_major_number(self.axes.table, *sides[0]) is not keys:
            return None
        rows = sides[0][0] if row_first else sides[1][0]
        is_batch = atoms_of(index[:batch]) <= self.axes.batch.atoms
        if not is_batch or not atoms_of(rows).isdisjoint(keys.loops):
            return None
        pair = (left, right) if row_first else (right, left)
        depth = prod(dot.operands[0].shape[d] for d in left.depth)
        if not 1 <= depth <= MOST_FEATURES:
            return None
        return ScoreDot(*pair, row_first, layout, sums)

    def form(self, sink: Sink, matrix: Layout, dots: Sequence[ScoreDot]) -> SinkForm | None:
        """The parameters of the operation that replaces a sink."""
        if not dots:
            return None
        index = matrix.index(self.axes.table, self.axes.number)
        if sink.node.operation.name == REDUCE:
            return self.reduction(sink, matrix, index, dots)
        sums = float_sums(sink.node)
        roles = roles_of(sink.node)
        of_matrix, of_other = roles[sink.operand], roles[1 - sink.operand]
        kind = self.kind_of(of_matrix, matrix, index)
        other = sink.node.operands[1 - sink.operand]
        features = prod(other.shape[d] for d in of_other.free)
        if sums is None or kind is None or not 1 <= features <= MOST_FEATURES:
            return None
        return SinkForm(
            kind, self.axes.shape, tuple(dots), matrix, "fadd", of_matrix, of_other,
            sink.operand == 1, sink.node.results[0].shape, sums,
        )  # fmt: skip

    def kind_of(self, roles: Roles, matrix: Layout, index: Sequence[Expression]) -> SinkKind | None:
        """Over what a dot sums; None if over neither queries nor keys."""
        depth = [index[d] for d in roles.depth]
        number = row_major_number(self.axes.table, depth, [matrix.shape[d] for d in roles.depth])
        if not atoms_of([index[d] for d in roles.batch]) <= self.axes.batch.atoms:
            return None
        keys, queries = self.number(keys=True), self.number(keys=False)
        free = atoms_of([index[d] for d in roles.free])
        if number is keys and free.isdisjoint(keys.loops):
            return "rows"
        if atoms_of(depth) == queries.loops and free.isdisjoint(queries.loops):
            return "columns"
        return None

    def reduction(
        self, sink: Sink, matrix: Layout, index: Sequence[Expression], dots: Sequence[ScoreDot]
    ) -> SinkForm | None:
        """The parameters of a reduction over keys; None for others."""
        operator = monoid_operator(sink.node)
        operators: tuple[Literal["maximum", "fadd"], ...] = ("maximum", "fadd")
        if sink.operand or operator not in operators or not starts_empty(sink.node, operator):
            return None
        kept = kept_dimensions(sink.node)
        keys = self.number(keys=True)
        if not atoms_of([index[d] for d in kept]).isdisjoint(keys.loops):
            return None
        reduced = [d for d in range(len(index)) if d not in kept]
        if atoms_of([index[d] for d in reduced]) != keys.loops:
            return None
        roles = Roles((), kept, tuple(reduced))
        return SinkForm(
            "reduce", self.axes.shape, tuple(dots), matrix, operator, roles, Roles((), (), ()),
            False, sink.node.results[0].shape, dots[0].sums,
        )  # fmt: skip


def atoms_of(index: Sequence[Expression]) -> frozenset[Expression]:
    """The indices that others depend on."""
    return frozenset[Expression]().union(*[position.loops for position in index])


def transferred(inner: Layout, matrix: Layout, dot: Node) -> Layout | None:
    """The layout in the scores of the result of a dot, given those of a matrix in both.

    Args:
        inner: The layout of the matrix in the result of the dot.
        matrix: The layout of the matrix in the scores.
        dot: The dot.
    """
    table, shape = Expressions(), dot.results[0].shape
    index = index_of(table, shape)
    number = table.weighted(0, zip(index, plain_layout(shape).strides, strict=True))
    place = table.weighted(0, zip(inner.index(table, number), matrix.strides, strict=True))
    return layout_at(place, index, shape)
