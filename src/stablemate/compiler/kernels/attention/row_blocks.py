"""The kernels of reductions over keys: a block of queries passes over all keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from math import prod

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.attention.gradient_forms import ScoreForm
from stablemate.compiler.kernels.attention.numbering import rename_memory
from stablemate.compiler.kernels.attention.score_tiles import ScoreKernel, TileOf
from stablemate.compiler.kernels.attention.tiling import QUERIES, UNIT, KeyBlock, key_blocks
from stablemate.compiler.kernels.contraction.matrix_operands import Panels
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.lowering.elements import buffer_of
from stablemate.compiler.schedule.schedule import LoopDimension


class RowBlockKernel(ScoreKernel, ABC):
    """Builds the kernels of one node; keys are copied to panels before."""

    def __init__(
        self, node: Node, scores: ScoreForm, kept: Container[Tensor], machine: Machine, name: str
    ) -> None:
        dots = scores.dots
        row, column = node.operands[:2]
        self.query_count = prod(row.shape[d] for d in dots[0].row.free)
        self.key_blocks = tuple(
            key_blocks(prod(column.shape[d] for d in dots[0].column.free), masked=True)
        )
        self.block = min(QUERIES, self.query_count // UNIT * UNIT)
        ends = 2 * len(dots)
        inputs = [*node.operands[:ends:2], *node.operands[ends:]]
        most = max(block.extent for block in self.key_blocks)
        super().__init__(node, scores, inputs, kept, machine, name, self.block, most)
        count = -(-self.query_count // self.block)
        self.block_loop = LoopDimension(self.scheduler.index(count), count)
        last = self.query_count - self.block
        self.first_query = self.table.least(self.block_loop.index * self.block, last)

    @abstractmethod
    def block_statements(
        self, panels: Sequence[Buffer], outputs: Sequence[Buffer]
    ) -> list[Statement]:
        """Computes the results of a block of queries.

        Args:
            panels: The keys of each dot.
            outputs: The buffers of the results.
        """

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        self.copies: list[BuiltKernel] = []
        self.memory: list[tuple[Tensor | Scratch, Buffer]] = []
        panels = [self.pack_panels(tile, f"keys{i}") for i, tile in enumerate(self.tiles)]
        outputs = [buffer_of(result, f"y{i}") for i, result in enumerate(self.node.results)]
        body = [
            *self.copied_rows(self.first_query, self.block),
            *self.block_statements(panels, outputs),
        ]
        statements = self.scheduler.parallel([*self.outer, self.block_loop], body)
        memory = [*self.memory, *zip(self.node.results, outputs, strict=True)]
        buffers = list(dict.fromkeys(self.local_buffers))
        return [
            *self.copies, self.builder.build_kernel(self.name, statements, memory, buffers)
        ]  # fmt: skip

    def pack_panels(self, tile: TileOf, name: str) -> Buffer:
        """The panels of the keys of a dot, which a kernel before this one copies."""
        panels = Panels.of(tile.column, self.form.sums, self.tile)
        builder = KernelBuilder([tile.column.tensor], self.kept, self.machine)
        self.copies.append(panels.build_kernel(builder, f"{self.name}_{name}"))
        buffer = rename_memory(panels.buffer, name)
        self.memory.append((panels.scratch, buffer))
        return buffer

    def block_products(
        self, tile: TileOf, panels: Buffer, block: KeyBlock, first: Expression
    ) -> list[Statement]:
        """The results of a dot for a block of keys."""
        batch, _, _ = self.sides_of(tile.dot)
        number = self.table.quotient(first, self.tile.columns)

        def column(panel: Expression, step: Expression, c: Expression) -> Expression:
            return self.load(panels, *batch, number + panel, step, c)

        return self.products(tile, self.block, block.extent, column)
