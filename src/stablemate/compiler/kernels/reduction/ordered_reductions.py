"""Sequential reductions by any computation, in vector lanes of results."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder
from stablemate.compiler.kernels.region_expressions import (
    inline_region,
    is_expression,
    same_elements,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.lowering.elements import buffer_of, represent_elements
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.schedule.column_reductions import VECTORS
from stablemate.compiler.schedule.schedule import (
    LoopDimension,
    LoopScheduler,
    substitute_indices,
    vectors_of,
)
from stablemate.numerics.symbolic_sizes import divides

Values = Sequence[Parts]


class ReductionRegisters:
    """Values that are kept in registers, and changed all at once.

    Args:
        scheduler: What makes loops.
        values: Values of the types that are kept.
        prefix: Tells the registers of one kernel apart, if it has several.

    Attributes:
        slot: Which element of the registers is meant: the loops that are chosen say.
    """

    def __init__(self, scheduler: LoopScheduler, values: Values, prefix: str = "") -> None:
        self.table = scheduler.table
        self.slot = scheduler.index(1 << 20)
        self.now, self.next = (
            [
                [
                    Buffer(f"{prefix}{name}{k}_{i}", part.type, (1,), "register")
                    for i, part in enumerate(parts)
                ]
                for k, parts in enumerate(values)
            ]
            for name in ("now", "next")
        )

    @property
    def buffers(self) -> list[Buffer]:
        """Lists the registers of this iteration and the next."""
        return [buffer for group in (*self.now, *self.next) for buffer in group]

    @property
    def values(self) -> list[Parts]:
        """The values at this moment."""
        return self.load(self.now)

    def load(self, groups: Sequence[Sequence[Buffer]]) -> list[Parts]:
        """Loads the values of each group of registers."""
        return [
            tuple([self.table.load_at(buffer, self.slot) for buffer in group]) for group in groups
        ]

    def start(self, values: Values) -> list[Statement]:
        """Stores initial values into the registers of this iteration."""
        return self.store(self.now, values)

    def assign(self, values: Values) -> list[Statement]:
        """Assigns new values, which may be computed from the old ones."""
        return [*self.store(self.next, values), *self.store(self.now, self.load(self.next))]

    def at_first(self, body: Sequence[Statement]) -> list[Statement]:
        """The statements on one element of the registers."""
        return substitute_indices(body, [(terms_of(self.slot)[1][0][0], self.table.sum(0, ()))])

    def store(self, groups: Sequence[Sequence[Buffer]], values: Values) -> list[Statement]:
        """Stores values into groups of registers."""
        return [
            StoreElement(buffer, self.slot, part)
            for group, parts in zip(groups, values, strict=True)
            for buffer, part in zip(group, parts, strict=True)
        ]


def reduced_operand(
    scheduler: LoopScheduler,
    results: Sequence[LoopDimension],
    steps: Sequence[LoopDimension],
    registers: ReductionRegisters,
    bodies: tuple[Sequence[Statement], Sequence[Statement], Sequence[Statement]],
    then: tuple[Sequence[LoopDimension], Sequence[Statement]] = ((), ()),
    scalars: int = 0,
    vectors: int = VECTORS,
) -> list[Statement]:
    """Loops over results in lanes, each with a first body, one for every step, and a last one.

    Between the steps and the last body there may be other steps, ``then``, with another body. Where
    a number of ``scalars`` is given, so many results are reduced in turn, without lanes; otherwise
    at most so many ``vectors`` of results are.
    """
    *outer, last = results or [LoopDimension(scheduler.index(1), 1)]
    width = scheduler.lanes(
        [statement for body in (*bodies, then[1]) for statement in body], last.extent
    )
    columns = vectors_of(last.extent, width, vectors)
    if scalars:
        width, columns = 1, min(scalars, last.extent)
    kept = columns * width
    for buffer in registers.buffers:
        buffer.shape = (kept,)
    count = -(-last.extent // kept)
    step = scheduler.index(count)
    first = step * kept
    if not divides(kept, last.extent):
        first = scheduler.table.least(first, last.extent - kept)
    slot = terms_of(registers.slot)[1][0][0]

    def in_lanes(statements: Sequence[Statement]) -> list[Statement]:
        if not statements:
            return []
        part, lane = scheduler.index(columns), scheduler.index(width)
        place = part * width + lane
        replacements = [(last.atom, first + place), (slot, place)]
        vector = Loop(lane, width, "vector", substitute_indices(statements, replacements))
        return [Loop(part, columns, "unroll", [vector])]

    start, each_step, end = bodies
    body = in_lanes(start)
    for dimensions, statements in ((steps, each_step), then):
        inner = in_lanes(statements)
        for dimension in reversed(dimensions):
            inner = [Loop(dimension.index, dimension.extent, "serial", inner)]
        body += inner
    body += in_lanes(end)
    return scheduler.parallel([*outer, LoopDimension(step, count)], body)


def store_results(
    builder: KernelBuilder,
    results: Sequence[Tensor],
    outputs: Sequence[Buffer],
    index: Sequence[Expression],
    values: Values,
) -> list[Statement]:
    """Stores of the values of results."""
    statements: list[Statement] = []
    for tensor, buffer, parts in zip(results, outputs, values, strict=True):
        round_ = represent_elements(tensor).round
        rounded = tuple([round_(part) for part in parts])
        statements += stores(builder.table, tensor, buffer, index, rounded)
    return statements


def is_ordered_reduction(node: Node) -> bool:
    """Whether a node reduces by a region of elementwise operations, in its operands' types."""
    inputs = node.operands[: len(node.results)]
    (body,) = node.regions
    return same_elements(body, inputs) and is_expression(body)


Combine = Callable[[Values, Values], list[Parts]]


def combination(builder: KernelBuilder, node: Node) -> Combine:
    """The region of a node, of old values and new ones."""
    (body,) = node.regions
    return lambda old, new: inline_region(builder.table, body, [*old, *new])


def reduce_in_order(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """One kernel that reduces the elements of all inputs in row-major order."""
    n = len(node.results)
    inputs, inits = node.operands[:n], node.operands[n:]
    shape = inputs[0].shape
    dimensions: list[int] = sorted(node.operation.dimensions)
    builder = KernelBuilder(node.operands, kept, vector_bytes)
    outputs = [buffer_of(result, f"y{i}") for i, result in enumerate(node.results)]
    index, loops = builder.dimensions(node.results[0].shape)
    reduced, steps = builder.dimensions([shape[d] for d in dimensions])
    start = [builder.elements.at(init, ()) for init in inits]
    registers = ReductionRegisters(builder.scheduler, start)
    each_step: list[Statement] = []
    if 0 not in shape:
        outer, inner = iter(index), iter(reduced)
        place = [next(inner if d in dimensions else outer) for d in range(len(shape))]
        new = [builder.elements.at(tensor, place) for tensor in inputs]
        each_step = registers.assign(combination(builder, node)(registers.values, new))
    else:
        steps = []
    end = store_results(builder, node.results, outputs, index, registers.values)
    bodies = (registers.start(start), each_step, end)
    statements = reduced_operand(builder.scheduler, loops, steps, registers, bodies)
    memory = list(zip(node.results, outputs, strict=True))
    return [builder.build_kernel(name, statements, memory, registers.buffers)]
