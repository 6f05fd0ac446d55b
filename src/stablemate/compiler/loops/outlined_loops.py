"""Outlines loops to functions of memory and numbers that many kernels share.

Tiles of matrices and images differ in strides and extents, hardly ever in anything else. Outlined,
a loop is handed where its accesses begin, by how much they grow with each index, and how often
inner loops run; so loops that differ in nothing else have one code.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.register_transposes import match_register_transpose
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
    stored_buffers,
    walk_statements,
)
from stablemate.compiler.loops.structural_equality import structural_key
from stablemate.deferred_dataclasses import dataclass

PLACEHOLDER_EXTENT: Final = 2  # how often a loop runs whose extent is handed in
# An outlined loop is compiled once for all that differ in numbers only, and pays for a call and
# for arguments in registers: ``python -m benchmarks.compile_times`` measures what it saves.
MAX_OFFSET_BITS: Final = 31  # bits of the places of a buffer that are too many for narrow lanes
MAX_SHARED_OFFSET: Final = 64  # elements so close to one another have one argument
MIN_CALL_ITERATIONS: Final = 16  # turns that are enough for a call
# Turns of a loop from which on distances between rows stand in the code. Where they are arguments,
# each row needs an addition, which takes the place of a product now and then: tiles of 13 rows, one
# core of Sapphire Rapids, 195 and 205 GFLOP/s. But each distance then has a function of its own: if
# all had, ResNet-50 would take 1.2 times as long to compile and run as fast as before.
MANY_TURNS: Final = 512
MAX_STATIC_STACK_ELEMENTS: Final = (
    1 << 12
)  # elements of a buffer on the stack whose strides stand in the code


@dataclass(frozen=True, slots=True)
class OutlinedLoop:
    """A loop as a function.

    Attributes:
        kernel: Its statements; its arguments begin where the accesses of the loop begin.
        extents: The numbers that say how often loops run, by their indices.
        memory: For each argument, the buffer of the loop and the place that it begins at.
        numbers: Strides and extents, which the function is handed behind its arguments.
    """

    kernel: Kernel
    extents: Mapping[Expression, int]
    memory: Sequence[tuple[Buffer, Expression]]
    numbers: Sequence[int]

    @property
    def identity(self) -> Hashable:
        """The key that loops with the same code share."""
        return structural_key(self.kernel)


def is_movement(loop: Loop) -> bool:
    """Whether a loop only moves elements in memory, and enough of them for a call.

    One around a loop that is apart is none: that has its function.
    """
    if loop.parallel or loop.condition is not None:
        return False
    count = loop.extent
    for statement in walk_statements(loop.body):
        match statement:
            case Loop(apart=True):
                return False
            case Loop(_, extent, kind):
                count *= extent if kind == "serial" else 1
            case StoreElement(buffer, _, value):
                if value.operator != "load" or "register" in (buffer.scope, value.detail.scope):
                    return False
            case _:
                return False
    return count >= MIN_CALL_ITERATIONS


class NotOutlinedError(Exception):
    """A loop depends on more than memory and numbers."""


def outline_loop(loop: Loop) -> OutlinedLoop | None:
    """The loop as a function; None if it depends on more than memory and numbers."""
    try:
        return LoopOutliner(loop).outline()
    except NotOutlinedError:
        return None


class LoopOutliner:
    """Rebuilds the statements of a loop with strides and extents as parameters.

    Args:
        loop: The loop.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.table = Expressions()
        self.changed = stored_buffers([loop])
        self.atoms: dict[Expression, Expression] = {}  # the new index of each
        self.lanes: set[Expression] = set()  # indices of vector loops
        self.rows: set[Expression] = set()  # indices whose distances stand in the code
        self.turns = 1  # of the innermost loop around
        self.sides: set[Expression] = set()  # indices of squares
        self.width = 1
        self.arguments: dict[Buffer, tuple[Buffer, Expression]] = {}  # what each is, from where
        self.loaded: set[Buffer] = set()
        self.begins: dict[tuple[Buffer, Expression], list[tuple[int, Buffer]]] = {}
        self.local_buffers: dict[Buffer, Buffer] = {}
        self.numbers: list[int] = []
        self.strides: dict[tuple[Buffer, Expression, int], int] = {}
        self.extents: dict[Expression, int] = {}
        self.rebuilt: dict[Expression, Expression] = {}

    def outline(self) -> OutlinedLoop:
        """The loop as a function.

        Raises:
            NotOutlinedError: It depends on more than memory and numbers.
        """
        body = [self.statement(self.loop)]
        memory = list(self.arguments.values())
        buffers = [buffer for buffer, _ in memory]
        if any(buffers.count(buffer) > 1 for buffer in self.changed & self.loaded):
            raise NotOutlinedError  # what is read at one place may be written at another one
        kernel = Kernel("outline", list(self.arguments), body, list(self.local_buffers.values()))
        return OutlinedLoop(kernel, self.extents, memory, self.numbers)

    def statement(self, statement: Statement) -> Statement:
        """A statement of the function."""
        match statement:
            case Loop():
                return self.inner(statement)
            case When(condition, body):
                return When(
                    self.value(condition), [self.statement(statement) for statement in body]
                )
            case StoreElement(buffer, place, value):
                return StoreElement(*self.access(buffer, place), self.value(value))
            case Fold(buffer, place, operator, value, skip, fused):
                into, at = self.access(buffer, place)
                self.loaded.add(buffer)
                return Fold(into, at, operator, self.value(value), skip, fused)
            case CombinePartials(buffer, place, operator, partials, width):
                into, at = self.access(buffer, place)
                self.loaded.add(buffer)
                return CombinePartials(into, at, operator, self.local(partials), width)
            case Fetch(buffer, place):
                return Fetch(*self.access(buffer, place))
            case MoveTile() | ClearTile() | MultiplyTiles():
                raise NotOutlinedError  # the shapes of tiles are those of the kernel

    def inner(self, loop: Loop) -> Loop:
        """A loop of the function."""
        is_handed = loop.kind == "serial" and (loop.extent > 1 or not loop.apart)
        extent = PLACEHOLDER_EXTENT if is_handed else loop.extent
        index = self.table.loop_index(f"i{len(self.atoms)}", extent)
        self.atoms[loop.atom] = terms_of(index)[1][0][0]
        if is_handed:
            self.extents[self.atoms[loop.atom]] = self.number(loop.extent)
        around, turns = self.width, self.turns
        if is_handed:
            self.turns = loop.extent
        if loop.kind == "unroll" and self.turns >= MANY_TURNS:
            self.rows.add(loop.atom)
        square = match_register_transpose(loop) if loop.kind == "unroll" else None
        if square is not None:
            self.sides |= {loop.atom, square[0].atom}
        if loop.kind == "vector":
            self.width = loop.extent
            self.lanes.add(loop.atom)
        body = [self.statement(statement) for statement in loop.body]
        self.width, self.turns = around, turns
        return Loop(index, extent, loop.kind, body)

    def number(self, value: int) -> int:
        """The number of a number."""
        self.numbers.append(value)
        return len(self.numbers) - 1

    def local(self, buffer: Buffer) -> Buffer:
        """Returns the register that stands for a buffer inside the outlined function."""
        if buffer not in self.local_buffers:
            self.local_buffers[buffer] = Buffer(
                f"r{len(self.local_buffers)}", buffer.type, buffer.shape, "register"
            )
        return self.local_buffers[buffer]

    def access(self, buffer: Buffer, place: Expression) -> tuple[Buffer, Expression]:
        """The memory of the function and the place in it that are meant."""
        constant, terms = terms_of(place)
        inner = [term for term in terms if term[0] in self.atoms]
        outer = [term for term in terms if term[0] not in self.atoms]
        for atom, _ in outer:
            if not atom.loops.isdisjoint(self.atoms) or not atom.reads.isdisjoint(self.changed):
                raise NotOutlinedError
        if buffer.scope == "register":
            if outer:
                raise NotOutlinedError
            same = [(self.atoms[atom], stride) for atom, stride in inner]
            return self.local(buffer), self.table.sum(constant, same)
        argument, near = self.argument(buffer, place.table.sum(0, outer), constant)
        return argument, self.table.weighted_sum(
            near, [self.term(buffer, argument, *term) for term in inner]
        )

    def argument(self, buffer: Buffer, outer: Expression, constant: int) -> tuple[Buffer, int]:
        """Memory that begins near a place of a buffer, and how far the place is from there."""
        arguments = self.begins.setdefault((buffer, outer), [])
        for begin, argument in arguments:
            if abs(constant - begin) < MAX_SHARED_OFFSET:
                return argument, constant - begin
        name, wide = f"p{len(self.arguments)}", buffer.elements >> MAX_OFFSET_BITS > 0
        extent = 1 << (MAX_OFFSET_BITS + 2 * wide - 1)
        argument = Buffer(name, buffer.type, (extent,), ahead=buffer.ahead)
        self.arguments[argument] = buffer, outer + constant
        arguments.append((constant, argument))
        return argument, 0

    def term(
        self, buffer: Buffer, argument: Buffer, atom: Expression, stride: int
    ) -> tuple[Expression, int]:
        """A term of a position; strides between lanes, and short ones, stay constants.

        Those of squares do not: where they are loaded from and where they are stored differ in
        nothing else when a matrix is transposed, and when it is transposed back.
        """
        index = self.atoms[atom]
        is_small = buffer.scope == "stack" and buffer.elements <= MAX_STATIC_STACK_ELEMENTS
        is_near = atom in self.lanes or atom in self.rows or is_small or stride == self.width
        if stride == 1 or (is_near and atom not in self.sides):
            return index, stride
        key = argument, atom, stride
        if key not in self.strides:
            self.strides[key] = self.number(stride)
        return self.table.scale_index(index, self.strides[key]), 1

    def value(self, root: Expression) -> Expression:
        """A value that the function computes, the deepest parts first."""
        pending = [root]
        while pending:
            last = pending[-1]
            if last in self.rebuilt:
                pending.pop()
                continue
            operands = () if last.operator == "load" else last.operands
            inner = [operand for operand in operands if operand not in self.rebuilt]
            if inner:
                pending += inner
            else:
                self.rebuilt[pending.pop()] = self.rebuilt_expression(last)
        return self.rebuilt[root]

    def rebuilt_expression(self, expression: Expression) -> Expression:
        """Rebuilds an expression whose operands are rebuilt."""
        if expression.type == "index" or expression.operator == "number":
            raise NotOutlinedError
        if expression.operator == "constant":
            return self.table.bits(expression.detail, expression.type)
        if expression.operator == "load":
            self.loaded.add(expression.detail)
            return self.table.load_at(*self.access(expression.detail, expression.operands[0]))
        operands = [self.rebuilt[operand] for operand in expression.operands]
        return rebuild_expression(self.table, expression, operands)
