"""Updates of some elements of a tensor, in place where the old value is not needed."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, register_builder
from stablemate.compiler.kernels.region_expressions import (
    inline_region,
    is_expression,
    same_elements,
)
from stablemate.compiler.kernels.scatter.histograms import PartialHistograms, partition_count
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement, When
from stablemate.compiler.lowering.dynamic import is_signed, position
from stablemate.compiler.lowering.elements import buffer_of, element_type, represent_elements
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices
from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.indexing import gather_numbers_of_scatter, slice_dims
from stablemate.numerics.elements import IndexType, IntegerType

# Bytes of the vectors in which windows are updated. Rows seldom begin on a cache line: each of the
# longer vectors would be loaded from two lines and stored to two.
LONGEST: Final = 32


def operand_copy_kernel(
    operand: Tensor, result: Tensor, kept: Container[Tensor], vector_bytes: int, name: str
) -> BuiltKernel:
    """The kernel that copies an operand to the result, which updates then change."""
    builder = KernelBuilder((operand,), kept, vector_bytes)
    output = buffer_of(result, "y")
    index, loops = builder.dimensions(result.shape)
    body = stores(builder.table, result, output, index, builder.elements.at(operand, index))
    loops_ = builder.scheduler.elementwise(loops, body)
    return replace(builder.build_kernel(name, loops_, [(result, output)]), moves=(operand, result))


def has_integers(tensors: Sequence[Tensor]) -> bool:
    """Whether all of them hold integers."""
    return all(isinstance(element_type(tensor), IntegerType | IndexType) for tensor in tensors)


@register_builder(
    "stablehlo.dynamic_update_slice",
    admits=lambda node: has_integers(node.operands[2:]),
    inlines=True,
    updates=True,
)
def dynamic_update_slice(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """Stores the update at ``clamp(0, start, shape(operand) - shape(update))``."""
    operand, update, *starts = node.operands
    (result,) = node.results
    copy = operand_copy_kernel(operand, result, kept, vector_bytes, f"{name}_copy")
    if 0 in update.shape:
        return [copy]
    builder = KernelBuilder((update, *starts), kept, vector_bytes)
    output = buffer_of(result, "y")
    index, loops = builder.dimensions(update.shape)
    place = [
        i + position(builder.table, builder.elements.at(start, ())[0], start, operand_size - size)
        for i, start, operand_size, size in zip(
            index, starts, operand.shape, update.shape, strict=True
        )
    ]
    body = stores(builder.table, result, output, place, builder.elements.at(update, index))
    loops_ = builder.scheduler.elementwise(loops, body)
    return [copy, builder.build_kernel(name, loops_, [(result, output)])]


def is_scatter(node: Node) -> bool:
    """Whether updates are combined by elementwise operations, in the inputs' types."""
    n = len(node.results)
    inputs, indices, updates = node.operands[:n], node.operands[n], node.operands[n + 1 :]
    return (
        same_elements(node.regions[0], inputs)
        and [element_type(update) for update in updates]
        == [element_type(tensor) for tensor in inputs]
        and has_integers([indices])
        and is_expression(node.regions[0])
    )


