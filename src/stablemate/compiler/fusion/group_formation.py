"""Forms fusion groups: which operations share a kernel, and why others do not.

Two groups join if one reads results of the other at the index of the loops, or if both read the
same value there, unless a value that is computed in between depends on one and is needed by the
other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Final, Literal, TypeAlias

from stablemate.compiler.fusion.index_maps import operand_positions, reads_of
from stablemate.compiler.fusion.memory_order import (
    Launch,
    backward_order,
    forward_order,
    read_before_written,
)
from stablemate.compiler.fusion.recompute_cost import bytes_per_element
from stablemate.compiler.graph.fusion_group import (
    FusionGroup,
    GroupMember,
    Position,
    full_position,
    reduced_dimensions,
    reduction_result_position,
)
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.reduction.monoids import is_monoid_reduction
from stablemate.compiler.schedule.reduction_order import reduction_order
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.types import TensorType
from stablemate.numerics.symbolic_sizes import surely_same_shape

NodeOrder: TypeAlias = Literal["graph", "forward", "backward", "carried"]

# ``python -m benchmarks.fusion`` measures what these trade beside XLA: one launch and less traffic
# with memory, for registers and code.
MAX_STAGED_BYTES: Final = 1 << 14  # bytes of a row that may be staged: half of the L1 cache
MAX_MEMBERS: Final = 16  # operations of a kernel
MAX_INPUTS: Final = 32  # of a kernel: fusion saves memory traffic, but inputs occupy registers
MAX_NEIGHBORS: Final = 8  # units of one kind with which an operation may share a kernel
MAX_REORDERED: Final = 1024  # units for which an order is looked for


@dataclass(eq=False, slots=True)
class LaunchUnit:
    """Operations that are launched together.

    Attributes:
        number: Its number.
        mask: The operations in it; each operation has a bit.
        dependencies: All operations that must run before it.
        direct_dependencies: The operations whose results it reads.
        group: The group that its kernel would compute; None if it cannot share a kernel.
    """

    number: int
    mask: int
    dependencies: int
    direct_dependencies: int
    group: FusionGroup | None


class GroupFormation:
    """Forms the groups of a graph.

    Args:
        graph: The graph.
        materialized: The values in memory.
        inlined: The nodes that are computed element by element.
        unfusable: Those of them that share no kernel with others.
        in_order: The nodes whose order must not change.
        order: That of the launches: that of the graph as far as possible, one in which few bytes
            are live, or one in which loops may write what they carry in its place.
        is_body: Whether the graph is the region of a loop or branch.

    Attributes:
        rejections: For each operation, why it does not join others.
        kernel_local: The values that are used only inside the kernel of a group; complete once the
            groups are formed.
    """

    def __init__(
        self,
        graph: Graph,
        materialized: Collection[Tensor],
        inlined: Collection[Node],
        unfusable: Collection[Node],
        in_order: Collection[Node],
        order: NodeOrder = "graph",
        is_body: bool = False,
    ) -> None:
        self.graph = graph
        self.is_body = is_body
        self.materialized = materialized
        self.inlined = inlined
        self.unfusable = unfusable
        self.in_order = in_order
        self.order: NodeOrder = order
        self.rejections: dict[Node, list[str]] = {}
        self.units: list[LaunchUnit] = []  # by operation number: the unit that contains it
        self.nodes: list[Node] = []  # by operation number
        # by operation number: the operations whose results it reads, and the arguments; these only
        # where launches are put in an order of their own
        self.read_masks: list[tuple[int, int]] = []
        known = () if order == "graph" else graph.arguments
        self.argument_masks = {argument: 1 << i for i, argument in enumerate(known)}
        self.masks: dict[Tensor, int] = {}
        self.readers: dict[
            Tensor, list[int]
        ] = {}  # operations that read a value at the index of their loops
        self.kernel_local: set[Tensor] = set()
        self.last_in_order = 0  # the last operation whose order must not change
        for node in graph.nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        """Adds a node: a unit if the node is launched, joined with others if possible."""
        mask = arguments = 0
        for tensor in values_read(node):
            mask |= self.masks.get(tensor, 0)
            arguments |= self.argument_masks.get(tensor, 0)
        is_inlined = node in self.inlined and node.results[0] not in self.materialized
        if is_inlined or node.operation.name == "stablehlo.constant":
            self.masks[node.results[0]] = mask
            if arguments:
                self.argument_masks[node.results[0]] = arguments
            return
        self.read_masks.append((mask, arguments))
        if node in self.in_order:
            mask |= self.last_in_order
        number = len(self.units)
        bit = 1 << number
        if node in self.in_order:
            self.last_in_order = bit
        dependencies = mask
        for dependency in self.units_of(mask):
            dependencies |= dependency.dependencies | dependency.mask
        unit = LaunchUnit(number, bit, dependencies, mask, self.single_node_group(node))
        self.units.append(unit)
        self.nodes.append(node)
        for tensor in node.results:
            self.masks[tensor] = bit
        if unit.group is not None:
            self.join_with_neighbors(unit, unit.group)

    def units_of(self, mask: int) -> Iterator[LaunchUnit]:
        """The units that contain some operations, the latest first."""
        seen: set[int] = set()
        while mask:
            number = mask.bit_length() - 1
            mask ^= 1 << number
            unit = self.units[number]
            if unit.number not in seen:
                seen.add(unit.number)
                yield unit

    def single_node_group(self, node: Node) -> FusionGroup | None:
        """The group of one operation; None if the operation cannot be in a group."""
        if node in self.unfusable:
            return None
        if node in self.inlined:
            shape = node.results[0].shape
            if 0 in shape:
                return None
            member = GroupMember(
                node,
                "full",
                full_position(shape),
                self.element_reads(node, full_position(shape)),
            )
            return None if reads_across_rows(member, shape) else FusionGroup(shape, (), [member])
        if not is_monoid_reduction(node):
            return None
        operand, init = node.operands
        shape, reduced = operand.shape, reduced_dimensions(node)
        if not reduced:
            return None  # reduces no dimension
        reads = self.reads([(operand, full_position(shape)), (init, ())])
        member = GroupMember(node, "fold", reduction_result_position(shape, reduced), reads)
        return None if reads_across_rows(member, shape) else FusionGroup(shape, reduced, [member])

    def element_reads(self, node: Node, position: Position) -> dict[Tensor, set[Position | None]]:
        """The values from which an element of a node's result is computed."""
        places = operand_positions(node, position)
        return self.reads(list(zip(node.operands, places, strict=True)))

    def reads(
        self, values: Sequence[tuple[Tensor, Position | None]]
    ) -> dict[Tensor, set[Position | None]]:
        """The values in memory from which elements are computed, with the positions."""
        return reads_of(values, self.inlined, self.materialized)

    def join_with_neighbors(self, unit: LaunchUnit, group: FusionGroup) -> None:
        """Joins a new unit with producers and siblings if that is possible."""
        (member,) = group.members
        candidates = list(self.units_of(unit.direct_dependencies))
        position = full_position(group.shape)
        for tensor, positions in member.reads.items():
            if position in positions and surely_same_shape(tensor.shape, group.shape):
                readers = self.readers.setdefault(tensor, [])
                candidates += self.latest_units(readers)
                readers.append(unit.number)
        mask = unit.mask
        for other in dict.fromkeys(candidates):
            mine = self.units[mask.bit_length() - 1]
            if other is mine or other.group is None or self.units[other.number] is not other:
                continue
            assert mine.group is not None
            joined_group = self.try_join(other, mine)
            if isinstance(joined_group, str):
                self.rejections.setdefault(member.node, []).append(joined_group)
            else:
                self.merge(other, mine, joined_group)

    def latest_units(self, numbers: Sequence[int]) -> Collection[LaunchUnit]:
        """The units of the last of some operations, the latest first, at most so many."""
        units: dict[LaunchUnit, None] = {}
        for number in islice(reversed(numbers), MAX_NEIGHBORS * MAX_MEMBERS):
            units[self.units[number]] = None
            if len(units) == MAX_NEIGHBORS:
                break
        return units

    def try_join(self, first: LaunchUnit, second: LaunchUnit) -> FusionGroup | str:
        """The group of two units, or the reason why they cannot join."""
        one, other = first.group, second.group
        assert one is not None
        assert other is not None
        intervening = self.intervening_value(first, second) or self.intervening_value(second, first)
        if intervening:
            return f"not with {group_name(one)}: {intervening} is computed between"
        members = self.combined_members(one, other)
        if isinstance(members, str):
            return f"not with {group_name(one)}: {members}"
        reduced = one.reduced or other.reduced
        shape = one.shape if one.reduced or not other.reduced else other.shape
        members.sort(key=lambda member: self.masks[member.result])
        group = FusionGroup(shape, reduced, members)
        number_phases(group)
        reason = rejection_reason(group)
        return f"not with {group_name(one)}: {reason}" if reason else group

    def intervening_value(self, first: LaunchUnit, second: LaunchUnit) -> str:
        """A value that depends on the first unit and is needed by the second; empty if none."""
        for unit in self.units_of(second.direct_dependencies & ~(first.mask | second.mask)):
            if unit.dependencies & first.mask:
                return repr(self.nodes[unit.mask.bit_length() - 1].results[0])
        return ""

    def combined_members(self, one: FusionGroup, other: FusionGroup) -> list[GroupMember] | str:
        """The members of both groups in the loops of one of them, or why that is impossible."""
        is_same = surely_same_shape(one.shape, other.shape)
        if not is_same and len(other.members) == 1 and one.reduced:
            row_member = self.row_member(one, other.members[0])
            return row_member if isinstance(row_member, str) else [*one.members, row_member]
        if not is_same:
            return f"its shape is {list(one.shape)}"
        if one.reduced and other.reduced and one.reduced != other.reduced:
            return f"it reduces dimensions {list(one.reduced)}"
        return [*one.members, *other.members]

    def row_member(self, group: FusionGroup, member: GroupMember) -> GroupMember | str:
        """An operation on the results of reductions as a member at their position."""
        if member.form != "full":
            return f"its shape is {list(group.shape)}"
        long_dimensions = [
            d for d in reduction_result_position(group.shape, group.reduced) if d is not None
        ]
        shape = member.result.shape
        long_sizes = [group.shape[d] for d in long_dimensions]
        if not surely_same_shape(long_sizes, [size for size in shape if size > 1]):
            return f"its shape is {list(group.shape)}"
        dimensions = iter(long_dimensions)
        position = tuple([next(dimensions) if size > 1 else None for size in shape])
        return GroupMember(member.node, "row", position, self.element_reads(member.node, position))

    def merge(self, first: LaunchUnit, second: LaunchUnit, group: FusionGroup) -> None:
        """Merges two units into one, with the union of their members and dependencies."""
        mask = first.mask | second.mask
        direct_dependencies = (first.direct_dependencies | second.direct_dependencies) & ~mask
        dependencies = (first.dependencies | second.dependencies) & ~mask
        merged = LaunchUnit(mask.bit_length() - 1, mask, dependencies, direct_dependencies, group)
        for i in bits_of(mask):
            self.units[i] = merged
        for unit in dict.fromkeys(self.units[(mask & -mask).bit_length() :]):
            if unit.dependencies & mask:
                unit.dependencies |= dependencies | mask

    def groups(self) -> list[FusionGroup]:
        """The groups of several operations; results that only their kernel reads are not stored."""
        groups: list[FusionGroup] = []
        units = list(dict.fromkeys(self.units))
        read_once = read_again = 0  # the operations that one unit reads, and that several do
        for unit in units:
            read_again |= read_once & unit.direct_dependencies
            read_once |= unit.direct_dependencies
        for unit in units:
            group = unit.group
            if group is None or len(group.members) == 1:
                continue
            number_phases(group)
            read_outside = read_again | (read_once & ~unit.direct_dependencies)
            read_inside = {tensor for member in group.members for tensor in member.reads}
            for member in group.members:
                tensor = member.result
                read = bool(self.masks[tensor] & read_outside) or None in tensor.users
                if read or tensor not in read_inside:
                    group.stored.add(tensor)
            stage_distant_values(group)
            self.kernel_local |= {member.result for member in group.members} - group.stored
            drop_inlined_values(group)
            groups.append(group)
        return groups

    def units_in(self, order: NodeOrder) -> list[LaunchUnit]:
        """The units in topological order."""
        units = self.ordered_units()
        is_loop = self.is_body and len(self.graph.arguments) == len(self.graph.results)
        if order == "graph" or (order == "carried" and not is_loop) or len(units) > MAX_REORDERED:
            return units
        numbers = {unit: number for number, unit in enumerate(units)}
        launches = [
            Launch(
                before={numbers[other] for other in self.units_of(unit.direct_dependencies)},
                reads=self.values_of_unit(unit),
                writes={result for node in self.nodes_of(unit) for result in node.results},
            )
            for unit in units
        ]
        if order == "carried":
            carried = list(zip(self.graph.arguments, self.graph.results, strict=True))
            launches = read_before_written(launches, carried)
        values = {value for launch in launches for value in (*launch.reads, *launch.writes)}
        sizes = {value: self.live_bytes(value) for value in values}
        reordered = backward_order if order == "backward" else forward_order
        return [units[number] for number in reordered(launches, sizes)]

    def values_of_unit(self, unit: LaunchUnit) -> set[Tensor]:
        """The results of other units, and the arguments, that a unit reads."""
        read: set[Tensor] = set()
        for number in bits_of(unit.mask):
            mask, arguments = self.read_masks[number]
            for other in bits_of(mask & ~unit.mask):
                read.update(self.nodes[other].results)
            read.update(self.graph.arguments[i] for i in bits_of(arguments))
        return read

    def nodes_of(self, unit: LaunchUnit) -> list[Node]:
        """The operations of a unit."""
        return [self.nodes[number] for number in bits_of(unit.mask)]

    def live_bytes(self, tensor: Tensor) -> int:
        """The bytes that a value takes while it is live; none if callers own its memory.

        The arguments and results of a loop's body take memory of the program.
        """
        if not isinstance(tensor.type, TensorType):
            return 0
        if tensor.node is None:
            return tensor.type.bytes if self.is_body else 0
        is_stored = tensor in self.materialized and tensor not in self.kernel_local
        return tensor.type.bytes if is_stored and (self.is_body or None not in tensor.users) else 0

    def ordered_units(self) -> list[LaunchUnit]:
        """The units in topological order: that of the graph, as far as possible."""
        done: dict[LaunchUnit, None] = {}
        for root in dict.fromkeys(self.units):
            pending = [root]
            while pending:
                unit = pending[-1]
                pending_units = [
                    other for other in self.units_of(unit.direct_dependencies) if other not in done
                ]
                if pending_units:
                    pending += pending_units
                else:
                    done[pending.pop()] = None
        return list(done)

    def ordered_nodes(self) -> list[Node]:
        """All nodes in topological order; operations that are launched together are adjacent.

        A node that is computed where its result is read is placed as early as possible.
        """
        units = self.units_in(self.order)
        places: dict[Node, int] = {}
        for i, unit in enumerate(units):
            places.update(dict.fromkeys(self.nodes_of(unit), i))
        result: list[list[Node]] = [[] for _ in range(len(units) + 1)]  # after each unit
        for node in self.graph.nodes:
            if node not in places:
                sources = [operand.node for operand in node.operands if operand.node is not None]
                places[node] = max([places.get(source, -1) for source in sources], default=-1)
                result[places[node] + 1].append(node)
        for i, unit in enumerate(units):
            result[i + 1][:0] = self.nodes_of(unit)
        return [node for nodes in result for node in nodes]


