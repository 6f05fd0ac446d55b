"""Long reductions in blocks: partial results that are computed in parallel and then combined.

Blocks have a fixed length, so that the number of threads changes no bit.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, Scratch
from stablemate.compiler.kernels.reduction.shared_loops import GroupKernel
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.lowering.elements import represent_elements
from stablemate.compiler.lowering.representation import from_byte, to_byte
from stablemate.compiler.schedule.column_reductions import ColumnReductions
from stablemate.compiler.schedule.reduction_loops import ReductionLoops, RowLoop
from stablemate.compiler.schedule.reduction_order import ReductionOrder
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices

NOWHERE: Final = Buffer("nowhere", "i8", ())  # for expressions that are not stored yet


class Partials:
    """The partial results of a group of reductions, in memory that its kernels share.

    Args:
        group: The group.
        order: How its folds are cut into blocks.
    """

    def __init__(self, group: FusionGroup, order: ReductionOrder) -> None:
        self.registers = [
            represent_elements(reduction.result).register for reduction in group.reductions
        ]
        self.count = -(-order.extent // order.block)
        self.around = [d for d in range(len(group.shape)) if d < order.reduced[0]]
        self.inner_dimensions = [d for d in range(len(group.shape)) if d > order.reduced[-1]]
        shape = [
            *(group.shape[d] for d in self.around),
            self.count,
            *(group.shape[d] for d in self.inner_dimensions),
        ]
        types = ["i8" if register == "i1" else register for register in self.registers]
        self.buffers = [Buffer(f"p{k}", value_type, shape) for k, value_type in enumerate(types)]
        self.memory = [Scratch(buffer.bytes) for buffer in self.buffers]

    def place(self, kernel: GroupKernel, block: Expression) -> list[Expression]:
        """The index of a block's partial result."""
        return [*kernel.at(self.around), block, *kernel.at(self.inner_dimensions)]

    def stores(
        self, kernel: GroupKernel, block: Expression, values: Sequence[Expression]
    ) -> list[Statement]:
        """Stores of the partial results of a block."""
        index = self.place(kernel, block)
        return [
            StoreElement(
                buffer, kernel.table.place(buffer, index), to_byte(v) if v.type == "i1" else v
            )
            for buffer, v in zip(self.buffers, values, strict=True)
        ]

    def loads(self, kernel: GroupKernel, block: Expression) -> list[Expression]:
        """The partial results of a block."""
        index = self.place(kernel, block)
        loaded = [kernel.table.load(buffer, index) for buffer in self.buffers]
        pairs = zip(loaded, self.registers, strict=True)
        return [from_byte(number) if register == "i1" else number for number, register in pairs]


