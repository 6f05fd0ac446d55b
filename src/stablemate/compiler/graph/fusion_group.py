"""Fusion groups: operations that share a kernel, and the positions of their values in its loops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.deferred_dataclasses import dataclass

# For each dimension of a value, the dimension of the group's shape that indexes it; None if its
# size is 1.
Position = tuple[int | None, ...]
# The positions at which each value is read; None stands for any other index.
ReadPositions = Mapping[Tensor, Collection[Position | None]]
MemberForm = Literal["full", "fold", "row"]


@dataclass(eq=False, slots=True)
class GroupMember:
    """An operation of a group.

    Attributes:
        node: The operation.
        form: ``full``: its result has the group's shape; ``fold``: it reduces an operand of this
            shape; ``row``: its result has one element for each result of the group's reductions.
        position: The position of its result.
        reads: The values that it is computed from: those in memory and results of other members.
        phase: Which of the loops over a row computes it; for ``row``: before which of them.
    """

    node: Node
    form: MemberForm
    position: Position
    reads: ReadPositions
    phase: int = 0

    @property
    def result(self) -> Tensor:
        """The first result of its operation."""
        return self.node.results[0]


@dataclass(eq=False, slots=True)
class FusionGroup:
    """Operations that share a kernel.

    Attributes:
        shape: The iteration space of its loops.
        reduced: The dimensions that its reductions reduce.
        members: The operations, in order.
        stored: The results of members that other kernels read.
    """

    shape: tuple[int, ...]
    reduced: tuple[int, ...]
    members: list[GroupMember]
    stored: set[Tensor] = field(default_factory=set[Tensor])

    @property
    def nodes(self) -> list[Node]:
        """The operations of all members, in order."""
        return [member.node for member in self.members]

    @property
    def reductions(self) -> list[GroupMember]:
        """The members that are folds."""
        return [member for member in self.members if member.form == "fold"]

    @property
    def results(self) -> list[Tensor]:
        """The results that the group stores in memory, in order."""
        return [member.result for member in self.members if member.result in self.stored]

    @property
    def staged(self) -> list[GroupMember]:
        """The members whose results are staged for a later loop over the same row."""
        last = {tensor: member.phase for member in self.members for tensor in member.reads}
        full = [member for member in self.members if member.form == "full"]
        return [member for member in full if last.get(member.result, member.phase) > member.phase]


def full_position(shape: Sequence[int]) -> Position:
    """The position of a value of the group's shape."""
    return tuple([d if size > 1 else None for d, size in enumerate(shape)])


def reduction_result_position(shape: Sequence[int], reduced: Collection[int]) -> Position:
    """The position of the result of a reduction."""
    return tuple([p for d, p in enumerate(full_position(shape)) if d not in reduced])


def reduced_dimensions(node: Node) -> tuple[int, ...]:
    """The dimensions that a reduction reduces."""
    dimensions: Any = node.operation.dimensions
    return tuple(sorted(int(dimension) for dimension in dimensions))


def single_member_group(node: Node) -> FusionGroup:
    """The group that contains only one reduction."""
    shape, reduced = node.operands[0].shape, reduced_dimensions(node)
    member = GroupMember(node, "fold", reduction_result_position(shape, reduced), {})
    return FusionGroup(shape, reduced, [member], set(node.results))
