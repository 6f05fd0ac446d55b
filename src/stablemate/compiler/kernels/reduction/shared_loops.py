"""Kernels of groups of equal shape: elementwise operations and reductions in the same loops."""

from __future__ import annotations

from collections.abc import Container, Sequence

from stablemate.compiler.graph.fusion_group import FusionGroup, GroupMember, full_position
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder
from stablemate.compiler.kernels.reduction.monoids import monoid_operator
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    buffer_of,
    represent_elements,
)
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.reduction_loops import ReductionLoops, identity
from stablemate.compiler.schedule.schedule import LoopDimension


class GroupElements(KernelElements):
    """The elements of the values of a group.

    Attributes:
        single: Values that have one element at the place where loops stand.
    """

    def __init__(self, builder: KernelBuilder) -> None:
        super().__init__(builder.table, builder.buffers)
        self.single: dict[Tensor, Parts] = {}

    def element_expression(self, tensor: Tensor, index: Index) -> Parts:
        """Returns the element; of a value that has only one element here, that one."""
        parts_ = self.single.get(tensor)
        return super().element_expression(tensor, index) if parts_ is None else parts_


class GroupKernel:
    """Builds the kernel of a fusion group.

    Attributes:
        index: Where in the group's shape loops stand.
        loops: The loops over dimensions that are longer than 1.
    """

    def __init__(
        self,
        group: FusionGroup,
        kept: Container[Tensor],
        vector_bytes: int,
        name: str,
        operands: Sequence[Tensor] | None = None,
    ) -> None:
        """Takes the group that a kernel is made of.

        Args:
            group: The group.
            kept: The values in memory.
            vector_bytes: The width of vectors.
            name: What the kernel is called.
            operands: What it computes from; by default the operands of all members.
        """
        self.group = group
        self.name = name
        if operands is None:
            operands = [operand for node in group.nodes for operand in node.operands]
        members_results = {member.result for member in group.members}
        self.builder = KernelBuilder(operands, kept, vector_bytes, members_results)
        self.table = self.builder.table
        self.scheduler = self.builder.scheduler
        self.elements = GroupElements(self.builder)
        self.outputs = {
            result: buffer_of(result, f"y{i}") for i, result in enumerate(group.results)
        }
        loops = [LoopDimension(self.scheduler.index(size), size) for size in group.shape]
        zero = self.table.sum(0, ())
        self.index = [loop.index if loop.extent > 1 else zero for loop in loops]
        self.loops = dict(enumerate(loops))

    def at(self, position: Sequence[int | None]) -> list[Expression]:
        """The index of a value at a position."""
        zero = self.table.sum(0, ())
        return [zero if d is None else self.index[d] for d in position]

    def dimensions(self, reduced: bool) -> list[LoopDimension]:
        """The loops that are longer than 1: those that are reduced, or the others."""
        return [
            loop
            for d, loop in self.loops.items()
            if loop.extent > 1 and (d in self.group.reduced) == reduced
        ]

    def build_kernel(
        self, body: Sequence[Statement], local_buffers: Sequence[Buffer] = ()
    ) -> BuiltKernel:
        """The kernel with these statements."""
        return self.builder.build_kernel(self.name, body, list(self.outputs.items()), local_buffers)

    def stores(self, member: GroupMember) -> list[Statement]:
        """Stores of the element of a member's result, if it is in memory."""
        output = self.outputs.get(member.result)
        if output is None:
            return []
        index = self.at(member.position)
        return stores(
            self.table, member.result, output, index, self.elements.at(member.result, index)
        )

    def reduction(self, member: GroupMember) -> ReductionLoops:
        """Returns the reduction of a member."""
        return self.reduction_of(member, self.reduced_operand(member))

    def reduction_from_identity(self, member: GroupMember) -> ReductionLoops:
        """Returns the reduction of a member that starts from the identity."""
        operator, register = (
            monoid_operator(member.node),
            represent_elements(member.result).register,
        )
        assert operator is not None
        start = identity(self.scheduler, operator, register)
        return ReductionLoops(operator, register, start, self.reduced_operand(member))

    def reduced_operand(self, member: GroupMember) -> Expression:
        """Returns the expression that a member reduces."""
        operand = member.node.operands[0]
        (value,) = self.elements.at(operand, self.at(full_position(self.group.shape)))
        return value

    def reduction_of(self, member: GroupMember, value: Expression) -> ReductionLoops:
        """Returns the reduction of a member applied to a value."""
        operator, init = monoid_operator(member.node), member.node.operands[1]
        assert operator is not None
        (start,) = self.elements.at(init, ())
        return ReductionLoops(operator, represent_elements(member.result).register, start, value)

    def store_results(self, values: Sequence[Expression]) -> list[Statement]:
        """Stores of the results of all reductions, and of what is computed from them alone."""
        for member, value in zip(self.group.reductions, values, strict=True):
            self.elements.single[member.result] = (represent_elements(member.result).round(value),)
        members = [member for member in self.group.members if member.form != "full"]
        return [store for member in members for store in self.stores(member)]
