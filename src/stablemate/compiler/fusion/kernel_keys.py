"""Keys of kernels that differ only in the memory they work on (structural equality).

The layers of a model often have equal keys. Their kernels are built once.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from typing import NamedTuple

from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.elements import splat_of, written_constant


class KernelKey(NamedTuple):
    """The key of an operation with everything that its kernels compute.

    Attributes:
        key: Equal for structurally equal operations.
        tensors: The values in the order of their numbers in the key: those of two operations with
            equal keys correspond.
        nodes: The operations that its kernels compute, except those inside regions.
    """

    key: Hashable
    tensors: Sequence[Tensor]
    nodes: Sequence[Node]


def key_of_node(node: Node, materialized: Container[Tensor]) -> KernelKey:
    """The key of an operation, down to the values that are stored in memory."""
    builder = KeyBuilder(materialized)
    builder.add_node(node)
    return KernelKey(tuple(builder.rows), list(builder.numbers), builder.nodes)


def key_of_group(group: FusionGroup, materialized: Container[Tensor]) -> KernelKey:
    """The key of operations that share a kernel."""
    builder = KeyBuilder(materialized)
    for member in group.members:
        builder.add_node(member.node)
    members = [
        (builder.numbers[member.result], member.form, member.position, member.phase)
        for member in group.members
    ]
    key = (group.shape, group.reduced, *members, *builder.rows)
    return KernelKey(key, list(builder.numbers), builder.nodes)


class KeyBuilder:
    """Numbers values in topological order; a row describes how each of them is computed."""

    def __init__(self, materialized: Container[Tensor]) -> None:
        self.materialized = materialized
        self.numbers: dict[Tensor, int] = {}
        self.rows: list[Hashable] = []
        self.nodes: list[Node] = []
        self.depth = 0  # nesting of regions

    def add_node(self, node: Node) -> None:
        """Adds an operation and the values that it computes with."""
        operands = tuple([self.number_of(operand) for operand in node.operands])
        regions = tuple([self.add_region(region) for region in node.regions])
        operation = node.operation
        attributes = frozenset(operation.attributes.items())
        results = tuple([(result.type, result in self.materialized) for result in node.results])
        if self.depth == 0:
            self.nodes.append(node)
        self.rows.append((operation.name, attributes, operands, regions, results))
        for result in node.results:
            self.numbers[result] = len(self.numbers)

    def add_region(self, graph: Graph) -> Hashable:
        """Adds the operations of a region, which may use values from outside."""
        for argument in graph.arguments:
            self.numbers[argument] = len(self.numbers)
        self.depth += 1
        for node in graph.nodes:
            self.add_node(node)
        self.depth -= 1
        types = tuple([argument.type for argument in graph.arguments])
        return types, tuple([self.number_of(result) for result in graph.results])

    def number_of(self, tensor: Tensor) -> int:
        """The number of a value; the values that it is computed from get lower numbers."""
        pending = [tensor]
        while pending:
            last = pending[-1]
            if last in self.numbers:
                pending.pop()
                continue
            sources = () if last.node is None or self.is_opaque(last) else last.node.operands
            missing = [source for source in sources if source not in self.numbers]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if last.node is None or self.is_opaque(last):
                self.add_loaded(last)
            else:
                self.add_node(last.node)
        return self.numbers[tensor]

    def is_opaque(self, tensor: Tensor) -> bool:
        """Whether kernels know only the type of a value, and whether it is a constant.

        Constants of few elements are written into kernels, also through broadcasts.
        """
        definition = tensor.node
        if definition is None:
            return True
        looked_through = definition.operation.name == "stablehlo.broadcast_in_dim"
        is_literal = splat_of(definition) is not None or written_constant(tensor) is not None
        return tensor in self.materialized and not looked_through and not is_literal

    def add_loaded(self, tensor: Tensor) -> None:
        """Adds a value that kernels load from memory."""
        self.rows.append((tensor.type, tensor.is_constant))
        self.numbers[tensor] = len(self.numbers)
