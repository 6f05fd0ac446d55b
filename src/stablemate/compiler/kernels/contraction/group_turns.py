"""Groups of a few features: lanes are the features of neighboring groups.

A group that is shorter than a vector would leave most lanes empty. Here each lane multiplies its
own feature of the image, which is read as it is, with the factors of all outputs of its group, one
in each *turn*: in turn ``t`` of a group of ``n`` features, the lane of feature ``i`` adds to output
``(i - t) mod n``. Each turn has sums of its own; when they are complete, a result is the sum of
``n`` of them, which are in other lanes of its group.
"""

from __future__ import annotations

from stablemate.compiler.kernels.contraction.convolution.layouts import IntegerConvolution
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Statement, StoreElement
from stablemate.compiler.schedule.schedule import WIDE
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic


@dataclass(frozen=True, slots=True)
class GroupTurns:
    """The turns of groups of a size.

    Attributes:
        size: The features of a group, of the image and of the result.
    """

    size: int

    @staticmethod
    def of(geometry: IntegerConvolution, sums: Sums, vector_bytes: int) -> GroupTurns | None:
        """The turns of a convolution; None if its groups fill vectors, or do not divide them."""
        size, groups = geometry.inputs, geometry.groups
        if sums.packing or is_symbolic(size) or is_symbolic(groups):
            return None
        is_group = geometry.batch_groups == 1 < geometry.feature_groups
        width = vector_bytes // max(WIDE, BYTES[sums.register])
        while width > size * groups:
            width //= 2
        is_part = 1 < size < width and width % size == 0
        return GroupTurns(size) if is_group and is_part and size == geometry.outputs else None

    def output(self, column: Expression, turn: Expression) -> Expression:
        """The column of the output that the lane of a column adds to in a turn."""
        feature = (column % self.size + self.size - turn) % self.size
        return column // self.size * self.size + feature  # which is not negative for any column

    def lane(self, column: Expression, turn: int) -> Expression:
        """The column of the lane that adds to a column's output in a turn."""
        return column // self.size * self.size + (column % self.size + turn) % self.size

    def total(
        self, sums: Sums, buffer: Buffer, row: Expression, column: Expression, columns: int
    ) -> Statement:
        """Adds what all turns have added to an output, in the place of the first turn.

        Args:
            sums: The arithmetic.
            buffer: The sums, of ``columns`` in each turn of each point.
            row: The point.
            column: The column of the output in its tile.
            columns: The columns of a tile.
        """
        table = column.table
        first = row * (self.size * columns) + column
        total = table.load_at(buffer, first)
        for turn in range(1, self.size):
            place = (row * self.size + turn) * columns + self.lane(column, turn)
            total = table.apply(sums.add, total, table.load_at(buffer, place))
        return StoreElement(buffer, first, total)
