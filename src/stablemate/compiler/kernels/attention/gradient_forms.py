"""The parameters of reductions and dots of what is computed from scores.

The gradient of attention consists of them: sums over keys, products with keys, with queries and
with gradients of results, of matrices that are computed from scores element by element.
"""

from __future__ import annotations

from typing import Literal

from stablemate.compiler.kernels.attention.operation import DimensionMap, Roles
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreDot:
    """A dot whose results are scores, or have the shape of scores.

    Attributes:
        row: The dimensions of the operand with queries: batch, queries, features.
        column: Those of the operand with keys.
        row_first: Whether queries come before keys in the result.
        layout: The layout of the result in the scores.
        sums: The arithmetic.
    """

    row: Roles
    column: Roles
    row_first: bool
    layout: DimensionMap
    sums: Sums


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """The dots of an operation whose region computes matrices from scores.

    If the matrices are zero where the exponentials of the softmax are, the exponentials are the
    next result of the region, and the difference of the last two results is their operand.

    Attributes:
        shape: The shape of the scores: batch, and queries and keys in the order of the first dot.
        dots: The dots that the matrices are computed from; the first one is that of the scores.
        exponentials: The layout in the scores of the exponentials, if they are a result.
        totals: Which of the operands that the region reads besides, counted from the last one, are
            sums of the exponentials.
    """

    shape: tuple[int, ...]
    dots: tuple[ScoreDot, ...]
    exponentials: DimensionMap | None
    totals: tuple[int, ...] = ()

    @property
    def sums(self) -> Sums:
        """The arithmetic of the scores."""
        return self.dots[0].sums


@dataclass(frozen=True, slots=True)
class ReductionForm:
    """The properties by which two reductions over keys share a kernel.

    Attributes:
        scores: The dots.
        matrix: The layout in the scores of the matrix that is reduced.
        operator: The monoid.
        roles: The dimensions of the matrix: none, those of the result, those that are reduced.
    """

    scores: ScoreForm
    matrix: DimensionMap
    operator: Literal["maximum", "fadd"]
    roles: Roles


@dataclass(frozen=True, slots=True)
class ScoreMatrixProduct:
    """A dot of a matrix that is computed from scores.

    Attributes:
        over: What it sums over.
        number: Which result of the region the matrix is.
        matrix: The layout of the matrix in the scores.
        roles: The dimensions of the matrix: batch, those of the result, those that are summed over.
        other: The dimensions of the other operand: batch, features, summed over.
        other_first: Whether it is the left operand.
        sums: The arithmetic.
    """

    over: Literal["keys", "queries"]
    number: int
    matrix: DimensionMap
    roles: Roles
    other: Roles
    other_first: bool
    sums: Sums


@dataclass(frozen=True, slots=True)
class MatrixSum:
    """A matrix that is computed from scores, as a result, or its sums over other than keys.

    Attributes:
        number: Which result of the region the matrix is.
        matrix: The layout of the matrix in the scores.
        kept: The dimensions of the matrix that the result has.
    """

    number: int
    matrix: DimensionMap
    kept: tuple[int, ...]

    @property
    def reduced(self) -> tuple[int, ...]:
        """The dimensions that are summed over."""
        return tuple([d for d in range(len(self.matrix.shape)) if d not in self.kept])


@dataclass(frozen=True, slots=True)
class ProductsForm:
    """The properties by which two operations that compute dots of matrices share a kernel.

    Attributes:
        scores: The dots that the matrices are computed from.
        products: The dots of the matrices, one for each of the first results of the operation.
        sums: Sums of matrices, or matrices as they are: the other results.
    """

    scores: ScoreForm
    products: tuple[ScoreMatrixProduct, ...]
    sums: tuple[MatrixSum, ...] = ()

    @property
    def layouts(self) -> dict[int, DimensionMap]:
        """The layout in the scores of each matrix."""
        forms: list[ScoreMatrixProduct | MatrixSum] = [*self.products, *self.sums]
        return {form.number: form.matrix for form in forms}


@dataclass(frozen=True, slots=True)
class RowSum:
    """A sum over keys of a matrix that is computed from exponentials, times factors of rows.

    Attributes:
        matrix: The layout of the matrix in the scores.
        kept: The dimensions of the matrix that the result has.
        factors: For each factor, the layout in the scores of the value that has it for each score,
            and whether the sum is divided by it.
    """

    matrix: DimensionMap
    kept: tuple[int, ...]
    factors: tuple[tuple[DimensionMap, bool], ...]


@dataclass(frozen=True, slots=True)
class StatisticsForm:
    """The properties by which two operations that reduce rows of scores share a kernel.

    The regions compute: the operand of the softmax from the result of the first dot; the matrix of
    the sum from exponentials and the results of the other dots; its factors from the sum of the
    exponentials. Without such a sum there is only the first one.

    Attributes:
        scores: The dots.
        logits: The layout in the scores of the operand of the softmax.
        reductions: For the largest logit and for the sum of exponentials: the layout in the scores
            of what is reduced, and its dimensions that remain.
        row_sum: The sum.
    """

    scores: ScoreForm
    logits: DimensionMap
    reductions: tuple[tuple[DimensionMap, tuple[int, ...]], ...]
    row_sum: RowSum | None
