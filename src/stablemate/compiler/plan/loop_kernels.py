"""Runs several iterations of a short loop in one launch.

A loop whose body is one short launch becomes a kernel that repeats this body while the condition
holds, a bounded number of times, so that the native loop of steps still looks at the clock. Values
that an iteration passes to the next one stay in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
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
    stored_buffers,
    substitute_statement,
    walk_statements,
)
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.plan import BranchStep, JumpStep, LaunchStep, PlanBuffer, Step
from stablemate.compiler.plan.step_fusion import StatementCopier, seconds_of

# Fewer launches, for one function that holds more code and registers:
# ``python -m benchmarks.jax.loops`` measures both (benchmarks/results/jax_loops.md).
LAUNCH_SECONDS: Final = 1e-5  # of the iterations of one launch
MAX_ITERATIONS: Final = 1024  # of one launch
MIN_ITERATIONS: Final = 20  # of one launch: with fewer the launch takes little of the time
MAX_VALUES: Final = 32  # scalars and vectors that are carried in registers
MAX_ELEMENTS: Final = 256  # of a buffer that is carried in registers

# The places of a buffer that are accessed: the first element, and how many are accessed together.
Places = set[tuple[int, int]]


def repeat_bodies(steps: list[Step]) -> None:
    """Replaces launches that are bodies of loops by launches that run several iterations."""
    count = 0
    for number, step in enumerate(steps):
        if not isinstance(step, JumpStep) or not step.loops:
            continue
        branch, body = steps[step.target], steps[number - 1]
        is_whole = isinstance(branch, BranchStep) and branch.targets == [number + 1, number - 1]
        if is_whole and isinstance(branch, BranchStep) and isinstance(body, LaunchStep):
            kernel = build_loop_kernel(without_short_loops(body), branch.slot, f"r{count + 1}")
            if kernel is not None:
                count += 1
                steps[number - 1] = LaunchStep(kernel, body.slots, body.nodes)


def without_short_loops(launch: LaunchStep) -> LaunchStep:
    """The launch without loops of one iteration, so that places in buffers are constant."""
    kernel = launch.kernel
    body = list(first_iterations(kernel.body))
    return LaunchStep(replace(kernel, body=body), launch.slots, launch.nodes)


def first_iterations(body: Sequence[Statement]) -> Iterator[Statement]:
    """Statements, with the body of a loop of one iteration in the place of the loop."""
    for statement in body:
        match statement:
            case Loop(extent=1, kind="serial", apart=False, condition=None):
                zero = {statement.atom: statement.index.table.sum(0, ())}
                for inner in first_iterations(statement.body):
                    yield substitute_statement(inner, zero, {})
            case Loop() | When():
                yield replace(statement, body=list(first_iterations(statement.body)))
            case _:
                yield statement


def build_loop_kernel(body: LaunchStep, condition: PlanBuffer, name: str) -> Kernel | None:
    """The kernel that repeats the body of a loop; None if that is not worth it or not possible.

    Args:
        body: The body of the loop, which writes the condition too.
        condition: Whether another iteration follows.
        name: The name of the kernel.
    """
    kernel, slots = body.kernel, body.slots
    distinct = len({id(slot) for slot in slots}) == len(slots)
    count = min(MAX_ITERATIONS, int(LAUNCH_SECONDS / seconds_of(kernel)))
    if not distinct or condition not in slots or count < MIN_ITERATIONS or kernel.tiles:
        return None
    going = kernel.arguments[[*slots].index(condition)]
    loops = [e for e in walk_statements(kernel.body) if isinstance(e, Loop)]
    if going not in stored_buffers(kernel.body) or going.type != "i8" or any(
        loop.apart or loop.condition is not None for loop in loops
    ):  # fmt: skip
        return None
    return RepeatedKernel(kernel, going).build(name, count)


class RepeatedKernel:
    """Builds the kernel that repeats the body of a loop.

    Args:
        kernel: The body.
        going: The argument of the body that says whether another iteration follows.
    """

    def __init__(self, kernel: Kernel, going: Buffer) -> None:
        self.kernel = kernel
        self.going = going
        self.table = Expressions()
        self.places = carried_places(kernel)
        self.registers = {
            buffer: Buffer(f"{buffer.name}r", buffer.type, (extent_of(buffer),), "register")
            for buffer in self.places
        }

    def build(self, name: str, count: int) -> Kernel:
        """The kernel.

        Args:
            name: Its name.
            count: How often it repeats the body at most.
        """
        kernel, table = self.kernel, self.table
        own = {buffer: buffer for buffer in (*kernel.arguments, *kernel.locals)}
        body = StatementCopier(table, own | self.registers).block(kernel.body)
        going = self.registers.get(self.going, self.going)
        byte = table.load_at(going, table.sum(0, ()))
        index = table.loop_index("iteration", count)
        condition = table.apply("ne", byte, table.bits(0, "i8"))
        changed = stored_buffers(kernel.body)
        statements: list[Statement] = []
        for buffer, register in self.registers.items():
            statements += self.moves(buffer, register, self.places[buffer])
        statements.append(Loop(index, count, "serial", body, condition=condition))
        for buffer, register in self.registers.items():
            if buffer in changed:
                statements += self.moves(register, buffer, self.places[buffer])
        locals = [*kernel.locals, *self.registers.values()]
        return Kernel(name, kernel.arguments, statements, locals)

    def moves(self, source: Buffer, target: Buffer, places: Places) -> Iterator[Statement]:
        """Copies the elements at places."""
        for begin, width in sorted(places):
            lane = self.table.loop_index(f"l{width}", width)
            place = (lane if width > 1 else self.table.sum(0, ())) + begin
            store = StoreElement(target, place, self.table.load_at(source, place))
            yield Loop(lane, width, "vector", [store]) if width > 1 else store


def carried_places(kernel: Kernel) -> dict[Buffer, Places]:
    """The arguments that can be carried in registers, with the places that are accessed."""
    accesses: dict[Buffer, Places | None] = {}
    collect_accesses(kernel.body, {}, accesses)
    carried: dict[Buffer, Places] = {}
    left = MAX_VALUES
    for buffer, places in accesses.items():
        if buffer.scope != "argument" or extent_of(buffer) > MAX_ELEMENTS:
            continue
        if places is not None and len(places) <= left and are_disjoint(places):
            carried[buffer] = places
            left -= len(places)
    return carried


def are_disjoint(places: Places) -> bool:
    """Whether no element is accessed in two ways."""
    neighbors = pairwise(sorted(places))
    return all(begin + width <= following for (begin, width), (following, _) in neighbors)


def collect_accesses(
    body: Sequence[Statement],
    around: Mapping[Expression, Loop],
    accesses: dict[Buffer, Places | None],
) -> None:
    """Adds the places that statements access; None for a buffer with a place that varies."""

    def access(buffer: Buffer, place: Expression) -> None:
        new, old = places_of(place, around), accesses.get(buffer, set[tuple[int, int]]())
        accesses[buffer] = None if new is None or old is None else old | new

    def expression(root: Expression) -> None:
        pending, seen = [root], set[Expression]()
        while pending:
            last = pending.pop()
            if last not in seen:
                seen.add(last)
                pending += last.operands
                if last.operator == "load":
                    access(last.detail, last.operands[0])

    for statement in body:
        match statement:
            case Loop(body=inner):
                collect_accesses(inner, {**around, statement.atom: statement}, accesses)
            case When(condition, inner):
                expression(condition)
                collect_accesses(inner, around, accesses)
            case StoreElement(buffer, place, value) | Fold(buffer, place, _, value):
                access(buffer, place)
                expression(place)
                expression(value)
            case CombinePartials(buffer, place):
                access(buffer, place)
            case MoveTile(_, buffer):
                accesses[buffer] = None
            case ClearTile() | MultiplyTiles() | Fetch():
                pass


def places_of(place: Expression, around: Mapping[Expression, Loop]) -> Places | None:
    """The elements that an index may be, with the lanes that are accessed together.

    None if the index depends on anything but lanes and unrolled loops.
    """
    constant, terms = terms_of(place)
    width = 1
    offsets: list[range] = []
    for atom, coefficient in terms:
        loop = around.get(atom)
        if loop is None or loop.kind == "serial":
            return None
        if loop.kind == "vector":
            if coefficient != 1:
                return None
            width = loop.extent
        else:
            offsets.append(range(0, coefficient * loop.extent, coefficient))
    if prod(map(len, offsets)) > MAX_VALUES:
        return None
    return {(constant + sum(offset), width) for offset in product(*offsets)}
