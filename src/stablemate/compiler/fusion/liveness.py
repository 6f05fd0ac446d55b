"""Liveness: the last launch that reads a value, after which its memory may be reused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes

ONCE: Final = 1
MANY_TIMES: Final = 2
NONE_REPLACED: Final[Mapping[Tensor, Node]] = {}


def region_results(node: Node) -> Iterator[Tensor]:
    """The values that the regions of a node return."""
    for region in node.regions:
        yield from region.results
        for inner in region.nodes:
            yield from region_results(inner)


class GraphLiveness:
    """The launches that read the values of a graph.

    Args:
        graph: The graph, its nodes in the order of launches.
        inlined: The nodes that are computed element by element.
        materialized: The values that are stored in memory.
        groups: The nodes that share kernels; a group runs at the place of its last node.
        changes_arguments: Whether the memory of arguments may be reused.
        dying: Values from outside that are not read later: their memory may be reused too.
        replaced: The slices that are read only by the update that replaces them, with this update:
            they are no further reads of its operand.
    """

    def __init__(
        self,
        graph: Graph,
        inlined: Collection[Node],
        materialized: Collection[Tensor],
        groups: Mapping[Node, FusionGroup],
        changes_arguments: bool,
        dying: Collection[Tensor] = (),
        replaced: Mapping[Tensor, Node] = NONE_REPLACED,
    ) -> None:
        self.inlined = inlined
        self.replaced = replaced
        self.materialized = materialized
        self.end = len(graph.nodes)
        self.numbers: dict[Node, int] = {}
        self.returned: dict[Tensor, list[int]] = {result: [self.end] for result in graph.results}
        for number, node in enumerate(graph.nodes):
            self.numbers[node] = number
            for region in node.regions:
                self.numbers.update(dict.fromkeys(all_nodes(region), number))
            for tensor in region_results(node):
                self.returned.setdefault(tensor, []).append(number)
        for node, group in groups.items():
            self.numbers[node] = self.numbers[group.members[-1].node]
        self.local_values = {result for node in graph.nodes for result in node.results}
        if changes_arguments:
            self.local_values.update(graph.arguments)
        self.local_values.update(dying)
        self.dying = frozenset(dying) - frozenset(graph.results)
        self.reader_counts: dict[Tensor, Mapping[int, int]] = {}

    def readers(self, tensor: Tensor) -> Mapping[int, int]:
        """The numbers of the nodes whose kernels read a value, and how often: once, or more.

        A value that is not stored is read by the readers of the values computed from it.
        """
        last_uses = self.reader_counts.get(tensor)
        if last_uses is None:
            pending = [tensor]
            while pending:
                last = pending[-1]
                missing = [
                    operand
                    for operand in self.inlined_users(last)
                    if operand not in self.reader_counts
                ]
                if missing:
                    pending += missing
                else:
                    self.reader_counts[pending.pop()] = self.direct_readers(last)
            last_uses = self.reader_counts[tensor]
        return last_uses

    def inlined_users(self, tensor: Tensor) -> list[Tensor]:
        """The values that are computed from elements of this one where they are read."""
        return [
            user.results[0]
            for user in tensor.users
            if user in self.inlined
            and user is not None
            and user.results[0] not in self.materialized
        ]

    def direct_readers(self, tensor: Tensor) -> Mapping[int, int]:
        """As ``readers``, if those of the inlined users are known."""
        uses: dict[int, int] = dict.fromkeys(self.returned.get(tensor, ()), ONCE)
        for user in tensor.users:
            if tensor in self.dying and user not in self.numbers:
                continue  # a user outside of the graph, which ran before
            if user is None:
                continue  # returns are counted already
            number = self.numbers.get(user, self.end)
            read: Mapping[int, int] = {number: ONCE}
            if user in self.inlined and user.results[0] not in self.materialized:
                read = self.reader_counts[user.results[0]]
                if user.results[0] in self.replaced:
                    continue  # the update that reads it is a user, too
            for reader, count in read.items():
                uses[reader] = min(uses.get(reader, 0) + count, MANY_TIMES)
        return uses

    def is_last_use(self, tensor: Tensor, node: Node) -> bool:
        """Whether a node with this operand is the last to read a value of the graph."""
        if tensor not in self.local_values:
            return False
        number, readers = self.numbers[node], self.readers(tensor)
        return max(readers) == number and readers[number] == ONCE

    def is_dead_after(self, tensor: Tensor, node: Node) -> bool:
        """Whether nothing reads a value of the graph after a node that has regions."""
        return tensor in self.local_values and max(self.readers(tensor)) == self.numbers[node]
