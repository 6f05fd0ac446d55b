"""Replaces a part of a network by a loop over its batch."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.rewrites.batches.rules import BROADCAST, rule_of
from stablemate.compiler.rewrites.batches.segments import BatchSegment, captured_values, segment_of
from stablemate.compiler.rewrites.element_loops import COUNTER, counter_constant, loop_condition
from stablemate.compiler.rewrites.layouts.physical_values import PhysicalOperation
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.ir.attributes import dense_elements
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType


def tile_batch(graph: Graph, near_bytes: int, new_tensor: NewTensor) -> bool:
    """Computes the first part of a network for a few images at a time, where that saves traffic.

    Args:
        graph: The graph.
        near_bytes: The bytes of values that caches keep from one kernel to the next.
        new_tensor: Makes values.

    Returns:
        Whether there is such a part; then dead nodes are left.
    """
    segment = segment_of(graph, near_bytes)
    if segment is None:
        return False
    before, behind = nodes_around(graph, segment)
    expansion = NodeExpansion(segment.nodes[0], new_tensor)
    state = [counter_constant(expansion, 0)]
    for result in segment.results:
        assert isinstance(result.type, TensorType)
        state.append(expansion.zeros(result.type))
    loop = Node(ExpandedOperation("stablehlo.while", segment.nodes[0].operation), tuple(state))
    loop.regions = loop_regions(graph, segment, new_tensor)
    loop.results = (new_tensor(COUNTER, loop), *segment.results)
    for result in segment.results:
        result.node = loop
    graph.nodes = [*before, *expansion.nodes, loop, *behind]
    return True


def nodes_around(graph: Graph, segment: BatchSegment) -> tuple[list[Node], list[Node]]:
    """The other nodes of a graph: those that need no result of the segment, and those that do."""
    inside, needed = set(segment.nodes), set(segment.results)
    before: list[Node] = []
    behind: list[Node] = []
    for node in graph.nodes:
        if node in inside:
            continue
        if needed.isdisjoint(node.operands) and needed.isdisjoint(captured_values(node)):
            before.append(node)
        else:
            behind.append(node)
            needed.update(node.results)
    return before, behind


def loop_regions(graph: Graph, segment: BatchSegment, new_tensor: NewTensor) -> tuple[Graph, Graph]:
    """The condition and the body of the loop; its state is a counter and the results so far."""
    origin = segment.nodes[0]
    types: list[TensorType] = [COUNTER]
    for result in segment.results:
        assert isinstance(result.type, TensorType)
        types.append(result.type)
    first, *filled = arguments = tuple([Tensor(value_type, None, 0) for value_type in types])
    part = PartOfBatch(segment, NodeExpansion(origin, new_tensor), first)
    inside = set(segment.nodes)
    for node in graph.nodes:
        if node in inside:
            part.add(node)
        elif not segment.repeated.isdisjoint(node.results):
            part.add_repeated(node)
    updated = [
        part.update(whole, result) for whole, result in zip(filled, segment.results, strict=True)
    ]
    body = part.expansion
    step = counter_constant(body, segment.images)
    following = body.create(COUNTER, Add, lhs=first, rhs=step)
    condition = loop_condition(origin, new_tensor, types)
    return condition, Graph(arguments, body.nodes, (following, *updated))


class PartOfBatch:
    """The body of the loop: the nodes of a segment for a few images.

    Attributes:
        segment: The segment.
        expansion: The nodes of the body so far.
        first: The number of the first image.
        parts: For each value, that of these images.
    """

    def __init__(self, segment: BatchSegment, expansion: NodeExpansion, first: Tensor) -> None:
        self.segment = segment
        self.expansion = expansion
        self.first = first
        self.parts: dict[Tensor, Tensor] = {}
        for source in segment.sources:
            self.parts[source] = self.images_of(source)

    def images_of(self, source: Tensor) -> Tensor:
        """The images of an argument."""
        part_type = self.part_type(source)
        return self.expansion.create(
            part_type, DynamicSlice, operand=source, start_indices=self.place(source),
            slice_sizes=part_type.shape,
        )  # fmt: skip

    def update(self, whole: Tensor, result: Tensor) -> Tensor:
        """A result for the whole batch, with these images in their place."""
        assert isinstance(whole.type, TensorType)
        return self.expansion.create(
            whole.type, DynamicUpdateSlice, operand=whole, update=self.parts[result],
            start_indices=self.place(whole),
        )  # fmt: skip

    def place(self, value: Tensor) -> list[Tensor]:
        """The indices of the first of these images in a value for the whole batch."""
        zero = counter_constant(self.expansion, 0)
        return [self.first] + [zero] * (len(value.shape) - 1)

    def part_type(self, value: Tensor) -> TensorType:
        """The type of these images of a value."""
        assert isinstance(value.type, TensorType)
        return value.type.with_shape((self.segment.images, *value.shape[1:]))

    def add(self, node: Node) -> None:
        """Adds a node of the segment."""
        has_batch = [operand in self.parts for operand in node.operands]
        rule = rule_of(node)
        fields = None if rule is None else rule(node, has_batch, self.segment.images)
        assert fields is not None
        operation = PhysicalOperation(node.operation, fields) if fields else node.operation
        self.append(node, operation, self.parts)

    def add_repeated(self, node: Node) -> None:
        """Adds a node whose result is the same for all images.

        What is broadcast to all images has no batch, though it may be as long as one.
        """
        splat = splat_of(node)
        if splat is None:
            parts = {} if node.operation.name == BROADCAST else self.parts
            self.append(node, node.operation, parts)
            return
        (result,) = node.results
        part_type = self.part_type(result)
        literal = dense_elements(part_type, splat.reshape(1))
        self.parts[result] = self.expansion.create(part_type, Constant, value=literal)

    def append(
        self, node: Node, operation: Operation | PhysicalOperation, parts: Mapping[Tensor, Tensor]
    ) -> None:
        """Appends a node that computes these images by an operation.

        Args:
            node: The node that computes all images.
            operation: The operation.
            parts: These images of its operands that have a batch.
        """
        operands = [parts.get(operand, operand) for operand in node.operands]
        added = Node(operation, tuple(operands), (), node.regions)
        added.results = tuple([self.new_part(result, added) for result in node.results])
        self.expansion.nodes.append(added)

    def new_part(self, value: Tensor, node: Node) -> Tensor:
        """A new value for these images of another one."""
        part = self.parts[value] = self.expansion.new_tensor(self.part_type(value), node)
        part.layout = value.layout
        return part
