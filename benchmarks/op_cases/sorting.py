"""Sorting, by recognized orders and others."""

from typing import Final

import numpy as np

from benchmarks.op_cases.case import Case, Work, comparator, draw, tensor
from benchmarks.op_cases.movement import matrix, several


def sort(element: str, n: int) -> Work:
    """A vector."""
    return Work(
        [draw(element, n)],
        [tensor(element, n)],
        "dimension = 0 : i64, is_stable = true",
        [comparator(element)],
        numpy=lambda x: np.sort(x, kind="stable"),
    )


def argsort(element: str, n: int) -> Work:
    """A vector, and where its elements were."""
    return Work(
        [draw(element, n), np.arange(n, dtype=np.int32)],
        [tensor(element, n), tensor("i32", n)],
        "dimension = 0 : i64, is_stable = true",
        [comparator(element, ["i32"], "GT")],
        numpy=lambda x, _: np.argsort(x, kind="stable"),
    )


def sort_columns(element: str, n: int) -> Work:
    """The columns of a matrix."""
    x = matrix(element, n)
    return Work(
        [x],
        [tensor(element, *x.shape)],
        "dimension = 0 : i64, is_stable = true",
        [comparator(element)],
        numpy=lambda x: np.sort(x, axis=0, kind="stable"),
    )


def sort_by_magnitude(element: str, n: int) -> Work:
    """A vector, by a comparator that computes: |x| < |y|."""
    scalar = tensor(element)
    region = (
        f"{{\n^bb0(%x: {scalar}, %y: {scalar}):\n"
        f'  %0 = "stablehlo.abs"(%x) : ({scalar}) -> {scalar}\n'
        f'  %1 = "stablehlo.abs"(%y) : ({scalar}) -> {scalar}\n'
        '  %2 = "stablehlo.compare"(%0, %1) <{comparison_direction = '
        f"#stablehlo<comparison_direction LT>}}> : ({scalar}, {scalar}) -> tensor<i1>\n"
        '  "stablehlo.return"(%2) : (tensor<i1>) -> ()\n}'
    )
    return Work(
        [draw(element, n)],
        [tensor(element, n)],
        "dimension = 0 : i64, is_stable = true",
        [region],
        numpy=lambda x: x[np.argsort(np.abs(x), kind="stable")],
    )


def top_k(element: str, n: int) -> Work:
    """The eight largest of every row."""
    x = matrix(element, n)
    k = min(8, x.shape[1])
    return Work(
        [x],
        [tensor(element, x.shape[0], k), tensor("i32", x.shape[0], k)],
        f"k = {k} : i64",
        numpy=lambda x: np.argsort(-x, axis=1, kind="stable")[:, :k],
    )


CASES: Final[tuple[Case, ...]] = (
    *several("sort", sort, "f32", "f64", "bf16", "f8E4M3FN", "i4", "i32", "i64", "i1"),
    *several("sort", argsort, "f32", "bf16", "i32", kind="with positions"),
    *several("sort", sort_columns, "f32", "bf16", "i32", kind="columns"),
    *several("sort", sort_by_magnitude, "f32", "i32", kind="by magnitude"),
    *several("top_k", top_k, "f32", "bf16", "i32", dialect="chlo"),
)
