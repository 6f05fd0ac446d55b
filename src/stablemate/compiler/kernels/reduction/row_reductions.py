"""Kernels of rows: reductions, and what is computed from their results, row by row.

A row is what the folds of a group reduce for one of their results. Its elements are walked in
phases: what needs the result of a fold belongs to a later one. What a later phase reads is staged
in memory that is close at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.compiler.graph.fusion_group import GroupMember, full_position
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel
from stablemate.compiler.kernels.reduction.shared_loops import GroupKernel
from stablemate.compiler.loops.buffers import Buffer, row_major
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.lowering.elements import represent_elements
from stablemate.compiler.schedule.reduction_loops import RowLoop
from stablemate.compiler.schedule.reduction_order import ReductionOrder


class RowKernel(GroupKernel):
    """Each row by itself, in phases."""

    def rows(self, order: ReductionOrder) -> BuiltKernel:
        """The kernel of reductions in such an order."""
        staged = self.staged_buffers()
        phases = max(member.phase for member in self.group.members) + 1
        between: list[list[Statement]] = []
        walks: list[RowLoop] = []
        for phase in range(phases):
            self.elements.cache.clear()
            members = [member for member in self.group.members if member.phase == phase]
            between.append(
                [
                    store
                    for member in members
                    if member.form == "row"
                    for store in self.stores(member)
                ]
            )
            row_loop = RowLoop(self.scheduler, phase)
            self.store_full(
                row_loop, [member for member in members if member.form == "full"], staged
            )
            reduced_members = [member for member in members if member.form == "fold"]
            values = [
                (member, row_loop.add_reduction(self.reduction(member)))
                for member in reduced_members
            ]
            for member, value in values:
                self.elements.single[member.result] = (
                    represent_elements(member.result).round(value),
                )
            walks.append(row_loop)
            self.load_later(members, staged)
            between.append([store for member, _ in values for store in self.stores(member)])
        return self.assemble_kernel(order, between, walks, list(staged.values()))

    def staged_buffers(self) -> dict[Tensor, Buffer]:
        """A stack buffer for a row of a value that only a later phase of the kernel reads."""
        group = self.group
        buffers: dict[Tensor, Buffer] = {}
        shape = [size if d in group.reduced else 1 for d, size in enumerate(group.shape)]
        for member in group.staged:
            if member.result in self.outputs:
                continue
            kind = represent_elements(member.result)
            extents = kind.shape(shape)
            strides = [
                stride if d >= len(shape) or d in group.reduced else 0
                for d, stride in enumerate(row_major(extents))
            ]
            buffers[member.result] = Buffer(
                f"row{len(buffers)}", kind.storage, extents, "stack", strides
            )
        return buffers

    def store_full(
        self, row_loop: RowLoop, members: Sequence[GroupMember], staged: Mapping[Tensor, Buffer]
    ) -> None:
        """Adds the stores of values of the group's shape to a walk along a row."""
        index = self.at(full_position(self.group.shape))
        for member in members:
            stores_ = self.stores(member)
            buffer = staged.get(member.result)
            if buffer is not None:
                parts = self.elements.at(member.result, index)
                stores_ = stores(self.table, member.result, buffer, index, parts)
            row_loop.stores += [
                statement for statement in stores_ if isinstance(statement, StoreElement)
            ]

    def load_later(self, members: Sequence[GroupMember], staged: Mapping[Tensor, Buffer]) -> None:
        """Reads stored values from memory from now on."""
        for member in members:
            buffer = staged.get(member.result) or self.outputs.get(member.result)
            if buffer is not None and member.form == "full":
                self.elements.buffers[member.result] = buffer

    def assemble_kernel(
        self,
        order: ReductionOrder,
        between: Sequence[Sequence[Statement]],
        walks: Sequence[RowLoop],
        local_buffers: Sequence[Buffer],
    ) -> BuiltKernel:
        """The kernel of loops along a row, with the statements before and after each."""
        scheduler = self.scheduler
        body = [statement for one in between for statement in one]
        body += [statement for row_loop in walks for statement in row_loop.body]
        results, body = scheduler.collapse(self.dimensions(reduced=False), body)
        row = [self.loops[d] for d in order.reduced]
        outer, body = scheduler.collapse([self.loops[d] for d in order.outer], body)
        last, body = scheduler.single(row, body)
        rest = iter(body)
        between = [[next(rest) for _ in one] for one in between]
        for row_loop in walks:
            row_loop.take([next(rest) for _ in row_loop.body])
        statements: list[Statement] = []
        for k, row_loop in enumerate(walks):
            statements += [*between[2 * k], *row_loop.loops(last, outer), *between[2 * k + 1]]
        buffers = [*local_buffers, *(buffer for row_loop in walks for buffer in row_loop.buffers)]
        return self.build_kernel(scheduler.parallel(results, statements), buffers)
