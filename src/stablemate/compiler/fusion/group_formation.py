"""Forms fusion groups: which operations share a kernel, and why others do not.

Two groups join where one reads what the other makes at the place where loops stand, or where both
read the same value there, unless something that is computed between them needs one and is needed by
the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.compiler.fusion.index_maps import operand_positions, reads_of
from stablemate.compiler.graph.fusion_group import (
    FusionGroup,
    Member,
    Position,
    full_position,
    reduced_dimensions,
    reduction_result_position,
)
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import is_fold
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.lowering.elements import represented
from stablemate.compiler.schedule.reduction_order import reduction_order

MAX_STAGED_BYTES: Final = (
    1 << 14
)  # bytes of a row that are staged at most: half of the nearest cache
MAX_MEMBERS: Final = 16  # of the operations in a kernel
MAX_INPUTS: Final = 32


@dataclass(eq=False, slots=True)
class LaunchUnit:
    """Operations that are launched together.

    Attributes:
        number: Tells it from others.
        numbers: The bits of the operations in it, each a power of two.
        needs: Those of all operations that must come before it.
        direct: Those of the operations whose results it reads.
        group: What its kernel would be; None if it shares none.
    """

    number: int
    numbers: int
    needs: int
    direct: int
    group: FusionGroup | None


class GroupFormation:
    """The groups of a graph.

    Args:
        graph: The graph.
        kept: The values in memory.
        elements: The nodes that are computed element by element.
        alone: Those of them that share no kernel with others.
        ordered: The nodes that stay in their order.

    Attributes:
        refusals: For each operation, why it does not join others.
        local: The values that only the kernel of a group knows, once there are groups.
    """

    def __init__(
        self,
        graph: Graph,
        kept: Collection[Tensor],
        elements: Collection[Node],
        alone: Collection[Node],
        ordered: Collection[Node],
    ) -> None:
        self.graph = graph
        self.kept = kept
        self.elements = elements
        self.alone = alone
        self.ordered = ordered
        self.refusals: dict[Node, list[str]] = {}
        self.units: list[LaunchUnit] = []  # by the number of an operation: the unit it is in
        self.nodes: list[Node] = []  # by its number
        self.masks: dict[Tensor, int] = {}
        self.readers: dict[Tensor, list[int]] = {}  # operations that read a value where they stand
        self.local: set[Tensor] = set()
        self.last = 0  # the last operation that stays in its order
        for node in graph.nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        """Adds a node: a unit of its own if it is launched, joined with others if it may."""
        mask = 0
        for tensor in values_read(node):
            mask |= self.masks.get(tensor, 0)
        is_inlined = node in self.elements and node.results[0] not in self.kept
        if is_inlined or node.operation.name == "stablehlo.constant":
            self.masks[node.results[0]] = mask
            return
        if node in self.ordered:
            mask |= self.last
        number = len(self.units)
        bit = 1 << number
        if node in self.ordered:
            self.last = bit
        needs = mask
        for fused_unit in self.units_of(mask):
            needs |= fused_unit.needs | fused_unit.numbers
        unit = LaunchUnit(number, bit, needs, mask, self.single(node))
        self.units.append(unit)
        self.nodes.append(node)
        for tensor in node.results:
            self.masks[tensor] = bit
        if unit.group is not None:
            self.join(unit, unit.group)

    def units_of(self, mask: int) -> Iterator[LaunchUnit]:
        """The units of some operations, the latest first."""
        seen: set[int] = set()
        while mask:
            number = mask.bit_length() - 1
            mask ^= 1 << number
            unit = self.units[number]
            if unit.number not in seen:
                seen.add(unit.number)
                yield unit

    def single(self, node: Node) -> FusionGroup | None:
        """The group of one operation; None if it cannot be in one."""
        if node in self.alone:
            return None
        if node in self.elements:
            shape = node.results[0].shape
            if 0 in shape:
                return None
            member = Member(
                node,
                "full",
                full_position(shape),
                self.element_reads(node, full_position(shape)),
            )
            return None if reads_across_rows(member, shape) else FusionGroup(shape, (), [member])
        if not is_fold(node):
            return None
        operand, init = node.operands
        shape, reduced = operand.shape, reduced_dimensions(node)
        if not reduced:
            return None  # a fold of nothing at each place
        reads = reads_of([(operand, full_position(shape)), (init, ())], self.kept)
        member = Member(node, "fold", reduction_result_position(shape, reduced), reads)
        return None if reads_across_rows(member, shape) else FusionGroup(shape, reduced, [member])

    def element_reads(self, node: Node, position: Position) -> dict[Tensor, set[Position | None]]:
        """What an element of a node's result is computed from."""
        places = operand_positions(node, position)
        return reads_of(list(zip(node.operands, places, strict=True)), self.kept)

    def join(self, unit: LaunchUnit, group: FusionGroup) -> None:
        """Joins a new unit with those that it fits to."""
        (member,) = group.members
        near = list(self.units_of(unit.direct))
        here = full_position(group.shape)
        for tensor, positions in member.reads.items():
            if here in positions and tensor.shape == group.shape:
                readers = self.readers.setdefault(tensor, [])
                near += [self.units[reader] for reader in reversed(readers)]
                readers.append(unit.number)
        numbers = unit.numbers
        for other in dict.fromkeys(near):
            mine = self.units[numbers.bit_length() - 1]
            if other is mine or other.group is None or self.units[other.number] is not other:
                continue
            assert mine.group is not None
            joined = self.joined(other, mine)
            if isinstance(joined, str):
                self.refusals.setdefault(member.node, []).append(joined)
            else:
                self.merge(other, mine, joined)

    def joined(self, first: LaunchUnit, second: LaunchUnit) -> FusionGroup | str:
        """The group of two units, or why there is none."""
        one, other = first.group, second.group
        assert one is not None
        assert other is not None
        between = self.between(first, second) or self.between(second, first)
        if between:
            return f"not with {group_name(one)}: {between} is computed between"
        members = self.fitted(one, other)
        if isinstance(members, str):
            return f"not with {group_name(one)}: {members}"
        reduced = one.reduced or other.reduced
        shape = one.shape if one.reduced or not other.reduced else other.shape
        members.sort(key=lambda member: self.masks[member.result])
        group = FusionGroup(shape, reduced, members)
        number_phases(group)
        reason = rejection_reason(group)
        return f"not with {group_name(one)}: {reason}" if reason else group

    def between(self, first: LaunchUnit, second: LaunchUnit) -> str:
        """What needs the one and is needed by the other."""
        for unit in self.units_of(second.direct & ~(first.numbers | second.numbers)):
            if unit.needs & first.numbers:
                return repr(self.nodes[unit.numbers.bit_length() - 1].results[0])
        return ""

    def fitted(self, one: FusionGroup, other: FusionGroup) -> list[Member] | str:
        """The members of both in the loops of one of them, in order."""
        if one.shape != other.shape and len(other.members) == 1 and one.reduced:
            row_member = self.as_row(one, other.members[0])
            return row_member if isinstance(row_member, str) else [*one.members, row_member]
        if one.shape != other.shape:
            return f"its shape is {list(one.shape)}"
        if one.reduced and other.reduced and one.reduced != other.reduced:
            return f"it reduces dimensions {list(one.reduced)}"
        return [*one.members, *other.members]

    def as_row(self, group: FusionGroup, member: Member) -> Member | str:
        """An operation on the results of folds, at their position."""
        if member.form != "full":
            return f"its shape is {list(group.shape)}"
        long = [d for d in reduction_result_position(group.shape, group.reduced) if d is not None]
        shape = member.result.shape
        if [group.shape[d] for d in long] != [size for size in shape if size > 1]:
            return f"its shape is {list(group.shape)}"
        rest = iter(long)
        position = tuple([next(rest) if size > 1 else None for size in shape])
        return Member(member.node, "row", position, self.element_reads(member.node, position))

    def merge(self, first: LaunchUnit, second: LaunchUnit, group: FusionGroup) -> None:
        """Makes one unit of two."""
        numbers = first.numbers | second.numbers
        direct = (first.direct | second.direct) & ~numbers
        needs = (first.needs | second.needs) & ~numbers
        merged = LaunchUnit(numbers.bit_length() - 1, numbers, needs, direct, group)
        for i in bits_of(numbers):
            self.units[i] = merged
        for unit in dict.fromkeys(self.units[(numbers & -numbers).bit_length() :]):
            if unit.needs & numbers:
                unit.needs |= needs | numbers

    def groups(self) -> list[FusionGroup]:
        """The groups of several operations; what none but themselves reads is not stored."""
        groups: list[FusionGroup] = []
        for unit in dict.fromkeys(self.units):
            group = unit.group
            if group is None or len(group.members) == 1:
                continue
            number_phases(group)
            outside = 0
            for unit_ in dict.fromkeys(self.units):
                outside |= 0 if unit_ is unit else unit_.direct
            inside = {tensor for member in group.members for tensor in member.reads}
            for member in group.members:
                tensor = member.result
                read = bool(self.masks[tensor] & outside) or None in tensor.users
                if read or tensor not in inside:
                    group.stored.add(tensor)
            stage_distant_values(group)
            self.local |= {member.result for member in group.members} - group.stored
            drop_inlined_values(group)
            groups.append(group)
        return groups

    def ordered_units(self) -> list[LaunchUnit]:
        """The units, each behind those it needs."""
        done: dict[LaunchUnit, None] = {}
        for root in dict.fromkeys(self.units):
            pending = [root]
            while pending:
                unit = pending[-1]
                missing = [unit_ for unit_ in self.units_of(unit.direct) if unit_ not in done]
                if missing:
                    pending += missing
                else:
                    done[pending.pop()] = None
        return list(done)

    def ordered_nodes(self) -> list[Node]:
        """All nodes, each behind those it needs; those that are launched together, together.

        What is computed where it is read stands as early as it may.
        """
        order = self.ordered_units()
        places: dict[Node, int] = {}
        for i, unit in enumerate(order):
            places.update(dict.fromkeys([self.nodes[k] for k in bits_of(unit.numbers)], i))
        result: list[list[Node]] = [[] for _ in range(len(order) + 1)]  # behind each unit
        for node in self.graph.nodes:
            if node not in places:
                sources = [operand.node for operand in node.operands if operand.node is not None]
                places[node] = max([places.get(source, -1) for source in sources], default=-1)
                result[places[node] + 1].append(node)
        for i, unit in enumerate(order):
            result[i + 1][:0] = [self.nodes[k] for k in bits_of(unit.numbers)]
        return [node for nodes in result for node in nodes]


