"""Matrices that are computed from scores as results, or their sums over batches and queries.

The gradient of a bias is one: of the shape of the scores, summed over what the bias is repeated
along. A block of a matrix is added to its sums in memory; sums over keys are not computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.attention.gradient_forms import MatrixSum, ProductsForm
from stablemate.compiler.kernels.attention.product_tiles import ScoreProductKernel
from stablemate.compiler.kernels.attention.row_passes import RowPass
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    Loop,
    Statement,
    StoreElement,
    When,
    substitute_expression,
)
from stablemate.compiler.lowering.elements import represent_elements
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.deferred_dataclasses import dataclass


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


class SumKernel(ScoreProductKernel):
    """Stores matrices and their sums; a base of the kernel of gradients.

    Attributes:
        products_form: The parameters of the operation.
        sums_of: The matrices.
        serial: The loops over batches that are summed over.
    """

    products_form: ProductsForm
    sums_of: Sequence[MatrixTotal] = ()
    serial: Sequence[LoopDimension] = ()

    def loops_of_sums(self) -> list[LoopDimension]:
        """The loops over batches that are summed over: they are not distributed over threads."""
        reduced: set[Expression] = set()
        for form in self.products_form.sums:
            index = form.matrix.index(self.table, self.number)
            reduced |= atoms_of([index[d] for d in form.reduced])
        return [loop for loop in self.outer if loop.atom in reduced]

    def places_of(
        self, total: MatrixTotal, first: tuple[Expression, Expression], row: Expression
    ) -> Callable[[Expression], Expression]:
        """Returns a function that gives the places of the sums of a row of a block."""
        index = total.form.matrix.index(self.table, self.number)
        kept = self.table.place(total.output, [index[d] for d in total.form.kept])

        def at(column: Expression) -> Expression:
            return substitute_expression(kept, self.at(first[0] + row, first[1] + column), {})

        return at

    def sums_queries(self, total: MatrixTotal) -> bool:
        """Whether queries are summed over."""
        index = total.form.matrix.index(self.table, self.number)
        reduced = atoms_of([index[d] for d in total.form.reduced])
        return not reduced.isdisjoint(loop.atom for loop in self.row_loops)

    def cleared_sums(
        self, sums: Sequence[MatrixTotal], first: tuple[Expression, Expression],
        extents: tuple[int, int],
    ) -> list[Statement]:  # fmt: skip
        """Sets sums to zero.

        Args:
            sums: The matrices.
            first: The first query and the first key.
            extents: How many there are.
        """
        rows, keys = extents
        statements: list[Statement] = []
        for total in sums:
            row = self.scheduler.index(rows)
            place = self.places_of(total, first, row)
            row_pass = RowPass(self.scheduler, total.block, keys, None, "zeros")
            stored = row_pass.statements(partial(self.stored_zero, total, place))
            statements.append(Loop(row, rows, "serial", stored))
        return statements

    def cleared_blocks(
        self, first: tuple[Expression, Expression], extents: tuple[int, int],
        condition: Expression | None,
    ) -> list[Statement]:  # fmt: skip
        """Sets a block to zero before the first batch is added, or if it is left out.

        Args:
            first: The first query and the first key.
            extents: How many there are.
            condition: Whether it is not left out; None if it never is.
        """
        others = [total for total in self.sums_of if not self.sums_queries(total)]
        added: list[Statement] = self.cleared_sums(
            [t for t in others if t.form.reduced], first, extents
        )
        stored = self.cleared_sums([t for t in others if not t.form.reduced], first, extents)
        for loop in self.serial:
            is_first = self.table.apply("sle", loop.index, self.table.sum(0, ()))
            added = [When(is_first, added)] if added else []
        if condition is None or not stored:
            return added
        return [*added, When(condition ^ self.table.bits(1, "i1"), stored)]

    def stored_zero(
        self, total: MatrixTotal, place: Callable[[Expression], Expression], column: Expression
    ) -> list[Statement]:
        """Sets one sum to zero."""
        zero = self.table.constant(0.0, self.form.sums.register)
        return [
            StoreElement(total.output, place(column), represent_elements(total.result).narrow(zero))
        ]

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
        return [
            StoreElement(
                total.output, place(column), represent_elements(total.result).narrow(value)
            )
        ]


def atoms_of(index: Sequence[Expression]) -> frozenset[Expression]:
    """The indices that others depend on."""
    return frozenset[Expression]().union(*[position.loops for position in index])
