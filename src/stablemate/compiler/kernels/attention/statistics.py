"""The kernel of the reductions over keys that a gradient needs: one pass for all of them.

A block of queries passes over all keys. The largest logit, the sum of exponentials and a sum of
products with them are kept for each row, as in ``running_softmax``.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import partial

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import RowSum, StatisticsForm
from stablemate.compiler.kernels.attention.masked_blocks import may_contribute
from stablemate.compiler.kernels.attention.numbering import (
    at_numbers,
    atom_of,
    ranges_of,
)
from stablemate.compiler.kernels.attention.operation import ATTENTION_STATISTICS
from stablemate.compiler.kernels.attention.region_elements import RegionElements
from stablemate.compiler.kernels.attention.row_blocks import RowBlockKernel
from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.kernels.attention.running_softmax import RunningSoftmax
from stablemate.compiler.kernels.attention.tiling import KeyBlock
from stablemate.compiler.kernels.contraction.register_tiles import nest_loops
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, register_builder
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, When, substitute_expression
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices


def is_known(node: Node) -> bool:
    """Every node of this kind was made for this kernel."""
    return isinstance(node.operation.form, StatisticsForm)


@register_builder(ATTENTION_STATISTICS, admits=is_known, inlines=True)
def attention_statistics(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of reductions of what is computed from scores."""
    return StatisticsKernel(node, kept, machine, name).build_kernels()


class StatisticsKernel(RowBlockKernel):
    """Builds the kernels of one node."""

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        form: StatisticsForm = node.operation.form
        self.statistics = form
        super().__init__(node, form.scores, kept, machine, name)
        scores, register = self.tiles[0].values, self.form.sums.register
        self.row_sums = [Buffer("row_sum", register, (self.block,), "stack")] * bool(form.row_sum)
        self.softmax = RunningSoftmax.of(self.scheduler, scores, register, self.row_sums)

    def block_statements(
        self, panels: Sequence[Buffer], outputs: Sequence[Buffer]
    ) -> list[Statement]:
        """Reduces the rows of a block."""
        body = self.softmax.clear_state()
        for block in self.key_blocks:
            body += self.over_keys(block, panels)
        body += self.stored_results(outputs)
        self.local_buffers += self.softmax.local_buffers
        return body

    def over_keys(self, block: KeyBlock, panels: Sequence[Buffer]) -> list[Statement]:
        """The loop over blocks of keys of one extent."""
        number = self.scheduler.index(block.count)
        first = number * block.extent + block.begin
        logits = partial(self.logit, first)
        body: list[Statement] = []
        for tile, panel in zip(self.tiles, panels, strict=True):
            body += self.block_products(tile, panel, block, first)
        body += self.softmax.replaced_by_logits(block.extent, logits)
        body += self.softmax.rescale_sums()
        body += self.softmax.replaced_by_exponentials(block.extent)
        for row_sum in self.row_sums:
            body += self.add_row_sums(block, first, row_sum)
        condition = self.may_contribute(first, block.extent)
        if condition is not None:
            body = [When(condition, body)]
        return nest_loops([LoopDimension(number, block.count)], body)

    def may_contribute(self, first: Expression, extent: int) -> Expression | None:
        """Whether a score of a block may have a weight that is not zero; None if it always may."""
        zero = self.table.constant(0.0, self.form.sums.register)
        ranges = ranges_of(self.row_loops, self.first_query, self.block)
        ranges |= ranges_of(self.column_loops, first, extent)
        lowest = self.table.load_at(self.softmax.lowest, self.table.sum(0, ()))
        return may_contribute(self.logit_of(zero), ranges, lowest)

    def elements_of(self, graph: Graph, values: Mapping[Tensor, Parts]) -> RegionElements:
        """The elements of a region, given those of its arguments."""
        assert values.keys() == set(graph.arguments)
        return RegionElements(self.table, self.builder.elements.buffers, values)

    def logit_of(self, score: Expression) -> Expression:
        """The operand of the softmax that is computed from a score."""
        graph = self.node.regions[0]
        (argument,) = graph.arguments
        index = self.statistics.logits.index(self.table, self.number)
        (part,) = self.elements_of(graph, {argument: (score,)}).at(graph.results[0], index)
        return part

    def logit(
        self, first: Expression, row: Expression, column: Expression, place: Expression
    ) -> Expression:
        """The operand of the softmax for a row and a column of a block."""
        values = self.tiles[0].values
        slot = self.scheduler.index(values.elements)
        (argument,) = self.node.regions[0].arguments
        score = self.tiles[0].dot.sums.round_sum(self.table.load_at(values, slot), argument)
        at = self.at(self.first_query + row, first + column) | {atom_of(slot): place}
        return substitute_expression(self.logit_of(score), at, {})

    def add_row_sums(self, block: KeyBlock, first: Expression, row_sum: Buffer) -> list[Statement]:
        """Adds the matrix of a block to the sums of its rows; it replaces the last results."""
        form, graph = self.statistics.row_sum, self.node.regions[1]
        assert form is not None
        values: dict[Tensor, Parts] = {}
        slots: list[Expression] = []
        for tile, argument in zip(self.tiles, graph.arguments, strict=True):
            slot = self.scheduler.index(tile.values.elements)
            value = self.table.load_at(tile.values, slot)
            values[argument] = (tile.dot.sums.round_sum(value, argument),)
            slots.append(atom_of(slot))
        index = form.matrix.index(self.table, self.number)
        (element,) = self.elements_of(graph, values).at(graph.results[0], index)
        row, buffer = self.scheduler.index(self.block), self.tiles[-1].values
        begin = self.table.place(buffer, (row, self.table.sum(0, ())))
        row_pass = RowPass(self.scheduler, buffer, block.extent, "fadd", "partial")

        def new(column: Expression) -> Expression:
            at = self.at(self.first_query + row, first + column)
            at |= dict.fromkeys(slots, begin + column)
            return substitute_expression(element, at, {})

        statements, registers = row_pass.loops(begin, new, (row_sum, row))
        self.local_buffers += registers
        return [Loop(row, self.block, "serial", statements)]

    def stored_results(self, outputs: Sequence[Buffer]) -> list[Statement]:
        """Stores the results of a block."""
        form, row = self.statistics, self.scheduler.index(self.block)
        values = [self.load(self.softmax.maxima, row), self.load(self.softmax.totals, row)]
        layouts = list(form.reductions)
        if form.row_sum is not None:
            layouts.append((form.row_sum.matrix, form.row_sum.kept))
            values.append(self.row_sum(form.row_sum, row))
        body: list[Statement] = []
        for tensor, output, (layout, kept), value in zip(
            self.node.results, outputs, layouts, values, strict=True
        ):
            index = layout.index(self.table, self.number)
            body += stores(self.table, tensor, output, [index[d] for d in kept], (value,))
        at = at_numbers(self.row_loops, self.first_query + row)
        return [Loop(row, self.block, "serial", substitute_indices(body, list(at.items())))]

    def row_sum(self, form: RowSum, row: Expression) -> Expression:
        """The sum of a row, times its factors."""
        graph = self.node.regions[2]
        value = self.load(self.row_sums[0], row)
        total = self.load(self.softmax.totals, row)
        elements = self.elements_of(graph, dict.fromkeys(graph.arguments, (total,)))
        for factor, (layout, is_divided) in zip(graph.results, form.factors, strict=True):
            (part,) = elements.at(factor, layout.index(self.table, self.number))
            value = value / part if is_divided else value * part
        return value
