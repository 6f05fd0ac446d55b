"""Reuse: which launch is the last one to read a value, so that its memory may be taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from stablemate.compiler.graph import Graph, Node, Tensor

ONCE: Final = 1
OFTEN: Final = 2


def nested(node: Node) -> Iterator[Node]:
    """The nodes in the regions of a node."""
    for region in node.regions:
        for each in region.nodes:
            yield each
            yield from nested(each)


class Reuse:
    """When the values of a graph are read.

    Args:
        graph: The graph.
        elements: The nodes that are computed element by element.
        kept: The values that are kept in memory.
        changes_arguments: Whether the memory of arguments may be taken.
    """

    def __init__(
        self,
        graph: Graph,
        elements: Collection[Node],
        kept: Collection[Tensor],
        changes_arguments: bool,
    ) -> None:
        self.elements = elements
        self.kept = kept
        self.end = len(graph.nodes)
        self.numbers: dict[Node, int] = {}
        for number, node in enumerate(graph.nodes):
            self.numbers[node] = number
            self.numbers.update(dict.fromkeys(nested(node), number))
        self.own = {result for node in graph.nodes for result in node.results}
        if changes_arguments:
            self.own.update(graph.arguments)
        self.known: dict[Tensor, Mapping[int, int]] = {}

    def readers(self, tensor: Tensor) -> Mapping[int, int]:
        """The numbers of the nodes whose kernels read a value, and how often: once, or more.

        What is not kept is read when that is which is computed from it.
        """
        found = self.known.get(tensor)
        if found is None:
            pending = [tensor]
            while pending:
                last = pending[-1]
                open_ = [each for each in self.between(last) if each not in self.known]
                if open_:
                    pending += open_
                else:
                    self.known[pending.pop()] = self.direct(last)
            found = self.known[tensor]
        return found

    def between(self, tensor: Tensor) -> list[Tensor]:
        """The values that are computed from elements of this one where they are read."""
        return [
            user.results[0]
            for user in tensor.users
            if user in self.elements and user is not None and user.results[0] not in self.kept
        ]

    def direct(self, tensor: Tensor) -> Mapping[int, int]:
        """As ``readers``, where those of the values between are known."""
        found: dict[int, int] = {}
        for user in tensor.users:
            number = self.end if user is None else self.numbers.get(user, self.end)
            read: Mapping[int, int] = {number: ONCE}
            if user in self.elements and user is not None and user.results[0] not in self.kept:
                read = self.known[user.results[0]]
            for each, count in read.items():
                found[each] = min(found.get(each, 0) + count, OFTEN)
        return found

    def dies(self, tensor: Tensor, node: Node) -> bool:
        """Whether a node, of whose operands it is one, is the last to read a value of the graph."""
        if tensor not in self.own:
            return False
        number, readers = self.numbers[node], self.readers(tensor)
        return max(readers) == number and readers[number] == ONCE
