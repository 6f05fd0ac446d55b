"""Reductions of windows, and selections in them."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from math import prod
from typing import Any, Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.kernels.reduction.monoids import MONOIDS
from stablemate.compiler.kernels.reduction.ordered_reductions import (
    Combine,
    ReductionRegisters,
    combination,
    is_ordered_reduction,
    reduced_operand,
    store_results,
)
from stablemate.compiler.kernels.reduction.prefix_reductions import prefix_kernel, prefixes_of
from stablemate.compiler.kernels.region_expressions import (
    inline_region,
    is_expression,
    same_elements,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, When
from stablemate.compiler.lowering.elements import (
    buffer_of,
    element_type,
    represent_elements,
)
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.movement import pad_element, padded_place
from stablemate.compiler.lowering.representation import Parts
from stablemate.dialects.stablehlo.reducers import monoid
from stablemate.numerics.symbolic_sizes import surely_at_most

IDEMPOTENT: Final = ("maximum", "minimum", "and", "or")


def combination_of(builder: KernelBuilder, node: Node) -> Combine:
    """The region of a node; sums and products of narrow floats are rounded at their end only."""
    name = monoid(node.operation.regions[0])
    if name in ("add", "multiply") and category(element_type(node.operands[0])) == "float":
        operator = MONOIDS[name]["float"]
        return lambda old, new: [(builder.table.apply(operator, old[0][0], new[0][0]),)]
    return combination(builder, node)


@register_builder("stablehlo.reduce_window", admits=is_ordered_reduction)
def reduce_window(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """A kernel that reduces windows, after one that pads if padding is needed."""
    prefixes = prefixes_of(node)
    if prefixes is not None:
        builder = KernelBuilder(node.operands, kept, vector_bytes)
        return [prefix_kernel(node, prefixes, combination_of(builder, node), builder, name)]
    return WindowBuilder(node, kept, vector_bytes, name).build_kernels()


class WindowBuilder:
    """Builds the kernels of one operation on windows."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> None:
        self.node = node
        self.kept = kept
        self.vector_bytes = vector_bytes
        self.name = name
        self.windows: Any = node.operation.windows
        n = len(node.results)
        self.inputs, self.inits = node.operands[:n], node.operands[n:]
        self.shape = self.inputs[0].shape
        self.lows = [low for low, _ in self.windows.padding]
        self.padded_shape = [
            max(low + (size - 1) * step + 1 + high, 0) if size else max(low + high, 0)
            for size, step, (low, high) in zip(
                self.shape, self.windows.base_dilations, self.windows.padding, strict=True
            )
        ]

    @property
    def is_padded(self) -> bool:
        """Whether windows see anything but the inputs' elements in order."""
        return self.padded_shape != list(self.shape) or any(self.lows)

    @property
    def repeats_edges(self) -> bool:
        """Whether the nearest element may stand for padding: it is in the same window.

        A maximum does not change if an element is repeated, and its initial value, which is
        padding, is an element of each window anyway. The innermost dimension has no padding.
        """
        windows = self.windows
        spread = (*windows.base_dilations, *windows.window_dilations)
        pairs = zip(windows.padding, windows.sizes, strict=True)
        return (
            monoid(self.node.operation.regions[0]) in IDEMPOTENT
            and set(spread) == {1}
            and all(max(edges) < size for edges, size in pairs)
            and all(surely_at_most(1, size) for size in self.shape)
            and tuple(windows.padding[-1]) == (0, 0)
        )

    def build_kernels(self) -> list[BuiltKernel]:
        """Builds the kernel that reduces, behind one that pads if there is padding."""
        if not self.is_padded or self.repeats_edges:
            builder = KernelBuilder(self.node.operands, self.kept, self.vector_bytes)
            table = builder.table

            def direct(k: int, place: Sequence[Expression]) -> Parts:
                rows = zip(place, self.lows, self.shape, strict=True)
                inside = [table.clamp(p - low, size - 1) for p, low, size in rows]
                return builder.elements.at(self.inputs[k], inside if self.is_padded else place)

            return [self.reduction_kernel(builder, direct, [])]
        before: list[BuiltKernel] = []
        memory: list[tuple[Tensor | Scratch, Buffer]] = []
        for k, tensor in enumerate(self.inputs):
            kind = represent_elements(tensor)
            buffer = Buffer(f"p{k}", kind.storage, kind.shape(self.padded_shape))
            scratch = Scratch(buffer.elements * BYTES[kind.storage])
            before.append(self.pads(k, scratch, buffer))
            memory.append((scratch, buffer))
        reader = KernelBuilder(self.inits, self.kept, self.vector_bytes)

        def element(k: int, place: Sequence[Expression]) -> Parts:
            return represent_elements(self.inputs[k]).load(reader.table, memory[k][1], place)

        return [*before, self.reduction_kernel(reader, element, memory)]

    def pads(self, k: int, scratch: Scratch, buffer: Buffer) -> BuiltKernel:
        """The kernel that copies an input with its padding."""
        tensor, init = self.inputs[k], self.inits[k]
        builder = KernelBuilder((tensor, init), self.kept, self.vector_bytes)
        index, loops = builder.dimensions(self.padded_shape)
        fill = builder.elements.at(init, ())
        steps = self.windows.base_dilations
        value = pad_element(builder.elements, tensor, fill, index, self.lows, steps)
        body = stores(builder.table, tensor, buffer, index, value)
        loops_ = builder.scheduler.elementwise(loops, body)
        return builder.build_kernel(f"{self.name}_pad{k}", loops_, [(scratch, buffer)])

    def reduction_kernel(
        self,
        builder: KernelBuilder,
        element: Callable[[int, Sequence[Expression]], Parts],
        read: Sequence[tuple[Tensor | Scratch, Buffer]],
    ) -> BuiltKernel:
        """Builds the kernel that reduces each window, reading elements by ``read``."""
        node, windows = self.node, self.windows
        outputs = [buffer_of(result, f"y{i}") for i, result in enumerate(node.results)]
        index, loops = builder.dimensions(node.results[0].shape)
        inside, steps = builder.dimensions(windows.sizes)
        place = [
            i * stride + j * dilation
            for i, j, stride, dilation in zip(
                index, inside, windows.strides, windows.window_dilations, strict=True
            )
        ]
        start = [builder.elements.at(init, ()) for init in self.inits]
        registers = ReductionRegisters(builder.scheduler, start)
        new = [element(k, place) for k in range(len(self.inputs))]
        each_step = registers.assign(combination_of(builder, node)(registers.values, new))
        end = store_results(builder, node.results, outputs, index, registers.values)
        bodies = (registers.start(start), each_step, end)
        statements = reduced_operand(builder.scheduler, loops, steps, registers, bodies)
        memory = [*read]
        memory += zip(node.results, outputs, strict=True)
        return builder.build_kernel(self.name, statements, memory, registers.buffers)


