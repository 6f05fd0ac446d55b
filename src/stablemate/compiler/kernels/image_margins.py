"""Margins of an image: the padding around what another kernel stores."""

from __future__ import annotations

from collections.abc import Container
from functools import reduce

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement, When
from stablemate.compiler.lowering.elements import buffer_of, represent_elements
from stablemate.dialects.stablehlo.pad import Pad


def margins_of_image(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> BuiltKernel:
    """The kernel that writes the padding of an image, and nothing else.

    A line of the image is consecutive in memory: its points with all their features. Threads share
    the lines. One that is padding as a whole is filled; others have margins at both ends.

    Args:
        node: The operation that pads the spatial dimensions of ``(batch, points..., features)``.
        kept: The values in memory.
        vector_bytes: Bytes of a vector.
        name: The name of the kernel.
    """
    operation: Pad = node.operation
    (result,) = node.results
    image, padding = node.operands
    builder = KernelBuilder([padding], kept, vector_bytes)
    output, table = buffer_of(result, "y"), builder.table
    (fill,) = builder.elements.at(padding, ())
    fill = represent_elements(result).narrow(fill)
    *outer, points, features = output.shape
    index, loops = builder.dimensions(outer)
    lows = operation.edge_padding_low
    zero = table.sum(0, ())
    line = table.place(output, (*index, zero, zero))
    bounds: list[Expression] = []
    for number, low, size, padded in zip(index, lows, image.shape, outer, strict=False):
        if size != padded:
            bounds.append(table.apply("sle", table.sum(low, ()), number))
            bounds.append(table.apply("sle", number, table.sum(low + size - 1, ())))

    def fill_points(first: int, last: int) -> list[Statement]:
        place = line + first * features
        return fill_elements(builder, output, place, (last - first) * features, fill)

    begin = lows[-2]
    margins = [*fill_points(0, begin), *fill_points(begin + image.shape[-2], points)]
    body = margins
    if bounds:
        inside = reduce(lambda one, other: one & other, bounds)
        body = [
            When(~inside, fill_points(0, points)),
            *([When(inside, margins)] if margins else []),
        ]
    statements = builder.scheduler.parallel(loops, body)
    return builder.build_kernel(name, statements, [(result, output)])


def fill_elements(
    builder: KernelBuilder, buffer: Buffer, first: Expression, count: int, fill: Expression
) -> list[Statement]:
    """Stores one number at consecutive elements.

    Args:
        builder: Builds the kernel.
        buffer: The memory.
        first: The place of the first element.
        count: How many there are.
        fill: The number.
    """
    if not count:
        return []
    scheduler = builder.scheduler
    width = scheduler.vector_bytes // BYTES[buffer.type]
    while width > count:
        width //= 2
    strip, index, vector = scheduler.strip(count, width)
    vector.body = [StoreElement(buffer, first + index, fill)]
    return [Loop(strip.index, strip.extent, "serial", [vector])]
