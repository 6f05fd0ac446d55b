"""Replaces the operations of attention by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Final

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION,
    AttentionForm,
    AttentionOperation,
    DimensionMap,
    Roles,
    row_major_number,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums, sums_of
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.rewrites.attention.score_regions import (
    RegionBuilder,
    compose_layouts,
    index_of,
    is_native,
    layout_of,
    merged_terms,
    read_places,
)
from stablemate.compiler.rewrites.attention.softmax import (
    MOVEMENTS,
    Softmax,
    Spread,
    path_of,
    softmax_of,
    source_of_elements,
)
from stablemate.compiler.rewrites.attention.weights import SoftmaxWeights, weights_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.dot_general import result_dimensions
from stablemate.numerics.symbolic_sizes import is_symbolic

DOTS: Final = ("stablehlo.dot_general", "stablehlo.dot")
# Smaller attention keeps the plain form and its bits (docs/adr/0029-attention-in-tiles.md);
# ``python -m benchmarks.attention --size`` measures a size beside XLA.
FEWEST_QUERIES: Final = 48
FEWEST_KEYS: Final = 256
FEWEST_SCORES: Final = 1 << 17  # queries times keys
MOST_FEATURES: Final = 512
REGISTERS: Final = ("f32", "f64")  # types of sums
Users = Mapping[Tensor, Sequence[Node | None]]
Statistics = tuple[tuple[DimensionMap, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Attention in a graph.

    Attributes:
        node: The node that replaces it.
        replaced: The nodes that it replaces.
    """

    node: Node
    replaced: set[Node]


def match_of(
    product: Node, order: Mapping[Node, int], new_tensor: NewTensor, users: Users
) -> Match | None:
    """The attention whose last operation is a dot; None if it is something else.

    Args:
        product: The dot.
        order: The nodes of the graph that are not replaced yet, with their numbers.
        new_tensor: Makes values.
        users: The users of all values.
    """
    if not all(map(is_native, (*product.operands, *product.results))):
        return None
    for side in (0, 1):
        weights = weights_of(product.operands[side])
        softmax = None if weights is None else softmax_of(weights.exponential)
        if weights is None or softmax is None or weights.total is None:
            continue
        for scores in scores_of(softmax.logits):
            matcher = Matcher(product, side, scores, softmax, weights, weights.total, new_tensor)
            match = matcher.match(order, users)
            if match is not None:
                return match
    return None


def scores_of(logits: Tensor, seen: set[Tensor] | None = None) -> Iterator[Node]:
    """The dots from which logits may be computed element by element.

    Args:
        logits: The logits.
        seen: Values whose dots are known; receives those that are looked at.
    """
    seen = set() if seen is None else seen
    size, pending = prod(logits.shape), [logits]
    while pending:
        tensor = pending.pop()
        node = tensor.node
        if tensor in seen or node is None or prod(tensor.shape) != size:
            continue
        seen.add(tensor)
        if node.operation.name in DOTS:
            yield node
        else:
            pending += node.operands


