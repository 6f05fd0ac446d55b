"""Kernels of values whose elements are computed one by one."""

from __future__ import annotations

from collections.abc import Container, Sequence

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.lowering.elements import buffer_of, represent_elements
from stablemate.compiler.lowering.representation import Parts


def elementwise(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """One kernel that stores every element of the result."""
    (result,) = node.results
    builder = KernelBuilder(node.operands, kept, vector_bytes)
    output = buffer_of(result, "y")
    index, loops = builder.dimensions(result.shape)
    body = stores(builder.table, result, output, index, builder.elements.at(result, index))
    return [
        builder.build_kernel(name, builder.scheduler.elementwise(loops, body), [(result, output)])
    ]


def stores(
    table: Expressions, tensor: Tensor, buffer: Buffer, index: Sequence[Expression], parts: Parts
) -> list[Statement]:
    """Stores of the parts of an element."""
    kind = represent_elements(tensor)
    if kind.parts == 1:
        return [StoreElement(buffer, table.place(buffer, index), kind.narrow(parts[0]))]
    return [
        StoreElement(buffer, table.place(buffer, (*index, table.sum(i, ()))), part)
        for i, part in enumerate(parts)
    ]
