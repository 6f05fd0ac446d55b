"""The physical tensors of the values of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, Final

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.rewrites.layouts.orders import (
    Order,
    in_order,
    order_between,
    row_major_order,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.indexing import inverse
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.attributes import dense_elements
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import QuantizedType
from stablemate.numerics.symbolic_sizes import is_symbolic

BROADCAST: Final = "stablehlo.broadcast_in_dim"
# Operations whose results have no order: an element is computed, or read from few others.
UNORDERED: Final = frozenset({BROADCAST, "stablehlo.constant", "stablehlo.iota"})


@dataclass(frozen=True, slots=True)
class PhysicalOperation:
    """An operation on physical tensors.

    Attributes:
        original: The operation of the program.
        fields: The fields that differ.
    """

    original: Any
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the operation."""
        name: str = self.original.name
        return name

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Its attributes, and the fields that differ."""
        return {**self.original.attributes, **self.fields}

    @property
    def originals(self) -> Sequence[object]:
        """The operations of the program, which cost as much."""
        originals: Sequence[Any] = getattr(self.original, "originals", (self.original,))
        return originals

    def __getattr__(self, name: str) -> Any:
        return self.fields[name] if name in self.fields else getattr(self.original, name)


class PhysicalValues:
    """The physical tensors of the values of a graph, and its nodes on them.

    Attributes:
        feature_orders: The orders in which convolutions write their results.
        nodes: The nodes on physical tensors, in order.
        stored: The tensor that a value is stored as, and its order, if that is not the value.
        unordered: Values that are computed from unordered ones alone.
        origin: The node that is being computed on physical tensors, for which new ones are made.
    """

    def __init__(self, new_tensor: NewTensor, feature_orders: Collection[Order]) -> None:
        self.new_tensor = new_tensor
        self.feature_orders = feature_orders
        self.nodes: list[Node] = []
        self.stored: dict[Tensor, tuple[Tensor, Order]] = {}
        self.unordered: set[Tensor] = set()
        self.transposed: dict[tuple[Tensor, Order], Tensor] = {}
        self.origin: Node | None = None

    def physical(self, value: Tensor) -> tuple[Tensor, Order]:
        """The tensor that a value is stored as, and its order."""
        return self.stored.get(value) or (value, row_major_order(len(value.shape)))

    def logical(self, value: Tensor) -> Tensor:
        """A value in row-major order."""
        return self.arrange(value, row_major_order(len(value.shape)))

    def arrange(self, value: Tensor, order: Order) -> Tensor:
        """A value in an order; it is transposed if it is stored in another one."""
        tensor, source = self.physical(value)
        if source == order:
            return tensor
        if (value, order) not in self.transposed:
            self.transposed[value, order] = self.reorder(value, order)
        return self.transposed[value, order]

    def reorder(self, value: Tensor, order: Order) -> Tensor:
        """A value in an order, by a new operation."""
        tensor, source = self.physical(value)
        value_type, definition = value.type, value.node
        assert isinstance(value_type, TensorType)
        physical_type = type_in_order(value_type, order)
        splat = None if definition is None else splat_of(definition)
        if splat is not None:
            literal = dense_elements(physical_type, splat.reshape(1))
            return self.create(value, physical_type, Constant, value=literal)
        if definition is not None and definition.operation.name == BROADCAST:
            return self.broadcast(definition, physical_type, order)
        if value in self.unordered and definition is not None and not definition.regions:
            return self.recompute(definition, order)
        return self.transpose(value, tensor, order_between(source, order), order)

    def transpose(
        self, value: Tensor, tensor: Tensor, permutation: Sequence[int], order: Order
    ) -> Tensor:
        """A tensor that is transposed to a value in an order."""
        assert isinstance(value.type, TensorType)
        physical_type = type_in_order(value.type, order)
        return self.create(
            value, physical_type, Transpose, operand=tensor, permutation=tuple(permutation)
        )

    def features_beside(self, dimension: int, rank: int) -> Order | None:
        """The order of the results of a convolution whose features are a dimension; None if none.

        Args:
            dimension: The dimension of features.
            rank: How many dimensions there are.
        """
        orders = [order for order in self.feature_orders if len(order) == rank]
        return next((order for order in sorted(orders) if order[-1] == dimension), None)

    def recompute(self, node: Node, order: Order) -> Tensor:
        """The result of an elementwise operation on unordered values, computed in an order."""
        value, stored = node.results[0], self.stored.copy()
        operands = [
            self.arrange(operand, order) if operand.shape == value.shape else self.logical(operand)
            for operand in node.operands
        ]
        self.define(node, node.operation, operands, order)
        result, _ = self.stored[value]
        self.stored = stored
        return result

    def broadcast(self, node: Node, physical_type: TensorType, order: Order) -> Tensor:
        """The result of a broadcast in an order."""
        tensor, source = self.physical(node.operands[0])
        dimensions: Sequence[int] = node.operation.broadcast_dimensions
        positions = inverse(order)
        return self.create(
            node.results[0], physical_type, BroadcastInDim, operand=tensor,
            broadcast_dimensions=tuple([positions[dimensions[d]] for d in source]),
        )  # fmt: skip

    def create(
        self, place: Tensor, physical_type: TensorType, cls: type[Operation], **fields: object
    ) -> Tensor:
        """The result of a new operation, in the place of a value."""
        origin = place.node or self.origin
        assert origin is not None
        expansion = NodeExpansion(origin, self.new_tensor)
        result = expansion.create(physical_type, cls, **fields)
        self.nodes += expansion.nodes
        return result

    def preferred_order(self, values: Sequence[Tensor]) -> Order | None:
        """The order in which most elements of some values are stored; None if it is row-major."""
        elements: Counter[Order] = Counter()
        for value in values:
            if not self.is_unordered(value):
                elements[self.physical(value)[1]] += elements_of(value)
        if not elements:
            return None
        row_major = row_major_order(len(values[0].shape))
        order = max(elements, key=lambda order: (elements[order], order != row_major))
        return None if order == row_major else order

    def is_unordered(self, value: Tensor) -> bool:
        """Whether elements of a value are as cheap in any order."""
        node = value.node
        return value in self.unordered or (node is not None and node.operation.name in UNORDERED)

    def define(
        self,
        node: Node,
        operation: Operation | PhysicalOperation,
        operands: Sequence[Tensor],
        order: Order,
    ) -> None:
        """Adds a node on physical tensors, whose results have an order."""
        physical = Node(operation, tuple(operands), (), node.regions)
        results: list[Tensor] = []
        for value in node.results:
            assert isinstance(value.type, TensorType)
            tensor = self.new_tensor(type_in_order(value.type, order), physical)
            tensor.layout = None if order == row_major_order(len(order)) else order
            self.stored[value] = tensor, order
            results.append(tensor)
        physical.results = tuple(results)
        self.nodes.append(physical)

    def keep(self, node: Node) -> None:
        """Adds a node on values in row-major order."""
        node.operands = tuple(map(self.logical, node.operands))
        self.nodes.append(node)


def type_in_order(value_type: TensorType, order: Order) -> TensorType:
    """The type of a value whose dimensions are stored in an order."""
    physical = value_type.with_shape(in_order(value_type.shape, order))
    element = value_type.element_type
    if not isinstance(element, QuantizedType) or element.quantization_dimension is None:
        return physical
    dimension = order.index(element.quantization_dimension)
    return physical.with_element(replace(element, quantization_dimension=dimension))


def elements_of(value: Tensor) -> int:
    """The elements of a value, as far as its sizes are numbers."""
    return prod([size for size in value.shape if not is_symbolic(size)])
