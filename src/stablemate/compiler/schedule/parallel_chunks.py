"""Estimates the time of an iteration of a kernel: what it computes, and how many bytes it moves.

The estimate is two to three times what an iteration takes on a machine with wide vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
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
)

# The model of a launch's time, by which it is cut into chunks: too much makes chunks short, which
# costs handing them out, too little lets threads wait for the last one.
# ``python -m benchmarks.latencies`` measures instructions.
OPERATION: Final = 0.25e-9  # seconds for an instruction, of vectors too
DIVISION: Final = 3e-9  # seconds for one that divides or takes a root
TILE: Final = 8e-9  # seconds for one that multiplies, loads or stores a tile
SLOW: Final = frozenset({"fdiv", "sqrt", "sdiv", "udiv", "srem", "urem", "frem", "lookup"})


class KernelWork:
    """The arithmetic and memory traffic of an iteration of a kernel; sizes may be symbolic.

    Attributes:
        seconds: The estimated time of what it computes.
        bytes: How much of each argument it reads and writes.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.seconds: float = 0.0
        self.bytes: dict[Buffer, int] = {}
        self.seen: set[Expression] = set()
        self.tiles = kernel.tiles
        self.add(kernel)

    @property
    def transfers(self) -> list[tuple[int, int]]:
        """For each argument, the bytes that are moved, and those that there are."""
        return [(size, buffer.bytes) for buffer, size in self.bytes.items()]

    def add(self, kernel: Kernel) -> None:
        """Adds the statements of a kernel."""
        first = kernel.body[0]
        if len(kernel.body) == 1 and isinstance(first, Loop) and first.parallel:
            self.block(first.body, [(first.atom, 1, 1)])
        else:
            self.block(kernel.body, [])

    def block(self, body: Sequence[Statement], around: list[tuple[Expression, int, int]]) -> None:
        """Adds statements.

        ``around`` has the index, iterations and lanes of each enclosing loop.
        """
        for statement in body:
            match statement:
                case Loop(_, extent, kind, inner):
                    iterations, lanes = (1, extent) if kind == "vector" else (extent, 1)
                    if statement.condition is not None:
                        iterations = 1
                    inside = [*around, (statement.atom, iterations, lanes)]
                    self.block(inner, inside)
                    if statement.condition is not None:
                        self.expression(statement.condition, inside)
                case When(condition, inner):
                    self.expression(condition, around)
                    self.block(inner, around)
                case StoreElement(buffer, place, value) | Fold(buffer, place, _, value):
                    self.expression(place, around)
                    for factor in factors_of(statement) or (value,):
                        self.expression(factor, around)
                    self.seconds += iterations_of(around) * OPERATION
                    if buffer.scope == "argument":
                        self.add_bytes(buffer, around, around)
                case CombinePartials(_, place, _, partials):
                    self.expression(place, around)
                    self.seconds += iterations_of(around) * partials.elements * OPERATION
                case MoveTile(number, buffer, place):
                    self.expression(place, around)
                    self.seconds += iterations_of(around) * TILE
                    if buffer.scope == "argument":
                        shape = self.tiles[number]
                        elements = shape.rows * shape.words * BYTES["i32"] // BYTES[buffer.type]
                        self.add_bytes(buffer, around, [*around, (place, 1, elements)])
                case MultiplyTiles():
                    self.seconds += iterations_of(around) * TILE
                case ClearTile() | Fetch():
                    pass

    def expression(self, root: Expression, around: list[tuple[Expression, int, int]]) -> None:
        """Adds an expression: each part once per iteration of the loops that it depends on."""
        iterations = [1]  # of the loops down to each depth
        for _, count, _ in around:
            iterations.append(iterations[-1] * count)
        seen, pending = self.seen, [root]
        while pending:
            expression = pending.pop()
            if expression in seen:
                continue
            seen.add(expression)
            pending += expression.operands
            if expression.operator in ("constant", "index", "sum"):
                continue
            depth = innermost_loop(expression, around)
            cost = DIVISION if expression.operator in SLOW else OPERATION
            self.seconds += iterations[depth] * cost
            if expression.operator == "load" and expression.detail.scope == "argument":
                self.add_bytes(expression.detail, around[:depth], around[:depth])

    def add_bytes(
        self, buffer: Buffer, iterations: list[tuple[Expression, int, int]],
        lanes: list[tuple[Expression, int, int]],
    ) -> None:  # fmt: skip
        """Adds bytes from or to memory."""
        width = 1
        for _, _, count in lanes:
            width *= count
        size = iterations_of(iterations) * width * BYTES[buffer.type]
        self.bytes[buffer] = self.bytes.get(buffer, 0) + size


def factors_of(statement: StoreElement | Fold) -> Sequence[Expression]:
    """The factors of a product that is added in one instruction."""
    if isinstance(statement, StoreElement) or not statement.fused:
        return ()
    return statement.value.operands if statement.value.operator == "fmul" else ()


def innermost_loop(expression: Expression, around: list[tuple[Expression, int, int]]) -> int:
    """The number of loops down to the innermost that the expression depends on."""
    loops, depth = expression.loops, len(around)
    while depth and around[depth - 1][0] not in loops:
        depth -= 1
    return depth


def iterations_of(around: list[tuple[Expression, int, int]]) -> int:
    """How often something inside these loops is done."""
    iterations = 1
    for _, count, _ in around:
        iterations *= count
    return iterations
