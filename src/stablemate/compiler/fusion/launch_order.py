"""Decides which operations share a kernel, and the order in which kernels are launched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from stablemate.compiler.fusion.classification import Kind, kind_of, materialized_values
from stablemate.compiler.fusion.epilogue_fusion import epilogues_of
from stablemate.compiler.fusion.group_formation import GroupFormation
from stablemate.compiler.fusion.liveness import Liveness
from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.table import BUILDERS


@dataclass(frozen=True, slots=True)
class Fusion:
    """How the operations of a graph are launched.

    Attributes:
        nodes: The operations, each behind those it needs; those of a group behind one another.
        kinds: How each is run.
        elements: The operations that are computed where their results are read, or stored.
        endings: The operations whose kernels make what is computed from their results instead,
            by the operation whose result that is.
        kept: The values that are kept in memory, each with the reason.
        groups: For each operation that shares a kernel, with which.
        refusals: For others, why they share none.
    """

    nodes: list[Node]
    kinds: Mapping[Node, Kind]
    elements: frozenset[Node]
    endings: Mapping[Node, Node]
    kept: Mapping[Tensor, str]
    groups: Mapping[Node, FusionGroup]
    refusals: Mapping[Node, Sequence[str]]


def fuse_graph(graph: Graph, *, fuse: bool = True) -> Fusion:
    """How the operations of a graph are launched.

    Args:
        graph: The graph.
        fuse: Whether values may be computed where they are needed, and operations share kernels.
    """
    kinds: dict[Node, Kind] = {node: kind_of(node) for node in graph.nodes}
    kept = materialized_values(graph, kinds, fuse=fuse)
    elements = frozenset(node for node, kind in kinds.items() if kind == "element")
    if not fuse:
        materialize_late_reads(graph, kinds, elements, kept, {})
        return Fusion(graph.nodes, kinds, elements, {}, kept, {}, {})
    endings = epilogues_of(graph, kinds, kept)
    elements |= frozenset(endings.values())
    ordered = frozenset(node for node, kind in kinds.items() if kind in ("request", "control"))
    grouping = GroupFormation(graph, kept, elements, endings, ordered)
    groups: dict[Node, FusionGroup] = {}
    for group in grouping.groups():
        groups.update(dict.fromkeys(group.nodes, group))
    for tensor in grouping.local:
        del kept[tensor]
    nodes = grouping.ordered_nodes()
    again = Graph(graph.arguments, nodes, graph.results)
    materialize_late_reads(again, kinds, elements, kept, groups)
    return Fusion(nodes, kinds, elements, endings, kept, groups, grouping.refusals)


def fuse_regions(graph: Graph, *, fuse: bool = True) -> dict[Graph, Fusion]:
    """How the operations of a graph, and of the regions of its loops and branches, are launched."""
    fusions = {graph: fuse_graph(graph, fuse=fuse)}
    for node in fusions[graph].nodes:
        if fusions[graph].kinds[node] == "control":
            for region in node.regions:
                fusions |= fuse_regions(region, fuse=fuse)
    return fusions


def materialize_late_reads(
    graph: Graph,
    kinds: Mapping[Node, Kind],
    elements: frozenset[Node],
    kept: dict[Tensor, str],
    groups: Mapping[Node, FusionGroup],
) -> None:
    """Keeps parts of tensors that are updated, where they would be read after the update."""
    updates = [
        node
        for node in graph.nodes
        if kinds[node] == "kernel" and BUILDERS[node.operation.name].updates
    ]
    if not updates:
        return
    reuse = Liveness(graph, elements, dict(kept), groups, changes_arguments=True)
    for node in updates:
        number = reuse.numbers[node]
        for operand in node.operands[: len(node.results)]:
            for user in operand.users:
                if user is None or kinds.get(user) != "element" or reuse.numbers[user] > number:
                    continue
                (part,) = user.results
                late = max(reuse.readers(part), default=-1) >= number
                if late and part not in kept and prod(part.shape) < prod(operand.shape):
                    kept[part] = f"read before {operand!r} changes"


def fusion_text(graph: Graph, *, fuse: bool = True, depth: int = 0) -> Iterator[str]:
    """How each operation is run, which of them share a kernel, and the reasons why others do not.

    Args:
        graph: The graph.
        fuse: Whether anything is fused.
        depth: How many graphs are around it.
    """
    fusion = fuse_graph(graph, fuse=fuse)
    numbers = {group: i for i, group in enumerate(dict.fromkeys(fusion.groups.values()))}
    by = {root: repr(node.results[0]) for node, root in fusion.endings.items()}
    pad = "  " * depth
    for node in fusion.nodes:
        if node in by:
            yield f"{pad}kernel   {node!r}    stored as {by[node]}"
            continue
        reasons = [
            f"{result!r} {fusion.kept[result]}" for result in node.results if result in fusion.kept
        ]
        notes = [f"kept: {'; '.join(reasons)}"] if reasons else []
        group = fusion.groups.get(node)
        if group is not None:
            (member,) = [member for member in group.members if member.node is node]
            notes.insert(0, f"group {numbers[group]}: {member.form}, phase {member.phase}")
        elif reasons:
            notes += fusion.refusals.get(node, ())
        yield "    ".join([f"{pad}{fusion.kinds[node]:8} {node!r}", *notes])
        for region in node.regions:
            yield from fusion_text(region, fuse=fuse, depth=depth + 1)