def selects(node: Node) -> bool:
    """Whether one region looks at the operand's elements, and one combines those of the source."""
    operand, source, init = node.operands
    select, scatter = node.regions
    both = [element_type(operand)] * 2
    return (
        [element_type(argument) for argument in select.arguments] == both
        and element_type(source) == element_type(init) == element_type(node.results[0])
        and same_elements(scatter, [source])
        and is_expression(select)
        and is_expression(scatter)
        and prod(operand.shape) > 0
    )


@register_builder("stablehlo.select_and_scatter", admits=selects)
def select_and_scatter(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """A kernel that fills the result, and one that adds to the selected elements, in order."""
    (result,) = node.results
    operand, source, init = node.operands
    filler = KernelBuilder((init,), kept, vector_bytes)
    output = buffer_of(result, "y")
    index, loops = filler.dimensions(result.shape)
    body = stores(filler.table, result, output, index, filler.elements.at(init, ()))
    fill = filler.build_kernel(
        f"{name}_fill", filler.scheduler.elementwise(loops, body), [(result, output)]
    )
    if 0 in source.shape:
        return [fill]
    builder = KernelBuilder((operand, source), kept, vector_bytes)
    return [fill, builder.build_kernel(name, *select_and_scatter_loops(node, builder))]


def select_and_scatter_loops(
    node: Node, builder: KernelBuilder
) -> tuple[list[Statement], list[tuple[Tensor | Scratch, Buffer]], list[Buffer]]:
    """The loops over windows: each selects an element, and adds to the result there."""
    operand, source, _ = node.operands
    select, scatter = node.regions
    windows, table = node.operation.windows, builder.table
    index, loops = builder.dimensions(source.shape)
    offsets, steps = builder.dimensions(windows.sizes)
    ones = [1] * len(index)
    lows = [low for low, _ in windows.padding]
    place = [i * stride + j for i, j, stride in zip(index, offsets, windows.strides, strict=True)]
    where, inside = padded_place(table, operand.shape, place, lows, ones)
    element = builder.elements.at(operand, where)
    number = table.number(flat(builder, operand.shape, where))
    zero = table.bits(0, "i64")
    best: list[Parts] = [tuple([table.bits(0, number.type) for number in element]), (zero - 1,)]
    registers = ReductionRegisters(builder.scheduler, best)
    old, (old_index,) = registers.values
    (chosen,) = inline_region(table, select, [old, element])
    none = table.apply("slt", old_index, zero)
    stays = table.apply("select", none, table.bits(0, "i1"), chosen[0])
    takes = table.apply("select", stays, table.bits(0, "i1"), inside)
    new = [
        tuple([table.apply("select", takes, *pair) for pair in zip(element, old, strict=True)]),
        (table.apply("select", takes, number, old_index),),
    ]
    (target,) = registers.values[1]
    spot = table.position(target, prod(operand.shape) - 1)
    kind = represent_elements(source)
    buffer = Buffer("y", kind.storage, kind.shape((prod(operand.shape),)))
    (sum_,) = inline_region(
        table, scatter, [kind.load(table, buffer, [spot]), builder.elements.at(source, index)]
    )
    rounded = tuple([kind.round(number) for number in sum_])
    body: list[Statement] = []
    for step in reversed(steps):
        body = [Loop(step.index, step.extent, "serial", body or registers.assign(new))]
    body = [
        *registers.start(best),
        *(body or registers.assign(new)),
        When(
            table.apply("sle", zero, target),
            stores(table, node.results[0], buffer, [spot], rounded),
        ),
    ]
    for step in reversed(loops):
        body = [Loop(step.index, step.extent, "serial", body)]
    fixed = registers.at_first(body)
    return fixed, [(node.results[0], buffer)], registers.buffers


def flat(builder: KernelBuilder, shape: Sequence[int], index: Sequence[Expression]) -> Expression:
    """The row-major number of an index."""
    total = builder.table.sum(0, ())
    for i, size in zip(index, shape, strict=True):
        total = total * size + i
    return total
