"""Makes the operations that replace the uses of a cluster."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from math import prod
from typing import Literal

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import (
    MatrixSum,
    ProductsForm,
    ReductionForm,
    ScoreDot,
    ScoreForm,
    ScoreMatrixProduct,
)
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION_PRODUCTS,
    ATTENTION_REDUCTION,
    AttentionOperation,
    DimensionMap,
    Roles,
    row_major_number,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import sums_of
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.lowering.elements import buffer_of, represent_elements
from stablemate.compiler.rewrites.attention.clusters import ScoreMatrixUses, ScoreUse
from stablemate.compiler.rewrites.attention.forward import (
    MOST_FEATURES,
    ScoreAxes,
    float_sums,
    kept_dimensions,
    roles_of,
)
from stablemate.compiler.rewrites.attention.score_regions import (
    RegionBuilder,
    index_of,
    layout_at,
    layout_of,
    plain_layout,
)
from stablemate.compiler.rewrites.attention.softmax import (
    behind_conversions,
    source_of_elements,
    spread_of,
    starts_empty,
)
from stablemate.compiler.rewrites.attention.weights import weights_of
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreRegion:
    """A region that computes matrices from dots.

    Attributes:
        graph: The region; its arguments are the results of the dots.
        form: The parameters of the dots.
        matrices: The layouts of the matrices in the scores.
        dots: The dots.
        leaves: What the region reads besides.
    """

    graph: Graph
    form: ScoreForm
    matrices: Sequence[DimensionMap]
    dots: tuple[Node, ...]
    leaves: tuple[Tensor, ...]

    def node(self, name: str, form: Hashable, sinks: Sequence[ScoreUse]) -> Node:
        """A node that computes the results of sinks."""
        operands: list[Tensor] = []
        for dot, score_dot in zip(self.dots, self.form.dots, strict=True):
            operands += dot.operands if score_dot.row_first else dot.operands[::-1]
        if name == ATTENTION_PRODUCTS:
            operands += [other for sink in sinks for other in sink.others]
        originals = [node.operation for node in (*self.dots, *(sink.node for sink in sinks))]
        results = tuple([sink.node.results[0] for sink in sinks])
        operation = AttentionOperation(name, form, tuple(originals))
        return Node(operation, (*operands, *self.leaves), results, (self.graph,))


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

    cluster: ScoreMatrixUses
    axes: ScoreAxes
    query_first: bool
    exponentials: Tensor
    new_tensor: NewTensor

    @property
    def register(self) -> str:
        """The type of sums, which all dots have."""
        sums = sums_of(self.cluster.dots[0])
        return "" if sums is None else sums.register

    def number(self, *, keys: bool) -> Expression:
        """The row-major number of the key, or of the query, of a score."""
        side = self.axes.right if keys is self.query_first else self.axes.left
        return row_major_number(self.axes.table, side.index, side.shape)

    def region(self, matrices: Sequence[Tensor]) -> ScoreRegion | None:
        """The region that computes matrices from dots; None if there is no kernel for it."""
        results = [dot.results[0] for dot in self.cluster.dots]
        builder = RegionBuilder(self.new_tensor, self.axes.matrix)
        graph = builder.region(results, *matrices)
        if graph is None:
            return None
        used = {operand for node in graph.nodes for operand in node.operands}
        used.update(graph.results)
        exponentials = self.add_exponentials(graph, builder)
        pairs = [
            (dot, argument)
            for dot, argument in zip(self.cluster.dots, graph.arguments, strict=True)
            if argument in used
        ]
        if not pairs or pairs[0][0] is not self.cluster.dots[0]:
            return None
        graph.arguments = tuple([argument for _, argument in pairs])
        leaves = [*builder.leaves, *graph.arguments]
        copies = graph.results[: len(matrices)]
        layouts = [layout_of(copy, graph.arguments[0], leaves) for copy in copies]
        known = [layout for layout in layouts if layout is not None]
        if len(known) < len(layouts):
            return None
        dots = [
            self.dot_of(dot, argument, list(zip(copies, known, strict=True)), leaves)
            for dot, argument in pairs
        ]
        score_dots = tuple([dot for dot in dots if dot is not None])
        if len(score_dots) < len(dots):
            return None
        totals = [
            number for number, leaf in enumerate(reversed(builder.leaves), 1) if self.is_total(leaf)
        ]
        form = ScoreForm(self.axes.shape, score_dots, exponentials, tuple(totals))
        return ScoreRegion(
            graph, form, known, tuple([dot for dot, _ in pairs]), tuple(builder.leaves)
        )

    def is_total(self, tensor: Tensor) -> bool:
        """Whether a value has sums of the exponentials."""
        total = spread_of(tensor, "fadd")
        return total is not None and source_of_elements(total.reduced) is self.exponentials

    def dot_of(
        self, dot: Node, argument: Tensor, matrices: Sequence[tuple[Tensor, DimensionMap]],
        leaves: Collection[Tensor],
    ) -> ScoreDot | None:  # fmt: skip
        """A dot of a region, whose result is an argument; None if there is no kernel for it.

        Args:
            dot: The dot.
            argument: The argument.
            matrices: The matrices of the region, and their layouts in the scores.
            leaves: What the region reads.
        """
        for matrix, layout in matrices:
            inner = layout_of(matrix, argument, leaves)
            if inner is not None:
                return self.score_dot(dot, transfer_layout(inner, layout, dot.results[0].shape))
        return None

    def reduction(self, sink: ScoreUse) -> Node | None:
        """The node that replaces a reduction over keys; None if there is no kernel for it."""
        region = self.region([sink.matrix])
        form = None if region is None else self.reduction_form(sink, region)
        if region is None or form is None:
            return None
        return region.node(ATTENTION_REDUCTION, form, [sink])

    def products(self, sinks: Sequence[ScoreUse]) -> Node | None:
        """The node that replaces dots of matrices, and sums of them; None if there is no kernel."""
        matrices = list(dict.fromkeys(sink.matrix for sink in sinks))
        region = self.region(matrices)
        if region is None:
            return None
        numbers = [matrices.index(sink.matrix) for sink in sinks]
        pairs = list(zip(sinks, numbers, strict=True))
        products = [self.product(s, n, region.matrices[n]) for s, n in pairs if s.is_dot]
        sums = [self.matrix_sum(s, n, region.matrices[n]) for s, n in pairs if not s.is_dot]
        known = tuple([product for product in products if product is not None])
        known_sums = tuple([one for one in sums if one is not None])
        if len(known) < len(products) or len(known_sums) < len(sums):
            return None
        form = ProductsForm(region.form, known, known_sums)
        return region.node(ATTENTION_PRODUCTS, form, sinks)

    def add_exponentials(self, region: Graph, builder: RegionBuilder) -> DimensionMap | None:
        """Makes exponentials results of a region if its results are zero where they are.

        Returns:
            Their layout in the scores; None if they are no results.
        """
        copy = builder.copies.get(self.exponentials)
        weights = [weights_of(matrix) for matrix in region.results]
        if copy is None or copy.node is None:
            return None
        if any(one is None or one.exponential is not copy.node for one in weights):
            return None
        subtraction = behind_conversions(copy.node.operands[0]).node
        leaves = [*builder.leaves, *region.arguments]
        layout = layout_of(copy, region.arguments[0], leaves)
        if layout is not None and subtraction is not None:
            region.results += (copy, *subtraction.operands)
        return layout

    def score_dot(self, dot: Node, layout: DimensionMap | None) -> ScoreDot | None:
        """A dot with the shape of scores; None if its sides are not queries and keys."""
        sums = float_sums(dot, self.register)
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

    def product(
        self, sink: ScoreUse, number: int, matrix: DimensionMap
    ) -> ScoreMatrixProduct | None:
        """The parameters of a dot of a matrix; None if there is no kernel for it."""
        assert sink.operand is not None
        index = matrix.index(self.axes.table, self.axes.number)
        sums = float_sums(sink.node, self.register)
        roles = roles_of(sink.node)
        of_matrix, of_other = roles[sink.operand], roles[1 - sink.operand]
        over = self.summed_over(of_matrix, matrix, index)
        features = prod(sink.others[0].shape[d] for d in of_other.free)
        if sums is None or over is None or not 1 <= features <= MOST_FEATURES:
            return None
        return ScoreMatrixProduct(
            over, number, matrix, of_matrix, of_other, sink.operand == 1, sums
        )

    def matrix_sum(self, sink: ScoreUse, number: int, matrix: DimensionMap) -> MatrixSum | None:
        """A matrix as a result, or its sums over other than keys; None for other reductions."""
        kind = represent_elements(sink.matrix)
        if kind.register != self.register or kind.parts > 1:
            return None  # a block of a matrix is kept in the type of sums
        if sink.is_whole:
            return MatrixSum(number, matrix, tuple(range(len(matrix.shape))))
        (result,) = sink.node.results
        if sink.operand or monoid_operator(sink.node) != "fadd":
            return None
        if not starts_empty(sink.node, "fadd") or buffer_of(result, "y").type != self.register:
            return None
        form = MatrixSum(number, matrix, kept_dimensions(sink.node))
        index = matrix.index(self.axes.table, self.axes.number)
        reduced = atoms_of([index[d] for d in form.reduced])
        return form if reduced.isdisjoint(self.number(keys=True).loops) else None

    def summed_over(
        self, roles: Roles, matrix: DimensionMap, index: Sequence[Expression]
    ) -> Literal["keys", "queries"] | None:
        """Over what a dot sums; None if over neither queries nor keys."""
        depth = [index[d] for d in roles.depth]
        number = row_major_number(self.axes.table, depth, [matrix.shape[d] for d in roles.depth])
        if not atoms_of([index[d] for d in roles.batch]) <= self.axes.batch.atoms:
            return None
        keys, queries = self.number(keys=True), self.number(keys=False)
        free = atoms_of([index[d] for d in roles.free])
        if number is keys and free.isdisjoint(keys.loops):
            return "keys"
        if atoms_of(depth) == queries.loops and free.isdisjoint(queries.loops):
            return "queries"
        return None

    def reduction_form(self, sink: ScoreUse, region: ScoreRegion) -> ReductionForm | None:
        """The parameters of a reduction over keys; None for others."""
        (matrix,) = region.matrices
        index = matrix.index(self.axes.table, self.axes.number)
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
        return ReductionForm(region.form, matrix, operator, Roles((), kept, tuple(reduced)))


def atoms_of(index: Sequence[Expression]) -> frozenset[Expression]:
    """The indices that others depend on."""
    return frozenset[Expression]().union(*[position.loops for position in index])


def transfer_layout(
    inner: DimensionMap, matrix: DimensionMap, shape: Sequence[int]
) -> DimensionMap | None:
    """The layout in the scores of a value, given those of a matrix in both.

    Args:
        inner: The layout of the matrix in the value.
        matrix: The layout of the matrix in the scores.
        shape: The shape of the value.
    """
    table = Expressions()
    index = index_of(table, shape)
    number = table.weighted_sum(0, zip(index, plain_layout(shape).strides, strict=True))
    place = table.weighted_sum(0, zip(inner.index(table, number), matrix.strides, strict=True))
    return layout_at(place, index, shape)
