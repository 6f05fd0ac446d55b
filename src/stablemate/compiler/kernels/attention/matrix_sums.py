"""Matrices that are computed from scores as results, or their sums over batches and queries.

The gradient of a bias is one: of the shape of the scores, summed over what the bias is repeated
along. A block of a matrix is added to its sums in memory; sums over keys are not computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.attention.gradient_forms import MatrixSum
from stablemate.compiler.kernels.attention.product_tiles import ProductKernel
from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, Store, substitute_expression
from stablemate.compiler.lowering.elements import represented


@dataclass(frozen=True, slots=True)
class MatrixTotal:
    """A matrix, or its sums, that the kernel stores.

    Attributes:
        form: Its parameters.
        result: The result.
        block: A block of the matrix.
        output: The memory of the result.
    """

    form: MatrixSum
    result: Tensor
    block: Buffer
    output: Buffer


class SumKernel(ProductKernel):
    """Stores matrices and their sums; a base of the kernel of gradients.

    Attributes:
        sums_of: The matrices.
    """

    sums_of: Sequence[MatrixTotal] = ()

    def places_of(
        self, total: MatrixTotal, first: tuple[Expression, Expression], row: Expression
    ) -> Callable[[Expression], Expression]:
        """Returns a function that gives the places of the sums of a row of a block."""
        index = total.form.matrix.index(self.table, self.number)
        kept = self.table.place(total.output, [index[d] for d in total.form.kept])

        def at(column: Expression) -> Expression:
            return substitute_expression(kept, self.at(first[0] + row, first[1] + column), {})

        return at

    def stored_zero(
        self, total: MatrixTotal, place: Callable[[Expression], Expression], zero: Expression,
        column: Expression,
    ) -> list[Statement]:  # fmt: skip
        """Sets one sum to zero."""
        return [Store(total.output, place(column), zero)]

    def added_to_sums(
        self, first: tuple[Expression, Expression], extents: tuple[int, int]
    ) -> list[Statement]:
        """Adds a block of each matrix to its sums."""
        rows, keys = extents
        statements: list[Statement] = []
        for total in self.sums_of:
            row = self.scheduler.index(rows)
            begin = self.table.place(total.block, (row, self.table.sum(0, ())))
            row_pass = RowPass(self.scheduler, total.block, keys, None, "sums")
            stored = row_pass.statements(
                partial(self.stored_sum, total, self.places_of(total, first, row), begin)
            )
            statements.append(Loop(row, rows, "serial", stored))
        return statements

    def stored_sum(
        self, total: MatrixTotal, place: Callable[[Expression], Expression], begin: Expression,
        column: Expression,
    ) -> list[Statement]:  # fmt: skip
        """Adds one element of a matrix to its sum, or stores it."""
        value = self.table.load_at(total.block, begin + column)
        if total.form.reduced:
            value = self.table.load_at(total.output, place(column)) + value
        return [Store(total.output, place(column), represented(total.result).narrow(value))]
