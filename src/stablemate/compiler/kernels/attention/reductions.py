"""The kernel of a reduction over keys of a matrix that is computed from scores.

A block of queries passes over all keys.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import ReductionForm
from stablemate.compiler.kernels.attention.numbering import at_numbers
from stablemate.compiler.kernels.attention.operation import ATTENTION_REDUCTION
from stablemate.compiler.kernels.attention.row_blocks import RowBlockKernel
from stablemate.compiler.kernels.attention.row_passes import Monoid, RowPass
from stablemate.compiler.kernels.attention.tiling import KeyBlock
from stablemate.compiler.kernels.contraction.register_tiles import nest_loops
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices

STARTS: Final = {"maximum": -float("inf"), "fadd": -0.0}
MONOIDS: Final[Mapping[str, Monoid]] = {"maximum": "maxnum", "fadd": "fadd"}


def is_known(node: Node) -> bool:
    """Every node of this kind was made for this kernel."""
    return isinstance(node.operation.form, ReductionForm)


@register_builder(ATTENTION_REDUCTION, admits=is_known, inlines=True)
def attention_reduction(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of a reduction of what is computed from scores."""
    return ReductionKernel(node, kept, machine, name).build_kernels()


class ReductionKernel(RowBlockKernel):
    """Builds the kernels of one node."""

    def __init__(self, node: Node, kept: Container[Tensor], machine: Machine, name: str) -> None:
        self.reduction: ReductionForm = node.operation.form
        super().__init__(node, self.reduction.scores, kept, machine, name)

    def block_statements(
        self, panels: Sequence[Buffer], outputs: Sequence[Buffer]
    ) -> list[Statement]:
        """Reduces the rows of a block."""
        (result,), (output,) = self.node.results, outputs
        totals = self.stack("totals", self.block)
        row = self.scheduler.index(self.block)
        index = self.reduction.matrix.index(self.table, self.number)
        kept = [index[d] for d in self.reduction.roles.free]
        stored = stores(self.table, result, output, kept, (self.load(totals, row),))
        at = at_numbers(self.row_loops, self.first_query + row)
        return [
            *self.lowest_of(self.first_query, self.block),
            *self.fill_buffer(totals, STARTS[self.reduction.operator]),
            *(s for block in self.key_blocks for s in self.over_keys(block, panels, totals)),
            Loop(row, self.block, "serial", substitute_indices(stored, list(at.items()))),
        ]

    def over_keys(
        self, block: KeyBlock, panels: Sequence[Buffer], totals: Buffer
    ) -> list[Statement]:
        """The loop over blocks of keys of one extent."""
        number = self.scheduler.index(block.count)
        first = number * block.extent + block.begin
        body: list[Statement] = []
        for tile, panel in zip(self.tiles, panels, strict=True):
            body += self.block_products(tile, panel, block, first)
        body += self.block_reduced(block, first, totals)
        body = self.when_visible(body, (self.first_query, first), (self.block, block.extent))
        return nest_loops([LoopDimension(number, block.count)], body)

    def block_reduced(self, block: KeyBlock, first: Expression, totals: Buffer) -> list[Statement]:
        """Combines the elements of a block with what its rows were reduced to."""
        row = self.scheduler.index(self.block)
        new = self.element_at(0, self.reduction.matrix, (self.first_query, first), row)
        values = self.tiles[0].values
        begin = self.table.place(values, (row, self.table.sum(0, ())))
        operator = MONOIDS[self.reduction.operator]
        row_pass = RowPass(self.scheduler, values, block.extent, operator, "partial")
        statements, registers = row_pass.loops(begin, new, (totals, row))
        self.local_buffers += registers
        return [Loop(row, self.block, "serial", statements)]