def values_read(node: Node) -> Iterator[Tensor]:
    """What a node takes, in its regions too."""
    yield from node.operands
    for region in node.regions:
        for inner in region.nodes:
            yield from values_read(inner)
        yield from region.results


def bits_of(numbers: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


def reads_across_rows(member: Member, shape: Sequence[int]) -> bool:
    """Whether an operation reads anything across the rows of its shape."""
    long = [d for d, size in enumerate(shape) if size > 1]
    if not long:
        return False
    for positions in member.reads.values():
        for position in positions:
            if position is not None and long[-1] in position:
                behind = position[position.index(long[-1]) + 1 :]
                if any(d is not None for d in behind):
                    return True
    return False


def number_phases(group: FusionGroup) -> None:
    """Says for each member in which walk along a row it is computed."""
    phases: dict[Tensor, int] = {}
    for member in group.members:
        member.phase = max([phases[t] for t in member.reads if t in phases], default=0)
        phases[member.result] = member.phase + (member.form == "fold")


def rejection_reason(group: FusionGroup) -> str:
    """Why operations cannot share a kernel; empty if they can."""
    positions_of = {member.result: member.position for member in group.members}
    inputs: set[Tensor] = set()
    for member in group.members:
        for tensor, positions in member.reads.items():
            if tensor not in positions_of:
                inputs.add(tensor)
            elif any(position != positions_of[tensor] for position in positions):
                return f"{tensor!r} is read elsewhere than where it is made"
    if len(group.members) > MAX_MEMBERS or len(inputs) > MAX_INPUTS:
        return "there would be too many operations in a kernel"
    if not group.folds:
        return ""
    order = reduction_order(group.shape, group.reduced)
    if order.form == "rows" and not order.is_blocked and not order.outer:
        return ""
    if any(
        member.form == "full" or (member.form == "fold" and member.phase)
        for member in group.members
    ):
        form = "blocks" if order.is_blocked else "columns"
        return f"its folds are in {form}"
    return ""


def stage_distant_values(group: FusionGroup) -> None:
    """Stores the largest values that would be staged, until the others are close at hand."""
    length = 1
    for d in group.reduced:
        length *= group.shape[d]
    sizes = {tensor.result: length * bytes_per_element(tensor.result) for tensor in group.staged}
    near = sorted((size for size in sizes if size not in group.stored), key=lambda t: sizes[t])
    while near and sum(sizes[tensor] for tensor in near) > MAX_STAGED_BYTES:
        group.stored.add(near.pop())


def bytes_per_element(tensor: Tensor) -> int:
    """How much memory an element takes."""
    kind = represented(tensor)
    return kind.parts * BYTES[kind.storage]


def drop_inlined_values(group: FusionGroup) -> None:
    """Leaves out what is computed where it is read: nothing stores it for later."""
    later = {tensor.result for tensor in group.staged}
    group.members = [
        member
        for member in group.members
        if member.form == "fold" or member.result in group.stored or member.result in later
    ]


def group_name(group: FusionGroup) -> str:
    """What a group is called: its last result."""
    return repr(group.members[-1].result)
