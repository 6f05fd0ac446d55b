"""Keys of kernels that are equal but for the memory they work on (structural equality).

Equal layers of a model are such operations. Their kernels are built once.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from typing import NamedTuple

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.elements import splat_of, written_constant


class KernelKey(NamedTuple):
    """An operation with all that is computed inside its kernels.

    Attributes:
        key: Equal for operations of one form.
        tensors: The values in the order in which the form numbers them: those of two operations
            of one form play the same parts.
        nodes: The operations that its kernels compute, those inside regions aside.
    """

    key: Hashable
    tensors: Sequence[Tensor]
    nodes: Sequence[Node]


def key_of_node(node: Node, kept: Container[Tensor]) -> KernelKey:
    """The form of an operation, down to the values that are kept in memory."""
    walk = KeyBuilder(kept)
    walk.node(node)
    return KernelKey(tuple(walk.rows), list(walk.numbers), walk.nodes)


def key_of_group(group: FusionGroup, kept: Container[Tensor]) -> KernelKey:
    """The form of operations that share a kernel."""
    walk = KeyBuilder(kept)
    for member in group.members:
        walk.node(member.node)
    members = [
        (walk.numbers[member.result], member.form, member.position, member.phase)
        for member in group.members
    ]
    key = (group.shape, group.reduced, *members, *walk.rows)
    return KernelKey(key, list(walk.numbers), walk.nodes)


class KeyBuilder:
    """Numbers values, each behind those it is computed from; a row says what each of them is."""

    def __init__(self, kept: Container[Tensor]) -> None:
        self.kept = kept
        self.numbers: dict[Tensor, int] = {}
        self.rows: list[Hashable] = []
        self.nodes: list[Node] = []
        self.depth = 0  # of regions

    def node(self, node: Node) -> None:
        """Adds an operation and what it computes with."""
        operands = tuple([self.value(operand) for operand in node.operands])
        regions = tuple([self.region(region) for region in node.regions])
        operation = node.operation
        attributes = frozenset(operation.attributes.items())
        results = tuple([(result.type, result in self.kept) for result in node.results])
        if self.depth == 0:
            self.nodes.append(node)
        self.rows.append((operation.name, attributes, operands, regions, results))
        for result in node.results:
            self.numbers[result] = len(self.numbers)

    def region(self, graph: Graph) -> Hashable:
        """Adds the operations of a region, which may use values from outside."""
        for argument in graph.arguments:
            self.numbers[argument] = len(self.numbers)
        self.depth += 1
        for node in graph.nodes:
            self.node(node)
        self.depth -= 1
        types = tuple([argument.type for argument in graph.arguments])
        return types, tuple([self.value(result) for result in graph.results])

    def value(self, tensor: Tensor) -> int:
        """The number of a value; what it is computed from has numbers before it."""
        pending = [tensor]
        while pending:
            last = pending[-1]
            if last in self.numbers:
                pending.pop()
                continue
            sources = () if last.node is None or self.is_opaque(last) else last.node.operands
            unknown = [source for source in sources if source not in self.numbers]
            if unknown:
                pending += reversed(unknown)
                continue
            pending.pop()
            if last.node is None or self.is_opaque(last):
                self.loaded(last)
            else:
                self.node(last.node)
        return self.numbers[tensor]

    def is_opaque(self, tensor: Tensor) -> bool:
        """Whether kernels know no more of a value than its type, and whether it is a constant.

        Constants of few elements are written into kernels, and are found behind broadcasts.
        """
        maker = tensor.node
        if maker is None:
            return True
        looked_through = maker.operation.name == "stablehlo.broadcast_in_dim"
        is_written = splat_of(maker) is not None or written_constant(tensor) is not None
        return tensor in self.kept and not looked_through and not is_written

    def loaded(self, tensor: Tensor) -> None:
        """Adds a value of which only a place in memory is known."""
        maker = tensor.node
        is_constant = maker is not None and maker.operation.name == "stablehlo.constant"
        self.rows.append((tensor.type, is_constant))
        self.numbers[tensor] = len(self.numbers)
