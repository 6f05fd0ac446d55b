"""Regions: what is computed from scores, element by element, as graphs of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Final

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.attention.operation import DimensionMap
from stablemate.compiler.loops.buffers import row_major
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.lowering.elements import KernelElements, buffer_of, splat_of
from stablemate.compiler.lowering.representation import representation
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.compiler.schedule.schedule import subexpressions
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.types import TensorType

# It bounds the time of the search.
MOST_NODES: Final = 1024  # of a region


@dataclass(slots=True)
class RegionBuilder:
    """Copies what is computed from a value into a region.

    Attributes:
        new_tensor: Makes values.
        fewest: Values of so many elements are computed in the region, others are read.
        replaced: Nodes whose result is taken for one of their operands.
        leaves: Values from outside that the region reads.
        inner: The nodes of the graph that compute values from the argument.
        copies: The value of the latest region that is a copy of a value of the graph.
    """

    new_tensor: NewTensor
    fewest: int
    replaced: Mapping[Tensor, Tensor] = field(default_factory=dict[Tensor, Tensor])
    leaves: dict[Tensor, None] = field(default_factory=dict[Tensor, None])
    inner: dict[Node, None] = field(default_factory=dict[Node, None])
    copies: dict[Tensor, Tensor] = field(default_factory=dict[Tensor, Tensor])

    def region(self, arguments: Sequence[Tensor], *results: Tensor) -> Graph | None:
        """The region that computes values from others; None if it is too large."""
        copies = {argument: Tensor(argument.type, None, argument.number) for argument in arguments}
        self.copies = copies
        graph, depends = Graph(tuple(copies.values())), set(arguments)
        pending = list(results)
        while pending:
            last = pending[-1]
            original = self.replaced.get(last)
            if last in copies:
                pending.pop()
            elif original is not None and original not in copies:
                pending.append(original)
            elif original is not None:
                copies[last] = copies[original]
                self.mark(last.node, original in depends, depends)
            elif not self.is_computed(last):
                copies[last] = last
                self.leaves[last] = None
            elif missing := [o for o in operands_of(last) if o not in copies]:
                pending += missing
            elif len(graph.nodes) >= MOST_NODES:
                return None
            else:
                graph.nodes.append(self.copy_node(last, copies))
                is_inner = any(operand in depends for operand in operands_of(last))
                self.mark(last.node, is_inner, depends)
        graph.results = tuple([copies[result] for result in results])
        return graph

    def mark(self, node: Node | None, is_inner: bool, depends: set[Tensor]) -> None:
        """Notes that a node computes a value from the argument."""
        if is_inner and node is not None:
            self.inner[node] = None
            depends.update(node.results)

    def copy_node(self, tensor: Tensor, copies: dict[Tensor, Tensor]) -> Node:
        """A copy of the node of a value, with copied operands."""
        assert tensor.node is not None
        node = Node(tensor.node.operation, tuple([copies[o] for o in tensor.node.operands]))
        node.results = (self.new_tensor(tensor.type, node),)
        copies[tensor] = node.results[0]
        return node

    def is_computed(self, tensor: Tensor) -> bool:
        """Whether a value is computed in the region."""
        node = tensor.node
        if node is None:
            return False
        return splat_of(node) is not None or (
            prod(tensor.shape) >= self.fewest and is_elementwise(node)
        )


def operands_of(tensor: Tensor) -> tuple[Tensor, ...]:
    """The operands of the node of a value."""
    return () if tensor.node is None else tensor.node.operands


def is_elementwise(node: Node) -> bool:
    """Whether each element of a node's result is an expression of elements of operands."""
    lowering = LOWERINGS.get(node.operation.name)
    if lowering is None or len(node.results) != 1:
        return False
    return all(map(is_native, (*node.operands, *node.results))) and lowering.admits(node)


def is_native(tensor: Tensor) -> bool:
    """Whether this is a tensor of known sizes whose elements native code computes with."""
    return (
        isinstance(tensor.type, TensorType)
        and tensor.type.is_static
        and representation(tensor.type.element_type) is not None
    )