@dataclass(frozen=True, slots=True)
class Matcher:
    """Matches operations that may be attention.

    Attributes:
        product: The second dot.
        side: Which of its operands are the weights.
        scores: The first dot.
        softmax: The softmax.
        weights: How the weights are computed from exponentials.
        total: The sum of exponentials.
        new_tensor: Makes values.
    """

    product: Node
    side: int
    scores: Node
    softmax: Softmax
    weights: SoftmaxWeights
    total: Spread
    new_tensor: NewTensor

    def match(
        self, order: Mapping[Node, int], users: Users, *, cluster: bool = False
    ) -> Match | None:
        """The match, if everything fits.

        Args:
            order: The nodes that may be replaced, with their numbers.
            users: The users of all values.
            cluster: Whether other uses of scores are replaced by the caller: the largest logits and
                the sums are results then.
        """
        axes = ScoreAxes.of(self.scores)
        sums = float_sums(self.scores)
        value_sums = self.value_sums(sums)
        if axes is None or sums is None or value_sums is None:
            return None
        before = RegionBuilder(self.new_tensor, axes.matrix)
        unguarded = {tensor: chosen for tensor, chosen, _ in self.weights.guarded}
        kept = {**self.weights.undivided, **unguarded}
        after = RegionBuilder(self.new_tensor, axes.matrix, kept)
        exponentials = self.softmax.exponentials
        first = before.region(self.scores.results, self.softmax.logits)
        second = after.region([exponentials], self.product.operands[self.side])
        if first is None or second is None:
            return None
        logits = layout_of(first.results[0], first.arguments[0], before.leaves)
        weighted = layout_of(second.results[0], second.arguments[0], after.leaves)
        weighted = None if logits is None or weighted is None else compose_layouts(weighted, logits)
        if logits is None or weighted is None:
            return None
        reductions = self.reductions(axes, logits)
        if reductions is None:
            return None
        query_first, statistics = reductions
        if not self.has_known_guards(axes, logits, query_first=query_first):
            return None
        if not is_worthwhile(axes, self, query_first=query_first):
            return None
        result, moves = result_of(self.product, users)
        form = self.form(axes, query_first, logits, weighted, result, (sums, value_sums))
        replaced = {
            self.scores, *before.inner, *self.softmax.nodes, self.total.reduction,
            *self.total.nodes, *path_of(self.total.reduced, exponentials),
            *path_of(self.softmax.largest.reduced, source_of_elements(self.softmax.logits)),
            *after.inner, self.product, *moves,
            *(node for _, _, guard in self.weights.guarded if guard for node in guard.nodes),
        }  # fmt: skip
        if form is None or not replaced <= order.keys():
            return None
        results = [result]
        if cluster:
            reduced = (self.softmax.largest.reduction, self.total.reduction)
            replaced = {self.product, *moves, *reduced}
            results += [reduction.results[0] for reduction in reduced]
            form = replace(form, statistics=statistics)
        if is_used_elsewhere(replaced, results, users):
            return None
        query, key = self.scores.operands if query_first else self.scores.operands[::-1]
        leaves = dict.fromkeys([*before.leaves, *after.leaves])
        operands = (query, key, self.product.operands[1 - self.side], *leaves)
        originals = {self.scores, *replaced}
        ordered = sorted(originals, key=order.__getitem__)
        operation = AttentionOperation(ATTENTION, form, tuple([node.operation for node in ordered]))
        node = Node(operation, operands, tuple(results), (first, second))
        for tensor in results:
            tensor.node = node
        return Match(node, replaced)

    def value_sums(self, sums: Sums | None) -> Sums | None:
        """The arithmetic of the second dot; None if the softmax or it has another type of sums."""
        if sums is None or not self.softmax.is_computed_in(sums.register):
            return None
        return float_sums(self.product, sums.register)

    def reductions(self, axes: ScoreAxes, logits: DimensionMap) -> tuple[bool, Statistics] | None:
        """Whether the right operand of the first dot has the keys, and what the reductions keep.

        The softmax reduces over the keys. None if its reductions are others.
        """
        largest, exponentials = self.softmax.largest, self.softmax.exponentials
        if source_of_elements(self.total.reduced) is not exponentials:
            return None
        reduced = layout_in(largest.reduced, self.scores.results[0], axes, self.new_tensor)
        summed = layout_in(self.total.reduced, exponentials, axes, self.new_tensor)
        (dividend,) = self.weights.undivided.values()
        divided = layout_in(dividend, exponentials, axes, self.new_tensor)
        summed = None if summed is None else compose_layouts(summed, logits)
        divided = None if divided is None else compose_layouts(divided, logits)
        if reduced is None or summed is None or divided is None:
            return None
        sides = {
            axes.reduced_side(largest, reduced, logits),
            axes.reduced_side(self.total, summed, divided),
        }
        side = None if len(sides) > 1 else sides.pop()
        if side is None:
            return None
        pairs = ((largest.reduction, reduced), (self.total.reduction, summed))
        return side, tuple([(layout, kept_dimensions(node)) for node, layout in pairs])

    def has_known_guards(self, axes: ScoreAxes, logits: DimensionMap, *, query_first: bool) -> bool:
        """Whether all guards of weights test the logits of their own query."""
        for tensor, _, guard in self.weights.guarded:
            if guard is None:
                continue
            if source_of_elements(guard.logits) is not source_of_elements(self.softmax.logits):
                return False
            (compared,) = guard.reduction.operands[:1]
            reduced = layout_in(compared, self.scores.results[0], axes, self.new_tensor)
            read = layout_in(tensor, self.softmax.exponentials, axes, self.new_tensor)
            read = None if read is None else compose_layouts(read, logits)
            if reduced is None or read is None:
                return False
            spread = Spread(guard.reduction, guard.condition, guard.nodes)
            if axes.reduced_side(spread, reduced, read) is not query_first:
                return False
        return True

    def form(
        self,
        axes: ScoreAxes,
        query_first: bool,
        logits: DimensionMap,
        weighted: DimensionMap,
        result: Tensor,
        sums: tuple[Sums, Sums],
    ) -> AttentionForm | None:
        """The parameters of the operation; None if the second dot does not sum over the keys."""
        left, right = roles_of(self.scores)
        query, key = (left, right) if query_first else (right, left)
        roles = roles_of(self.product)
        of_weights, of_values = roles[self.side], roles[1 - self.side]
        index = weighted.index(axes.table, axes.number)
        keys = axes.right if query_first else axes.left
        depth = [index[d] for d in of_weights.depth]
        table, shape = axes.table, weighted.shape
        number = row_major_number(table, depth, [shape[d] for d in of_weights.depth])
        if number is not row_major_number(table, keys.index, keys.shape):
            return None
        batch = frozenset[Expression]().union(*[index[d].loops for d in of_weights.batch])
        if not batch <= axes.batch.atoms:
            return None
        (product,) = self.product.results
        moved_result = layout_of(result, product)
        if moved_result is None:
            return None
        return AttentionForm(
            query, key, of_values, query_first, self.side == 1, axes.shape, logits,
            weighted, of_weights, product.shape, moved_result, *sums, self.weights.is_weighted,
            is_guarded=bool(self.weights.guarded),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Axes:
    """Some dimensions of the scores.

    Attributes:
        index: The index of each.
        shape: Their sizes.
    """

    index: tuple[Expression, ...]
    shape: tuple[int, ...]

    @property
    def atoms(self) -> frozenset[Expression]:
        """The atoms of all indices of the dimensions."""
        return frozenset[Expression]().union(*[position.loops for position in self.index])

    @property
    def size(self) -> int:
        """How many elements they have."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class ScoreAxes:
    """The dimensions of the scores, with an index for each.

    Attributes:
        table: Makes expressions.
        batch: The batching dimensions.
        left: The dimensions of the left operand.
        right: Those of the right operand.
        shape: The shape of the scores.
    """

    table: Expressions
    batch: Axes
    left: Axes
    right: Axes
    shape: tuple[int, ...]

    @staticmethod
    def of(scores: Node) -> ScoreAxes | None:
        """The dimensions of the result of a dot; None if it is empty."""
        shape = scores.results[0].shape
        left, right = roles_of(scores)
        table = Expressions()
        index = index_of(table, shape)
        ends = (0, len(left.batch), len(left.batch) + len(left.free), len(shape))
        batch, rows, columns = [
            Axes(tuple(index[begin:end]), shape[begin:end]) for begin, end in pairwise(ends)
        ]
        assert len(right.free) == len(columns.shape)
        return ScoreAxes(table, batch, rows, columns, shape) if prod(shape) else None

    @property
    def matrix(self) -> int:
        """The scores of one batch."""
        return self.left.size * self.right.size

    @property
    def number(self) -> Expression:
        """The row-major number of a score."""
        index = (*self.batch.index, *self.left.index, *self.right.index)
        return row_major_number(self.table, index, self.shape)

    def reduced_side(
        self, spread: Spread, reduced: DimensionMap, read: DimensionMap
    ) -> bool | None:
        """Whether a reduction is over the dimensions of the right (left) operand; None for others.

        Args:
            spread: The reduction, and the value that has its results.
            reduced: The layout in the scores of what is reduced.
            read: That of what is computed with its results.
        """
        table, dimensions = self.table, set(map(int, spread.reduction.operation.dimensions))
        index = reduced.index(table, self.number)
        kept = [position for d, position in enumerate(index) if d not in dimensions]
        kept_atoms = frozenset[Expression]().union(*[position.loops for position in kept])
        (result,) = spread.reduction.results
        place = row_major_number(table, kept, result.shape)
        at = read.index(table, self.number)
        places = read_places(table, spread.spread, at, result)
        if [merged_terms(read_place) for read_place in places] != [merged_terms(place)]:
            return None
        for is_right, kept_axes in ((True, self.left), (False, self.right)):
            if kept_atoms == self.batch.atoms | kept_axes.atoms:
                return is_right
        return None


def layout_in(
    tensor: Tensor, source: Tensor, axes: ScoreAxes, new_tensor: NewTensor
) -> DimensionMap | None:
    """The layout of a value in the one that it is computed from; None if it has none."""
    builder = RegionBuilder(new_tensor, axes.matrix)
    region = builder.region([source], tensor)
    if region is None:
        return None
    return layout_of(region.results[0], region.arguments[0], builder.leaves)


def result_of(product: Node, users: Users) -> tuple[Tensor, Sequence[Node]]:
    """The last value that only moves the result of a dot, and the nodes that move it."""
    (result,) = product.results
    moves: list[Node] = []
    while len(users.get(result, ())) == 1:
        (user,) = users[result]
        if user is None or user.operation.name not in MOVEMENTS or not is_native(user.results[0]):
            break
        if layout_of(user.results[0], product.results[0]) is None:
            break
        moves.append(user)
        (result,) = user.results
    return result, moves


def roles_of(dot: Node) -> tuple[Roles, Roles]:
    """The roles of the dimensions of both operands of a dot."""
    numbers = dot.operation.numbers
    lhs, rhs = dot.operands
    left, right = result_dimensions(numbers, len(lhs.shape), len(rhs.shape))
    return (
        Roles(
            tuple(numbers.lhs_batching_dimensions), left, tuple(numbers.lhs_contracting_dimensions)
        ),
        Roles(
            tuple(numbers.rhs_batching_dimensions), right, tuple(numbers.rhs_contracting_dimensions)
        ),
    )


def float_sums(dot: Node, register: str | None = None) -> Sums | None:
    """The arithmetic of a dot whose sums are ``f32`` or ``f64``; None for others.

    Args:
        dot: The dot.
        register: The only type of sums that is admitted, if given.
    """
    if not all(map(is_native, (*dot.operands, *dot.results))):
        return None
    sums = sums_of(dot)
    types = REGISTERS if register is None else (register,)
    return sums if sums is not None and sums.register in types else None


def is_worthwhile(axes: ScoreAxes, matcher: Matcher, *, query_first: bool) -> bool:
    """Whether the kernel of attention pays."""
    queries, keys = (axes.left, axes.right) if query_first else (axes.right, axes.left)
    depth = prod(matcher.scores.operands[0].shape) // (axes.batch.size * axes.left.size)
    features = matcher.product.results[0].shape
    features_size = prod(features) // (axes.batch.size * queries.size)
    if is_symbolic(depth) or is_symbolic(features_size):
        return False
    if queries.size < FEWEST_QUERIES or keys.size < FEWEST_KEYS:
        return False
    if queries.size * keys.size < FEWEST_SCORES:
        return False
    return 1 <= depth <= MOST_FEATURES and 1 <= features_size <= MOST_FEATURES


def kept_dimensions(reduction: Node) -> tuple[int, ...]:
    """The dimensions that a reduction does not reduce."""
    reduced = set(map(int, reduction.operation.dimensions))
    return tuple([d for d in range(len(reduction.operands[0].shape)) if d not in reduced])


def is_used_elsewhere(
    replaced: Collection[Node], results: Collection[Tensor], users: Users
) -> bool:
    """Whether another node uses a value between that replaced nodes compute."""
    return any(
        user is None or user not in replaced
        for node in replaced
        for tensor in node.results
        if tensor not in results
        for user in users.get(tensor, ())
    )
