"""Expands one operation of the graph into several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from math import prod
from typing import Any

import numpy as np

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.definition import OperationDefinition, definition_of
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.symbolic_sizes import is_symbolic

NewTensor = Callable[[Type, Node], Tensor]


@dataclass(frozen=True, slots=True)
class ExpandedOperation:
    """An operation that replaces part of another one and has its attributes.

    Attributes:
        name: The name of this operation.
        original: The operation that is expanded.
    """

    name: str
    original: object

    @property
    def definition(self) -> OperationDefinition:
        """The definition of the class of its name; None if only the compiler has the name."""
        cls = OPERATIONS.get(self.name)
        return OperationDefinition(name=self.name) if cls is None else definition_of(cls)

    @property
    def attributes(self) -> Mapping[str, object]:
        """The attributes by which operations differ: of the original, and what a subclass adds."""
        original: Any = self.original
        own = [field.name for field in fields(self)[len(fields(ExpandedOperation)) :]]
        return {**original.attributes, **{name: getattr(self, name) for name in own}}

    def __getattr__(self, name: str) -> object:
        return getattr(self.original, name)


class NodeExpansion:
    """Collects the nodes that replace one node.

    Attributes:
        original: The node that is replaced.
        nodes: The nodes that replace it.
    """

    def __init__(self, original: Node, new_tensor: NewTensor) -> None:
        self.original = original
        self.new_tensor = new_tensor
        self.nodes: list[Node] = []

    def create(self, result_type: TensorType, cls: type[Operation], **fields: object) -> Tensor:
        """Adds an operation and returns its result; fields that are tensors are its operands."""
        node = self.create_node(result_type, cls, fields)
        node.results = (self.new_tensor(result_type, node),)
        self.nodes.append(node)
        return node.results[0]

    def zeros(self, tensor_type: TensorType) -> Tensor:
        """Adds zeros of a type; no literal holds a symbolic size."""
        if is_symbolic(prod(tensor_type.shape)):
            zero = self.zeros(tensor_type.with_shape(()))
            return self.create(tensor_type, BroadcastInDim, operand=zero, broadcast_dimensions=())
        value = dense_elements(tensor_type, np.zeros(1, tensor_type.element_type.dtype))
        return self.create(tensor_type, Constant, value=value)

    def add(
        self,
        operation: Operation | ExpandedOperation,
        operands: Sequence[Tensor],
        result_type: TensorType,
    ) -> Tensor:
        """Adds a node of an operation and returns its result."""
        node = Node(operation, tuple(operands))
        node.results = (self.new_tensor(result_type, node),)
        self.nodes.append(node)
        return node.results[0]

    def create_result(self, result: Tensor, cls: type[Operation], **fields: object) -> None:
        """Adds an operation that computes a result of the original node."""
        self.append(self.create_node(result.type, cls, fields), result)

    def add_result(
        self, operation: Operation | ExpandedOperation, operands: Sequence[Tensor], result: Tensor
    ) -> None:
        """Adds a node of an operation that computes a result of the original node."""
        self.append(Node(operation, tuple(operands)), result)

    def branch_on_error(
        self, error: Tensor, expand: Callable[[NodeExpansion], None], results: Sequence[Tensor]
    ) -> None:
        """Adds a branch: the original node, which reports the error, or its expansion.

        Args:
            error: Whether there is an error.
            expand: Expands a node like the original one.
            results: The results of the original node.
        """
        failing = Node(self.original.operation, self.original.operands)
        failing.results = tuple([self.new_tensor(result.type, failing) for result in results])
        succeeding = Node(self.original.operation, self.original.operands)
        succeeding.results = tuple([self.new_tensor(result.type, succeeding) for result in results])
        inner = NodeExpansion(succeeding, self.new_tensor)
        expand(inner)
        branch = Node(
            ExpandedOperation("stablehlo.if", self.original.operation), (error,), tuple(results)
        )
        branch.regions = (
            Graph((), [failing], failing.results),
            Graph((), inner.nodes, succeeding.results),
        )
        for result in results:
            result.node = branch
        self.nodes.append(branch)

    def build_region(self, block: Block) -> Graph:
        """Builds the graph of a block that uses only its arguments."""
        tensors: dict[Value[TensorType], Tensor] = {
            argument: Tensor(argument.type, None, 0) for argument in block.arguments
        }
        graph = Graph(tuple(tensors.values()))
        for operation in block.operations[:-1]:
            node = Node(operation, tuple([tensors[v] for v in operation.operands]))
            node.results = tuple([self.new_tensor(v.type, node) for v in operation.results])
            tensors.update(zip(operation.results, node.results, strict=True))
            graph.nodes.append(node)
        graph.results = tuple([tensors[operand] for operand in block.terminator.operands])
        return graph

    def append(self, node: Node, result: Tensor) -> None:
        """Appends a node that computes a result of the original node."""
        node.results = (result,)
        result.node = node
        self.nodes.append(node)

    def create_node(self, result_type: Type, cls: type[Operation], fields: dict[str, Any]) -> Node:
        """Creates a node whose operation is in no block; the operation's values have only types."""
        operands: list[Tensor] = []

        def placeholder(value: Any) -> Any:
            match value:
                case Tensor():
                    operands.append(value)
                    return Value(value.type)
                case [*several]:
                    return [placeholder(value) for value in several]
                case _:
                    return value

        arguments = {name: placeholder(field) for name, field in fields.items()}
        original = self.original.operation
        places = {"location": original.location, "span": original.span}
        return Node(create(cls, results=[result_type], **places, **arguments), tuple(operands))
