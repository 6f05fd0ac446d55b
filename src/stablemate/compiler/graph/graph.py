"""The dataflow graph of a function: calls are inlined, every value has one name.

graph = (argument*) { node* } -> (value*)
node  = value* = operation(value*) { graph* }       regions see the values around them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.definition import definition_of
from stablemate.ir.traits import Family
from stablemate.ir.types import TensorType, Type


class Tensor:
    """A value of the program that is being compiled.

    Attributes:
        type: Its type.
        node: The node that computes it; None for an argument.
        users: The nodes that use it, and None for each time that a graph returns it.
        layout: The dimensions of the program's value, major to minor, if this is another order of
            them; None if it is the program's own.
    """

    __slots__ = ("layout", "node", "number", "type", "users")

    def __init__(self, value_type: Type, node: Node | None, number: int) -> None:
        self.type = value_type
        self.node = node
        self.number = number
        self.users: list[Node | None] = []
        self.layout: tuple[int, ...] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; empty for a value that is not a tensor."""
        return self.type.shape if isinstance(self.type, TensorType) else ()

    @property
    def is_static(self) -> bool:
        """Whether it is a tensor of known sizes, be they symbolic."""
        return isinstance(self.type, TensorType) and self.type.is_static

    @property
    def is_constant(self) -> bool:
        """Whether an operation of the program is this constant."""
        return self.node is not None and self.node.operation.name == "stablehlo.constant"

    @property
    def depends_on_constants(self) -> bool:
        """Whether it is computed from constants alone."""
        pending: list[Tensor] = [self]
        seen: set[Tensor] = {self}
        while pending:
            tensor = pending.pop()
            if tensor.is_constant:
                continue
            node = tensor.node
            if node is None or not node.operands:
                return False
            if node.regions and definition_of(node.operation).family is not Family.REDUCTION:
                return False
            operands = set(node.operands) - seen
            pending += operands
            seen |= operands
        return True

    def __repr__(self) -> str:
        return f"%{self.number}"


@dataclass(eq=False, slots=True)
class Node:
    """One operation of the program.

    Attributes:
        operation: The operation; its fields are those of its class.
        operands: Its operands.
        results: Its results.
        regions: The graphs of its regions.
    """

    operation: Any
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...] = ()
    regions: tuple[Graph, ...] = ()

    def __repr__(self) -> str:
        results = ", ".join(map(repr, self.results))
        return f"{results} = {self.operation.name}({', '.join(map(repr, self.operands))})"


@dataclass(eq=False, slots=True)
class Graph:
    """A function or region."""

    arguments: tuple[Tensor, ...]
    nodes: list[Node] = field(default_factory=list["Node"])
    results: tuple[Tensor, ...] = ()

    def __str__(self) -> str:
        return "\n".join(printed_lines(self, 0))


def printed_lines(graph: Graph, depth: int) -> list[str]:
    """The lines of a printed graph."""
    pad = "  " * depth
    arguments = ", ".join(f"{argument!r}: {argument.type}" for argument in graph.arguments)
    lines = [f"{pad}({arguments}) {{"]
    for node in graph.nodes:
        types = ", ".join(str(result.type) for result in node.results)
        lines.append(f"{pad}  {node!r} : {types}")
        for region in node.regions:
            lines += printed_lines(region, depth + 2)
    lines.append(f"{pad}}} -> {', '.join(map(repr, graph.results))}")
    return lines


def all_nodes(graph: Graph) -> Iterator[Node]:
    """All nodes of a graph and of its regions."""
    for node in graph.nodes:
        yield node
        for region in node.regions:
            yield from all_nodes(region)


def count_uses(graph: Graph) -> Counter[Tensor]:
    """How often each value of a graph and of its regions is an operand or a result."""
    used = list(graph.results)
    for node in all_nodes(graph):
        used += node.operands
        for region in node.regions:
            used += region.results
    return Counter(used)


def count_users(graph: Graph) -> None:
    """Fills in the users of each value."""
    for node in graph.nodes:
        for operand in node.operands:
            operand.users.append(node)
        for region in node.regions:
            count_users(region)
    for result in graph.results:
        result.users.append(None)
