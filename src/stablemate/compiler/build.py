"""Kernels of single results: the loops of what an operation computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stablemate.compiler.graph import Node, Tensor
from stablemate.compiler.lowering.elements import Elements, represented, splat_of
from stablemate.compiler.lowering.reduction import (
    finished,
    fold_operator,
    folded,
    reduced_dimensions,
    start,
)
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.expressions import Expression, Expressions
from stablemate.compiler.nest.statements import Kernel, Statement, Store
from stablemate.compiler.schedule import Dimension, Reduction, Scheduler


class KernelBuilder:
    """Makes the kernels of a plan."""

    def __init__(self, vector_bytes: int) -> None:
        self.vector_bytes = vector_bytes
        self.count = 0

    def kernel(self, node: Node, kept: Mapping[Tensor, Any]) -> tuple[Kernel, list[Tensor]]:
        """The kernel that computes the result of a node, and the values that it is handed."""
        table = Expressions()
        (result,) = node.results
        inputs = list(needed(node, kept))
        buffers = {each: buffer_of(each, f"x{i}") for i, each in enumerate(inputs)}
        output = buffer_of(result, "y")
        elements = Elements(table, buffers)
        scheduler = Scheduler(table, self.vector_bytes)
        dimensions = [Dimension(scheduler.index(size), size) for size in result.shape]
        index = [each.index if each.extent > 1 else table.sum(0, ()) for each in dimensions]
        loops = [each for each in dimensions if each.extent > 1]
        locals_: list[Buffer] = []
        if fold_operator(node) is not None:
            body, locals_ = reduce_body(elements, node, index, loops, output, scheduler)
        else:
            parts = elements_of(elements, node, index)
            body = scheduler.elementwise(loops, stores(table, result, output, index, parts))
        self.count += 1
        name = f"k{self.count}"
        return Kernel(name, (*buffers.values(), output), body, locals_), [*inputs, result]


def elements_of(elements: Elements, node: Node, index: list[Expression]) -> Any:
    """The element of a node's result."""
    return elements.at(node.results[0], index)


def stores(
    table: Expressions, tensor: Tensor, buffer: Buffer, index: list[Expression], parts: Any
) -> list[Statement]:
    """Stores of the parts of an element."""
    kind = represented(tensor)
    if kind.parts == 1:
        return [Store(buffer, table.place(buffer, index), kind.narrow(parts[0]))]
    return [
        Store(buffer, table.place(buffer, (*index, table.sum(i, ()))), part)
        for i, part in enumerate(parts)
    ]


def reduce_body(
    elements: Elements, node: Node, index: list[Expression], loops: list[Dimension],
    output: Buffer, scheduler: Scheduler,
) -> tuple[list[Statement], list[Buffer]]:  # fmt: skip
    """The loops of a reduction by a monoid."""
    table = elements.table
    shape = node.operands[0].shape
    sizes = [shape[d] for d in reduced_dimensions(node)]
    rows = [Dimension(scheduler.index(size), size) for size in sorted_sizes(node, sizes)]
    place = [each.index if each.extent > 1 else table.sum(0, ()) for each in rows]
    operator = fold_operator(node)
    assert operator is not None
    reduction = Reduction(
        operator,
        represented(node.results[0]).register,
        start(elements, node),
        folded(elements, node, index, place),
        lambda value: [Store(output, table.place(output, index), finished(node, value))],
    )
    return scheduler.reduction(loops, [each for each in rows if each.extent > 1], reduction)


def sorted_sizes(node: Node, sizes: list[int]) -> list[int]:
    """The sizes of the reduced dimensions in the order of the operand."""
    order = sorted(zip(reduced_dimensions(node), sizes, strict=True))
    return [size for _, size in order]


def buffer_of(tensor: Tensor, name: str) -> Buffer:
    """The buffer of a value that is in memory."""
    kind = represented(tensor)
    return Buffer(name, kind.storage, kind.shape(tensor.shape))


def needed(node: Node, kept: Mapping[Tensor, Any]) -> list[Tensor]:
    """The values in memory that the result of a node is computed from, in order."""
    found: dict[Tensor, None] = {}
    seen: set[Tensor] = set()
    pending = list(reversed(node.operands))
    while pending:
        tensor = pending.pop()
        if tensor in seen:
            continue
        seen.add(tensor)
        maker = tensor.node
        if maker is not None and splat_of(maker) is not None:
            continue
        if tensor in kept or maker is None:
            found[tensor] = None
        else:
            pending += reversed(maker.operands)
    return list(found)
