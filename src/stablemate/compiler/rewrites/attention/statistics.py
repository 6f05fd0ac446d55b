"""Replaces the reductions over keys that a gradient needs by one operation.

They are the largest logit, the sum of exponentials, and a sum of products with the exponentials:
the derivative of the quotient by their sum. The last one is divided by it already, element by
element; such factors, which are the same for all keys, are applied to the sum instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import (
    ReductionForm,
    RowSum,
    ScoreDot,
    ScoreForm,
    StatisticsForm,
)
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION_STATISTICS,
    DimensionMap,
    row_major_number,
)
from stablemate.compiler.lowering.elements import KernelElements, buffer_of
from stablemate.compiler.rewrites.attention.clusters import ScoreUse, are_computed_from
from stablemate.compiler.rewrites.attention.forward import layout_in
from stablemate.compiler.rewrites.attention.score_nodes import (
    ScoreRegion,
    SinkBuilder,
    atoms_of,
    transfer_layout,
)
from stablemate.compiler.rewrites.attention.score_regions import (
    RegionBuilder,
    compose_layouts,
    layout_of,
    merged_terms,
    read_places,
)
from stablemate.compiler.rewrites.attention.softmax import (
    MOVEMENTS,
    Softmax,
    is_conversion,
    source_of_elements,
    splat_value,
)
from stablemate.compiler.schedule.schedule import subexpressions
from stablemate.deferred_dataclasses import dataclass

# Operations that are linear in their first operand if the others are constant.
LINEAR: Final = (*MOVEMENTS, "stablehlo.negate", "stablehlo.divide")


@dataclass(frozen=True, slots=True)
class RowFactor:
    """A factor of a matrix that is the same for all keys.

    Attributes:
        product: The product ``rest * factor``, or the quotient ``rest / factor``.
        rest: The matrix that is multiplied or divided.
        factor: The factor.
        is_divided: Whether the product is a quotient.
    """

    product: Tensor
    rest: Tensor
    factor: Tensor
    is_divided: bool


@dataclass(frozen=True, slots=True)
class SumTerm:
    """The term that a sum adds to the operation.

    Attributes:
        sink: The reduction.
        form: Its parameters.
        regions: The matrix, and its factors.
        dots: The dots besides the first one.
        dot_forms: Their parameters.
        leaves: What the regions read.
    """

    sink: ScoreUse
    form: RowSum
    regions: tuple[Graph, Graph]
    dots: tuple[Node, ...]
    dot_forms: tuple[ScoreDot, ...]
    leaves: tuple[Tensor, ...]


def statistics_of(builder: SinkBuilder, softmax: Softmax) -> tuple[Node, Sequence[ScoreUse]] | None:
    """The operation for the reductions of a cluster, and those; None if there is none."""
    sinks = [sink for sink in builder.cluster.sinks if sink.is_reduction]
    largest = [sink for sink in sinks if sink.node is softmax.largest.reduction]
    totals = [sink for sink in sinks if source_of_elements(sink.matrix) is softmax.exponentials]
    logits = builder.region([softmax.logits])
    if len(largest) != 1 or len(totals) != 1 or logits is None:
        return None
    reductions = [reduction_form(builder, sink) for sink in (*largest, *totals)]
    forms = [form for form in reductions if form is not None]
    if [form.operator for form in forms] != ["maximum", "fadd"]:
        return None
    finder = RowSums(builder, softmax, largest[0].node, totals[0].node, forms[1])
    others = [sink for sink in sinks if sink not in (*largest, *totals)]
    part = next((part for sink in others if (part := finder.part(sink)) is not None), None)
    parts = () if part is None else (part,)
    used = [*largest, *totals, *(part.sink for part in parts)]
    scores = ScoreForm(
        logits.form.shape, (*logits.form.dots, *(d for p in parts for d in p.dot_forms)), None
    )
    form = StatisticsForm(
        scores, logits.matrices[0], tuple([(form.matrix, form.roles.free) for form in forms]),
        None if part is None else part.form,
    )  # fmt: skip
    region = ScoreRegion(
        logits.graph, scores, logits.matrices,
        (*logits.dots, *(dot for part in parts for dot in part.dots)),
        tuple(dict.fromkeys([*logits.leaves, *(leaf for part in parts for leaf in part.leaves)])),
    )  # fmt: skip
    node = region.node(ATTENTION_STATISTICS, form, used)
    node.regions = (logits.graph, *(graph for part in parts for graph in part.regions))
    return node, used


def reduction_form(builder: SinkBuilder, sink: ScoreUse) -> ReductionForm | None:
    """The parameters of a reduction over keys; None for others."""
    region = builder.region([sink.matrix])
    return None if region is None else builder.reduction_form(sink, region)


@dataclass(frozen=True, slots=True)
class RowSums:
    """Finds a sum over keys of products with exponentials.

    Attributes:
        builder: The cluster, and what makes its nodes.
        softmax: The softmax.
        largest: The reduction to the largest logits.
        total: The reduction to the sums of exponentials.
        total_form: Its parameters.
    """

    builder: SinkBuilder
    softmax: Softmax
    largest: Node
    total: Node
    total_form: ReductionForm

    def part(self, sink: ScoreUse) -> SumTerm | None:
        """Finds the term that a reduction adds to the operation; None if it is no such sum."""
        new_tensor, axes = self.builder.new_tensor, self.builder.axes
        reduced = reduction_form(self.builder, sink)
        if reduced is None or reduced.operator != "fadd":
            return None
        factors = self.row_factors(sink.matrix)
        inner = RegionBuilder(new_tensor, axes.matrix, {f.product: f.rest for f in factors})
        dots = self.builder.cluster.dots[1:]
        arguments = [self.softmax.exponentials, *(dot.results[0] for dot in dots)]
        graph = inner.region(arguments, sink.matrix)
        outer = RegionBuilder(new_tensor, 1)
        factor_graph = outer.region(self.total.results, *(factor.factor for factor in factors))
        if graph is None or factor_graph is None:
            return None
        used = {operand for node in graph.nodes for operand in node.operands} | {*graph.results}
        pairs = [p for p in zip(dots, graph.arguments[1:], strict=True) if p[1] in used]
        leaves = (*inner.leaves, *outer.leaves)
        read = [*leaves, *(operand for dot, _ in pairs for operand in dot.operands)]
        if self.scores in leaves or are_computed_from(read, {self.largest, self.total}):
            return None
        graph.arguments = (graph.arguments[0], *(argument for _, argument in pairs))
        inside = [*inner.leaves, *graph.arguments]
        matrix = self.layout(graph, inside)
        if matrix is None or matrix != reduced.matrix:
            return None
        layouts = [layout_of(graph.results[0], argument, inside) for _, argument in pairs]
        dot_forms = [
            self.builder.score_dot(
                dot,
                None if layout is None else transfer_layout(layout, matrix, dot.results[0].shape),
            )
            for (dot, _), layout in zip(pairs, layouts, strict=True)
        ]
        places = [self.layout_at(factor, sink.matrix, matrix) for factor in factors]
        known_forms = tuple([form for form in dot_forms if form is not None])
        known_places = [place for place in places if place is not None]
        if len(known_forms) < len(dot_forms) or len(known_places) < len(places):
            return None
        divided = [factor.is_divided for factor in factors]
        form = RowSum(
            matrix, reduced.roles.free, tuple(zip(known_places, divided, strict=True))
        )  # fmt: skip
        return SumTerm(
            sink, form, (graph, factor_graph), tuple([dot for dot, _ in pairs]), known_forms,
            leaves,
        )  # fmt: skip

    @property
    def scores(self) -> Tensor:
        """The result of the first dot."""
        return self.builder.cluster.dots[0].results[0]

    def layout(self, graph: Graph, leaves: Sequence[Tensor]) -> DimensionMap | None:
        """The layout in the scores of a matrix that is computed from exponentials."""
        inner = layout_of(graph.results[0], graph.arguments[0], leaves)
        axes = self.builder.axes
        outer = layout_in(self.softmax.exponentials, self.scores, axes, self.builder.new_tensor)
        return None if inner is None or outer is None else compose_layouts(inner, outer)

    def layout_at(
        self, factor: RowFactor, matrix: Tensor, layout: DimensionMap
    ) -> DimensionMap | None:
        """The layout in the scores of a product with a factor; None if keys differ in that."""
        axes, new_tensor = self.builder.axes, self.builder.new_tensor
        inner = layout_in(matrix, factor.product, axes, new_tensor)
        at = None if inner is None else transfer_layout(inner, layout, factor.product.shape)
        if at is None or not self.is_of_row(factor.factor, at):
            return None
        return at

    def is_of_row(self, factor: Tensor, layout: DimensionMap) -> bool:
        """Whether a factor is computed from the sum of its own row alone."""
        axes, new_tensor = self.builder.axes, self.builder.new_tensor
        outer = RegionBuilder(new_tensor, 1)
        graph = outer.region(self.total.results, factor)
        if graph is None:
            return False
        (copy,), (argument,) = graph.results, graph.arguments
        index = layout.index(axes.table, axes.number)
        buffers = {t: buffer_of(t, f"x{i}") for i, t in enumerate([argument, *outer.leaves])}
        parts = KernelElements(axes.table, buffers).at(copy, index)
        places = [e for e in subexpressions(parts) if e.type == "index"]
        if not atoms_of(places).isdisjoint(self.builder.number(keys=True).loops):
            return False
        summed = self.total_form.matrix.index(axes.table, axes.number)
        kept = [summed[d] for d in self.total_form.roles.free]
        place = row_major_number(axes.table, kept, argument.shape)
        read = read_places(axes.table, copy, index, argument, outer.leaves)
        return bool(read) and all(merged_terms(p) == merged_terms(place) for p in read)

    def row_factors(self, matrix: Tensor) -> list[RowFactor]:
        """The factors of a matrix that are computed from sums of exponentials."""
        factors: list[RowFactor] = []
        uses = self.uses(matrix)
        pending = [matrix]
        while pending:
            tensor = pending.pop()
            node = tensor.node
            if node is None or uses.get(tensor, 0) > 1:
                continue
            factor = self.row_factor(tensor, node)
            if factor is not None:
                factors.append(factor)
                pending.append(factor.rest)
            elif node.operation.name == "stablehlo.multiply":
                pending += node.operands
            elif (
                node.operation.name == "stablehlo.divide"
                or node.operation.name in LINEAR
                or is_conversion(node)
            ):
                pending.append(node.operands[0])
            elif node.operation.name == "stablehlo.select":
                chosen = [o for o in node.operands[1:] if splat_value(o) != 0.0]
                pending += chosen if len(chosen) == 1 else []
        return factors

    def uses(self, matrix: Tensor) -> Mapping[Tensor, int]:
        """How often each value is an operand of what a matrix is computed with."""
        uses: dict[Tensor, int] = {}
        pending = [matrix]
        while pending:
            node = pending.pop().node
            for operand in () if node not in self.builder.cluster.inner else node.operands:
                uses[operand] = uses.get(operand, 0) + 1
                if uses[operand] == 1:
                    pending.append(operand)
        return uses

    def row_factor(self, tensor: Tensor, node: Node) -> RowFactor | None:
        """The factor of a product or a quotient that depends on sums; None if none does."""
        is_divided = node.operation.name == "stablehlo.divide"
        if not is_divided and node.operation.name != "stablehlo.multiply":
            return None
        first, second = node.operands
        sides = [(first, second)] if is_divided else [(first, second), (second, first)]
        for rest, factor in sides:
            if self.is_spread(factor):
                return RowFactor(tensor, rest, factor, is_divided)
        return None

    def is_spread(self, tensor: Tensor) -> bool:
        """Whether a value is computed from sums of exponentials, and from no matrix of scores."""
        cluster, found = self.builder.cluster, False
        seen: set[Tensor] = set()
        pending = [tensor]
        while pending:
            last = pending.pop()
            node = last.node
            if node is None or last in seen:
                continue
            seen.add(last)
            if node in cluster.inner or node in cluster.dots:
                return False
            if node is self.total:
                found = True
            else:
                pending += node.operands
        return found