def read_places(
    table: Expressions,
    target: Tensor,
    index: Sequence[Expression],
    source: Tensor,
    leaves: Collection[Tensor] = (),
) -> list[Expression]:
    """The places of a value that an element of another one is computed from, in row-major order."""
    buffer = buffer_of(source, "source")
    buffers = {leaf: buffer_of(leaf, f"x{i}") for i, leaf in enumerate(leaves)}
    elements = KernelElements(table, {**buffers, source: buffer})
    parts = elements.at(target, index)
    loads = [e for e in subexpressions(parts) if e.operator == "load" and e.detail is buffer]
    return [load.operands[0] for load in loads]


def index_of(table: Expressions, shape: Sequence[int]) -> list[Expression]:
    """An index of its own for each dimension of a shape; 0 where the size is 1."""
    return [
        table.loop_index(f"d{d}", size) if size > 1 else table.sum(0, ())
        for d, size in enumerate(shape)
    ]


def layout_of(
    target: Tensor, source: Tensor, leaves: Collection[Tensor] = ()
) -> DimensionMap | None:
    """The layout of a value in another one, of which it reads each element once; else None."""
    table = Expressions()
    index = index_of(table, target.shape)
    places = read_places(table, target, index, source, leaves)
    if len(places) != 1 or prod(target.shape) != prod(source.shape):
        return None
    return layout_at(places[0], index, target.shape)


def layout_at(
    place: Expression, index: Sequence[Expression], shape: Sequence[int]
) -> DimensionMap | None:
    """The layout by which the place of an element is computed from its index."""
    constant, strides = merged_terms(place)
    layout = DimensionMap(
        tuple(shape),
        tuple([
            strides.pop(terms_of(position)[1][0][0], 0) if size > 1 else 0
            for position, size in zip(index, shape, strict=True)
        ]),
    )  # fmt: skip
    if constant or strides or not numbers_all(layout):
        return None
    return layout


def merged_terms(place: Expression) -> tuple[int, dict[Expression, int]]:
    """The constant and the terms of a place; quotients and remainders of one index are merged.

    ``x // d * (d * c) + x % d * c`` is ``x * c``.
    """
    constant, first = terms_of(place)
    terms = dict(first)
    pending = [atom for atom in terms if atom.operator == "remainder"]
    while pending:
        remainder = pending.pop()
        (dividend,), divisor = remainder.operands, remainder.detail
        whole = place.table.quotient(dividend, divisor)
        more, quotients = terms_of(whole)
        step = terms.get(remainder, 0) * divisor
        if not step or more or any(terms.get(atom) != c * step for atom, c in quotients):
            continue
        coefficient = terms.pop(remainder)
        for atom, _ in quotients:
            del terms[atom]
        more, parts = terms_of(dividend)
        constant += more * coefficient
        for atom, c in parts:
            terms[atom] = terms.get(atom, 0) + c * coefficient
            if atom.operator == "remainder":
                pending.append(atom)
    return constant, terms


def numbers_all(layout: DimensionMap) -> bool:
    """Whether a layout gives each element one number."""
    pairs = sorted(
        (stride, size)
        for stride, size in zip(layout.strides, layout.shape, strict=True)
        if size > 1
    )
    following = 1
    for stride, size in pairs:
        if stride != following:
            return False
        following *= size
    return True


def compose_layouts(outer: DimensionMap, inner: DimensionMap) -> DimensionMap | None:
    """The layout in C of a value that has one in B, given that of B in C."""
    table = Expressions()
    index = index_of(table, outer.shape)
    number = table.weighted_sum(0, zip(index, outer.strides, strict=True))
    middle = plain_layout(inner.shape).index(table, number)
    place = table.weighted_sum(0, zip(middle, inner.strides, strict=True))
    return layout_at(place, index, outer.shape)


def plain_layout(shape: Sequence[int]) -> DimensionMap:
    """The layout of a value in itself."""
    return DimensionMap(tuple(shape), row_major(shape))
