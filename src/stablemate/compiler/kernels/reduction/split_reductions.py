"""Split reductions: segments of a row, each reduced in sequence, and then their results.

The initial values take part once, on the left of all. Pieces are neighbors of one another in
lanes, so that elements stay in order whatever combines them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from stablemate.compiler.graph.fusion_group import reduced_dimensions
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.kernels.reduction.ordered_reductions import (
    ReductionRegisters,
    combination,
    reduced_operand,
    store_results,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.lowering.elements import buffer_of, represent_elements
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.reduction_order import RowSegments
from stablemate.compiler.schedule.schedule import LoopDimension, substitute_indices


class SplitReductionKernels:
    """The kernels of a reduction in order whose rows are cut into pieces.

    Args:
        node: The reduction.
        kept: The values in memory.
        vector_bytes: The width of vectors.
        name: What the kernels are called.
        segments: The division of rows.
    """

    def __init__(
        self,
        node: Node,
        kept: Container[Tensor],
        vector_bytes: int,
        name: str,
        segments: RowSegments,
    ) -> None:
        self.node = node
        self.kept = kept
        self.vector_bytes = vector_bytes
        self.name = name
        self.segments = segments
        count = len(node.results)
        self.inputs, self.inits = node.operands[:count], node.operands[count:]
        kinds = [represent_elements(result) for result in node.results]
        shape = (*node.results[0].shape, segments.count)
        self.buffers = [
            Buffer(f"p{k}", kind.storage, kind.shape(shape)) for k, kind in enumerate(kinds)
        ]
        self.memory = [Scratch(buffer.bytes) for buffer in self.buffers]

    def build_kernels(self) -> list[BuiltKernel]:
        """The fold of each piece, and that of their results and of what is behind the last."""
        return [self.segment_kernel(), self.combining_kernel()]

    def segment_kernel(self) -> BuiltKernel:
        """Returns the kernel that reduces each segment."""
        builder = KernelBuilder(self.node.operands, self.kept, self.vector_bytes)
        table, scheduler = builder.table, builder.scheduler
        index, loops = builder.dimensions(self.node.results[0].shape)
        segments = LoopDimension(scheduler.index(self.segments.count), self.segments.count)
        following = self.segments.length - 1
        inner = LoopDimension(scheduler.index(following), following)
        registers = ReductionRegisters(
            scheduler, [builder.elements.at(init, ()) for init in self.inits]
        )
        first = segments.index * self.segments.length
        start = self.on_element(builder, index, first, registers.start)
        step = self.step(builder, registers, index, first + inner.index + 1)
        end: list[Statement] = []
        for tensor, buffer, parts in zip(
            self.node.results, self.buffers, registers.values, strict=True
        ):
            end += stores(table, tensor, buffer, (*index, segments.index), parts)
        bodies = (start, step, end)
        statements = reduced_operand(scheduler, [*loops, segments], [inner], registers, bodies)
        memory = list(zip(self.memory, self.buffers, strict=True))
        return builder.build_kernel(f"{self.name}_pieces", statements, memory, registers.buffers)

    def step(
        self,
        builder: KernelBuilder,
        registers: ReductionRegisters,
        index: Sequence[Expression],
        place: Expression,
    ) -> list[Statement]:
        """Reduces the element with an index in its row."""
        combine = combination(builder, self.node)

        def combine_new(new: list[Parts]) -> Sequence[Statement]:
            return registers.assign(combine(registers.values, new))

        return self.on_element(builder, index, place, combine_new)

    def on_element(
        self,
        builder: KernelBuilder,
        index: Sequence[Expression],
        place: Expression,
        statements: Callable[[list[Parts]], Sequence[Statement]],
    ) -> list[Statement]:
        """Statements on the element of each input that has a number in its row."""
        shape, reduced = self.inputs[0].shape, reduced_dimensions(self.node)
        inner, row = builder.dimensions([shape[d] for d in reduced])
        outer, along = iter(index), iter(inner)
        at = [next(along if d in reduced else outer) for d in range(len(shape))]
        body = statements([builder.elements.at(tensor, at) for tensor in self.inputs])
        single, body = builder.scheduler.single(row, body)
        return substitute_indices(body, [(single.atom, place)])

    def combining_kernel(self) -> BuiltKernel:
        """Returns the kernel that combines the segments and the elements after the last one."""
        segments, results = self.segments, self.node.results
        operands = [*self.inits, *(self.inputs if segments.rest else ())]
        builder = KernelBuilder(operands, self.kept, self.vector_bytes)
        table, scheduler = builder.table, builder.scheduler
        outputs = [buffer_of(result, f"y{i}") for i, result in enumerate(results)]
        index, loops = builder.dimensions(results[0].shape)
        segment = LoopDimension(scheduler.index(segments.count), segments.count)
        start = [builder.elements.at(init, ()) for init in self.inits]
        registers = ReductionRegisters(scheduler, start)
        new: list[Parts] = [
            represent_elements(result).load(table, buffer, (*index, segment.index))
            for result, buffer in zip(results, self.buffers, strict=True)
        ]
        step = registers.assign(combination(builder, self.node)(registers.values, new))
        then: tuple[list[LoopDimension], list[Statement]] = ([], [])
        if segments.rest:
            element = LoopDimension(scheduler.index(segments.rest), segments.rest)
            place = element.index + segments.count * segments.length
            then = [element], self.step(builder, registers, index, place)
        end = store_results(builder, results, outputs, index, registers.values)
        bodies = (registers.start(start), step, end)
        statements = reduced_operand(scheduler, loops, [segment], registers, bodies, then)
        memory: list[tuple[Tensor | Scratch, Buffer]] = [
            *zip(self.memory, self.buffers, strict=True),
            *zip(results, outputs, strict=True),
        ]
        return builder.build_kernel(self.name, statements, memory, registers.buffers)
