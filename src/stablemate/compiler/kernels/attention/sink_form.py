"""The parameters of reductions and dots of what is computed from scores.

The gradient of attention consists of them: sums over keys, products with keys, with queries and
with gradients of results, of matrices that are computed from scores element by element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stablemate.compiler.kernels.attention.operation import Layout, Roles
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums

SinkKind = Literal["reduce", "rows", "columns"]


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
    layout: Layout
    sums: Sums


@dataclass(frozen=True, slots=True)
class SinkForm:
    """What the kernels of two operations must agree in.

    The region of the operation computes the matrix. If the matrix is zero where the exponentials of
    the softmax are, these are its second result, and the difference of the others is their operand.

    Attributes:
        kind: ``reduce``: a reduction over keys; ``rows``: a dot that sums over keys; ``columns``:
            one that sums over queries.
        scores: The shape of the scores: batch, and queries and keys in the order of the first dot.
        dots: The dots that the matrix is computed from; the first one is that of the scores.
        matrix: The layout of the matrix in the scores.
        operator: The monoid of a reduction.
        roles: The dimensions of the matrix: batch, those of the result, those that are summed over.
        other: The dimensions of the other operand of a dot: batch, features, summed over.
        other_first: Whether it is the left operand.
        product: The shape of the result.
        sums: The arithmetic of the dot.
        exponentials: The layout in the scores of the exponentials, if they are a result.
    """

    kind: SinkKind
    scores: tuple[int, ...]
    dots: tuple[ScoreDot, ...]
    matrix: Layout
    operator: Literal["maximum", "fadd"]
    roles: Roles
    other: Roles
    other_first: bool
    product: tuple[int, ...]
    sums: Sums
    exponentials: Layout | None = None