def values_read(node: Node) -> Iterator[Tensor]:
    """The values that a node and its regions read."""
    yield from node.operands
    for region in node.regions:
        for inner in region.nodes:
            yield from values_read(inner)
        yield from region.results


def bits_of(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def reads_across_rows(member: GroupMember, shape: Sequence[int]) -> bool:
    """Whether an operand is read with the innermost loop dimension not innermost."""
    long_dimensions = [d for d, size in enumerate(shape) if size > 1]
    if not long_dimensions:
        return False
    for positions in member.reads.values():
        for position in positions:
            if position is not None and long_dimensions[-1] in position:
                inner = position[position.index(long_dimensions[-1]) + 1 :]
                if any(d is not None for d in inner):
                    return True
    return False


def number_phases(group: FusionGroup) -> None:
    """Numbers the passes over a row, and assigns each member the pass that computes it."""
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
    if not group.reductions:
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
    """Stores the largest values that would be staged until the others fit the L1 cache."""
    length = 1
    for d in group.reduced:
        length *= group.shape[d]
    staged = [member.result for member in group.staged]
    sizes = {tensor: length * bytes_per_element(tensor) for tensor in staged}
    candidates = sorted(
        (tensor for tensor in sizes if tensor not in group.stored), key=lambda t: sizes[t]
    )
    while candidates and sum(sizes[tensor] for tensor in candidates) > MAX_STAGED_BYTES:
        group.stored.add(candidates.pop())


def drop_inlined_values(group: FusionGroup) -> None:
    """Removes members that are computed where they are read and not stored for later."""
    staged = {member.result for member in group.staged}
    group.members = [
        member
        for member in group.members
        if member.form == "fold" or member.result in group.stored or member.result in staged
    ]


def group_name(group: FusionGroup) -> str:
    """The name of a group in messages: its last result."""
    return repr(group.members[-1].result)
