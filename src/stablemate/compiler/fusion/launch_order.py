"""Decides how the operations of a graph are launched, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from stablemate.compiler.fusion.classification import Kind, kind_of, materialized_values
from stablemate.compiler.fusion.epilogue_fusion import epilogues_of
from stablemate.compiler.fusion.group_formation import GroupFormation, NodeOrder
from stablemate.compiler.fusion.liveness import GraphLiveness
from stablemate.compiler.fusion.replaced_slices import is_slice_replaced
from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """How the operations of a graph are launched.

    Attributes:
        nodes: The operations in topological order; those of a group are adjacent.
        kinds: How each runs.
        inlined: The operations that are computed where their results are read or stored.
        epilogues: The operations whose kernels store an epilogue instead of their result, by the
            operation whose result is stored.
        materialized: The values that are stored in memory, each with the reason.
        groups: For each operation that shares a kernel, its group.
        rejections: For others, why they share none.
        replaced: The slices that are read only by the update that replaces them, with this update.
    """

    nodes: list[Node]
    kinds: Mapping[Node, Kind]
    inlined: frozenset[Node]
    epilogues: Mapping[Node, Node]
    materialized: Mapping[Tensor, str]
    groups: Mapping[Node, FusionGroup]
    rejections: Mapping[Node, Sequence[str]]
    replaced: Mapping[Tensor, Node]


def fuse_graph(
    graph: Graph, *, fuse: bool = True, order: NodeOrder = "graph", is_body: bool = False
) -> LaunchOrder:
    """Decides how the operations of a graph are launched.

    Args:
        graph: The graph.
        fuse: Whether values may be computed where they are needed, and operations share kernels.
        order: That of the graph as far as possible, or one in which few bytes are live.
        is_body: Whether the graph is the region of a loop or branch.
    """
    kinds: dict[Node, Kind] = {node: kind_of(node) for node in graph.nodes}
    materialized = materialized_values(graph, kinds, fuse=fuse)
    inlined = frozenset(node for node, kind in kinds.items() if kind == "element")
    if not fuse:
        replaced = materialize_late_reads(graph, kinds, inlined, materialized, {})
        return LaunchOrder(graph.nodes, kinds, inlined, {}, materialized, {}, {}, replaced)
    epilogues = epilogues_of(graph, kinds, materialized)
    inlined |= frozenset(epilogues.values())
    ordered = frozenset(node for node, kind in kinds.items() if kind in ("request", "control"))
    formation = GroupFormation(graph, materialized, inlined, epilogues, ordered, order, is_body)
    groups: dict[Node, FusionGroup] = {}
    for group in formation.groups():
        groups.update(dict.fromkeys(group.nodes, group))
    for tensor in formation.kernel_local:
        del materialized[tensor]
    nodes = formation.ordered_nodes()
    reordered = Graph(graph.arguments, nodes, graph.results)
    replaced = materialize_late_reads(reordered, kinds, inlined, materialized, groups)
    rejections = formation.rejections
    return LaunchOrder(nodes, kinds, inlined, epilogues, materialized, groups, rejections, replaced)


def fuse_regions(
    graph: Graph, *, fuse: bool = True, order: NodeOrder = "graph", is_body: bool = False
) -> dict[Graph, LaunchOrder]:
    """Decides this for a graph and for the regions of its loops and branches."""
    fusions = {graph: fuse_graph(graph, fuse=fuse, order=order, is_body=is_body)}
    for node in fusions[graph].nodes:
        if fusions[graph].kinds[node] == "control":
            for region in node.regions:
                fusions |= fuse_regions(region, fuse=fuse, order=order, is_body=True)
    return fusions


def materialize_late_reads(
    graph: Graph,
    kinds: Mapping[Node, Kind],
    inlined: frozenset[Node],
    materialized: dict[Tensor, str],
    groups: Mapping[Node, FusionGroup],
) -> dict[Tensor, Node]:
    """Stores slices of tensors that are updated in place if they are read after the update.

    Returns:
        Those that the update itself reads, element by element, before it replaces them.
    """
    replaced: dict[Tensor, Node] = {}
    updates = [
        node
        for node in graph.nodes
        if kinds[node] == "kernel" and BUILDERS[node.operation.name].updates
    ]
    if not updates:
        return replaced
    liveness = GraphLiveness(graph, inlined, dict(materialized), groups, changes_arguments=True)
    for node in updates:
        number = liveness.numbers[node]
        for operand in node.operands[: len(node.results)]:
            for user in operand.users:
                if user is None or kinds.get(user) != "element" or liveness.numbers[user] > number:
                    continue
                (result,) = user.results
                is_read_late = max(liveness.readers(result), default=-1) >= number
                if (
                    not is_read_late
                    or result in materialized
                    or prod(result.shape) >= prod(operand.shape)
                ):
                    continue
                if max(liveness.readers(result)) == number and is_slice_replaced(
                    node, user, inlined, materialized
                ):
                    replaced[result] = node
                else:
                    materialized[result] = f"read before {operand!r} changes"
    return replaced


def fusion_lines(graph: Graph, *, fuse: bool = True, depth: int = 0) -> Iterator[tuple[str, Node]]:
    """How each operation runs, which operations share a kernel, and the reasons why others do not.

    Yields a line for each node, with the node.

    Args:
        graph: The graph.
        fuse: Whether anything is fused.
        depth: The nesting depth of the graph.
    """
    fusion = fuse_graph(graph, fuse=fuse)
    numbers = {group: i for i, group in enumerate(dict.fromkeys(fusion.groups.values()))}
    stored_as = {root: repr(node.results[0]) for node, root in fusion.epilogues.items()}
    pad = "  " * depth
    for node in fusion.nodes:
        layouts = [f"layout {result.layout}" for result in node.results if result.layout]
        if node in stored_as:
            notes = [f"stored as {stored_as[node]}", *layouts]
            yield "    ".join([f"{pad}kernel   {node!r}", *notes]), node
            continue
        reasons = [
            f"{result!r} {fusion.materialized[result]}"
            for result in node.results
            if result in fusion.materialized
        ]
        notes = [f"kept: {'; '.join(reasons)}"] if reasons else []
        notes += layouts
        group = fusion.groups.get(node)
        if group is not None:
            (member,) = [member for member in group.members if member.node is node]
            notes.insert(0, f"group {numbers[group]}: {member.form}, phase {member.phase}")
        elif reasons:
            notes += fusion.rejections.get(node, ())
        yield "    ".join([f"{pad}{fusion.kinds[node]:8} {node!r}", *notes]), node
        for region in node.regions:
            yield from fusion_lines(region, fuse=fuse, depth=depth + 1)
