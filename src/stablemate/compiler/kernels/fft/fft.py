"""Fourier transforms of rows, as many rows at a time as a vector has lanes.

Rows are transposed into memory close at hand, one vector for the same element of all of them; there
passes transform them. A real row of 2n numbers is a complex one of n, and a last (an inverse: a
first) pass. Other dimensions than the last one need no transposition: neighbors are in lanes.

Source: Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import pairwise
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.fft.bluestein import (
    ConvolutionPasses,
    convolution_points,
    passes_length,
)
from stablemate.compiler.kernels.fft.butterflies import (
    Number,
    conjugate,
    minus,
    plus,
    quarter,
    swap_parts,
    times,
    times_conjugate,
    turned_back,
)
from stablemate.compiler.kernels.fft.stages import TransformStage, stages_of
from stablemate.compiler.kernels.fft.stockham import StockhamPasses, unit_roots
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    ConstantTable,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.lowering.elements import (
    buffer_of,
    constant_parts,
    represent_elements,
    splat_of,
)
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.schedule import LoopScheduler, substitute_indices
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import FftType

# ``python -m benchmarks.fft`` measures what these trade, beside XLA (benchmarks/results/fft.md).
MOST: Final = (1 << 19) + (
    1 << 10
)  # bytes of the elements of all rows that are transformed at a time
SIDE: Final = 16  # bytes that vectors are made of: what is exchanged among them costs least
MOST_BETWEEN: Final = 1 << 17  # bytes of what one of two transforms leaves for the other
LEAST_PARTS: Final = 8  # of an array, each of which two transforms work on
LEAST_LANES: Final = 4  # rows that are transformed at a time at least, where there are so many


def bytes_of(stage: TransformStage, register: str) -> int:
    """The bytes of the numbers of one row while it is transformed."""
    return 2 * (passes_length(stage.count) + stage.is_real) * BYTES[register]


def lanes(stage: TransformStage, register: str, vector_bytes: int) -> int:
    """How many rows are transformed at a time."""
    width = vector_bytes // BYTES[register]
    most = stage.inner if stage.inner > 1 else stage.outer
    while width > most or bytes_of(stage, register) * width > MOST:
        width //= 2
    return width


def is_known(node: Node) -> bool:
    """Whether rows are short enough."""
    if prod(node.results[0].shape) == 0:
        return False
    register = represent_elements(node.operands[0]).storage
    return all(bytes_of(stage, register) * LEAST_LANES <= MOST for stage in stages_of(node))


@register_builder("stablehlo.fft", admits=is_known)
def fft(node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> Sequence[BuiltKernel]:
    """A kernel for each dimension; between them, numbers are in scratch memory in turn."""
    groups = groups_of(stages_of(node), represent_elements(node.operands[0]).storage)
    (operand,), (result,) = node.operands, node.results
    register = represent_elements(operand).storage
    values: list[Tensor | Scratch] = [operand, *between(groups, register, vector_bytes, result)]
    kernels: list[BuiltKernel] = []
    for number, group in enumerate(groups):
        inputs = node.operands if number == 0 else ()
        builder = KernelBuilder(inputs, kept, vector_bytes)
        source, target = [
            Buffer(text, register, (elements,))
            if isinstance(value, Scratch)
            else builder.buffers.get(value) or buffer_of(value, text)
            for text, value, elements in (
                ("a", values[number], group[0].elements(result=False)),
                ("y", values[number + 1], group[-1].elements(result=True)),
            )
        ]
        memory: list[tuple[Tensor | Scratch | ConstantTable, Buffer]] = [
            (values[number + 1], target)
        ]
        if values[number] is values[number + 1]:
            source = target
        elif number:
            memory.insert(0, (values[number], source))
        kernel_name = name if number == 0 else f"{name}_{number}"
        splat = None if number else splat_parts(operand, builder.table)
        write = GroupWriter(builder, splat or source, target, vector_bytes)
        kernels.append(write.kernel(group, kernel_name, memory))
    return kernels


def splat_parts(tensor: Tensor, table: Expressions) -> SplatParts | None:
    """The parts of the number that all numbers of a constant are; None if they differ."""
    splat = None if tensor.node is None else splat_of(tensor.node)
    if splat is None:
        return None
    return SplatParts(constant_parts(table, represent_elements(tensor), splat))


def between(
    groups: Sequence[Sequence[TransformStage]], register: str, vector_bytes: int, result: Tensor
) -> list[Tensor | Scratch]:
    """The target of each kernel: scratch in turn; the result where the others are in place."""
    scratch = [Scratch(groups[0][-1].elements(result=True) * BYTES[register]) for _ in range(2)]
    values: list[Tensor | Scratch] = [result]
    for number in range(len(groups) - 1, 0, -1):
        is_last = values[0] is result and is_in_place(groups[number], register, vector_bytes)
        values.insert(0, result if is_last else scratch[number % 2])
    return values


def is_in_place(group: Sequence[TransformStage], register: str, vector_bytes: int) -> bool:
    """Whether a kernel may write where it reads: no column is read after it was written."""
    *others, stage = group
    return (
        not others and not stage.is_real and stage.inner % lanes(stage, register, vector_bytes) == 0
    )


def groups_of(stages: Sequence[TransformStage], register: str) -> list[list[TransformStage]]:
    """Stages by kernels: two where the one works on what the other has just written.

    These are a transform of rows and one of the dimension before it, if a part of the array that
    holds whole rows and columns fits into a cache, and there are enough parts for all threads.
    """
    groups = [[stage] for stage in stages]
    for first, second in pairwise(range(len(stages))):
        pair = [stages[first], stages[second]]
        if min(stage.inner for stage in pair) == 1 and are_near(pair, register):
            groups[first : second + 1] = [pair]
            break
    return groups


def are_near(pair: Sequence[TransformStage], register: str) -> bool:
    """Whether a part of the array is small enough for two stages at a time."""
    parts = min(stage.outer for stage in pair)
    if parts < LEAST_PARTS:
        return False
    between = pair[0].elements(result=True) // parts * BYTES[register]
    return between <= MOST_BETWEEN and all(
        bytes_of(stage, register) * SIDE <= MOST_BETWEEN for stage in pair
    )


@dataclass(frozen=True, slots=True)
class GroupWriter:
    """Writes the kernel of one or two stages.

    Attributes:
        builder: Builds it.
        source: What the first stage reads: memory, or a number that is in none.
        target: What the last one writes.
        vector_bytes: The width of vectors.
    """

    builder: KernelBuilder
    source: Buffer | SplatParts
    target: Buffer
    vector_bytes: int

    def kernel(
        self,
        group: Sequence[TransformStage],
        name: str,
        memory: Sequence[tuple[Tensor | Scratch | ConstantTable, Buffer]],
    ) -> BuiltKernel:
        """The kernel.

        Args:
            group: The stages.
            name: Its name.
            memory: The memory that it reads and writes, with its buffers.
        """
        transforms, body = self.together(group) if len(group) > 1 else self.single_stage(*group)
        points = [(ConstantTable(each.passes.values), each.passes.points) for each in transforms]
        local_buffers = [buffer for each in transforms for buffer in each.local_buffers]
        return self.builder.build_kernel(name, [body], [*points, *memory], local_buffers)

    def single_stage(self, stage: TransformStage) -> tuple[list[Transform], Loop]:
        """One stage of the whole array."""
        zero = self.builder.table.sum(0, ())
        transform = Transform(
            stage,
            self.builder,
            self.source_from(zero),
            BufferPart(self.target, zero),
            self.vector_bytes,
        )
        return [transform], transform.loop(parallel=True)

    def together(self, group: Sequence[TransformStage]) -> tuple[list[Transform], Loop]:
        """Two stages, part by part of the array; what the first one writes stays near."""
        dimensions = min(stage.axis for stage in group)
        first, second = (stage.inside(dimensions) for stage in group)
        table, scheduler = self.builder.table, self.builder.scheduler
        parts = prod(group[0].before[:dimensions])
        part, zero = scheduler.index(parts), table.sum(0, ())
        near = Buffer("near", self.target.type, (first.elements(result=True),), "stack")
        source = self.source_from(part * first.elements(result=False))
        target = BufferPart(self.target, part * second.elements(result=True))
        transforms = [
            Transform(first, self.builder, source, BufferPart(near, zero), self.vector_bytes),
            Transform(second, self.builder, BufferPart(near, zero), target, self.vector_bytes),
        ]
        transforms[0].local_buffers.append(near)
        loops = [transform.loop(parallel=False) for transform in transforms]
        return transforms, Loop(part, parts, "serial", loops, parallel=True)

    def source_from(self, start: Expression) -> BufferPart | SplatParts:
        """The operand of the first stage, from an element on."""
        if isinstance(self.source, SplatParts):
            return self.source
        return BufferPart(self.source, start)


@dataclass(frozen=True, slots=True)
class BufferPart:
    """A part of a buffer: where it begins."""

    buffer: Buffer
    start: Expression

    def load(self, place: Expression) -> Expression:
        """The element at a place."""
        return place.table.load_at(self.buffer, self.start + place)


@dataclass(frozen=True, slots=True)
class SplatParts:
    """The numbers of a constant that are all the same, which is in no memory.

    Attributes:
        parts: The number; the real and the imaginary part of a complex one.
    """

    parts: Parts

    def load(self, place: Expression) -> Expression:
        """The element at a place; those of complex numbers are both parts in turn."""
        first, last = self.parts[0], self.parts[-1]
        if first is last:
            return first
        table = place.table
        return table.apply("eq", place % 2, table.sum(0, ())).select(first, last)


class Transform:
    """Writes the kernel of one stage."""

    def __init__(
        self,
        stage: TransformStage,
        builder: KernelBuilder,
        source: BufferPart | SplatParts,
        target: BufferPart,
        vector_bytes: int,
    ) -> None:
        self.stage = stage
        self.kind = stage.kind
        self.source, self.target = source, target
        self.length = stage.count
        self.builder = builder
        self.register = target.buffer.type
        self.is_strided = stage.inner > 1
        self.rows = stage.outer * stage.inner
        self.width = lanes(stage, self.register, vector_bytes)
        pairs = np.arange(1, self.length // 2 + 1 if stage.is_packed else 1)
        more = [unit_roots(pairs, 2 * self.length)]
        self.is_convolution = passes_length(self.length) != self.length
        if self.is_convolution:
            more.append(convolution_points(self.length))
        self.passes = StockhamPasses(
            self.scheduler,
            self.register,
            passes_length(self.length),
            self.width,
            np.concatenate(more),
        )
        self.convolution = ConvolutionPasses(self.passes, self.length, len(pairs))
        self.body = self.passes.body
        self.local_buffers = self.passes.local_buffers

    @property
    def scheduler(self) -> LoopScheduler:
        """The scheduler that builds the loops."""
        return self.builder.scheduler

    def loop(self, *, parallel: bool) -> Loop:
        """The loop over blocks of as many rows as there are lanes."""
        table, width, stage = self.builder.table, self.width, self.stage
        vectors = -(-(stage.inner if self.is_strided else self.rows) // width)
        blocks = stage.outer * vectors if self.is_strided else vectors
        block = self.scheduler.index(blocks)
        if self.is_strided:
            column = table.least((block % vectors) * width, stage.inner - width)
            self.loaded_apart(block // vectors, column)
            self.add_passes()
            self.stored_apart(block // vectors, column)
        else:
            first = table.least(block * width, self.rows - width)
            self.load_rows(first)
            self.add_passes()
            self.store_rows(first)
        return Loop(block, blocks, "serial", self.body, parallel=parallel)

    def add_passes(self) -> None:
        """Adds all passes from the elements of the operand to those of the result."""
        before = self.kind is FftType.IFFT
        if self.kind is FftType.IRFFT and self.stage.is_packed:
            self.pack_pairs()
        elif self.kind is FftType.IRFFT:
            self.complete()
            before = True
        elif self.stage.is_real and not self.stage.is_packed:
            self.widen()
        transform = self.convolution if self.is_convolution else self.passes
        transform.transform(before=before, after=self.stage.is_inverse)
        if self.kind is FftType.RFFT and self.stage.is_packed:
            self.split()
        elif self.kind is FftType.IRFFT and not self.stage.is_packed:
            self.narrow()

    # From rows to vectors, and back

    def load_rows(self, first: Expression) -> None:
        """All elements of some rows, transposed."""
        columns = self.stage.elements(result=False) // self.rows
        self.transpose(
            columns,
            lambda row, column: StoreElement(
                self.passes.spaces[0],
                column * self.width + row,
                self.source.load((first + row) * columns + column),
            ),
            along_rows=True,
        )

    @property
    def scale(self) -> float:
        """The factor of numbers as they are stored; packed ones are scaled before."""
        is_scaled = self.stage.is_inverse and not self.stage.is_packed
        return 1.0 / self.length if is_scaled else 1.0

    def store_rows(self, first: Expression) -> None:
        """All elements of some rows, transposed back."""
        columns, scale = self.stage.elements(result=True) // self.rows, self.scale

        def store(row: Expression, column: Expression) -> StoreElement:
            value = self.builder.table.load_at(self.passes.spaces[0], column * self.width + row)
            place = self.target.start + ((first + row) * columns + column)
            return StoreElement(self.target.buffer, place, value * scale)

        self.transpose(columns, store, along_rows=False)

    def transpose(
        self,
        columns: int,
        store: Callable[[Expression, Expression], StoreElement],
        *,
        along_rows: bool,
    ) -> None:
        """Squares of elements: loads are consecutive in the one direction, stores in the other.

        Loads are so short that vectors of them are transposed inside of what processors exchange
        at once.
        """
        width = self.width
        if columns < width or width == 1:
            column, row = self.scheduler.index(columns), self.scheduler.index(width)
            inner = self.passes.in_lanes(row, [store(row, column)])
            self.body.append(Loop(column, columns, "serial", inner))
            return
        step, column, lane = self.scheduler.strip(columns, width)
        row = self.scheduler.index(width)
        side = min(width, SIDE // BYTES[self.register])
        part, near = self.scheduler.index(width // side), self.scheduler.index(side)
        along, across = (lane.index, row) if along_rows else (row, lane.index)
        body = substitute_indices([store(row, column)], [(along.terms[0][0], part * side + near)])
        square = Loop(across, width, "unroll", [Loop(near, side, "vector", body)])
        parts = Loop(part, width // side, "serial", [square], apart=True)
        self.body.append(Loop(step.index, step.extent, "serial", [parts]))

    # From columns to vectors, and back

    def loaded_apart(self, outer: Expression, column: Expression) -> None:
        """All elements of some neighboring columns."""
        index, lane = self.scheduler.index(self.length), self.scheduler.index(self.width)
        number = [
            self.source.load(self.place_apart(outer, index, column + lane, i)) for i in range(2)
        ]
        stores = self.passes.stores(self.passes.spaces[0], index, lane, (number[0], number[1]))
        body = self.passes.in_lanes(lane, stores)
        self.body.append(Loop(index, self.length, "serial", body, apart=True))

    def stored_apart(self, outer: Expression, column: Expression) -> None:
        """All elements of some neighboring columns, back in memory."""
        index, lane = self.scheduler.index(self.length), self.scheduler.index(self.width)
        start = self.target.start
        places = [start + self.place_apart(outer, index, column + lane, i) for i in range(2)]
        number = self.passes.number(self.passes.spaces[0], index, lane)
        stores = [
            StoreElement(self.target.buffer, place, part * self.scale)
            for place, part in zip(places, number, strict=True)
        ]
        body = self.passes.in_lanes(lane, stores)
        self.body.append(Loop(index, self.length, "serial", body, apart=True))

    def place_apart(
        self, outer: Expression, index: Expression, column: Expression, part: int
    ) -> Expression:
        """Where a part of a number is."""
        stage = self.stage
        return ((outer * self.length + index) * stage.inner + column) * 2 + part

    # Real rows of odd length

    def widen(self) -> None:
        """Makes real numbers complex ones."""
        none = self.builder.table.constant(0.0, self.register)

        def number(k: Expression, lane: Expression) -> Number:
            return self.flat(k, lane), none

        self.add_pass(self.length, number)

    def complete(self) -> None:
        """Adds the frequencies after the middle, the conjugates of those before it."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, zero = self.scheduler.index(self.width), self.builder.table.sum(0, ())
        none = self.builder.table.constant(0.0, self.register)
        first = passes.number(source, zero, lane)[0]
        statements = passes.in_lanes(lane, passes.stores(target, zero, lane, (first, none)))
        if n > 1:
            half = self.scheduler.index(n // 2)
            k = half + 1
            value = passes.number(source, k, lane)
            stores = passes.stores(target, k, lane, value)
            stores += passes.stores(target, n - k, lane, conjugate(value))
            body = passes.in_lanes(lane, stores)
            statements.append(Loop(half, n // 2, "serial", body, apart=True))
        passes.add(statements)

    def narrow(self) -> None:
        """Leaves the real parts of complex numbers."""
        passes = self.passes
        source, target = passes.spaces
        lane, k = self.scheduler.index(self.width), self.scheduler.index(self.length)
        real, _ = passes.number(source, k, lane)
        body = passes.in_lanes(lane, [StoreElement(target, k * self.width + lane, real)])
        passes.add([Loop(k, self.length, "serial", body, apart=True)])

    def flat(self, index: Expression, lane: Expression) -> Expression:
        """A real number of each row."""
        return self.builder.table.load_at(self.passes.spaces[0], index * self.width + lane)

    def add_pass(self, count: int, number: Callable[[Expression, Expression], Number]) -> None:
        """Adds a pass that stores a number for each index."""
        passes = self.passes
        lane, k = self.scheduler.index(self.width), self.scheduler.index(count)
        stores = passes.stores(passes.spaces[1], k, lane, number(k, lane))
        passes.add([Loop(k, count, "serial", passes.in_lanes(lane, stores), apart=True)])

    # Real rows

    def split(self) -> None:
        """Separates the transform of packed pairs of real numbers into that of all of them."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, zero = self.scheduler.index(self.width), self.builder.table.sum(0, ())
        real, imag = passes.number(source, zero, lane)
        none = self.builder.table.constant(0.0, self.register)
        ends = [
            *passes.stores(target, zero, lane, (real + imag, none)),
            *passes.stores(target, zero + n, lane, (real - imag, none)),
        ]
        self.add_pairs(passes.in_lanes(lane, ends), self.split_pair)

    def split_pair(self, one: Number, partner: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of real numbers from those of pairs."""
        even = scale_complex(plus(one, conjugate(partner)), 0.5)
        odd = times(quarter(scale_complex(minus(one, conjugate(partner)), 0.5)), point)
        return plus(even, odd), conjugate(minus(even, odd))

    def pack_pairs(self) -> None:
        """The packed input of an inverse real transform, times half the scale; parts exchanged."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, zero = self.scheduler.index(self.width), self.builder.table.sum(0, ())
        (first, _), (last, _) = (passes.number(source, zero + i, lane) for i in (0, n))
        scale = 0.5 / n
        pair = (first - last) * scale, (first + last) * scale
        self.add_pairs(
            passes.in_lanes(lane, passes.stores(target, zero, lane, pair)), self.join_pair
        )

    def join_pair(self, one: Number, partner: Number, point: Number) -> tuple[Number, Number]:
        """Frequencies k and n - k of pairs from those of real numbers."""
        scale = 0.5 / self.length
        even = scale_complex(plus(one, conjugate(partner)), scale)
        odd = turned_back(
            times_conjugate(scale_complex(minus(one, conjugate(partner)), scale), point)
        )
        near, far = plus(even, odd), conjugate(minus(even, odd))
        return swap_parts(near), swap_parts(far)

    def add_pairs(
        self,
        ends: Sequence[Statement],
        pair: Callable[[Number, Number, Number], tuple[Number, Number]],
    ) -> None:
        """Adds a pass over frequencies k and n - k, after the special cases at both ends."""
        passes, n = self.passes, self.length
        source, target = passes.spaces
        lane, count = self.scheduler.index(self.width), n // 2
        index = self.scheduler.index(count) if count > 1 else self.builder.table.sum(0, ())
        k = index + 1
        near, far = (passes.number(source, position, lane) for position in (k, n - k))
        one, partner = pair(near, far, passes.further(index))
        body = passes.in_lanes(
            lane,
            [*passes.stores(target, k, lane, one), *passes.stores(target, n - k, lane, partner)],
        )
        if count > 1:
            body = [Loop(index, count, "serial", body, apart=True)]
        passes.add([*ends, *(body if count else ())])


def scale_complex(number: Number, factor: float) -> Number:
    """A number times a real one."""
    return number[0] * factor, number[1] * factor
