"""A large operand of a product with few rows: read once, in the order of memory, never copied.

Its elements may be computed from narrower ones: integers times scales of groups, halves of bytes,
entries of a table. Whatever they are computed from, they are computed in registers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Final

from stablemate.compiler.kernels.contraction.index_digits import (
    IndexDigits,
    cut_indices,
    digit_values,
    main_loads,
    unrolled_digits,
    whole_index,
)
from stablemate.compiler.kernels.contraction.matrix_operands import (
    AHEAD,
    ContractionOperand,
    bytes_ahead,
    delinearized_indices,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.kernel_builder import KernelBuilder
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import substitute_expression
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler, subexpressions
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import surely_at_most

# Shorter vectors would take as many instructions as single elements take.
LEAST_WIDTH: Final = 4  # lanes of the shortest vectors that pay
Values = Mapping[Expression, Expression]


def element_at(
    builder: KernelBuilder,
    operand: ContractionOperand,
    sums: Sums,
    batch: Sequence[Expression],
    free: Expression,
    depth: Expression,
) -> Expression:
    """The factor at row-major numbers of the free and of the contracting dimensions."""
    dimensions = [
        delinearized_indices(
            number,
            [LoopDimension(number, size) for size in operand.sizes(dimensions)],
        )
        for number, dimensions in ((free, operand.free), (depth, operand.depth))
    ]
    return operand.factor(builder, sums, batch, *dimensions)


@dataclass(frozen=True, slots=True)
class StreamedMatrix:
    """How the columns and steps of a matrix are walked.

    Attributes:
        value: An element.
        columns: The index of a column.
        depth: The index of a step of the depth.
        lane: The digit along which elements are neighbors in memory.
        column_parts: The values of the unrolled digits of columns.
        depth_parts: The values of the unrolled digits of the depth.
        element_bytes: Bytes of an element of memory, which may hold several of the matrix.
        share: The digit of the depth that counts the shares of threads; None if there is one share.
    """

    value: Expression
    columns: IndexDigits
    depth: IndexDigits
    lane: LoopDimension
    column_parts: Sequence[Values]
    depth_parts: Sequence[Values]
    element_bytes: int
    share: LoopDimension | None = None

    @property
    def is_along_depth(self) -> bool:
        """Whether neighbors in memory are summed up."""
        return any(digit.atom is self.lane.atom for digit in self.depth.digits)

    @property
    def column_loops(self) -> list[LoopDimension]:
        """The digits of columns that are loops, without the lanes."""
        return self.columns.without({**self.column_parts[0], self.lane.atom: None})

    @property
    def depth_loops(self) -> list[LoopDimension]:
        """The digits of the depth that are loops, without the lanes and the shares."""
        excluded = [digit.atom for digit in (self.lane, self.share) if digit is not None]
        return self.depth.without({**self.depth_parts[0], **dict.fromkeys(excluded)})

    def vector_width(self, register: str, vector_bytes: int) -> int | None:
        """How many lanes vectors have, which are no longer than what is read; None if none pays."""
        width = vector_bytes // max(4, BYTES[register])
        while width > self.lane.extent:
            width //= 2
        return None if width < LEAST_WIDTH else width

    def in_shares(self, scheduler: LoopScheduler, most: int) -> StreamedMatrix:
        """The same matrix, its depth cut into as many equal shares as there may be."""
        outer = next(iter(self.depth_loops), None)
        if outer is None or most < 2:
            return self
        count = next(n for n in range(most, 0, -1) if outer.extent % n == 0)
        number = next(i for i, digit in enumerate(self.depth.digits) if digit.atom is outer.atom)
        if count in (1, outer.extent):
            return self
        depth = self.depth.cut(scheduler, outer.atom, outer.extent // count)
        share, inner = depth.digits[number : number + 2]
        index = share.index * inner.extent + inner.index
        value = substitute_expression(self.value, {outer.atom: index}, {})
        return replace(self, value=value, depth=depth, share=share)

    def at(self, *values: Values) -> Expression:
        """The element at some values of digits."""
        merged = {atom: index for one in values for atom, index in one.items()}
        return substitute_expression(self.value, merged, {})


def streamed_matrix(
    builder: KernelBuilder,
    operand: ContractionOperand,
    sums: Sums,
    batch: Sequence[Expression],
) -> StreamedMatrix | None:
    """How an operand is walked in the order of memory; None if there is no such order.

    Args:
        builder: Makes the kernel that reads it.
        operand: The operand.
        sums: The arithmetic.
        batch: The index of the batch.
    """
    scheduler = builder.scheduler
    whole = [
        whole_index(scheduler, prod(operand.sizes(dimensions)))
        for dimensions in (operand.free, operand.depth)
    ]

    def value(indices: Sequence[IndexDigits]) -> Expression:
        columns, depth = indices
        return element_at(builder, operand, sums, batch, columns.number, depth.number)

    cut = cut_indices(scheduler, whole, value)
    if cut is None:
        return None
    element = value(cut)
    columns, depth = [digit_values(unrolled_digits(element, index.digits)) for index in cut]
    read = [
        substitute_expression(element, {**one, **other}, {}) for one in columns for other in depth
    ]
    strides = [strides_of(load) for part in read for load in main_loads(part)]
    if not strides or any(other != strides[0] for other in strides):
        return None
    lane = next(
        (d for index in reversed(cut) for d in index.digits if strides[0].get(d.atom) == 1), None
    )
    if lane is None or not all(is_regular(part, lane.atom) for part in read):
        return None
    of_columns, of_depth = cut
    memory = main_loads(element)[0].detail
    size = BYTES[memory.type]
    # Of rows of columns that are longer, a block reads something else next.
    if lane in of_depth.digits or surely_at_most(lane.extent * size, AHEAD):
        memory.ahead = bytes_ahead(memory)
    return StreamedMatrix(element, of_columns, of_depth, lane, columns, depth, size)


def strides_of(load: Expression) -> dict[Expression, int]:
    """The strides of a load along all loops that its place depends on; none if not linear."""
    strides = dict(terms_of(load.operands[0])[1])
    return strides if all(atom.operator == "index" for atom in strides) else {}


def is_regular(value: Expression, lane: Expression) -> bool:
    """Whether what depends on a lane is loaded from neighbors, or from where loaded values say."""
    for part in subexpressions([value]):
        if part.type != "index" or lane not in part.loops or part is lane:
            continue
        if part.operator == "sum":
            coefficient = dict(part.terms).get(lane, 0)
            others = [atom for atom, _ in part.terms if atom is not lane and lane in atom.loops]
            if coefficient not in (0, 1) or any(atom.operator != "position" for atom in others):
                return False
        elif part.operator != "position":
            return False
    return True
