"""Row-major numbers of queries and keys: the indices, strips and ranges that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.attention.operation import Roles
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ContractionOperand,
    delinearized_indices,
)
from stablemate.compiler.kernels.contraction.register_tiles import nest_loops
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import Loop, Statement
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.deferred_dataclasses import dataclass


def operand_of(tensor: Tensor, roles: Roles) -> ContractionOperand:
    """An operand of a dot."""
    return ContractionOperand(tensor, roles.batch, roles.free, roles.depth)


@dataclass(frozen=True, slots=True)
class Strip:
    """A dimension cut into vectors.

    Attributes:
        step: The loop over vectors.
        index: The index of an element.
        lane: The loop over the lanes of a vector.
    """

    step: LoopDimension
    index: Expression
    lane: Loop

    def around(self, body: Sequence[Statement]) -> list[Statement]:
        """Wraps statements in the loop over vectors and the one over lanes."""
        self.lane.body = body
        return nest_loops([self.step], [self.lane])


def size_of(loops: Sequence[LoopDimension]) -> int:
    """How many elements loops run over."""
    return prod(loop.extent for loop in loops)


def atom_of(index: Expression) -> Expression:
    """The atom of an index of a loop."""
    return terms_of(index)[1][0][0]


def at_numbers(loops: Sequence[LoopDimension], number: Expression) -> dict[Expression, Expression]:
    """Substitutes the indices of loops at a row-major number."""
    indices = delinearized_indices(number, loops)
    return {loop.atom: index for loop, index in zip(loops, indices, strict=True)}


def ranges_of(
    loops: Sequence[LoopDimension], first: Expression, count: int
) -> dict[Expression, tuple[Expression, Expression]]:
    """The least and the greatest index of each loop in a range of row-major numbers."""
    table, ranges = first.table, dict[Expression, tuple[Expression, Expression]]()
    rest = size_of(loops)
    for depth, loop in enumerate(loops):
        rest //= loop.extent
        if depth:
            ranges[loop.atom] = table.sum(0, ()), table.sum(loop.extent - 1, ())
        else:
            ranges[loop.atom] = first // rest, (first + (count - 1)) // rest
    return ranges


def rename_memory(buffer: Buffer, name: str) -> Buffer:
    """The same memory under another name."""
    return Buffer(name, buffer.type, buffer.shape, buffer.scope, buffer.strides)
