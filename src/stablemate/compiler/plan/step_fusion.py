"""Fuses neighboring tiny steps of a loop into one launch.

A launch costs some nanoseconds; in a loop that carries scalars and short vectors, this is as much
as the computation itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from typing import Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    ClearTile,
    CombinePartials,
    Fetch,
    Fold,
    Kernel,
    Loop,
    MoveTile,
    MultiplyTiles,
    Statement,
    StoreElement,
    When,
    rebuild_expression,
)
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.compiler.plan.plan import (
    CopySlot,
    JumpStep,
    LaunchStep,
    PlanBuffer,
    Step,
    jump_targets,
    redirect_jumps,
)
from stablemate.compiler.schedule.chunk_sizes import iteration_seconds
from stablemate.compiler.schedule.parallel_chunks import KernelWork
from stablemate.numerics.symbolic_sizes import is_symbolic

# A loop over scalars pays more for launches and copies than for what it computes:
# ``python -m benchmarks.jax.loops`` measures it.
MAX_STEP_SECONDS: Final = 0.4e-6  # of a launch that may be fused with its neighbors
MAX_FUSED_SECONDS: Final = 1.5e-6  # of a fused launch
MAX_FUSED_STEPS: Final = 64  # of a fused launch
MAX_COPY_BYTES: Final = 64  # of a copy that becomes part of a kernel


def fuse_steps(steps: Sequence[Step], vector_bytes: int) -> list[Step]:
    """The steps of a plan, tiny ones inside loops fused."""
    starts = jump_targets(steps)
    in_loops = {
        i
        for end, step in enumerate(steps)
        if isinstance(step, JumpStep) and step.loops
        for i in range(step.target, end)
    }
    result: list[Step] = []
    new_indices: dict[int, int] = {}
    pending: list[Step] = []
    fusion = StepFusion(vector_bytes)

    def flush() -> None:
        result.extend([fusion.fuse(pending)] if len(pending) > 1 else pending)
        pending.clear()

    for number, step in enumerate(steps):
        is_taken = fusion.can_take(pending, step, number in in_loops)
        if number in starts or not is_taken:
            flush()
            is_taken = fusion.can_take(pending, step, number in in_loops)
        new_indices[number] = len(result)
        if is_taken:
            pending.append(step)
        else:
            result.append(step)
    redirect_jumps(result, new_indices)
    return result


def seconds_of(kernel: Kernel) -> float:
    """The estimated time of all iterations of a kernel.

    That is infinite if it depends on symbolic sizes, of which nothing is to be assumed.
    """
    work = KernelWork(kernel)
    if any(map(is_symbolic, (kernel.steps, work.seconds, *chain(*work.transfers)))):
        return inf
    return iteration_seconds(work.seconds, kernel.steps, work.transfers) * kernel.steps


def is_tiny(step: Step, estimated: Callable[[Kernel], float] = seconds_of) -> bool:
    """Whether a step costs less than its launch.

    Args:
        step: The step.
        estimated: The seconds of a kernel.
    """
    match step:
        case LaunchStep(kernel, slots):
            distinct = len({id(slot) for slot in slots}) == len(slots)
            return distinct and not kernel.tiles and estimated(kernel) < MAX_STEP_SECONDS
        case CopySlot(source):
            return not is_symbolic(source.bytes) and 0 < source.bytes <= MAX_COPY_BYTES
        case _:
            return False


class StepFusion:
    """Fuses steps into kernels.

    Args:
        vector_bytes: The width of vectors.
    """

    def __init__(self, vector_bytes: int) -> None:
        self.vector_bytes = vector_bytes
        self.count = 0
        self.seconds: dict[Kernel, float] = {}

    def seconds_of(self, kernel: Kernel) -> float:
        """The estimated time of all iterations of a kernel, which is computed once."""
        seconds = self.seconds.get(kernel)
        if seconds is None:
            seconds = self.seconds[kernel] = seconds_of(kernel)
        return seconds

    def can_take(self, pending: Sequence[Step], step: Step, in_loop: bool) -> bool:
        """Whether a step may be fused with the steps before it."""
        if not in_loop or len(pending) >= MAX_FUSED_STEPS or not is_tiny(step, self.seconds_of):
            return False
        if types_of([*pending, step]) is None:
            return False
        kernels = [
            pending_step.kernel
            for pending_step in (*pending, step)
            if isinstance(pending_step, LaunchStep)
        ]
        return sum(map(self.seconds_of, kernels)) < MAX_FUSED_SECONDS

    def fuse(self, steps: Sequence[Step]) -> LaunchStep:
        """Builds one launch that does the same as several steps."""
        self.count += 1
        table = Expressions()
        arguments: dict[PlanBuffer, Buffer] = {}
        for step in steps:
            if isinstance(step, LaunchStep):
                for slot, buffer in zip(step.slots, step.kernel.arguments, strict=True):
                    if slot not in arguments:
                        name = f"a{len(arguments)}"
                        arguments[slot] = Buffer(
                            name, buffer.type, buffer.shape, strides=buffer.strides
                        )
        types = types_of(steps)
        assert types is not None, "the fused steps read a slot with different element types"
        body: list[Statement] = []
        locals: list[Buffer] = []
        nodes: dict[Node, None] = {}
        for number, step in enumerate(steps):
            if isinstance(step, LaunchStep):
                kernel = step.kernel
                buffers = dict(
                    zip(kernel.arguments, [arguments[slot] for slot in step.slots], strict=True)
                )
                for local in kernel.locals:
                    buffers[local] = Buffer(
                        f"{local.name}{number}", local.type, local.shape, local.scope, local.strides
                    )
                    locals.append(buffers[local])
                body += StatementCopier(table, buffers).block(kernel.body)
                nodes.update(dict.fromkeys(step.nodes))
            elif isinstance(step, CopySlot):
                body += self.copy_statements(table, step, arguments, types[step.source])
        fused = Kernel(f"m{self.count}", list(arguments.values()), body, locals)
        return LaunchStep(fused, list(arguments), tuple(nodes))

    def copy_statements(
        self, table: Expressions, step: CopySlot, arguments: dict[PlanBuffer, Buffer], element: str
    ) -> Iterator[Statement]:
        """The stores of a copy; vectors are used as long as enough elements are left."""
        count = step.source.bytes // BYTES[element]
        for slot in (step.source, step.target):
            if slot not in arguments:
                arguments[slot] = Buffer(f"a{len(arguments)}", element, (count,))
        source, target = arguments[step.source], arguments[step.target]
        begin = 0
        while begin < count:
            width = self.vector_bytes // BYTES[element]
            while width > count - begin:
                width //= 2
            lane = table.loop_index(f"c{width}", width)
            place = (lane if width > 1 else table.sum(0, ())) + begin
            store = StoreElement(target, place, table.load_at(source, place))
            yield Loop(lane, width, "vector", [store]) if width > 1 else store
            begin += width


def types_of(steps: Sequence[Step]) -> dict[PlanBuffer, str] | None:
    """The element type of each slot in kernels and copies; None if a slot has different ones."""
    types: dict[PlanBuffer, str] = {}
    for step in steps:
        if isinstance(step, LaunchStep):
            for slot, buffer in zip(step.slots, step.kernel.arguments, strict=True):
                if types.setdefault(slot, buffer.type) != buffer.type:
                    return None
    copies = [(step.source, step.target) for step in steps if isinstance(step, CopySlot)]
    while unknown := [pair for pair in copies if not types.keys() >= set(pair)]:
        one, other = next(
            (pair for pair in unknown if not types.keys().isdisjoint(pair)), unknown[0]
        )
        element = types.get(one) or types.get(other) or widest_integer(one.bytes)
        types[one] = types[other] = element
    return types if all(types[one] == types[other] for one, other in copies) else None


def widest_integer(size: int) -> str:
    """The widest integer type whose size divides a number of bytes."""
    return next(element for element in ("i64", "i32", "i16", "i8") if size % BYTES[element] == 0)


class StatementCopier:
    """Copies statements to other buffers, with new loop indices.

    Args:
        table: Creates expressions.
        buffers: The new buffer of each buffer.
        keeps_apart: Whether loops that have functions of their own keep them.
    """

    def __init__(
        self, table: Expressions, buffers: Mapping[Buffer, Buffer], *, keeps_apart: bool = False
    ) -> None:
        self.table = table
        self.buffers = buffers
        self.keeps_apart = keeps_apart
        self.copies: dict[Expression, Expression] = {}

    def block(self, body: Sequence[Statement]) -> list[Statement]:
        """Copies statements; their loops are not divided into chunks."""
        return [self.statement(statement) for statement in body]

    def statement(self, statement: Statement) -> Statement:
        """Copies one statement, with new loop indices."""
        match statement:
            case Loop(_, extent, kind, body):
                assert statement.condition is None, "a loop that a condition ends is not copied"
                self.new_loop_index(statement.atom, extent)
                atom = self.copies[statement.atom]
                apart = self.keeps_apart and statement.apart
                index = self.table.sum(0, ((atom, 1),))
                return Loop(index, extent, kind, self.block(body), apart=apart)
            case When(condition, body):
                return When(self.expression(condition), self.block(body))
            case StoreElement(buffer, place, value):
                return StoreElement(
                    self.buffers[buffer], self.expression(place), self.expression(value)
                )
            case Fold(buffer, place, operator, value, skip, fused):
                place, value = self.expression(place), self.expression(value)
                return Fold(self.buffers[buffer], place, operator, value, skip, fused)
            case CombinePartials(buffer, place, operator, partials, width):
                into, part = self.buffers[buffer], self.buffers[partials]
                return CombinePartials(into, self.expression(place), operator, part, width)
            case MoveTile(number, buffer, place, stride, stores):
                into, at = self.buffers[buffer], self.expression(place)
                return MoveTile(number, into, at, stride, stores)
            case Fetch(buffer, place):
                return Fetch(self.buffers[buffer], self.expression(place))
            case ClearTile() | MultiplyTiles():
                return statement

    def new_loop_index(self, atom: Expression, extent: int) -> None:
        """Creates a loop index in the new table that no other loop has.

        Several loops of a kernel may have the same index; what was copied for the loop before is
        forgotten.
        """
        if atom in self.copies:
            self.copies = {old: new for old, new in self.copies.items() if atom not in old.loops}
        index = self.table.loop_index(f"i{len(self.table.interned)}", extent)
        (self.copies[atom],) = index.operands

    def expression(self, root: Expression) -> Expression:
        """Copies an expression, operands first."""
        return evaluate_postorder(root, self.copies, self.copy_of)

    def copy_of(self, expression: Expression) -> Expression:
        """Copies an expression whose operands have been copied."""
        if expression.operator == "constant":
            return self.table.bits(expression.detail, expression.type)
        operands = [self.copies[operand] for operand in expression.operands]
        if expression.operator == "load":
            return self.table.load_at(self.buffers[expression.detail], operands[0])
        return rebuild_expression(self.table, expression, operands)
