"""Liveness: which launch reads a value last, so that its memory may be reused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor

ONCE: Final = 1
MANY_TIMES: Final = 2


def nested(node: Node) -> Iterator[Node]:
    """The nodes in the regions of a node."""
    for region in node.regions:
        for inner in region.nodes:
            yield inner
            yield from nested(inner)


def region_results(node: Node) -> Iterator[Tensor]:
    """What the regions of a node return."""
    for region in node.regions:
        yield from region.results
        for inner in region.nodes:
            yield from region_results(inner)


class Liveness:
    """When the values of a graph are read.

    Args:
        graph: The graph, its nodes in the order of launches.
        elements: The nodes that are computed element by element.
        kept: The values that are kept in memory.
        groups: The nodes that share kernels; each stands where the last of its group does.
        changes_arguments: Whether the memory of arguments may be taken.
        dying: Values from outside that are not read later: their memory may be reused too.
    """

    def __init__(
        self,
        graph: Graph,
        elements: Collection[Node],
        kept: Collection[Tensor],
        groups: Mapping[Node, FusionGroup],
        changes_arguments: bool,
        dying: Collection[Tensor] = (),
    ) -> None:
        self.elements = elements
        self.kept = kept
        self.end = len(graph.nodes)
        self.numbers: dict[Node, int] = {}
        self.returned: dict[Tensor, list[int]] = {result: [self.end] for result in graph.results}
        for number, node in enumerate(graph.nodes):
            self.numbers[node] = number
            self.numbers.update(dict.fromkeys(nested(node), number))
            for tensor in region_results(node):
                self.returned.setdefault(tensor, []).append(number)
        for node, group in groups.items():
            self.numbers[node] = self.numbers[group.members[-1].node]
        self.own = {result for node in graph.nodes for result in node.results}
        if changes_arguments:
            self.own.update(graph.arguments)
        self.own.update(dying)
        self.given = frozenset(dying) - frozenset(graph.results)
        self.known: dict[Tensor, Mapping[int, int]] = {}

    def readers(self, tensor: Tensor) -> Mapping[int, int]:
        """The numbers of the nodes whose kernels read a value, and how often: once, or more.

        What is not kept is read when that is which is computed from it.
        """
        last_uses = self.known.get(tensor)
        if last_uses is None:
            pending = [tensor]
            while pending:
                last = pending[-1]
                open_ = [operand for operand in self.between(last) if operand not in self.known]
                if open_:
                    pending += open_
                else:
                    self.known[pending.pop()] = self.direct(last)
            last_uses = self.known[tensor]
        return last_uses

    def between(self, tensor: Tensor) -> list[Tensor]:
        """The values that are computed from elements of this one where they are read."""
        return [
            user.results[0]
            for user in tensor.users
            if user in self.elements and user is not None and user.results[0] not in self.kept
        ]

    def direct(self, tensor: Tensor) -> Mapping[int, int]:
        """As ``readers``, where those of the values between are known."""
        uses: dict[int, int] = dict.fromkeys(self.returned.get(tensor, ()), ONCE)
        for user in tensor.users:
            if tensor in self.given and user not in self.numbers:
                continue  # outside, and before
            if user is None:
                continue  # who returns it is known
            number = self.numbers.get(user, self.end)
            read: Mapping[int, int] = {number: ONCE}
            if user in self.elements and user.results[0] not in self.kept:
                read = self.known[user.results[0]]
            for reader, count in read.items():
                uses[reader] = min(uses.get(reader, 0) + count, MANY_TIMES)
        return uses

    def dies(self, tensor: Tensor, node: Node) -> bool:
        """Whether a node, of whose operands it is one, is the last to read a value of the graph."""
        if tensor not in self.own:
            return False
        number, readers = self.numbers[node], self.readers(tensor)
        return max(readers) == number and readers[number] == ONCE

    def ends(self, tensor: Tensor, node: Node) -> bool:
        """Whether nothing reads a value of the graph after a node that has regions."""
        return tensor in self.own and max(self.readers(tensor)) == self.numbers[node]
