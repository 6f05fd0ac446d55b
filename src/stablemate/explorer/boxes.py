"""The tree in which a graph is drawn: functions hold regions and scopes, these hold operations.

Operations of one scope of the source share a box. A box that is folded is one node, so boxes must
not depend on one another in a circle: where a scope is left and entered again by way of what
depends on it, as by layers of one name, it becomes several boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, Literal, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.explorer.graph import GraphBody, GraphNode, ProgramGraph
from stablemate.explorer.segmentation import label_of, segments_of

FEW: Final = 8  # arguments that are drawn one by one; more share a box

BoxKind: TypeAlias = Literal[
    "program",
    "function",
    "region",
    "scope",
    "piece",
    "arguments",
    "op",
    "argument",
    "constant",
    "return",
    "in",
    "out",
]


@dataclass(slots=True, eq=False)
class Box:
    """Something that is drawn; what is in it shows when it is unfolded.

    Attributes:
        kind: ``piece`` is a part of a long list, ``arguments`` a box of many arguments; ``in`` and
            ``out`` are where a value enters and leaves a box.
        label: Its name.
        node: The operation or argument that it is.
        body: The function that it is.
        value: The value that enters or leaves.
        parent: The box around it.
        children: What is in it, in the order of the program.
        depth: How many boxes are around it.
        id: Its number in the order of the tree.
    """

    kind: BoxKind
    label: str
    node: GraphNode | None = None
    body: GraphBody | None = None
    value: int | None = None
    parent: Box | None = None
    children: list[Box] = field(default_factory=list["Box"])
    depth: int = 0
    id: int = -1

    def add(self, child: Box) -> Box:
        """Nests a box one level deeper in this one."""
        child.parent, child.depth = self, self.depth + 1
        self.children.append(child)
        return child

    def walk(self) -> Iterator[Box]:
        """This box and all in it, outermost first."""
        pending: list[Box] = [self]
        while pending:
            box = pending.pop()
            yield box
            pending += reversed(box.children)


def boxes_of(graph: ProgramGraph) -> Box:
    """The tree of a graph, operations grouped by scope.

    Each node of a model of ONNX has a box, also one that became a single operation.
    """
    fewest = 1 if graph.format == "onnx" else 2
    captured = captures(graph)
    root = Box("program", graph.title)
    pending: list[tuple[Box, GraphBody]] = []
    for function in graph.functions:
        box = root.add(Box("function", function.label, body=function))
        pending.append((box, function))
    while pending:
        box, body = pending.pop()
        for leaf in Grouping(captured, fewest).fill(box, body.nodes):
            assert leaf.node is not None
            several = len(leaf.node.bodies) > 1
            for inner in leaf.node.bodies:
                holder = leaf.add(Box("region", inner.label)) if several else leaf
                pending.append((holder, inner))
    return root


def captures(graph: ProgramGraph) -> Mapping[GraphNode, frozenset[int]]:
    """The values that each node takes, also inside its regions, from outside of it."""
    captured: dict[GraphNode, frozenset[int]] = {}
    for node in reversed(list(graph.nodes())):  # what is inside comes first
        uses = set(node.operands)
        for body in node.bodies:
            for nested in body.nodes:
                uses |= captured[nested]
        for body in node.bodies:
            for nested in body.nodes:
                uses.difference_update(nested.results)
        captured[node] = frozenset(uses)
    return captured


class Grouping:
    """Groups the nodes of a body by scope.

    Attributes:
        captured: The values that each node takes.
        fewest: How many operations a box of a scope has at least; constants do not count.
    """

    def __init__(self, captured: Mapping[GraphNode, frozenset[int]], fewest: int) -> None:
        self.captured = captured
        self.fewest = fewest
        self.scopes: dict[GraphNode, tuple[str, ...]] = {}

    def fill(self, box: Box, nodes: Sequence[GraphNode]) -> list[Box]:
        """Adds nodes to a box, in boxes of their scopes; returns those that have regions."""
        ordered = self.near_their_users(nodes)
        shared = common_scope([node.scope for node in nodes if node.scope])
        with_bodies: list[Box] = []
        pending: list[tuple[Box, list[GraphNode], int]] = [(box, ordered, len(shared))]
        while pending:
            parent, members, depth = pending.pop()
            parts = list(self.split_by_scope(members, depth))
            member_runs = (
                [members] if any(label for label, _ in parts) else self.member_runs(members)
            )
            if len(member_runs) > 1:
                for run in member_runs:
                    pending.append((parent.add(Box("piece", label_of(run))), run, depth))
                continue
            arguments = holder_of_arguments(parent, parts)
            for label, part in parts:
                if label is None:
                    (node,) = part
                    holder = arguments if node.kind == "argument" else parent
                    leaf = holder.add(Box(node.kind, node.name, node))
                    if node.bodies:
                        with_bodies.append(leaf)
                else:
                    deeper, names = self.narrow(part, depth + 1, [label])
                    inner = parent.add(Box("scope", "/".join(names)))
                    pending.append((inner, part, deeper))
        return with_bodies

    def member_runs(self, members: Sequence[GraphNode]) -> list[list[GraphNode]]:
        """The pieces of a long list; what ends it, such as a return, is in the last one."""
        return [list(run) for run in segments_of(members, self.captured)]

    def narrow(
        self, part: Sequence[GraphNode], depth: int, names: list[str]
    ) -> tuple[int, list[str]]:
        """The depth at which a group branches, and the names up to there."""
        scopes = [self.scopes[node] for node in part]
        more = common_scope(scopes)[depth:]
        return depth + len(more), [*names, *more]

    def near_their_users(self, nodes: Sequence[GraphNode]) -> list[GraphNode]:
        """The nodes, those that take nothing right before the first that takes them.

        They belong to the scope that all of their users share.
        """
        users: dict[int, list[GraphNode]] = {}
        free: dict[int, GraphNode] = {}
        for node in nodes:
            for value in self.captured[node]:
                users.setdefault(value, []).append(node)
            if not self.captured[node] and node.results and not node.bodies:
                free[node.results[0]] = node
        ordered: list[GraphNode] = []
        placed: set[GraphNode] = set()
        for node in nodes:
            self.scopes[node] = node.scope
            if node.results and node.results[0] in free:
                taking = [user.scope for value in node.results for user in users.get(value, ())]
                if taking:
                    self.scopes[node] = common_scope(taking)
                    continue
            for value in sorted(self.captured[node]):
                if (source := free.get(value)) is not None and source not in placed:
                    placed.add(source)
                    ordered.append(source)
            ordered.append(node)
        return ordered

    def split_by_scope(
        self, members: Sequence[GraphNode], depth: int
    ) -> Iterator[tuple[str | None, list[GraphNode]]]:
        """Groups of nodes by the name of their scope at a depth; those without one are alone."""
        keys = [key_at(self.scopes[member], depth) for member in members]
        counts: dict[str, int] = {}
        for node, key in zip(members, keys, strict=True):
            if key is not None and node.operands:
                counts[key] = counts.get(key, 0) + 1
        keys = [
            key if key is not None and counts.get(key, 0) >= self.fewest else None for key in keys
        ]
        groups = Instances(self.captured).of(members, keys)
        first: dict[int, int] = {}
        parts: list[tuple[str | None, list[GraphNode]]] = []
        for node, key, group in zip(members, keys, groups, strict=True):
            if group is None or key is None:
                parts.append((None, [node]))
            elif group in first:
                parts[first[group]][1].append(node)
            else:
                first[group] = len(parts)
                parts.append((key, [node]))
        for label, part in parts:
            if label is not None and sum(bool(node.operands) for node in part) < self.fewest:
                yield from ((None, [node]) for node in part)
            else:
                yield label, part


class Instances:
    """Numbers groups of siblings so that no group depends on itself by way of another.

    Attributes:
        captured: The values that each node takes.
        reached: For each group the groups that it depends on, as bits.
    """

    def __init__(self, captured: Mapping[GraphNode, frozenset[int]]) -> None:
        self.captured = captured
        self.reached: list[int] = []

    def of(self, members: Sequence[GraphNode], keys: Sequence[str | None]) -> list[int | None]:
        """The number of the group of each node; None for those without a key."""
        current: dict[str, int] = {}
        group_of: dict[int, int | None] = {}  # of values
        before: dict[int, int] = {}  # of values that no group makes: groups they depend on
        numbers: list[int | None] = []
        for node, key in zip(members, keys, strict=True):
            current_box = current.get(key) if key is not None else None
            needed = 0
            for value in self.captured[node]:
                maker = group_of.get(value)
                if maker is None:
                    needed |= self.closure_of(before.get(value, 0))
                elif maker != current_box:
                    needed |= self.reached[maker] | 1 << maker
            if key is None:
                group = None
                before.update(dict.fromkeys(node.results, needed))
            else:
                group = self.join(current_box, needed)
                current[key] = group
            group_of.update(dict.fromkeys(node.results, group))
            numbers.append(group)
        return numbers

    def closure_of(self, groups: int) -> int:
        """Groups, and all that they depend on by now."""
        rest, closure = groups, groups
        while rest:
            lowest = rest & -rest
            closure |= self.reached[lowest.bit_length() - 1]
            rest ^= lowest
        return closure

    def join(self, group: int | None, needed: int) -> int:
        """The group that a node joins: this one, or a new one if that depends on this."""
        if group is None or needed >> group & 1:
            self.reached.append(needed)
            return len(self.reached) - 1
        if needed & ~self.reached[group]:
            self.reached[group] |= needed
            needed = self.reached[group]
            for other, reached in enumerate(self.reached):
                if reached >> group & 1:
                    self.reached[other] = reached | needed
        return group


def holder_of_arguments(parent: Box, parts: Sequence[tuple[str | None, list[GraphNode]]]) -> Box:
    """The box that holds the arguments among the parts of a box: one of their own for many."""
    count = sum(label is None and part[0].kind == "argument" for label, part in parts)
    return parent if count <= FEW else parent.add(Box("arguments", f"{count:,} arguments"))


def key_at(scope: Sequence[str], depth: int) -> str | None:
    """The name of a scope at a depth."""
    return scope[depth] if depth < len(scope) else None


def common_scope(scopes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The scopes that all share, from the outside in."""
    if not scopes:
        return ()
    low, high = min(scopes), max(scopes)
    shared = 0
    while shared < len(low) and shared < len(high) and low[shared] == high[shared]:
        shared += 1
    return low[:shared]
