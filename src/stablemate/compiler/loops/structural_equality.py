"""Structural keys of kernels that are equal but for names.

Kernels of equal layers differ in nothing else, so their code is written and compiled once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
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
)


def structural_key(kernel: Kernel) -> Hashable:
    """A key that is equal for kernels that differ only in names."""
    return StructuralKey().of(kernel)


class StructuralKey:
    """Numbers the expressions and buffers of one kernel, in the order in which it uses them."""

    def __init__(self) -> None:
        self.numbers: dict[Expression, int] = {}
        self.buffers: dict[Buffer, int] = {}
        self.rows: list[Hashable] = []

    def of(self, kernel: Kernel) -> Hashable:
        """The identity of the kernel."""
        arguments = tuple([self.buffer(argument) for argument in kernel.arguments])
        local_buffers = tuple([self.buffer(local) for local in kernel.locals])
        body = self.block(kernel.body)
        memory = tuple([self.memory(buffer) for buffer in self.buffers])
        return arguments, local_buffers, memory, body, tuple(self.rows), tuple(kernel.tiles)

    def buffer(self, buffer: Buffer) -> int:
        """The number of a buffer."""
        return self.buffers.setdefault(buffer, len(self.buffers))

    def memory(self, buffer: Buffer) -> Hashable:
        """The properties of a buffer that code depends on.

        Positions are flat, so not its extents.
        """
        if buffer.scope == "argument":
            return buffer.type, buffer.scope, buffer.elements >> 31, buffer.ahead
        return buffer.type, buffer.scope, buffer.elements

    def block(self, body: Sequence[Statement]) -> Hashable:
        """Returns the keys of all statements of a block."""
        return tuple([self.statement(statement) for statement in body])

    def statement(self, statement: Statement) -> Hashable:
        """The identity of a statement."""
        number, buffer = self.expression, self.buffer
        match statement:
            case Loop():
                is_given = statement.parallel or statement.condition is not None
                extent = None if is_given else statement.extent  # which the launch gives
                head = number(statement.atom), extent, statement.kind, statement.apart
                body = self.block(statement.body)
                again = statement.condition
                return "loop", *head, body, None if again is None else number(again)
            case When(condition, body):
                return "when", number(condition), self.block(body)
            case StoreElement():
                return (
                    "store",
                    buffer(statement.buffer),
                    *map(number, (statement.place, statement.value)),
                )
            case Fold(target, place, operator, value, skip, fused):
                parts = buffer(target), number(place), operator, number(value)
                return "fold", *parts, skip, fused
            case CombinePartials(target, place, operator, partials, width):
                parts = buffer(target), number(place), operator, buffer(partials)
                return "combine", *parts, width
            case MoveTile(tile, target, place, stride, stores):
                return "move", tile, buffer(target), number(place), stride, stores
            case ClearTile(tile):
                return "clear", tile
            case Fetch(target, place):
                return "fetch", buffer(target), number(place)
            case MultiplyTiles(operator, total, left, right):
                return "multiply", operator, total, left, right

    def expression(self, expression: Expression) -> int:
        """The number of an expression; its operands have numbers before it."""
        pending = [expression]
        while pending:
            last = pending[-1]
            if last in self.numbers:
                pending.pop()
                continue
            inner = [operand for operand in last.operands if operand not in self.numbers]
            if inner:
                pending += reversed(inner)
                continue
            pending.pop()
            operands = tuple([self.numbers[operand] for operand in last.operands])
            self.numbers[last] = len(self.rows)
            self.rows.append((last.operator, operands, self.detail(last), last.type))
        return self.numbers[expression]

    def detail(self, expression: Expression) -> object:
        """The other properties of an expression; the name of a loop index does not count."""
        detail = expression.detail
        if expression.operator == "index":
            return None
        return ("buffer", self.buffer(detail)) if isinstance(detail, Buffer) else detail