@register_builder("stablehlo.scatter", admits=is_scatter, inlines=True, updates=True)
def scatter(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """Copies of the inputs, and a kernel that makes one update after the other."""
    n = len(node.results)
    build_kernels = [
        operand_copy_kernel(operand, result, kept, vector_bytes, f"{name}_copy{k}")
        for k, (operand, result) in enumerate(zip(node.operands[:n], node.results, strict=True))
    ]
    if 0 in node.operands[n + 1].shape or 0 in node.results[0].shape:
        return build_kernels
    builder = ScatterBuilder(node, kept, vector_bytes)
    if partition_count(node) > 1:
        partitions = PartialHistograms(node, kept, vector_bytes)
        return [
            *build_kernels,
            builder.partitions(partitions, f"{name}_pieces"),
            partitions.sums(name),
        ]
    return [*build_kernels, builder.build_kernel(name)]


class ScatterBuilder:
    """Builds the kernel that makes updates."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int) -> None:
        n = len(node.results)
        self.node = node
        self.indices, self.updates = node.operands[n], node.operands[n + 1 :]
        self.builder = KernelBuilder(node.operands[n:], kept, vector_bytes)
        self.table = self.builder.table
        self.numbers: GatherDimensionNumbers = gather_numbers_of_scatter(
            node.operation.scatter_dimension_numbers
        )
        self.shape = node.results[0].shape
        self.outputs = [buffer_of(result, f"y{k}") for k, result in enumerate(node.results)]

    def build_kernel(self, name: str) -> BuiltKernel:
        """The kernel: loops over index vectors, in them over their windows.

        Where updates have dimensions of windows before others, it makes them in row-major order.
        """
        shape, scheduler = self.updates[0].shape, self.builder.scheduler
        loops = [LoopDimension(scheduler.index(size), size) for size in shape]
        zero = self.table.sum(0, ())
        index = [loop.index if loop.extent > 1 else zero for loop in loops]
        windows = [loops[d] for d in self.numbers.offset_dims if shape[d] > 1]
        batch = [
            loop
            for d, loop in enumerate(loops)
            if d not in self.numbers.offset_dims and shape[d] > 1
        ]
        place, outside, inside = self.place(index)
        if self.is_row_major:
            body, local_buffers = self.windows(
                windows, self.guard(inside, self.changes(index, place))
            )
            body = self.guard(outside, body)
        else:
            single = self.guard([*outside, *inside], self.changes(index, place))
            body, local_buffers = self.at_once(single, zero, 1)
            batch = [loop for loop in loops if loop.extent > 1]
        for dimension in reversed(batch):
            body = [Loop(dimension.index, dimension.extent, "serial", body)]
        memory = list(zip(self.node.results, self.outputs, strict=True))
        return self.builder.build_kernel(name, body, memory, local_buffers)

    @property
    def is_row_major(self) -> bool:
        """Whether windows one after the other are updates in row-major order."""
        shape, windows = self.updates[0].shape, self.numbers.offset_dims
        first = min([d for d in windows if shape[d] > 1], default=len(shape))
        last = max([d for d in range(len(shape)) if d not in windows and shape[d] > 1], default=-1)
        return last < first

    def partitions(self, partitions: PartialHistograms, name: str) -> BuiltKernel:
        """The kernel that applies single updates in partitions, each with memory of its own."""
        scheduler = self.builder.scheduler
        partition = scheduler.index(partitions.partitions)
        loops = [LoopDimension(scheduler.index(size), size) for size in self.updates[0].shape]
        body: list[Statement] = []
        for piece, index in partitions.split(self.builder, partition, loops):
            place, outside, inside = self.place(index)
            (update,) = self.builder.elements.at(self.updates[0], index)
            changes = [partitions.change(self.builder, (piece, *place), update)]
            body += self.guard([*outside, *inside], changes)
        for loop in reversed(loops):
            if loop.extent > 1:
                body = [Loop(loop.index, loop.extent, "serial", body)]
        return partitions.build_kernel(self.builder, partition, body, name)

    def place(
        self, index: Sequence[Expression]
    ) -> tuple[list[Expression], list[Expression], list[Expression]]:
        """The position of an update, with the conditions on the window and on the element."""
        numbers, table = self.numbers, self.table
        zero = table.sum(0, ())
        rows = [i for d, i in enumerate(index) if d not in numbers.offset_dims]
        has_vector = numbers.index_vector_dim < len(self.indices.shape)
        if has_vector:
            rows.insert(numbers.index_vector_dim, zero)
        place = [zero] * len(self.shape)
        kept = slice_dims(numbers, len(self.shape))
        for d, k in zip(kept, numbers.offset_dims, strict=True):
            place[d] = index[k]
        for d, k in zip(
            numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True
        ):
            place[d] = rows[k]
        outside: list[Expression] = []
        inside: list[Expression] = []
        for k, d in enumerate(numbers.start_index_map):
            row = list(rows)
            if has_vector:
                row[numbers.index_vector_dim] = table.sum(k, ())
            start = self.builder.elements.at(self.indices, row)[0]
            signed, size = is_signed(self.indices), table.size(self.shape[d])
            start = table.convert("sext" if signed else "zext", start, "i64")
            moving = bool(terms_of(place[d])[1])
            if moving:
                if not signed:  # else the largest start and what is added could be a small one
                    outside.append(table.apply("ult", start, size))
                start = start + table.number(place[d])
            fits = table.apply("ult", start, size)
            (inside if moving else outside).append(fits)
            place[d] = table.position(start, self.shape[d] - 1)
        return place, outside, inside

    def guard(self, checks: Sequence[Expression], body: Sequence[Statement]) -> list[Statement]:
        """Statements that run where all checks hold."""
        if not checks:
            return list(body)
        condition = checks[0]
        for check in checks[1:]:
            condition = condition & check
        return [When(condition, body)]

    def changes(self, index: Sequence[Expression], place: Sequence[Expression]) -> list[Statement]:
        """The statements that combine one element of each input with its update."""
        table, results = self.table, self.node.results
        old = [
            represent_elements(result).load(table, buffer, place)
            for result, buffer in zip(results, self.outputs, strict=True)
        ]
        new = [self.builder.elements.at(update, index) for update in self.updates]
        values = [
            tuple([represent_elements(tensor).round(part) for part in parts])
            for tensor, parts in zip(
                results, inline_region(table, self.node.regions[0], [*old, *new]), strict=True
            )
        ]
        return [
            store
            for tensor, buffer, parts in zip(results, self.outputs, values, strict=True)
            for store in stores(table, tensor, buffer, place, parts)
        ]

    def windows(
        self, loops: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> tuple[list[Statement], list[Buffer]]:
        """Loops over the elements of a window; the last ones in lanes if they are neighbors."""
        *outer, last = loops or [LoopDimension(self.builder.scheduler.index(1), 1)]
        partitions: list[Statement]
        partitions, local_buffers = self.lanes(last, body)
        for loop in reversed(outer):
            partitions = [Loop(loop.index, loop.extent, "serial", partitions)]
        return partitions, local_buffers

    def lanes(
        self, last: LoopDimension, body: Sequence[Statement]
    ) -> tuple[list[Statement], list[Buffer]]:
        """The loop over the last dimension: full vectors, then single elements."""
        scheduler, count = self.builder.scheduler, len(body)
        flat = [statement for statement in body if isinstance(statement, StoreElement)]
        neighbors = len(flat) == count and all(
            dict(terms_of(store.place)[1]).get(last.atom) == 1 for store in flat
        )
        width = self.width(flat, last.extent) if neighbors else 1
        operand_size, rest = divmod(last.extent, width)
        local_buffers: list[Buffer] = []
        partitions: list[Statement] = []
        for first, steps, lanes in ((0, operand_size, width), (operand_size * width, rest, 1)):
            if not steps:
                continue
            step = scheduler.index(steps)
            lane = scheduler.index(lanes) if lanes > 1 else self.table.sum(0, ())
            replaced = substitute_indices(body, [(last.atom, step * lanes + lane + first)])
            statements, registers = self.at_once(replaced, lane, lanes)
            local_buffers += registers
            vector = Loop(lane, lanes, "vector", statements) if lanes > 1 else None
            partitions.append(Loop(step, steps, "serial", [vector] if vector else statements))
        return partitions, local_buffers

    def width(self, body: Sequence[StoreElement], extent: int) -> int:
        """How many elements of a window a vector has."""
        longest = max(BYTES[store.value.type] for store in body)
        return min(self.builder.scheduler.lanes(body, extent), max(1, LONGEST // longest))

    def at_once(
        self, body: Sequence[Statement], lane: Expression, lanes: int
    ) -> tuple[list[Statement], list[Buffer]]:
        """The statements; if there are several stores, all values are computed before the first."""
        if len(body) == 1 and isinstance(body[0], When):
            inner, registers = self.at_once(body[0].body, lane, lanes)
            return [When(body[0].condition, inner)], registers
        if len(body) < 2:
            return list(body), []
        before: list[Statement] = []
        after: list[Statement] = []
        local_buffers: list[Buffer] = []
        for k, statement in enumerate(body):
            assert isinstance(statement, StoreElement)
            register = Buffer(f"v{k}_{lanes}", statement.value.type, (lanes,), "register")
            local_buffers.append(register)
            before.append(StoreElement(register, lane, statement.value))
            after.append(
                StoreElement(statement.buffer, statement.place, self.table.load_at(register, lane))
            )
        return [*before, *after], local_buffers
