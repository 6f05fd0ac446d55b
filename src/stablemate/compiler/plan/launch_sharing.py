"""Lets launches of a recurrence share a launch, without a barrier between them.

A step of a recurrent layer is a product of a few rows, and functions of the four columns of a unit.
As two launches, threads wait for one another between them, and one reads what the other has
written. Where the iterations of both fall into blocks, each of which reads of the first launch only
what the same block has written, one launch runs them block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.index_bounds import is_of_indices, value_of
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
    walk_statements,
)
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.carried_values import MIN_COPIED_BYTES, is_larger
from stablemate.compiler.plan.kernel_accesses import kernel_accesses
from stablemate.compiler.plan.plan import (
    CopySlot,
    JumpStep,
    LaunchStep,
    PlanBuffer,
    Step,
    SwapSlots,
    jump_targets,
    redirect_jumps,
)
from stablemate.compiler.plan.preparation import PreparationSearch
from stablemate.compiler.plan.step_fusion import StatementCopier
from stablemate.compiler.schedule.chunk_sizes import chunks_of, iteration_seconds
from stablemate.compiler.schedule.parallel_chunks import KernelWork
from stablemate.compiler.schedule.schedule import subexpressions
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array
from stablemate.numerics.symbolic_sizes import is_symbolic

# A longer launch gains nothing, and an analysis of more accesses takes longer than it saves.
MOST_SECONDS: Final = 2e-3  # of a launch, by the model of chunks
MOST_ACCESSES: Final = 1 << 18  # of both launches to what one of them writes
NEAR: Final = 1 << 16  # bytes of a value that is in the second cache where it was used before
MOST_ITERATIONS: Final = 1 << 12  # of a launch


def share_launches(steps: Sequence[Step]) -> list[Step]:
    """The steps of a plan; neighbors in loops share a launch where that is sound and worth it."""
    starts = jump_targets(steps)
    in_loops = {
        number
        for end, step in enumerate(steps)
        if isinstance(step, JumpStep) and step.loops
        for number in range(step.target + 1, end)
    }
    if not in_loops:
        return list(steps)
    preparation = PreparationSearch(steps)
    preparation.find()
    fixed = set(preparation.written)
    carried = carried_slots([steps[number] for number in in_loops])
    result: list[Step] = []
    new_indices: dict[int, int] = {}
    for number, step in enumerate(steps):
        last = result[-1] if result else None
        new_indices[number] = len(result)
        if number in in_loops and number not in starts:
            both = shared_launch(last, step, f"b{number}", fixed)
            if both is not None and not carried.isdisjoint(both.slots):
                result[-1] = both
                continue
        result.append(step)
    redirect_jumps(result, new_indices)
    return result


def carried_slots(steps: Sequence[Step]) -> set[PlanBuffer]:
    """The slots of values, no short ones, that steps at the end of an iteration move to the next.

    What reads them waits for the iteration before. Other launches, such as those of images that are
    computed one by one, take long enough for threads to wait for one another behind each.
    """
    carried: set[PlanBuffer] = set()
    for step in steps:
        match step:
            case CopySlot(_, target):
                carried.add(target)
            case SwapSlots(first, second):
                carried |= {first, second}
            case _:
                pass
    return {slot for slot in carried if is_larger(slot, MIN_COPIED_BYTES)}


def shared_launch(
    one: Step | None, other: Step, name: str, fixed: set[PlanBuffer]
) -> LaunchStep | None:
    """The launch that does the same as two that follow each other; None if they stay apart."""
    if not isinstance(one, LaunchStep) or not isinstance(other, LaunchStep):
        return None
    launches = one, other
    if not all(len(set(step.slots)) == len(step.slots) for step in launches):
        return None
    parts = [Part.of(step) for step in launches]
    first, second = parts
    if first is None or second is None or first.written <= fixed:
        return None
    shared = {
        slot
        for slot in first.buffers.keys() & second.buffers.keys()
        if slot in first.written or slot in second.written
    }
    if first.written.isdisjoint(second.buffers) or not all(
        is_same_memory(first.buffers[slot], second.buffers[slot])
        for slot in first.buffers.keys() & second.buffers.keys()
    ):
        return None
    pieces = [part.chunks for part in (first, second)]
    if max(pieces) == 1:
        return None
    blocks = blocks_of(first, second, shared)
    if blocks is None or len(blocks[0]) < max(pieces):
        return None
    return merged_launch(launches, (first, second), blocks, name)


def is_same_memory(one: Buffer, other: Buffer) -> bool:
    """Whether two kernels see the same elements in a slot."""
    return (one.type, one.ahead, extent_of(one)) == (other.type, other.ahead, extent_of(other))


@dataclass(frozen=True, slots=True)
class Part:
    """A launch of one parallel loop.

    Attributes:
        loop: The loop.
        buffers: The buffer of each slot.
        written: The slots that it writes.
        chunks: Into how many chunks it would be cut.
    """

    loop: Loop
    buffers: Mapping[PlanBuffer, Buffer]
    written: set[PlanBuffer]
    chunks: int

    @staticmethod
    def of(step: LaunchStep) -> Part | None:
        """A launch; None if it is none of a short parallel loop of known extent."""
        kernel = step.kernel
        loop = kernel.body[0]
        if not isinstance(loop, Loop) or not loop.parallel or kernel.tiles:
            return None
        if is_symbolic(loop.extent) or not 1 < loop.extent <= MOST_ITERATIONS:
            return None
        work = KernelWork(kernel)
        sizes = (work.seconds, *(size for pair in work.transfers for size in pair))
        if any(map(is_symbolic, sizes)):
            return None
        seconds = iteration_seconds(work.seconds, loop.extent, work.transfers)
        if seconds * loop.extent > MOST_SECONDS:
            return None
        buffers = dict(zip(step.slots, kernel.arguments, strict=True))
        stored = kernel_accesses(kernel).written
        written = {slot for slot, buffer in buffers.items() if buffer in stored}
        return Part(loop, buffers, written, chunks_of(loop.extent, seconds, loop.extent)[1])

    def accesses(self, slots: set[PlanBuffer], most: int) -> dict[PlanBuffer, Array] | None:
        """The iterations that access elements of slots: columns of an iteration and an element.

        None if they depend on data, or are too many.
        """
        names = {self.buffers[slot]: slot for slot in slots}
        found: dict[PlanBuffer, list[Array]] = {slot: [] for slot in slots}
        for buffer, place in accessed_places([self.loop]):
            if buffer not in names:
                continue
            if place is None or not is_of_indices(place):
                return None
            atoms = [self.loop.atom, *(place.loops - {self.loop.atom})]
            counts = [1 + atom.high for atom in atoms]
            most -= prod(counts)
            if most < 0:
                return None
            grids = np.meshgrid(*map(np.arange, counts), indexing="ij", sparse=True)
            values: dict[Expression, Any] = dict(zip(atoms, grids, strict=True))
            places = np.broadcast_to(np.asarray(value_of(place, values)), counts)
            iterations = np.broadcast_to(grids[0], counts)
            found[names[buffer]].append(np.stack([iterations.ravel(), places.ravel()]))
        return {slot: np.concatenate(parts, axis=1) for slot, parts in found.items()}


def accessed_places(body: Sequence[Statement]) -> Iterator[tuple[Buffer, Expression | None]]:
    """The buffers and places that statements access; None for a place that is not the only one."""
    for statement in body:
        roots: list[Expression] = []
        match statement:
            case Loop(body=inner):
                yield from accessed_places(inner)
            case When(condition, inner):
                roots.append(condition)
                yield from accessed_places(inner)
            case StoreElement(buffer, place, value):
                roots += place, value
                yield buffer, place
            case Fold(buffer, place, _, value, skip):
                roots += place, value
                yield buffer, None if skip else place
            case CombinePartials(buffer, place):
                roots.append(place)
                yield buffer, place
            case MoveTile(_, buffer):
                yield buffer, None
            case Fetch() | ClearTile() | MultiplyTiles():
                pass
        for expression in subexpressions(roots):
            if expression.operator == "load":
                yield expression.detail, expression.operands[0]


def blocks_of(first: Part, second: Part, shared: set[PlanBuffer]) -> tuple[Array, Array] | None:
    """The iterations of both launches in each block, as rows; None if blocks are not alike."""
    accesses = [part.accesses(shared, MOST_ACCESSES) for part in (first, second)]
    if accesses[0] is None or accesses[1] is None:
        return None
    count = first.loop.extent
    labels = np.arange(count + second.loop.extent)
    pairs: list[tuple[Array, Array, int]] = []
    for slot in shared:
        one, other = accesses[0][slot], accesses[1][slot]
        both = np.concatenate([one, other + np.array([[count], [0]])], axis=1)
        pairs.append((both[0], both[1], extent_of(first.buffers[slot])))
    while True:
        before = labels.copy()
        for iterations, elements, extent in pairs:
            least = np.full(extent, len(labels))
            np.minimum.at(least, elements, labels[iterations])
            np.minimum.at(labels, iterations, least[elements])
        labels = labels[labels]
        if np.array_equal(before, labels):
            break
    names, blocks = np.unique(labels, return_inverse=True)
    rows = [members(part, len(names)) for part in (blocks[:count], blocks[count:])]
    return None if rows[0] is None or rows[1] is None else (rows[0], rows[1])


def members(blocks: Array, count: int) -> Array | None:
    """The numbers of each of some blocks, as rows; None if a block has more than another."""
    sizes = np.bincount(blocks, minlength=count)
    if sizes.min() != sizes.max():
        return None
    return np.argsort(blocks, kind="stable").reshape(count, -1)


def digits_of(numbers: Sequence[int]) -> list[tuple[int, int]] | None:
    """The extent and stride of each digit of a position, the last first; None if there are none.

    A number is the first one, and what the digits of its position contribute.
    """
    digits: list[tuple[int, int]] = []
    left = np.asarray(numbers)
    while len(left) > 1:
        stride = left[1] - left[0]
        steps = np.diff(left) != stride
        extent = 1 + int(np.argmax(steps)) if steps.any() else len(left)
        if len(left) % extent:
            return None
        rows = left.reshape(-1, extent)
        if not np.array_equal(rows, rows[:, :1] + stride * np.arange(extent)):
            return None
        digits.append((extent, int(stride)))
        left = rows[:, 0]
    return digits


def iteration_of(
    table: Expressions, rows: Array, block: Expression, turn: Expression
) -> Expression | None:
    """The iteration of a launch by the number of a block and a turn; None if there is no formula.

    Args:
        table: Makes expressions.
        rows: The iterations of each block.
        block: The number of the block.
        turn: The number of the iteration in it.
    """
    begins, steps = rows[:, 0], rows[0] - rows[0, 0]
    if not np.array_equal(rows, begins[:, None] + steps):
        return None
    result = table.sum(int(begins[0]), ())
    for index, numbers in ((block, begins), (turn, steps)):
        digits = digits_of(numbers.tolist())
        if digits is None:
            return None
        below = 1
        for extent, stride in digits:
            is_last = below * extent == len(numbers)
            digit = index // below if is_last else (index // below) % extent
            result = result + digit * stride
            below *= extent
    return result


def merged_launch(
    launches: tuple[LaunchStep, LaunchStep], parts: tuple[Part, Part],
    blocks: tuple[Array, Array], name: str,
) -> LaunchStep | None:  # fmt: skip
    """The launch that runs both launches block by block."""
    table = Expressions()
    count = len(blocks[0])
    block = table.loop_index("block", count)
    arguments: dict[PlanBuffer, Buffer] = {}
    for part in parts:
        for slot, buffer in part.buffers.items():
            if slot not in arguments:
                arguments[slot] = renamed(buffer, f"a{len(arguments)}")
    written = {arguments[slot] for part in parts for slot in part.written}
    far = {b for b in arguments.values() if b not in written and b.bytes > NEAR}
    first: list[Statement] = []
    body: list[Statement] = []
    locals: list[Buffer] = []
    for number, (step, part, rows) in enumerate(zip(launches, parts, blocks, strict=True)):
        own = {local: renamed(local, f"{local.name}{number}") for local in step.kernel.locals}
        own |= {buffer: arguments[slot] for slot, buffer in part.buffers.items()}
        turns = rows.shape[1]
        turn = table.loop_index(f"turn{number}", turns)
        iteration = iteration_of(table, rows, block, turn)
        if iteration is None:
            return None
        copier = StatementCopier(table, own, keeps_apart=True)
        copier.copies[part.loop.atom] = iteration
        inner = copier.block(part.loop.body)
        inner = [Loop(turn, turns, "serial", inner)] if turns > 1 else inner
        if not any(isinstance(statement, Fetch) for statement in walk_statements(inner)):
            first += fetches(inner, far, written)
        body += inner
        locals += [own[local] for local in step.kernel.locals]
    loop = Loop(block, count, "serial", [*first, *body], parallel=True)
    kernel = Kernel(name, list(arguments.values()), [loop], locals)
    nodes = tuple(dict.fromkeys(node for step in launches for node in step.nodes))
    return LaunchStep(kernel, list(arguments), nodes)


def fetches(body: Sequence[Statement], far: set[Buffer], written: set[Buffer]) -> list[Statement]:
    """Statements that ask for what others read of some buffers, to store what they make of it."""
    result: list[Statement] = []
    asked: dict[tuple[Buffer, Expression], Statement] = {}
    for statement in body:
        match statement:
            case Loop(index, extent, kind, inner):
                deeper = fetches(inner, far, written)
                result += [Loop(index, extent, kind, deeper)] if deeper else []
            case StoreElement(buffer, _, value) if buffer.scope == "argument":
                loads = [part for part in subexpressions([value]) if part.operator == "load"]
                for load in loads:
                    (place,) = load.operands
                    if load.detail in far and place.reads.isdisjoint(written):
                        asked.setdefault((load.detail, place), Fetch(load.detail, place))
            case _:
                pass
    return [*result, *asked.values()]


def renamed(buffer: Buffer, name: str) -> Buffer:
    """The same buffer under another name."""
    return Buffer(name, buffer.type, buffer.shape, buffer.scope, buffer.strides, ahead=buffer.ahead)