class BlockKernels:
    """The kernels of a group of reductions that is split into blocks.

    Args:
        group: The group.
        kept: The values in memory.
        vector_bytes: The width of vectors.
        name: What the kernels are called.
        order: How its folds are cut into blocks.
    """

    def __init__(
        self,
        group: FusionGroup,
        kept: Container[Tensor],
        vector_bytes: int,
        name: str,
        order: ReductionOrder,
    ) -> None:
        self.group = group
        self.order = order
        self.name = name
        self.kernel = partial(GroupKernel, group, kept, vector_bytes)
        self.partials = Partials(group, order)

    def build_kernels(self) -> list[BuiltKernel]:
        """Returns the kernels of full blocks, of the remainder, and of their combination."""
        full_blocks, rest = divmod(self.order.extent, self.order.block)
        build_kernels = [self.block_kernel(f"{self.name}_blocks", 0, full_blocks, self.order.block)]
        if rest:
            build_kernels.append(self.block_kernel(f"{self.name}_rest", full_blocks, 1, rest))
        return [*build_kernels, self.combining_kernel()]

    def block_kernel(self, name: str, first: int, count: int, extent: int) -> BuiltKernel:
        """Returns the kernel of the partial results of some blocks."""
        kernel = self.kernel(
            name, [reduction.node.operands[0] for reduction in self.group.reductions]
        )
        scheduler = kernel.scheduler
        blocks = LoopDimension(scheduler.index(count), count)
        inner = LoopDimension(scheduler.index(extent), extent)
        block = blocks.index + first
        reductions = self.reductions(kernel, block * self.order.block + inner.index)
        loops_of = self.rows if self.order.form == "rows" else self.columns
        body, local_buffers = loops_of(kernel, reductions, blocks, inner, block)
        memory = list(zip(self.partials.memory, self.partials.buffers, strict=True))
        return kernel.builder.build_kernel(name, body, memory, local_buffers)

    def reductions(self, kernel: GroupKernel, place: Expression) -> list[ReductionLoops]:
        """Returns the reductions, from the identity, of the element with a linear index."""
        scheduler, table = kernel.scheduler, kernel.table
        reductions = list(map(kernel.reduction_from_identity, self.group.reductions))
        loops = [kernel.loops[d] for d in self.order.reduced]
        body: list[Statement] = [
            StoreElement(NOWHERE, table.sum(0, ()), reduction.value) for reduction in reductions
        ]
        single, body = scheduler.single(loops, body)
        values = [
            store.value
            for store in substitute_indices(body, [(single.atom, place)])
            if isinstance(store, StoreElement)
        ]
        return [
            replace(reduction, value=value)
            for reduction, value in zip(reductions, values, strict=True)
        ]

    def rows(
        self,
        kernel: GroupKernel,
        reductions: Sequence[ReductionLoops],
        blocks: LoopDimension,
        inner: LoopDimension,
        block: Expression,
    ) -> tuple[list[Statement], list[Buffer]]:
        """Each block of a row by itself."""
        row_loop = RowLoop(kernel.scheduler)
        values = [row_loop.add_reduction(reduction) for reduction in reductions]
        count = len(row_loop.body)
        body = [*row_loop.body, *self.partials.stores(kernel, block, values)]
        around = [*self.loops(kernel, self.partials.around), blocks]
        around, body = kernel.scheduler.collapse(around, body)
        row_loop.take(body[:count])
        loops = [*row_loop.loops(inner), *body[count:]]
        return kernel.scheduler.parallel(around, loops), row_loop.buffers

    def columns(
        self,
        kernel: GroupKernel,
        reductions: Sequence[ReductionLoops],
        blocks: LoopDimension,
        inner: LoopDimension,
        block: Expression,
    ) -> tuple[list[Statement], list[Buffer]]:
        """Blocks of rows, their columns in lanes."""
        nest = ColumnReductions(
            kernel.scheduler, reductions, lambda values: self.partials.stores(kernel, block, values)
        )
        around = self.loops(kernel, self.partials.around)
        return nest.nest(
            [*around, blocks, *self.loops(kernel, self.partials.inner_dimensions)], [inner]
        )

    def loops(self, kernel: GroupKernel, dimensions: Sequence[int]) -> list[LoopDimension]:
        """The loops over some dimensions."""
        return [kernel.loops[d] for d in dimensions if kernel.loops[d].extent > 1]

    def combining_kernel(self) -> BuiltKernel:
        """Combines the partial results in order, and computes what is fused with them."""
        group, partials = self.group, self.partials
        inits = [reduction.node.operands[1] for reduction in group.reductions]
        rows = [member.node for member in group.members if member.form == "row"]
        operands = [*inits, *(operand for node in rows for operand in node.operands)]
        kernel = self.kernel(self.name, operands)
        block = LoopDimension(kernel.scheduler.index(partials.count), partials.count)
        values = partials.loads(kernel, block.index)
        pairs = zip(group.reductions, values, strict=True)
        reductions = [kernel.reduction_of(reduction, value) for reduction, value in pairs]
        nest = ColumnReductions(kernel.scheduler, reductions, kernel.store_results)
        reduced = [*self.loops(kernel, self.order.outer), block]
        body, local_buffers = nest.nest(kernel.dimensions(reduced=False), reduced)
        memory: list[tuple[Tensor | Scratch, Buffer]] = [
            *zip(partials.memory, partials.buffers, strict=True),
            *kernel.outputs.items(),
        ]
        return kernel.builder.build_kernel(self.name, body, memory, local_buffers)
