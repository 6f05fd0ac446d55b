"""Expands one operation of the graph into several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import TensorType, Type

NewTensor = Callable[[Type, Node], Tensor]


@dataclass(frozen=True, slots=True)
class ExpandedOperation:
    """A part of an operation, where a node has an operation.

    Attributes:
        name: The operation that it is.
        whole: The one that it is a part of.
    """

    name: str
    whole: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


class Expansion:
    """The nodes that stand in the place of one.

    Attributes:
        nodes: They.
    """

    def __init__(self, whole: Node, new: NewTensor) -> None:
        self.whole = whole
        self.new = new
        self.nodes: list[Node] = []

    def make(self, result_type: TensorType, cls: type[Operation], **fields: Any) -> Tensor:
        """The result of an operation, whose operands are tensors, on the way."""
        node = self.node(result_type, cls, fields)
        node.results = (self.new(result_type, node),)
        self.nodes.append(node)
        return node.results[0]

    def give(self, result: Tensor, cls: type[Operation], **fields: Any) -> None:
        """Lets an operation make a result of the whole."""
        self.own(self.node(result.type, cls, fields), result)

    def add(self, operation: Any, operands: Sequence[Tensor], result: Tensor) -> None:
        """Lets what stands for an operation make a result of the whole."""
        self.own(Node(operation, tuple(operands)), result)

    def unless(
        self, error: Tensor, make: Callable[[Expansion], None], results: Sequence[Tensor]
    ) -> None:
        """Lets other operations make the results, or the whole itself, which says what is wrong.

        Args:
            error: Whether something is.
            make: Makes the results of a node like the whole.
            results: The results of the whole.
        """
        says = Node(self.whole.operation, self.whole.operands)
        says.results = tuple([self.new(result.type, says) for result in results])
        usual = Node(self.whole.operation, self.whole.operands)
        usual.results = tuple([self.new(result.type, usual) for result in results])
        inner = Expansion(usual, self.new)
        make(inner)
        choice = Node(
            ExpandedOperation("stablehlo.if", self.whole.operation), (error,), tuple(results)
        )
        choice.regions = (
            Graph((), [says], says.results),
            Graph((), inner.nodes, usual.results),
        )
        for result in results:
            result.node = choice
        self.nodes.append(choice)

    def region(self, block: Block) -> Graph:
        """The graph of a block that sees its arguments only."""
        tensors: dict[Value[Any], Tensor] = {
            argument: Tensor(argument.type, None, 0) for argument in block.arguments
        }
        graph = Graph(tuple(tensors.values()))
        for operation in block.operations[:-1]:
            node = Node(operation, tuple([tensors[v] for v in operation.operands]))
            node.results = tuple([self.new(v.type, node) for v in operation.results])
            tensors.update(zip(operation.results, node.results, strict=True))
            graph.nodes.append(node)
        graph.results = tuple([tensors[operand] for operand in block.terminator.operands])
        return graph

    def own(self, node: Node, result: Tensor) -> None:
        """Lets a node make a result of the whole."""
        node.results = (result,)
        result.node = node
        self.nodes.append(node)

    def node(self, result_type: Type, cls: type[Operation], fields: dict[str, Any]) -> Node:
        """A node of an operation that stands in no block; its values only have types."""
        operands: list[Tensor] = []

        def stood_for(value: Any) -> Any:
            match value:
                case Tensor():
                    operands.append(value)
                    return Value(value.type)
                case [*several]:
                    return [stood_for(value) for value in several]
                case _:
                    return value

        taken = {name: stood_for(field) for name, field in fields.items()}
        span = self.whole.operation.span
        return Node(create(cls, results=[result_type], span=span, **taken), tuple(operands))
